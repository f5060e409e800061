//! The dashboard's filters: their state, their form in the address, their controls.

pub mod bar;
mod choices;
mod date_range;
pub mod period;
pub mod query;
mod select;
pub mod state;
mod typed;
