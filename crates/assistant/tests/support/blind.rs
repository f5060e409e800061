//! Databases that others chose, with questions that others wrote (questions/blind), and how the analyst fares with them.

use crate::{asked::asked, support::Rows};
use chrono::NaiveDate;
use flate2::read::GzDecoder;
use inlay_assistant::{
    ColumnModel, Data, Dimension, Message, Number, Scope, SemanticModel, SemanticTable, TableModel, ToolResult, Words,
    conversation::Chart, evaluation::same_rows,
};
use inlay_contract::{
    data::ColumnType,
    model::{Metric, TableModel as DeclaredTable},
    source::SourceKind,
};
use inlay_query::{Model, ModelTable, Reference};
use serde::Deserialize;
use sqlx::{AssertSqlSafe, Connection, Executor, QueryBuilder, Row};
use sqlx_sqlite::{Sqlite, SqliteConnectOptions, SqliteConnection};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

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
struct Item {
    ask: String,
    kind: String,
    #[serde(default)]
    sql: Option<String>,
    #[serde(default)]
    or: Vec<String>,
    #[serde(default)]
    declined: bool,
}

/// A catalogue as an operator writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Catalogue {
    tables: Vec<CatalogueTable>,
    #[serde(default)]
    metrics: BTreeMap<String, Metric>,
    /// Other names of values, and numbers of which less is better. The product has no setting for them yet.
    #[serde(default, rename = "valueNames")]
    _value_names: serde::de::IgnoredAny,
    #[serde(default, rename = "lowerIsBetter")]
    _lower_is_better: serde::de::IgnoredAny,
}

#[derive(Debug, Deserialize)]
struct CatalogueTable {
    name: String,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    synonyms: Vec<String>,
    columns: Vec<CatalogueColumn>,
    #[serde(flatten)]
    model: BTreeMap<String, serde_json::Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CatalogueColumn {
    name: String,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    synonyms: Vec<String>,
    #[serde(default)]
    references: Option<String>,
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

impl Blind {
    /// Opens a database, with its catalogue or without.
    pub async fn open(name: &str, careful: bool) -> Self {
        let folder = root().join(name);
        let questions: Questions = read(&folder, "questions.yaml");
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("data.db");
        let columns = load(&folder, &path).await;
        let tables: Vec<&str> = columns.keys().map(String::as_str).collect();
        let url = format!("sqlite:{}", path.display());
        let catalogue: Catalogue = if careful { read(&folder, "catalogue.yaml") } else { Catalogue::default() };
        let (scope, model) = described(name, &columns, &catalogue);
        let data = Rows::of(SourceKind::Sqlite, url, Some(place), &tables, questions.today, model);
        Self { questions, data: Arc::new(data), scope }
    }

    /// Asks all questions.
    pub async fn score(&self) -> Tally {
        let today = self.questions.today;
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
                let (text, chart) = self.ask(conversation.clone(), today).await;
                let took = begin.elapsed();
                let verdict = self.judge(item, chart.as_ref()).await;
                let query =
                    chart.as_ref().map(|chart| chart.chart_config.sql_override.clone().unwrap_or_default()).unwrap_or_default();
                tally.entries.push(Entry {
                    item: item.clone(),
                    verdict,
                    told: format!("{text}\n    {query}").replace("\n\n", "\n    "),
                    took,
                });
                conversation.push(Message::assistant(text, chart.iter().map(ToolResult::chart).collect()));
            }
        }
        tally
    }

    async fn ask(&self, conversation: Vec<Message>, today: NaiveDate) -> (String, Option<Chart>) {
        let data: Arc<dyn Data> = self.data.clone();
        let outcome = asked(conversation, self.scope.clone(), today, data).await;
        let chart = outcome.results.iter().rev().find_map(ToolResult::as_chart);
        let failed = if matches!(outcome.ended, inlay_assistant::Ended::Failed(_)) {
            format!(" [{:?}]", outcome.ended)
        } else {
            String::new()
        };
        (outcome.text + &failed, chart)
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
            // Rows that belong to nothing may be shown or left out.
            let mut named = chart.data.clone();
            named.rows.retain(|row| !row.iter().any(serde_json::Value::is_null));
            match same_rows(&expected, &chart.data).or_else(|why| same_rows(&expected, &named).map_err(|_| why)) {
                Ok(()) => return Verdict::Right,
                Err(difference) if why.is_empty() => why = difference,
                Err(_) => {}
            }
        }
        Verdict::Wrong(why)
    }
}

