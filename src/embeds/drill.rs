//! Drill-down: the rows behind a mark, or its numbers for another column, through the same door as the chart itself. A mark's
//! values become filters, so they are bound; what the viewer's rules and the page's filters leave out stays out.

use super::backend::{Backend, Opened};
use crate::{
    access::Viewer,
    connections::{self, OpenConnection},
    dashboards::{data, filters},
    error::{Error, Kind, Result},
};
use inlay_app::backend::{DrillRequest, Drilled};
use inlay_contract::{
    chart::{mark, question::Grain},
    data::ChartData,
    filter::{FilterValue, OMNIBAR, Scalar},
    page::Filters,
    permissions::Flag,
};
use inlay_query::{Query, Shape, shape};
use serde_json::Value;

/// Rows that are listed at most.
const MOST_ROWS: u32 = 200;
/// Values that a break-down shows at most.
const MOST_VALUES: u32 = 50;

/// What is behind a mark.
///
/// # Errors
/// 404 for the chart; 403 where the viewer's role has no drill-down; 422 where nothing can be said of the rows behind it.
pub async fn drill(pages: &Backend, opened: &Opened, request: &DrillRequest) -> Result<Drilled> {
    allowed(&opened.viewer)?;
    let app = &pages.0;
    let (chart, rows) = pages.rows(opened, &request.tile).await?;
    let dashboard = pages.dashboard(opened, request.tile.dashboard).await?;
    let connection = connections::open(app, chart.connection).await?;
    let (sql, own) = data::asked(&app.engine, &connection, &chart.definition).await?;
    let shape = shape(connection.source.kind, &sql, &connection.catalog)?.ok_or_else(unlisted)?;
    let told = mark::says(&chart.definition, &rows?, &request.mark);
    let narrowing = narrowing(&connection, &shape, &told)?;
    let columns = offered(pages, &connection, &shape).await?;
    let by = request.by.as_ref().filter(|by| columns.iter().any(|(name, _)| name == *by));
    let asked = match by {
        Some(column) => shape.by(column, MOST_VALUES),
        None => shape.rows(&columns.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), MOST_ROWS),
    };
    let active: Filters = request.tile.filters.clone();
    let mut conditions = filters::conditions(&app.engine, &dashboard, &connection, &active).await?;
    conditions.extend(own);
    for (key, value) in &narrowing {
        let path = key.strip_prefix(OMNIBAR).unwrap_or(key);
        conditions.push(filters::condition(&app.engine, &connection, path, value).await?.ok_or_else(unlisted)?);
    }
    let context = opened.viewer.security_context(app).await?;
    let query = Query { filters: conditions, ..Query::new(asked, opened.today) };
    let data: ChartData = app.engine.run(&connection.source, &connection.catalog, &context, &query).await?;
    let named = |name: &str| {
        columns.iter().find(|(column, _)| column == name).map_or_else(|| name.to_owned(), |(_, label)| label.clone())
    };
    let grouped = |name: &String| shape.groups.iter().any(|group| group.name == *name);
    let told = told.iter().filter(|(name, _)| grouped(name)).map(|(name, value)| (named(name), word(value))).collect();
    Ok(Drilled { told, columns, by: by.cloned(), data, filters: narrowing })
}

fn allowed(viewer: &Viewer) -> Result<()> {
    if viewer.permissions.allows(Flag::DrillDown) {
        return Ok(());
    }
    Err(Error::forbidden("PERMISSION_DENIED", "This user's role lacks `drillDown`."))
}

fn unlisted() -> Error {
    Error::new(Kind::Unprocessable, "DRILL_UNAVAILABLE", "The rows behind this chart cannot be listed.")
}

/// The filters that keep the rows behind a mark.
fn narrowing(connection: &OpenConnection, shape: &Shape, told: &[(String, Value)]) -> Result<Filters> {
    let mut filters = Filters::new();
    for group in &shape.groups {
        let Some((_, value)) = told.iter().find(|(name, _)| *name == group.name) else { continue };
        let value = match group.grain {
            Some(grain) => period(grain, value),
            None => FilterValue::from_json(value.clone()).ok().filter(|_| !value.is_object() && !value.is_array()),
        };
        // Rows without a value have no form as a filter; all rows instead of them would be the wrong ones.
        let value = value.ok_or_else(unlisted)?;
        filters.insert(format!("{OMNIBAR}{}.{}.{}", connection.source.name, group.table, group.column), value);
    }
    Ok(filters)
}

/// From the first day of a period until the first of the next.
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

/// The columns of the chart's first table that the viewer may see, with their labels.
async fn offered(pages: &Backend, connection: &OpenConnection, shape: &Shape) -> Result<Vec<(String, String)>> {
    let columns = pages.0.engine.describe(&connection.source, shape.table()).await?;
    let table = connection.tables.iter().find(|table| table.name == shape.table()).ok_or_else(unlisted)?;
    let offered = columns.into_iter().filter_map(|column| {
        let settings = table.columns.get(&column.name);
        let hidden = settings.is_some_and(|settings| settings.hidden);
        let label = settings.and_then(|settings| settings.label.clone()).unwrap_or_else(|| column.name.clone());
        (!hidden).then_some((column.name, label))
    });
    Ok(offered.collect())
}

/// A value as people read it.
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
