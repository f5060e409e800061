//! Drill-down: the rows behind a mark, or its numbers by another column, through the query engine like the chart itself. A
//! mark's values become bound conditions. Rows that the viewer's rules or the page's filters exclude stay excluded.

mod extent;
mod why;

use crate::{
    concepts::{
        access::Viewer,
        charts::Chart,
        connections::OpenConnection,
        dashboards::{GroupPath, NumberRows, data::View, prepared::PreparedChart},
        usage::{Audience, Counted},
    },
    flows::viewing::Opened,
    ground::{
        error::{Code, Error, Result},
        state::App,
    },
};
use extent::{Extent, sorted_by};
use inlay_app::calls::embed::{DrillRequest, Drilled};
use inlay_contract::{
    chart::{
        definition::{ChartDefinition, ChartType},
        mark::{self, Mark},
        number,
        question::Grain,
        table,
    },
    data::{ChartData, Column, ColumnType},
    filter::{CONTROLLED, Control, FilterDefinition, FilterValue, OMNIBAR, Scalar},
    page::Filters,
    permissions::Flag,
};
use inlay_query::{Group, Lineage, Listing, MarkCondition, Shape, SourceKindExt};
use serde_json::Value;
use std::{collections::BTreeMap, sync::Arc};

/// The most rows that are listed behind a mark.
const MOST_ROWS: u32 = 1_000;
/// The most values that its numbers are broken down by.
const MOST_VALUES: u32 = 50;

/// The rows or numbers behind a mark.
///
/// # Errors
/// 404 for the chart; 403 without `drillDown`; 422 when the rows behind it cannot be determined.
pub async fn drill(app: &App, opened: &Opened, request: &DrillRequest) -> Result<Drilled> {
    allowed(&opened.viewer)?;
    let mark = Marked::of(app, opened, request).await?;
    let behind = mark.conditions()?;
    let shape = mark.behind()?;
    let ask = |sql: String| mark.view.rows_behind(request.tile.chart, &mark.prepared, sql, behind.clone());
    let stands_for = mark.groups(shape);
    if let Some(groups) = shape.kept_groups(|at| mark.tells(at), stands_for.saturating_add(1)) {
        // If other groups match too, the rows would not be those of the mark.
        if ask(groups).await?.table().rows.len() != stands_for {
            return Err(unlisted());
        }
    }
    let rows = match shape.table() {
        Some(_) => None,
        // A table from `WITH` or a subquery has the columns that it returns.
        None => Some(ask(shape.all(MOST_ROWS)).await?),
    };
    let columns = match &rows {
        Some(rows) => rows.table().columns.iter().map(|column| (column.name.clone(), column.name.clone())).collect(),
        None => offered(app, &mark.prepared.connection, shape.table().unwrap_or_default()).await?,
    };
    let by = request.by.as_ref().filter(|by| columns.iter().any(|(name, _)| name == *by));
    let names = || columns.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let listed = listed(&mark.prepared.connection, shape.table().unwrap_or_default(), names());
    let listing = match (by, &rows) {
        (Some(column), _) => Listing::By(column),
        (None, Some(_)) => Listing::All,
        (None, None) => Listing::Rows(&listed),
    };
    let order = request.order.as_ref().filter(|order| by.is_some() || listed.contains(&order.by));
    let ties = ties_of(&mark.prepared.connection, shape.table().unwrap_or_default(), &names());
    let most = if by.is_some() { MOST_VALUES } else { MOST_ROWS };
    let data = match rows.filter(|_| by.is_none() && order.is_none()) {
        Some(rows) => rows,
        None => ask(shape.list(listing, order, &ties, most)).await?,
    };
    let extent = Extent::of(data.table(), most, ask(shape.count(listing))).await;
    let named = |name: &str| {
        columns.iter().find(|(column, _)| column == name).map_or_else(|| name.to_owned(), |(_, label)| label.clone())
    };
    let told = mark.told()?.map(|(_, told)| (named(&told.name), word(&told.value))).collect();
    let filters = match mark.prepared.groups() {
        Some(groups) => of_groups(groups, &mark.said, &mark.view.own),
        None => mark.filters(),
    };
    let (filters, data) = (filters.unwrap_or_default(), data.into_data());
    let labels = labels(&mark.prepared.definition, &columns, &data);
    let order = sorted_by(listing, order, &data, &labels);
    let count = extent.words(by.is_some(), order, &request.tile.scope.locale);
    // A list that is only sorted keeps the button that it has. Without the period, the rows are shown all the same.
    let why = if opened.viewer.permissions.allows(Flag::AiInsight) && request.order.is_none() {
        match mark.view.compared_period(&mark.prepared).await {
            Ok(period) => {
                let told = mark.said.values().map(|told| (told.name.as_str(), &told.value));
                why::question(&mark.prepared, period, told)
            }
            Err(_) => None,
        }
    } else {
        None
    };
    Ok(Drilled { told, columns, by: by.cloned(), data, labels, filters, count, more: extent.is_cut(), why })
}

