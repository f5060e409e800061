//! Connects to a source, and says in plain words why it fails and which field of the form it concerns.

use crate::ground::{
    error::{Code, Error, Result},
    state::App,
};
use inlay_contract::ids::ConnectionId;
use inlay_query::{QueryError, Source, SourceKind, SourceKindExt, Warning};

/// The field with the whole address.
const WHOLE: &str = "url";

/// A driver's error: words of it, the field that it concerns, if there is one, and a sentence for the person who sets the
/// connection up. The first that matches counts.
type Fault = (&'static [&'static str], Option<&'static str>, &'static str);

const FAULTS: [Fault; 11] = [
    (
        &["a password but no tls"],
        Some("encrypted"),
        "Trino accepts passwords only over TLS. Encrypt the connection, or connect without a password.",
    ),
    (
        &["to database '", "permission denied for database"],
        Some("database"),
        "This user may not open this database, or it does not exist.",
    ),
    (&["password", "authentication", "access denied"], Some("password"), "The database refused the user name or password."),
    (
        &["connection refused", "os error 111"],
        Some("port"),
        "Nothing listens at this host and port. Check both, and that the database is running.",
    ),
    (
        &["lookup", "name or service", "looked up", "no address"],
        Some("host"),
        "The host name does not exist. Check its spelling.",
    ),
    (&["role \""], Some("user"), "The server responds, but it has no user with this name."),
    (&["does not exist", "unknown database"], Some("database"), "The server responds, but it has no database with this name."),
    (
        &["certificate", "tls", "ssl"],
        Some("encrypted"),
        "The TLS connection failed. Check the server's certificate and the parameter sslmode.",
    ),
    (
        &["unable to open", "cannot be opened", "no such file"],
        Some("path"),
        "No file exists at this path, or Inlay is not allowed to read it.",
    ),
    (&["not a database"], Some("path"), "The file at this path is not an SQLite database."),
    (&["timed out", "timeout"], None, SILENT),
];

const SILENT: &str = "The database did not respond in time. Check the host, the port and firewalls in between.";

/// Connects to the source.
///
/// # Errors
/// 422 `CONNECTION_REFUSED` with a plain sentence, and the field that it concerns.
pub async fn connect(app: &App, source: &Source) -> Result<()> {
    allowed(app, source).await?;
    app.engine.check(source).await.map_err(|problem| not_reached(source, &problem))
}

/// Connects to a source whose address is not stored yet.
///
/// # Errors
/// As [`connect`].
pub(super) async fn try_out(app: &App, source: &Source) -> Result<()> {
    allowed(app, source).await?;
    app.engine.try_out(source).await.map_err(|problem| not_reached(source, &problem))
}

async fn allowed(app: &App, source: &Source) -> Result<()> {
    if let Err(refused) = app.engine.check_address(source).await
        && !refused.may_be_away()
    {
        let part = if source.kind.is_file() { "path" } else { "host" };
        return Err(refused_connection(Some(part), format!("This address is not allowed: {refused}."), String::new()));
    }
    Ok(())
}

fn not_reached(source: &Source, problem: &QueryError) -> Error {
    let (part, told) = plainly(problem);
    refused_connection(part.and_then(|part| field(source.kind, part)), told.to_owned(), problem.detail().to_owned())
}

/// The same error, at the field with the whole address.
pub(super) fn at_whole_address(problem: Error) -> Error {
    if problem.code != Code::ConnectionRefused {
        return problem;
    }
    let details = serde_json::Map::from_iter([(WHOLE.to_owned(), problem.message.clone().into())]);
    problem.with_details(details)
}

/// Warnings for the operator about a connection that responds.
pub async fn warnings(app: &App, id: ConnectionId) -> Result<Vec<Warning>> {
    let open = crate::concepts::connections::open(app, id).await?;
    let audited = app.engine.audit(&open.source, &open.catalog).await;
    audited.map_err(|problem| refused_connection(None, plainly(&problem).1.to_owned(), String::new()))
}

fn refused_connection(field: Option<&str>, told: String, context: String) -> Error {
    let details = field.map(|field| serde_json::Map::from_iter([(field.to_owned(), told.clone().into())]));
    let error = Error::new(Code::ConnectionRefused, told).with_context(context);
    match details {
        Some(details) => error.with_details(details),
        None => error,
    }
}

/// The field for this part, if the form has it for this kind of database.
fn field(kind: SourceKind, part: &'static str) -> Option<&'static str> {
    match part {
        "path" => kind.is_file().then_some(part),
        _ if kind.is_file() => None,
        "database" if kind == SourceKind::Trino => Some("catalog"),
        _ => Some(part),
    }
}

/// A source's error in words for the person who sets the connection up, and the part of the address that it concerns. The
/// driver's own message is left out, because it may hold parts of the URL.
fn plainly(problem: &QueryError) -> (Option<&'static str>, &'static str) {
    if let QueryError::Timeout(_) = problem {
        return (None, SILENT);
    }
    let detail = problem.detail().to_lowercase();
    let found = FAULTS.iter().find(|(words, ..)| words.iter().any(|word| detail.contains(word)));
    found.map_or((None, "The database cannot be reached. Check every part of the address."), |(_, part, told)| (*part, *told))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_at_the_field_that_it_concerns() {
        let at = |kind, detail: &str| {
            plainly(&QueryError::SourceUnavailable(detail.to_owned().into())).0.and_then(|part| field(kind, part))
        };
        for (detail, part) in [
            ("password authentication failed for user \"reader\"", "password"),
            ("Access denied for user 'reader'@'%' to database 'shop'", "database"),
            ("connection refused: no server listens on this host and port", "port"),
            ("its host cannot be looked up", "host"),
            ("role \"reader\" does not exist", "user"),
            ("database \"shop\" does not exist", "database"),
            ("invalid peer certificate", "encrypted"),
        ] {
            assert_eq!(at(SourceKind::Postgres, detail), Some(part), "{detail}");
        }
        assert_eq!(at(SourceKind::Sqlite, "unable to open database file"), Some("path"));
        assert_eq!(at(SourceKind::Sqlite, "file is not a database"), Some("path"));
        assert_eq!(at(SourceKind::Postgres, "unable to open something"), None);
        assert_eq!(at(SourceKind::Trino, "catalog does not exist"), Some("catalog"));
        assert_eq!(at(SourceKind::Postgres, "timed out"), None);
    }
}
