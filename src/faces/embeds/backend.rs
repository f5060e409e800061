//! The calls of the dashboard pages.

use super::{address::Address, drill, filter_values, page};
use crate::{
    concepts::{
        access::Viewer,
        dashboards::{Dashboard, data::View, days, edit, filters, prepared},
        usage::{Audience, Counted},
    },
    flows::viewing::{
        Opened, export,
        pictures::{Drawable, Look, Pictures},
        tiles, views,
    },
    ground::{
        error::{Code, Error, Result},
        memory::{self, Memory},
        state::App,
        web::{origin::Origin, respond::status},
    },
};
use async_trait::async_trait;
use inlay_app::{
    calls::{
        Drawn, PageAddress, Refusal, Scope, Target,
        embed::{
            ChoicesRequest, DashboardRequest, DeleteView, DrillRequest, Drilled, EmbedCalls, NearestData, OpenedDashboard,
            OpenedPage, PictureRequest, SaveView, TileRequest, TokenCheck,
        },
    },
    drawing::Drawing,
    ssr,
};
use inlay_contract::{
    calendar::{self, Grain},
    filter::{CONTROLLED, OMNIBAR},
    format::{self, DateForm, locale::Locale},
    ids::DashboardId,
    page::{Choice, DashboardEntry, DashboardView, Filters, SavedView, TileContent},
};
use inlay_query::{Answered, Freshness};
use std::sync::Arc;

/// The maximum number of periods that are compared with the data for one request. Each asks the database.
const MOST_PERIODS: usize = 3;

/// The server side of the pages' calls.
pub struct Pages {
    /// The service.
    pub app: App,
    /// The origin of the request, for the audit log.
    pub origin: Origin,
}

impl Pages {
    /// Takes room for what is made of rows for this call.
    ///
    /// # Errors
    /// 503 with the time to wait.
    pub(super) async fn has_room(&self, rows: &Answered) -> Result<()> {
        memory::keep(&self.app.part::<Memory>().pages, rows.size().saturating_mul(tiles::MADE_OF_ROWS)).await
    }
}

#[async_trait]
impl EmbedCalls for Pages {
    async fn open_page(&self, token: &str, address: PageAddress, place: Option<DashboardId>) -> Result<OpenedPage, Refusal> {
        let address = Address::read(&address.path, &address.search).ok_or_else(|| Error::not_found("Page"))?;
        let viewer = Viewer::by_token(&self.app, token).await?;
        page::admit(&self.app, &viewer, &address).await?;
        Ok(ssr::opened(page::open(&self.app, viewer, &address, place).await?))
    }

    async fn open_dashboard(&self, token: &str, request: DashboardRequest) -> Result<Drawn<OpenedDashboard>, Refusal> {
        let opened = Opened::enter(&self.app, token, &request.scope).await?;
        let dashboard = opened.dashboard(&self.app, request.dashboard).await?;
        let views = views::of_viewer(&self.app, &opened.viewer, &dashboard).await?;
        let filters = page::initial_filters(Some(&dashboard), &request.filters, &views);
        let style = opened.style(&request.scope.locale);
        let drawing = tiles::Drawing { look: Look::new(&style.theme, &style.locale), html: None };
        let view = page::dashboard_view(&self.app, &opened.viewer, &dashboard, &filters, opened.today, Some(drawing)).await?;
        let view = DashboardView { views, ..view };
        let drawings = style.drawings(&view.tiles);
        Ok(Drawn { content: OpenedDashboard { dashboard: view, filters }, drawings })
    }

    async fn find_dashboards(&self, token: &str, scope: Scope, search: String) -> Result<Vec<DashboardEntry>, Refusal> {
        let opened = Opened::enter(&self.app, token, &scope).await?;
        Ok(page::find_dashboards(&self.app, &opened, &search).await?)
    }

