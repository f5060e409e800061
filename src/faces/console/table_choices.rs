//! The tables of a connection's database, to choose from.

use super::{
    answer::Page,
    connections::found,
    sheet,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::organizations::members::Worker,
    flows::management::catalog,
    ground::error::{Code, Error, Kind, Result},
};
use axum::{http::StatusCode, response::IntoResponse};
use inlay_console::{
    Section,
    pages::table_choices::{self as views, Sample, TableChoice, TableChoices},
};
use inlay_contract::data::ColumnType;
use inlay_query::Source;
use serde_json::Value;

/// The maximum number of rows in a sample.
const ROWS_SHOWN: usize = 10;

/// `GET …/connections/{connection}/tables`
pub async fn show(visit: Visit<Worker>) -> Page {
    let source = found(&visit).await?;
    draw(&visit, &source, &[], None, None).await
}

/// Renders the page. `chosen` are the selected tables.
async fn draw(
    visit: &Visit<Worker>,
    source: &Source,
    chosen: &[&str],
    sample: Option<Result<Sample, String>>,
    problem: Option<String>,
) -> Page {
    let project = visit.project()?.id;
    let open = catalog::opened(visit.app(), &visit.member, project, source.id).await?;
    let kind = |kind: ColumnType| serde_json::to_value(kind).ok().and_then(|kind| kind.as_str().map(str::to_owned));
    let offered = |table: inlay_query::SourceTable| TableChoice {
        listed: open.tables.iter().find(|listed| listed.name == table.name).map(|listed| listed.id.to_string()),
        chosen: chosen.contains(&table.name.as_str()),
        name: table.name,
        columns: table.columns.into_iter().map(|column| (column.name, kind(column.kind).unwrap_or_default())).collect(),
    };
    let tables = match catalog::offered(visit.app(), &visit.member, project, source.id).await {
        Ok(tables) => Ok(tables.into_iter().map(offered).collect()),
        Err(problem) => Err(told(problem)?),
    };
    let page = TableChoices {
        project: project.to_string(),
        connection: source.id.to_string(),
        connection_name: source.name.clone(),
        tables,
        sample,
        problem,
    };
    visit.page("Choose tables", Section::Connections, || views::show(&page)).await
}

/// The source's error, for the operator. Other errors are passed on.
fn told(problem: Error) -> Result<String> {
    if matches!(problem.kind(), Kind::Unprocessable | Kind::Unavailable | Kind::Timeout)
        && problem.code != Code::StoreUnavailable
    {
        return Ok(problem.context.unwrap_or(problem.message));
    }
    Err(problem)
}

/// `POST …/connections/{connection}/tables/sample`
pub async fn sample(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let source = found(&visit).await?;
    let (project, table) = (visit.project()?.id, typed.get("table"));
    let found = match catalog::sample(visit.app(), &visit.member, project, source.id, table, ROWS_SHOWN).await {
        Ok(rows) => Ok(Sample { table: table.to_owned(), sheet: sheet::of(&rows, ROWS_SHOWN) }),
        Err(problem) => Err(told(problem)?),
    };
    let chosen: Vec<&str> = chosen(&typed).collect();
    draw(&visit, &source, &chosen, Some(found), None).await
}

/// The selected tables.
pub fn chosen(typed: &Typed) -> impl Iterator<Item = &str> {
    typed.names().filter_map(|name| name.strip_prefix("add."))
}

/// Lists the chosen tables. A single one redirects to its own page, where its row access is set.
///
/// # Errors
/// Errors that another selection cannot solve.
pub async fn add(visit: &Visit<Worker>, source: &Source, chosen: &[&str]) -> Page {
    if chosen.is_empty() {
        let told = "Select at least one table first.".to_owned();
        return Ok(with_status(draw(visit, source, chosen, None, Some(told)).await?, StatusCode::BAD_REQUEST));
    }
    let project = visit.project()?.id;
    let mut last = None;
    for name in chosen {
        match catalog::add(visit.app(), &visit.member, project, source.id, name).await {
            Ok(id) => last = Some(id),
            Err(problem) if problem.code == Code::TableListed => {}
            Err(problem) if matches!(problem.kind(), Kind::Invalid) => {
                let told = problem.details.iter().flat_map(|details| details.values()).find_map(Value::as_str);
                let told = format!("{name}: {}", told.unwrap_or(&problem.message));
                return Ok(with_status(draw(visit, source, chosen, None, Some(told)).await?, StatusCode::BAD_REQUEST));
            }
            Err(problem) => return Err(problem.into()),
        }
    }
    let own = visit.at(&format!("connections/{}", source.id));
    Ok(match (last, chosen.len()) {
        (Some(id), 1) => {
            visit.done(&format!("{own}/tables/{id}"), "Table listed. It is closed until you set which rows each user sees.")
        }
        (_, count) => {
            visit.done(&own, &format!("{count} tables listed. Each is closed until you set which rows each user sees."))
        }
    }
    .into_response())
}
