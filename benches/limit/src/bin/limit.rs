//! The limit: what a program costs that can do one thing only, fetch these
//! pages into this table. No mapping, no schedule, no retries, no bounds.
//!
//!   limit URL DB        URL as `http://127.0.0.1:1234/random/items?pages=10`

use std::borrow::Cow;
use std::io::Read;

use rusqlite::{Connection, params};
use serde::Deserialize;
use serde_json::value::RawValue;

type Fault = Box<dyn std::error::Error>;

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    data: Vec<Article<'a>>,
}

#[derive(Deserialize)]
struct Article<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow)]
    date: Cow<'a, str>,
    #[serde(borrow)]
    author: Author<'a>,
    #[serde(borrow)]
    tickers: &'a RawValue,
    #[serde(borrow)]
    content: Cow<'a, str>,
    #[serde(borrow)]
    url: Cow<'a, str>,
    sentiment: Option<f64>,
}

#[derive(Deserialize)]
struct Author<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
}

const SCHEMA: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS items (source_name TEXT NOT NULL, created_at TEXT NOT NULL,
        id TEXT NOT NULL UNIQUE, title TEXT, date TEXT, author TEXT, tickers TEXT, content TEXT,
        url TEXT, sentiment REAL)";

const INSERT: &str = "INSERT OR IGNORE INTO items
    (source_name, created_at, id, title, date, author, tickers, content, url, sentiment)
    VALUES ('bench', ?, ?, ?, ?, ?, ?, ?, ?, ?)";

const NOW: &str = "SELECT strftime('%Y-%m-%dT%H:%M:%fZ')";

fn main() -> Result<(), Fault> {
    let mut args = std::env::args().skip(1);
    let (Some(url), Some(db)) = (args.next(), args.next()) else { return Err("limit URL DB".into()) };
    let mut db = Connection::open(db)?;
    db.execute_batch(SCHEMA)?;
    let agent = ureq::Agent::new_with_defaults();
    let mut body = Vec::new();
    for page in 1.. {
        body.clear();
        let mut answer = agent.get(format!("{url}&page={page}&limit=100")).call()?;
        answer.body_mut().as_reader().read_to_end(&mut body)?;
        let Page { data } = serde_json::from_slice(&body)?;
        if data.is_empty() {
            break;
        }
        store(&mut db, &data)?;
    }
    Ok(())
}

fn store(db: &mut Connection, articles: &[Article<'_>]) -> Result<(), Fault> {
    let transaction = db.transaction()?;
    let now: String = transaction.prepare_cached(NOW)?.query_row([], |row| row.get(0))?;
    let mut insert = transaction.prepare_cached(INSERT)?;
    for article in articles {
        let Article { id, title, date, author, tickers, content, url, sentiment } = article;
        let id = id.get().trim_matches('"');
        insert.execute(params![now, id, title, date, author.name, tickers.get(), content, url, sentiment])?;
    }
    drop(insert);
    Ok(transaction.commit()?)
}
