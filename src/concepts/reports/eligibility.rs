//! Who may have reports: checked when a report is created or changed, and again at each run.

use super::{Rules, StoredReport, store};
use crate::{
    concepts::{
        access::{HostOrViewer, Viewer, caller::Reach, grant},
        applications::{self, Application},
        dashboards::{self, Dashboard},
    },
    ground::{
        error::{Code, Error, Result},
        state::App,
        store::Conn,
    },
};
use inlay_contract::{ids::OrganizationId, permissions::Flag};

/// Whether an organization has scheduled reports.
pub async fn enabled(app: &App, organization: OrganizationId) -> Result<bool> {
    Ok(store::rules(&mut app.db.read().await?.conn(), organization).await?.is_some())
}

/// An organization's rules for scheduled reports.
///
/// # Errors
/// 403 `REPORTS_DISABLED` when reports are off.
pub async fn require_enabled(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Rules> {
    store::rules(conn, organization).await?.ok_or_else(|| {
        Error::new(Code::ReportsDisabled, "Scheduled reports are turned off. The operator of this service can turn them on.")
    })
}

/// A report's owner and the dashboard.
pub struct OwnerView {
    /// The owner, with their role's current permissions.
    pub viewer: Viewer,
    /// The application.
    pub application: Application,
    /// The dashboard.
    pub dashboard: Dashboard,
}

/// Why a report does not run.
pub enum RunBlocked {
    /// Its owner may not have it any more, so it is stopped, for this reason.
    Permanent(String),
    /// A temporary error.
    Transient(Error),
}

impl From<Error> for RunBlocked {
    fn from(problem: Error) -> Self {
        Self::Transient(problem)
    }
}

/// A report's owner and the dashboard, if the owner may still have the report.
pub async fn owner_view(app: &App, report: &StoredReport) -> Result<OwnerView, RunBlocked> {
    let over = |text: &str| RunBlocked::Permanent(text.to_owned());
    let viewer = match Viewer::of_grant(app, &report.grant).await {
        Ok(viewer) => viewer,
        Err(refused) if grant::is_over(&refused) => {
            return Err(over("Its owner's access was revoked, or the owner was deleted. Save the report again to resume it."));
        }
        Err(problem) => return Err(RunBlocked::Transient(problem)),
    };
    if !viewer.permissions.allows(Flag::EnableScheduleReport) {
        return Err(over("Its owner's role no longer allows scheduled reports."));
    }
    let gone = |problem: Error| match problem {
        problem if grant::is_over(&problem) => over("Its owner no longer sees this dashboard."),
        problem => RunBlocked::Transient(problem),
    };
    let application = applications::within(app, Reach::Project(viewer.project), report.application).await.map_err(gone)?;
    let caller = HostOrViewer::Viewer(Box::new(viewer.clone()));
    let dashboard = dashboards::open(app, &application, &caller, report.dashboard).await.map_err(gone)?;
    Ok(OwnerView { viewer, application, dashboard })
}
