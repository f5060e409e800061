//! What all stand on: the state of a node, settings, errors, the store, the web, mail, jobs, the audit log.

pub mod audit;
pub mod checks;
pub mod config;
pub mod error;
pub mod jobs;
pub mod mail;
pub mod names;
pub mod periodic;
pub mod state;
pub mod store;
pub mod time;
pub mod web;

#[cfg(test)]
mod state_tests;
