//! Evaluates answers with a set of questions: compares the rows of each answer's chart with those of a query that a person wrote.

use crate::{
    assistant::{Assistant, Ended, Request},
    conversation::{Message, ToolResult},
    data::{Data, DataError},
    scope::Scope,
    settings::{ModelSettings, Usage},
    written::WrittenQuery,
};
use chrono::NaiveDate;
use inlay_contract::{chart::definition::ChartDefinition, data::ChartData, model::ModelQuery};
use serde::Deserialize;
use serde_json::Value;
use std::{future, sync::Arc, time::Duration};
use tokio::{
    select,
    sync::{mpsc, watch},
    time::{Instant, sleep_until},
};

/// A set of questions.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct QuestionSet {
    /// The date on which they are asked.
    pub today: NaiveDate,
    /// Their scope. `None` is the workspace's own.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The questions.
    pub questions: Vec<Asked>,
    /// Questions that were not used while improving the answers.
    #[serde(default)]
    pub held_out: Vec<Asked>,
}

/// A question, or several that build on each other.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Asked {
    /// A conversation.
    Chain {
        /// Its questions.
        chain: Vec<Item>,
    },
    /// A single question.
    One(Item),
}

/// A question and its expected answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// As a person would ask.
    pub ask: String,
    /// SQL with the expected rows.
    #[serde(default)]
    pub sql: Option<String>,
    /// A query of the semantic model with the expected rows, instead of SQL.
    #[serde(default)]
    pub query: Option<Box<ModelQuery>>,
    /// The question has no answer and must be declined.
    #[serde(default)]
    pub declined: bool,
    /// A note for readers of the set.
    #[serde(default)]
    pub note: Option<String>,
}

impl Item {
    /// A question with the query that answers it.
    #[must_use]
    pub fn of(ask: String, query: WrittenQuery) -> Self {
        let (sql, query) = match query {
            WrittenQuery::Sql(sql) => (Some(sql), None),
            WrittenQuery::Model(query) => (None, Some(query)),
        };
        Self { ask, sql, query, declined: false, note: None }
    }

    /// The query with the expected rows.
    fn expected(&self) -> Option<WrittenQuery> {
        let sql = self.sql.clone().map(WrittenQuery::Sql);
        sql.or_else(|| self.query.clone().map(WrittenQuery::Model))
    }
}

/// The settings of an evaluation.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The tables that may be asked about.
    pub scope: Scope,
    /// The viewer's current date.
    pub today: NaiveDate,
    /// The model that answers. `None` is the built-in analyst.
    pub model: Option<ModelSettings>,
    /// The time limit. `None` is unlimited.
    pub patience: Option<Duration>,
    /// Stops the evaluation when it becomes true or its sender is dropped.
    pub stop: Option<watch::Receiver<bool>>,
}

/// Why an evaluation was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time limit was reached.
    TooLong,
    /// It was cancelled.
    Stopped,
    /// The query of a question failed.
    Example(DataError),
}

/// A stopped evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The reason.
    pub reason: Reason,
    /// The tokens used until then.
    pub tokens: Usage,
}

/// The result of an evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// The number of right answers.
    pub right: usize,
    /// The number of questions.
    pub of: usize,
    /// The wrong answers.
    pub wrong: Vec<Miss>,
    /// The tokens used.
    pub tokens: Usage,
}

impl Score {
    /// The share of right answers, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.right as f64 / self.of as f64 }
    }
}

/// A wrong answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// What was asked.
    pub ask: String,
    /// What was wrong.
    pub why: String,
    /// What was answered.
    pub answer: String,
}

/// Asks every question and compares the answers.
///
/// # Errors
/// The query of a question failed, the time limit was reached, or the evaluation was cancelled.
pub async fn evaluate(
    assistant: &Assistant,
    questions: &[Asked],
    setting: &Setting,
    data: Arc<dyn Data>,
) -> Result<Score, Stopped> {
    let until = setting.patience.and_then(|patience| Instant::now().checked_add(patience));
    let mut score = Score::default();
    match ask_all(&Asker { assistant, setting, data, until }, questions, &mut score).await {
        Ok(()) => Ok(score),
        Err(reason) => Err(Stopped { reason, tokens: score.tokens }),
    }
}

/// What every question of an evaluation needs.
struct Asker<'a> {
    assistant: &'a Assistant,
    setting: &'a Setting,
    data: Arc<dyn Data>,
    until: Option<Instant>,
}

