//! Rows in the viewer's hands: sorting and CSV. Pure.

pub mod csv;
pub mod sorting;
