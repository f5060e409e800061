//! The console as a browser sees it, on both stores.

mod answers;
mod audit;
mod authentication;
mod browser;
mod catalogue;
mod connections;
mod developer;
mod embed;
mod file;
mod gone;
mod guards;
mod health;
mod isolation;
mod key_check;
mod library;
mod mail;
mod making;
mod members;
mod model_forms;
mod people;
mod problems;
mod provider_lookup;
mod removal;
mod roles;
mod semantic_model;
mod single_sign_on;
mod usage;
mod webhook_events;
mod work;
mod workspaces;

pub(super) use browser::Browser;
pub(in crate::faces) use guards::open_every_page;
