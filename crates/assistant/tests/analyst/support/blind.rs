//! Databases that others chose, with questions that others wrote (questions/blind), and how the analyst fares with them.

mod catalogue;
mod tally;

use super::{Rows, asked::asked};
use catalogue::{Catalogue, Columns, ForeignKeys, described};
use chrono::NaiveDate;
use flate2::read::GzDecoder;
use inlay_assistant::{
    Confidence, Data, Message, Scope, ToolResult,
    conversation::Chart,
    evaluation::{self, QuestionSet, same_rows},
};
use inlay_contract::{
    data::{ChartData, ColumnType},
    source::SourceKind,
};
use serde::Deserialize;
use sqlx::{AssertSqlSafe, Connection, Executor, QueryBuilder, Row};
use sqlx_sqlite::{Sqlite, SqliteConnectOptions, SqliteConnection};
use std::{fs, path::PathBuf, sync::Arc, time::Instant};
use tally::Entry;
pub use tally::{Tally, Verdict};

/// The databases that the analyst was made with: their questions and misses were looked at. Nobody looks at those of the others.
pub const TUNED: &[&str] = &[
    "northwind",
    "music",
    "transit",
    "cafe",
    "clinic",
    "desk",
    "freight",
    "gym",
    "people",
    "energy",
    "school",
    "leases",
    "parcels",
];

/// The questions of a database.
#[derive(Debug, Deserialize)]
struct Questions {
    today: NaiveDate,
    questions: Vec<Asked>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Asked {
    Chain { chain: Vec<Item> },
    One(Item),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    ask: String,
    kind: String,
    #[serde(default)]
    sql: Option<String>,
    #[serde(default)]
    or: Vec<String>,
    #[serde(default)]
    declined: bool,
}

impl From<evaluation::Item> for Item {
    fn from(item: evaluation::Item) -> Self {
        Self { ask: item.ask, kind: String::new(), sql: item.sql, or: Vec::new(), declined: item.declined }
    }
}

/// What the analyst answered.
struct Answer {
    text: String,
    chart: Option<Chart>,
    confidence: Option<Confidence>,
}

impl Answer {
    /// Whether the viewer is asked if the reading is right.
    fn asks_back(&self) -> bool {
        self.chart.is_none() && self.confidence.as_ref().is_some_and(|confidence| !confidence.is_sure())
    }

