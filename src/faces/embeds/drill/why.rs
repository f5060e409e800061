//! The question why a mark's number changed, as a viewer would ask it.

use crate::concepts::dashboards::{GroupPath, prepared::PreparedChart};
use chrono::{Datelike as _, NaiveDate};
use inlay_contract::{
    chart::{definition::ChartType, question::Grain},
    model::{Compare, ModelQuery},
};
use serde_json::Value;

const DAY: &str = "%-d %B %Y";
/// The longest value that a question names, in bytes.
const LONGEST: usize = 100;

/// The question for the sidebar of insights: of a chart of one declared number, without conditions but on time, and of a mark that
/// stands for a period, for values, or for the whole. `period` is the one that the chart compares, `told` are the mark's columns and
/// their values. `None` where the sidebar would answer about other rows.
pub(super) fn question<'a>(
    prepared: &PreparedChart,
    period: Option<(NaiveDate, NaiveDate)>,
    told: impl Iterator<Item = (&'a str, &'a Value)>,
) -> Option<String> {
    let definition = &prepared.definition;
    let query = definition.model_query()?;
    let shown = match (definition.kind, &definition.encoding.value, query.measures.as_slice()) {
        (ChartType::Number, Some(value), _) => value,
        (_, _, [only]) => only,
        _ => return None,
    };
    let measure = declared(&query, shown)?;
    // A chart that compares periods has exactly one filter on time. Any other filter leaves rows out that the sidebar counts.
    let on_time = usize::from(period.is_some());
    if query.filters.len() != on_time || query.filters.iter().any(|filter| filter.not) || !query.having.is_empty() {
        return None;
    }
    // The sidebar is not asked about a part of the week or the day.
    let groups = match prepared.groups() {
        Some(groups) => groups,
        None if query.dimensions.is_empty() => &[],
        None => return None,
    };
    let labels = definition.options.get("labels");
    let label = labels.and_then(|labels| labels.get(measure)?.as_str());
    let label = label.map_or_else(|| measure.replace('_', " "), str::to_owned);
    let told = told.filter_map(|(column, value)| Some((groups.iter().find(|group| group.column == column)?, value)));
    let beside = if query.compare == Some(Compare::Year) { " vs last year" } else { "" };
    asked(&label, period.map(|(from, to)| format!("{}{beside}", days(from, to))), told)
}

/// The measure of the semantic model that a number of a query is: itself, or its total.
fn declared<'q>(query: &'q ModelQuery, name: &'q str) -> Option<&'q str> {
    let of = match query.metrics.get(name) {
        Some(metric) => metric.total.as_ref()?.of.as_str(),
        None => name,
    };
    (!query.metrics.contains_key(of) && !query.aggregates.contains_key(of)).then_some(of)
}

/// The period of the mark, or else of the chart.
fn asked<'a>(label: &str, whole: Option<String>, told: impl Iterator<Item = (&'a GroupPath, &'a Value)>) -> Option<String> {
    let (mut of, mut within) = (String::new(), whole);
    for (group, value) in told {
        match group.grain {
            None => of += &format!(" for {}", value.as_str().filter(|text| (1..=LONGEST).contains(&text.len()))?),
            Some(grain) => within = Some(period(grain, value)?),
        }
    }
    let within = within.map(|period| format!(" {period}")).unwrap_or_default();
    Some(format!("Why did {label}{of} change{within}?"))
}

/// Days in a sentence.
fn days(from: NaiveDate, to: NaiveDate) -> String {
    let last = to.pred_opt().unwrap_or(to);
    if from == last {
        from.format("on %-d %B %Y").to_string()
    } else {
        format!("from {} to {}", from.format(DAY), last.format(DAY))
    }
}

/// A period in a sentence. `None` for weeks, which have no names.
fn period(grain: Grain, value: &Value) -> Option<String> {
    let first: NaiveDate = value.as_str()?.get(..10)?.parse().ok()?;
    Some(match grain {
        Grain::Day => first.format("on %-d %B %Y").to_string(),
        Grain::Week => return None,
        Grain::Month => first.format("in %B %Y").to_string(),
        Grain::Quarter => format!("in Q{} {}", first.month0() / 3 + 1, first.format("%Y")),
        Grain::Year => first.format("in %Y").to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn marks_become_questions() {
        let group = |grain| GroupPath { column: "c".to_owned(), path: "p".to_owned(), label: "L".to_owned(), grain };
        let (text, day, month) = (group(None), group(Some(Grain::Day)), group(Some(Grain::Month)));
        let (week, quarter, year) = (group(Some(Grain::Week)), group(Some(Grain::Quarter)), group(Some(Grain::Year)));
        let ask = |told: &[(&GroupPath, Value)]| asked("Revenue", None, told.iter().map(|(group, value)| (*group, value)));
        for (told, expected) in [
            (&[][..], Some("Why did Revenue change?")),
            (&[(&month, json!("2024-02-01"))], Some("Why did Revenue change in February 2024?")),
            (&[(&month, json!("2024-02-01T00:00:00"))], Some("Why did Revenue change in February 2024?")),
            (&[(&quarter, json!("2024-04-01"))], Some("Why did Revenue change in Q2 2024?")),
            (&[(&year, json!("2024-01-01"))], Some("Why did Revenue change in 2024?")),
            (&[(&day, json!("2024-02-09"))], Some("Why did Revenue change on 9 February 2024?")),
            (
                &[(&month, json!("2024-02-01")), (&text, json!("North"))],
                Some("Why did Revenue for North change in February 2024?"),
            ),
            (&[(&week, json!("2024-02-05"))], None),
            (&[(&text, json!(7))], None),
            (&[(&text, Value::Null)], None),
        ] {
            assert_eq!(ask(told).as_deref(), expected);
        }
        let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
        let month = Some(days(day("2024-02-01"), day("2024-03-01")));
        let none = std::iter::empty();
        assert_eq!(
            asked("Revenue", month, none).as_deref(),
            Some("Why did Revenue change from 1 February 2024 to 29 February 2024?")
        );
        assert_eq!(days(day("2024-02-01"), day("2024-02-02")), "on 1 February 2024");
    }

    #[test]
    fn a_number_is_the_measure_whose_total_it_is() {
        let query = json!({"measures": ["late", "whole", "made"], "metrics": {
            "whole": {"total": {"of": "late"}}, "made": {"formula": "late * 2"}, "of_made": {"total": {"of": "made"}}}});
        let query: ModelQuery = serde_json::from_value(query).expect("a query");
        assert_eq!(
            ["late", "whole", "made", "of_made"].map(|name| declared(&query, name)),
            [Some("late"), Some("late"), None, None]
        );
    }
}
