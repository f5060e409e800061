//! The door, opened on real databases. PostgreSQL is the server at `INLAY_TEST_POSTGRES`:
//! `scripts/with-postgres cargo test -p inlay-query`.

mod answers;
mod caching;
mod cost;
mod databases;
mod oracle;
mod postgres;
mod queries;
mod security;
mod sqlite;