    async fn tile_data(&self, token: &str, request: TileRequest) -> Result<Drawn<TileContent>, Refusal> {
        let opened = Opened::enter(&self.app, token, &request.scope).await?;
        let (view, chart) = opened.chart(&self.app, &request).await?;
        let view = View { stale: true, ..view };
        let rows = view.rows(&chart).await;
        if let Ok(rows) = &rows {
            self.has_room(rows).await?;
        }
        let chart = view.drawn_chart(chart).await;
        let style = opened.style(&request.scope.locale);
        let look = Look::new(&style.theme, &style.locale);
        let known =
            rows.as_ref().ok().and_then(|rows| self.app.part::<Pictures>().of_rows(Drawable::from(&chart), rows, &look));
        let content = tiles::content(rows);
        let drawing = match known {
            Some(picture) => Some(Drawing::of(Arc::unwrap_or_clone(picture), &chart.definition.title)),
            None => style.drawing(&chart.definition, &content),
        };
        Ok(Drawn { drawings: vec![drawing], content })
    }

    async fn tile_picture(&self, token: &str, request: PictureRequest) -> Result<Option<String>, Refusal> {
        let PictureRequest { tile, size } = request;
        let opened = Opened::enter(&self.app, token, &tile.scope).await?;
        let (view, chart) = opened.chart(&self.app, &tile).await?;
        let view = view.counted(Counted::query(Audience::of(&opened.viewer)));
        let (rows, size) = (view.rows(&chart).await?, tiles::drawn(size));
        self.has_room(&rows).await?;
        let chart = view.drawn_chart(chart).await;
        if chart.definition.kind.is_html() {
            let style = opened.style(&tile.scope.locale);
            return Ok(export::picture(&style, chart.name, &chart.definition, rows.into_data(), size.0));
        }
        Ok(tiles::picture(&self.app, &opened, &chart, &rows, &tile.scope.locale, size).await)
    }

    async fn drill_down(&self, token: &str, request: DrillRequest) -> Result<Drilled, Refusal> {
        let opened = Opened::enter(&self.app, token, &request.tile.scope).await?;
        Ok(drill::drill(&self.app, &opened, &request).await?)
    }

    async fn mark_filters(&self, token: &str, request: DrillRequest) -> Result<Filters, Refusal> {
        let opened = Opened::enter(&self.app, token, &request.tile.scope).await?;
        Ok(drill::narrow(&self.app, &opened, &request).await?)
    }

    async fn refused_filters(&self, token: &str, request: DashboardRequest) -> Result<Vec<String>, Refusal> {
        let opened = Opened::enter(&self.app, token, &request.scope).await?;
        let dashboard = opened.dashboard(&self.app, request.dashboard).await?;
        let wait = self.app.settings.limits.page_wait();
        Ok(filters::without_column(&self.app, &dashboard, &request.filters, wait).await?)
    }

    async fn dashboard_file(&self, token: &str, request: DashboardRequest) -> Result<String, Refusal> {
        let opened = Opened::enter(&self.app, token, &request.scope).await?;
        Ok(export::pdf(&self.app, &opened, &request).await?)
    }

    async fn chart_file(&self, token: &str, request: TileRequest) -> Result<String, Refusal> {
        let opened = Opened::enter(&self.app, token, &request.scope).await?;
        Ok(export::workbook(&self.app, &opened, &request).await?)
    }

    async fn filter_choices(&self, token: &str, request: ChoicesRequest) -> Result<Vec<Choice>, Refusal> {
        let opened = Opened::enter(&self.app, token, &request.scope).await?;
        let dashboard = opened.dashboard(&self.app, request.dashboard).await?;
        let key = format!("{CONTROLLED}{}", request.key);
        let own = filters::column_path(&dashboard.filters, &key);
        // An unsaved filter is identified by its column.
        let path = own.or_else(|| request.key.strip_prefix(OMNIBAR)).ok_or_else(filter_values::no_choices)?;
        Ok(filter_values::offered(&self.app, &opened.viewer, &dashboard, path, opened.today, &request.search).await?)
    }