    /// The text with the query.
    fn told(&self) -> String {
        let query = self.chart.as_ref().and_then(|chart| chart.chart_config.sql_override.clone()).unwrap_or_default();
        format!("{}\n    {query}", self.text.replace("\n\n", "\n    "))
    }
}

/// A database with its questions.
pub struct Blind {
    questions: Questions,
    data: Arc<Rows>,
    scope: Scope,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("questions/blind")
}

/// The names of all databases.
pub fn names() -> Vec<String> {
    let folders =
        fs::read_dir(root()).into_iter().flatten().flatten().filter(|entry| entry.path().join("questions.yaml").exists());
    let mut names: Vec<String> = folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The names of the databases that have questions in a file.
pub fn with_file(file: &str) -> Vec<String> {
    names().into_iter().filter(|name| root().join(name).join(file).exists()).collect()
}

impl Blind {
    /// Opens a database, with its catalogue or without.
    pub async fn open(name: &str, careful: bool) -> Self {
        Self::with(name, careful, "questions.yaml").await
    }

    /// Opens a database with the questions of a file.
    pub async fn with(name: &str, careful: bool, questions: &str) -> Self {
        let catalogue = if careful { read(&root().join(name), "catalogue.yaml") } else { Catalogue::default() };
        Self::described_by(name, &catalogue, questions).await
    }

    /// Opens a database with a part of its catalogue.
    pub async fn thinned(name: &str, seed: u64, share: u64) -> Self {
        let catalogue: Catalogue = read(&root().join(name), "catalogue.yaml");
        Self::described_by(name, &catalogue.thinned(seed, share), "questions.yaml").await
    }

    /// The demo's flights with the questions that the analyst was made with, without those that are held out.
    pub async fn flights() -> Self {
        let set: QuestionSet =
            serde_saphyr::from_str(include_str!("../../../questions/flights.yaml")).expect("the question set");
        let asked = set.questions.into_iter().map(|asked| match asked {
            evaluation::Asked::Chain { chain } => Asked::Chain { chain: chain.into_iter().map(Item::from).collect() },
            evaluation::Asked::One(item) => Asked::One(item.into()),
        });
        let questions = Questions { today: set.today, questions: asked.collect() };
        Self { questions, data: Arc::new(Rows::sqlite().await), scope: set.scope.expect("a scope") }
    }

    async fn described_by(name: &str, catalogue: &Catalogue, questions: &str) -> Self {
        let folder = root().join(name);
        let questions: Questions = read(&folder, questions);
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("data.db");
        let (columns, keys) = load(&folder, &path).await;
        let tables: Vec<&str> = columns.keys().map(String::as_str).collect();
        let url = format!("sqlite:{}", path.display());
        let (scope, model) = described(name, &columns, &keys, catalogue);
        let data = Rows::of(SourceKind::Sqlite, url, Some(place), &tables, questions.today, model);
        Self { questions, data: Arc::new(data), scope }
    }

    /// Asks all questions.
    pub async fn score(&self) -> Tally {
        self.asked(false).await
    }

    /// Asks all questions, and says yes wherever the analyst asks whether its reading is right.
    pub async fn score_without_doubt(&self) -> Tally {
        self.asked(true).await
    }

    async fn asked(&self, says_yes: bool) -> Tally {
        let mut tally = Tally::default();
        for asked in &self.questions.questions {
            let items = match asked {
                Asked::Chain { chain } => chain.as_slice(),
                Asked::One(item) => std::slice::from_ref(item),
            };
            let mut conversation = Vec::new();
            for item in items {
                conversation.push(Message::user(item.ask.as_str()));
                let begin = Instant::now();
                let mut answer = self.ask(&mut conversation).await;
                let took = begin.elapsed();
                let mut asked_back = None;
                if answer.asks_back() {
                    let mut confirmed = conversation.clone();
                    confirmed.push(Message::user("Yes, show it"));
                    let meant = self.ask(&mut confirmed).await;
                    asked_back = Some(self.judge(item, meant.chart.as_ref()).await == Verdict::Right);
                    if says_yes {
                        answer = meant;
                    }
                }
                let verdict = self.judge(item, answer.chart.as_ref()).await;
                let told = answer.told();
                tally.entries.push(Entry {
                    item: item.clone(),
                    verdict,
                    told,
                    took,
                    asked_back,
                    confidence: answer.confidence,
                });
            }
        }
        tally
    }

    /// The answer to a question, or to several in a row, separated by ` / `, as text with its query.
    pub async fn told(&self, questions: &str) -> String {
        let mut conversation = Vec::new();
        let mut told = String::new();
        for question in questions.split(" / ") {
            conversation.push(Message::user(question));
            let answer = self.ask(&mut conversation).await;
            told += &format!("\n  {question}\n    {}", answer.told());
        }
        told
    }

    /// Asks the last message of a conversation, which goes on with the answer.
    async fn ask(&self, conversation: &mut Vec<Message>) -> Answer {
        let data: Arc<dyn Data> = self.data.clone();
        let outcome = asked(conversation.clone(), self.scope.clone(), self.questions.today, data).await;
        let chart = outcome.results.iter().rev().find_map(ToolResult::as_chart);
        let failed = if matches!(outcome.ended, inlay_assistant::Ended::Failed(_)) {
            format!(" [{:?}]", outcome.ended)
        } else {
            String::new()
        };
        let text = outcome.text + &failed;
        conversation.push(Message::assistant(text.clone(), chart.iter().map(ToolResult::chart).collect()));
        Answer { text, chart, confidence: outcome.confidence }
    }

    async fn judge(&self, item: &Item, chart: Option<&Chart>) -> Verdict {
        let Some(chart) = chart else {
            return if item.declined { Verdict::Right } else { Verdict::Declined };
        };
        if item.declined {
            return Verdict::Wrong("answered what cannot be".to_owned());
        }
        let mut why = String::new();
        for sql in item.sql.iter().chain(&item.or) {
            let expected = self.data.query(sql).await.unwrap_or_else(|problem| panic!("{}: {sql}: {problem}", item.ask));
            let (expected, answer) = (shortened(expected), shortened(chart.data.clone()));
            // Rows that belong to nothing may be shown or left out.
            let mut named = answer.clone();
            named.rows.retain(|row| !row.iter().any(serde_json::Value::is_null));
            match same_rows(&expected, &answer).or_else(|why| same_rows(&expected, &named).map_err(|_| why)) {
                Ok(()) => return Verdict::Right,
                Err(difference) if why.is_empty() => why = difference,
                Err(_) => {}
            }
        }
        Verdict::Wrong(why)
    }
}

/// Rows with the names of weekdays and months as people shorten them: a catalogue may say `Monday` where the questions' SQL says `Mon`.
fn shortened(mut data: ChartData) -> ChartData {
    const NAMES: [&str; 19] = [
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    for cell in data.rows.iter_mut().flatten() {
        let short = cell.as_str().filter(|text| NAMES.contains(text)).map(|text| text.chars().take(3).collect::<String>());
        if let Some(short) = short {
            *cell = short.into();
        }
    }
    data
}

fn read<T: for<'de> Deserialize<'de>>(folder: &std::path::Path, file: &str) -> T {
    let text = fs::read_to_string(folder.join(file)).unwrap_or_else(|problem| panic!("{}/{file}: {problem}", folder.display()));
    serde_saphyr::from_str(&text).unwrap_or_else(|problem| panic!("{}/{file}: {problem}", folder.display()))
}

/// Loads a database. Its tables with their columns, and its foreign keys.
async fn load(folder: &std::path::Path, path: &std::path::Path) -> (Columns, ForeignKeys) {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true).foreign_keys(false);
    let mut database = SqliteConnection::connect_with(&options).await.expect("a database");
    let schema = fs::read_to_string(folder.join("schema.sql")).expect("a schema");
    database.execute(AssertSqlSafe(schema)).await.expect("tables");
    let listed = sqlx::query("select name from sqlite_master where type = 'table' order by rowid")
        .fetch_all(&mut database)
        .await
        .expect("tables");
    let (mut columns, mut keys) = (Columns::new(), ForeignKeys::new());
    for table in listed.iter().map(|row| row.get::<String, _>(0)) {
        let about = sqlx::query(AssertSqlSafe(format!("select name, lower(type) from pragma_table_info('{table}')")))
            .fetch_all(&mut database)
            .await
            .expect("columns");
        let kinds: Vec<(String, ColumnType)> = about
            .iter()
            .map(|row| {
                // SQLite keeps times as texts.
                let declared = row.get::<String, _>(1);
                let is_text = ["text", "char", "date", "time"].iter().any(|kind| declared.contains(kind));
                let kind = if is_text { ColumnType::Text } else { ColumnType::Number };
                (row.get(0), kind)
            })
            .collect();
        let file = fs::File::open(folder.join(format!("{table}.csv.gz"))).unwrap_or_else(|_| panic!("{table}.csv.gz"));
        fill(&mut database, &table, &kinds, csv::Reader::from_reader(GzDecoder::new(file))).await;
        let declared =
            sqlx::query(AssertSqlSafe(format!("select \"from\", \"table\", \"to\" from pragma_foreign_key_list('{table}')")))
                .fetch_all(&mut database)
                .await
                .expect("keys");
        for row in declared {
            let (column, other, to): (String, String, Option<String>) = (row.get(0), row.get(1), row.get(2));
            keys.extend(to.map(|to| ((table.clone(), column), format!("{other}.{to}"))));
        }
        columns.insert(table, kinds);
    }
    database.close().await.expect("it closes");
    (columns, keys)
}

async fn fill(
    database: &mut SqliteConnection,
    table: &str,
    kinds: &[(String, ColumnType)],
    mut records: csv::Reader<GzDecoder<fs::File>>,
) {
    let headers = records.headers().expect("headers").clone();
    let kind =
        |name: &str| kinds.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("{table} has no column {name}")).1;
    let kinds: Vec<ColumnType> = headers.iter().map(kind).collect();
    let names: Vec<String> = headers.iter().map(|name| format!("\"{name}\"")).collect();
    let all: Vec<csv::StringRecord> = records.records().map(|record| record.expect("a record")).collect();
    let mut transaction = database.begin().await.expect("a transaction");
    for batch in all.chunks((30_000 / kinds.len()).max(1)) {
        let mut query = QueryBuilder::<Sqlite>::new(format!("insert into \"{table}\" ({}) ", names.join(", ")));
        query.push_values(batch, |mut row, cells| {
            for (cell, kind) in cells.iter().zip(&kinds) {
                match (cell, kind) {
                    ("", _) => row.push_bind(None::<String>),
                    (cell, ColumnType::Number) => match cell.parse::<i64>() {
                        Ok(whole) => row.push_bind(whole),
                        Err(_) => row.push_bind(cell.parse::<f64>().unwrap_or_else(|_| panic!("{table}: {cell} is no number"))),
                    },
                    (cell, _) => row.push_bind(cell.to_owned()),
                };
            }
        });
        query.build().execute(&mut *transaction).await.expect("rows");
    }
    transaction.commit().await.expect("the rows");
}
