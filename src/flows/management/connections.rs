//! Connections, managed by members. A connection is saved only if its address is allowed and it responds, and deleted only if
//! nothing uses it.

use crate::{
    concepts::{
        connections,
        organizations::members::{Member, Reads, Works},
        projects, verified_answers,
    },
    flows::management::table_renaming::{Followed, Renaming},
    ground::{
        audit::{self, Deed},
        checks::is_name,
        error::{Code, Error, Result},
        problems::Problems,
        state::App,
        store::{Conn, version},
    },
};
use inlay_contract::ids::{ConnectionId, ProjectId};
use inlay_query::{DatabaseAuth, QueryError, Source, SourceKind, SourceKindExt, SourceLimits, Warning};
use std::fmt;

/// The settings of a connection. `Debug` omits the URL, which may hold a password.
#[derive(Clone)]
pub struct ConnectionSettings {
    /// Unique within the project.
    pub name: String,
    /// The kind of database.
    pub kind: SourceKind,
    /// Its URL. `None` keeps the current one.
    pub url: Option<String>,
    /// The settings of the database's own row security.
    pub database_auth: Option<DatabaseAuth>,
    /// Its limits.
    pub limits: SourceLimits,
}

impl fmt::Debug for ConnectionSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConnectionSettings")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field("database_auth", &self.database_auth)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// The connections of a project, by name.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn list(app: &App, by: &Member<impl Reads>, project: ProjectId) -> Result<Vec<Source>> {
    projects::of_organization(app, by.organization, project).await?;
    connections::list(&mut app.db.read().await?.conn(), &app.sealer, project).await
}

/// A connection of a project.
///
/// # Errors
/// 404 when the project has no such connection.
pub async fn find(app: &App, by: &Member<impl Reads>, project: ProjectId, id: ConnectionId) -> Result<Source> {
    let all = list(app, by, project).await?;
    all.into_iter().find(|source| source.id == id).ok_or_else(|| Error::not_found("Connection"))
}

/// A connection that was saved.
#[derive(Clone, Copy, Debug)]
pub struct Saved {
    /// Its id.
    pub id: ConnectionId,
    /// What was renamed along with it, if its name changed.
    pub followed: Option<Followed>,
}

/// Creates a connection, or changes the one with this id. A connection that does not respond is not saved. A new name is
/// replaced everywhere that the old one was used.
///
/// # Errors
/// 400 for an invalid field, 409 `CONNECTION_NAME_TAKEN`, 422 `CONNECTION_REFUSED` with a plain sentence.
pub async fn save(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: Option<ConnectionId>,
    settings: ConnectionSettings,
) -> Result<Saved> {
    let old = match id {
        Some(id) => Some(find(app, by, project, id).await?),
        None => {
            projects::of_organization(app, by.organization, project).await?;
            None
        }
    };
    let source = source_of(app, old.as_ref(), settings)?;
    connect(app, &source).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    projects::lock(conn, project).await?;
    if let Some(old) = &old {
        // What the form left out was taken from `old`.
        let now = connections::find(conn, &app.sealer, old.id).await?.ok_or_else(|| Error::not_found("Connection"))?.1;
        if (&now.url, now.kind) != (&old.url, old.kind) {
            let told = "This connection was changed since you opened the page. Nothing was saved. Submit again to continue.";
            return Err(Error::new(Code::ChangedMeanwhile, told));
        }
    }
    let namesake = connections::find_by_name(conn, project, &source.name).await?;
    if namesake.is_some_and(|namesake| namesake != source.id) {
        let told = format!("A connection named `{}` already exists in this project. Choose another name.", source.name);
        return Err(crate::ground::checks::taken(Code::ConnectionNameTaken, told));
    }
    connections::put(conn, &app.sealer, project, &source).await?;
    let was = connections::name(conn, source.id).await?;
    connections::rename(conn, source.id, &source.name).await?;
    let action = if old.is_some() { "connection.changed" } else { "connection.created" };
    let mut deed = Deed::new(action, source.id.0).in_project(project).named(&source.name).with("kind", source.kind.name());
    let mut followed = None;
    if let Some(was) = was.filter(|was| *was != source.name) {
        let others = connections::names(conn, project).await?.into_iter().filter(|name| *name != source.name).collect();
        let taken_along = Renaming { from: &was, to: &source.name, others }.follow(conn, project).await?;
        deed = deed.with("was", was).with("filters", taken_along.filters).with("reports", taken_along.reports);
        followed = Some(taken_along);
    }
    audit::record(conn, &by.actor(), deed).await?;
    verified_answers::recheck(conn, project).await?;
    version::bump(conn, &[by.organization.into()]).await?;
    tx.commit().await?;
    app.refresh().await?;
    Ok(Saved { id: source.id, followed })
}

