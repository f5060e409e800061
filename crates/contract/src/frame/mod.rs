//! What every embedded page has in common, whatever stands in it.

pub mod message;
