//! Hermes fetches HTTP APIs on schedule, page by page, and keeps the rows in a
//! SQLite file.
//!
//! Data flows down the page:
//!
//! ```text
//!  sources.d/*.yaml · hermes add                     (what to fetch)
//!         │ read, check
//!         ▼
//!     receiver ──► store: source_definitions, clients, deployments, handlers, providers
//!                      │ what is due?
//!                      ▼
//!                  scheduler ──► dispatch ──► ring ──► worker ──► the web
//!                                                        │ rows, outcome
//!                                                        ▼
//!                                store: data tables · fetchlogs · retries
//!                                                        │ read only
//!                                                        ▼
//!                                                      viewer
//! ```
//!
//! The one way back up is the outcome of a run: the worker commits it, and the
//! scheduler is told. Imports point one way; a module uses only what stands
//! above it here:
//!
//! 1. [`clock`], [`error`], [`lock`], [`order`], [`packed`], [`ring`], [`supervisor`]: know nothing of Hermes
//! 2. [`definition`]: what a source, client, deployment, handler, provider is; the rules
//! 3. [`store`]: rows in and out
//! 4. [`receiver`], [`scheduler`], [`dispatch`], [`worker`], [`viewer`]: they
//!    meet in `dispatch` and in the store, never in each other
//! 5. [`init`]: from an answer to a document, with what the worker asks and reads by
//! 6. [`daemon`], [`commands`], [`logging`]: tie it together
//!
//! `tests/integration/layers.rs` holds this in place. What is deliberately
//! absent: a cache of secrets, a queue that grows, a clock inside a rule, a
//! row read to find out that nothing has changed.

pub mod clock;
pub mod commands;
pub mod daemon;
pub mod definition;
pub mod dispatch;
pub mod error;
pub mod init;
pub mod lock;
pub mod logging;
pub mod order;
pub mod packed;
pub mod receiver;
pub mod ring;
pub mod scheduler;
pub mod store;
pub mod supervisor;
pub mod viewer;
pub mod worker;
