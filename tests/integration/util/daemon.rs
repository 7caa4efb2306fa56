//! A running Hermes: its log as it comes, signals, its end. Never outlives its test.

use super::{process, wait};
use std::io::Read;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// An orderly stop is promised within 10 s; the rest is for a busy machine.
const STOP_DEADLINE: Duration = Duration::from_secs(15);

/// For a pipe to run empty after the program has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// What a pipe has delivered so far; a thread empties it, so that the program never blocks on it.
#[derive(Debug)]
pub struct Collected {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

/// Killed when dropped. All methods take `&self`, so that a wait may look at it from its closure.
#[derive(Debug)]
pub struct Daemon {
    child: Mutex<Child>,
    pid: u32,
    stdout: Collected,
    stderr: Collected,
}

impl Daemon {
    /// For [`super::Hermes::start`], and for tests of this helper with another program.
    pub fn spawn(command: &mut Command) -> Daemon {
        let mut child = command.spawn().expect("the binary starts");
        let (stdout, stderr) = (Collected::from(child.stdout.take()), Collected::from(child.stderr.take()));
        Daemon { pid: child.id(), child: Mutex::new(child), stdout, stderr }
    }

    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// What it has said so far: stderr, then stdout.
    pub fn log(&self) -> String {
        self.stderr.so_far() + &self.stdout.so_far()
    }

    /// As [`wait::until`], but shows the log on failure, and does not wait on a daemon that has ended.
    #[track_caller]
    pub fn until(&self, what: &str, mut holds: impl FnMut() -> bool) {
        self.until_some(what, || holds().then_some(()));
    }

    /// As [`wait::until_some`], in the same way.
    #[track_caller]
    pub fn until_some<T>(&self, what: &str, mut find: impl FnMut() -> Option<T>) -> T {
        let found = wait::poll(wait::DEADLINE, || {
            // Asked in this order: what it did last must still count.
            let ended = self.ended();
            find().map(Some).or(ended.is_some().then_some(None))
        });
        match found.flatten() {
            Some(found) => found,
            None => panic!("waited in vain for: {what}\n{}", self.describe()),
        }
    }

    /// Waits for a text in the log.
    #[track_caller]
    pub fn until_logged(&self, text: &str) {
        self.until(&format!("`{text}` in the log"), || self.log().contains(text));
    }

    /// Sends a signal by its name without SIG: `HUP`, `STOP`, `CONT`.
    #[track_caller]
    pub fn signal(&self, name: &str) {
        // Held until the signal is sent: an ended child that is not waited for keeps its pid.
        let mut child = self.child.lock().unwrap();
        assert!(child.try_wait().unwrap().is_none(), "{name} for a daemon that has ended\n{}", self.log());
        let kill = Command::new("sh").arg("-c").arg(format!("kill -s {name} {}", self.pid)).status();
        assert!(kill.expect("a shell").success(), "kill -s {name}");
    }

    /// An orderly stop, within the time that is promised.
    #[track_caller]
    pub fn stop(&self) -> ExitStatus {
        self.signal("TERM");
        self.wait_exit(STOP_DEADLINE)
    }

    /// No time to tidy up: as a power cut, except that the system's file cache survives.
    pub fn kill(&self) {
        let mut child = self.child.lock().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }

    /// How it ended, if it has; its log is complete then.
    pub fn ended(&self) -> Option<ExitStatus> {
        let status = self.child.lock().unwrap().try_wait().unwrap()?;
        self.stdout.finish();
        self.stderr.finish();
        Some(status)
    }

    #[track_caller]
    pub fn wait_exit(&self, deadline: Duration) -> ExitStatus {
        match wait::poll(deadline, || self.ended()) {
            Some(status) => status,
            None => panic!("still running after {deadline:?}\n{}", self.describe()),
        }
    }

    /// Peak resident memory in KiB.
    pub fn rss_peak_kb(&self) -> u64 {
        process::rss_peak_kb(self.pid)
    }

    /// Bytes written to disk.
    pub fn write_bytes(&self) -> u64 {
        process::write_bytes(self.pid)
    }

    /// Wake-ups of all its threads.
    pub fn context_switches(&self) -> u64 {
        process::context_switches(self.pid)
    }

    fn describe(&self) -> String {
        let state = self.ended().map_or("running".to_owned(), |status| format!("ended, {status}"));
        format!("--- daemon {} ({state})\n{}", self.pid, self.log())
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Collected {
    pub(super) fn from(pipe: Option<impl Read + Send + 'static>) -> Collected {
        let mut pipe = pipe.expect("the output is piped");
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let into = Arc::clone(&bytes);
        let reader = thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                into.lock().unwrap().extend_from_slice(&buffer[..count]);
            }
        });
        Collected { bytes, reader }
    }

    pub(super) fn so_far(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap()).into_owned()
    }

    /// After the end of the program, waits for what is still in the pipe: its last words matter most.
    pub(super) fn finish(&self) {
        wait::poll(LAST_WORDS, || self.reader.is_finished().then_some(()));
    }

    /// All of it, once the program has ended.
    pub(super) fn whole(self) -> String {
        let _ = self.reader.join();
        String::from_utf8_lossy(&self.bytes.lock().unwrap()).into_owned()
    }
}
