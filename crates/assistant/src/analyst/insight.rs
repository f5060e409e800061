//! What stands out in the charts on screen, for questions about the page.

use super::sentences::cell;
use crate::{conversation::ChartOnScreen, markdown::escaped, world::number as number_of};
use inlay_contract::{
    chart::{
        definition::{ChartType, Names},
        number::{self, Delta, Direction, NumberView},
    },
    data::ColumnType,
    format::{self, NumberFormat, locale::Locale},
};
use serde_json::Value;

/// The most charts that are described.
const MOST: usize = 8;

/// A line per chart: its maximum and minimum, or its only value.
pub(super) fn insight(charts: &[ChartOnScreen], locale: &str) -> String {
    let written = Locale::of(locale);
    let lines: Vec<String> = charts
        .iter()
        .filter_map(|chart| Some(format!("- **{}**: {}", escaped(&chart.definition.title), line(chart, locale, &written)?)))
        .take(MOST)
        .collect();
    if lines.is_empty() {
        return "The charts on this page have no data to summarize.".to_owned();
    }
    let with = filters(charts).map(|filters| format!(" with {filters}")).unwrap_or_default();
    format!("This is what stands out on this page{with}:\n\n{}", lines.join("\n"))
}

/// The filters of the page, which also apply to each answer.
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

fn line(chart: &ChartOnScreen, locale_name: &str, locale: &Locale) -> Option<String> {
    let ChartOnScreen { definition, data, .. } = chart;
    if definition.kind == ChartType::Number {
        return headline(chart, locale_name);
    }
    let encoding = &definition.encoding;
    let first = |names: &Option<Names>| names.as_ref().and_then(|names| names.as_slice().first().cloned());
    let is_number = |at: &usize| data.columns[*at].kind == ColumnType::Number;
    let named = encoding.value.clone().or_else(|| first(&encoding.y)).and_then(|name| data.position(&name)).filter(is_number);
    let measure = named.or_else(|| (0..data.columns.len()).find(is_number))?;
    let format: NumberFormat =
        definition.options.get("format").and_then(|format| serde_json::from_value(format.clone()).ok()).unwrap_or_default();
    let written = |value: f64| format::number(value, &format, locale);
    let values: Vec<(&Vec<Value>, f64)> =
        data.rows.iter().filter_map(|row| Some((row, number_of(row.get(measure)?)?))).collect();
    let most = values.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let least = values.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    if values.len() == 1 {
        return Some(written(most.1));
    }
    let labels = labels(chart, measure);
    let name = |row: &[Value]| {
        let told: Vec<String> = labels.iter().filter_map(|at| row.get(*at)).map(|value| escaped(&day_or(value))).collect();
        if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
    };
    let ends = format!("highest {}{}, lowest {}{}", written(most.1), name(most.0), written(least.1), name(least.0));
    let (start, end) = (values.first()?, values.last()?);
    let over_time =
        matches!(labels.as_slice(), [at] if matches!(data.columns[*at].kind, ColumnType::Date | ColumnType::Timestamp));
    if over_time && definition.kind != ChartType::Table {
        return Some(format!("from {}{} to {}{}; {ends}", written(start.1), name(start.0), written(end.1), name(end.0)));
    }
    Some(format!("{ends}, of {}", values.len()))
}

/// The number of a chart and its change, as the page shows them.
fn headline(chart: &ChartOnScreen, locale: &str) -> Option<String> {
    chart.data.rows.first()?;
    let NumberView { parts, delta, .. } = number::view(&chart.definition, &chart.data, locale).ok()?;
    let value = escaped(&format!("{}{}{}", parts.prefix, parts.digits, parts.suffix));
    Some(match delta {
        Some(Delta { text, direction: Direction::Up, before, .. }) => {
            format!("{value}, up {} from {}", escaped(&text), escaped(&before))
        }
        Some(Delta { text, direction: Direction::Down, before, .. }) => {
            format!("{value}, down {} from {}", escaped(&text), escaped(&before))
        }
        Some(Delta { before, .. }) => format!("{value}, as before ({})", escaped(&before)),
        None => value,
    })
}

