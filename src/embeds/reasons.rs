//! What lies behind charts that fail, for the operator who plays the host: what a viewer is never told.

use super::{address::Address, page};
use crate::{
    access::Viewer,
    dashboards::{
        self, Dashboard, PlacedChart,
        data::{self, View},
    },
    error::{Code, Error, Result},
    projects,
    state::App,
    usage::Counted,
};
use futures::future::join_all;
use inlay_contract::{
    ids::{ApplicationId, DashboardId},
    page::Filters,
};

/// The most dashboards that are looked through.
const MOST_DASHBOARDS: usize = 20;

/// A chart that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// The application of the dashboard that it stands on.
    pub application: ApplicationId,
    /// The dashboard that it stands on.
    pub dashboard: DashboardId,
    /// Its name.
    pub dashboard_name: String,
    /// The chart's name.
    pub chart: String,
    /// The code that the viewer's page has, too.
    pub code: Code,
    /// What was the matter: names tables, columns and properties.
    pub reason: String,
}

/// What came of looking through the charts that a viewer comes to by an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasons {
    /// How many dashboards were looked through; none where the page says `Dashboard not found.`.
    pub dashboards: usize,
    /// How many charts were asked.
    pub charts: usize,
    /// Those that fail.
    pub failing: Vec<Failing>,
}

/// Asks every chart that a viewer comes to by an address of a page of dashboards, with its filters. The operator may read what
/// viewers may not, so this is for a member's token alone.
///
/// # Errors
///
/// 404 for an address of another page, 403 for a viewer's own token.
pub async fn find(app: &App, viewer: Viewer, path: &str, search: &str) -> Result<Reasons> {
    if viewer.member.is_none() {
        return Err(Error::new(Code::MemberNotPermitted, "What lies behind a chart is told to the operator alone."));
    }
    let address = Address::read(path, search).ok_or_else(|| Error::not_found("Page"))?;
    let viewer = viewer.with_database_auth(address.asked.database_auth.clone());
    let project = projects::by_id(app, viewer.project).await?.ok_or_else(|| Error::not_found("Project"))?;
    let today = data::today(address.asked.timezone.as_deref(), &project);
    let view = View::open(app, &viewer, Vec::new(), Filters::new(), today).await?.counted(Counted::NOBODY);
    let mut found = Reasons::default();
    for dashboard in page::reached(app, &viewer, &address).await?.into_iter().take(MOST_DASHBOARDS) {
        let filters = page::initial_filters(Some(&dashboard), &address.parameters.filters);
        let view = View { own: dashboard.filters.clone(), filters, ..view.clone() };
        let charts = dashboards::store::charts_on(&mut app.db.read().await?.conn(), dashboard.id).await?;
        found.dashboards += 1;
        found.charts += charts.len();
        let asked = charts.iter().map(|placed| ask(&view, &dashboard, placed));
        found.failing.extend(join_all(asked).await.into_iter().flatten());
    }
    Ok(found)
}

async fn ask(view: &View, dashboard: &Dashboard, placed: &PlacedChart) -> Option<Failing> {
    let problem = view.rows(&placed.chart).await.err()?;
    Some(Failing {
        application: dashboard.application,
        dashboard: dashboard.id,
        dashboard_name: dashboard.name.clone(),
        chart: placed.chart.name.clone(),
        code: problem.code,
        reason: problem.context.unwrap_or(problem.message),
    })
}
