//! The chart library of a project.

mod columns;

pub use columns::columns;

use super::{
    answer::Page,
    sheet,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::{
        charts::{Chart, PlacedCopy},
        organizations::members::{Reads, Worker},
    },
    flows::management::{
        chart_copies,
        charts::{self, ChartSettings, LibraryChart, Saved},
    },
    ground::{
        error::{Error, Result},
        problems::Problems,
        time::Timestamp,
    },
};
use axum::http::StatusCode;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use columns::Known;
use inlay_console::{
    Draft, Section,
    pages::charts::{self as views, ChartPage, ChartRow, CopyRow, Rows, VersionRow},
};
use inlay_contract::{
    chart::definition::{ChartDefinition, ChartType},
    data::ChartData,
    ids::{ChartId, DashboardId},
};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The maximum number of rows in a preview.
const ROWS_SHOWN: usize = 20;

/// The parts of an encoding that have a form field of their own.
const PARTS: [&str; 5] = ["x", "y", "series", "label", "value"];

/// A chart type as forms and project files write it.
fn kind_name(kind: ChartType) -> String {
    serde_json::to_value(kind).ok().and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default()
}

/// `GET /console/projects/{project}/charts`
pub async fn list(visit: Visit) -> Page {
    let row = |one: LibraryChart| ChartRow {
        id: one.chart.id.to_string(),
        kind: one.chart.definition.kind.label().to_owned(),
        used_on: one.used_on(),
        name: one.chart.name,
        version: one.chart.version,
    };
    let project = visit.project()?.id;
    let rows: Vec<_> = charts::list(visit.app(), &visit.member, project).await?.into_iter().map(row).collect();
    visit.page("Charts", Section::Charts, || views::list(&project.to_string(), &rows, visit.is::<Worker>())).await
}

/// `GET …/charts/new`
pub async fn show_new(visit: Visit<Worker>) -> Page {
    draw(&visit, None, Draft::of([("kind", "line")]), Known::default()).await
}

async fn found<R: Reads>(visit: &Visit<R>) -> Result<LibraryChart> {
    charts::find(visit.app(), &visit.member, visit.project()?.id, visit.person.id::<ChartId>("chart")?).await
}

/// `GET …/charts/{chart}`
pub async fn show(visit: Visit) -> Page {
    let found = found(&visit).await?;
    let mut draft = draft_of(&found.chart)?;
    let known = columns::of_chart(&visit, &found, &mut draft).await?;
    draw(&visit, Some(&found), draft, known).await
}

fn draft_of(chart: &Chart) -> Result<Draft> {
    let definition = &chart.definition;
    let mut parts = match serde_json::to_value(&definition.encoding).map_err(Error::internal)? {
        Value::Object(parts) => parts,
        _ => Map::new(),
    };
    let mut draft = Draft::of([("name", chart.name.clone()), ("connection", chart.connection.to_string())])
        .with("kind", kind_name(definition.kind))
        .with("seen", chart.version.to_string())
        .with("sql", definition.sql_override.clone().unwrap_or_default())
        .with("cacheSeconds", definition.cache_seconds.map(|seconds| seconds.to_string()).unwrap_or_default());
    for name in PARTS {
        let text = match parts.shift_remove(name) {
            Some(Value::String(text)) => text,
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
            _ => String::new(),
        };
        draft = draft.with(name, text);
    }
    let shown = |object: Map<String, Value>| {
        if object.is_empty() { String::new() } else { serde_json::to_string_pretty(&Value::Object(object)).unwrap_or_default() }
    };
    Ok(draft.with("parts", shown(parts)).with("options", shown(definition.options.clone())))
}

/// What a chart asks, as text: its SQL or its query of the semantic model.
fn asked(definition: &ChartDefinition) -> String {
    let by_meaning = || serde_json::to_string_pretty(&definition.model_query()?).ok();
    definition.sql_override.clone().or_else(by_meaning).unwrap_or_default()
}

/// Shows a draft again that could not be saved.
async fn again(visit: &Visit<Worker>, chart: Option<&LibraryChart>, draft: Draft, status: StatusCode) -> Page {
    let known = columns::of_draft(visit, chart, &draft).await?;
    Ok(with_status(draw(visit, chart, draft, known).await?, status))
}

