#!/usr/bin/env python3
"""A peer for the benchmark: dlt's REST source into SQLite, merged on the id.

    benches/with_dlt.py URL DB        needs: pip install 'dlt[sqlalchemy]==1.31.0'
"""
import json
import os
import sys

url, path = sys.argv[1:]
# Everything that it keeps stays beside the database; nothing is reported to anyone.
# Its files between the steps are read once and deleted: compressing them was a quarter of all the CPU.
# SQLite has one writer: more threads that load only hold more rows in memory.
os.environ.update(
    DLT_DATA_DIR=path + ".dlt",
    RUNTIME__DLTHUB_TELEMETRY="false",
    DATA_WRITER__DISABLE_COMPRESSION="true",
    LOAD__WORKERS="1",
)

import dlt  # noqa: E402: it reads the environment as it is imported
from dlt.sources.rest_api import rest_api_source  # noqa: E402

base, _, rest = url.rpartition("/")
name, _, query = rest.partition("?")
seen = set()


def is_first(article):
    """A key that comes twice in one pull would fail the whole load."""
    known = len(seen)
    seen.add(article["id"])
    return len(seen) > known


def flat(article):
    """The same eight fields as everyone else."""
    wanted = {key: article[key] for key in ("id", "title", "date", "content", "url", "sentiment")}
    return {**wanted, "author": article["author"]["name"], "tickers": json.dumps(article["tickers"])}


source = rest_api_source({
    "client": {"base_url": base},
    "resources": [{
        "name": "items",
        "primary_key": "id",
        # The only strategy for SQLite that leaves one row a key; what is staged is unique already.
        "write_disposition": {"disposition": "merge", "strategy": "delete-insert", "deduplicated": True},
        "columns": {"date": {"data_type": "text"}},  # stored as it came, as by everyone else
        "endpoint": {
            "path": name,
            "params": {"limit": 100, **dict(pair.split("=") for pair in query.split("&"))},
            "data_selector": "data",
            "paginator": {"type": "page_number", "base_page": 1, "page_param": "page", "total_path": None},
        },
        "processing_steps": [{"filter": is_first}, {"map": flat}],
    }],
})
pipeline = dlt.pipeline(
    "bench",
    pipelines_dir=path + ".dlt",
    # Without the key in the tables, which is dlt's default, every row of a merge is a scan of all that was
    # staged: 20,000 duplicates took 33 s of CPU, with it 2.
    destination=dlt.destinations.sqlalchemy(f"sqlite:///{path}", create_primary_keys=True),
    dataset_name="main",
)
pipeline.run(source).raise_on_failed_jobs()