    async fn nearest_data(&self, token: &str, request: DashboardRequest) -> Result<Option<NearestData>, Refusal> {
        let opened = Opened::enter(&self.app, token, &request.scope).await?;
        let dashboard = opened.dashboard(&self.app, request.dashboard).await?;
        let wait = self.app.settings.limits.page_wait();
        // The page does without an answer that takes long.
        let found = tokio::time::timeout(wait, nearest_data(&self.app, &opened, &dashboard, &request)).await;
        Ok(found.unwrap_or(Ok(None))?)
    }

    async fn default_dashboard(&self, token: &str, target: Target) -> Result<(), Refusal> {
        let editing = self.editing(token, &target.scope).await?;
        let dashboard = editing.opened.dashboard(&self.app, target.dashboard).await?;
        Ok(edit::set_default(&self.app, &editing.actor, &editing.writer, editing.named(dashboard.id)).await?)
    }

    async fn save_view(&self, token: &str, request: SaveView) -> Result<Vec<SavedView>, Refusal> {
        let opened = Opened::enter(&self.app, token, &request.target.scope).await?;
        Ok(views::save(&self.app, &opened, request).await?)
    }

    async fn delete_view(&self, token: &str, request: DeleteView) -> Result<Vec<SavedView>, Refusal> {
        let opened = Opened::enter(&self.app, token, &request.target.scope).await?;
        Ok(views::delete(&self.app, &opened, &request).await?)
    }

    async fn check_token(&self, token: &str, address: PageAddress) -> Result<TokenCheck, Refusal> {
        let address = Address::read(&address.path, &address.search).ok_or_else(|| Error::not_found("Page"))?;
        Ok(page::check(&self.app, &Viewer::by_token(&self.app, token).await?, &address).await?)
    }
}

/// The data that is nearest to the first period among the filters that lies outside of the data.
async fn nearest_data(
    app: &App,
    opened: &Opened,
    dashboard: &Dashboard,
    request: &DashboardRequest,
) -> Result<Option<NearestData>> {
    let locale = Locale::of(&request.scope.locale);
    let text = |day| format::date(calendar::start(day), Grain::Day, DateForm::Words, &locale);
    let periods = request.filters.iter().filter(|(_, value)| days::is_period(value)).take(MOST_PERIODS);
    for (key, period) in periods {
        let Some(path) = filters::column_path(&dashboard.filters, key) else { continue };
        let Some(data) = days_with_data(app, opened, dashboard, path).await? else { continue };
        let Some(nearest) = data.instead_of(period, opened.today.day) else { continue };
        let period = match (text(nearest.first), text(nearest.last)) {
            (first, last) if first == last => first,
            (first, last) => format!("{first} – {last}"),
        };
        let mut filters = request.filters.clone();
        filters.insert(key.clone(), nearest.filter());
        let span = format!("{} to {}", text(data.first), text(data.last));
        return Ok(Some(NearestData { span, period, filters }));
    }
    Ok(None)
}

/// The days of a filter's column, dimension or default time, from the first connection of a dashboard's charts that has it.
async fn days_with_data(app: &App, opened: &Opened, dashboard: &Dashboard, path: &str) -> Result<Option<days::Span>> {
    let context = opened.viewer.security_context(app).await?;
    for connection in prepared::connections_on(app, dashboard.id).await? {
        let found = days::of_filter(app, &connection, &context, path, (opened.today, Freshness::default())).await?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Logs the details here, because a refusal does not carry them.
impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        if status(error.code).is_server_error() {
            tracing::error!(code = error.code.as_str(), context = error.context, "a page's request failed");
        }
        let code = if error.code == Code::StoreUnavailable { Code::Unavailable } else { error.code };
        Self(Error { code, ..error }.into())
    }
}
