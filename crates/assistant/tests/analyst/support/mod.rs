//! Tables behind the real query engine, and who asks them.

pub mod anywhere;
pub mod asked;
#[expect(dead_code, reason = "tests print more, and examples/learn asks parts of catalogues")]
pub mod blind;
pub mod flights;
pub mod rows;
pub mod scripted;

use async_trait::async_trait;
use chrono::NaiveDate;
use inlay_assistant::{Assumed, Data, DataError, ModelRows, Sight};
use inlay_contract::{chart::question::Question, code::Code, data::ChartData, ids::ConnectionId, model::ModelQuery};
use inlay_query::{
    Addresses, Catalog, Engine, EngineOptions, Model, NoMeaning, Query, RowAccess, SecurityContext, Source, SourceKind, Table,
    compile, containment_sql, question_sql,
};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The number of listed values of a column, as in the service.
const LISTED: usize = 500;

/// The tables of a database for one viewer.
pub struct Rows {
    pub(crate) engine: Engine,
    pub(crate) source: Source,
    pub(crate) catalog: Catalog,
    pub(crate) viewer: SecurityContext,
    pub(crate) today: NaiveDate,
    pub(crate) model: Model,
    _folder: Option<tempfile::TempDir>,
}

impl Rows {
    /// The tables of a database, open to the viewer.
    pub fn of(
        kind: SourceKind,
        url: String,
        folder: Option<tempfile::TempDir>,
        tables: &[&str],
        today: NaiveDate,
        model: Model,
    ) -> Self {
        let addresses = Addresses::default().with_private("127.0.0.1".parse().expect("an address"));
        let engine = Engine::open(EngineOptions { addresses, ..EngineOptions::default() });
        let table = |name: &&str| Table { name: (*name).to_owned(), rows: RowAccess::All, hidden: Default::default() };
        Self {
            engine,
            source: Source::new(ConnectionId::generate(), "warehouse", kind, url),
            catalog: Catalog::new(tables.iter().map(table).collect()),
            viewer: SecurityContext::default(),
            today,
            model,
            _folder: folder,
        }
    }
}

#[async_trait]
impl Data for Rows {
    async fn query(&self, sql: &str) -> Result<ChartData, DataError> {
        let answer = self.engine.run(&self.source, &self.catalog, &self.viewer, &Query::new(sql, self.today)).await;
        answer.map_err(|error| DataError::new(error.code(), format!("{error:?}")))
    }

    async fn query_model(&self, query: &ModelQuery, assumed: &Assumed) -> Result<ModelRows, DataError> {
        let compiled = |model: &Model| compile(self.source.kind, model, query, self.today);
        let refused = |why: NoMeaning| DataError::new(Code::QueryFailed, format!("{why}."));
        let (meant, sql) = match compiled(&self.model) {
            Ok(meant) => (meant, None),
            Err(_) => {
                let meant = compiled(&self.model.assuming(assumed)).map_err(refused)?;
                let sql = Some(meant.sql.clone());
                (meant, sql)
            }
        };
        let mut rows = self.query(&meant.sql).await?;
        rows.rows.truncate(meant.most.unwrap_or(usize::MAX));
        for (column, name) in rows.columns.iter_mut().zip(&meant.columns) {
            column.name.clone_from(&name.name);
        }
        Ok(ModelRows { rows, sentence: meant.sentence, sql })
    }

    async fn values(&self, table: &str, column: &str) -> Result<Vec<Value>, DataError> {
        let choices =
            self.engine.choices(&self.source, &self.catalog, &self.viewer, table, column, &[], self.today, LISTED).await;
        let choices = choices.map_err(|error| DataError::new(error.code(), format!("{error:?}")))?;
        Ok(choices.into_iter().map(|choice| choice.value).collect())
    }

    async fn sight(&self) -> Result<Option<Sight>, DataError> {
        let rights = format!("{:?}{:?}{:?}", self.source.id, self.catalog, self.viewer.organization);
        Ok(Some(Sight(Sha256::digest(rights).into())))
    }

    fn sql_of(&self, question: &Question) -> Result<String, DataError> {
        question_sql(self.source.kind, question).map_err(|_| DataError::unaskable())
    }

    fn containment(&self, column: (&str, &str), key: (&str, &str)) -> Result<String, DataError> {
        containment_sql(self.source.kind, column, key).map_err(|_| DataError::unaskable())
    }
}
