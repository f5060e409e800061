//! Charts in the store.

pub mod copies;
pub mod tidy;

use super::{Chart, Maker};
use crate::{
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, copied, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ChartId, ConnectionId, ProjectId, ProjectUserId},
};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

row! {
    /// A chart in its newest version. The store keeps `on_dashboard`: whether a dashboard shows it.
    pub(crate) struct ChartRow in "charts" {
        id: ChartId,
        project_id: ProjectId,
        connection_id: ConnectionId,
        name: String,
        version: i64,
        definition: Json<ChartDefinition>,
        library_name: Option<String>,
        thumbnail: Option<String>,
        created_by: Option<ProjectUserId>,
        space_id: Option<Uuid>,
        origin_id: Option<ChartId>,
        origin_version: Option<i64>,
        on_dashboard: bool,
        created_at: Timestamp,
        updated_at: Timestamp,
        unplaced_at: Option<Timestamp>,
    }
}

row! {
    /// A chart without its picture and its history.
    pub(crate) struct FoundChart of ChartRow {
        id: ChartId,
        project_id: ProjectId,
        connection_id: ConnectionId,
        name: String,
        version: i64,
        definition: Json<ChartDefinition>,
    }
}

row! {
    /// A chart's name and version.
    pub(crate) struct NamedChart of ChartRow { id: ChartId, name: String, version: i64 }
}

row! {
    /// One version of a chart.
    pub(crate) struct ChartVersionRow in "chart_versions" {
        chart_id: ChartId,
        version: i64,
        connection_id: ConnectionId,
        name: String,
        definition: Json<ChartDefinition>,
        created_at: Timestamp,
        query_columns: Option<Json<Vec<String>>>,
    }
}

#[derive(FromRow)]
struct FoundVersion {
    project_id: ProjectId,
    #[sqlx(flatten)]
    version: ChartVersionRow,
}

impl From<FoundChart> for Chart {
    fn from(row: FoundChart) -> Self {
        Self {
            id: row.id,
            project: row.project_id,
            connection: row.connection_id,
            name: row.name,
            version: row.version,
            definition: row.definition.0,
        }
    }
}

impl From<FoundVersion> for Chart {
    fn from(FoundVersion { project_id, version }: FoundVersion) -> Self {
        Self {
            id: version.chart_id,
            project: project_id,
            connection: version.connection_id,
            name: version.name,
            version: version.version,
            definition: version.definition.0,
        }
    }
}

impl ChartVersionRow {
    /// The chart's version, as it is stored now.
    fn of(chart: &Chart) -> Self {
        Self {
            chart_id: chart.id,
            version: chart.version,
            connection_id: chart.connection,
            name: chart.name.clone(),
            definition: Json(chart.definition.clone()),
            created_at: Timestamp::now(),
            query_columns: None,
        }
    }
}

/// A chart of a project in its newest version.
pub async fn find_newest(conn: &mut Conn<'_>, project: ProjectId, id: ChartId) -> Result<Option<Chart>> {
    const SQL: &str = sql!("SELECT ", columns!(FoundChart), " FROM charts WHERE id = $1 AND project_id = $2");
    Ok(on!(conn, |c| sqlx::query_as::<_, FoundChart>(SQL).bind(id).bind(project).fetch_optional(c).await)?.map(Chart::from))
}

const VERSIONS: &str = sql!(
    "SELECT ",
    columns!(ChartVersionRow as v),
    ", c.project_id FROM chart_versions v JOIN charts c ON c.id = v.chart_id WHERE v.chart_id = $1 AND c.project_id = $2"
);

/// A chart of a project in one of its versions.
pub async fn find_version(conn: &mut Conn<'_>, project: ProjectId, id: ChartId, version: i64) -> Result<Option<Chart>> {
    const SQL: &str = sql!(VERSIONS, " AND v.version = $3");
    let found = on!(conn, |c| {
        let find = sqlx::query_as::<_, FoundVersion>(SQL).bind(id).bind(project).bind(version);
        find.fetch_optional(c).await
    })?;
    Ok(found.map(Chart::from))
}

