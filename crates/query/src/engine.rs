//! The door itself: one function that every question goes through.

use crate::{
    catalog::{Catalog, RowAccess},
    error::QueryError,
    filters::Filter,
    limits::Limits,
    name::{TableKey, fold, quote},
    property::SecurityContext,
    rewrite::{Columns, Query, Rewritten, no_rule, rewrite, tables_read},
    schema::{SourceColumn, find},
    source::{DatabaseAuth, Source, SourceKind},
    sources::{Pool, Setting},
};
use chrono::NaiveDate;
use inlay_contract::{
    data::{ChartData, Column},
    ids::ConnectionId,
    page::Choice,
};
use moka::future::Cache;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

/// Connections to sources, remembered answers and columns, and the limits. A clone is another handle to the same.
#[derive(Clone)]
pub struct Engine(Arc<Shared>);

type Fingerprint = [u8; 32];

struct Shared {
    limits: Limits,
    pools: Mutex<HashMap<ConnectionId, (Fingerprint, Pool)>>,
    answers: Cache<Fingerprint, Arc<ChartData>>,
    columns: Cache<(Fingerprint, String), Arc<[SourceColumn]>>,
}

impl Engine {
    /// An engine without connections; they are made when they are needed.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let answers = Cache::builder()
            .max_capacity(limits.cache_bytes)
            .weigher(|_, answer: &Arc<ChartData>| weight(answer))
            .time_to_live(limits.cache_ttl)
            .build();
        let columns = Cache::builder().max_capacity(10_000).time_to_live(limits.schema_ttl).build();
        Self(Arc::new(Shared { limits, pools: Mutex::default(), answers, columns }))
    }

    /// Answers a question with the rows that the viewer may see. Everything goes through here: charts, choices of filters,
    /// exports, chat.
    ///
    /// # Errors
    /// See [`QueryError`]; there are no rows beside an error.
    pub async fn run(
        &self,
        source: &Source,
        catalog: &Catalog,
        viewer: &SecurityContext,
        query: &Query,
    ) -> Result<ChartData, QueryError> {
        let setting = database_setting(source, viewer)?;
        let columns = self.columns_read(source, catalog, query).await?;
        let rewritten = rewrite(source.kind, catalog, &columns, viewer, query)?;
        let key = key(source, &rewritten, setting);
        let work = async {
            let pool = self.pool(source)?;
            let start = Instant::now();
            let answer = pool.run(&rewritten, setting, &self.0.limits).await?;
            Ok(Arc::new(answer.into_data(start.elapsed())))
        };
        let entry = self.0.answers.entry(key).or_try_insert_with(work).await;
        match entry {
            Ok(entry) if entry.is_fresh() => Ok(ChartData::clone(entry.value())),
            Ok(entry) => Ok(ChartData { cached: true, duration_ms: 0, ..ChartData::clone(entry.value()) }),
            Err(problem) => {
                // The table may have changed since its columns were remembered.
                for name in columns.into_keys() {
                    self.0.columns.invalidate(&(fingerprint(source), name)).await;
                }
                Err(QueryError::clone(&problem))
            }
        }
    }

    /// The SQL that a question becomes, values as `$1`, `$2`, …: for an operator who examines a rule, never for a viewer.
    ///
    /// # Errors
    /// As [`Engine::run`].
    pub async fn explain(
        &self,
        source: &Source,
        catalog: &Catalog,
        viewer: &SecurityContext,
        query: &Query,
    ) -> Result<String, QueryError> {
        let columns = self.columns_read(source, catalog, query).await?;
        rewrite(source.kind, catalog, &columns, viewer, query).map(|rewritten| rewritten.sql)
    }

    /// The values that a select filter offers: those of the rows that the viewer sees, most frequent first. Leave out of
    /// `filters` the one whose choices are asked for.
    ///
    /// # Errors
    /// As [`Engine::run`]; a hidden or unknown column is refused.
    #[expect(clippy::too_many_arguments, reason = "the door's four, and what is asked for")]
    pub async fn choices(
        &self,
        source: &Source,
        catalog: &Catalog,
        viewer: &SecurityContext,
        table: &str,
        column: &str,
        filters: &[Filter],
        today: NaiveDate,
        limit: usize,
    ) -> Result<Vec<Choice>, QueryError> {
        let kind = source.kind;
        let unknown = || QueryError::failed("choices of a table or column that is not listed, missing or hidden");
        let listed = catalog.named(kind, table).ok_or_else(unknown)?;
        if listed.rows == RowAccess::Nothing {
            return Err(no_rule(table));
        }
        let columns = self.columns(source, &listed.name).await?;
        let column = find(kind, &columns, &fold(kind, column)).filter(|column| !listed.hides(kind, &column.name));
        let column = quote(&column.ok_or_else(unknown)?.name);
        let relation = TableKey::spelled(kind, &listed.name).ok_or_else(unknown)?.quoted();
        let sql = format!(
            "SELECT inlay_choice.{column} AS choice, count(*) AS frequency FROM {relation} AS inlay_choice \
             WHERE inlay_choice.{column} IS NOT NULL GROUP BY inlay_choice.{column} ORDER BY 2 DESC, 1 LIMIT {limit}"
        );
        let answer = self.run(source, catalog, viewer, &Query { sql, filters: filters.to_vec(), today }).await?;
        let choice = |row: Vec<Value>| {
            let [value, count] = <[Value; 2]>::try_from(row).ok()?;
            Some(Choice { value, count: count.as_u64()? })
        };
        answer.rows.into_iter().map(choice).collect::<Option<_>>().ok_or_else(unknown)
    }

    /// The columns of a table as the source has them now, for checking a project file.
    ///
    /// # Errors
    /// [`QueryError::Failed`] when there is no such table, [`QueryError::SourceUnavailable`].
    pub async fn describe(&self, source: &Source, table: &str) -> Result<Vec<Column>, QueryError> {
        self.0.columns.invalidate(&(fingerprint(source), table.to_owned())).await;
        let columns = self.columns(source, table).await?;
        Ok(columns.iter().map(|column| Column { name: column.name.clone(), kind: column.class.column_type() }).collect())
    }

    /// Whether a table has a column, as far as the engine remembers: a page's filter on a column that is not there is dropped.
    ///
    /// # Errors
    /// As [`Engine::describe`].
    pub async fn has_column(&self, source: &Source, table: &str, column: &str) -> Result<bool, QueryError> {
        let columns = self.columns(source, table).await?;
        Ok(find(source.kind, &columns, &fold(source.kind, column)).is_some())
    }

    /// Whether a source can be reached.
    ///
    /// # Errors
    /// [`QueryError::SourceUnavailable`]
    pub async fn check(&self, source: &Source) -> Result<(), QueryError> {
        self.pool(source)?.check(&self.0.limits).await
    }

    /// The columns of the tables that a query reads.
    async fn columns_read(&self, source: &Source, catalog: &Catalog, query: &Query) -> Result<Columns, QueryError> {
        let mut columns = Columns::new();
        for name in tables_read(source.kind, &query.sql, catalog)? {
            let table = catalog.named(source.kind, &name).filter(|table| table.rows != RowAccess::Nothing);
            let table = table.ok_or_else(|| no_rule(&name))?;
            columns.insert(name, self.columns(source, &table.name).await?);
        }
        Ok(columns)
    }

    async fn columns(&self, source: &Source, table: &str) -> Result<Arc<[SourceColumn]>, QueryError> {
        let key = (fingerprint(source), table.to_owned());
        let work = async {
            let missing = || QueryError::failed(format!("connection {} has no table {table}", source.name));
            let spelled = TableKey::spelled(source.kind, table).ok_or_else(missing)?;
            let columns = self.pool(source)?.describe(&spelled, &self.0.limits).await?;
            if columns.is_empty() { Err(missing()) } else { Ok(Arc::from(columns)) }
        };
        self.0.columns.try_get_with(key, work).await.map_err(|problem: Arc<QueryError>| QueryError::clone(&problem))
    }

    /// The source's connections; new ones when its address has changed.
    fn pool(&self, source: &Source) -> Result<Pool, QueryError> {
        let fingerprint = fingerprint(source);
        let mut pools = self.0.pools.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, pool)) = pools.get(&source.id)
            && *known == fingerprint
        {
            return Ok(pool.clone());
        }
        let pool = Pool::open(source, &self.0.limits)?;
        pools.insert(source.id, (fingerprint, pool.clone()));
        Ok(pool)
    }
}

