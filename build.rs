//! What the binary knows of its own making: the time of its commit (a clock
//! earlier than that is not set), the commit, the target; and what keeps it small:
//! the schema packed, and its relocations where that runs.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Of the 180 KB that say which pointers move with the program, this leaves 3. Linkers know it
/// since 2022, glibc since 2.36.
const PACKED: &str = "-Wl,-z,pack-relative-relocs";

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
    pack_schema().expect("the schema, packed");
    if std::env::var("HOST").is_ok_and(|host| host == target)
        && target.ends_with("-gnu")
        && runs_packed() == Some(true)
    {
        println!("cargo:rustc-link-arg-bins={PACKED}");
    }
}

/// For `hermes schema`.
fn pack_schema() -> std::io::Result<()> {
    const SCHEMA: &str = "src/definition/written/schema.json";
    println!("cargo:rerun-if-changed={SCHEMA}");
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut packed = GzEncoder::new(File::create(folder.join("schema.json.gz"))?, Compression::best());
    packed.write_all(&std::fs::read(SCHEMA)?)?;
    packed.finish().map(drop)
}

/// Links a program that does nothing that way, and runs it.
fn runs_packed() -> Option<bool> {
    let folder = PathBuf::from(std::env::var_os("OUT_DIR")?);
    let (source, program) = (folder.join("packed.rs"), folder.join("packed"));
    std::fs::write(&source, "fn main() {}").ok()?;
    let mut rustc = Command::new(std::env::var_os("RUSTC")?);
    if let Some(linker) = std::env::var_os("RUSTC_LINKER") {
        rustc.arg("-C").arg([OsStr::new("linker="), &linker].into_iter().collect::<OsString>());
    }
    let linked =
        rustc.arg("-C").arg(format!("link-arg={PACKED}")).arg("-o").arg(&program).arg(&source).output();
    Some(linked.ok()?.status.success() && Command::new(program).output().ok()?.status.success())
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
