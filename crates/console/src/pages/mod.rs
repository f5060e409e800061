//! The pages. Each is a view model with a function that draws it.

pub mod account;
pub mod applications;
pub mod audit;
pub mod charts;
pub mod connections;
pub mod dashboards;
pub mod developer;
pub mod embed;
pub mod entry;
pub mod evaluations;
pub mod file;
pub mod members;
pub mod migration;
pub mod model;
pub mod offered;
pub mod people;
pub mod problem;
pub mod projects;
pub mod removal;
pub mod roles;
pub mod sign_on;
pub mod tables;
pub mod usage;
pub mod workspaces;
