//! Hermes.
pub mod definition;
pub mod store;
pub mod worker;
