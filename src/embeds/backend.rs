//! What the pages' server functions ask for.

use super::{address::Address, drill, export, page, tiles};
use crate::{
    access::{HostOrViewer, Viewer, caller::Reach},
    applications::{self, Application},
    charts::Chart,
    connections,
    dashboards::{self, Dashboard, data, filters},
    error::{Code, Error, Kind, Result},
    projects,
    state::App,
    usage::Audience,
    web::respond::status,
};
use async_trait::async_trait;
use inlay_app::backend::{
    ChoicesRequest, DashboardRequest, Drawn, DrillRequest, Drilled, EmbedBackend, OpenedDashboard, PageAddress, PictureRequest,
    Scope, Style, TileRequest, TokenCheck,
};
use inlay_contract::{
    data::ChartData,
    filter::{CONTROLLED, OMNIBAR},
    ids::{ApplicationId, DashboardId},
    page::{Choice, EmbedPage, Filters, Problem, TileContent},
};

/// Most values that a select filter offers at once.
const MOST_CHOICES: usize = 200;

/// The server, as the pages see it.
pub struct Backend(pub App);

/// A request's scope, looked up: who asks, where, and which day it is there.
pub(super) struct Opened {
    pub(super) viewer: Viewer,
    pub(super) application: Application,
    pub(super) today: inlay_query::Today,
}

impl Opened {
    pub(super) fn style(&self, locale: &str) -> Style {
        Style { theme: self.application.theme.clone(), locale: locale.to_owned() }
    }
}

impl Backend {
    pub(super) async fn enter(&self, token: &str, scope: &Scope) -> Result<Opened> {
        let viewer = Viewer::by_token(&self.0, token).await?.with_database_auth(scope.db_auth_token.clone());
        let application = applications::within(&self.0, Reach::Project(viewer.project), scope.application).await?;
        let project = projects::by_id(&self.0, viewer.project).await?.ok_or_else(|| Error::not_found("Project"))?;
        Ok(Opened { today: data::today(Some(&scope.timezone), &project), viewer, application })
    }

    pub(super) async fn dashboard(&self, opened: &Opened, id: DashboardId) -> Result<Dashboard> {
        let caller = HostOrViewer::Viewer(Box::new(opened.viewer.clone()));
        dashboards::open(&self.0, &opened.application, &caller, id).await
    }

    async fn read_page(&self, token: &str, address: &PageAddress) -> Result<EmbedPage> {
        let address = Address::read(&address.path, &address.search).ok_or_else(|| Error::not_found("Page"))?;
        page::open(&self.0, Viewer::by_token(&self.0, token).await?, &address).await
    }

    async fn read_dashboard(&self, token: &str, request: DashboardRequest) -> Result<Drawn<OpenedDashboard>> {
        let opened = self.enter(token, &request.scope).await?;
        let dashboard = self.dashboard(&opened, request.dashboard).await?;
        let filters = page::initial_filters(Some(&dashboard), &request.filters);
        let view = page::dashboard_view(&self.0, &opened.viewer, &dashboard, &filters, opened.today, None).await?;
        let pictures = opened.style(&request.scope.locale).pictures(&view.tiles);
        Ok(Drawn { content: OpenedDashboard { dashboard: view, filters }, pictures })
    }

    async fn read_tile(&self, token: &str, request: TileRequest) -> Result<Drawn<TileContent>> {
        let opened = self.enter(token, &request.scope).await?;
        let (chart, rows) = self.rows(&opened, &request).await?;
        self.0.usage.shown(Audience::of(&opened.viewer), chart.id);
        let content = tiles::content(rows);
        let style = opened.style(&request.scope.locale);
        Ok(Drawn { pictures: vec![style.picture(&chart.definition, &content)], content })
    }

    async fn draw_tile(&self, token: &str, request: PictureRequest) -> Result<Option<String>> {
        let opened = self.enter(token, &request.tile.scope).await?;
        let (chart, rows) = self.rows(&opened, &request.tile).await?;
        let (theme, locale) = (&opened.application.theme, &request.tile.scope.locale);
        if chart.definition.kind.is_html() {
            return Ok(export::picture(&opened.style(locale), &chart, rows?, tiles::drawn(request.size).0));
        }
        Ok(tiles::picture(&self.0, &chart, &rows?, theme, locale, tiles::drawn(request.size)).await)
    }

    /// A chart and its rows, or why it has none.
    pub(super) async fn rows(&self, opened: &Opened, request: &TileRequest) -> Result<(Chart, Result<ChartData>)> {
        let dashboard = self.dashboard(opened, request.dashboard).await?;
        let placed = dashboards::chart_on(&self.0, dashboard.id, request.chart).await?;
        let context = opened.viewer.security_context(&self.0).await?;
        let rows = data::rows(&self.0, &dashboard, &placed.chart, &context, &request.filters, opened.today).await;
        let answer = rows.as_ref().map_err(|problem| problem.code);
        self.0.usage.asked(Audience::of(&opened.viewer), placed.chart.id, answer);
        Ok((placed.chart, rows))
    }

