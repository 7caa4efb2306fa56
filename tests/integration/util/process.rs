//! What Linux says about a process: memory, writes, wake-ups. Only reads `/proc`.

use std::fs;

/// The largest resident memory that the process has had so far, in KiB.
pub fn rss_peak_kb(pid: u32) -> u64 {
    field(&read(&format!("/proc/{pid}/status")), "VmHWM:")
}

/// What the process has caused to be written to disk so far, in bytes. Zero on tmpfs.
pub fn write_bytes(pid: u32) -> u64 {
    field(&read(&format!("/proc/{pid}/io")), "write_bytes:")
}

/// How often the threads that the process has now were switched away from, of their own will or not:
/// the measure of "never spins".
pub fn context_switches(pid: u32) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).expect("the process is running");
    tasks
        .filter_map(|task| fs::read_to_string(task.ok()?.path().join("status")).ok())
        .map(|status| {
            field(&status, "voluntary_ctxt_switches:") + field(&status, "nonvoluntary_ctxt_switches:")
        })
        .sum()
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|why| panic!("{path}: {why}"))
}

fn field(text: &str, name: &str) -> u64 {
    let rest = text.lines().find_map(|line| line.strip_prefix(name));
    let number = rest.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    number.unwrap_or_else(|| panic!("no {name} in:\n{text}"))
}
