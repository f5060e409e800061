//! The calls of the page's editing tools. Every write uses the same service functions as the API.

use super::{backend::Pages, choices};
use crate::{
    concepts::{
        charts, connections,
        dashboards::{
            self,
            data::View,
            edit, own_copy,
            writer::Writer,
            writes::{self, CloneRequest, DashboardRef, Home},
        },
        organizations::members,
        usage::{Audience, Counted},
    },
    flows::viewing::{Opened, export, tiles},
    ground::{
        audit::{Actor, Who},
        error::{Error, Kind, Result},
    },
};
use async_trait::async_trait;
use inlay_app::calls::{
    Drawn, Refusal, Scope, Target,
    edit::{EditCalls, PreviewRequest},
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    data::ChartData,
    edit::{DashboardEdit, EditableChart, LibraryChart, OfferedSource, SavedDashboard},
    ids::{ChartId, DashboardId},
    page::{ChartFace, Filters, TileContent},
    permissions::Flag,
};
use inlay_query::Answered;

/// The editor of a dashboard.
pub(super) struct Editing {
    pub opened: Opened,
    pub writer: Writer,
    pub actor: Actor,
}

impl Editing {
    pub const fn named(&self, dashboard: DashboardId) -> DashboardRef {
        DashboardRef { application: Some(self.opened.application.id), dashboard }
    }
}

impl Pages {
    /// The editor in an application.
    pub(super) async fn editing(&self, token: &str, scope: &Scope) -> Result<Editing> {
        let opened = Opened::enter(&self.app, token, scope).await?;
        let writer = Writer::page(&opened.viewer);
        let who = opened.viewer.acting();
        let actor = Actor { who, organization: opened.viewer.organization, origin: self.origin.clone() };
        Ok(Editing { opened, writer, actor })
    }

    /// The editor of a dashboard: a project user, or a member whose token was issued for this shared dashboard and who may
    /// still work with projects.
    async fn editing_at(&self, token: &str, target: &Target) -> Result<Editing> {
        let editing = self.editing(token, &target.scope).await?;
        let Some(member) = editing.opened.viewer.editor_of(target.dashboard) else { return Ok(editing) };
        members::require_work(&self.app, editing.opened.viewer.organization, member).await?;
        let writer = Writer::member(&editing.opened.viewer);
        let actor = Actor { who: Who::Member(member), ..editing.actor };
        Ok(Editing { opened: editing.opened, writer, actor })
    }

    /// The editor, if the role has one of these permissions.
    async fn editing_with(&self, token: &str, target: &Target, any: &[Flag]) -> Result<Editing> {
        let editing = self.editing_at(token, target).await?;
        let mut lease = self.app.db.read().await?;
        let mut refused = Ok(());
        for flag in any {
            refused = editing.writer.require(&mut lease.conn(), *flag).await;
            if refused.is_ok() {
                break;
            }
        }
        refused.map(|()| editing)
    }
}

#[async_trait]
impl EditCalls for Pages {
    async fn save_dashboard(&self, token: &str, target: Target, edit: DashboardEdit) -> Result<SavedDashboard, Refusal> {
        let editing = self.editing_at(token, &target).await?;
        let named = editing.named(target.dashboard);
        Ok(edit::save(&self.app, &editing.actor, &editing.writer, named, &edit).await?)
    }

    async fn preview_chart(&self, token: &str, request: PreviewRequest) -> Result<Drawn<TileContent>, Refusal> {
        let app = &self.app;
        let scope = &request.target.scope;
        let Editing { opened, writer, .. } = self.editing_at(token, &request.target).await?;
        let dashboard = opened.dashboard(&self.app, request.target.dashboard).await?;
        let drawn = async {
            let (connection, definition) = edit::draft(app, &writer, &dashboard, &request.chart).await?;
            let view =
                View::open(app, &opened.viewer, dashboard.filters.clone(), request.filters.clone(), opened.today).await?;
            let (drawn, rows) = view.rows_of_draft(connection, &definition).await?;
            self.has_room(&rows).await?;
            Ok::<_, Error>((drawn, rows))
        };
        let (definition, rows) = match drawn.await {
            Ok(drawn) => drawn,
            // The query is wrong, not the request: the chart shows the error in its place.
            Err(fault) if fault.kind() == Kind::Unprocessable => {
                return Ok(Drawn { content: tiles::content(Err(fault)), drawings: vec![None] });
            }
            Err(fault) => return Err(fault.into()),
        };
        let content = TileContent::Ready { data: rows.into_data() };
        Ok(Drawn { drawings: vec![opened.style(&scope.locale).drawing(&definition, &content)], content })
    }

