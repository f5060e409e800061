//! Tests of the engine on real databases. PostgreSQL and MariaDB are the servers at `INLAY_TEST_POSTGRES` and
//! `INLAY_TEST_MYSQL`: `scripts/with-postgres scripts/with-mariadb cargo test -p inlay-query`.

mod answers;
mod caching;
mod clickhouse;
mod corpus;
mod cost;
mod databases;
mod drill_down;
#[cfg(feature = "duckdb")]
mod duckdb;
mod fairness;
mod filtering;
mod hiding;
mod interleaving;
mod keys;
mod marks;
mod memory;
mod model;
mod mysql;
mod oracle;
mod postgres;
mod probe;
mod queries;
mod security;
mod server;
mod silence;
mod sqlite;
mod stale;
mod tpch;
mod trial;
mod trino;
mod values;
mod zones;
