//! From a chart's SQL to what a database may run for one viewer.

use crate::{
    behind::{self, MarkCondition},
    bind::{Bind, Binds},
    catalog::{Catalog, RowAccess, Table},
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

/// A day, and where it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Today {
    /// The day.
    pub day: NaiveDate,
    /// The viewer's zone.
    pub zone: Tz,
}

/// The day in UTC.
impl From<NaiveDate> for Today {
    fn from(day: NaiveDate) -> Self {
        Self { day, zone: Tz::UTC }
    }
}

/// What is asked of a source.
#[derive(Clone, Debug)]
pub struct Query {
    /// The chart's SQL.
    pub sql: String,
    /// The page's filters; those of tables that the query does not read are ignored.
    pub filters: Vec<Filter>,
    /// What the rows behind a mark have in common, when they are asked for.
    pub behind: Vec<MarkCondition>,
    /// Today, in the viewer's zone.
    pub today: NaiveDate,
    /// The viewer's zone: where days begin.
    pub zone: Tz,
    /// How old an answer may be; `None` leaves it to the source and the engine's limits.
    pub max_age: Option<Duration>,
    /// Asks the source even if an answer is remembered, and remembers the new one.
    pub refresh: bool,
}

impl Query {
    /// A query without filters, answered from memory where that is allowed.
    #[must_use]
    pub fn new(sql: impl Into<String>, today: impl Into<Today>) -> Self {
        let Today { day: today, zone } = today.into();
        Self { sql: sql.into(), filters: Vec::new(), behind: Vec::new(), today, zone, max_age: None, refresh: false }
    }

    /// The first rows of a table with all their visible columns.
    #[must_use]
    pub fn first_rows(kind: SourceKind, table: &str, most: usize, today: impl Into<Today>) -> Self {
        Self::new(format!("SELECT * FROM {} LIMIT {most}", quote_table(kind, table)), today)
    }
}

/// Columns of tables, by the catalogue's names.
pub(crate) type Columns = HashMap<String, Arc<[SourceColumn]>>;

/// What a database may run.
#[derive(Debug)]
pub(crate) struct Rewritten {
    pub sql: String,
    pub binds: Vec<Bind>,
    /// The zone in which the database reckons.
    pub zone: Tz,
}

/// The tables of the catalogue that a query reads, by their names there: which filters reach a chart.
///
/// # Errors
/// [`QueryError::Failed`]: the query is not one that Inlay runs.
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

/// What is known of a query before it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The tables of the catalogue that it reads, by their names there: which filters reach a chart.
    pub tables: BTreeSet<String>,
    /// What it is made of, if that can be said.
    pub shape: Option<Shape>,
}

/// Reads a query once for all that a page wants to know of it.
///
/// # Errors
/// [`QueryError::Failed`]: the query is not one that Inlay runs.
pub fn reading(kind: SourceKind, sql: &str, catalog: &Catalog) -> Result<Reading, QueryError> {
    on_deep_stack(|| {
        let mut statement = parse(kind, sql)?;
        check(kind, Author::Chart, &statement)?;
        let shape = shape::of_statement(kind, &statement, catalog);
        Ok(Reading { tables: tables(kind, catalog, &mut statement)?, shape })
    })
}

/// Puts rules and filters round every base table, prints, and checks what was printed.
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
        let mut binds = Binds::default();
        canonical(kind, &mut statement, &mut binds)?;
        behind::narrow(kind, columns, &mut statement, query, &mut binds)?;
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
        // No viewer's choice of a zone may move what a rule takes for a day.
        let zone = if policy.reads_times { Tz::UTC } else { query.zone };
        Ok(Rewritten { sql, binds, zone })
    })
}

/// Which rows and columns of each table the viewer gets. One wrapper for each table: a second mention uses the same binds.
struct Policy<'a> {
    kind: SourceKind,
    catalog: &'a Catalog,
    columns: &'a Columns,
    viewer: &'a SecurityContext,
    query: &'a Query,
    binds: Binds,
    /// What the query's own conditions could tell of foreign rows.
    leak: Leak,
    guards: HashMap<String, Guard>,
    /// Whether a rule's meaning could depend on a zone.
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

/// The error of a table that has neither `rowRule` nor `rows: all`.
pub(crate) fn no_rule(table: &str) -> QueryError {
    QueryError::unresolved(format!("the table {table} has neither a row rule nor `rows: all`"))
}

#[cfg(test)]
mod tests;
