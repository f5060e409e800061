//! Charts that ask the semantic model (docs/model.md): their SQL is made anew for each day, because periods such as the last 30 days
//! move, and for what the active filters ask of it.

use super::filters;
use crate::{concepts::connections::OpenConnection, ground::error::Result};
use chrono::{NaiveDate, Utc};
use inlay_contract::{
    chart::definition::ChartDefinition,
    filter::{FilterDefinition, FilterValue},
    model::ModelQuery,
    page::Filters,
};
use inlay_query::{
    CompiledColumn, DimensionFilter, Engine, Filter, Narrowing, NoMeaning, Reach, Shape, SourceKindExt, compile_narrowed, shape,
};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// The most rows of a chart whose query does not say how many.
const MOST_ROWS: u32 = 50_000;
/// The most narrowings of a query whose SQL is kept.
const MOST_KEPT: usize = 16;
/// The longest SQL that is kept, in bytes. Viewers choose the values in it.
const LONGEST_KEPT: usize = 32 << 10;

/// A chart's query of the semantic model.
#[derive(Debug)]
pub(super) struct ByMeaning {
    connection: Arc<OpenConnection>,
    query: ModelQuery,
    columns: Vec<CompiledColumn>,
    reach: Reach,
    made: Mutex<OfDay>,
}

/// What was made of the query on a day.
#[derive(Debug)]
struct OfDay {
    day: NaiveDate,
    /// Without filters.
    whole: Asked,
    /// Under filters, the newest last.
    narrowed: Vec<(Narrowing, Asked)>,
}

/// The query as the database is asked it.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// Its SQL.
    pub sql: Arc<str>,
    /// The rows behind its marks, if one table has them.
    pub shape: Option<Arc<Shape>>,
}

/// What active filters ask of a chart's query.
#[derive(Clone, Debug, Default)]
pub struct Narrowed {
    /// The conditions on the rows of its tables.
    pub filters: Vec<Filter>,
    /// What a query of the semantic model must do beside, so that they reach it.
    pub(super) narrowing: Narrowing,
}

impl ByMeaning {
    /// A query of a connection's model. A chart shows no totals, so none are asked for.
    ///
    /// # Errors
    /// The query has no meaning in the model.
    pub(super) fn of(connection: &Arc<OpenConnection>, query: ModelQuery) -> Result<Self, NoMeaning> {
        let query = ModelQuery { limit: query.limit.or(Some(MOST_ROWS)), totals: false, ..query };
        let day = Utc::now().date_naive();
        let reach = Reach::of(connection.source.kind, &connection.model, &query, day)?;
        let (columns, whole) = compiled(connection, &query, &Narrowing::default(), day)?;
        let made = Mutex::new(OfDay { day, whole, narrowed: Vec::new() });
        Ok(Self { connection: Arc::clone(connection), query, columns, reach, made })
    }

    /// A chart's definition with the labels and formats that the model gives its columns. What the chart sets itself stays.
    pub(super) fn described(&self, definition: &ChartDefinition) -> ChartDefinition {
        let mut described = definition.clone();
        let has_format = described.options.contains_key("format");
        for CompiledColumn { name, label, is_labelled, format, .. } in &self.columns {
            if *is_labelled {
                set(&mut described.options, "labels", name, json!(label));
            }
            if let Some(format) = format.as_ref().filter(|_| !has_format) {
                set(&mut described.options, "formats", name, json!(format));
            }
        }
        described
    }

