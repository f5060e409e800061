//! The console as a browser meets it, on both stores.

mod browser;
mod entry;
mod guards;
mod work;

pub(super) use browser::Browser;
