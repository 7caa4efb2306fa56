//! The real binary in a directory of its own, with a clean environment. Knows no behaviour of it but
//! the global options.

use super::daemon::{Collected, Daemon};
use super::{Terminal, database, program_command, wait};
use rusqlite::Connection;
use rusqlite::types::{FromSql, Value};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{env, fs, process, thread};

/// No command of Hermes takes this long against a loopback server.
const COMMAND_DEADLINE: Duration = Duration::from_secs(60);

/// One installation: a directory with `sources.d` (empty) and, once something ran, `data.sqlite`.
/// Removed at the end, or kept to be looked at where the test fails.
#[derive(Debug)]
pub struct Hermes {
    dir: PathBuf,
    env: Vec<(String, String)>,
}

/// What a command gave back.
#[derive(Debug)]
pub struct Output {
    /// `None` where a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Hermes {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("hermes-{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // An earlier run with the same pid may have left one behind.
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(dir.join("sources.d")).unwrap();
        Hermes { dir, env: Vec::new() }
    }

    /// A variable for every command from here on; again with the same name replaces it.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.retain(|(known, _)| known != name);
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn db_path(&self) -> PathBuf {
        self.dir.join("data.sqlite")
    }

    pub fn sources(&self) -> PathBuf {
        self.dir.join("sources.d")
    }

    /// Writes in place, as `cp` and `echo >` do.
    pub fn write_source(&self, file: &str, yaml: &str) -> PathBuf {
        let path = self.sources().join(file);
        fs::write(&path, yaml).unwrap();
        path
    }

    /// Writes beside it and renames over it, as editors do.
    pub fn save_by_rename(&self, file: &str, yaml: &str) -> PathBuf {
        let (path, beside) = (self.sources().join(file), self.sources().join(format!(".{file}.new")));
        fs::write(&beside, yaml).unwrap();
        fs::rename(&beside, &path).unwrap();
        path
    }

    pub fn remove_source(&self, file: &str) {
        fs::remove_file(self.sources().join(file)).unwrap();
    }

    /// `hermes --db … --sources … ARGS`, to its end.
    #[track_caller]
    pub fn command(&self, args: &[&str]) -> Output {
        self.finish(self.prepared(&[]).args(args))
    }

    /// `hermes ARGS`, without the options that say where everything is.
    #[track_caller]
    pub fn plain(&self, args: &[&str]) -> Output {
        self.finish(self.bare().args(args))
    }

    /// The same as `command`, with a file as its standard input.
    #[track_caller]
    pub fn fed(&self, input: &Path, args: &[&str]) -> Output {
        self.finish(self.prepared(&[]).args(args).stdin(fs::File::open(input).unwrap()))
    }

    /// Runs what is due and ends.
    #[track_caller]
    pub fn once(&self) -> Output {
        self.finish(&mut self.prepared(&["--no-listen", "--once"]))
    }

    /// The daemon, without its page unless `extra` has `--listen`.
    pub fn start(&self, extra: &[&str]) -> Daemon {
        let page: &[&str] = if extra.contains(&"--listen") { &[] } else { &["--no-listen"] };
        Daemon::spawn(self.prepared(page).args(extra))
    }

    /// On a terminal of this size.
    pub fn in_terminal(&self, (columns, rows): (u16, u16), args: &[&str]) -> Terminal {
        Terminal::spawn(self.prepared(&[]).args(args), columns, rows)
    }

    /// As a user who owns nothing here. Tests that run as root, as they do in a container, give up its
    /// rights; any other user has to be refused by the modes of the files. `None` where a folder
    /// above keeps all other users out.
    #[track_caller]
    pub fn as_nobody(&self, args: &[&str]) -> Option<Output> {
        let mut command = self.prepared(&[]);
        if fs::metadata("/proc/self").unwrap().uid() == 0 {
            let is_open = |path: &Path| path.metadata().is_ok_and(|of| of.mode() & 0o1 != 0);
            if !Path::new(env!("CARGO_BIN_EXE_hermes")).ancestors().all(is_open) {
                eprintln!("not tried: other users cannot reach the binary");
                return None;
            }
            command.uid(65_534);
        }
        Some(self.finish(command.args(args)))
    }

    /// Read-only; panics where the file is not there yet.
    #[track_caller]
    pub fn db(&self) -> Connection {
        database::open_to_read(&self.db_path()).expect("the database is there")
    }

    /// The first column of the first row.
    #[track_caller]
    pub fn query<T: FromSql>(&self, sql: &str) -> T {
        self.try_query(sql).unwrap_or_else(|| panic!("no row, or null: {sql}"))
    }

    /// The same; `None` for no row, null, no table yet, no database yet.
    #[track_caller]
    pub fn try_query<T: FromSql>(&self, sql: &str) -> Option<T> {
        database::first(&self.db_path(), sql)
    }

    /// Rows of a table; 0 while it is not there.
    #[track_caller]
    pub fn count(&self, table: &str) -> i64 {
        self.try_query(&format!("SELECT count(*) FROM {table}")).unwrap_or(0)
    }

    /// Every row; none while the table is not there.
    #[track_caller]
    pub fn rows(&self, sql: &str) -> Vec<Vec<Value>> {
        database::rows(&self.db_path(), sql)
    }

    /// Changes the database as a user with a SQLite client would: to age a timestamp, or to configure.
    #[track_caller]
    pub fn exec(&self, sql: &str) {
        let db = database::open_to_write(&self.db_path());
        db.execute_batch(sql).unwrap_or_else(|why| panic!("{sql}: {why}"));
    }

    /// Writes the whole WAL back, as any client may; false where a reader is in the way.
    #[track_caller]
    pub fn checkpoint(&self) -> bool {
        let db = database::open_to_write(&self.db_path());
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0)).unwrap() == 0
    }

    fn prepared(&self, args: &[&str]) -> Command {
        let mut command = self.bare();
        command.arg("--db").arg(self.db_path()).arg("--sources").arg(self.sources()).args(args);
        command
    }

    fn bare(&self) -> Command {
        let mut command = program_command();
        command.current_dir(&self.dir).env_clear().env("HOME", &self.dir);
        command.envs(env::var_os("PATH").map(|path| ("PATH", path)));
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    #[track_caller]
    fn finish(&self, command: &mut Command) -> Output {
        let mut child = command.spawn().expect("the binary starts");
        let (stdout, stderr) = (Collected::from(child.stdout.take()), Collected::from(child.stderr.take()));
        let status = wait::poll(COMMAND_DEADLINE, || child.try_wait().unwrap());
        if status.is_none() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let output =
            Output { code: status.and_then(|s| s.code()), stdout: stdout.whole(), stderr: stderr.whole() };
        assert!(status.is_some(), "not done after {COMMAND_DEADLINE:?}: {command:?}\n{output}");
        output
    }
}

impl Drop for Hermes {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("kept to be looked at: {}", self.dir.display());
        } else {
            let _ = fs::remove_dir_all(&self.dir);
        }
    }
}

impl Output {
    /// Insists on exit code 0, and gives what was printed.
    #[track_caller]
    pub fn done(&self) -> &str {
        assert_eq!(self.code, Some(0), "{self}");
        &self.stdout
    }

    /// Insists on exit code 0 and on JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(self.done()).unwrap_or_else(|why| panic!("not JSON: {why}\n{self}"))
    }
}

impl std::fmt::Display for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit code {:?}\n--- stdout\n{}\n--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}
