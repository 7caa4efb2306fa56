//! The program: reads its options, does one thing, says what went wrong. All
//! else is in the library.

use std::process;

fn main() -> process::ExitCode {
    hermes::logging::start();
    let code = match hermes::commands::main(std::env::args()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("hermes: {error}");
            error.exit_code()
        }
    };
    process::ExitCode::from(code as u8)
}
