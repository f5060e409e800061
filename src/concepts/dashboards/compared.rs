//! Charts that compare periods: while the last days of a period have no data yet, the earlier period ends as early, and the chart
//! says so.

use super::{by_meaning::ByMeaning, data::View, days};
use crate::ground::error::Result;
use chrono::{Days, NaiveDate};
use inlay_contract::{chart::definition::ChartDefinition, filter::FilterValue, model::Compare};
use inlay_query::{Freshness, Narrowing};
use serde_json::{Value, json};

/// How many days after the end of a period its data may still arrive.
const LATE: u64 = 7;
/// How many days before today may be without data because it has not arrived: that nothing happened on more days is part of a number.
const BEHIND: u64 = 2;
/// What the model's labels of earlier numbers end with.
const BEFORE: &str = ", period before";

/// How many days of the period that a chart compares have data in the viewer's rows. `None`: all, or it is not known, or data that is
/// missing is not expected any more.
pub(super) async fn elapsed(view: &View, meant: &ByMeaning, narrowing: &Narrowing) -> Option<u32> {
    let compared = meant.compared.as_ref()?;
    let (from, to) = compared.days(narrowing, view.today.day)?;
    if to.checked_add_days(Days::new(LATE))? <= view.today.day {
        return None;
    }
    let newest = match newest(view, meant).await {
        Ok(newest) => newest,
        // Without the day the parts may be unequal: nothing is compared.
        Err(problem) => {
            tracing::warn!(code = problem.code.as_str(), context = problem.context, "the newest day of a chart is not known");
            return Some(0);
        }
    };
    let end = newest?.checked_add_days(Days::new(1))?.max(view.today.day.checked_sub_days(Days::new(BEHIND))?);
    (end < to).then(|| u32::try_from((end - from).num_days()).unwrap_or_default())
}

/// The newest day of the viewer's rows of the tables that a chart compares: of several tables the one that is behind counts.
async fn newest(view: &View, meant: &ByMeaning) -> Result<Option<NaiveDate>> {
    let connection = &meant.connection;
    let freshness = Freshness { refresh: view.refresh, stale: view.stale };
    let mut newest = None;
    for (table, time) in meant.compared.iter().flat_map(|compared| &compared.times) {
        let path = format!("{}.{table}.{time}", connection.source.name);
        if let Some(span) = days::of_filter(&view.app, connection, &view.context, &path, (view.today, freshness)).await? {
            newest = Some(newest.map_or(span.last, |other: NaiveDate| other.min(span.last)));
        }
    }
    Ok(newest)
}

/// The first day of the period that a chart compares and has data of, and the day after its last. `None` if it compares none.
///
/// # Errors
/// Those of a query.
pub(super) async fn period(view: &View, meant: &ByMeaning, narrowing: &Narrowing) -> Result<Option<(NaiveDate, NaiveDate)>> {
    let Some(compared) = &meant.compared else { return Ok(None) };
    if let Some((from, to)) = compared.days(narrowing, view.today.day) {
        let end = narrowing.elapsed.and_then(|days| from.checked_add_days(Days::new(days.into())));
        return Ok(Some((from, end.unwrap_or(to))).filter(|(from, to)| from < to));
    }
    let counted = meant.query.filters.iter().find_map(|filter| match filter.value {
        FilterValue::Relative(period) if filter.newest => Some(period),
        _ => None,
    });
    let Some(counted) = counted else { return Ok(None) };
    Ok(newest(view, meant).await?.map(|newest| counted.days(newest)))
}

/// The definition of a chart whose period has so many days with data: it says with which days it is compared, and with how many if a
/// month before is shorter. Without any, a number is compared with nothing.
pub(super) fn told(definition: &ChartDefinition, elapsed: u32, earlier: Option<u32>) -> ChartDefinition {
    let mut told = definition.clone();
    let by_year = definition.model_query().is_some_and(|query| query.compare == Some(Compare::Year));
    if elapsed == 0 {
        told.encoding.compare = None;
        return told;
    }
    let (with, part) = match earlier.filter(|days| *days != elapsed) {
        Some(days) => {
            let days = if days == 1 { "1 day".to_owned() } else { format!("{days} days") };
            let part = format!("{days} {}", if by_year { "a year before" } else { "of the period before" });
            (format!("in {part}"), part)
        }
        None => {
            let (on, days) = if elapsed == 1 { ("on", "day".to_owned()) } else { ("in", format!("{elapsed} days")) };
            let part = format!("same {days} {}", if by_year { "a year before" } else { "before" });
            (format!("{on} the {part}"), part)
        }
    };
    told.options.entry("comparedWith").or_insert_with(|| json!(with));
    let labels = told.options.get_mut("labels").and_then(Value::as_object_mut);
    for label in labels.into_iter().flat_map(|labels| labels.values_mut()) {
        if let Some(name) = label.as_str().and_then(|label| label.strip_suffix(BEFORE)) {
            *label = json!(format!("{name}, {part}"));
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(compare: &str) -> ChartDefinition {
        let query = json!({"measures": ["revenue"], "compare": compare});
        let labels = json!({"revenue": "Revenue", "revenue_previous": "Revenue, period before"});
        let chart = json!({"title": "T", "type": "number", "encoding": {"value": "revenue", "compare": "revenue_previous"},
            "options": {"query": query, "labels": labels}});
        serde_json::from_value(chart).expect("a chart")
    }

    #[test]
    fn a_chart_says_with_which_days_it_is_compared() {
        let week = told(&definition("previous"), 6, Some(6));
        assert_eq!(week.options["comparedWith"], "in the same 6 days before");
        assert_eq!(week.options["labels"], json!({"revenue": "Revenue", "revenue_previous": "Revenue, same 6 days before"}));
        assert_eq!(told(&definition("year"), 1, None).options["comparedWith"], "on the same day a year before");
    }

    #[test]
    fn a_shorter_month_before_is_not_said_to_have_the_same_days() {
        let march = told(&definition("previous"), 30, Some(28));
        assert_eq!(march.options["comparedWith"], "in 28 days of the period before");
        assert_eq!(march.options["labels"]["revenue_previous"], "Revenue, 28 days of the period before");
        assert_eq!(told(&definition("year"), 29, Some(28)).options["comparedWith"], "in 28 days a year before");
    }

    #[test]
    fn without_a_day_with_data_nothing_is_compared() {
        let none = told(&definition("previous"), 0, None);
        assert_eq!((none.encoding.compare, none.options.get("comparedWith")), (None, None));
    }
}
