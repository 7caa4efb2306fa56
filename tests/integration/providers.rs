//! What the sources of a domain share: limits, places for requests, authentication. The two domains of
//! these tests are two names of one site: `127.0.0.1` and `localhost`.

mod auth;
mod concurrency;
mod limits;
mod oauth2;

use crate::util::{Hermes, Site};

/// The same site, under the name that no provider of these tests has.
fn elsewhere(site: &Site, path: &str) -> String {
    site.url(path).replace("127.0.0.1", "localhost")
}

/// The table has the name of the source.
fn source(name: &str, url: &str) -> String {
    format!(
        "name: {name}\nurl: {url}\ntable: {name}\nschedule: hourly\n\
         response: {{ dataPath: data, fields: {{ id: id }} }}\n"
    )
}

/// For [`Site::pages`].
fn paged(name: &str, url: &str, timeout: &str) -> String {
    source(name, url)
        + &format!(
            "execution: {{ timeout: {timeout} }}\npagination: {{ page: {{ param: page, hasMorePath: has_more }} }}\n"
        )
}

/// Of `127.0.0.1`.
fn provider(more: &str) -> String {
    format!("kind: provider\ndomain: 127.0.0.1\n{more}\n")
}

/// Empty while the daemon does not know the source yet.
fn state(hermes: &Hermes, name: &str) -> String {
    let status = hermes.command(&["status", name, "--json"]);
    if status.code != Some(0) {
        return String::new();
    }
    status.json()["state"].as_str().unwrap_or_default().to_owned()
}

fn job(hermes: &Hermes, name: &str) -> Option<String> {
    hermes.try_query(&format!("SELECT status FROM fetchlogs WHERE source_name = '{name}' ORDER BY id DESC"))
}

/// Of the newest failure.
fn failure(hermes: &Hermes, name: &str) -> Option<String> {
    hermes.try_query(&format!(
        "SELECT message FROM fetchlogs WHERE source_name = '{name}' AND status = 'failed' ORDER BY id DESC"
    ))
}
