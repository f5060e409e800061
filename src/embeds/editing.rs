//! What the tools of editing ask for. Every write goes to the service functions that the API's faces call too.

use super::{
    backend::{Backend, Opened, problem},
    tiles,
};
use crate::{
    audit::{Actor, Who},
    charts,
    connections::{self, OpenConnection},
    dashboards::{
        data, edit,
        writer::Writer,
        writes::{self, CloneRequest, Home, Named},
    },
    error::{Error, Kind, Result},
    organizations::members,
    usage::Audience,
    web::origin::Origin,
};
use async_trait::async_trait;
use inlay_app::backend::{
    Drawn, EditBackend, Scope,
    editing::{PreviewRequest, Target},
};
use inlay_contract::{
    edit::{DashboardEdit, EditableChart, LibraryChart, OfferedColumn, OfferedSource, OfferedTable, SavedDashboard},
    ids::{ChartId, DashboardId},
    page::{ChartFace, Filters, Problem, TileContent},
    permissions::Flag,
};
use inlay_query::RowAccess;

/// The server, as the tools of editing see it.
pub struct Editor {
    /// What it shares with the pages.
    pub pages: Backend,
    /// Where the request comes from, for the audit log.
    pub origin: Origin,
}

/// Who edits.
struct Editing {
    opened: Opened,
    writer: Writer,
    actor: Actor,
}

impl Editing {
    const fn named(&self, dashboard: DashboardId) -> Named {
        Named { application: Some(self.opened.application.id), dashboard }
    }
}

impl Editor {
    async fn enter(&self, token: &str, scope: &Scope) -> Result<Editing> {
        let opened = self.pages.enter(token, scope).await?;
        let writer = Writer::page(&opened.viewer);
        let who = opened.viewer.acting();
        let actor = Actor { who, organization: opened.viewer.organization, origin: self.origin.clone() };
        Ok(Editing { opened, writer, actor })
    }

    /// Who edits a dashboard: a project user, or a member whose token was made for this shared dashboard, as long as they may
    /// work with projects.
    async fn enter_at(&self, token: &str, target: &Target) -> Result<Editing> {
        let editing = self.enter(token, &target.scope).await?;
        let Some(member) = editing.opened.viewer.editor_of(target.dashboard) else { return Ok(editing) };
        members::require_work(&self.pages.0, editing.opened.viewer.organization, member).await?;
        let writer = Writer::member(&editing.opened.viewer);
        let actor = Actor { who: Who::Member(member), ..editing.actor };
        Ok(Editing { opened: editing.opened, writer, actor })
    }

    /// Who edits, once the role allows one of some flags.
    async fn enter_with(&self, token: &str, target: &Target, any: &[Flag]) -> Result<Editing> {
        let editing = self.enter_at(token, target).await?;
        let mut lease = self.pages.0.db.read().await?;
        let mut refused = Ok(());
        for flag in any {
            refused = editing.writer.require(&mut lease.conn(), *flag).await;
            if refused.is_ok() {
                break;
            }
        }
        refused.map(|()| editing)
    }

    async fn save_edit(&self, token: &str, target: Target, edit: DashboardEdit) -> Result<SavedDashboard> {
        let editing = self.enter_at(token, &target).await?;
        edit::save(&self.pages.0, &editing.actor, &editing.writer, editing.named(target.dashboard), &edit).await
    }

    async fn draw(&self, token: &str, request: PreviewRequest) -> Result<Drawn<TileContent>> {
        let app = &self.pages.0;
        let scope = &request.target.scope;
        let Editing { opened, writer, .. } = self.enter_at(token, &request.target).await?;
        let dashboard = self.pages.dashboard(&opened, request.target.dashboard).await?;
        let drawn = async {
            let (connection, definition) = edit::draft(app, &writer, &dashboard, &request.chart).await?;
            let context = opened.viewer.security_context(app).await?;
            let rows = data::run(app, &dashboard, connection, &definition, &context, &request.filters, opened.today).await?;
            Ok::<_, Error>((definition, rows))
        };
        let (definition, rows) = match drawn.await {
            Ok(drawn) => drawn,
            // The query is at fault, not the request: the chart says so in its place.
            Err(fault) if fault.kind() == Kind::Unprocessable => {
                return Ok(Drawn { content: tiles::content(Err(fault)), pictures: vec![None] });
            }
            Err(fault) => return Err(fault),
        };
        let content = TileContent::Ready { data: rows };
        Ok(Drawn { pictures: vec![opened.style(&scope.locale).picture(&definition, &content)], content })
    }

    async fn list_library(&self, token: &str, target: Target) -> Result<Vec<LibraryChart>> {
        let editing = self.enter_with(token, &target, &[Flag::AddChart]).await?;
        let mut lease = self.pages.0.db.read().await?;
        let project = editing.opened.viewer.project;
        let charts = charts::store::library(&mut lease.conn(), project, editing.writer.maker()).await?;
        let entry = |chart: charts::Chart| {
            let size = chart.definition.kind.size();
            LibraryChart { id: chart.id, face: ChartFace { title: chart.name, ..ChartFace::from(&chart.definition) }, size }
        };
        Ok(charts.into_iter().map(entry).collect())
    }

