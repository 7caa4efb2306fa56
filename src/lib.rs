//! Hermes fetches HTTP APIs on schedule and keeps their rows in SQLite.
pub mod clock;
pub mod definition;
pub mod dispatch;
pub mod error;
pub mod lock;
pub mod receiver;
pub mod ring;
pub mod scheduler;
pub mod store;
pub mod viewer;
pub mod worker;
