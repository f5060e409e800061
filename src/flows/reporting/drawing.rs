//! The content of a report: its dashboard as the owner sees it at the time of the run, under the report's filters.

use crate::{
    concepts::{
        charts::Chart,
        dashboards::{
            self,
            data::{self, View},
            value_names,
        },
        projects,
        reports::eligibility::OwnerView,
        usage::Counted,
    },
    flows::viewing::{
        export::{self, Subject},
        pictures::Look,
        tiles::{self, Drawing, InHtml},
    },
    ground::{
        error::{Code, Error, Result},
        state::App,
        time::Timestamp,
    },
};
use inlay_app::{calls::Style, snapshot::Snapshot};
use inlay_contract::{
    chart::{definition::ChartType, number},
    ids::{ChartId, OrganizationId},
    page::{ApplicationView, DashboardView, EmbedPage, Filters, PageContent, PageParameters, Tile, TileContent},
    permissions::{Flag, Permissions, RolePermissions},
    report::ReportEdit,
};
use inlay_query::Today;
use inlay_render::Sheet;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long a query may take beyond its own limit, because it may have to wait for others.
const PATIENCE: Duration = Duration::from_secs(60);

/// A dashboard with its rows.
pub(super) struct Shown {
    organization: OrganizationId,
    pub title: String,
    customer: Option<String>,
    pub tiles: Vec<Tile>,
    filters: Filters,
    today: Today,
    style: Style,
    in_words: Vec<String>,
}

/// The number of a dashboard's charts that show rows, and the number of those that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// The charts that show rows.
    pub charts: usize,
    /// Those of them without rows.
    pub failed: usize,
    /// Whether one of the failures may be temporary.
    pub may_pass: bool,
}

/// Reads a dashboard for a report.
///
/// # Errors
/// 401 when the owner is deleted.
pub(super) async fn read(app: &App, owner_view: &OwnerView, edit: &ReportEdit) -> Result<Shown> {
    let OwnerView { application, dashboard, .. } = owner_view;
    let view = owner_view.view(app, edit).await?;
    let (filters, today) = (view.filters.clone(), view.today);
    let style = Style { theme: application.theme.clone(), locale: edit.locale.clone() };
    let organization = owner_view.viewer.organization;
    let look = Look::new(&style.theme, &style.locale);
    let drawing = Drawing { look, html: Some(InHtml { organization, narrow: false }) };
    let wait = Duration::from_secs(app.settings.limits.query_timeout_seconds) + PATIENCE;
    let tiles = tiles::gather_within(view, dashboard.id, Some(drawing), wait).await?;
    let in_words = value_names::in_words(app, &owner_view.viewer, dashboard, &filters, today, wait).await?;
    let customer = export::customer_name(app, &owner_view.viewer).await?;
    Ok(Shown { organization, title: dashboard.name.clone(), customer, tiles, filters, today, style, in_words })
}

impl Shown {
    /// The failures of its charts.
    pub fn faults(&self) -> Faults {
        let rows = self.tiles.iter().filter(|tile| tile.face.kind != ChartType::Text);
        let mut faults = Faults { charts: 0, failed: 0, may_pass: false };
        for tile in rows {
            faults.charts += 1;
            match &tile.content {
                TileContent::Ready { .. } => {}
                TileContent::Loading => (faults.failed, faults.may_pass) = (faults.failed + 1, true),
                TileContent::Failed { problem } => {
                    faults.failed += 1;
                    let passing = [
                        Code::SourceUnavailable,
                        Code::StoreUnavailable,
                        Code::Unavailable,
                        Code::QueryTimeout,
                        Code::Internal,
                    ];
                    faults.may_pass |= passing.iter().any(|code| problem.code == *code);
                }
            }
        }
        faults
    }

    /// The active filters.
    pub fn in_words(&self) -> String {
        self.in_words.join(" · ")
    }

    /// The accent of the application's theme, and the colour of text on it.
    pub fn accent(&self) -> (String, String) {
        let theme = self.style.theme.chart();
        (theme.accent, theme.accent_text)
    }

