//! Connections, managed by members. A connection is saved only if its address is allowed and it responds, and deleted only if
//! nothing uses it.

mod address;
mod reaching;

pub use address::{GivenAddress, has_password, is_address, shown, shown_parts, takes_files};
pub use reaching::{connect, warnings};

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
use inlay_query::{DatabaseAuth, Source, SourceKind, SourceLimits};
use std::fmt;

/// The settings of a connection. `Debug` omits the address, which may hold a password.
#[derive(Clone)]
pub struct ConnectionSettings {
    /// Unique within the project.
    pub name: String,
    /// The kind of database.
    pub kind: SourceKind,
    /// Its address.
    pub address: GivenAddress,
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
    let is_whole = matches!(settings.address, GivenAddress::Whole(_));
    let source = source_of(app, old.as_ref(), settings)?;
    reaching::try_out(app, &source)
        .await
        .map_err(|problem| if is_whole { reaching::at_whole_address(problem) } else { problem })?;
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
    let ConnectionSettings { name, kind, address, database_auth, limits } = settings;
    let mut problems = Problems::default();
    problems.note("name", is_name(&name));
    let url = address.url(app, old, kind, &mut problems);
    let fits = database_auth.as_ref().is_none_or(|auth| auth.fits(kind));
    let told = "is not a setting of this database; PostgreSQL accepts names like app.tenant_id".to_owned();
    problems.note("authSetting", if fits { Ok(()) } else { Err(told) });
    let within = |number: Option<u32>, least: u32, most: u32| match number {
        Some(number) if !(least..=most).contains(&number) => Err(format!("must be from {least} to {most}")),
        _ => Ok(()),
    };
    problems.note("maxConnections", within(limits.max_connections, 1, SourceLimits::MOST_CONNECTIONS));
    problems.note("cacheSeconds", within(limits.cache_seconds, 0, SourceLimits::MOST_CACHE_SECONDS));
    problems.note("staleSeconds", within(limits.stale_seconds, 0, SourceLimits::MOST_STALE_SECONDS));
    problems.finish()?;
    let id = old.map_or_else(ConnectionId::generate, |old| old.id);
    Ok(Source { database_auth, limits, ..Source::new(id, name, kind, url) })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_no_password() {
        let settings = ConnectionSettings {
            name: "warehouse".to_owned(),
            kind: SourceKind::Postgres,
            address: GivenAddress::Whole(Some("postgres://u:s3cret@h/d".to_owned())),
            database_auth: None,
            limits: SourceLimits::default(),
        };
        let shown = format!("{settings:?}");
        assert!(shown.contains("warehouse") && !shown.contains("s3cret"), "{shown}");
    }
}