/// The source that these settings describe.
fn source_of(app: &App, old: Option<&Source>, settings: ConnectionSettings) -> Result<Source> {
    let ConnectionSettings { name, kind, url, database_auth, limits } = settings;
    let mut problems = Problems::default();
    problems.note("name", is_name(&name));
    let kept = old.filter(|old| old.kind == kind && url.as_ref().is_none_or(|url| *url == old.url)).map(|old| old.url.clone());
    if kept.is_none() {
        problems.note("url", is_address(app, kind, url.as_deref()));
    }
    let url = kept.or(url);
    let fits = database_auth.as_ref().is_none_or(|auth| auth.fits(kind));
    let told = "is not a setting of this database; PostgreSQL accepts names like app.tenant_id".to_owned();
    problems.note("authSetting", if fits { Ok(()) } else { Err(told) });
    let within = |number: Option<u32>, least: u32, most: u32| match number {
        Some(number) if !(least..=most).contains(&number) => Err(format!("must be from {least} to {most}")),
        _ => Ok(()),
    };
    problems.note("maxConnections", within(limits.max_connections, 1, SourceLimits::MOST_CONNECTIONS));
    problems.note("cacheSeconds", within(limits.cache_seconds, 0, SourceLimits::MOST_CACHE_SECONDS));
    problems.finish()?;
    let id = old.map_or_else(ConnectionId::generate, |old| old.id);
    let url = url.unwrap_or_default();
    Ok(Source { database_auth, limits, ..Source::new(id, name, kind, url) })
}

/// Checks a URL for this kind of database, without connecting.
pub fn is_address(app: &App, kind: SourceKind, url: Option<&str>) -> Result<(), String> {
    let url = url.ok_or("is required")?;
    let schemes = kind.address_prefixes();
    if !schemes.iter().any(|scheme| url.starts_with(scheme)) {
        return Err(format!("must begin with {}", schemes.join(" or ")));
    }
    // Members must not read every file of the machine: only files in folders that the operator named.
    if kind.is_file() && app.settings.sources.sqlite_folders.is_empty() {
        let told =
            "cannot be used here: the operator of this service names the folders for SQLite files in INLAY_SQLITE_FOLDERS";
        return Err(told.to_owned());
    }
    Ok(())
}

/// Connects to the source.
///
/// # Errors
/// 422 `CONNECTION_REFUSED` with a plain sentence.
pub async fn connect(app: &App, source: &Source) -> Result<()> {
    if let Err(refused) = app.engine.check_address(source).await
        && !refused.may_be_away()
    {
        return Err(refused_connection(format!("This address is not allowed: {refused}."), String::new()));
    }
    app.engine.check(source).await.map_err(|problem| refused_connection(plainly(&problem), problem.detail().to_owned()))
}

/// Warnings for the operator about a connection that responds.
pub async fn warnings(app: &App, id: ConnectionId) -> Result<Vec<Warning>> {
    let open = crate::concepts::connections::open(app, id).await?;
    app.engine.audit(&open.source, &open.catalog).await.map_err(|problem| refused_connection(plainly(&problem), String::new()))
}

fn refused_connection(told: String, context: String) -> Error {
    let details = serde_json::Map::from_iter([("url".to_owned(), told.clone().into())]);
    Error::new(Code::ConnectionRefused, told).with_details(details).with_context(context)
}

