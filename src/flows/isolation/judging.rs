//! Judges what a made-up customer got. Over tables of which they may see no row, an answer has to be what it is when these
//! tables are empty.

use super::{
    strangers::{SILENT, STRANGERS, Scene},
    ways::Way,
};
use crate::{
    concepts::{
        dashboards::data,
        isolation::{Finding, Findings},
        projects::Project,
    },
    ground::{
        error::{Code, Error, Result},
        state::App,
    },
};
use futures::future::BoxFuture;
use inlay_contract::{data::ChartData, ids::ConnectionId};
use inlay_query::{Query, SecurityContext, Sees, Today};
use serde_json::Value;
use std::{collections::HashSet, sync::Arc};
use tokio::time::{Instant, timeout_at};

/// How often an answer that differs is compared again, because rows that everybody sees may change in the meantime.
const ROUNDS: usize = 3;

const LATE: &str = "The check reached its time limit (INLAY_ISOLATION_MINUTES).";

/// A check in progress.
pub(super) struct Check {
    pub app: App,
    pub project: Arc<Project>,
    pub today: Today,
    /// When it has to end.
    pub deadline: Instant,
    pub scenes: Vec<Arc<Scene>>,
    pub strangers: [SecurityContext; STRANGERS],
    pub findings: Findings,
    /// What each made-up customer has asked: only then may an answer of theirs be cached.
    pub seen: HashSet<(usize, ConnectionId, String)>,
}

/// A question by one way.
pub(super) struct Asked<'a> {
    pub way: Way,
    /// The chart, table or workspace.
    pub place: &'a str,
    pub scene: &'a Scene,
    /// Its query.
    pub query: Query,
    /// Whether a refusal proves nothing here.
    pub has_to_answer: bool,
}