/// The labels of the columns of what is behind a mark: those of the table, and those of the chart's numbers.
fn labels(definition: &ChartDefinition, columns: &[(String, String)], data: &ChartData) -> Vec<String> {
    let own = table::labelled(definition, data).unwrap_or_default();
    let label = |(at, column): (usize, &Column)| {
        let of_table = columns.iter().find(|(name, _)| *name == column.name).map(|(_, label)| label.clone());
        of_table.or_else(|| own.get(at).map(|(label, _)| label.clone())).unwrap_or_else(|| column.name.clone())
    };
    data.columns.iter().enumerate().map(label).collect()
}

/// The columns of a table's declared key, of the ones that may be shown: rows that an order holds to be alike come by it.
fn ties_of(connection: &OpenConnection, table: &str, shown: &[String]) -> Vec<String> {
    let kind = connection.source.kind;
    let key = connection.model.tables.get(table).map(|table| table.model.key.as_slice()).unwrap_or_default();
    key.iter().filter_map(|name| shown.iter().find(|column| kind.same_name(column, name)).cloned()).collect()
}

/// The columns by which the rows of a table are listed: those that its model names, of the ones that may be shown.
fn listed(connection: &OpenConnection, table: &str, shown: Vec<String>) -> Vec<String> {
    let model = connection.model.tables.get(table);
    let named = model.map(|table| table.model.drill.as_slice()).unwrap_or_default();
    let kind = connection.source.kind;
    let of = |name: &String| shown.iter().find(|column| kind.same_name(column, name)).cloned();
    let listed: Vec<String> = named.iter().filter_map(of).collect();
    if listed.is_empty() { shown } else { listed }
}

/// The filters that narrow a dashboard to a mark. `None` when the mark holds no value of a table's column. Every viewer of the
/// dashboard may use its filters, so this needs no permission.
///
/// # Errors
/// 404 for the chart; 422 where its query fails.
pub async fn narrow(app: &App, opened: &Opened, request: &DrillRequest) -> Result<Filters> {
    let (view, chart) = opened.chart(app, &request.tile).await?;
    let view = view.counted(Counted::query(Audience::of(&opened.viewer)));
    let prepared = PreparedChart::of(app, &chart).await?;
    if let Some(groups) = prepared.groups() {
        let rows = view.rows(&chart).await?;
        let said = said_of(&chart, rows.table(), &request.mark);
        return Ok(of_groups(groups, &said, &view.own).unwrap_or_default());
    }
    let mark = Marked::of(app, opened, request).await?;
    Ok(if mark.shape.narrows() { mark.filters().unwrap_or_default() } else { Filters::new() })
}

/// The filters that a mark of a chart by meaning stands for. `None` where it tells no value of a group.
fn of_groups(groups: &[GroupPath], said: &BTreeMap<usize, MarkedValue>, own: &[FilterDefinition]) -> Option<Filters> {
    let one = |group: &GroupPath| {
        let told = said.values().find(|told| told.name == group.column)?;
        let value = match group.grain {
            Some(grain) => period(grain, &told.value),
            None => scalar(&told.value),
        }?;
        Some((key_of(own, &group.path, &value), value))
    };
    groups.iter().map(one).collect()
}

