//! After the migration is finalized, the five v1 writes answer 410 and name the v2 call with its ids filled in: right after
//! authentication, whatever the body holds (docs/spec/contract.md, section 12, D7).

use crate::{
    concepts::{
        applications,
        dashboards::{
            writer::Writer,
            writes::{self, DashboardRef},
        },
        organizations,
    },
    flows::v1_migration::calls::V1Calls,
    ground::{
        audit::Actor,
        error::{Code, Error, Kind, Result},
        state::App,
        store::Conn,
        web::Body,
    },
};
use inlay_contract::ids::{ApplicationId, ChartId, DashboardId, WorkspaceId};
use serde_json::{Map, Value};
use std::{fmt::Display, str::FromStr};

/// A v1 write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the v1 endpoint of its name")]
pub enum Call {
    Create,
    Clone,
    AddCharts,
    AppendChartsFrom,
    RemoveCharts,
}

impl Call {
    /// The end of its path.
    const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Clone => "clone",
            Self::AddCharts => "add-charts",
            Self::AppendChartsFrom => "append-charts-from",
            Self::RemoveCharts => "remove-charts",
        }
    }

    /// The method of its v2 counterpart.
    const fn method(self) -> &'static str {
        match self {
            Self::RemoveCharts => "DELETE",
            Self::Create | Self::Clone | Self::AddCharts | Self::AppendChartsFrom => "POST",
        }
    }

    /// The field that names the dashboard of its v2 counterpart's path.
    const fn dashboard_field(self) -> Option<&'static str> {
        match self {
            Self::Create => None,
            Self::Clone => Some("sourceDashboardId"),
            Self::AddCharts | Self::AppendChartsFrom => Some("targetDashboardId"),
            Self::RemoveCharts => Some("dashboardId"),
        }
    }
}

/// The ids in the path of a v2 call. Those that cannot be known from the request are missing.
#[derive(Clone, Copy, Debug, Default)]
struct Ids {
    application: Option<ApplicationId>,
    dashboard: Option<DashboardId>,
    chart: Option<ChartId>,
}

/// Records who calls a v1 write, and refuses it if the organization's migration is finalized. A body that cannot be read is
/// refused only after that.
///
/// # Errors
/// 410 `MIGRATED_TO_V2`; why the body cannot be read.
pub async fn refuse(
    app: &App,
    actor: &Actor,
    writer: &Writer,
    call: Call,
    (body, unreadable): (&Body, Option<Error>),
) -> Result<()> {
    app.part::<V1Calls>().note(writer.organization, actor.who, call.name());
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    if !organizations::find(conn, writer.organization).await?.migration_finalized {
        return unreadable.map_or(Ok(()), Err);
    }
    Err(gone(conn, writer, call, body).await?)
}

/// The result of a write. If the migration was finalized while it waited, it is refused like those of afterwards.
pub async fn told<T>(app: &App, writer: &Writer, call: Call, body: &Body, result: Result<T>) -> Result<T> {
    match result {
        Err(error) if error.code == Code::MigratedToV2 => {
            Err(gone(&mut app.db.read().await?.conn(), writer, call, body).await?)
        }
        result => result,
    }
}

/// 410 with the v2 call.
async fn gone(conn: &mut Conn<'_>, writer: &Writer, call: Call, body: &Body) -> Result<Error> {
    let ids = ids(conn, writer, call, body).await?;
    // A reader of the message needs to see where ids belong; a program that follows the endpoint would send a placeholder.
    let message = format!("This project has migrated to v2. Call {} instead.", endpoint(call, ids, true));
    let details = Map::from_iter([("endpoint".to_owned(), Value::String(endpoint(call, ids, false)))]);
    Ok(Error::new(Code::MigratedToV2, message).with_details(details))
}

/// The method and path of the v2 call. Missing ids are left out, or shown as placeholders.
fn endpoint(call: Call, ids: Ids, placeholders: bool) -> String {
    let id = |known: Option<&dyn Display>, name: &str| match known {
        Some(id) => format!("/{id}"),
        None if placeholders => format!("/{{{name}}}"),
        None => String::new(),
    };
    let application = id(ids.application.as_ref().map(|id| id as &dyn Display), "applicationId");
    let dashboard = id(ids.dashboard.as_ref().map(|id| id as &dyn Display), "dashboardId");
    let chart = id(ids.chart.as_ref().map(|id| id as &dyn Display), "chartId");
    let end = match call {
        Call::Create => String::new(),
        Call::Clone => format!("{dashboard}/clone"),
        Call::AddCharts => format!("{dashboard}/charts"),
        Call::AppendChartsFrom => format!("{dashboard}/append-charts"),
        Call::RemoveCharts => format!("{dashboard}/charts{chart}"),
    };
    format!("{} /v2/api/applications{application}/dashboards{end}", call.method())
}

async fn ids(conn: &mut Conn<'_>, writer: &Writer, call: Call, body: &Body) -> Result<Ids> {
    let Some(field) = call.dashboard_field() else {
        let Some(workspace) = sent::<WorkspaceId>(body.get("workspaceId")) else { return Ok(Ids::default()) };
        let application = there(applications::of_v1_workspace(conn, writer.reach(), workspace).await)?.flatten();
        return Ok(Ids { application: application.map(|application| application.id), ..Ids::default() });
    };
    let chart = (call == Call::RemoveCharts).then(|| sent(body.get("chartIds").and_then(|charts| charts.get(0)))).flatten();
    let Some(dashboard) = sent(body.get(field)) else { return Ok(Ids { chart, ..Ids::default() }) };
    let found = there(writes::find(conn, writer, DashboardRef { application: None, dashboard }).await)?;
    let (application, dashboard) = found.map(|(application, dashboard)| (application.id, dashboard.id)).unzip();
    Ok(Ids { application, dashboard, chart })
}

/// An id of the body, if it is one.
fn sent<T: FromStr>(value: Option<&Value>) -> Option<T> {
    value.and_then(Value::as_str).and_then(|text| text.parse().ok())
}

/// Turns a 404 into `None`.
fn there<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == Kind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
