//! What help and the man page say beyond the options themselves: the way
//! through the commands, files, variables, exit codes. Only text is here.

/// The commands in the order in which a person needs them. Every command stands
/// in exactly one group; a new one is added here.
pub(super) const GROUPS: [(&str, &[&str]); 7] = [
    ("Write a source", &["init", "schema"]),
    ("Check it", &["check", "preview"]),
    ("Try it", &["try"]),
    ("Run", &["run", "add", "update", "pause", "resume", "reset", "queue", "delete"]),
    ("Look", &["status", "list", "logs", "data", "get", "ready", "gaps"]),
    ("Keep", &["export", "backup"]),
    ("More", &["completions", "man"]),
];

pub(super) const USAGE: [(&str, &str); 2] = [
    ("hermes [OPTIONS]", "run: fetch and store on schedule"),
    ("hermes [OPTIONS] COMMAND ...", "do one thing, then end"),
];

/// From nothing to rows, and on. One whose command is not there is not shown.
pub(super) const EXAMPLES: [(&str, &str); 8] = [
    ("hermes init URL -o sources.d/air.yaml", "write a source from a live answer"),
    ("hermes check sources.d", "find every mistake before it runs"),
    ("hermes try sources.d/air.yaml", "fetch a page, show its rows, store nothing"),
    ("hermes --db data.sqlite", "run: what is in sources.d is fetched on schedule"),
    ("hermes status", "how all sources are"),
    ("hermes data air --limit 5", "the newest rows"),
    ("hermes export air -o air.csv", "all rows, oldest first"),
    ("hermes backup air.sqlite", "the whole database, while hermes runs"),
];

pub(super) const FILES: [(&str, &str); 4] = [
    (
        "data.sqlite",
        "the database: definitions, jobs, and a table for each kind of rows; any SQLite client may read it",
    ),
    ("data.sqlite-wal, data.sqlite-shm", "belong to it while it is in use; never remove them then"),
    ("data.sqlite.lock", "the process id of the hermes that runs on it"),
    ("sources.d/*.yaml, sources.d/*.yml", "what to fetch; read again whenever a file is saved"),
];

pub(super) const SIGNALS: [(&str, &str); 2] = [
    ("SIGTERM, SIGINT", "stop in order, within 10 seconds; what is stored stays"),
    ("SIGHUP", "read all of sources.d again"),
];

pub(super) const ENVIRONMENT: [(&str, &str); 4] = [
    ("HERMES_DB", "stands in for --db"),
    ("HERMES_SOURCES", "stands in for --sources"),
    ("RUST_LOG", "the level of the log: error, warn, info (as it is without)"),
    ("any other", "that a document names as ${env:NAME}, read as its request is made"),
];

pub(super) const EXIT_STATUS: [(&str, &str); 3] =
    [("0", "done"), ("1", "it did not work"), ("2", "the input is wrong")];