/// The versions of a chart, newest first, each with the time at which it was stored.
pub async fn versions(conn: &mut Conn<'_>, project: ProjectId, id: ChartId, most: i64) -> Result<Vec<(Chart, Timestamp)>> {
    const SQL: &str = sql!(VERSIONS, " ORDER BY v.version DESC LIMIT $3");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundVersion>(SQL).bind(id).bind(project).bind(most).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|row| (row.version.created_at, Chart::from(row))).map(|(at, chart)| (chart, at)).collect())
}

/// The chart with this name in a project file.
pub async fn find_in_library(conn: &mut Conn<'_>, project: ProjectId, library_name: &str) -> Result<Option<Chart>> {
    const SQL: &str = sql!("SELECT ", columns!(FoundChart), " FROM charts WHERE project_id = $1 AND library_name = $2");
    let found = on!(conn, |c| sqlx::query_as::<_, FoundChart>(SQL).bind(project).bind(library_name).fetch_optional(c).await)?;
    Ok(found.map(Chart::from))
}

/// The columns of a chart's row beside its definition.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'a> {
    /// Its name in a project file.
    pub library_name: Option<&'a str>,
    /// A picture of it, as a data URL.
    pub thumbnail: Option<&'a str>,
    /// Its creator.
    pub maker: Maker,
}

/// Stores a new chart with its version.
pub async fn insert(conn: &mut Conn<'_>, chart: &Chart, origin: Origin<'_>) -> Result<()> {
    let now = Timestamp::now();
    let row = ChartRow {
        id: chart.id,
        project_id: chart.project,
        connection_id: chart.connection,
        name: chart.name.clone(),
        version: chart.version,
        definition: Json(chart.definition.clone()),
        library_name: origin.library_name.map(str::to_owned),
        thumbnail: origin.thumbnail.map(str::to_owned),
        created_by: origin.maker.user,
        space_id: origin.maker.space,
        origin_id: None,
        origin_version: None,
        on_dashboard: false,
        created_at: now,
        updated_at: now,
        unplaced_at: None,
    };
    rows::insert(conn, row).await?;
    Ok(rows::insert(conn, ChartVersionRow::of(chart)).await?)
}

/// Stores a copy of a chart's version as version 1 of a new chart, with the original's thumbnail. Returns whether the original exists.
pub async fn copy(conn: &mut Conn<'_>, original: ChartId, version: i64, id: ChartId, maker: Maker) -> Result<bool> {
    const CHART: &str = sql!(
        "INSERT INTO charts (",
        columns!(ChartRow),
        ") SELECT ",
        copied!(ChartRow as c {
            id: "$1",
            connection_id: "v.connection_id",
            name: "v.name",
            version: "1",
            definition: "v.definition",
            library_name: "NULL",
            created_by: "$4",
            space_id: "$5",
            origin_id: "NULL",
            origin_version: "NULL",
            on_dashboard: "FALSE",
            created_at: "$6",
            updated_at: "$6",
            unplaced_at: "NULL",
        }),
        " FROM chart_versions v JOIN charts c ON c.id = v.chart_id WHERE v.chart_id = $2 AND v.version = $3"
    );
    const VERSION: &str = sql!(
        "INSERT INTO chart_versions (",
        columns!(ChartVersionRow),
        ") SELECT ",
        copied!(ChartVersionRow as v { chart_id: "$1", version: "1", created_at: "$4" }),
        " FROM chart_versions v WHERE v.chart_id = $2 AND v.version = $3"
    );
    let now = Timestamp::now();
    let copied = on!(conn, |c| {
        let copy = sqlx::query(CHART).bind(id).bind(original).bind(version).bind(maker.user).bind(maker.space).bind(now);
        copy.execute(c).await.map(|done| done.rows_affected())
    })?;
    on!(conn, |c| sqlx::query(VERSION).bind(id).bind(original).bind(version).bind(now).execute(c).await.map(drop))?;
    Ok(copied == 1)
}

/// Stores a changed chart as a new version. Older versions stay.
pub async fn update(conn: &mut Conn<'_>, chart: &Chart) -> Result<()> {
    const SQL: &str =
        "UPDATE charts SET connection_id = $2, name = $3, version = $4, definition = $5, updated_at = $6 WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(chart.id).bind(chart.connection).bind(&chart.name).bind(chart.version);
        update.bind(Json(&chart.definition)).bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    Ok(rows::insert(conn, ChartVersionRow::of(chart)).await?)
}

