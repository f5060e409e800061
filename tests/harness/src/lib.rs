//! What the tests over the real binary share: running it, calling it over HTTP, databases for it.

mod api;
mod binary;
mod database;

pub use api::{Api, Reply, list, text, texts};
pub use binary::Binary;
pub use database::{free_port, fresh_database, write_sqlite};