    /// The query on a day, under filters. What was made last is kept.
    ///
    /// # Errors
    /// The query has no meaning on that day, or in the period that the filters ask for.
    pub(super) fn on(&self, day: NaiveDate, narrowing: &Narrowing) -> Result<Asked, NoMeaning> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if made.day != day {
            let (_, whole) = compiled(&self.connection, &self.query, &Narrowing::default(), day)?;
            *made = OfDay { day, whole, narrowed: Vec::new() };
        }
        if *narrowing == Narrowing::default() {
            return Ok(made.whole.clone());
        }
        if let Some((_, known)) = made.narrowed.iter().find(|(known, _)| known == narrowing) {
            return Ok(known.clone());
        }
        let (_, asked) = compiled(&self.connection, &self.query, narrowing, day)?;
        if asked.sql.len() <= LONGEST_KEPT {
            if made.narrowed.len() >= MOST_KEPT {
                made.narrowed.remove(0);
            }
            made.narrowed.push((narrowing.clone(), asked.clone()));
        }
        Ok(asked)
    }

    /// The SQL without filters that was made last.
    pub(super) fn last(&self) -> Arc<str> {
        Arc::clone(&self.made.lock().unwrap_or_else(PoisonError::into_inner).whole.sql)
    }

    /// Whether a filter on a column or dimension reaches the query.
    pub(super) fn is_reached(&self, path: &str) -> bool {
        let declared = self.connection.dimension(path).map(|(table, _)| table);
        let table = declared.or_else(|| self.connection.column(path).map(|(table, _)| table.name.as_str()));
        table.is_some_and(|table| self.reach.tables.contains(table))
    }

    /// What active filters ask of the query. Those that do not reach it ask nothing.
    ///
    /// # Errors
    /// 503 when the source cannot be asked for its columns.
    pub(super) async fn narrowed(&self, engine: &Engine, own: &[FilterDefinition], active: &Filters) -> Result<Narrowed> {
        let mut narrowed = Narrowed::default();
        for (key, value) in active {
            let Some(path) = filters::column_path(own, key).filter(|path| self.is_reached(path)) else { continue };
            if let Some((table, dimension)) = self.connection.dimension(path) {
                let (table, dimension, value) = (table.to_owned(), dimension.to_owned(), value.clone());
                narrowed.narrowing.dimensions.push(DimensionFilter { table, dimension, value });
            } else if let Some(filter) = filters::condition(engine, &self.connection, path, value).await? {
                if self.compares(&filter) {
                    narrowed.narrowing.period = Some(filter.value);
                } else {
                    narrowed.narrowing.tables.insert(filter.table.clone());
                    narrowed.filters.push(filter);
                }
            }
        }
        Ok(narrowed)
    }

    /// Whether a filter says which period is compared with an earlier one. Applied to the rows, it would leave none of the earlier.
    fn compares(&self, filter: &Filter) -> bool {
        let same = |name: &str| self.connection.source.kind.same_name(name, &filter.column);
        let on_time = self.reach.compared.as_ref().is_some_and(|(table, time)| *table == filter.table && same(time));
        on_time && !matches!(filter.value, FilterValue::AnyOf(_))
    }
}

fn compiled(
    connection: &OpenConnection,
    query: &ModelQuery,
    narrowing: &Narrowing,
    day: NaiveDate,
) -> Result<(Vec<CompiledColumn>, Asked), NoMeaning> {
    let kind = connection.source.kind;
    let compiled = compile_narrowed(kind, &connection.model, query, narrowing.clone(), day)?;
    let behind = compiled.behind.and_then(|sql| shape(kind, &sql, &connection.catalog).ok().flatten());
    Ok((compiled.columns, Asked { sql: compiled.sql.into(), shape: behind.map(Arc::new) }))
}

/// Sets an option of a column, unless it is set.
fn set(options: &mut Map<String, Value>, option: &str, column: &str, value: Value) {
    let columns = options.entry(option).or_insert_with(|| json!({}));
    if let Some(columns) = columns.as_object_mut() {
        columns.entry(column).or_insert(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        concepts::connections,
        testing::{StoreKind, World},
    };

    #[tokio::test]
    async fn periods_move_with_the_day() {
        let world = World::new(StoreKind::Sqlite).await;
        let connection = connections::open(&world.app, world.applied.connections["warehouse"]).await.expect("a connection");
        let query = json!({"measures": ["revenue"], "totals": true,
            "filters": [{"dimension": "orders.day", "value": {"relative": "last_7_days"}}]});
        let meant = ByMeaning::of(&connection, serde_json::from_value(query).expect("a query")).expect("a meaning");
        let day = |number| NaiveDate::from_ymd_opt(2024, 2, number).expect("a day");
        let all = Narrowing::default();
        let first = meant.on(day(8), &all).expect("SQL").sql;
        assert!(first.contains("2024-02-02") && first.contains("LIMIT 50000"), "{first}");
        assert!(Arc::ptr_eq(&first, &meant.on(day(8), &all).expect("SQL").sql), "made once a day");
        assert!(meant.on(day(9), &all).expect("SQL").sql.contains("2024-02-03"));
    }
}
