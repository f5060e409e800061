//! The parts of a source's URL, for forms that have a field for each.

mod parameters;

use super::dialect;
use crate::{
    address::{SourceLocation, driver},
    source::SourceKind,
    sources::{HttpAddress, named_port},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::{borrow::Cow, fmt, net::Ipv6Addr};
use url::Url;

/// Encoded in names and passwords.
const TEXT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
/// Encoded in paths of files.
const PATH: &AsciiSet = &TEXT.remove(b'/');

/// The parts of a source's URL. Each kind of database has some of them. `Debug` omits the password.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct AddressParts {
    /// The host: a name or an address, without brackets. For PostgreSQL also the folder of a socket.
    pub host: String,
    /// The port. Empty for the kind's default.
    pub port: String,
    /// The database.
    pub database: String,
    /// The user.
    pub user: String,
    /// The password.
    pub password: String,
    /// Whether an unencrypted connection is refused.
    pub encrypted: bool,
    /// The path of a file.
    pub path: String,
    /// Trino's catalog.
    pub catalog: String,
    /// Trino's schema.
    pub schema: String,
    /// The remaining parameters, as in a URL's query.
    pub parameters: String,
}

/// An invalid part: the name of its field in [`AddressParts`], and the problem.
pub type PartProblem = (&'static str, String);

impl fmt::Debug for AddressParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddressParts")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("database", &self.database)
            .field("user", &self.user)
            .field("encrypted", &self.encrypted)
            .field("path", &self.path)
            .field("catalog", &self.catalog)
            .field("schema", &self.schema)
            .field("parameters", &self.parameters)
            .finish_non_exhaustive()
    }
}

fn decoded(text: &str) -> Option<String> {
    percent_decode_str(text).decode_utf8().ok().map(Cow::into_owned)
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, TEXT).to_string()
}

fn without_brackets(host: &str) -> String {
    host.trim_start_matches('[').trim_end_matches(']').to_owned()
}

impl AddressParts {
    /// Splits a URL as its driver reads it. `None` if the driver would refuse it.
    #[must_use]
    pub fn of(kind: SourceKind, url: &str) -> Option<Self> {
        match kind {
            SourceKind::Sqlite => Self::of_sqlite(url),
            SourceKind::Duckdb => Some(Self { path: url.strip_prefix("duckdb:")?.to_owned(), ..Self::default() }),
            SourceKind::Postgres => Self::of_postgres(url),
            SourceKind::Mysql => Self::of_mysql(url),
            SourceKind::Clickhouse | SourceKind::Trino => Self::of_http(kind, url),
        }
    }

    fn of_sqlite(url: &str) -> Option<Self> {
        let SourceLocation::File(path) = SourceLocation::of_sqlite(url).ok()? else { return None };
        let parameters = url.split_once('?').map_or("", |(_, query)| query).to_owned();
        Some(Self { path: path.to_str()?.to_owned(), parameters, ..Self::default() })
    }

    /// Reads the same parameters as the driver: some of them name a part, and win over it.
    fn of_postgres(address: &str) -> Option<Self> {
        let options = driver::postgres(address).ok()?;
        let url = Url::parse(address).ok()?;
        let mut parts = Self::of_url(&url)?;
        parts.host = match options.get_socket() {
            Some(folder) => folder.to_str()?.to_owned(),
            None => without_brackets(options.get_host()),
        };
        for (name, value) in url.query_pairs() {
            match &*name {
                "port" => parts.port = value.into_owned(),
                "dbname" => parts.database = value.into_owned(),
                "user" => parts.user = value.into_owned(),
                "password" => parts.password = value.into_owned(),
                _ => {}
            }
        }
        parts.take_parameters(SourceKind::Postgres, &url);
        Some(parts)
    }

    fn of_mysql(address: &str) -> Option<Self> {
        let options = driver::mysql(address).ok()?;
        let url = Url::parse(address).ok()?;
        let mut parts = Self { host: without_brackets(options.get_host()), ..Self::of_url(&url)? };
        parts.take_parameters(SourceKind::Mysql, &url);
        Some(parts)
    }

    /// User, password, port and database.
    fn of_url(url: &Url) -> Option<Self> {
        Some(Self {
            port: written(url.port()),
            database: decoded(url.path().trim_start_matches('/'))?,
            user: decoded(url.username())?,
            password: decoded(url.password().unwrap_or_default())?,
            ..Self::default()
        })
    }

    fn of_http(kind: SourceKind, address: &str) -> Option<Self> {
        let HttpAddress { base, user, password, path } = HttpAddress::read(kind, address)?;
        let mut path = path.into_iter();
        let (first, second) = (path.next().unwrap_or_default(), path.next().unwrap_or_default());
        let parts = Self {
            host: without_brackets(base.host_str()?),
            port: written(named_port(&Url::parse(address).ok()?, address)),
            user,
            password: password.unwrap_or_default(),
            encrypted: base.scheme() == "https",
            ..Self::default()
        };
        Some(match kind {
            SourceKind::Trino => Self { catalog: first, schema: second, ..parts },
            _ => Self { database: first, ..parts },
        })
    }

    /// Only the parts that this kind has.
    #[must_use]
    pub fn only_of(self, kind: SourceKind) -> Self {
        let Self { host, port, database, user, password, encrypted, path, catalog, schema, parameters } = self;
        let none = Self::default();
        match kind {
            SourceKind::Sqlite => Self { path, parameters, ..none },
            SourceKind::Duckdb => Self { path, ..none },
            SourceKind::Postgres | SourceKind::Mysql => {
                Self { host, port, database, user, password, encrypted, parameters, ..none }
            }
            SourceKind::Clickhouse => Self { host, port, database, user, password, encrypted, ..none },
            SourceKind::Trino => Self { host, port, user, password, encrypted, catalog, schema, ..none },
        }
    }

