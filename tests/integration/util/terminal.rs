//! Hermes on a pseudo-terminal of a given size: what it wrote, and what a person sees of that. Knows
//! the few control sequences that Hermes writes, and refuses any other.

use super::daemon::Collected;
use super::wait;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::Duration;

/// Killed when dropped. It is not the controlling terminal: Ctrl-C is sent as the signal that it is.
#[derive(Debug)]
pub struct Terminal {
    child: Mutex<Child>,
    written: Collected,
    master: File,
    columns: usize,
    rows: usize,
}

impl Terminal {
    /// Standard output and standard error are the terminal.
    pub fn spawn(command: &mut Command, columns: u16, rows: u16) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let name = ptsname(&master, Vec::new()).unwrap();
        let path = std::ffi::OsStr::from_bytes(name.as_bytes());
        // The child leads no session, so that this cannot become its controlling terminal.
        let slave = OpenOptions::new().read(true).write(true).open(path).unwrap();
        tcsetwinsize(&slave, size).unwrap();
        command.stdout(Stdio::from(slave.try_clone().unwrap())).stderr(Stdio::from(slave));
        let child = command.spawn().expect("the binary starts");
        // The last copies of the slave: what is read ends with the program.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let master = File::from(master);
        let written = Collected::from(Some(master.try_clone().unwrap()));
        let child = Mutex::new(child);
        Terminal { child, written, master, columns: columns.into(), rows: rows.into() }
    }

    /// All that was written so far, control sequences and all.
    pub fn written(&self) -> String {
        self.written.so_far()
    }

    /// The lines that are on the screen now, without the blanks at their ends and empty ones below.
    pub fn screen(&self) -> Vec<String> {
        let mut screen = Screen::new(self.columns, self.rows);
        screen.write(&self.written());
        screen.lines()
    }

    #[track_caller]
    pub fn until(&self, what: &str, mut holds: impl FnMut(&[String]) -> bool) {
        let found = wait::poll(wait::DEADLINE, || holds(&self.screen()).then_some(()));
        assert!(found.is_some(), "waited in vain for: {what}\n{:#?}\n{:?}", self.screen(), self.written());
    }

    /// By its name without SIG: `INT` is Ctrl-C.
    #[track_caller]
    pub fn signal(&self, name: &str) {
        let mut child = self.child.lock().unwrap();
        assert!(child.try_wait().unwrap().is_none(), "it has ended: {:#?}", self.screen());
        let kill = Command::new("sh").arg("-c").arg(format!("kill -s {name} {}", child.id())).status();
        assert!(kill.expect("a shell").success(), "kill -s {name}");
    }

    #[track_caller]
    pub fn wait_exit(&self, deadline: Duration) -> ExitStatus {
        let status = wait::poll(deadline, || self.child.lock().unwrap().try_wait().unwrap());
        self.written.finish();
        status.unwrap_or_else(|| panic!("still running after {deadline:?}\n{:#?}", self.screen()))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// What a terminal makes of what is written to it.
struct Screen {
    cells: Vec<Vec<char>>,
    /// The other one of the main and the alternate screen.
    hidden: Vec<Vec<char>>,
    at: (usize, usize),
    columns: usize,
}

impl Screen {
    fn new(columns: usize, rows: usize) -> Screen {
        let blank = vec![vec![' '; columns]; rows];
        Screen { cells: blank.clone(), hidden: blank, at: (0, 0), columns }
    }

    fn write(&mut self, text: &str) {
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            if let Some(sequence) = rest.strip_prefix("\x1b[") {
                let Some(length) = sequence.find(|c: char| c.is_ascii_alphabetic()) else { return };
                self.obey(&sequence[..=length]);
                rest = &sequence[length + 1..];
                continue;
            }
            match letter {
                '\r' => self.at.1 = 0,
                '\n' => self.line_feed(),
                letter => self.put(letter),
            }
            rest = &rest[letter.len_utf8()..];
        }
    }

    fn obey(&mut self, sequence: &str) {
        let (row, column) = self.at;
        match sequence {
            "H" => self.at = (0, 0),
            "K" => self.cells[row][column.min(self.columns - 1)..].fill(' '),
            "J" => {
                self.obey("K");
                self.cells[row + 1..].iter_mut().for_each(|row| row.fill(' '));
            }
            "?1049h" | "?1049l" => std::mem::swap(&mut self.cells, &mut self.hidden),
            "?25h" | "?25l" => {}
            color if color.ends_with('m') => {}
            other => panic!("an unexpected control sequence: {other}"),
        }
    }

    fn put(&mut self, letter: char) {
        assert!(!letter.is_control(), "a control character: {letter:?}");
        if self.at.1 == self.columns {
            self.at.1 = 0;
            self.line_feed();
        }
        self.cells[self.at.0][self.at.1] = letter;
        self.at.1 += 1;
    }

    fn line_feed(&mut self) {
        if self.at.0 + 1 < self.cells.len() {
            self.at.0 += 1;
        } else {
            self.cells.remove(0);
            self.cells.push(vec![' '; self.columns]);
        }
    }

    fn lines(&self) -> Vec<String> {
        let lines = self.cells.iter().map(|row| row.iter().collect::<String>().trim_end().to_owned());
        let mut lines: Vec<String> = lines.collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }
}
