//! A small table with one viewer's rows. Everything else is refused.

use async_trait::async_trait;
use inlay_assistant::{
    Assumed, ColumnModel, Data, DataError, Dimension, ModelRows, Number, Scope, SemanticModel, SemanticTable, TableModel, Words,
};
use inlay_contract::{
    chart::question::Question,
    code::Code,
    data::{ChartData, Column, ColumnType},
    model::ModelQuery,
    source::SourceKind,
};
use inlay_query::{Model, ModelTable, compile, containment_sql, question_sql};
use serde_json::{Value, json};
use std::sync::Mutex;

/// The viewer's rows of `sales`: `city`, `amount`.
pub struct Rows {
    rows: Vec<Vec<Value>>,
    /// The SQL that was run.
    pub asked: Mutex<Vec<String>>,
}

impl Rows {
    pub fn new(rows: Vec<Vec<Value>>) -> Self {
        Self { rows, asked: Mutex::default() }
    }

    pub fn three() -> Self {
        Self::new(vec![vec![json!("Oslo"), json!(30)], vec![json!("Rome"), json!(20)], vec![json!("Bern"), json!(10)]])
    }
}

#[async_trait]
impl Data for Rows {
    async fn query(&self, sql: &str) -> Result<ChartData, DataError> {
        self.asked.lock().expect("the list").push(sql.to_owned());
        let lower = sql.to_lowercase();
        if !lower.contains("sales") || lower.contains("customers") || lower.contains("union") {
            return Err(DataError::new(Code::QueryFailed, "The query reads what it may not."));
        }
        let columns = [("city", ColumnType::Text), ("amount", ColumnType::Number)];
        let columns = columns.map(|(name, kind)| Column { name: name.to_owned(), kind }).to_vec();
        Ok(ChartData { columns, rows: self.rows.clone(), truncated: false, cached: false, duration_ms: 0, as_of: None })
    }

    async fn query_model(&self, query: &ModelQuery, _: &Assumed) -> Result<ModelRows, DataError> {
        let day = "2001-06-30".parse().expect("a day");
        let meant = compile(SourceKind::Postgres, &model(), query, day);
        let meant = meant.map_err(|problem| DataError::new(Code::QueryFailed, format!("{problem}.")))?;
        let mut rows = self.query(&meant.sql).await?;
        let names: Vec<&str> = meant.columns.iter().map(|column| column.name.as_str()).collect();
        assert!(matches!(names[..], ["city", _]), "a number of each city is all that these rows answer: {names:?}");
        for (column, name) in rows.columns.iter_mut().zip(names) {
            name.clone_into(&mut column.name);
        }
        Ok(ModelRows { rows, sentence: meant.sentence, sql: None })
    }

    async fn values(&self, _: &str, column: &str) -> Result<Vec<Value>, DataError> {
        let at = usize::from(column == "amount");
        Ok(self.rows.iter().map(|row| row[at].clone()).collect())
    }

    fn sql_of(&self, question: &Question) -> Result<String, DataError> {
        question_sql(SourceKind::Postgres, question).map_err(|_| DataError::unaskable())
    }

    fn containment(&self, column: (&str, &str), key: (&str, &str)) -> Result<String, DataError> {
        containment_sql(SourceKind::Postgres, column, key).map_err(|_| DataError::unaskable())
    }
}

/// The semantic model of these rows.
fn model() -> Model {
    let of = serde_json::from_value(json!({"measures": {"revenue": {"aggregate": "sum", "of": "amount", "label": "Revenue"}}}));
    let columns = [("city".to_owned(), None)].into();
    let sales = ModelTable { columns, model: of.expect("a model"), ..ModelTable::default() };
    Model { tables: [("sales".to_owned(), sales)].into(), ..Model::default() }
}

/// The same catalogue with the model.
pub fn modelled() -> Scope {
    let number = Number {
        name: "revenue".into(),
        words: Words { label: None, description: Some("Without taxes".into()), synonyms: vec!["takings".into()] },
        facts: vec!["sales".into()],
        aggregate: Some(inlay_contract::model::Aggregate::Sum),
        lower_is_better: false,
    };
    let city = Dimension { name: "sales.city".into(), words: Words::default() };
    let sales = SemanticTable { name: "sales".into(), time: None, dimensions: vec![city], ways: vec![] };
    Scope { model: Some(SemanticModel { numbers: vec![number], tables: vec![sales] }), ..scope() }
}

/// The catalogue of these rows.
pub fn scope() -> Scope {
    let column = |name: &str, kind| ColumnModel {
        name: name.to_owned(),
        label: None,
        description: None,
        synonyms: Vec::new(),
        kind,
        terms: Vec::new(),
        references: None,
    };
    let columns = vec![column("city", ColumnType::Text), column("amount", ColumnType::Number)];
    let sales = TableModel { name: "sales".into(), label: None, description: None, synonyms: vec![], columns };
    Scope {
        workspace: "Shop".into(),
        dialect: SourceKind::Postgres,
        tables: vec![sales],
        instructions: Some("Amounts are in euros.".into()),
        example_questions: vec!["Which city sells most?".into()],
        examples: vec![],
        model: None,
        model_only: false,
        verified: Vec::new(),
    }
}