    async fn chart_library(&self, token: &str, target: Target) -> Result<Vec<LibraryChart>, Refusal> {
        let editing = self.editing_with(token, &target, &[Flag::AddChart]).await?;
        let mut lease = self.app.db.read().await?;
        let project = editing.opened.viewer.project;
        let charts = charts::library(&mut lease.conn(), project, editing.writer.maker()).await?;
        let entry = |chart: charts::Chart| {
            let size = chart.definition.kind.size();
            LibraryChart { id: chart.id, face: ChartFace { title: chart.name, ..ChartFace::from(&chart.definition) }, size }
        };
        Ok(charts.into_iter().map(entry).collect())
    }

    async fn offered_tables(&self, token: &str, target: Target) -> Result<Vec<OfferedSource>, Refusal> {
        let needed = [Flag::CreateChart, Flag::EditCharts, Flag::AddFilter];
        let editing = self.editing_with(token, &target, &needed).await?;
        let app = &self.app;
        let dashboard = editing.opened.dashboard(app, target.dashboard).await?;
        let (sources, charts) = {
            let mut lease = app.db.read().await?;
            let conn = &mut lease.conn();
            let sources = connections::list(conn, &app.sealer, editing.opened.viewer.project).await?;
            (sources, dashboards::charts_on(conn, dashboard.id).await?)
        };
        let mut offered = Vec::with_capacity(sources.len());
        for source in sources {
            let open = connections::open(app, source.id).await?;
            let filterable = dashboards::filterable(&open, &charts);
            offered.push(choices::of_source(app, &open, &filterable).await);
        }
        Ok(offered)
    }

    /// A chart of the dashboard, or one of the library that will be added.
    async fn open_chart(&self, token: &str, target: Target, chart: ChartId) -> Result<EditableChart, Refusal> {
        let editing = self.editing_with(token, &target, &[Flag::EditCharts]).await?;
        let app = &self.app;
        let dashboard = editing.opened.dashboard(&self.app, target.dashboard).await?;
        let chart = edit::chart(app, &editing.writer, &dashboard, chart).await?;
        let writes_sql = editing.writer.require(&mut app.db.read().await?.conn(), Flag::CreateChartSql).await.is_ok();
        let (viewer, today) = (&editing.opened.viewer, editing.opened.today);
        let view = View::open(app, viewer, dashboard.filters.clone(), Filters::new(), today).await?;
        let rows = view.counted(Counted::query(Audience::of(viewer))).rows(&chart).await;
        let columns =
            rows.map(|rows| rows.table().columns.iter().map(|column| column.name.clone()).collect()).unwrap_or_default();
        let mut definition = if writes_sql { chart.definition } else { chart.definition.without_sql() };
        definition.title = chart.name;
        Ok(EditableChart { connection: chart.connection, definition: Box::new(definition), columns })
    }

    async fn create_dashboard(&self, token: &str, scope: Scope, name: String) -> Result<DashboardId, Refusal> {
        let Editing { opened, writer, actor } = self.editing(token, &scope).await?;
        let home = Home::Application(opened.application.id);
        Ok(writes::create(&self.app, &actor, &writer, home, &edit::name(&name)?).await?.id)
    }

    async fn duplicate_dashboard(&self, token: &str, target: Target, name: String) -> Result<DashboardId, Refusal> {
        let editing = self.editing(token, &target.scope).await?;
        let dashboard = editing.opened.dashboard(&self.app, target.dashboard).await?;
        let request = CloneRequest { name: Some(edit::name(&name)?), workspace: None, beside: true };
        let source = editing.named(dashboard.id);
        Ok(writes::clone(&self.app, &editing.actor, &editing.writer, source, request).await?.id)
    }

    async fn leave_copy(&self, token: &str, target: Target) -> Result<DashboardId, Refusal> {
        let editing = self.editing(token, &target.scope).await?;
        Ok(own_copy::give_up(&self.app, &editing.actor, &editing.writer, editing.named(target.dashboard)).await?)
    }

    async fn rows_file(&self, token: &str, scope: Scope, title: String, data: ChartData) -> Result<String, Refusal> {
        Opened::enter(&self.app, token, &scope).await?;
        Ok(export::book(&self.app, title, Answered::new(data), None, &scope.locale).await?)
    }

    async fn shown_picture(
        &self,
        token: &str,
        scope: Scope,
        definition: String,
        data: ChartData,
    ) -> Result<Option<String>, Refusal> {
        let opened = Opened::enter(&self.app, token, &scope).await?;
        let Ok(definition) = serde_json::from_str::<ChartDefinition>(&definition) else { return Ok(None) };
        Ok(export::picture(&opened.style(&scope.locale), definition.title.clone(), &definition, data, export::CARD))
    }
}
