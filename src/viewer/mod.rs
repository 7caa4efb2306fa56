//! What people and scripts see. It reads the store and changes nothing.

pub mod amount;
pub mod data;
pub mod excerpt;
pub mod export;
pub mod glance;
pub mod listing;
pub mod logs;
pub mod ready;
pub mod sources;
pub mod table;
pub mod values;
