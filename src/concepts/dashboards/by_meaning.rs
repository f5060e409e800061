//! Charts that ask the semantic model (docs/model.md): their SQL is made anew for each day, because periods such as the last 30 days
//! move, and for what the active filters ask of it.

use super::{PlacedChart, filters};
use crate::{
    concepts::connections::OpenConnection,
    ground::error::{Error, Result},
};
use chrono::{NaiveDate, Utc};
use inlay_contract::{
    chart::{
        definition::ChartDefinition,
        options::Missing,
        question::{Cycle, Grain},
    },
    filter::{FilterDefinition, FilterValue},
    model::{ModelFilter, ModelGroup, ModelQuery},
    page::Filters,
};
use inlay_query::{
    ComparedPeriod, CompiledColumn, DimensionFilter, Engine, Filter, Narrowing, NoMeaning, Reach, Shape, TimeReach, WEEKDAYS,
    compile_narrowed, shape,
};
use serde_json::{Map, Value, json};
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

/// The name of each measure's own default time.
const TIME: &str = "time";
/// The most rows of a chart whose query does not say how many.
const MOST_ROWS: u32 = 50_000;
/// The most forms of a query that are cached: by day and by narrowing.
const MOST_KEPT: usize = 16;
/// The longest SQL that is cached, in bytes. Viewers choose the values in it.
const LONGEST_KEPT: usize = 32 << 10;
/// The maximum size of the values of filters on declared dimensions, as JSON, in bytes: they are part of the SQL.
const LONGEST_VALUES: usize = 16 << 10;

/// A chart's query of the semantic model.
#[derive(Debug)]
pub(super) struct ByMeaning {
    pub(super) connection: Arc<OpenConnection>,
    pub(super) query: ModelQuery,
    /// The period that it compares with an earlier one.
    pub(super) compared: Option<ComparedPeriod>,
    columns: Vec<CompiledColumn>,
    reach: Reach,
    /// What a mark of the chart stands for. `None` where filters cannot say it.
    groups: Option<Vec<GroupPath>>,
    /// Its SQL without filters on the day when the chart was prepared.
    prepared: Arc<str>,
    /// The newest forms, the oldest first.
    kept: Mutex<Vec<(NaiveDate, Narrowing, Asked)>>,
}

/// The query as the database is asked it.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// Its SQL.
    pub sql: Arc<str>,
    /// The rows behind its marks, if one table has them.
    pub shape: Option<Arc<Shape>>,
}