/// The library charts of a project file, by name.
pub async fn list_of_file(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<Chart>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(FoundChart),
        " FROM charts WHERE project_id = $1 AND library_name IS NOT NULL ORDER BY library_name"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundChart>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Chart::from).collect())
}

/// The charts that a project user may add to a dashboard and that are on none: the project's library, and their own space's charts.
pub async fn library(conn: &mut Conn<'_>, project: ProjectId, maker: Maker) -> Result<Vec<Chart>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(FoundChart),
        " FROM (SELECT * FROM (SELECT * FROM charts WHERE project_id = $1 AND on_dashboard = FALSE AND space_id IS NULL \
        ORDER BY name, id LIMIT 500) library UNION ALL SELECT * FROM (SELECT * FROM charts WHERE project_id = $1 \
        AND on_dashboard = FALSE AND space_id = $2 ORDER BY name, id LIMIT 500) own) c ORDER BY name, id LIMIT 500"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundChart>(SQL).bind(project).bind(maker.space).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Chart::from).collect())
}

/// Sets the name under which a project file finds a chart.
pub async fn set_library_name(conn: &mut Conn<'_>, id: ChartId, library_name: &str) -> Result<()> {
    const SQL: &str = "UPDATE charts SET library_name = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(library_name).execute(c).await.map(drop))?;
    Ok(())
}

/// A part of all charts of a project, those of dashboards included, in the order of their ids.
pub async fn part_of_project(conn: &mut Conn<'_>, project: ProjectId, after: Option<ChartId>, most: i64) -> Result<Vec<Chart>> {
    const SQL: &str =
        sql!("SELECT ", columns!(FoundChart), " FROM charts WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3");
    let after = after.unwrap_or(ChartId(Uuid::nil()));
    let rows = on!(conn, |c| {
        let part = sqlx::query_as::<_, FoundChart>(SQL).bind(project).bind(after).bind(most);
        part.fetch_all(c).await
    })?;
    Ok(rows.into_iter().map(Chart::from).collect())
}

/// The charts of a connection that belong to no customer: those of the library and of shared dashboards, by name.
pub async fn of_connection(conn: &mut Conn<'_>, connection: ConnectionId) -> Result<Vec<Chart>> {
    const SQL: &str =
        sql!("SELECT ", columns!(FoundChart), " FROM charts WHERE connection_id = $1 AND space_id IS NULL ORDER BY name, id");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundChart>(SQL).bind(connection).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Chart::from).collect())
}

/// The queries of a connection in charts that belong to customers.
pub async fn of_customers(conn: &mut Conn<'_>, connection: ConnectionId) -> Result<Vec<ChartDefinition>> {
    const SQL: &str = "SELECT definition FROM charts WHERE connection_id = $1 AND space_id IS NOT NULL";
    let rows: Vec<Json<ChartDefinition>> = on!(conn, |c| sqlx::query_scalar(SQL).bind(connection).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|Json(definition)| definition).collect())
}

/// Deletes a chart with its versions.
pub async fn delete(conn: &mut Conn<'_>, id: ChartId) -> Result<()> {
    const SQL: &str = "DELETE FROM charts WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// The library of a project: charts that are on no dashboard and belong to no customer, by name.
pub async fn of_library(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<Chart>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(FoundChart),
        " FROM charts WHERE project_id = $1 AND on_dashboard = FALSE AND space_id IS NULL ORDER BY name, id"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundChart>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Chart::from).collect())
}

/// Stores the columns that the query of a chart's version returns.
pub async fn keep_columns(conn: &mut Conn<'_>, id: ChartId, version: i64, columns: &[String]) -> Result<()> {
    const SQL: &str = "UPDATE chart_versions SET query_columns = $3 WHERE chart_id = $1 AND version = $2";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(version).bind(Json(columns)).execute(c).await.map(drop))?;
    Ok(())
}

/// The columns that the query of a version returned when it was saved. `None` when it was not checked then.
pub async fn columns(conn: &mut Conn<'_>, id: ChartId, version: i64) -> Result<Option<Vec<String>>> {
    const SQL: &str = "SELECT query_columns FROM chart_versions WHERE chart_id = $1 AND version = $2";
    type Found = Option<Json<Vec<String>>>;
    let found = on!(conn, |c| sqlx::query_scalar::<_, Found>(SQL).bind(id).bind(version).fetch_optional(c).await)?;
    Ok(found.flatten().map(|Json(columns)| columns))
}
