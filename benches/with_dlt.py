#!/usr/bin/env python3
"""A peer for the benchmark: dlt's REST source into SQLite, merged on the id.

    benches/with_dlt.py URL DB        needs: pip install 'dlt[sqlalchemy]'
"""
import os
import sys

url, path = sys.argv[1:]
# Everything that it keeps stays beside the database; nothing is reported to anyone.
os.environ.update(
    DLT_DATA_DIR=path + ".dlt",
    RUNTIME__DLTHUB_TELEMETRY="false",
)

import dlt  # noqa: E402: it reads the environment as it is imported
from dlt.sources.rest_api import rest_api_source  # noqa: E402

base, _, rest = url.rpartition("/")
name, _, query = rest.partition("?")


def flat(article):
    """The same eight fields as everyone else."""
    wanted = {key: article[key] for key in ("id", "title", "date", "content", "url", "sentiment")}
    return {**wanted, "author": article["author"]["name"], "tickers": str(article["tickers"])}


source = rest_api_source({
    "client": {"base_url": base},
    "resources": [{
        "name": "items",
        "primary_key": "id",
        "write_disposition": "merge",
        "endpoint": {
            "path": name,
            "params": {"limit": 100, **dict(pair.split("=") for pair in query.split("&"))},
            "data_selector": "data",
            "paginator": {"type": "page_number", "base_page": 1, "page_param": "page", "total_path": None},
        },
        "processing_steps": [{"map": flat}],
    }],
})
pipeline = dlt.pipeline(
    "bench",
    pipelines_dir=path + ".dlt",
    destination=dlt.destinations.sqlalchemy(f"sqlite:///{path}"),
    dataset_name="main",
)
pipeline.run(source).raise_on_failed_jobs()