async fn ask_all(asker: &Asker<'_>, questions: &[Asked], score: &mut Score) -> Result<(), Reason> {
    for asked in questions {
        let items = match asked {
            Asked::Chain { chain } => chain.as_slice(),
            Asked::One(item) => std::slice::from_ref(item),
        };
        let mut conversation = Vec::new();
        for item in items {
            conversation.push(Message::user(item.ask.as_str()));
            let expected = match item.expected() {
                Some(query) => {
                    let rows = asker.within(query.rows(&*asker.data)).await?;
                    Some(rows.map_err(|problem| Reason::Example(of_question(&item.ask, &problem)))?)
                }
                None => None,
            };
            let (outcome, left) = ask(asker, conversation.clone()).await;
            score.tokens += outcome.tokens;
            if outcome.ended == Ended::Cancelled {
                return Err(left.unwrap_or(Reason::Stopped));
            }
            score.of += 1;
            match judge(expected.as_ref(), &outcome.results) {
                Ok(()) => score.right += 1,
                Err(why) => score.wrong.push(Miss { ask: item.ask.clone(), why, answer: outcome.text.clone() }),
            }
            conversation.push(Message::assistant(outcome.text, outcome.results));
        }
    }
    Ok(())
}

impl Asker<'_> {
    /// The result of some work, unless the evaluation ends first.
    async fn within<T>(&self, work: impl Future<Output = T>) -> Result<T, Reason> {
        select! {
            biased;
            done = work => Ok(done),
            reason = self.end() => Err(reason),
        }
    }

    /// Completes when the time limit is reached or the evaluation is cancelled.
    async fn end(&self) -> Reason {
        let late = async {
            match self.until {
                Some(until) => sleep_until(until).await,
                None => future::pending().await,
            }
        };
        let unwanted = async {
            match self.setting.stop.clone() {
                // An error means that the sender was dropped.
                Some(mut stop) => drop(stop.wait_for(|stop| *stop).await),
                None => future::pending().await,
            }
        };
        select! {
            () = late => Reason::TooLong,
            () = unwanted => Reason::Stopped,
        }
    }
}

fn of_question(ask: &str, problem: &DataError) -> DataError {
    DataError::new(problem.code, format!("the query written for \"{ask}\" does not run: {problem}"))
}

/// An answer, and why it was cancelled, if it was. It reports its tokens either way.
async fn ask(asker: &Asker<'_>, conversation: Vec<Message>) -> (crate::Outcome, Option<Reason>) {
    let Asker { assistant, setting, data, .. } = asker;
    let request = Request {
        conversation,
        scope: setting.scope.clone(),
        model: setting.model.clone(),
        today: setting.today,
        locale: "en".to_owned(),
        timezone: "UTC".to_owned(),
        charts: Vec::new(),
        draws: false,
    };
    let (events, mut heard) = mpsc::channel(16);
    let listen = async move {
        let left = asker.within(async { while heard.recv().await.is_some() {} }).await.err();
        drop(heard);
        left
    };
    tokio::join!(assistant.answer(request, data.clone(), events), listen)
}

fn judge(expected: Option<&ChartData>, results: &[ToolResult]) -> Result<(), String> {
    let drawn = results.iter().rev().find_map(ToolResult::as_chart);
    match (expected, drawn) {
        (None, None) => Ok(()),
        (None, Some(chart)) => Err(format!("answered what cannot be: {}", asked_for(&chart.chart_config))),
        (Some(_), None) => Err("no answer".to_owned()),
        (Some(expected), Some(chart)) => {
            same_rows(expected, &chart.data).map_err(|why| format!("{why}: {}", asked_for(&chart.chart_config)))
        }
    }
}

/// The SQL of a chart, or its query of the semantic model as JSON.
fn asked_for(definition: &ChartDefinition) -> String {
    let query = || definition.model_query().and_then(|query| serde_json::to_string(&query).ok());
    definition.sql_override.clone().or_else(query).unwrap_or_default()
}

/// Checks that an answer contains the expected rows, in any order, with each expected column among its own.
///
/// # Errors
/// The first difference.
pub fn same_rows(expected: &ChartData, answer: &ChartData) -> Result<(), String> {
    if expected.rows.len() != answer.rows.len() {
        return Err(format!("{} rows instead of {}", answer.rows.len(), expected.rows.len()));
    }
    let wanted = sorted(expected, &(0..expected.columns.len()).collect::<Vec<_>>());
    let mut found = false;
    choose(expected.columns.len(), answer.columns.len(), &mut Vec::new(), &mut |columns| {
        let answered = sorted(answer, columns);
        found |= wanted.iter().zip(&answered).all(|(one, other)| one.iter().zip(other).all(|(one, other)| one.is_like(other)));
        found
    });
    if found { Ok(()) } else { Err("other rows".to_owned()) }
}

