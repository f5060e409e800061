//! What members of an organization do in the console, where it touches more than one concept.

pub mod application_filters;
pub mod applications;
pub mod catalog;
pub mod catalog_uses;
pub mod chart_columns;
pub mod chart_copies;
pub mod charts;
pub mod connections;
pub mod model_changes;
pub mod model_uses;
pub mod number_trial;
pub mod other_names;
pub mod people;
pub mod signing_keys;
pub mod table_renaming;
pub mod table_trial;
pub mod workspaces;

#[cfg(test)]
mod other_names_tests;
#[cfg(test)]
mod table_trial_tests;
