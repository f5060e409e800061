//! The pages. Each is a view model with a function that draws it.

pub mod account;
pub mod applications;
pub mod audit;
pub mod authentication;
pub mod charts;
pub mod connections;
pub mod dashboards;
pub mod developer;
pub mod embed;
pub mod error_page;
pub mod evaluations;
pub mod file;
pub mod isolation;
pub mod members;
pub mod migration;
pub mod model;
pub mod people;
pub mod projects;
pub mod removal;
pub mod roles;
pub mod semantic_model;
pub mod single_sign_on;
pub mod table_choices;
pub mod tables;
pub mod usage;
pub mod workspaces;
