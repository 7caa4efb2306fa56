//! Runs jobs: what is asked of the web, and what becomes of the answer. Knows
//! nothing of who dispatched a job.

pub mod auth;
mod base64;
pub mod convert;
pub mod cut;
pub mod extract;
mod gates;
pub mod http;
mod job;
pub mod link;
mod mask;
mod moments;
pub mod paginate;
pub mod pool;
pub mod quote;
pub mod record_key;
mod request;
mod resume;
mod run;
pub mod secrets;
#[cfg(test)]
mod testing;
pub mod tokens;
mod trace;
mod trial;
mod vitals;

use std::sync::Arc;

use self::cut::Cut;
use self::http::Client;
pub use self::pool::{Pool, Shared};
use self::run::Held;
pub use self::trace::Asked;
use self::trace::Trace;
pub use self::trial::{Trial, try_job};
use crate::store::Store;

/// One thread's own: its connection to the database, its connections to the
/// web, its buffer for an answer.
#[derive(Debug)]
struct Worker {
    store: Store,
    shared: Arc<Shared>,
    client: Client,
    cut: Arc<Cut>,
    body: Vec<u8>,
    /// Rows that wait to be stored with others.
    held: Held,
    /// Where a person looks on.
    trace: Option<Trace>,
}

impl Worker {
    fn new(store: Store, shared: Arc<Shared>) -> Worker {
        let cut = Arc::new(Cut::default());
        let client = Client::new(Arc::clone(&cut));
        Worker { store, shared, client, cut, body: Vec::new(), held: Held::default(), trace: None }
    }
}
