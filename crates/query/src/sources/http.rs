//! Shared by sources over HTTP: their URLs, a client that only connects to the source, responses of a limited size.

use crate::{
    address::{IDLE, PROBES, Route, UNHEARD},
    dialect::{HttpPorts, dialect},
    error::QueryError,
    limits::Limits,
    source::SourceKind,
};
use percent_encoding::percent_decode_str;
use reqwest::{Client, Response, redirect::Policy};
use std::{sync::Arc, time::Duration};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

/// The URL and credentials of a source's server.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct HttpAddress {
    /// Only scheme, host and port.
    pub base: Url,
    /// Empty if the URL has no user.
    pub user: String,
    pub password: Option<String>,
    /// The path segments: database, or catalogue and schema.
    pub path: Vec<String>,
}

impl HttpAddress {
    /// Parses `clickhouse://user:password@host:port/database` and similar. `https`, or `secure=true` in the query, enables TLS.
    pub(crate) fn read(kind: SourceKind, address: &str) -> Option<Self> {
        let url = Url::parse(address).ok()?;
        let asks = |key: &str| url.query_pairs().any(|(name, value)| name.eq_ignore_ascii_case(key) && value == "true");
        let secure = url.scheme() == "https" || asks("secure") || asks("ssl");
        if url.scheme() != "http" && url.scheme() != "https" && url.scheme() != kind.name() {
            return None;
        }
        let HttpPorts { plain, secure: with_tls } = dialect(kind).http()?;
        let port = named_port(&url, address).unwrap_or(if secure { with_tls } else { plain });
        let scheme = if secure { "https" } else { "http" };
        // Built again, so that nothing else of the URL remains.
        let base = Url::parse(&format!("{scheme}://{}:{port}/", url.host_str().filter(|host| !host.is_empty())?)).ok()?;
        let decoded = |text: &str| percent_decode_str(text).decode_utf8().ok().map(|text| text.into_owned());
        let path = url.path().split('/').filter(|part| !part.is_empty()).map(decoded).collect::<Option<_>>()?;
        let password = url.password().map(decoded);
        if password == Some(None) {
            return None;
        }
        Some(Self { base, user: decoded(url.username())?, password: password.flatten(), path })
    }
}

/// The port that an address names. A parsed `https://host:443` has none, because 443 is the default of its scheme; the databases'
/// defaults are others.
pub(crate) fn named_port(url: &Url, address: &str) -> Option<u16> {
    let with_other_default = match url.scheme() {
        "http" => "https",
        "https" => "http",
        _ => return url.port(),
    };
    let (_, rest) = address.split_once(':')?;
    url.port().or_else(|| Url::parse(&format!("{with_other_default}:{rest}")).ok()?.port())
}

/// A client that only connects to the source's own server and follows no redirects.
pub(super) fn client(route: &Route, limits: &Limits) -> Result<Client, QueryError> {
    let builder = Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .referer(false)
        .user_agent("inlay")
        .connect_timeout(limits.timeout.min(Duration::from_secs(10)))
        .tcp_keepalive(IDLE)
        .tcp_keepalive_interval(PROBES)
        .pool_idle_timeout(Duration::from_secs(60));
    #[cfg(target_os = "linux")]
    let builder = builder.tcp_user_timeout(UNHEARD);
    let builder = match route.socket() {
        Some(path) => builder.unix_socket(path),
        None => builder,
    };
    builder.build().map_err(|_| QueryError::unavailable("no HTTP client can be created"))
}

/// The places for questions to a server: HTTP has no pool of connections that would limit them.
#[derive(Clone)]
pub(super) struct Places {
    free: Arc<Semaphore>,
    all: usize,
}

impl Places {
    pub(super) fn new(limits: &Limits) -> Self {
        let all = usize::try_from(limits.connections).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        Self { free: Arc::new(Semaphore::new(all)), all }
    }

    /// How many are taken.
    pub(super) fn taken(&self) -> u64 {
        u64::try_from(self.all.saturating_sub(self.free.available_permits())).unwrap_or_default()
    }

    /// Waits for a place, as drivers wait for a connection.
    pub(super) async fn take(&self, name: &str, limits: &Limits) -> Result<OwnedSemaphorePermit, QueryError> {
        let place = Arc::clone(&self.free).acquire_owned();
        let late = || QueryError::unavailable(format!("{name}: no connection became available in time"));
        let taken = tokio::time::timeout(limits.timeout.min(Duration::from_secs(10)), place).await;
        taken.map_err(|_| late())?.map_err(|_| late())
    }
}

/// The error for a missing response, without the URL, which may contain values.
pub(super) fn unreachable(name: &str, problem: &reqwest::Error) -> QueryError {
    let what = match () {
        () if problem.is_timeout() => "did not answer in time",
        () if problem.is_connect() => "cannot be connected to",
        () if problem.is_body() || problem.is_decode() => "broke off its answer",
        () => "cannot be asked",
    };
    QueryError::unavailable(format!("{name} {what}"))
}

/// The beginning of a response, for an error's text.
pub(super) async fn beginning(mut response: Response) -> String {
    let mut text = Vec::new();
    while text.len() < 4_000
        && let Ok(Some(chunk)) = response.chunk().await
    {
        text.extend_from_slice(&chunk);
    }
    text.truncate(4_000);
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: SourceKind, address: &str) -> Option<(String, String, Option<String>, Vec<String>)> {
        let HttpAddress { base, user, password, path } = HttpAddress::read(kind, address)?;
        Some((base.to_string(), user, password, path))
    }

    #[test]
    fn addresses_are_read_with_each_kinds_ports() {
        let of = |kind, address: &str| read(kind, address).expect("an address");
        let (base, user, password, path) = of(SourceKind::Clickhouse, "clickhouse://ada:p%40ss@db.example/sales");
        assert_eq!(
            (&*base, &*user, password.as_deref(), &path[..]),
            ("http://db.example:8123/", "ada", Some("p@ss"), &["sales".to_owned()][..])
        );
        assert_eq!(of(SourceKind::Clickhouse, "https://db.example").0, "https://db.example:8443/");
        assert_eq!(of(SourceKind::Clickhouse, "clickhouse://[::1]:9000/?secure=true").0, "https://[::1]:9000/");
        // A URL writes the default port of its scheme as none, so these two are the ports 443 and 80.
        for (kind, address, base) in [
            (SourceKind::Clickhouse, "https://u:p@db.example:443/sales", "https://db.example/"),
            (SourceKind::Clickhouse, "HTTPS://[::1]:443", "https://[::1]/"),
            (SourceKind::Clickhouse, "http://db.example:80", "http://db.example/"),
            (SourceKind::Clickhouse, "http://db.example:443?secure=true", "https://db.example/"),
            (SourceKind::Clickhouse, "clickhouse://db.example:443/?secure=true", "https://db.example/"),
            (SourceKind::Trino, "http://db.example:80/hive", "http://db.example/"),
            (SourceKind::Trino, "http://db.example/hive", "http://db.example:8080/"),
            (SourceKind::Clickhouse, "https://db.example:8444", "https://db.example:8444/"),
        ] {
            assert_eq!(of(kind, address).0, base, "{address}");
        }
        assert_eq!(of(SourceKind::Trino, "trino://db.example/hive/web?SSL=true").0, "https://db.example/");
        assert_eq!(of(SourceKind::Trino, "trino://db.example/hive/web").3, ["hive", "web"]);
        for bad in ["", "db.example", "ftp://db.example", "trino://", "clickhouse://db.example:99999", "postgres://db.example"]
        {
            assert_eq!(read(SourceKind::Trino, bad), None, "{bad}");
        }
    }
}
