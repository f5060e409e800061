//! Saves a dashboard that was edited on the page, in one transaction: checks all changes against the viewer's role, creates the
//! viewer's own copy if the dashboard is shared, and refuses an edit that is based on an older version.

mod check;

use super::{
    Dashboard, Owner, PlacedChart,
    described::{self, Described},
    store,
    writer::{Who, Writer},
    writes::{self, DashboardRef},
};
use crate::{
    concepts::{
        charts::{self, Chart},
        customers, projects,
    },
    ground::{
        audit::Actor,
        error::{Code, Error, Result},
        names,
        state::App,
        store::Conn,
    },
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    edit::{ChartEdit, DashboardEdit, FilterEdit, SavedDashboard},
    filter::FilterDefinition,
    ids::{ChartId, ConnectionId, DashboardId, ProjectId},
    permissions::Flag,
};
use std::collections::BTreeSet;

/// The maximum length of a name, in characters.
const LONGEST_NAME: usize = 512;

/// The inputs of every step of a save.
struct Save<'a> {
    app: &'a App,
    writer: &'a Writer,
    project: ProjectId,
    dashboard: Dashboard,
    there: Vec<PlacedChart>,
}

/// Saves an edited dashboard. A shared one is saved as the user's own copy, which replaces it in their list.
///
/// # Errors
/// 400 for a position off the grid or an empty name; 404 for the dashboard or a chart; 403 as the writer's role and the
/// dashboard's owner require; 409 `DASHBOARD_CHANGED` when the dashboard was saved in the meantime; 422 for SQL that can never
/// run.
pub async fn save(
    app: &App,
    actor: &Actor,
    writer: &Writer,
    target: DashboardRef,
    edit: &DashboardEdit,
) -> Result<SavedDashboard> {
    check::form(edit)?;
    check::queries(app, writer, target, edit).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let (application, dashboard) = writes::find(conn, writer, target).await?;
    writer.require_editing(conn).await?;
    if matches!(writer.who, Who::Member { .. }) {
        // The dashboard gets a name that is unique in the project file.
        projects::lock(conn, application.project).await?;
    }
    let shared = dashboard.owner == Owner::Shared;
    if edit.beside {
        if matches!(writer.who, Who::Member { .. }) {
            let message = "Members can only change this shared dashboard here. Create another one in the console.";
            return Err(Error::new(Code::PermissionDenied, message));
        }
        writer.require(conn, Flag::AddDashboard).await?;
    } else if !shared {
        writer.require_own(&dashboard)?;
    }
    let there = store::charts_on(conn, dashboard.id).await?;
    let save = Save { app, writer, project: application.project, dashboard, there };
    for flag in save.flags(edit) {
        writer.require(conn, flag).await?;
    }
    let filters = save.filters(&edit.filters)?;
    let saved = match (edit.beside, shared) {
        (true, _) => save.added(conn, edit, filters, None).await?,
        (false, true) if !matches!(writer.who, Who::Member { .. }) => save.copied(conn, edit, filters).await?,
        (false, _) => save.changed(conn, edit, filters).await?,
    };
    let charts = save.put_charts(conn, &saved, edit).await?;
    let before = save.there.iter().map(|placed| (placed.chart.id, placed.chart.version)).collect();
    if matches!(writer.who, Who::Member { .. }) {
        name_for_file(conn, &saved).await?;
    }
    writes::record(conn, actor, "dashboard.saved", &application, &saved, writes::details("chartIds", &charts)).await?;
    let version = store::version(conn, saved.id).await?.unwrap_or_default();
    tx.commit().await?;
    let filters = saved.filters.into_iter().map(|filter| filter.key).collect();
    Ok(SavedDashboard { dashboard: saved.id, version, charts, filters, before })
}