    /// Joins the parts to a URL. Where several schemes name the kind, it is the one of `like`, the URL before.
    ///
    /// # Errors
    /// Each invalid part.
    pub fn join(&self, kind: SourceKind, like: Option<&str>) -> Result<String, Vec<PartProblem>> {
        let mut problems = self.problems(kind);
        let parameters = self.joined_parameters(kind).unwrap_or_else(|problem| {
            problems.push(("parameters", problem));
            String::new()
        });
        if !problems.is_empty() {
            return Err(problems);
        }
        let query = if parameters.is_empty() { String::new() } else { format!("?{parameters}") };
        let url = match kind {
            SourceKind::Duckdb => format!("duckdb:{}", self.path),
            // Two slashes would begin a host's name.
            SourceKind::Sqlite => {
                format!("sqlite:/{}{query}", utf8_percent_encode(self.path.trim_start_matches('/'), PATH))
            }
            _ => format!("{}{query}", self.server(kind, like)),
        };
        // Only the parameters are still unchecked. Without any, the driver cannot read the host.
        let unchecked = if self.parameters.is_empty() { "host" } else { "parameters" };
        dialect(kind).place(&url).map_err(|refused| vec![(unchecked, refused.to_string())])?;
        Ok(url)
    }

    fn server(&self, kind: SourceKind, like: Option<&str>) -> String {
        let like = like.and_then(|url| url.split_once("://")).map(|(scheme, _)| scheme);
        let scheme = like.filter(|_| dialect(kind).http().is_none()).unwrap_or_else(|| kind.name());
        let host = match without_brackets(&self.host).parse::<Ipv6Addr>() {
            Ok(address) => format!("[{address}]"),
            Err(_) if self.host.starts_with('/') => encoded(&self.host),
            Err(_) => self.host.clone(),
        };
        let password = if self.password.is_empty() { String::new() } else { format!(":{}", encoded(&self.password)) };
        let person = match format!("{}{password}", encoded(&self.user)) {
            none if none.is_empty() => none,
            person => format!("{person}@"),
        };
        let port = if self.port.is_empty() { String::new() } else { format!(":{}", self.port) };
        let path = match kind {
            SourceKind::Trino if self.schema.is_empty() => encoded(&self.catalog),
            SourceKind::Trino => format!("{}/{}", encoded(&self.catalog), encoded(&self.schema)),
            _ => encoded(&self.database),
        };
        format!("{scheme}://{person}{host}{port}/{path}")
    }

    /// The problems of all parts but the parameters.
    fn problems(&self, kind: SourceKind) -> Vec<PartProblem> {
        let mut problems = Vec::new();
        let mut note = |part: &'static str, problem: Option<&str>| {
            problems.extend(problem.map(|problem| (part, problem.to_owned())));
        };
        if matches!(kind, SourceKind::Sqlite | SourceKind::Duckdb) {
            note(
                "path",
                if self.path.is_empty() {
                    Some("is required")
                } else {
                    (!self.path.starts_with('/')).then_some("must begin with /")
                },
            );
            return problems;
        }
        note("host", self.host_problem(kind));
        let is_port = self.port.is_empty() || self.port.parse::<u16>().is_ok_and(|port| port > 0);
        note("port", (!is_port).then_some("must be a number from 1 to 65535"));
        let has_user = matches!(kind, SourceKind::Clickhouse | SourceKind::Trino) || !self.user.is_empty();
        note("user", (!has_user).then_some("is required"));
        // A URL would resolve these as folders.
        let is_dots = |name: &str| matches!(name, "." | "..");
        for (part, name) in [("database", &self.database), ("catalog", &self.catalog), ("schema", &self.schema)] {
            note(part, is_dots(name).then_some("cannot be . or .."));
        }
        note("catalog", (self.catalog.is_empty() && !self.schema.is_empty()).then_some("is required with a schema"));
        let is_bare = kind == SourceKind::Trino && !self.password.is_empty() && !self.encrypted;
        note("encrypted", is_bare.then_some("is required with a password: Trino accepts passwords only over TLS"));
        problems
    }

    fn host_problem(&self, kind: SourceKind) -> Option<&'static str> {
        let host = self.host.as_str();
        // The drivers look other letters up as percent signs.
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
        match () {
            () if host.is_empty() => Some("is required"),
            () if host.contains("://") => Some("is a whole address: paste it into the field Address"),
            () if without_brackets(host).parse::<Ipv6Addr>().is_ok() || host.chars().all(is_letter) => None,
            () if kind == SourceKind::Postgres && host.starts_with('/') => None,
            () if !host.is_ascii() => Some("must be written in ASCII, as xn--…"),
            () => Some("is not a host name or IP address; the port has a field of its own"),
        }
    }

    /// Whether the password of a stored URL may go with another one of its kind without being typed again: to the same server,
    /// with the same encryption or with more.
    #[must_use]
    pub fn keep_password(kind: SourceKind, stored: &str, next: &str) -> bool {
        let place = |url: &str| dialect(kind).place(url).ok();
        let (Some(was), Some(is)) = (Self::of(kind, stored), Self::of(kind, next)) else { return false };
        let is_same = match (place(stored), place(next)) {
            (Some(SourceLocation::Server(one)), Some(SourceLocation::Server(other))) => {
                (one.host, one.port) == (other.host, other.port)
            }
            (Some(one), Some(other)) => one == other && was.port == is.port,
            _ => false,
        };
        is_same && (was.protection() == is.protection() || (!was.encrypted && is.encrypted))
    }
}

/// A port as text. Empty for the kind's default.
fn written(port: Option<u16>) -> String {
    port.map(|port| port.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
