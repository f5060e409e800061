//! The place that a source's URL names.

use super::{RefusedAddress, driver};
use crate::{
    dialect::dialect,
    source::{Source, SourceKind},
    sources::HttpAddress,
};
use sqlx_postgres::PgConnectOptions;
use sqlx_sqlite::SqliteConnectOptions;
use std::{path::PathBuf, str::FromStr};

/// The place that a source's URL names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SourceLocation {
    /// A file.
    File(PathBuf),
    /// A file, or a folder of files.
    Data(PathBuf),
    /// A socket of this machine, by its folder.
    Socket(PathBuf),
    /// A server.
    Server(Server),
}

/// A server and one of its databases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Server {
    /// The host name or address: lower case, without brackets or a trailing dot.
    pub host: String,
    pub port: u16,
    pub database: Option<String>,
}

impl Server {
    pub(crate) fn new(host: &str, port: u16, database: Option<&str>) -> Self {
        let host = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.').to_ascii_lowercase();
        Self { host, port, database: database.map(str::to_owned) }
    }
}

impl SourceLocation {
    /// The place that a source's driver would connect to.
    ///
    /// # Errors
    /// Its URL is not valid, or contains something that is not allowed.
    pub(crate) fn of(source: &Source) -> Result<Self, RefusedAddress> {
        dialect(source.kind).place(&source.url)
    }

    /// Of a URL for SQLite's driver.
    pub(crate) fn of_sqlite(url: &str) -> Result<Self, RefusedAddress> {
        let options = SqliteConnectOptions::from_str(url).map_err(|_| driver::unreadable())?;
        Ok(Self::File(options.get_filename().to_owned()))
    }

    /// Of a URL for PostgreSQL's driver.
    pub(crate) fn of_postgres(url: &str) -> Result<Self, RefusedAddress> {
        driver::postgres(url).map(|options| Self::of_postgres_options(&options))
    }

    /// Of a URL for MySQL's driver.
    pub(crate) fn of_mysql(url: &str) -> Result<Self, RefusedAddress> {
        let options = driver::mysql(url)?;
        let server = || Server::new(options.get_host(), options.get_port(), options.get_database());
        Ok(options.get_socket().cloned().map_or_else(|| Self::Server(server()), Self::Socket))
    }

    /// Of a URL for a source over HTTP.
    pub(crate) fn of_http(kind: SourceKind, url: &str) -> Result<Self, RefusedAddress> {
        let server = || {
            let address = HttpAddress::read(kind, url)?;
            let database = address.path.first().map(String::as_str);
            Some(Server::new(address.base.host_str()?, address.base.port_or_known_default()?, database))
        };
        server().map(Self::Server).ok_or_else(driver::unreadable)
    }

    /// The place of Inlay's own store. Its driver also reads the environment.
    pub(crate) fn of_own_store(url: &str) -> Option<Self> {
        PgConnectOptions::from_str(url).ok().map(|options| Self::of_postgres_options(&options))
    }

    /// Uses the driver's own parser, which also reads parameters such as `host` and `hostaddr`. Without a database name, the
    /// server uses the one with the user's name.
    fn of_postgres_options(options: &PgConnectOptions) -> Self {
        let socket = options.get_socket().cloned();
        let socket = socket.or_else(|| options.get_host().starts_with('/').then(|| PathBuf::from(options.get_host())));
        let database = options.get_database().unwrap_or_else(|| options.get_username());
        let server = || Server::new(options.get_host(), options.get_port(), Some(database));
        socket.map_or_else(|| Self::Server(server()), Self::Socket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::ids::ConnectionId;

    fn place(kind: SourceKind, url: &str) -> Option<SourceLocation> {
        SourceLocation::of(&Source::new(ConnectionId::generate(), "warehouse", kind, url)).ok()
    }

    fn server(host: &str, port: u16, database: &str) -> Option<SourceLocation> {
        Some(SourceLocation::Server(Server { host: host.to_owned(), port, database: Some(database.to_owned()) }))
    }

    #[test]
    fn postgres_is_where_its_driver_goes() {
        let of = |url: &str| place(SourceKind::Postgres, url);
        assert_eq!(of("postgres://u:p@DB.example.:6432/sales"), server("db.example", 6432, "sales"));
        assert_eq!(of("postgres://u:p@[::1]/sales?port=7000"), server("::1", 7000, "sales"));
        assert_eq!(of("postgres://u@db.example/sales?hostaddr=127.0.0.1"), server("127.0.0.1", 5432, "sales"));
        assert_eq!(of("redshift://u@db.example/sales"), server("db.example", 5439, "sales"));
        assert_eq!(of("cockroachdb://u@db.example/sales"), server("db.example", 26257, "sales"));
        assert_eq!(of("cockroachdb://u@db.example:5432/sales"), server("db.example", 5432, "sales"));
        assert_eq!(of("postgres://u@db.example/sales?host=10.0.0.1&dbname=other"), server("10.0.0.1", 5432, "other"));
        assert_eq!(
            of("postgres://u@db.example/sales?host=/run/postgresql"),
            Some(SourceLocation::Socket("/run/postgresql".into()))
        );
        assert_eq!(of("postgres://u@%2Frun%2Fpostgresql/sales"), Some(SourceLocation::Socket("/run/postgresql".into())));
        assert_eq!(of("postgres://inlay@db.example"), server("db.example", 5432, "inlay"));
        assert_eq!(of("nothing to read"), None);
    }

    #[test]
    fn sqlite_is_a_file_whatever_else_its_address_says() {
        let file = |url: &str| place(SourceKind::Sqlite, url);
        assert_eq!(file("sqlite:/srv/data.db?mode=rwc"), Some(SourceLocation::File("/srv/data.db".into())));
        assert_eq!(file("sqlite:///srv/a%20b.db"), Some(SourceLocation::File("/srv/a b.db".into())));
    }
}