/// Names a shared dashboard and its charts as a project file does, so that members' dashboards can be exported and applied again.
async fn name_for_file(conn: &mut Conn<'_>, saved: &Dashboard) -> Result<()> {
    let others = store::of_file(conn, saved.application).await?;
    if others.iter().any(|(name, id, _)| *name == saved.name && *id != saved.id) {
        let told = format!("A dashboard named `{}` already exists in this application. Choose another name.", saved.name);
        return Err(Error::new(Code::DashboardNameTaken, told));
    }
    store::rewrite(conn, saved.id, &saved.name, &saved.filters, saved.refresh).await?;
    let named = store::charts_of_file(conn, saved.id).await?;
    let mut taken: BTreeSet<String> = named.iter().map(|(name, _)| name.clone()).collect();
    for placed in store::charts_on(conn, saved.id).await? {
        if named.iter().any(|(_, id)| *id == placed.chart.id) {
            continue;
        }
        let name = placed.chart.name;
        let free = names::free(&name, |name| taken.contains(name));
        store::name_chart(conn, saved.id, placed.chart.id, &free).await?;
        taken.insert(free);
    }
    Ok(())
}

/// Sets a user's default dashboard.
///
/// # Errors
/// 404 for the dashboard; 403 `PERMISSION_DENIED` without the permission, `VIEWING_AS`.
pub async fn set_default(app: &App, actor: &Actor, writer: &Writer, target: DashboardRef) -> Result<()> {
    actor.who.may_change()?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let (application, dashboard) = writes::find(conn, writer, target).await?;
    writer.require_flag(conn, Flag::CanSetDefaultDashboard).await?;
    if let Some((user, _)) = writer.user() {
        store::set_default(conn, user, application.id, dashboard.id).await?;
    }
    tx.commit().await
}

/// An unsaved chart of an edit, with its complete definition.
///
/// # Errors
/// 404 for a chart or connection out of reach; 403 without the permission; 422 for SQL that can never run.
pub async fn draft(
    app: &App,
    writer: &Writer,
    dashboard: &Dashboard,
    edit: &ChartEdit,
) -> Result<(ConnectionId, ChartDefinition)> {
    // The store's connection is given back before the source is asked, which may take as long as its time limit.
    let chart = {
        let mut lease = app.db.read().await?;
        let conn = &mut lease.conn();
        let there = store::charts_on(conn, dashboard.id).await?;
        let (application, _) = writes::find(conn, writer, DashboardRef { application: None, dashboard: dashboard.id }).await?;
        let save = Save { app, writer, project: application.project, dashboard: dashboard.clone(), there };
        for flag in check::flags_of(edit, &save.there) {
            writer.require(conn, flag).await?;
        }
        save.chart(conn, edit).await?
    };
    check::query(app, writer, chart.connection, &chart.definition).await?;
    Ok((chart.connection, chart.definition))
}

/// A dashboard's name without surrounding white space.
///
/// # Errors
/// 400 for an empty or too long name.
pub fn name(text: &str) -> Result<String> {
    let name = text.trim();
    if (1..=LONGEST_NAME).contains(&name.chars().count()) {
        return Ok(name.to_owned());
    }
    Err(Error::invalid("name", format!("must have 1 to {LONGEST_NAME} characters")))
}

/// A chart that is on a dashboard, or that the writer may add from the library.
///
/// # Errors
/// 404 when it is neither.
pub async fn chart(app: &App, writer: &Writer, dashboard: &Dashboard, id: ChartId) -> Result<Chart> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    if let Some(placed) = store::charts_on(conn, dashboard.id).await?.into_iter().find(|placed| placed.chart.id == id) {
        return Ok(placed.chart);
    }
    let (application, _) = writes::find(conn, writer, DashboardRef { application: None, dashboard: dashboard.id }).await?;
    writes::pickable(conn, writer, application.project, writes::Pick { chart: id, version: None }).await
}

fn overtaken() -> Error {
    Error::new(
        Code::DashboardChanged,
        "This dashboard was changed elsewhere since you opened it. Reload it, or save your changes as another dashboard.",
    )
}

