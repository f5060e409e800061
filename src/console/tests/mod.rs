//! The console as a browser meets it, on both stores.

mod browser;
mod entry;
mod file;
mod guards;
mod mail;
mod making;
mod single_sign_on;
mod work;

pub(super) use browser::Browser;
