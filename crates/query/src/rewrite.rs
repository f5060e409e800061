//! Rewrites a chart's SQL to what a database may run for one viewer.

mod fitting;

use crate::{
    bind::{Bind, Binds},
    catalog::{Catalog, RowAccess, Table},
    drill_down::{self, MarkCondition},
    error::QueryError,
    filters::{self, Filter},
    name::{TableKey, fold, quote_table},
    property::SecurityContext,
    rule,
    schema::{SourceColumn, find},
    shape::{self, Shape},
    source::SourceKind,
    sql::{
        Refusal,
        canonical::canonical,
        check::{Author, check},
        guard::{Guard, guard},
        leak::{Leak, leak},
        on_deep_stack, parse,
        reserved::check_dots,
        scope::replace_tables,
        verify::verify,
    },
};
use chrono::NaiveDate;
use chrono_tz::Tz;
use sqlparser::ast::Statement;
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

impl From<Refusal> for QueryError {
    fn from(Refusal(reason): Refusal) -> Self {
        Self::failed(reason)
    }
}

/// A date and its time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Today {
    /// The date.
    pub day: NaiveDate,
    /// The viewer's zone.
    pub zone: Tz,
}

/// The date in UTC.
impl From<NaiveDate> for Today {
    fn from(day: NaiveDate) -> Self {
        Self { day, zone: Tz::UTC }
    }
}

/// How old a result may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freshness {
    /// As [`Query::refresh`].
    pub refresh: bool,
    /// As [`Query::stale`].
    pub stale: bool,
}

/// A query to a source.
#[derive(Clone, Debug)]
pub struct Query {
    /// The chart's SQL.
    pub sql: String,
    /// The page's filters. Those on tables that the query does not read are ignored.
    pub filters: Vec<Filter>,
    /// The conditions for the rows behind a mark.
    pub behind: Vec<MarkCondition>,
    /// Today's date in the viewer's zone.
    pub today: NaiveDate,
    /// The viewer's zone, in which days begin.
    pub zone: Tz,
    /// The maximum age of a cached result. `None` uses the source's setting or the engine's limits.
    pub max_age: Option<Duration>,
    /// Queries the source even if a result is cached, and caches the new one.
    pub refresh: bool,
    /// Whether an older result may take the place of one while the source does not answer, if its operator allows it.
    pub stale: bool,
    /// Whether the SQL was compiled from a query of the semantic model: the values of its filters take the columns' types.
    pub compiled: bool,
}

impl Query {
    /// A query without filters, which may use the cache.
    #[must_use]
    pub fn new(sql: impl Into<String>, today: impl Into<Today>) -> Self {
        let Today { day: today, zone } = today.into();
        Self {
            sql: sql.into(),
            filters: Vec::new(),
            behind: Vec::new(),
            today,
            zone,
            max_age: None,
            refresh: false,
            stale: false,
            compiled: false,
        }
    }

    /// The same for SQL that was compiled from a query of the semantic model.
    #[must_use]
    pub fn compiled(sql: impl Into<String>, today: impl Into<Today>) -> Self {
        Self { compiled: true, ..Self::new(sql, today) }
    }

    /// The same with a result that may be this old.
    #[must_use]
    pub fn fresh(self, Freshness { refresh, stale }: Freshness) -> Self {
        Self { refresh, stale, ..self }
    }

    /// A query for the first rows of a table with all its visible columns.
    #[must_use]
    pub fn first_rows(kind: SourceKind, table: &str, most: usize, today: impl Into<Today>) -> Self {
        Self::new(format!("SELECT * FROM {} LIMIT {most}", quote_table(kind, table)), today)
    }
}

/// The columns of tables, by the tables' names in the catalogue.
pub(crate) type Columns = HashMap<String, Arc<[SourceColumn]>>;

/// SQL that a database may run.
#[derive(Debug)]
pub(crate) struct Rewritten {
    pub sql: String,
    pub binds: Vec<Bind>,
    /// The session's time zone in the database.
    pub zone: Tz,
}

/// The catalogue's tables that a query reads, which decides the filters that affect a chart.
///
/// # Errors
/// [`QueryError::Failed`]: the query is not allowed.
pub fn tables_read(kind: SourceKind, sql: &str, catalog: &Catalog) -> Result<BTreeSet<String>, QueryError> {
    on_deep_stack(|| {
        let mut statement = parse(kind, sql)?;
        check(kind, Author::Chart, &statement)?;
        Ok(tables(kind, catalog, &mut statement)?)
    })
}

fn tables(kind: SourceKind, catalog: &Catalog, statement: &mut Statement) -> Result<BTreeSet<String>, Refusal> {
    let mut tables = BTreeSet::new();
    replace_tables(kind, catalog, statement, |table| {
        tables.insert(table.name.clone());
        Ok(None)
    })?;
    Ok(tables)
}

/// What is known about a query before it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The catalogue's tables that it reads, which decides the filters that affect a chart.
    pub tables: BTreeSet<String>,
    /// Its shape, if it has one.
    pub shape: Option<Arc<Shape>>,
}

