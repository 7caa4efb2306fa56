//! What the binary knows of its own making: the time of its commit (a clock
//! earlier than that is not set), the commit, the target; and what keeps it small:
//! both schemas packed, its relocations and the order of its code where the linker can.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Of the 180 KB that say which pointers move with the program, this leaves 3. Linkers know it
/// since 2022, glibc since 2.36.
const PACKED: &str = "-Wl,-z,pack-relative-relocs";

/// What a daemon runs stands together, and the rest need not be in memory.
const ORDER: &str = "packaging/link-order.ld";

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
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    for (path, packed) in
        [("schema.sql", "schema.sql.gz"), ("src/definition/written/schema.json", "schema.json.gz")]
    {
        pack(path, &folder.join(packed)).expect(path);
    }
    println!("cargo:rerun-if-changed={ORDER}");
    println!("cargo:rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    let is_native = std::env::var("HOST").is_ok_and(|host| host == target);
    if is_native && target.ends_with("-gnu") && runs(PACKED, &folder.join("packed")) {
        println!("cargo:rustc-link-arg-bins={PACKED}");
    }
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release")
        && let Ok(root) = std::env::var("CARGO_MANIFEST_DIR")
        && let order = format!("-Wl,-T,{root}/{ORDER}")
        && links(&order, is_native, &folder.join("ordered"))
    {
        println!("cargo:rustc-link-arg-bins={order}");
    }
}

/// A text, for `packed::unpacked`.
fn pack(path: &str, into: &Path) -> std::io::Result<()> {
    println!("cargo:rerun-if-changed={path}");
    let mut packed = GzEncoder::new(File::create(into)?, Compression::best());
    packed.write_all(&std::fs::read(path)?)?;
    packed.finish().map(drop)
}

fn runs(flag: &str, program: &Path) -> bool {
    links(flag, true, program) && Command::new(program).output().is_ok_and(|done| done.status.success())
}

/// Links a program that does nothing that way: one of Rust, or of C for a target whose
/// library is yet to be built.
fn links(flag: &str, is_native: bool, program: &Path) -> bool {
    let linker = std::env::var_os("RUSTC_LINKER");
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let (language, text) =
        if is_native { ("rs", "fn main() {}") } else { ("c", "int main(void) { return 0; }") };
    let source = program.with_extension(language);
    let mut command = if is_native {
        let mut rustc = Command::new(std::env::var_os("RUSTC").expect("cargo sets it"));
        rustc.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
        if let Some(linker) = linker {
            rustc.arg("-C").arg([OsStr::new("linker="), &linker].into_iter().collect::<OsString>());
        }
        rustc.arg("-C").arg(format!("link-arg={flag}"));
        rustc
    } else if flags.contains("linker") || flags.contains("link-arg") {
        // Another linker than the one that would be tried.
        return false;
    } else {
        let mut compiler = Command::new(linker.unwrap_or("cc".into()));
        compiler.arg(flag);
        compiler
    };
    let is_written = std::fs::write(&source, text).is_ok();
    let linked = command.arg("-o").arg(program).arg(&source).output();
    is_written && linked.is_ok_and(|done| done.status.success())
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
