//! What the tests are written with. Nothing here asserts on Hermes' behaviour.

mod daemon;
mod database;
mod gate;
mod hermes;
mod process;
mod program;
mod reply;
mod request;
mod send;
mod setup;
mod site;
mod terminal;
mod tls_site;
mod wait;

pub use daemon::Daemon;
pub use gate::Gate;
pub use hermes::{Hermes, Output};
pub use process::{context_switches, rss_peak_kb, write_bytes};
pub use program::{is_emulated, program, program_command};
pub use reply::Reply;
pub use request::Asked;
pub use setup::{hermes_with, lines, things};
pub use site::Site;
pub use terminal::Terminal;
pub use tls_site::TlsSite;
pub use wait::{until, until_some, until_within};
