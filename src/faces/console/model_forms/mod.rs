//! The forms of the semantic model: a table's part of it, measures and metrics.

mod measure;
mod metric;
pub(super) mod number;
pub(super) mod table;
mod texts;

pub(super) use measure::{new_draft as new_measure, read_new as read_new_measure};
