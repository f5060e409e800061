//! What stands out in the charts on the viewer's screen, where the question is about those.

use super::{survey::number, telling::cell};
use crate::{conversation::ChartOnScreen, markdown::escaped};
use inlay_contract::{
    chart::definition::Names,
    data::ColumnType,
    format::{self, NumberFormat, locale::Locale},
};
use serde_json::Value;

/// Charts that are told of.
const MOST: usize = 8;

/// A line for each chart: its greatest and least value, or its only one.
pub(super) fn insight(charts: &[ChartOnScreen], locale: &str) -> String {
    let locale = Locale::of(locale);
    let lines: Vec<String> = charts
        .iter()
        .filter_map(|chart| Some(format!("- **{}**: {}", escaped(&chart.definition.title), line(chart, &locale)?)))
        .take(MOST)
        .collect();
    if lines.is_empty() {
        return "The charts on this page hold nothing that I could tell of.".to_owned();
    }
    let with = filters(charts).map(|filters| format!(" with {filters}")).unwrap_or_default();
    format!("This is what stands out on this page{with}:\n\n{}", lines.join("\n"))
}

/// The filters of the page, which narrow every answer.
pub(super) fn filters(charts: &[ChartOnScreen]) -> Option<String> {
    let filters = charts
        .iter()
        .flat_map(|chart| &chart.filters)
        .map(|(name, value)| format!("{} {}", escaped(name), escaped(&cell(value))));
    let mut filters: Vec<String> = filters.collect();
    filters.sort();
    filters.dedup();
    (!filters.is_empty()).then(|| filters.join(", "))
}

fn line(chart: &ChartOnScreen, locale: &Locale) -> Option<String> {
    let encoding = &chart.definition.encoding;
    let first = |names: &Option<Names>| names.as_ref().and_then(|names| names.as_slice().first().cloned());
    let is_number = |at: &usize| chart.data.columns[*at].kind == ColumnType::Number;
    let named =
        encoding.value.clone().or_else(|| first(&encoding.y)).and_then(|name| chart.data.position(&name)).filter(is_number);
    let measure = named.or_else(|| (0..chart.data.columns.len()).find(is_number))?;
    let label = encoding.x.clone().or_else(|| first(&encoding.label)).or_else(|| encoding.date.clone());
    let label =
        label.and_then(|name| chart.data.position(&name)).or_else(|| (0..chart.data.columns.len()).find(|at| !is_number(at)));
    let format: NumberFormat = chart
        .definition
        .options
        .get("format")
        .and_then(|format| serde_json::from_value(format.clone()).ok())
        .unwrap_or_default();
    let written = |value: f64| format::number(value, &format, locale);
    let values: Vec<(&Vec<Value>, f64)> =
        chart.data.rows.iter().filter_map(|row| Some((row, number(row.get(measure)?)?))).collect();
    let most = values.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let least = values.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let name = |row: &[Value]| {
        label.and_then(|at| row.get(at)).map(|value| format!(" ({})", escaped(&cell(value)))).unwrap_or_default()
    };
    Some(match values.len() {
        1 => written(most.1),
        count => {
            format!("highest {}{}, lowest {}{}, of {count}", written(most.1), name(most.0), written(least.1), name(least.0))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_ends_of_each_chart_are_told() {
        let chart = |kind: &str, encoding: Value, rows: Value| -> ChartOnScreen {
            let columns = json!([{"name": "city", "type": "text"}, {"name": "sales", "type": "number"}]);
            serde_json::from_value(json!({"id": "1", "definition": {"title": "Sales *now*", "type": kind, "encoding": encoding},
                "data": {"columns": columns, "rows": rows, "truncated": false, "cached": false, "durationMs": 0}, "filters": {"Country": "NO"}}))
            .unwrap()
        };
        let bars = chart("bar", json!({"x": "city", "y": ["sales"]}), json!([["Oslo", 3], ["<b>", 1200], ["Rome", null]]));
        let single = chart("number", json!({"value": "sales"}), json!([["Oslo", 7]]));
        let empty = chart("number", json!({"value": "sales"}), json!([]));
        let told = insight(&[bars, single, empty], "en");
        assert_eq!(
            told,
            "This is what stands out on this page with Country NO:\n\n- **Sales \\*now\\***: highest 1,200 (\\<b\\>), lowest 3 (Oslo), of 2\n\
             - **Sales \\*now\\***: 7"
        );
    }
}
