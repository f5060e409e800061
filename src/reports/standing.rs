//! Who may have reports: asked when they are made and changed, and again at each run.

use super::{Rules, StoredReport, store};
use crate::{
    access::{HostOrViewer, Viewer, caller::Reach, grant},
    applications::{self, Application},
    dashboards::{self, Dashboard},
    error::{Code, Error, Result},
    state::App,
    store::Conn,
};
use inlay_contract::{ids::OrganizationId, permissions::Flag};

/// Whether an organization has scheduled reports.
pub async fn enabled(app: &App, organization: OrganizationId) -> Result<bool> {
    Ok(store::rules(&mut app.db.read().await?.conn(), organization).await?.is_some())
}

/// An organization's rules for scheduled reports.
///
/// # Errors
///
/// 403 `REPORTS_DISABLED` where there are none.
pub async fn require_enabled(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Rules> {
    store::rules(conn, organization).await?.ok_or_else(|| {
        Error::new(Code::ReportsDisabled, "Scheduled reports are turned off. Whoever runs this service can turn them on.")
    })
}

/// A report's owner and what they look at.
pub(super) struct Sight {
    /// The owner, with what their role allows now.
    pub viewer: Viewer,
    /// The application.
    pub application: Application,
    /// The dashboard.
    pub dashboard: Dashboard,
}

/// Why a report does not run.
pub(super) enum Hindrance {
    /// Its owner may not have it any more: it is stopped. The text tells why.
    Over(String),
    /// Something that is in order another time.
    Passing(Error),
}

impl From<Error> for Hindrance {
    fn from(problem: Error) -> Self {
        Self::Passing(problem)
    }
}

/// A report's owner and what they look at, if they may still have it.
pub(super) async fn sight(app: &App, report: &StoredReport) -> Result<Sight, Hindrance> {
    let over = |text: &str| Hindrance::Over(text.to_owned());
    let viewer = match Viewer::of_grant(app, &report.grant).await {
        Ok(viewer) => viewer,
        Err(refused) if grant::is_over(&refused) => {
            return Err(over("Its owner's access was withdrawn, or they are gone. Save the report again to let it run."));
        }
        Err(problem) => return Err(Hindrance::Passing(problem)),
    };
    if !viewer.permissions.allows(Flag::EnableScheduleReport) {
        return Err(over("Its owner's role no longer allows scheduled reports."));
    }
    let gone = |problem: Error| match problem {
        problem if grant::is_over(&problem) => over("Its owner no longer sees this dashboard."),
        problem => Hindrance::Passing(problem),
    };
    let application = applications::within(app, Reach::Project(viewer.project), report.application).await.map_err(gone)?;
    let caller = HostOrViewer::Viewer(Box::new(viewer.clone()));
    let dashboard = dashboards::open(app, &application, &caller, report.dashboard).await.map_err(gone)?;
    Ok(Sight { viewer, application, dashboard })
}