/// Analyses a query once.
///
/// # Errors
/// [`QueryError::Failed`]: the query is not allowed.
pub fn reading(kind: SourceKind, sql: &str, catalog: &Catalog) -> Result<Reading, QueryError> {
    on_deep_stack(|| {
        let mut statement = parse(kind, sql)?;
        check(kind, Author::Chart, &statement)?;
        let shape = shape::of_statement(kind, &statement, catalog).map(Arc::new);
        Ok(Reading { tables: tables(kind, catalog, &mut statement)?, shape })
    })
}

/// Wraps every base table with its rule and filters, prints the SQL, and checks what was printed.
pub(crate) fn rewrite(
    kind: SourceKind,
    catalog: &Catalog,
    columns: &Columns,
    viewer: &SecurityContext,
    query: &Query,
) -> Result<Rewritten, QueryError> {
    on_deep_stack(|| {
        let mut statement = parse(kind, &query.sql)?;
        check(kind, Author::Chart, &statement)?;
        check_dots(kind, catalog, columns, &statement)?;
        if query.compiled {
            fitting::fit(kind, catalog, columns, &mut statement);
        }
        let mut binds = Binds::default();
        canonical(kind, &mut statement, &mut binds)?;
        drill_down::narrow(kind, columns, &mut statement, query, &mut binds)?;
        let leak = leak(kind, &statement);
        let mut policy = Policy {
            kind,
            catalog,
            columns,
            viewer,
            query,
            binds,
            leak,
            guards: HashMap::new(),
            reads_times: false,
            problem: None,
        };
        let replaced = replace_tables(kind, catalog, &mut statement, |table| policy.replacement(table));
        if let Some(problem) = policy.problem {
            return Err(problem);
        }
        replaced?;
        let sql = statement.to_string();
        let binds = policy.binds.into_values();
        let guards: HashSet<_> = policy.guards.into_values().map(|guard| guard.text).collect();
        verify(kind, &sql, &statement, &guards, binds.len())?;
        // The viewer's choice of a zone must not change what a rule considers a day.
        let zone = if policy.reads_times { Tz::UTC } else { query.zone };
        Ok(Rewritten { sql, binds, zone })
    })
}

/// The rows and columns of each table that the viewer may see. There is one wrapper per table: a second use has the same binds.
struct Policy<'a> {
    kind: SourceKind,
    catalog: &'a Catalog,
    columns: &'a Columns,
    viewer: &'a SecurityContext,
    query: &'a Query,
    binds: Binds,
    /// What the query's own conditions could reveal about other rows.
    leak: Leak,
    guards: HashMap<String, Guard>,
    /// Whether a rule's meaning could depend on a time zone.
    reads_times: bool,
    problem: Option<QueryError>,
}

impl Policy<'_> {
    fn replacement(&mut self, table: &Table) -> Result<Option<Box<sqlparser::ast::Query>>, Refusal> {
        if let Some(guard) = self.guards.get(&table.name) {
            return Ok(Some(guard.query.clone()));
        }
        match self.guard(table) {
            Ok(guard) => {
                let query = guard.query.clone();
                self.guards.insert(table.name.clone(), guard);
                Ok(Some(query))
            }
            Err(problem) => {
                let refusal = Refusal::new(problem.detail());
                self.problem = Some(problem);
                Err(refusal)
            }
        }
    }

    fn guard(&mut self, table: &Table) -> Result<Guard, QueryError> {
        let unknown = || QueryError::failed(format!("the columns of {} are not known", table.name));
        let columns = self.columns.get(&table.name).ok_or_else(unknown)?;
        let rule = match &table.rows {
            RowAccess::All => None,
            RowAccess::Nothing => return Err(no_rule(&table.name)),
            RowAccess::Rule(_) if self.viewer.is_nobody() => {
                return Err(QueryError::unresolved(format!("{} has a row rule, but the query has no viewer", table.name)));
            }
            RowAccess::Rule(text) => {
                let condition = rule::condition(text, self.kind, columns, self.viewer, &mut self.binds)
                    .map_err(|problem| QueryError::unresolved(format!("the row rule of {}: {problem}", table.name)))?;
                self.reads_times |= condition.reads_times;
                Some(condition.expression)
            }
        };
        let mut conditions = Vec::new();
        let (kind, catalog) = (self.kind, self.catalog);
        let of_table = |filter: &&Filter| catalog.named(kind, &filter.table).is_some_and(|named| named.name == table.name);
        for filter in self.query.filters.iter().filter(of_table) {
            let column = find(self.kind, columns, &fold(self.kind, &filter.column));
            let Some(column) = column.filter(|column| !table.hides(self.kind, &column.name)) else {
                return Err(QueryError::failed(format!("a filter of {} names a column that is hidden or missing", table.name)));
            };
            conditions.push(filters::condition(self.kind, column, &filter.value, self.query, &mut self.binds));
        }
        let visible: Vec<_> = columns.iter().map(|column| &*column.name).filter(|name| !table.hides(self.kind, name)).collect();
        let key = TableKey::spelled(self.kind, &table.name).ok_or_else(unknown)?;
        let fenced = self.leak.needs_fence(self.kind, columns);
        Ok(guard(self.kind, &key, &visible, rule.as_ref(), &conditions, fenced)?)
    }
}

/// The error for a table with neither `rowRule` nor `rows: all`.
pub(crate) fn no_rule(table: &str) -> QueryError {
    QueryError::unresolved(format!("the table {table} has neither a row rule nor `rows: all`"))
}

#[cfg(test)]
mod tests;
