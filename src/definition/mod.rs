//! What a source, client, provider, deployment and handler are: plain data, valid by
//! construction. Nothing here reads a clock, the store or the network.
//!
//! Text becomes a [`Document`] in [`document::read`]: as written
//! ([`written`]), then checked ([`check`]), every problem with its place
//! ([`problem`]).

pub mod check;
pub mod client;
pub mod cron;
pub mod document;
pub mod due;
pub mod execution;
pub mod job_key;
pub mod mapping;
pub mod name;
pub mod nearest;
pub mod pagination;
pub mod path;
mod place;
pub mod problem;
pub mod provider;
pub mod schedule;
pub mod source;
pub mod template;
pub mod units;
pub mod window;
pub mod written;
mod yaml;

pub use client::{Client, Clients};
pub use document::Document;
pub use execution::{Execution, RetryState};
pub use mapping::{Field, FieldType, Origin, Response};
pub use nearest::nearest;
pub use pagination::{Pagination, Paging};
pub use path::Path;
pub use problem::Problem;
pub use provider::Provider;
pub use schedule::Schedule;
pub use source::{Deployment, Handler, Source, Status};
pub use template::Template;