    async fn read_choices(&self, token: &str, request: ChoicesRequest) -> Result<Vec<Choice>> {
        let opened = self.enter(token, &request.scope).await?;
        let dashboard = self.dashboard(&opened, request.dashboard).await?;
        let key = format!("{CONTROLLED}{}", request.key);
        let own = filters::column_path(&dashboard, &key);
        // A filter that was added and is not saved goes by its column.
        let path = own.or_else(|| request.key.strip_prefix(OMNIBAR)).ok_or_else(no_choices)?;
        let context = opened.viewer.security_context(&self.0).await?;
        let connection = dashboards::store::charts_on(&mut self.0.db.read().await?.conn(), dashboard.id).await?;
        for id in connection.iter().map(|placed| placed.chart.connection) {
            let connection = connections::open(&self.0, id).await?;
            if let Some((table, column)) = connection.column(path) {
                let (source, catalog, today) = (&connection.source, &connection.catalog, opened.today);
                let found = self.0.engine.choices(source, catalog, &context, &table.name, column, &[], today, MOST_CHOICES);
                return Ok(matching(found.await?, &request.search));
            }
        }
        Err(no_choices())
    }
}

/// A filter whose column is gone or hidden, or of a connection that was renamed, offers nothing. That is its own failure: the
/// dashboard, which is there, stays.
fn no_choices() -> Error {
    Error::new(Code::FilterUnavailable, "The values of this filter cannot be listed.")
}

/// The choices whose text holds what the viewer typed.
fn matching(choices: Vec<Choice>, search: &str) -> Vec<Choice> {
    let wanted = search.to_lowercase();
    let text = |choice: &Choice| choice.value.as_str().map_or_else(|| choice.value.to_string(), str::to_owned);
    choices.into_iter().filter(|choice| text(choice).to_lowercase().contains(&wanted)).collect()
}

/// An error for a viewer's eyes; what only the log may hold is logged.
pub(super) fn problem(error: Error) -> Problem {
    if status(error.code).is_server_error() {
        tracing::error!(code = error.code.as_str(), context = error.context, "a page's request failed");
    }
    let code = if error.code == Code::StoreUnavailable { Code::Unavailable } else { error.code };
    Error { code, ..error }.into()
}

#[async_trait]
impl EmbedBackend for Backend {
    async fn open_page(&self, token: &str, address: PageAddress) -> Result<EmbedPage, Problem> {
        self.read_page(token, &address).await.map_err(problem)
    }

    async fn open_dashboard(&self, token: &str, request: DashboardRequest) -> Result<Drawn<OpenedDashboard>, Problem> {
        self.read_dashboard(token, request).await.map_err(problem)
    }

    async fn tile_data(&self, token: &str, request: TileRequest) -> Result<Drawn<TileContent>, Problem> {
        self.read_tile(token, request).await.map_err(problem)
    }

    async fn tile_picture(&self, token: &str, request: PictureRequest) -> Result<Option<String>, Problem> {
        self.draw_tile(token, request).await.map_err(problem)
    }

    async fn drill_down(&self, token: &str, request: DrillRequest) -> Result<Drilled, Problem> {
        let drill = async {
            let opened = self.enter(token, &request.tile.scope).await?;
            drill::drill(self, &opened, &request).await
        };
        drill.await.map_err(problem)
    }

    async fn mark_filters(&self, token: &str, request: DrillRequest) -> Result<Filters, Problem> {
        let narrow = async {
            let opened = self.enter(token, &request.tile.scope).await?;
            drill::narrow(self, &opened, &request).await
        };
        narrow.await.map_err(problem)
    }

    async fn refused_filters(&self, token: &str, request: DashboardRequest) -> Result<Vec<String>, Problem> {
        let refused = async {
            let opened = self.enter(token, &request.scope).await?;
            let dashboard = self.dashboard(&opened, request.dashboard).await?;
            filters::without_column(&self.0, &dashboard, &request.filters).await
        };
        refused.await.map_err(problem)
    }

    async fn dashboard_file(&self, token: &str, request: DashboardRequest) -> Result<String, Problem> {
        let write = async {
            let opened = self.enter(token, &request.scope).await?;
            export::pdf(self, &opened, &request).await
        };
        write.await.map_err(problem)
    }

    async fn chart_file(&self, token: &str, request: TileRequest) -> Result<String, Problem> {
        let write = async {
            let opened = self.enter(token, &request.scope).await?;
            export::workbook(self, &opened, &request).await
        };
        write.await.map_err(problem)
    }

    async fn filter_choices(&self, token: &str, request: ChoicesRequest) -> Result<Vec<Choice>, Problem> {
        self.read_choices(token, request).await.map_err(problem)
    }

    async fn check_token(&self, token: &str, application: ApplicationId) -> Result<TokenCheck, Problem> {
        let check = async {
            let viewer = Viewer::by_token(&self.0, token).await?;
            applications::within(&self.0, Reach::Project(viewer.project), application).await?;
            Ok(TokenCheck { viewer: viewer.user })
        };
        check.await.map_err(problem)
    }
}

/// The message that takes a page's place when its token is refused.
pub fn message_of(refused: &Error) -> inlay_contract::page::PageMessage {
    use inlay_contract::page::PageMessage;
    match (refused.kind(), refused.code) {
        (_, Code::TokenExpired) => PageMessage::SessionExpired,
        (Kind::Unauthenticated, _) => PageMessage::InvalidToken,
        (Kind::NotFound, _) => PageMessage::DashboardNotFound,
        _ => PageMessage::Unavailable,
    }
}
