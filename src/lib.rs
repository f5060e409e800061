//! Inlay's server: embedded analytics for the customers of a host product. One folder per concept; docs/architecture.md says which may use which.

pub mod access;
pub mod alerts;
pub mod answers;
pub mod applications;
#[cfg(test)]
mod architecture_tests;
pub mod audit;
pub mod background;
pub mod catalog;
pub mod charts;
pub mod chat;
pub mod cli;
pub mod config;
pub mod connections;
pub mod console;
pub mod customers;
pub mod dashboards;
pub mod demo;
pub mod description;
pub mod embeds;
pub mod error;
pub mod identity_providers;
pub mod jobs;
pub mod mail;
pub mod migration;
pub mod models;
pub mod operations;
pub mod organizations;
pub mod project_file;
pub mod projects;
pub mod reports;
pub mod roles;
pub mod router;
pub mod server;
pub mod state;
pub mod store;
pub mod tenants;
#[cfg(test)]
mod testing;
pub mod time;
pub mod tokens;
pub mod usage;
pub mod web;
pub mod webhooks;
pub mod workspaces;
