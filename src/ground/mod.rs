//! What all stand on: the state of a node, settings, errors, the store, the web, mail, jobs, the audit log.

pub mod audit;
pub mod checks;
pub mod clock;
pub mod config;
pub mod drawing;
pub mod error;
pub mod jobs;
pub mod mail;
pub mod memory;
pub mod names;
pub mod night;
pub mod paging;
pub mod periodic;
pub mod problems;
pub mod remembered;
pub mod state;
pub mod store;
pub mod tidy;
pub mod time;
pub mod traces;
pub mod versions;
pub mod web;

#[cfg(test)]
mod remembered_tests;
#[cfg(test)]
mod state_tests;
