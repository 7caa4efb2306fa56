//! The program: reads its options, does one thing, says what went wrong. All
//! else is in the library.

use std::process;

use hermes::error::{Error, ExitCode, Result};

fn main() -> process::ExitCode {
    hermes::logging::start();
    let code = match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("hermes: {error}");
            error.exit_code()
        }
    };
    process::ExitCode::from(code as u8)
}

fn run() -> Result<ExitCode> {
    let is_text = |arg: std::ffi::OsString| {
        arg.into_string().map_err(|arg| Error::Input(format!("{arg:?} is no text in UTF-8: rename the file")))
    };
    let args = std::env::args_os().map(is_text).collect::<Result<Vec<String>>>()?;
    hermes::commands::main(args.into_iter())
}