/// A date in words, or any other value unchanged.
fn day_or(value: &Value) -> String {
    let day = value.as_str().filter(|text| text.len() == 10 || text.ends_with("00:00:00")).and_then(|text| text.get(..10));
    let day = day.and_then(|text| text.parse::<chrono::NaiveDate>().ok());
    day.map_or_else(|| cell(value), |day| day.format("%-d %B %Y").to_string())
}

/// The columns that distinguish a chart's marks, in its own order: those on its axes that are not numbers.
fn labels(chart: &ChartOnScreen, measure: usize) -> Vec<usize> {
    let encoding = &chart.definition.encoding;
    let many = |names: &Option<Names>| names.iter().flat_map(|names| names.as_slice().to_vec()).collect::<Vec<_>>();
    let one = [&encoding.date, &encoding.region, &encoding.series].map(|name| name.iter().cloned().collect::<Vec<_>>());
    let x: Vec<String> = encoding.x.iter().cloned().collect();
    let named = [x, many(&encoding.label), many(&encoding.y)].into_iter().chain(one).flatten();
    let is_label = |at: &usize| *at != measure && chart.data.columns[*at].kind != ColumnType::Number;
    let mut labels: Vec<usize> = named.filter_map(|name| chart.data.position(&name)).filter(is_label).collect();
    labels.dedup();
    if labels.is_empty() {
        labels.extend((0..chart.data.columns.len()).find(is_label));
    }
    labels
}

/// Whether a question names the page, or asks what stands out on it.
pub fn is_asked(question: &str) -> bool {
    let words = question.to_lowercase();
    ["this page", "this dashboard", "stands out", "stand out"].iter().any(|phrase| words.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_question_says_that_it_is_about_the_page() {
        for asked in ["What stands out on this page?", "Does anything stand out?", "Sum up this dashboard"] {
            assert!(is_asked(asked), "{asked}");
        }
        assert!(!is_asked("How many flights to Page?"));
    }

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

    #[test]
    fn a_course_is_told_from_its_start_to_its_end_and_a_map_of_heat_by_both_its_axes() {
        let chart = |kind: &str, encoding: Value, columns: Value, rows: Value| -> ChartOnScreen {
            serde_json::from_value(json!({"id": "1", "definition": {"title": "T", "type": kind, "encoding": encoding},
                "data": {"columns": columns, "rows": rows, "truncated": false, "cached": false, "durationMs": 0}}))
            .unwrap()
        };
        let months = json!([{"name": "month", "type": "date"}, {"name": "sales", "type": "number"}]);
        let rows = json!([["2024-01-01", 50], ["2024-02-01", 90], ["2024-03-01", 30]]);
        let course = chart("line", json!({"x": "month", "y": ["sales"]}), months, rows);
        assert!(insight(&[course], "en").ends_with(
            "**T**: from 50 (1 January 2024) to 30 (1 March 2024); highest 90 (1 February 2024), lowest 30 (1 March 2024)"
        ));
        let axes = json!([{"name": "a", "type": "text"}, {"name": "b", "type": "text"}, {"name": "n", "type": "number"}]);
        let number = json!({"value": "n", "compare": "before"});
        let columns = json!([{"name": "n", "type": "number"}, {"name": "before", "type": "number"}]);
        let number = chart("number", number, columns, json!([[30, 40], [1, 1]]));
        assert_eq!(
            insight(&[number], "en").lines().last(),
            Some("- **T**: 30, down 25% from 40"),
            "a number says what its card says"
        );
        let heat = chart("heatmap", json!({"x": "a", "y": "b", "value": "n"}), axes, json!([["p", "q", 1], ["p", "r", 2]]));
        assert!(insight(&[heat], "en").ends_with("**T**: highest 2 (p, r), lowest 1 (p, q), of 2"));
    }
}
