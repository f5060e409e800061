//! The reasons for failing charts, for members in the playground. Viewers never see them.

use super::{address::Address, page};
use crate::{
    concepts::{
        access::Viewer,
        dashboards::{
            self, Dashboard, PlacedChart,
            data::{self, View},
        },
        projects,
        usage::Counted,
    },
    flows::viewing::views,
    ground::{
        error::{Code, Error, Result},
        state::App,
        store::holding::watched,
    },
};
use futures::future::join_all;
use inlay_contract::{
    ids::{ApplicationId, DashboardId},
    page::Filters,
};

/// The maximum number of dashboards that are checked.
const MOST_DASHBOARDS: usize = 20;

/// A failing chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// The application of its dashboard.
    pub application: ApplicationId,
    /// Its dashboard.
    pub dashboard: DashboardId,
    /// The dashboard's name.
    pub dashboard_name: String,
    /// The chart's name.
    pub chart: String,
    /// The error code, which the viewer's page shows too.
    pub code: Code,
    /// The detailed reason, with names of tables, columns and properties.
    pub reason: String,
}

/// The result of checking the charts at an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasons {
    /// The number of checked dashboards. 0 where the page says `Dashboard not found.`.
    pub dashboards: usize,
    /// The number of checked charts.
    pub charts: usize,
    /// The failing charts.
    pub failing: Vec<Failing>,
}

/// Runs the query of every chart that a viewer reaches by an address, with its filters. The result holds details that viewers
/// may not see, so only a member's preview token is accepted.
///
/// # Errors
/// 404 for an address of another page, 403 for a viewer's own token.
pub async fn find(app: &App, viewer: Viewer, path: &str, search: &str) -> Result<Reasons> {
    if viewer.member.is_none() {
        return Err(Error::new(Code::MemberNotPermitted, "Only members of the organization can see why a chart fails."));
    }
    let address = Address::read(path, search).ok_or_else(|| Error::not_found("Page"))?;
    let viewer = viewer.with_database_auth(address.asked.database_auth.clone());
    let project = projects::by_id(app, viewer.project).await?.ok_or_else(|| Error::not_found("Project"))?;
    let today = data::today(address.asked.timezone.as_deref(), &project);
    let view = View::open(app, &viewer, Vec::new(), Filters::new(), today).await?.counted(Counted::NOBODY);
    let mut found = Reasons::default();
    for dashboard in page::reached(app, &viewer, &address).await?.into_iter().take(MOST_DASHBOARDS) {
        let views = views::of_viewer(app, &viewer, &dashboard).await?;
        let filters = page::initial_filters(Some(&dashboard), &address.parameters.filters, &views);
        let view = View { own: dashboard.filters.clone(), filters, ..view.clone() };
        let charts = dashboards::charts_on(&mut app.db.read().await?.conn(), dashboard.id).await?;
        found.dashboards += 1;
        found.charts += charts.len();
        let asked = charts.iter().map(|placed| watched(ask(&view, &dashboard, placed)));
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