/// What `dbAuthToken` puts into which setting. A connection that declares a setting runs nothing without a token that fits.
fn database_setting<'a>(source: &'a Source, viewer: &'a SecurityContext) -> Result<Option<Setting<'a>>, QueryError> {
    let Some(auth) = &source.database_auth else { return Ok(None) };
    if source.kind != SourceKind::Postgres || !auth.has_custom_setting() {
        return Err(QueryError::failed("this connection's databaseAuth names no custom setting that its database has"));
    }
    let missing = || QueryError::failed("the connection declares databaseAuth, and no dbAuthToken came");
    let token = viewer.database_auth_token.as_deref().filter(|token| !token.is_empty()).ok_or_else(missing)?;
    if let DatabaseAuth::Equals { property, .. } = auth {
        let equal = match viewer.property(property) {
            Some(Value::String(text)) => text == token,
            Some(Value::Number(number)) => number.to_string() == token,
            _ => false,
        };
        if !equal {
            return Err(QueryError::failed(format!("dbAuthToken does not equal the property {property}")));
        }
    }
    Ok(Some((auth.setting(), token)))
}

/// One source at one address.
fn fingerprint(source: &Source) -> Fingerprint {
    let mut hash = Sha256::new();
    for part in [source.id.0.as_bytes().as_slice(), source.kind.name().as_bytes(), source.url.as_bytes()] {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// One question of one viewer: rules and filters are in the SQL and its values, the token beside them.
fn key(source: &Source, query: &Rewritten, setting: Option<Setting<'_>>) -> Fingerprint {
    let mut hash = Sha256::new();
    hash.update(fingerprint(source));
    let setting = setting.map(|(name, value)| [name, value]);
    for part in [query.sql.clone(), format!("{:?}", query.binds), format!("{setting:?}")] {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// About how many bytes an answer takes.
fn weight(answer: &ChartData) -> u32 {
    let size = |value: &Value| 32 + value.as_str().map_or(0, str::len);
    let bytes: usize = answer.rows.iter().flatten().map(size).sum();
    u32::try_from(bytes.saturating_add(1_000)).unwrap_or(u32::MAX)
}
