//! The parts that all embedded pages share.

pub mod message;