/// Asks a question as a made-up customer.
pub(super) type Ask<'a, T> = &'a (dyn Fn(SecurityContext) -> BoxFuture<'a, Result<T>> + Send + Sync);

/// The judgement of an answer.
enum Verdict {
    Empty,
    Compared,
    Refused,
    Shared,
    Leak(String),
    Gap(String),
}

impl Check {
    /// Whether the time is over.
    pub fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// The connection with this id.
    pub fn scene(&self, id: ConnectionId) -> Option<Arc<Scene>> {
        self.scenes.iter().find(|scene| scene.open.source.id == id).cloned()
    }

    /// Asks as each made-up customer, and judges the rows.
    pub async fn rows(&mut self, asked: &Asked<'_>, ask: Ask<'_, ChartData>) {
        for who in 0..STRANGERS {
            self.rows_as(who, asked, ask).await;
        }
    }

    /// Asks as one made-up customer, and judges the rows.
    pub async fn rows_as(&mut self, who: usize, asked: &Asked<'_>, ask: Ask<'_, ChartData>) {
        let context = asked.scene.context(&self.strangers[who]);
        let verdict = if asked.scene.away {
            Verdict::Gap(SILENT.to_owned())
        } else {
            let judged = timeout_at(self.deadline, self.verdict(asked, who, &context, ask));
            judged.await.unwrap_or_else(|_| Verdict::Gap(LATE.to_owned()))
        };
        self.note(asked.way, asked.place, verdict);
    }

    async fn verdict(&mut self, asked: &Asked<'_>, who: usize, context: &SecurityContext, ask: Ask<'_, ChartData>) -> Verdict {
        let Asked { scene, query, .. } = asked;
        let source = &scene.open.source;
        let got = ask(context.clone()).await;
        let is_first = self.seen.insert((who, source.id, format!("{} {:?}", query.sql, query.filters)));
        let tables = match self.app.engine.reading(source, &scene.listed, &query.sql).await {
            Ok(reading) => reading.tables.clone(),
            Err(problem) if problem.may_pass() => return Verdict::Gap(SILENT.to_owned()),
            Err(_) => return refused_or(asked, got, "A query was answered that the catalogue does not allow."),
        };
        let sees: Vec<Option<Sees>> = tables.iter().map(|table| scene.sees.get(table).copied()).collect();
        if sees.contains(&None) {
            return Verdict::Gap("A table could not be described.".to_owned());
        }
        if sees.contains(&Some(Sees::Closed)) {
            return refused_or(asked, got, "A query of a table that nobody may query was answered.");
        }
        if !sees.contains(&Some(Sees::NoRow)) {
            return Verdict::Shared;
        }
        let rows = match got {
            Ok(rows) => rows,
            Err(problem) => return refusal(asked, &problem),
        };
        if rows.cached && is_first {
            return Verdict::Leak("The answer came from the cache, where another customer's answer was.".to_owned());
        }
        if is_empty(&rows) { Verdict::Empty } else { self.compare(asked, context, rows, ask).await }
    }

    /// Compares rows with those that are there when the tables with a rule are empty.
    async fn compare(&self, asked: &Asked<'_>, context: &SecurityContext, got: ChartData, ask: Ask<'_, ChartData>) -> Verdict {
        let Asked { scene, query, .. } = asked;
        let mut got = got;
        for round in 0..ROUNDS {
            let before = match self.without_rows(scene, context, query, round > 0).await {
                Ok(rows) => rows,
                Err(problem) => return refusal(asked, &problem),
            };
            if is_same(&before, &got) {
                return Verdict::Compared;
            }
            // Replaces what is cached for this customer, so that all three answers are of now.
            let anew = Query { refresh: true, ..query.clone() };
            let refreshed = data::ask(&self.app, &scene.open.source, &scene.open.catalog, context, &anew).await;
            let after = self.without_rows(scene, context, query, true).await;
            (got, _) = match (ask(context.clone()).await, refreshed) {
                (Ok(rows), Ok(refreshed)) => (rows, refreshed),
                (Err(problem), _) => return refusal(asked, &problem),
                (_, Err(problem)) => return refusal(asked, &problem.into()),
            };
            let after = match after {
                Ok(rows) => rows,
                Err(problem) => return refusal(asked, &problem),
            };
            if is_empty(&got) {
                return Verdict::Empty;
            }
            if is_same(&before, &got) || is_same(&after, &got) {
                return Verdict::Compared;
            }
            if is_same(&before, &after) {
                return Verdict::Leak("A made-up customer saw values that only rows behind a rule can give.".to_owned());
            }
        }
        Verdict::Gap("The answer changes from moment to moment, so it cannot be compared.".to_owned())
    }

    /// The answer when the tables with a rule are empty.
    pub async fn without_rows(
        &self,
        scene: &Scene,
        context: &SecurityContext,
        query: &Query,
        refresh: bool,
    ) -> Result<ChartData> {
        let query = Query { refresh, ..query.clone() };
        Ok(data::ask(&self.app, &scene.open.source, &scene.emptied, context, &query).await?.into_data())
    }

    /// Asks for a list of a table's values or rows as each made-up customer. It has to be empty.
    pub async fn list(&mut self, way: Way, place: &str, scene: &Scene, table: &str, ask: Ask<'_, usize>) {
        for stranger in self.strangers.clone() {
            let verdict = match scene.sees.get(table) {
                _ if scene.away => Verdict::Gap(SILENT.to_owned()),
                None => Verdict::Gap("The table could not be described.".to_owned()),
                Some(Sees::Everything | Sees::Perhaps) => Verdict::Shared,
                Some(sees) => match timeout_at(self.deadline, ask(scene.context(&stranger))).await {
                    Err(_) => Verdict::Gap(LATE.to_owned()),
                    Ok(Ok(0)) if *sees == Sees::NoRow => Verdict::Empty,
                    Ok(Ok(count)) => Verdict::Leak(format!("A made-up customer got {count} values or rows of this table.")),
                    Ok(Err(problem)) => refusal_of(scene, false, &problem),
                },
            };
            self.note(way, place, verdict);
        }
    }

    /// Notes that a question could not be asked.
    pub fn note_problem(&mut self, way: Way, place: &str, scene: &Scene, problem: &Error) {
        let verdict = refusal_of(scene, false, problem);
        self.note(way, place, verdict);
    }

    /// Notes that the time is over.
    pub fn note_late(&mut self, way: Way) {
        self.note(way, "", Verdict::Gap(LATE.to_owned()));
    }

    fn note(&mut self, way: Way, place: &str, verdict: Verdict) {
        let tally = self.findings.ways.entry(way.name().to_owned()).or_default();
        let finding = |what| Finding { way: way.name().to_owned(), place: place.to_owned(), what };
        match &verdict {
            Verdict::Gap(_) => {}
            Verdict::Shared => tally.shared += 1,
            _ => tally.asked += 1,
        }
        match verdict {
            Verdict::Empty => tally.empty += 1,
            Verdict::Compared => tally.compared += 1,
            Verdict::Refused => tally.refused += 1,
            Verdict::Shared => {}
            Verdict::Leak(what) => self.findings.leak(finding(what)),
            Verdict::Gap(what) => self.findings.gap(finding(what)),
        }
    }
}

/// What has to be refused: an answer is a leak.
fn refused_or(asked: &Asked<'_>, got: Result<ChartData>, leak: &str) -> Verdict {
    match got {
        Ok(_) => Verdict::Leak(leak.to_owned()),
        Err(problem) if is_away(&problem) => refusal(asked, &problem),
        Err(_) => Verdict::Refused,
    }
}

fn refusal(asked: &Asked<'_>, problem: &Error) -> Verdict {
    refusal_of(asked.scene, asked.has_to_answer, problem)
}

/// What an error means: nobody saw a row, or nothing was asked.
fn refusal_of(scene: &Scene, has_to_answer: bool, problem: &Error) -> Verdict {
    match problem.code {
        _ if is_away(problem) => Verdict::Gap(SILENT.to_owned()),
        _ if scene.needs_token() => Verdict::Refused,
        Code::RowRuleUnresolved if has_to_answer => {
            Verdict::Gap("The rule cannot be applied to a made-up customer: no random value fits its columns.".to_owned())
        }
        _ if has_to_answer => Verdict::Gap("The database refused the query.".to_owned()),
        _ => Verdict::Refused,
    }
}

/// Whether the source, the store or the node was not there.
const fn is_away(problem: &Error) -> bool {
    matches!(
        problem.code,
        Code::SourceUnavailable | Code::QueryTimeout | Code::Unavailable | Code::StoreUnavailable | Code::Internal
    )
}

/// Whether there are no rows, or a single one that holds nothing: nulls, zeros, `false` and empty texts, as aggregates over no row give.
fn is_empty(data: &ChartData) -> bool {
    let nothing = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty() || text.parse() == Ok(0.0),
        _ => false,
    };
    data.rows.len() <= 1 && data.rows.iter().flatten().all(nothing)
}

fn is_same(one: &ChartData, other: &ChartData) -> bool {
    one.columns == other.columns && one.rows == other.rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn aggregates_over_no_row_are_empty_and_values_are_not() {
        let of =
            |rows: Value| is_empty(&ChartData { rows: serde_json::from_value(rows).expect("rows"), ..ChartData::default() });
        for rows in [json!([]), json!([[0, null]]), json!([["0.00", "", false, 0.0]])] {
            assert!(of(rows.clone()), "{rows}");
        }
        for rows in [json!([[1]]), json!([[null], ["north"]]), json!([[true]]), json!([["0x"]]), json!([[0], [0]])] {
            assert!(!of(rows.clone()), "{rows}");
        }
    }
}
