//! The v2 endpoints of dashboards: paths below an application.

pub mod chart_data;
pub mod lists;
pub mod writes;

use inlay_contract::ids::{ApplicationId, ChartId, DashboardId};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

/// An application.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationPath {
    application_id: ApplicationId,
}

/// A dashboard of an application.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct DashboardPath {
    application_id: ApplicationId,
    dashboard_id: DashboardId,
}

/// A chart on a dashboard of an application.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct ChartPath {
    application_id: ApplicationId,
    dashboard_id: DashboardId,
    chart_id: ChartId,
}

/// Who sees a dashboard: a `template` every user of the application, a `dashboard` only its customer's users.
#[derive(ToSchema)]
#[schema(as = DashboardKind, rename_all = "lowercase")]
#[expect(dead_code, reason = "describes what `Owner::kind` writes")]
enum Kind {
    Template,
    Dashboard,
}