async fn draw<R: Reads>(visit: &Visit<R>, chart: Option<&LibraryChart>, draft: Draft, known: Known) -> Page {
    let (app, project) = (visit.app(), visit.project()?.id);
    let sources = crate::flows::management::connections::list(app, &visit.member, project).await?;
    let users = super::people::offered(visit).await?;
    let versions = match chart {
        Some(one) => charts::versions(app, &visit.member, project, one.chart.id).await?,
        None => Vec::new(),
    };
    let version = |(chart, at): (Chart, Timestamp)| VersionRow {
        number: chart.version,
        name: chart.name,
        kind: chart.definition.kind.label().to_owned(),
        query: asked(&chart.definition),
        at: at.to_string(),
    };
    let options = serde_json::from_str::<Value>(draft.value("options"));
    let page = ChartPage {
        by_model: draft.value("sql").trim().is_empty() && options.is_ok_and(|options| options.get("query").is_some()),
        project: project.to_string(),
        id: chart.map(|one| one.chart.id.to_string()),
        name: chart.map(|one| one.chart.name.clone()).unwrap_or_default(),
        version: chart.map(|one| one.chart.version).unwrap_or_default(),
        used_on: chart.map(LibraryChart::used_on).unwrap_or_default(),
        copies: chart.map(|one| one.copies.iter().map(|copy| copy_row(copy, one.chart.version)).collect()).unwrap_or_default(),
        connections: sources.into_iter().map(|source| (source.id.to_string(), source.name)).collect(),
        kinds: ChartType::OFFERED.map(|kind| (kind_name(kind), kind.label().to_owned())).to_vec(),
        users,
        columns: known.columns,
        rows: known.rows,
        versions: versions.into_iter().map(version).collect(),
        may_change: visit.is::<Worker>(),
    };
    let title = if page.name.is_empty() { "New chart" } else { &page.name };
    visit.page(title, Section::Charts, || views::show(&page, &draft)).await
}

fn copy_row(copy: &PlacedCopy, newest: i64) -> CopyRow {
    CopyRow {
        dashboard: copy.dashboard.to_string(),
        address: format!("applications/{}/dashboards/{}", copy.application, copy.dashboard),
        named: copy.named.clone(),
        version: copy.version,
        changed: copy.changed,
        behind: copy.is_behind(newest),
    }
}

fn settings(typed: &Typed) -> Result<ChartSettings> {
    let mut problems = Problems::default();
    let encoding = columns::encoding(typed, &mut problems);
    let options = columns::object(typed, "options", &mut problems);
    let kind = serde_json::from_value::<ChartType>(Value::String(typed.get("kind").to_owned()));
    problems.note("kind", kind.as_ref().map(drop).map_err(|_| "is not a chart type".to_owned()));
    let connection = typed.get("connection").parse();
    problems.note("connection", connection.as_ref().map(drop).map_err(|_| "is required".to_owned()));
    let cache_seconds = typed.given("cacheSeconds").map(str::parse::<u32>).transpose();
    let whole = cache_seconds.as_ref().map(drop).map_err(|_| "must be a whole number, 0 or more".to_owned());
    problems.note("cacheSeconds", whole);
    problems.finish()?;
    Ok(ChartSettings {
        name: typed.get("name").to_owned(),
        connection: connection.map_err(|_| Error::not_found("Connection"))?,
        kind: kind.map_err(Error::internal)?,
        sql: typed.get("sql").to_owned(),
        encoding,
        options,
        cache_seconds: cache_seconds.unwrap_or_default(),
    })
}

/// `POST …/charts`
pub async fn create(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    save(&visit, &typed, None).await
}

/// `POST …/charts/{chart}`
pub async fn change(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let chart = found(&visit).await?;
    save(&visit, &typed, Some(&chart)).await
}

async fn save(visit: &Visit<Worker>, typed: &Typed, chart: Option<&LibraryChart>) -> Page {
    if typed.ticked("try") {
        return attempt(visit, typed, chart).await;
    }
    let project = visit.project()?.id;
    let id = chart.map(|one| one.chart.id);
    let now = chart.map(|one| one.chart.version.to_string()).unwrap_or_default();
    let saved = async {
        super::unchanged(typed.get("seen"), &now)?;
        charts::save(visit.app(), &visit.member, project, id, settings(typed)?).await
    };
    match saved.await {
        Ok(saved) => Ok(visit.done(&visit.at(&format!("charts/{}", saved.id)), &told(saved, chart))),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            again(visit, chart, draft.with("seen", now), status).await
        }
    }
}