    /// Its charts with rows, in reading order.
    pub fn sheets(&self) -> Vec<Sheet<'_>> {
        let sheets = self.tiles.iter().filter_map(|tile| match &tile.content {
            TileContent::Ready { data } if !data.columns.is_empty() => {
                Some(Sheet { title: &tile.face.title, data, definition: tile.definition.as_deref() })
            }
            _ => None,
        });
        sheets.collect()
    }

    /// The language of its numbers and dates.
    pub fn locale(&self) -> &str {
        &self.style.locale
    }

    /// The report as a PDF.
    pub async fn pdf(&self, app: &App) -> Result<Vec<u8>> {
        let subject = Subject {
            title: self.title.clone(),
            customer: self.customer.clone(),
            filters: self.in_words.clone(),
            day: self.today.day,
        };
        export::paper_of(app, self.organization, self.style.clone(), subject, &self.tiles).await
    }

    /// The report as a static page. It holds nothing beyond the rows that were read.
    pub fn page(self, owner_view: &OwnerView, timezone: &str, at: Timestamp) -> Snapshot {
        let Self { organization: _, customer: _, title, tiles, filters, today, style, in_words } = self;
        let view = ApplicationView {
            id: owner_view.application.id,
            name: owner_view.application.name.clone(),
            theme: style.theme,
            dashboards: Vec::new(),
            more: false,
            dashboard: Some(DashboardView {
                id: owner_view.dashboard.id,
                name: title,
                filters: Vec::new(),
                tiles,
                version: None,
                refresh: None,
                is_copy: false,
                views: Vec::new(),
            }),
            permissions: nothing(),
            viewer: owner_view.viewer.user,
        };
        let page = EmbedPage {
            content: PageContent::Application(Box::new(view)),
            parameters: PageParameters {
                single_dashboard: true,
                hide_download_button: true,
                filters,
                ..PageParameters::default()
            },
            locale: style.locale,
            timezone: timezone.to_owned(),
        };
        let as_of = format!("As of {}", crate::concepts::reports::cadence::in_words(at, timezone));
        let said = std::iter::once(as_of).chain(in_words).collect::<Vec<_>>().join(" · ");
        Snapshot::of(page, &today.day.to_string(), &said)
    }
}

/// The permissions of a page without tools.
fn nothing() -> Permissions {
    let flags = [Flag::ReadOnly, Flag::HideFilters, Flag::HideDownloadButton, Flag::DisableTabs];
    flags.into_iter().map(|flag| (flag, true)).collect::<RolePermissions>().resolve()
}

/// A chart with a single number, and its number.
///
/// # Errors
/// Why there is no number, as a sentence for the report's owner.
pub(super) async fn number(app: &App, owner_view: &OwnerView, edit: &ReportEdit, chart: ChartId) -> Result<(Chart, f64)> {
    let chart = dashboards::chart_on(app, owner_view.dashboard.id, chart).await?.chart;
    let rows = View { refresh: true, ..owner_view.view(app, edit).await? }.rows(&chart).await?;
    let unfit = |problem: String| Error::new(Code::QueryFailed, problem);
    let number = number::value(&chart.definition, rows.table()).map_err(|problem| unfit(problem.to_string()))?;
    let chart = dashboards::prepared::drawn(app, chart).await;
    Ok((chart, number.ok_or_else(|| unfit("The chart does not show a number.".to_owned()))?))
}

impl OwnerView {
    /// The owner's view, with the report's time zone and those of its filters that the dashboard still has. It is not counted as usage.
    async fn view(&self, app: &App, edit: &ReportEdit) -> Result<View> {
        let project = projects::by_id(app, self.viewer.project).await?.ok_or_else(|| Error::not_found("Project"))?;
        let filters = dashboards::filters::known(&self.dashboard, edit.filters.clone());
        let today = data::today(Some(&edit.timezone), &project);
        let view = View::open(app, &self.viewer, self.dashboard.filters.clone(), filters, today).await?;
        Ok(view.counted(Counted::NOBODY))
    }
}
