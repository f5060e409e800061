//! What a viewer sees of a dashboard: charts with their rows, as pictures, as files.

pub mod export;
pub mod pictures;
pub mod tiles;
pub mod views;

use crate::{
    concepts::{
        access::{HostOrViewer, Viewer, caller::Reach},
        applications::{self, Application},
        charts::Chart,
        dashboards::{
            self, Dashboard,
            data::{self, View},
        },
        projects,
    },
    ground::{
        error::{Error, Result},
        state::App,
    },
};
use futures::FutureExt as _;
use inlay_app::calls::{Scope, Style, embed::TileRequest};
use inlay_contract::ids::DashboardId;

/// A request's scope, looked up: viewer, application and current day.
pub struct Opened {
    /// Who asks.
    pub viewer: Viewer,
    /// The application that they have open.
    pub application: Application,
    /// The day in their time zone.
    pub today: inlay_query::Today,
}

impl Opened {
    /// Checks the token and finds what its scope names.
    ///
    /// # Errors
    /// 401 for a token that does not count, 404 for an application out of reach.
    pub async fn enter(app: &App, token: &str, scope: &Scope) -> Result<Self> {
        async move {
            let viewer = Viewer::by_token(app, token).await?.with_database_auth(scope.db_auth_token.clone());
            let application = applications::within(app, Reach::Project(viewer.project), scope.application).await?;
            let project = projects::by_id(app, viewer.project).await?.ok_or_else(|| Error::not_found("Project"))?;
            Ok(Self { today: data::today(Some(&scope.timezone), &project), viewer, application })
        }
        .boxed()
        .await
    }

    /// A dashboard of the application as the viewer sees it.
    ///
    /// # Errors
    /// 404 when it is not theirs to see.
    pub async fn dashboard(&self, app: &App, id: DashboardId) -> Result<Dashboard> {
        async move {
            let caller = HostOrViewer::Viewer(Box::new(self.viewer.clone()));
            dashboards::open(app, &self.application, &caller, id).await
        }
        .boxed()
        .await
    }

    /// The chart of a request as it is drawn, and the viewer's view of its dashboard.
    pub async fn chart(&self, app: &App, request: &TileRequest) -> Result<(View, Chart)> {
        async move {
            let dashboard = self.dashboard(app, request.dashboard).await?;
            let placed = dashboards::chart_on(app, dashboard.id, request.chart).await?;
            let view = View::open(app, &self.viewer, dashboard.filters, request.filters.clone(), self.today).await?;
            Ok((view, dashboards::prepared::drawn(app, placed.chart).await))
        }
        .boxed()
        .await
    }

    /// How its charts look.
    pub fn style(&self, locale: &str) -> Style {
        Style { theme: self.application.theme.clone(), locale: locale.to_owned() }
    }
}