fn read<T: for<'de> Deserialize<'de>>(folder: &std::path::Path, file: &str) -> T {
    let text = fs::read_to_string(folder.join(file)).unwrap_or_else(|problem| panic!("{}/{file}: {problem}", folder.display()));
    serde_saphyr::from_str(&text).unwrap_or_else(|problem| panic!("{}/{file}: {problem}", folder.display()))
}

type Columns = BTreeMap<String, Vec<(String, ColumnType)>>;

/// Loads a database. Its tables with their columns.
async fn load(folder: &std::path::Path, path: &std::path::Path) -> Columns {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true).foreign_keys(false);
    let mut database = SqliteConnection::connect_with(&options).await.expect("a database");
    let schema = fs::read_to_string(folder.join("schema.sql")).expect("a schema");
    database.execute(AssertSqlSafe(schema)).await.expect("tables");
    let listed = sqlx::query("select name from sqlite_master where type = 'table' order by rowid")
        .fetch_all(&mut database)
        .await
        .expect("tables");
    let mut columns = Columns::new();
    for table in listed.iter().map(|row| row.get::<String, _>(0)) {
        let about = sqlx::query(AssertSqlSafe(format!("select name, lower(type) from pragma_table_info('{table}')")))
            .fetch_all(&mut database)
            .await
            .expect("columns");
        let kinds: Vec<(String, ColumnType)> = about
            .iter()
            .map(|row| {
                let kind = if row.get::<String, _>(1).contains("text") || row.get::<String, _>(1).contains("char") {
                    ColumnType::Text
                } else {
                    ColumnType::Number
                };
                (row.get(0), kind)
            })
            .collect();
        let file = fs::File::open(folder.join(format!("{table}.csv.gz"))).unwrap_or_else(|_| panic!("{table}.csv.gz"));
        fill(&mut database, &table, &kinds, csv::Reader::from_reader(GzDecoder::new(file))).await;
        columns.insert(table, kinds);
    }
    database.close().await.expect("it closes");
    columns
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

/// The scope of questions and the semantic model behind it.
fn described(name: &str, columns: &Columns, catalogue: &Catalogue) -> (Scope, Model) {
    let mut model = Model { metrics: catalogue.metrics.clone(), ..Model::default() };
    let mut tables = Vec::new();
    for (table, kinds) in columns {
        let about = catalogue.tables.iter().find(|known| known.name == *table);
        let column = |(name, kind): &(String, ColumnType)| {
            let about = about.and_then(|about| about.columns.iter().find(|column| column.name == *name));
            ColumnModel {
                name: name.clone(),
                label: about.and_then(|about| about.label.clone()),
                description: about.and_then(|about| about.description.clone()),
                synonyms: about.map(|about| about.synonyms.clone()).unwrap_or_default(),
                kind: *kind,
                terms: Vec::new(),
                references: about.and_then(|about| about.references.clone()),
            }
        };
        tables.push(TableModel {
            name: table.clone(),
            label: about.and_then(|about| about.label.clone()),
            description: about.and_then(|about| about.description.clone()),
            synonyms: about.map(|about| about.synonyms.clone()).unwrap_or_default(),
            columns: kinds.iter().map(column).collect(),
        });
        let Some(about) = about else { continue };
        let declared: DeclaredTable = serde_json::from_value(serde_json::to_value(&about.model).expect("JSON"))
            .unwrap_or_else(|problem| panic!("{name}: {table}: {problem}"));
        let references = about
            .columns
            .iter()
            .filter_map(|column| Some((column.name.clone(), Reference::read(column.references.as_ref()?)?)));
        model.tables.insert(
            table.clone(),
            ModelTable {
                label: about.label.clone(),
                columns: kinds
                    .iter()
                    .map(|(name, _)| {
                        (
                            name.clone(),
                            about.columns.iter().find(|column| column.name == *name).and_then(|column| column.label.clone()),
                        )
                    })
                    .collect(),
                references: references.collect(),
                model: declared,
            },
        );
    }
    let semantic = semantic(&model);
    let scope = Scope {
        workspace: name.to_owned(),
        dialect: SourceKind::Sqlite,
        tables,
        instructions: None,
        example_questions: Vec::new(),
        examples: Vec::new(),
        model: semantic,
        model_only: false,
        verified: Vec::new(),
    };
    (scope, model)
}

