//! What people take out of the database: rows as files (`export`), and the whole of it (`backup`).

mod backup;
mod export;

use crate::util::{Hermes, Reply, Site};

/// Two records of every type in the table `items`, stored in two years, by the source `a`.
fn typed() -> Hermes {
    let (hermes, site) = (Hermes::new(), Site::new());
    let records = r#"[
        { "id": 1, "title": "one, \"two\"\nthree", "value": 2.0, "ok": true, "tags": { "b": [1], "a": 1.10 } },
        { "id": 2, "title": "", "ok": false, "tags": "x\u009by" } ]"#;
    site.on("/a", Reply::json(records));
    let fields = "[ { source: id, target: id, type: integer }, { source: title, target: title }, \
                    { source: value, target: value, type: real }, { source: ok, target: ok, type: boolean }, \
                    { source: tags, target: tags, type: json } ]";
    let url = site.url("/a");
    let yaml = format!("name: a\nurl: {url}\ntable: items\nresponse: {{ fields: {fields} }}\n");
    hermes.write_source("a.yaml", &yaml);
    hermes.once().done();
    hermes.exec(
        "UPDATE items SET created_at = '2025-01-01T00:00:00.000Z' WHERE id = 1;
         UPDATE items SET created_at = '2026-01-01T00:00:00.000Z' WHERE id = 2;",
    );
    hermes
}

/// The files of an installation, but for those that SQLite keeps while it is open.
fn files(hermes: &Hermes) -> Vec<String> {
    let entries = std::fs::read_dir(hermes.dir()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with("data.sqlite")).collect();
    names.sort();
    names
}
