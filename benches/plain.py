#!/usr/bin/env python3
"""A peer for the benchmark: the script that one would write by hand, with requests and sqlite3.

    benches/plain.py URL DB
"""
import datetime
import json
import sqlite3
import sys

import requests

url, path = sys.argv[1:]
db = sqlite3.connect(path)
db.execute("PRAGMA journal_mode = WAL")
db.execute("PRAGMA synchronous = NORMAL")
db.execute("""CREATE TABLE IF NOT EXISTS items (source_name TEXT NOT NULL, created_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE, title TEXT, date TEXT, author TEXT, tickers TEXT, content TEXT, url TEXT,
    sentiment REAL)""")
session = requests.Session()
page = 1
while True:
    answer = session.get(url, params={"page": page, "limit": 100}, timeout=30)
    answer.raise_for_status()
    articles = answer.json()["data"]
    if not articles:
        break
    now = datetime.datetime.now(datetime.timezone.utc).isoformat()
    with db:
        db.executemany(
            "INSERT OR IGNORE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                ("bench", now, a["id"], a["title"], a["date"], a["author"]["name"],
                 json.dumps(a["tickers"]), a["content"], a["url"], a["sentiment"])
                for a in articles
            ],
        )
    page += 1
db.close()