/// The full key of a filter: the dashboard's own on that path if its control can show the value, otherwise one on the path.
fn key_of(own: &[FilterDefinition], path: &str, value: &FilterValue) -> String {
    let fits = |filter: &&FilterDefinition| filter.column == path && shows(filter.control, value);
    own.iter().find(fits).map_or_else(|| format!("{OMNIBAR}{path}"), |filter| format!("{CONTROLLED}{}", filter.key))
}

/// The values of a chart's mark.
fn said_of(chart: &Chart, data: &ChartData, mark: &Mark) -> BTreeMap<usize, MarkedValue> {
    said(data, mark::says(&chart.definition, data, mark), mark.row)
}

/// A mark of a chart, looked up.
struct Marked {
    view: View,
    prepared: Arc<PreparedChart>,
    /// The shape of the chart's query.
    shape: Arc<Shape>,
    /// The mark's values of result columns, by position.
    said: BTreeMap<usize, MarkedValue>,
    /// How many rows of the result match it.
    rows: usize,
}

/// A column of the result, and a mark's value in it.
struct MarkedValue {
    name: String,
    kind: ColumnType,
    value: Value,
}

impl Marked {
    async fn of(app: &App, opened: &Opened, request: &DrillRequest) -> Result<Self> {
        let (view, chart) = opened.chart(app, &request.tile).await?;
        let view = view.counted(Counted::query(Audience::of(&opened.viewer)));
        let data = view.rows(&chart).await;
        let prepared = PreparedChart::of(app, &chart).await?;
        let shape = view.shape(&prepared).await?.ok_or_else(unlisted)?;
        let rows = data?;
        let data = rows.table();
        let is_number = chart.definition.kind == ChartType::Number && request.mark == Mark::default();
        let (shape, mark) = match is_number.then(|| NumberRows::of(&prepared, &shape).ok_or_else(unlisted)).transpose()? {
            None => (shape, request.mark.clone()),
            Some(NumberRows::Whole) => (Arc::new(shape.whole()), Mark::default()),
            Some(NumberRows::OfItsRow) => (shape, Mark { row: number::row(&chart.definition, data), ..Mark::default() }),
        };
        let said = said_of(&chart, data, &mark);
        let agrees = |row: &&Vec<Value>| said.iter().all(|(at, told)| row.get(*at) == Some(&told.value));
        let rows = data.rows.iter().filter(agrees).count();
        Ok(Self { view, prepared, shape, said, rows })
    }

    /// Whether the mark has a value for a column of the result.
    fn tells(&self, at: usize) -> bool {
        self.said.contains_key(&at)
    }

    /// How many groups the mark stands for: one, or the number of result rows with its values.
    fn groups(&self, shape: &Shape) -> usize {
        if shape.groups.iter().all(|group| self.tells(group.at)) { 1 } else { self.rows }
    }

    /// The shape of the rows that the mark stands for.
    fn behind(&self) -> Result<&Shape> {
        self.shape.behind(|at| self.tells(at)).ok_or_else(unlisted)
    }

    /// The mark's values for the groups of the query.
    fn told(&self) -> Result<impl Iterator<Item = (&Group, &MarkedValue)>> {
        Ok(self.behind()?.groups.iter().filter_map(|group| Some((group, self.said.get(&group.at)?))))
    }

    /// The conditions that the rows behind the mark share.
    fn conditions(&self) -> Result<Vec<MarkCondition>> {
        let conditions: Vec<_> =
            self.told()?.map(|(group, told)| condition(group, told).ok_or_else(unlisted)).collect::<Result<_>>()?;
        // A mark without conditions would return all rows instead of its own.
        if conditions.is_empty() && !self.behind()?.groups.is_empty() { Err(unlisted()) } else { Ok(conditions) }
    }

    /// The filters that a mark stands for: the dashboard's own filter on a column if it has one, otherwise an omnibar filter.
    fn filters(&self) -> Option<Filters> {
        let one = |(group, told): (&Group, &MarkedValue)| {
            let Lineage { table, column, grain } = group.column()?;
            let value = match grain {
                Some(grain) => period(grain, &told.value),
                None => scalar(&told.value),
            }?;
            let connection = &self.prepared.connection;
            let path = format!("{}.{table}.{column}", connection.source.name);
            connection.column(&path)?;
            Some((key_of(&self.view.own, &path, &value), value))
        };
        self.told().ok()?.map(one).collect()
    }
}

