//! The dashboard's filters: their state, their query string, their controls.

pub mod bar;
pub mod choices;
pub mod date_range;
pub mod period;
pub mod query;
pub mod select;
mod selection;
pub mod state;
pub mod typed;
pub mod views;
pub mod words;
