//! The console as a browser meets it, on both stores.

mod browser;
mod entry;

pub(super) use browser::Browser;