/// A group of a chart's query that a filter can be on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupPath {
    /// Its column in the rows.
    pub column: String,
    /// What it is a value of: `<connection>.<table>.<column or dimension>`.
    pub path: String,
    /// The display name of that.
    pub label: String,
    /// The period that its days are gathered into.
    pub grain: Option<Grain>,
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
        let whole = Narrowing::default();
        let (columns, asked) = compiled(connection, &query, &whole, day)?;
        let compared = ComparedPeriod::of(connection.source.kind, &connection.model, &query, day)?;
        let prepared = Arc::clone(&asked.sql);
        let kept = Mutex::new(vec![(day, whole, asked)]);
        let groups = None;
        let mut made = Self { connection: Arc::clone(connection), query, compared, columns, reach, groups, prepared, kept };
        made.groups = made.find_groups();
        Ok(made)
    }

    /// A chart's definition with the labels and formats that the model gives its columns. What the chart sets itself stays.
    pub(super) fn described(&self, definition: &ChartDefinition) -> ChartDefinition {
        let mut described = described(definition.clone(), &self.columns);
        if let Some(missing) = self.missing(definition.encoding.x.as_deref()) {
            described.options.entry("missing").or_insert_with(|| json!(missing));
        }
        for (column, order) in self.orders() {
            set(&mut described.options, "order", &column, json!(order));
        }
        described
    }

    /// The orders of groups that are not alphabetical, by their columns: those that dimensions declare, and that of weekdays.
    fn orders(&self) -> Vec<(String, Vec<String>)> {
        let declared = |group: &ModelGroup| {
            let (table, name) = group.name.rsplit_once('.')?;
            let dimension = self.connection.model.tables.get(table)?.model.dimensions.get(name)?;
            (group.grain.is_none() && !dimension.order.is_empty()).then(|| dimension.order.clone())
        };
        let order = |group: &ModelGroup| match group.cycle {
            Some(Cycle::Weekday) => Some(WEEKDAYS.map(str::to_owned).to_vec()),
            Some(_) => None,
            None => declared(group),
        };
        self.query.dimensions.iter().filter_map(|group| Some((group.column(), order(group)?))).collect()
    }

    /// The periods of the axis that have no rows, as a chart over time shows them: sums and counts are 0 in them. `None` where rows may be
    /// left out for another reason.
    fn missing(&self, x: Option<&str>) -> Option<Missing> {
        let ModelQuery { dimensions, filters, having, top, limit, .. } = &self.query;
        let is_cut = !having.is_empty() || top.is_some() || limit.is_some_and(|limit| limit < MOST_ROWS);
        let group = dimensions.iter().find(|group| Some(&*group.column()) == x)?;
        // Some days of the group's own are left out by choice.
        let picks = |filter: &ModelFilter| {
            let is_on_time = filter.dimension == group.name || filter.dimension == TIME;
            filter.cycle.is_some() || is_on_time && (filter.not || matches!(filter.value, FilterValue::AnyOf(_)))
        };
        let grain = group.grain.filter(|_| !is_cut && !filters.iter().any(picks))?;
        let adds_up = |name: &&String| {
            let is_metric = self.query.metrics.contains_key(*name) || self.connection.model.metrics.contains_key(*name);
            let own = name.rsplit('.').next().unwrap_or_default();
            let mut known = self.connection.model.tables.iter().filter_map(|(table, modelled)| {
                let is_meant = own == name.as_str() || name.strip_suffix(own) == Some(&format!("{table}."));
                modelled.model.measures.get(own).filter(|_| is_meant)
            });
            let adds_up = known.next().is_some_and(|measure| measure.aggregate.adds_up() && measure.take.is_none());
            adds_up && !is_metric && known.next().is_none()
        };
        let zero: Vec<String> = self.query.measures.iter().filter(adds_up).cloned().collect();
        (!zero.is_empty()).then_some(Missing { grain, zero })
    }

    /// The query on a day, under filters. The newest forms are cached.
    ///
    /// # Errors
    /// The query has no meaning on that day, or in the period that the filters ask for.
    pub(super) fn on(&self, day: NaiveDate, narrowing: &Narrowing) -> Result<Asked, NoMeaning> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept().iter().find(|(of, by, _)| *of == day && by == narrowing).map(|(.., asked)| asked.clone());
        if let Some(known) = known {
            return Ok(known);
        }
        // Compiled without the lock: other viewers of the chart do not wait for it.
        let (_, asked) = compiled(&self.connection, &self.query, narrowing, day)?;
        let mut kept = kept();
        let is_known = kept.iter().any(|(of, by, _)| *of == day && by == narrowing);
        if is_known || asked.sql.len() > LONGEST_KEPT {
            return Ok(asked);
        }
        if kept.len() >= MOST_KEPT {
            // Today's form without filters stays: most pages open with it.
            let oldest = kept.iter().position(|(of, by, _)| *of != day || *by != Narrowing::default());
            kept.remove(oldest.unwrap_or_default());
        }
        kept.push((day, narrowing.clone(), asked.clone()));
        Ok(asked)
    }

    /// The SQL without filters on the day when the chart was prepared.
    pub(super) fn prepared(&self) -> Arc<str> {
        Arc::clone(&self.prepared)
    }

    /// Whether a filter on a column, a dimension or the default time reaches the query.
    pub(super) fn is_reached(&self, path: &str) -> bool {
        if self.connection.is_time(path) {
            return self.reach.time.is_some();
        }
        let declared = self.connection.dimension(path).map(|(table, _)| table);
        let table = declared.or_else(|| self.connection.column(path).map(|(table, _)| table.name.as_str()));
        table.is_some_and(|table| self.reach.tables.contains(table))
    }

    /// What a mark of the chart stands for, if filters can say it.
    pub(super) fn groups(&self) -> Option<&[GroupPath]> {
        self.groups.as_deref()
    }

    /// Whether a number of the query is that of all its rows together.
    pub(super) fn is_total(&self, number: &str) -> bool {
        let metric = self.query.metrics.get(number).or_else(|| self.connection.model.metrics.get(number));
        metric.and_then(|metric| metric.total.as_ref()).is_some_and(|total| total.within.is_empty())
    }

    /// A path for each of the query's groups. `None` without groups, and where one is no value that a
    /// filter can be on, such as the hours of all days together.
    fn find_groups(&self) -> Option<Vec<GroupPath>> {
        if self.query.dimensions.is_empty() {
            return None;
        }
        let group = |group: &ModelGroup| {
            let path = format!("{}.{}", self.connection.source.name, group.name);
            let is_plain = group.via.is_none() && group.cycle.is_none() && self.is_reached(&path);
            let label = self.connection.label(&path).filter(|_| is_plain)?;
            Some(GroupPath { column: group.column(), path, label, grain: group.grain })
        };
        self.query.dimensions.iter().map(group).collect()
    }

    /// What active filters ask of the query. Those that do not reach it ask nothing.
    ///
    /// # Errors
    /// 400 when the values of filters on declared dimensions are too large; 503 when the source cannot be asked for its columns.
    pub(super) async fn narrowed(&self, engine: &Engine, own: &[FilterDefinition], active: &Filters) -> Result<Narrowed> {
        let (mut filters, mut narrowing, mut left) = (Vec::new(), Narrowing::default(), LONGEST_VALUES);
        let kind = self.connection.source.kind;
        for (key, value) in active {
            let Some(path) = filters::column_path(own, key).filter(|path| self.is_reached(path)) else { continue };
            if self.connection.is_time(path) {
                let replaces = self.reach.time == Some(TimeReach::Compares) && narrowing.period.is_none();
                let place = if replaces { &mut narrowing.period } else { &mut narrowing.time };
                *place = Some(value.clone());
            } else if let Some((table, dimension)) = self.connection.dimension(path) {
                let size = value.to_json().to_string().len();
                left = left.checked_sub(size).ok_or_else(|| {
                    let told = format!("is too large: values for dimensions may take {LONGEST_VALUES} bytes together");
                    Error::invalid(&format!("filters.{key}"), told)
                })?;
                if narrowing.period.is_none() && self.reach.is_compared(kind, table, dimension, value) {
                    narrowing.period = Some(value.clone());
                    continue;
                }
                let (table, dimension, value) = (table.to_owned(), dimension.to_owned(), value.clone());
                narrowing.dimensions.push(DimensionFilter { table, dimension, value });
            } else if let Some(filter) = filters::condition(engine, &self.connection, path, value).await? {
                if narrowing.period.is_none() && self.reach.is_compared(kind, &filter.table, &filter.column, value) {
                    narrowing.period = Some(filter.value);
                } else {
                    narrowing.tables.insert(filter.table.clone());
                    filters.push(filter);
                }
            }
        }
        Ok(Narrowed { filters, narrowing })
    }
}

