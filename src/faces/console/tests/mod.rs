//! The console as a browser sees it, on both stores.

mod browser;
mod catalogue;
mod developer;
mod embed;
mod entry;
mod file;
mod gone;
mod guards;
mod library;
mod mail;
mod making;
mod members;
mod problems;
mod record;
mod removal;
mod single_sign_on;
mod told;
mod usage;
mod ways_in;
mod work;
mod workspaces;

pub(super) use browser::Browser;
