//! What the service is about, a folder for each concept: its types, its rules and its store, which nobody else sees.

pub mod access;
pub mod applications;
pub mod catalog;
pub mod charts;
pub mod chat;
pub mod connections;
pub mod customers;
pub mod dashboards;
pub mod identity_providers;
pub mod isolation;
pub mod key_checks;
pub mod language_models;
pub mod organizations;
pub mod projects;
pub mod reports;
pub mod roles;
pub mod saved_views;
pub mod single_sign_on;
pub mod tenants;
pub mod tokens;
pub mod usage;
pub mod verified_answers;
pub mod webhooks;
pub mod workspaces;
