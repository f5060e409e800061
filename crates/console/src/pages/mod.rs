//! The pages. Each is a view model with a function that draws it.

pub mod account;
pub mod connections;
pub mod developer;
pub mod entry;
pub mod members;
pub mod people;
pub mod projects;
pub mod roles;
pub mod tables;