impl Save<'_> {
    /// Every permission that the edit needs, including those for removals and filters.
    fn flags(&self, edit: &DashboardEdit) -> BTreeSet<Flag> {
        let mut flags: BTreeSet<Flag> = edit.tiles.iter().flat_map(|tile| check::flags_of(&tile.chart, &self.there)).collect();
        let stays = |id: ChartId| edit.tiles.iter().any(|tile| check::named(&tile.chart) == Some(id));
        if self.there.iter().any(|placed| !stays(placed.chart.id)) {
            flags.insert(Flag::RemoveChart);
        }
        let kept = edit.filters.iter().filter(|filter| matches!(filter, FilterEdit::Kept { .. })).count();
        if kept != edit.filters.len() || kept != self.dashboard.filters.len() {
            flags.insert(Flag::AddFilter);
        }
        flags
    }

    fn filters(&self, edits: &[FilterEdit]) -> Result<Vec<FilterDefinition>> {
        let mut filters: Vec<FilterDefinition> = Vec::with_capacity(edits.len());
        for edit in edits {
            let filter = match edit {
                FilterEdit::Kept { key } => {
                    self.dashboard.filters.iter().find(|filter| filter.key == *key).cloned().ok_or_else(overtaken)?
                }
                FilterEdit::Added { label, column, control } => {
                    let key = check::free_key(column, |key| {
                        filters.iter().chain(&self.dashboard.filters).any(|filter| filter.key == key)
                    });
                    let (label, column) = (label.clone(), column.clone());
                    FilterDefinition { key, label, column, control: *control, default: None }
                }
            };
            filters.push(filter);
        }
        Ok(filters)
    }

    /// The writer's copy of the shared dashboard, without charts yet.
    async fn copied(&self, conn: &mut Conn<'_>, edit: &DashboardEdit, filters: Vec<FilterDefinition>) -> Result<Dashboard> {
        let shared = &self.dashboard;
        if let Who::User { user, .. } = self.writer.who {
            // With two windows at once, the second one waits here and then finds the first one's copy.
            customers::lock_user(conn, user).await?;
            if store::copy_of(conn, user, shared.id).await?.is_some() {
                return Err(overtaken());
            }
        }
        if store::version(conn, shared.id).await? != Some(edit.version) {
            return Err(overtaken());
        }
        self.added(conn, edit, filters, Some(shared.id)).await
    }

    /// A new dashboard of the writer's, without charts yet.
    async fn added(
        &self,
        conn: &mut Conn<'_>,
        edit: &DashboardEdit,
        filters: Vec<FilterDefinition>,
        replaces: Option<DashboardId>,
    ) -> Result<Dashboard> {
        let blank = writes::empty(self.writer, self.dashboard.application, edit.name.trim());
        // A copy of the shared dashboard keeps its pace.
        let refresh = self.dashboard.refresh.filter(|_| replaces.is_some());
        let made = Dashboard { owner: self.writer.space()?, replaces, filters, refresh, ..blank };
        writes::has_room(conn, self.app, made.owner).await?;
        store::insert(conn, &made, store::Origin::LAST).await?;
        Ok(made)
    }

    /// The writer's own dashboard with its new name and filters, without its removed charts.
    async fn changed(&self, conn: &mut Conn<'_>, edit: &DashboardEdit, filters: Vec<FilterDefinition>) -> Result<Dashboard> {
        let own = Dashboard { name: edit.name.trim().to_owned(), filters, ..self.dashboard.clone() };
        if !store::save(conn, own.id, edit.version, &own.name, &own.filters).await? {
            return Err(overtaken());
        }
        for placed in &self.there {
            if !edit.tiles.iter().any(|tile| check::named(&tile.chart) == Some(placed.chart.id)) {
                store::unplace(conn, own.id, placed.chart.id).await?;
            }
        }
        Ok(own)
    }

    /// Places the edit's charts. Returns their ids, in order.
    async fn put_charts(&self, conn: &mut Conn<'_>, saved: &Dashboard, edit: &DashboardEdit) -> Result<Vec<ChartId>> {
        let is_copy = saved.id != self.dashboard.id;
        let mut ids = Vec::with_capacity(edit.tiles.len());
        for tile in &edit.tiles {
            let chart = self.chart(conn, &tile.chart).await?;
            let id = match &tile.chart {
                ChartEdit::Kept { chart } if !is_copy => *chart,
                ChartEdit::Changed { .. } | ChartEdit::Restored { .. } if !is_copy && self.has(chart.id) => {
                    charts::update(conn, &Chart { version: chart.version + 1, ..chart.clone() }).await?;
                    chart.id
                }
                ChartEdit::Kept { .. } | ChartEdit::Picked { definition: None, .. } => {
                    charts::copy(conn, &chart, self.writer.maker()).await?
                }
                ChartEdit::Changed { .. }
                | ChartEdit::Picked { .. }
                | ChartEdit::Restored { .. }
                | ChartEdit::Made { .. }
                | ChartEdit::Described { .. } => {
                    let (of, version) = (chart.id, chart.version);
                    let made = Chart { id: ChartId::generate(), version: 1, ..chart };
                    let origin = charts::Origin { maker: self.writer.maker(), ..Default::default() };
                    charts::insert(conn, &made, origin).await?;
                    crate::concepts::charts::descends(conn, made.id, of, Some(version)).await?;
                    made.id
                }
            };
            store::place(conn, saved.id, id, tile.place(), None).await?;
            ids.push(id);
        }
        Ok(ids)
    }

    /// Whether a chart is on the dashboard.
    fn has(&self, id: ChartId) -> bool {
        self.there.iter().any(|placed| placed.chart.id == id)
    }

    /// A chart of an edit, not stored yet.
    async fn chart(&self, conn: &mut Conn<'_>, edit: &ChartEdit) -> Result<Chart> {
        let standing = |id: ChartId| {
            let found = self.there.iter().find(|placed| placed.chart.id == id);
            found.map(|placed| placed.chart.clone()).ok_or_else(overtaken)
        };
        match edit {
            ChartEdit::Kept { chart } => standing(*chart),
            ChartEdit::Changed { chart, definition } => Ok(changed(standing(*chart)?, definition)),
            ChartEdit::Picked { chart, definition } => {
                let pick = writes::Pick { chart: *chart, version: None };
                let picked = writes::pickable(conn, self.writer, self.project, pick).await?;
                Ok(definition.iter().fold(picked, |picked, definition| changed(picked, definition)))
            }
            ChartEdit::Restored { chart, version } if self.has(*chart) => {
                let earlier = charts::find(conn, self.project, *chart, Some(*version)).await?;
                Ok(Chart { version: standing(*chart)?.version, ..earlier })
            }
            ChartEdit::Restored { chart, version } => {
                let pick = writes::Pick { chart: *chart, version: Some(*version) };
                writes::pickable(conn, self.writer, self.project, pick).await
            }
            ChartEdit::Made { connection, definition } => {
                Ok(self.made(*connection, ChartDefinition { cache_seconds: None, ..ChartDefinition::clone(definition) }))
            }
            ChartEdit::Described { sealed } => {
                let Described { connection, definition } = described::open(self.app, self.writer, sealed)?;
                Ok(self.made(connection, definition))
            }
        }
    }

    fn made(&self, connection: ConnectionId, definition: ChartDefinition) -> Chart {
        let (id, name) = (ChartId::generate(), definition.title.clone());
        Chart { id, project: self.project, connection, name, version: 1, definition }
    }
}

