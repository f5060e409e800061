//! The columns that a chart's query returns: suggested before a preview, and compared with the form's fields.

use super::Rows;
use crate::{
    concepts::organizations::members::{Reads, Worker},
    faces::console::{
        answer::Refused,
        submission::{Submission, Typed},
        visit::Visit,
    },
    flows::management::{
        chart_columns::{self, told},
        charts::LibraryChart,
    },
    ground::{
        error::{Kind, Result},
        problems::Problems,
        web::Answer,
    },
};
use axum::response::{IntoResponse, Response};
use inlay_console::Draft;
use inlay_contract::{
    chart::definition::{Encoding, Names},
    data::Column,
};
use inlay_query::Probed;
use serde_json::{Map, Value, json};

/// What is known about a draft's query.
#[derive(Default)]
pub(super) struct Known {
    /// The columns that it returns.
    pub(super) columns: Vec<String>,
    /// The rows of a preview.
    pub(super) rows: Option<Rows>,
}

/// `POST …/charts/columns`: the columns that a query returns, its problems, and those of the fields that name columns.
pub async fn columns(Submission { visit, typed }: Submission<Visit<Worker>>) -> Result<Response, Refused> {
    let probed = asked(&visit, typed.get("connection"), typed.get("sql")).await?;
    let mut problems = Problems::default();
    let encoding = encoding(&typed, &mut problems);
    let mut wrong = details(problems);
    if !typed.get("sql").is_empty() {
        wrong.extend(details(told(&encoding, &probed)));
    }
    Ok(Answer(json!({ "columns": chart_columns::names(&probed), "problems": wrong })).into_response())
}

/// The columns of a query. A query without a known connection is not run.
async fn asked<R: Reads>(visit: &Visit<R>, connection: &str, sql: &str) -> Result<Probed> {
    let Ok(connection) = connection.parse() else { return Ok(Probed::Unasked) };
    match chart_columns::of_query(visit.app(), &visit.member, visit.project()?.id, connection, sql).await {
        Err(gone) if gone.kind() == Kind::NotFound => Ok(Probed::Unasked),
        probed => probed,
    }
}

/// The columns of a saved chart, for members who may change it. Problems with them are shown beside their field.
pub(super) async fn of_chart<R: Reads>(visit: &Visit<R>, chart: &LibraryChart, draft: &mut Draft) -> Result<Known> {
    if !visit.is::<Worker>() {
        return Ok(Known::default());
    }
    let probed = asked(visit, draft.value("connection"), draft.value("sql")).await?;
    if !draft.value("sql").is_empty() {
        refuse(draft, &details(told(&chart.chart.definition.encoding, &probed)));
    }
    known(visit, Some(chart), draft, &probed).await
}

/// The columns of a draft's query.
pub(super) async fn of_draft(visit: &Visit<Worker>, chart: Option<&LibraryChart>, draft: &Draft) -> Result<Known> {
    let probed = asked(visit, draft.value("connection"), draft.value("sql")).await?;
    known(visit, chart, draft, &probed).await
}

/// The columns that a query returns; when its database does not respond, those that it returned when it was saved.
async fn known<R: Reads>(visit: &Visit<R>, chart: Option<&LibraryChart>, draft: &Draft, probed: &Probed) -> Result<Known> {
    let saved = chart.map(|one| &one.chart).filter(|chart| {
        *probed == Probed::Unasked && chart.definition.sql_override.as_deref().unwrap_or_default() == draft.value("sql")
    });
    let kept = match saved {
        Some(chart) => chart_columns::kept(visit.app(), &visit.member, visit.project()?.id, chart.id, chart.version).await?,
        None => None,
    };
    Ok(Known { columns: chart_columns::names(probed).or(kept).unwrap_or_default(), rows: None })
}

/// The columns that an encoding names and the rows do not have, by field.
pub(super) fn unknown(encoding: &Encoding, given: &[Column]) -> Map<String, Value> {
    let mut problems = Problems::default();
    chart_columns::check(encoding, given, &mut problems);
    details(problems)
}

/// Shows each problem beside its field.
pub(super) fn refuse(draft: &mut Draft, wrong: &Map<String, Value>) {
    for (name, told) in wrong {
        draft.refuse(name, told.as_str().unwrap_or_default());
    }
}

/// Problems by their field.
fn details(problems: Problems) -> Map<String, Value> {
    problems.finish().err().and_then(|problem| problem.details).map(|details| *details).unwrap_or_default()
}

/// The encoding in a form.
pub(super) fn encoding(typed: &Typed, problems: &mut Problems) -> Encoding {
    let parts = object(typed, "parts", problems);
    let parts: Encoding = serde_json::from_value(Value::Object(parts)).unwrap_or_else(|problem| {
        problems.note("parts", Err(format!("cannot be read: {problem}")));
        Encoding::default()
    });
    let given = |name: &str| typed.given(name).map(str::to_owned);
    Encoding {
        x: given("x"),
        y: names(typed, "y"),
        series: given("series"),
        label: names(typed, "label"),
        value: given("value"),
        ..parts
    }
}

/// A field with a JSON object. Empty when the field is empty.
pub(super) fn object(typed: &Typed, name: &str, problems: &mut Problems) -> Map<String, Value> {
    match typed.given(name).map(serde_json::from_str::<Value>) {
        None => Map::new(),
        Some(Ok(Value::Object(object))) => object,
        Some(_) => {
            problems.note(name, Err("is not a JSON object".to_owned()));
            Map::new()
        }
    }
}

fn names(typed: &Typed, name: &str) -> Option<Names> {
    let all: Vec<String> =
        typed.get(name).split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    match all.len() {
        0 => None,
        _ if name == "y" => Some(Names::Many(all)),
        1 => all.into_iter().next().map(Names::One),
        _ => Some(Names::Many(all)),
    }
}
