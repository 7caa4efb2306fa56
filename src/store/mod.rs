//! Rows in and out.
pub mod value;
