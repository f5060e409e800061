//! The question why a mark's number changed, as a viewer would ask it.

use crate::concepts::dashboards::{GroupPath, prepared::PreparedChart};
use inlay_contract::chart::question::Grain;
use serde_json::Value;

/// The question for the sidebar of insights: of a chart of one declared number, without conditions of its own, and of a mark that
/// stands for a period, for values, or for the whole. `told` are the mark's columns and their values. `None` where the sidebar would
/// answer about other rows.
pub(super) fn question<'a>(prepared: &PreparedChart, told: impl Iterator<Item = (&'a str, &'a Value)>) -> Option<String> {
    let query = prepared.definition.model_query()?;
    let [measure] = query.measures.as_slice() else { return None };
    let is_declared = !query.metrics.contains_key(measure) && !query.aggregates.contains_key(measure);
    if !is_declared || !query.filters.is_empty() || !query.having.is_empty() {
        return None;
    }
    let labels = prepared.definition.options.get("labels");
    let label = labels.and_then(|labels| labels.get(measure)?.as_str());
    let label = label.map_or_else(|| measure.replace('_', " "), str::to_owned);
    let groups = prepared.groups().unwrap_or_default();
    asked(&label, told.filter_map(|(column, value)| Some((groups.iter().find(|group| group.column == column)?, value))))
}

fn asked<'a>(label: &str, told: impl Iterator<Item = (&'a GroupPath, &'a Value)>) -> Option<String> {
    let (mut of, mut within) = (String::new(), None);
    for (group, value) in told {
        match group.grain {
            None => of += &format!(" for {}", value.as_str().filter(|text| !text.is_empty())?),
            Some(grain) => within = Some(period(grain, value)?),
        }
    }
    let within = within.map(|period| format!(" {period}")).unwrap_or_default();
    Some(format!("Why did {label}{of} change{within}?"))
}

/// A period in a sentence. `None` for weeks, which have no names.
fn period(grain: Grain, value: &Value) -> Option<String> {
    let first: chrono::NaiveDate = value.as_str()?.get(..10)?.parse().ok()?;
    Some(match grain {
        Grain::Day => first.format("on %-d %B %Y").to_string(),
        Grain::Week => return None,
        Grain::Month => first.format("in %B %Y").to_string(),
        Grain::Quarter => format!("in Q{} {}", chrono::Datelike::month0(&first) / 3 + 1, first.format("%Y")),
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
        let ask = |told: &[(&GroupPath, Value)]| asked("Revenue", told.iter().map(|(group, value)| (*group, value)));
        for (told, expected) in [
            (&[][..], Some("Why did Revenue change?")),
            (&[(&month, json!("2024-02-01"))], Some("Why did Revenue change in February 2024?")),
            (&[(&month, json!("2024-02-01T00:00:00"))], Some("Why did Revenue change in February 2024?")),
            (&[(&quarter, json!("2024-04-01"))], Some("Why did Revenue change in Q2 2024?")),
            (&[(&year, json!("2024-01-01"))], Some("Why did Revenue change in 2024?")),
            (&[(&day, json!("2024-02-09"))], Some("Why did Revenue change on 9 February 2024?")),
            (&[(&month, json!("2024-02-01")), (&text, json!("North"))], Some("Why did Revenue for North change in February 2024?")),
            (&[(&week, json!("2024-02-05"))], None),
            (&[(&text, json!(7))], None),
            (&[(&text, Value::Null)], None),
        ] {
            assert_eq!(ask(told).as_deref(), expected);
        }
    }
}
