//! What the binary knows of its own making: the time of its commit (a clock
//! earlier than that is not set), the commit, and the target.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=.git/HEAD");
    println!("cargo:rerun-if-changed=.git/logs/HEAD");
    println!("cargo:rerun-if-env-changed=SOURCE_DATE_EPOCH");
    let epoch = std::env::var("SOURCE_DATE_EPOCH").ok().or_else(|| git(&["log", "-1", "--format=%ct"]));
    // Without either, the day this was written.
    let epoch = epoch.filter(|epoch| epoch.parse::<i64>().is_ok()).unwrap_or("1794787200".to_owned());
    println!("cargo:rustc-env=HERMES_BUILD_EPOCH={epoch}");
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or("unknown".to_owned());
    println!("cargo:rustc-env=HERMES_COMMIT={commit}");
    let target = std::env::var("TARGET").unwrap_or("unknown".to_owned());
    println!("cargo:rustc-env=HERMES_TARGET={target}");
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