/// Tries every ordered choice of `count` columns until one is right.
fn choose(count: usize, of: usize, chosen: &mut Vec<usize>, is_right: &mut impl FnMut(&[usize]) -> bool) -> bool {
    if chosen.len() == count {
        return is_right(chosen);
    }
    for column in 0..of {
        if !chosen.contains(&column) {
            chosen.push(column);
            let done = choose(count, of, chosen, is_right);
            chosen.pop();
            if done {
                return true;
            }
        }
    }
    false
}

/// A cell, such that equal values are alike.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Text(String),
    Number(f64),
}

impl Cell {
    fn of(value: &Value) -> Self {
        match (value.as_f64().or_else(|| value.as_str()?.parse().ok()), value) {
            (Some(number), _) => Self::Number(number),
            // Some sources write a timestamp with "T" between date and time, others with a space.
            (None, Value::String(text)) if text.get(10..11) == Some("T") => Self::Text(text.replacen('T', " ", 1)),
            (None, Value::String(text)) => Self::Text(text.clone()),
            (None, other) => Self::Text(other.to_string()),
        }
    }

    /// Whether it is the same text, or the same number within a millionth of it.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => (one - other).abs() <= 1e-6 * one.abs().max(other.abs()),
            (one, other) => one == other,
        }
    }
}

/// The rows of some columns, in the order of their texts, then of their numbers.
fn sorted(data: &ChartData, columns: &[usize]) -> Vec<Vec<Cell>> {
    let cell = |row: &Vec<Value>, column: &usize| Cell::of(row.get(*column).unwrap_or(&Value::Null));
    let mut rows: Vec<Vec<Cell>> =
        data.rows.iter().map(|row| columns.iter().map(|column| cell(row, column)).collect()).collect();
    let texts = |row: &[Cell]| {
        row.iter().filter_map(|cell| if let Cell::Text(text) = cell { Some(text.clone()) } else { None }).collect::<Vec<_>>()
    };
    let numbers = |row: &[Cell]| {
        row.iter().filter_map(|cell| if let Cell::Number(number) = cell { Some(*number) } else { None }).collect::<Vec<_>>()
    };
    rows.sort_by(|a, b| {
        texts(a).cmp(&texts(b)).then_with(|| {
            let (a, b) = (numbers(a), numbers(b));
            a.iter().zip(&b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne()).unwrap_or(a.len().cmp(&b.len()))
        })
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::data::{Column, ColumnType};
    use serde_json::json;

    fn data(rows: Value) -> ChartData {
        let rows: Vec<Vec<Value>> = serde_json::from_value(rows).unwrap();
        let columns = (0..rows[0].len()).map(|at| Column { name: format!("c{at}"), kind: ColumnType::Text }).collect();
        ChartData { columns, rows, truncated: false, cached: false, duration_ms: 0, as_of: None }
    }

    #[test]
    fn rows_are_compared_without_order_and_with_more_columns() {
        let expected = data(json!([["ATL", 2], ["ORD", 1.000_000_01]]));
        assert!(same_rows(&expected, &data(json!([["ORD", "x", 1], ["ATL", "y", 2.0]]))).is_ok());
        assert!(same_rows(&expected, &data(json!([["ORD", 2], ["ATL", 1]]))).is_err());
        assert!(same_rows(&expected, &data(json!([["ORD", 1]]))).is_err());
        assert!(same_rows(&expected, &data(json!([["ORD", 1.1], ["ATL", 2]]))).is_err());
    }

    #[test]
    fn an_answer_where_there_is_none_is_wrong() {
        let chart = json!({"chartConfig": {"title": "", "type": "number"}, "data": data(json!([[1]]))});
        let drawn = [ToolResult { tool_name: "generateChart".into(), result: chart }];
        assert!(judge(None, &drawn).is_err());
        assert!(judge(None, &[]).is_ok());
        assert!(judge(Some(&data(json!([[1]]))), &drawn).is_ok());
        assert!(judge(Some(&data(json!([[1]]))), &[]).is_err());
    }
}
