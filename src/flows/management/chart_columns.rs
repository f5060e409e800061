//! The columns that a chart's query returns, for the chart's author. Found without reading any user's rows.

use crate::{
    concepts::{
        charts,
        organizations::members::{Member, Reads},
    },
    ground::{error::Result, problems::Problems, state::App},
};
use inlay_contract::{
    chart::definition::{Encoding, Names},
    data::Column,
    ids::{ChartId, ConnectionId, ProjectId},
};
use inlay_query::Probed;
use std::time::Duration;
use tokio::time::timeout;

/// How long a form waits for a database. After that it is drawn without columns.
const PATIENCE: Duration = Duration::from_secs(3);

/// The columns that a query would return, found without reading a row. An empty query returns none.
///
/// # Errors
/// 404 for a connection of another project.
pub async fn of_query(
    app: &App,
    by: &Member<impl Reads>,
    project: ProjectId,
    connection: ConnectionId,
    sql: &str,
) -> Result<Probed> {
    let open = crate::flows::management::catalog::opened(app, by, project, connection).await?;
    let sql = sql.trim();
    if sql.is_empty() {
        return Ok(Probed::Gives(Vec::new()));
    }
    let asked = timeout(PATIENCE, app.engine.probe(&open.source, &open.catalog, sql)).await;
    Ok(asked.unwrap_or(Probed::Unasked))
}

/// The columns that the query of a library chart's version returned when it was saved. `None` when it was not checked then.
///
/// # Errors
/// 404 when the library has no such chart.
pub async fn kept(
    app: &App,
    by: &Member<impl Reads>,
    project: ProjectId,
    id: ChartId,
    version: i64,
) -> Result<Option<Vec<String>>> {
    crate::flows::management::charts::find(app, by, project, id).await?;
    charts::columns(&mut app.db.read().await?.conn(), id, version).await
}

/// The names of the columns that a query returns, if known.
pub fn names(probed: &Probed) -> Option<Vec<String>> {
    match probed {
        Probed::Gives(columns) => Some(columns.iter().map(|column| column.name.clone()).collect()),
        Probed::Refused(_) | Probed::Unasked => None,
    }
}

/// The problems of a query, and of the columns that an encoding names.
pub fn told(encoding: &Encoding, probed: &Probed) -> Problems {
    let mut problems = Problems::default();
    match probed {
        Probed::Gives(columns) => check(encoding, columns, &mut problems),
        Probed::Refused(told) => problems.note("sql", Err(format!("is refused: {told}"))),
        Probed::Unasked => {}
    }
    problems
}

/// Collects the columns that an encoding names and the query does not return.
pub fn check(encoding: &Encoding, columns: &[Column], problems: &mut Problems) {
    let given = || columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
    for (part, name) in parts(encoding) {
        if !columns.iter().any(|column| column.name == name) {
            problems
                .note(part, Err(format!("names `{name}`, but the query does not return that column; it returns {}", given())));
        }
    }
}

/// The columns that an encoding names, each with its form field.
fn parts(encoding: &Encoding) -> Vec<(&'static str, &str)> {
    let Encoding { x, y, series, label, value, compare, size, date, source, target, .. } = encoding;
    let Encoding { latitude, longitude, region, columns, rows, .. } = encoding;
    let several = [("y", y), ("label", label), ("parts", columns), ("parts", rows)];
    let several = several
        .into_iter()
        .flat_map(|(part, names)| names.iter().flat_map(Names::as_slice).map(move |name| (part, name.as_str())));
    let one = [("x", x), ("series", series), ("value", value), ("parts", compare), ("parts", size), ("parts", date)];
    let more = [source, target, latitude, longitude, region].map(|name| ("parts", name));
    let one = one.into_iter().chain(more).filter_map(|(part, name)| name.as_deref().map(|name| (part, name)));
    several.chain(one).collect()
}
