//! Runs jobs.