/// A source's error in words for the person who sets the connection up. The driver's own message is left out, because it may
/// hold parts of the URL.
fn plainly(problem: &QueryError) -> String {
    if let QueryError::Timeout(_) = problem {
        return "The database did not respond in time. Check the host, the port and firewalls in between.".to_owned();
    }
    let detail = problem.detail().to_lowercase();
    let told = [
        (&["password", "authentication", "access denied"][..], "The database refused the user name or password."),
        (
            &["connection refused", "os error 111"],
            "Nothing listens at this host and port. Check both, and that the database is running.",
        ),
        (&["lookup", "name or service", "looked up", "no address"], "The host name does not exist. Check its spelling."),
        (&["does not exist", "unknown database"], "The server responds, but it has no database with this name."),
        (&["certificate", "tls", "ssl"], "The TLS connection failed. Check the server's certificate and the URL's sslmode."),
        (
            &["unable to open", "cannot be opened", "no such file"],
            "No file exists at this path, or Inlay is not allowed to read it.",
        ),
        (&["not a database"], "The file at this path is not an SQLite database."),
        (&["timed out", "timeout"], "The database did not respond in time. Check the host, the port and firewalls in between."),
    ];
    let found = told.into_iter().find(|(words, _)| words.iter().any(|word| detail.contains(word)));
    found.map_or("The database cannot be reached. Check every part of the URL.", |(_, sentence)| sentence).to_owned()
}

/// The uses of a connection.
pub async fn uses(app: &App, by: &Member<impl Reads>, project: ProjectId, id: ConnectionId) -> Result<Vec<String>> {
    find(app, by, project, id).await?;
    connections::uses(&mut app.db.read().await?.conn(), id).await
}

/// Deletes a connection that nothing uses.
///
/// # Errors
/// 404 for a connection of another project, 409 `CONNECTION_IN_USE`.
pub async fn remove(app: &App, by: &Member<impl Works>, project: ProjectId, id: ConnectionId) -> Result<()> {
    let source = find(app, by, project, id).await?;
    let mut tx = app.db.write().await?;
    let conn: &mut Conn<'_> = &mut tx.conn();
    projects::lock(conn, project).await?;
    connections::hold_for_removal(conn, id).await?;
    let uses = connections::uses(conn, id).await?;
    if !uses.is_empty() {
        let told = format!("`{}` is used by {}. Remove those first.", source.name, uses.join(", "));
        return Err(Error::new(Code::ConnectionInUse, told));
    }
    connections::delete(conn, id).await?;
    audit::record(conn, &by.actor(), Deed::new("connection.deleted", id.0).in_project(project).named(&source.name)).await?;
    version::bump(conn, &[by.organization.into()]).await?;
    tx.commit().await?;
    app.refresh().await
}

/// A URL without its password, for display.
pub fn shown(source: &Source) -> String {
    match url::Url::parse(&source.url) {
        Ok(mut url) if !source.kind.is_file() => {
            let _ = url.set_password(None);
            url.set_query(None);
            url.into()
        }
        _ if source.kind.is_file() => source.url.clone(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_shown() {
        let source = |kind, url: &str| Source::new(ConnectionId::generate(), "w", kind, url);
        let postgres = source(SourceKind::Postgres, "postgres://app:s3cret@db.example:5432/shop?password=s3cret");
        assert_eq!(shown(&postgres), "postgres://app@db.example:5432/shop");
        assert_eq!(shown(&source(SourceKind::Sqlite, "sqlite:/data/shop.db")), "sqlite:/data/shop.db");
        assert_eq!(shown(&source(SourceKind::Postgres, "no address s3cret")), "");
    }

    #[test]
    fn debug_shows_no_password() {
        let settings = ConnectionSettings {
            name: "warehouse".to_owned(),
            kind: SourceKind::Postgres,
            url: Some("postgres://u:s3cret@h/d".to_owned()),
            database_auth: None,
            limits: SourceLimits::default(),
        };
        let shown = format!("{settings:?}");
        assert!(shown.contains("warehouse") && !shown.contains("s3cret"), "{shown}");
    }
}