/// A mark's values by column position: those of its row, otherwise those it names.
fn said(data: &ChartData, mut said: Vec<(String, Value)>, row: Option<usize>) -> BTreeMap<usize, MarkedValue> {
    let cells = row.and_then(|row| data.rows.get(row));
    let told = |(at, column): (usize, &Column)| {
        let value = match cells {
            Some(cells) => cells.get(at).cloned(),
            None => said.iter().position(|(name, _)| *name == column.name).map(|place| said.swap_remove(place).1),
        };
        Some((at, MarkedValue { name: column.name.clone(), kind: column.kind, value: value? }))
    };
    data.columns.iter().enumerate().filter_map(told).collect()
}

/// The condition of a mark's value for a group.
fn condition(group: &Group, MarkedValue { kind, value, .. }: &MarkedValue) -> Option<MarkCondition> {
    if value.is_null() {
        return Some(group.condition(None, *kind));
    }
    let days = group.grain.filter(|_| group.is_column()).and_then(|grain| period(grain, value));
    Some(group.condition(Some(days.or_else(|| scalar(value))?), *kind))
}

/// Whether a control can show a value that was not set with it.
const fn shows(control: Control, value: &FilterValue) -> bool {
    match control {
        Control::Select | Control::Text => matches!(value, FilterValue::AnyOf(_)),
        Control::DateRange => matches!(value, FilterValue::Range { .. }),
        Control::NumberRange => false,
    }
}

fn scalar(value: &Value) -> Option<FilterValue> {
    FilterValue::from_json(value.clone()).ok().filter(|_| !value.is_object() && !value.is_array())
}

fn allowed(viewer: &Viewer) -> Result<()> {
    if viewer.permissions.allows(Flag::DrillDown) {
        return Ok(());
    }
    Err(Error::new(Code::PermissionDenied, "This user's role lacks `drillDown`."))
}

fn unlisted() -> Error {
    Error::new(Code::DrillUnavailable, "The rows behind this chart cannot be listed.")
}

/// The range from the first day of a period up to the first day of the next one.
fn period(grain: Grain, value: &Value) -> Option<FilterValue> {
    let first = value.as_str()?.get(..10)?.parse::<chrono::NaiveDate>().ok()?;
    let next = match grain {
        Grain::Day => first.checked_add_days(chrono::Days::new(1)),
        Grain::Week => first.checked_add_days(chrono::Days::new(7)),
        Grain::Month => first.checked_add_months(chrono::Months::new(1)),
        Grain::Quarter => first.checked_add_months(chrono::Months::new(3)),
        Grain::Year => first.checked_add_months(chrono::Months::new(12)),
    }?;
    let day = |day: chrono::NaiveDate| Some(Scalar::Text(day.to_string()));
    Some(FilterValue::Range { from: day(first), to: day(next) })
}

/// The columns of a table that the viewer may see, with their labels.
async fn offered(app: &App, connection: &OpenConnection, name: &str) -> Result<Vec<(String, String)>> {
    let columns = app.engine.describe(&connection.source, name).await?;
    let table = connection.tables.iter().find(|table| table.name == name).ok_or_else(unlisted)?;
    let offered = columns.into_iter().filter_map(|column| {
        let settings = table.columns.get(&column.name);
        let hidden = settings.is_some_and(|settings| settings.hidden);
        let label = settings.and_then(|settings| settings.label.clone()).unwrap_or_else(|| column.name.clone());
        (!hidden).then_some((column.name, label))
    });
    Ok(offered.collect())
}

/// A value as text for people.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "–".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_period_ends_where_the_next_begins() {
        let json = |grain, first: &str| period(grain, &json!(first)).map(|value| value.to_json());
        assert_eq!(json(Grain::Month, "2024-02-01"), Some(json!({"from": "2024-02-01", "to": "2024-03-01"})));
        assert_eq!(json(Grain::Quarter, "2024-10-01T00:00:00"), Some(json!({"from": "2024-10-01", "to": "2025-01-01"})));
        assert_eq!(json(Grain::Day, "north"), None);
        assert_eq!(period(Grain::Day, &Value::Null), None);
    }
}
