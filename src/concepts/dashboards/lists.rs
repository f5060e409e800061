//! Lists of an application's dashboards, as their callers see them, and the dashboard that opens first.

use super::{
    Dashboard, Owner, Slot, store,
    writer::{Generation, Who, Writer},
};
use crate::{
    concepts::applications::Application,
    ground::{error::Result, paging::Part, state::App, store::Conn},
};
use inlay_contract::ids::{ApplicationId, DashboardId};

/// How many dashboards a search reads at a time.
const CHUNK: usize = 1_000;

/// The next dashboards of a caller's list: one entry per dashboard, with the caller's own copy in place of the shared one.
pub async fn part(
    app: &App,
    application: ApplicationId,
    caller: &Writer,
    after: Option<Slot>,
    most: usize,
) -> Result<Part<Dashboard, Slot>> {
    read(&mut app.db.read().await?.conn(), application, caller, after, most).await
}

async fn read(
    conn: &mut Conn<'_>,
    application: ApplicationId,
    caller: &Writer,
    after: Option<Slot>,
    most: usize,
) -> Result<Part<Dashboard, Slot>> {
    let rows = store::seen_by(conn, application, caller, after, Part::<Dashboard, Slot>::to_read(most)).await?;
    // The store finds what the caller sees. That it found no more is looked at here once more.
    Ok(Part::of(rows, most, |(slot, _)| *slot).map(|(_, dashboard)| dashboard).keep(|dashboard| is_listed(dashboard, caller)))
}

/// Whether a dashboard that is in an application is in a caller's list of it. A colleague's copy of a shared dashboard is in
/// nobody else's list.
pub fn is_listed(dashboard: &Dashboard, caller: &Writer) -> bool {
    caller.sees(dashboard) && (dashboard.replaces.is_none() || caller.owns(dashboard))
}

/// The first dashboards of a caller's list whose names contain a text, in any case.
pub async fn search(app: &App, application: ApplicationId, caller: &Writer, text: &str, most: usize) -> Result<Vec<Dashboard>> {
    let text = text.trim().to_lowercase();
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let part = part(app, application, caller, after, CHUNK).await?;
        found.extend(part.entries.into_iter().filter(|dashboard| dashboard.name.to_lowercase().contains(&text)));
        after = part.next;
        if after.is_none() || found.len() >= most {
            found.truncate(most);
            return Ok(found);
        }
    }
}

/// The dashboard that opens first for callers who see only shared ones: the default, otherwise the first.
pub async fn first_shared(app: &App, application: &Application) -> Result<Option<Dashboard>> {
    let host = Writer { who: Who::Host, organization: application.organization, generation: Generation::V2 };
    opened_first(&mut app.db.read().await?.conn(), application, &host).await
}

/// The default dashboard of a caller's list: their own choice, otherwise the application's; for each, the copy that replaces
/// it. `None` when neither is in the list. `known` is a part of the list that was read before: what is in it is not read again.
pub async fn default_of(
    conn: &mut Conn<'_>,
    application: &Application,
    caller: &Writer,
    known: &[Dashboard],
) -> Result<Option<Dashboard>> {
    let chosen = match caller.user() {
        Some((user, _)) => store::default_of(conn, user, application.id).await?,
        None => None,
    };
    for id in [chosen, application.default_dashboard].into_iter().flatten() {
        let listed = match known.iter().find(|listed| listed.id == id || listed.replaces == Some(id)) {
            Some(listed) => Some(listed.clone()),
            None => entry_of(conn, application.id, caller, id).await?,
        };
        if listed.is_some() {
            return Ok(listed);
        }
    }
    Ok(None)
}

/// A dashboard's entry in a caller's list: itself, or the caller's copy of it.
async fn entry_of(
    conn: &mut Conn<'_>,
    application: ApplicationId,
    caller: &Writer,
    id: DashboardId,
) -> Result<Option<Dashboard>> {
    let found = store::find(conn, id).await?;
    let right =
        |dashboard: &Dashboard| dashboard.id == id && dashboard.application == application && is_listed(dashboard, caller);
    let Some(found) = found.filter(right) else { return Ok(None) };
    let copy = match (caller.user(), found.owner) {
        (Some((user, _)), Owner::Shared) => store::copy_of(conn, user, found.id).await?,
        _ => None,
    };
    Ok(Some(copy.unwrap_or(found)))
}

/// The dashboard that a caller's page opens first: the default, otherwise the first of the list.
pub async fn opened_first(conn: &mut Conn<'_>, application: &Application, caller: &Writer) -> Result<Option<Dashboard>> {
    if let Some(default) = default_of(conn, application, caller, &[]).await? {
        return Ok(Some(default));
    }
    Ok(read(conn, application.id, caller, None, 1).await?.entries.into_iter().next())
}
