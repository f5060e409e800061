//! What joins several concepts, most often in one transaction.

pub mod canvas;
pub mod catalogues;
pub mod dashboard_assistant;
pub mod evaluation;
pub mod health;
pub mod isolation;
pub mod key_checks;
pub mod management;
pub mod model_checks;
pub mod model_query;
pub mod model_types;
pub mod project_file;
pub mod project_removal;
pub mod registration;
pub mod reporting;
pub mod save_from_chat;
pub mod secret_key;
pub mod shared_dashboards;
pub mod sign_in;
pub mod v1_migration;
pub mod verified_answers;
pub mod viewing;

#[cfg(test)]
mod races_tests;
#[cfg(test)]
mod sign_in_tests;