fn semantic(model: &Model) -> Option<SemanticModel> {
    let words = |label: &Option<String>, synonyms: &[String]| Words {
        label: label.clone(),
        description: None,
        synonyms: synonyms.to_vec(),
    };
    let mut numbers = Vec::new();
    for (table, one) in &model.tables {
        for (name, measure) in &one.model.measures {
            numbers.push(Number {
                name: name.clone(),
                words: words(&measure.label, &measure.synonyms),
                facts: vec![table.clone()],
                aggregate: Some(measure.aggregate),
            });
        }
    }
    for offered in model.offered_numbers(SourceKind::Sqlite) {
        if let Some(metric) = model.metrics.get(&offered.name) {
            numbers.push(Number {
                words: words(&metric.label, &metric.synonyms),
                facts: offered.facts,
                aggregate: None,
                name: offered.name,
            });
        }
    }
    let tables = model.tables.iter().map(|(name, table)| {
        let declared = table.model.dimensions.iter().map(|(dimension, about)| Dimension {
            name: format!("{name}.{dimension}"),
            words: words(&about.label, &about.synonyms),
        });
        SemanticTable {
            name: name.clone(),
            time: table.model.time.as_ref().map(|time| format!("{name}.{time}")),
            dimensions: declared.collect(),
            ways: Vec::new(),
        }
    });
    let tables: Vec<SemanticTable> = tables.collect();
    (!tables.is_empty()).then_some(SemanticModel { numbers, tables })
}

/// How a question was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Right,
    Wrong(String),
    Declined,
}

struct Entry {
    item: Item,
    verdict: Verdict,
    told: String,
    took: Duration,
}

/// The answers to many questions.
#[derive(Default)]
pub struct Tally {
    entries: Vec<Entry>,
}

impl Tally {
    pub fn add(&mut self, other: Self) {
        self.entries.extend(other.entries);
    }

    fn counts<'a>(entries: impl Iterator<Item = &'a Entry>) -> (usize, usize, usize) {
        entries.fold((0, 0, 0), |(right, wrong, declined), entry| match entry.verdict {
            Verdict::Right => (right + 1, wrong, declined),
            Verdict::Wrong(_) => (right, wrong + 1, declined),
            Verdict::Declined => (right, wrong, declined + 1),
        })
    }

    /// The shares of right and wrong answers.
    pub fn shares(&self) -> (f64, f64) {
        let (right, wrong, declined) = Self::counts(self.entries.iter());
        let all = (right + wrong + declined).max(1) as f64;
        (right as f64 / all, wrong as f64 / all)
    }

    pub fn line(&self, name: &str) -> String {
        let (right, wrong, declined) = Self::counts(self.entries.iter());
        let mut times: Vec<Duration> = self.entries.iter().map(|entry| entry.took).collect();
        times.sort();
        let slow = times.get(times.len() * 95 / 100).copied().unwrap_or_default();
        let all = right + wrong + declined;
        format!(
            "{name}: {all} questions, {right} right ({:.0} %), {wrong} wrong ({:.0} %), {declined} declined; p95 {slow:.0?}",
            100.0 * right as f64 / all.max(1) as f64,
            100.0 * wrong as f64 / all.max(1) as f64
        )
    }

    /// A table by kind of question.
    pub fn by_kind(&self) -> String {
        let kinds: BTreeSet<&str> = self.entries.iter().map(|entry| entry.item.kind.as_str()).collect();
        let rows = kinds.into_iter().map(|kind| {
            let (right, wrong, declined) = Self::counts(self.entries.iter().filter(|entry| entry.item.kind == kind));
            format!("| {kind} | {} | {right} | {wrong} | {declined} |\n", right + wrong + declined)
        });
        rows.collect()
    }

    /// The questions that were not answered right.
    pub fn misses(&self) -> String {
        let missed = self.entries.iter().filter(|entry| entry.verdict != Verdict::Right);
        missed
            .map(|entry| format!("- {} [{}] {:?}\n    {}\n", entry.item.ask, entry.item.kind, entry.verdict, entry.told))
            .collect()
    }
}