/// The notice after saving a chart.
fn told(saved: Saved, old: Option<&LibraryChart>) -> String {
    let what = match old {
        None => "Saved. You can add the chart to dashboards now.".to_owned(),
        Some(_) => format!("Saved as version {}.", saved.version),
    };
    let shown: BTreeSet<_> = old.iter().flat_map(|one| &one.copies).map(|copy| copy.dashboard).collect();
    let behind = match shown.len() {
        0 => String::new(),
        1 => " 1 dashboard shows an earlier version: update it below.".to_owned(),
        many => format!(" {many} dashboards show an earlier version: update them below."),
    };
    let unasked = " The database does not respond, so the query could not be checked.";
    format!("{what}{behind}{}", if saved.checked { "" } else { unasked })
}

/// Previews the rows that a user sees and the chart of them, without saving.
async fn attempt(visit: &Visit<Worker>, typed: &Typed, chart: Option<&LibraryChart>) -> Page {
    let project = visit.project()?.id;
    let tried = async {
        let user =
            typed.get("user").parse().map_err(|_| Error::invalid("user", "is required because rows depend on the user"))?;
        let connection = typed.get("connection").parse().map_err(|_| Error::invalid("connection", "is required"))?;
        let definition = settings(typed)?.into_definition();
        let data = charts::try_as(visit.app(), &visit.member, project, connection, typed.get("sql"), user).await?;
        let drawn = charts::drawn(visit.app(), visit.project()?, &definition, &data).await;
        Ok::<_, Error>((columns::unknown(&definition.encoding, &data.columns), shown(&data, drawn)))
    };
    match tried.await {
        Ok((unknown, rows)) => {
            let mut draft = typed.draft();
            columns::refuse(&mut draft, &unknown);
            let columns = rows.sheet.names();
            draw(visit, chart, draft, Known { columns, rows: Some(rows) }).await
        }
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            again(visit, chart, draft, status).await
        }
    }
}

fn shown(data: &ChartData, drawn: Result<Option<String>, String>) -> Rows {
    let picture = drawn.map(|svg| svg.map(|svg| format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(svg))));
    Rows { sheet: sheet::of(data, ROWS_SHOWN), count: data.rows.len(), picture }
}

/// `POST …/charts/{chart}/copies`: updates the selected dashboards' copies to the newest version.
pub async fn update_copies(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let chart = found(&visit).await?;
    let id = chart.chart.id;
    let chosen = typed.names().filter_map(|name| name.strip_prefix("update.")?.parse::<DashboardId>().ok()).collect();
    let version = typed.get("version").parse().unwrap_or_default();
    match chart_copies::update(visit.app(), &visit.member, visit.project()?.id, id, version, &chosen).await {
        Ok(updated) => {
            let told = match updated {
                0 => "No dashboard with an earlier version was selected.".to_owned(),
                1 => format!("1 chart on a dashboard is now version {version}."),
                many => format!("{many} charts on dashboards are now version {version}."),
            };
            Ok(visit.done(&visit.at(&format!("charts/{id}")), &told))
        }
        Err(problem) => {
            let (status, refused) = typed.refused(problem)?;
            let mut draft = draft_of(&chart.chart)?;
            draft.message = refused.message;
            again(&visit, Some(&chart), draft, status).await
        }
    }
}

/// `POST …/charts/{chart}/restore`
pub async fn restore(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let id: ChartId = visit.person.id("chart")?;
    let number = typed.get("number").parse().map_err(|_| Error::not_found("Version"))?;
    let restored = charts::restore(visit.app(), &visit.member, visit.project()?.id, id, number).await?;
    let told = format!("Version {number} restored as version {restored}.");
    Ok(visit.done(&visit.at(&format!("charts/{id}")), &told))
}

/// `POST …/charts/{chart}/remove`
pub async fn remove(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let project = visit.project()?.id;
    let removal = charts::remove(visit.app(), &visit.member, project, visit.person.id("chart")?).await;
    visit.removed("charts", removal, "Chart deleted from the library.", "This chart has already been deleted from the library.")
}
