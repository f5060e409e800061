//! The dashboard's filters: their state, their form in the address, their controls.

pub mod period;
pub mod query;
pub mod state;