    async fn list_tables(&self, token: &str, target: Target) -> Result<Vec<OfferedSource>> {
        let needed = [Flag::CreateChart, Flag::EditCharts, Flag::AddFilter];
        let editing = self.enter_with(token, &target, &needed).await?;
        let app = &self.pages.0;
        let sources = {
            let mut lease = app.db.read().await?;
            connections::store::list(&mut lease.conn(), &app.sealer, editing.opened.viewer.project).await?
        };
        let mut offered = Vec::with_capacity(sources.len());
        for source in sources {
            let open = connections::open(app, source.id).await?;
            let tables = self.tables_of(&open).await;
            let dialect = open.source.kind.name().to_owned();
            offered.push(OfferedSource { connection: source.id, name: source.name, dialect, tables });
        }
        Ok(offered)
    }

    /// The tables of a connection that have a rule; one that its source does not answer for is left out.
    async fn tables_of(&self, connection: &OpenConnection) -> Vec<OfferedTable> {
        let mut offered = Vec::with_capacity(connection.tables.len());
        for table in connection.tables.iter().filter(|table| table.rows != RowAccess::Nothing) {
            let Ok(columns) = self.pages.0.engine.describe(&connection.source, &table.name).await else { continue };
            let columns = columns.into_iter().filter_map(|column| {
                let settings = table.columns.get(&column.name);
                let label = settings.and_then(|settings| settings.label.clone()).unwrap_or_else(|| column.name.clone());
                let hidden = settings.is_some_and(|settings| settings.hidden);
                (!hidden).then_some(OfferedColumn { name: column.name, label, kind: column.kind })
            });
            let label = table.label.clone().unwrap_or_else(|| table.name.clone());
            offered.push(OfferedTable { name: table.name.clone(), label, columns: columns.collect() });
        }
        offered
    }

    /// A chart that stands on the dashboard, or one of the library that is to.
    async fn read_chart(&self, token: &str, target: Target, id: ChartId) -> Result<EditableChart> {
        let editing = self.enter_with(token, &target, &[Flag::EditCharts]).await?;
        let app = &self.pages.0;
        let dashboard = self.pages.dashboard(&editing.opened, target.dashboard).await?;
        let chart = edit::chart(app, &editing.writer, &dashboard, id).await?;
        let writes_sql = editing.writer.require(&mut app.db.read().await?.conn(), Flag::CreateChartSql).await.is_ok();
        let context = editing.opened.viewer.security_context(app).await?;
        let rows = data::rows(app, &dashboard, &chart, &context, &Filters::new(), editing.opened.today).await;
        app.usage.asked(Audience::of(&editing.opened.viewer), chart.id, rows.as_ref().map_err(|problem| problem.code));
        let columns = rows.map(|data| data.columns.into_iter().map(|column| column.name).collect()).unwrap_or_default();
        let mut definition = if writes_sql { chart.definition } else { chart.definition.without_sql() };
        definition.title = chart.name;
        Ok(EditableChart { connection: chart.connection, definition: Box::new(definition), columns })
    }

    async fn make(&self, token: &str, scope: Scope, name: &str) -> Result<DashboardId> {
        let Editing { opened, writer, actor } = self.enter(token, &scope).await?;
        let home = Home::Application(opened.application.id);
        Ok(writes::create(&self.pages.0, &actor, &writer, home, &edit::name(name)?).await?.id)
    }

    async fn copy(&self, token: &str, target: Target, name: &str) -> Result<DashboardId> {
        let editing = self.enter(token, &target.scope).await?;
        let dashboard = self.pages.dashboard(&editing.opened, target.dashboard).await?;
        let request = CloneRequest { name: Some(edit::name(name)?), workspace: None, beside: true };
        let source = editing.named(dashboard.id);
        Ok(writes::clone(&self.pages.0, &editing.actor, &editing.writer, source, request).await?.id)
    }

    async fn choose_default(&self, token: &str, target: Target) -> Result<()> {
        let editing = self.enter(token, &target.scope).await?;
        let dashboard = self.pages.dashboard(&editing.opened, target.dashboard).await?;
        edit::set_default(&self.pages.0, &editing.actor, &editing.writer, editing.named(dashboard.id)).await
    }
}

#[async_trait]
impl EditBackend for Editor {
    async fn save(&self, token: &str, target: Target, edit: DashboardEdit) -> Result<SavedDashboard, Problem> {
        self.save_edit(token, target, edit).await.map_err(problem)
    }

    async fn preview(&self, token: &str, request: PreviewRequest) -> Result<Drawn<TileContent>, Problem> {
        self.draw(token, request).await.map_err(problem)
    }

    async fn library(&self, token: &str, target: Target) -> Result<Vec<LibraryChart>, Problem> {
        self.list_library(token, target).await.map_err(problem)
    }

    async fn tables(&self, token: &str, target: Target) -> Result<Vec<OfferedSource>, Problem> {
        self.list_tables(token, target).await.map_err(problem)
    }

    async fn chart(&self, token: &str, target: Target, chart: ChartId) -> Result<EditableChart, Problem> {
        self.read_chart(token, target, chart).await.map_err(problem)
    }

    async fn create(&self, token: &str, scope: Scope, name: String) -> Result<DashboardId, Problem> {
        self.make(token, scope, &name).await.map_err(problem)
    }

    async fn duplicate(&self, token: &str, target: Target, name: String) -> Result<DashboardId, Problem> {
        self.copy(token, target, &name).await.map_err(problem)
    }

    async fn set_default(&self, token: &str, target: Target) -> Result<(), Problem> {
        self.choose_default(token, target).await.map_err(problem)
    }
}
