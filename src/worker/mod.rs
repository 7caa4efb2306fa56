//! Runs jobs: what is asked of the web, and what becomes of the answer. Knows
//! nothing of who dispatched a job.

pub mod auth;
mod base64;
pub mod cut;
pub mod http;
mod mask;
pub mod secrets;
#[cfg(test)]
mod testing;
pub mod tokens;