/// A chart with another definition. A definition without a query keeps the chart's. How long its rows are reused is no matter
/// of a page: each page's own would fill the cache that all share.
fn changed(chart: Chart, definition: &ChartDefinition) -> Chart {
    let mut definition = ChartDefinition { cache_seconds: chart.definition.cache_seconds, ..definition.clone() };
    if !definition.has_query() {
        definition = definition.asking_model(chart.definition.model_query().as_ref());
        definition.sql_override.clone_from(&chart.definition.sql_override);
    }
    Chart { name: definition.title.clone(), definition, ..chart }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_by_a_query_keeps_it_when_its_picture_changes() {
        let definition = |options: serde_json::Value| -> ChartDefinition {
            serde_json::from_value(serde_json::json!({"title": "Sales", "type": "bar", "options": options}))
                .expect("a definition")
        };
        let query = serde_json::json!({"measures": ["revenue"], "dimensions": []});
        let chart = Chart {
            id: ChartId::generate(),
            project: ProjectId::generate(),
            connection: ConnectionId::generate(),
            name: "Sales".to_owned(),
            version: 1,
            definition: definition(serde_json::json!({ "query": query })),
        };
        let stacked = changed(chart.clone(), &definition(serde_json::json!({"stacked": true}))).definition;
        assert_eq!(stacked.options, definition(serde_json::json!({"stacked": true, "query": query})).options);
        let asked = changed(chart, &definition(serde_json::json!({"question": {"table": "orders"}}))).definition;
        assert_eq!(asked.model_query(), None, "another question takes its place");
    }
}
