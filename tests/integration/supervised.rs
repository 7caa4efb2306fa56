//! Under systemd: what it is told over `NOTIFY_SOCKET`, signs of life, and lines for its journal. The
//! socket is a real one; the test listens where systemd would.

use crate::scene::source;
use crate::util::{Daemon, Hermes, Reply, Site, program_command, until};
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

/// What stands in for systemd.
struct Manager {
    socket: UnixDatagram,
    heard: Mutex<Vec<String>>,
    /// Beside the installation's folder: the path of a socket may have 107 bytes.
    path: PathBuf,
}

impl Manager {
    fn new(hermes: &Hermes) -> Manager {
        let name = hermes.dir().file_name().unwrap();
        let path = std::env::temp_dir().join(name).with_extension("notify");
        let _ = std::fs::remove_file(&path);
        let socket = UnixDatagram::bind(&path).unwrap();
        socket.set_nonblocking(true).unwrap();
        Manager { socket, heard: Mutex::default(), path }
    }

    fn path(&self) -> &str {
        self.path.to_str().unwrap()
    }

    /// All lines so far.
    fn heard(&self) -> Vec<String> {
        let (mut heard, mut buffer) = (self.heard.lock().unwrap(), [0; 4096]);
        while let Ok(count) = self.socket.recv(&mut buffer) {
            heard.extend(String::from_utf8_lossy(&buffer[..count]).lines().map(str::to_owned));
        }
        heard.clone()
    }

    fn count(&self, line: &str) -> usize {
        self.heard().iter().filter(|heard| *heard == line).count()
    }

    #[track_caller]
    fn until_told(&self, daemon: &Daemon, line: &str, times: usize) {
        daemon.until(&format!("{times} x {line}"), || self.count(line) >= times);
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// An installation with one source that has nothing to do for an hour.
fn hermes_and_manager() -> (Hermes, Site, Manager) {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::json(r#"{"data":[{"id":1,"title":"one"}]}"#));
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "hourly"));
    let manager = Manager::new(&hermes);
    let hermes = hermes.env("NOTIFY_SOCKET", manager.path());
    (hermes, site, manager)
}

#[test]
fn it_says_when_it_is_ready_reloading_and_stopping() {
    let (hermes, site, manager) = hermes_and_manager();
    let daemon = hermes.start(&[]);
    manager.until_told(&daemon, "READY=1", 1);
    daemon.until("its row", || hermes.count("a") == 1);

    hermes.write_source("b.yaml", &source("b", &site.url("/a"), "hourly"));
    daemon.signal("HUP");
    manager.until_told(&daemon, "RELOADING=1", 1);
    manager.until_told(&daemon, "READY=1", 2);
    assert_eq!(hermes.count("source_definitions"), 2, "ready again means: read");

    assert!(daemon.stop().success());
    let heard = manager.heard();
    assert_eq!(heard.last().map(String::as_str), Some("STOPPING=1"), "{heard:?}");
    assert_eq!((manager.count("WATCHDOG=1"), manager.count("READY=1")), (0, 2), "{heard:?}");
}

#[test]
fn a_watched_daemon_gives_signs_of_life_while_it_has_nothing_to_do() {
    let (hermes, _site, manager) = hermes_and_manager();
    // Its longest sleep is far longer than it may be silent.
    let hermes = hermes.env("WATCHDOG_USEC", "400000");
    let daemon = hermes.start(&["--max-sleep", "10m"]);
    daemon.until("its row", || hermes.count("a") == 1);
    let before = manager.count("WATCHDOG=1");
    manager.until_told(&daemon, "WATCHDOG=1", before + 3);
    daemon.signal("STOP");
    let mut seen = usize::MAX;
    until("silence of a daemon that hangs", || {
        std::thread::sleep(Duration::from_millis(400));
        std::mem::replace(&mut seen, manager.count("WATCHDOG=1")) == manager.count("WATCHDOG=1")
    });
    daemon.signal("CONT");
    manager.until_told(&daemon, "WATCHDOG=1", seen + 1);
}

#[test]
fn a_watchdog_of_another_process_is_none_of_its_business() {
    let (hermes, _site, manager) = hermes_and_manager();
    let hermes = hermes.env("WATCHDOG_USEC", "1000").env("WATCHDOG_PID", "1");
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("its row", || hermes.count("a") == 1);
    daemon.stop();
    assert_eq!(manager.count("WATCHDOG=1"), 0);
}

#[test]
fn a_standby_is_up_while_it_waits_and_watched_when_it_takes_over() {
    let (hermes, _site, manager) = hermes_and_manager();
    let first = hermes.start(&[]);
    manager.until_told(&first, "READY=1", 1);
    first.until("its row", || hermes.count("a") == 1);

    let other = Manager::new(&Hermes::new());
    let hermes = hermes.env("NOTIFY_SOCKET", other.path()).env("WATCHDOG_USEC", "60000000");
    let second = hermes.start(&["--standby"]);
    other.until_told(&second, "WATCHDOG_USEC=0", 1);
    assert_eq!(other.count("READY=1"), 1);
    first.stop();
    other.until_told(&second, "WATCHDOG_USEC=60000000", 1);
    other.until_told(&second, "STATUS=running", 1);
}

#[test]
fn a_socket_where_nobody_listens_stops_nothing() {
    let (hermes, _site, manager) = hermes_and_manager();
    drop(manager);
    let daemon = hermes.start(&[]);
    daemon.until_logged("the service manager cannot be told");
    daemon.until("its row", || hermes.count("a") == 1);
    assert!(daemon.stop().success());
}

#[test]
fn lines_for_the_journal_have_no_time_of_their_own() {
    let (hermes, _site, _manager) = hermes_and_manager();
    let log = hermes.dir().join("journal");
    let file = File::create(&log).unwrap();
    let about = file.metadata().unwrap();
    for (why, stream, has_time) in [
        ("this very stream", format!("{}:{}", about.dev(), about.ino()), false),
        ("inherited from elsewhere", format!("{}:{}", about.dev(), about.ino() + 1), true),
        ("nonsense", "journal".to_owned(), true),
    ] {
        file.set_len(0).unwrap();
        let mut child = program_command()
            .args(["--no-listen", "--once"])
            .current_dir(hermes.dir())
            .env("JOURNAL_STREAM", stream)
            .env_remove("NOTIFY_SOCKET")
            .env_remove("RUST_LOG")
            .stderr(File::options().append(true).open(&log).unwrap())
            .spawn()
            .unwrap();
        until("its end", || child.try_wait().unwrap().is_some());
        let text = std::fs::read_to_string(&log).unwrap();
        assert!(text.contains("INFO watching sources.d"), "{why}: {text}");
        assert_eq!(!text.starts_with("INFO "), has_time, "{why}: {text}");
    }
}