/// What a dashboard can be filtered by, of a connection's model.
#[derive(Clone, Debug, Default)]
pub struct Filterable {
    /// The tables whose dimensions a filter can be on.
    pub tables: BTreeSet<String>,
    /// Whether one can be on the default time.
    pub time: bool,
}

/// What a dashboard with these charts can be filtered by: what reaches the query of one of them.
pub fn filterable(connection: &OpenConnection, charts: &[PlacedChart]) -> Filterable {
    let today = Utc::now().date_naive();
    let own = charts.iter().filter(|placed| placed.chart.connection == connection.source.id);
    let queries = own.filter_map(|placed| placed.chart.definition.model_query());
    let reached = queries.filter_map(|query| Reach::of(connection.source.kind, &connection.model, &query, today).ok());
    reached.fold(Filterable::default(), |mut all, reach| {
        all.time |= reach.time.is_some();
        all.tables.extend(reach.tables);
        all
    })
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

/// A chart's definition with the labels and formats of the columns of its query. What the chart sets itself stays.
pub fn described(mut definition: ChartDefinition, columns: &[CompiledColumn]) -> ChartDefinition {
    let has_format = definition.options.contains_key("format");
    for CompiledColumn { name, label, is_labelled, format, .. } in columns {
        if *is_labelled {
            set(&mut definition.options, "labels", name, json!(label));
        }
        if let Some(format) = format.as_ref().filter(|_| !has_format) {
            set(&mut definition.options, "formats", name, json!(format));
        }
    }
    definition
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
    async fn sums_and_counts_are_zero_in_periods_without_rows_unless_rows_are_left_out() {
        let world = World::new(StoreKind::Sqlite).await;
        let connection = connections::open(&world.app, world.applied.connections["warehouse"]).await.expect("a connection");
        let missing = |more: Value| {
            let mut query = json!({"measures": ["revenue", "mean_order"], "dimensions": [{"name": "orders.day", "grain": "day", "as": "day"}]});
            more.as_object().expect("fields").iter().for_each(|(field, value)| query[field] = value.clone());
            let meant = ByMeaning::of(&connection, serde_json::from_value(query).expect("a query")).expect("a meaning");
            let chart = json!({"title": "T", "type": "line", "encoding": {"x": "day", "y": ["revenue"]}});
            meant.described(&serde_json::from_value(chart).expect("a chart")).options.get("missing").cloned()
        };
        assert_eq!(missing(json!({})), Some(json!({"grain": "day", "zero": ["revenue"]})));
        for leaves_out in [
            json!({"measures": ["mean_order"]}),
            json!({"limit": 10}),
            json!({"having": [{"measure": "revenue", "comparison": ">", "than": 5}]}),
            json!({"filters": [{"dimension": "orders.day", "cycle": "weekday", "value": "Mon"}]}),
            json!({"dimensions": [{"name": "orders.day", "cycle": "weekday", "as": "day"}]}),
            json!({"filters": [{"dimension": "orders.day", "value": ["2024-01-15", "2024-02-10"]}]}),
            json!({"filters": [{"dimension": "time", "value": {"from": "2024-01-20", "to": "2024-01-25"}, "not": true}]}),
        ] {
            assert_eq!(missing(leaves_out.clone()), None, "{leaves_out}");
        }
    }

    #[tokio::test]
    async fn series_stand_in_the_order_of_their_dimension() {
        let world = World::new(StoreKind::Sqlite).await;
        let ordered =
            ["dimensions: { place: { sql: \"coalesce(region, 'nowhere')\", label: Place", "order: [south, north]"].join(", ");
        let text = World::project_file().replacen(
            "dimensions: { place: { sql: \"coalesce(region, 'nowhere')\", label: Place",
            &ordered,
            1,
        );
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
        let connection = connections::open(&world.app, world.applied.connections["warehouse"]).await.expect("a connection");
        let order = |dimensions: Value| {
            let query = serde_json::from_value(json!({"measures": ["revenue"], "dimensions": dimensions})).expect("a query");
            let chart = json!({"title": "T", "type": "bar", "encoding": {"x": "day_month", "y": ["revenue"]}});
            let chart = serde_json::from_value(chart).expect("a chart");
            ByMeaning::of(&connection, query).expect("a meaning").described(&chart).options.get("order").cloned()
        };
        assert_eq!(order(json!([{"name": "orders.place", "as": "where"}])), Some(json!({"where": ["south", "north"]})));
        let weekdays = json!({"day": ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]});
        assert_eq!(order(json!([{"name": "orders.day", "cycle": "weekday", "as": "day"}])), Some(weekdays));
        assert_eq!(order(json!([{"name": "orders.day", "grain": "month"}])), None);
    }

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
