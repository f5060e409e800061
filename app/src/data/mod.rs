//! Sorts and exports rows in the browser. Pure.

pub mod csv;
pub mod sorting;
