//! Making a report: planned, read, drawn, mailed.

pub mod attach;
pub mod compose;
pub mod drawing;
pub mod manage;
pub mod planning;
pub mod running;
pub mod writing;
