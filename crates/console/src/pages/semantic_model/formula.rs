//! How a number is computed, in few words.

use inlay_contract::{
    filter::{FilterValue, Scalar},
    model::{Aggregate, Edge, Measure, Metric, ModelFilter, Moving, Only, Take, ToDate, Whole},
};

/// A measure: `sum of amount where status = 'paid'`.
#[must_use]
pub fn of_measure(measure: &Measure) -> String {
    let of = measure.of.as_deref();
    let mut told = match (measure.aggregate, of) {
        (Aggregate::Count, None) => "number of rows".to_owned(),
        (aggregate, of) => {
            let of = of.unwrap_or("rows");
            match aggregate {
                Aggregate::Count => format!("number of rows with {of}"),
                Aggregate::CountDistinct => format!("number of different {of}"),
                Aggregate::Sum => format!("sum of {of}"),
                Aggregate::Average => format!("average of {of}"),
                Aggregate::Min => format!("minimum of {of}"),
                Aggregate::Max => format!("maximum of {of}"),
                Aggregate::Median => format!("median of {of}"),
                Aggregate::Percentile => {
                    let percent = (measure.fraction.unwrap_or_default() * 1e4).round() / 1e2;
                    format!("percentile {percent} of {of}")
                }
            }
        }
    };
    if let Some(condition) = &measure.condition {
        told = format!("{told} where {condition}");
    }
    if let Some(Take { edge, over, per }) = &measure.take {
        let edge = match edge {
            Edge::First => "first",
            Edge::Last => "last",
        };
        let per = if per.is_empty() { String::new() } else { format!(" of each {}", per.join(", ")) };
        told = format!("{told}, at the {edge} {}{per}", over.as_deref().unwrap_or("time"));
    }
    told
}

/// A metric: `late / flights`.
#[must_use]
pub fn of_metric(metric: &Metric) -> String {
    let Metric { ratio, formula, running, to_date, moving, total, share, only, .. } = metric;
    let ratio = ratio.as_ref().map(|[above, below]| format!("{above} / {below}"));
    let running = running.as_ref().map(|of| format!("running sum of {of}"));
    let to_date = to_date.as_ref().map(|ToDate { of, grain }| format!("sum of {of} since the start of the {}", grain.name()));
    let moving = moving.as_ref().map(|Moving { of, periods }| format!("average of {of} over {periods} periods"));
    let within = |whole: &Whole| if whole.within.is_empty() { "all groups".to_owned() } else { whole.within.join(", ") };
    let total = total.as_ref().map(|whole| format!("{} of {}", whole.of, within(whole)));
    let share = share.as_ref().map(|whole| format!("{} / that of {}", whole.of, within(whole)));
    let only = only
        .as_ref()
        .map(|Only { of, filters }| format!("{of} where {}", filters.iter().map(of_filter).collect::<Vec<_>>().join(" and ")));
    let others = [formula.clone(), running, to_date, moving, total, share, only];
    ratio.or_else(|| others.into_iter().flatten().next()).unwrap_or_default()
}

fn word(value: &Scalar) -> String {
    match value {
        Scalar::Text(text) => text.clone(),
        Scalar::Number(number) => number.to_string(),
        Scalar::Boolean(on) => on.to_string(),
    }
}

/// A condition: `customers.country is DE or AT`.
#[must_use]
pub fn of_filter(filter: &ModelFilter) -> String {
    let value = match &filter.value {
        FilterValue::AnyOf(values) => values.iter().map(word).collect::<Vec<_>>().join(" or "),
        FilterValue::Range { from, to } => {
            let end = |said: &str, end: &Option<_>| end.as_ref().map(|value: &Scalar| format!("{said} {}", word(value)));
            [end("from", from), end("before", to)].into_iter().flatten().collect::<Vec<_>>().join(" ")
        }
        FilterValue::Relative(period) => period.to_string().replace('_', " "),
    };
    let via = filter.via.as_ref().map(|via| format!(" via {via}")).unwrap_or_default();
    let cycle = filter.cycle.map(|cycle| format!(" by {}", cycle.code().replace('_', " "))).unwrap_or_default();
    format!("{}{via}{cycle} is {}{value}", filter.dimension, if filter.not { "not " } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use leptos::serde_json::{self, json};

    #[test]
    fn each_way_to_compute_has_its_words() {
        let measure = |json| of_measure(&serde_json::from_value(json).expect("a measure"));
        assert_eq!(measure(json!({"aggregate": "count"})), "number of rows");
        let paid = json!({"aggregate": "sum", "of": "amount", "where": "status = 'paid'"});
        assert_eq!(measure(paid), "sum of amount where status = 'paid'");
        assert_eq!(measure(json!({"aggregate": "percentile", "of": "seconds", "fraction": 0.9})), "percentile 90 of seconds");
        assert_eq!(measure(json!({"aggregate": "percentile", "of": "seconds", "fraction": 0.29})), "percentile 29 of seconds");
        let stock = json!({"aggregate": "sum", "of": "pieces", "take": {"edge": "last", "per": ["warehouse"]}});
        assert_eq!(measure(stock), "sum of pieces, at the last time of each warehouse");
        let metric = |json| of_metric(&serde_json::from_value(json).expect("a metric"));
        assert_eq!(metric(json!({"ratio": ["late", "flights"]})), "late / flights");
        assert_eq!(metric(json!({"formula": "late * 100"})), "late * 100");
        assert_eq!(metric(json!({"toDate": {"of": "revenue", "grain": "year"}})), "sum of revenue since the start of the year");
        assert_eq!(metric(json!({"moving": {"of": "revenue", "periods": 3}})), "average of revenue over 3 periods");
        assert_eq!(metric(json!({"share": {"of": "revenue"}})), "revenue / that of all groups");
        assert_eq!(metric(json!({"total": {"of": "revenue", "within": "month"}})), "revenue of month");
        let german = json!({"only": {"of": "revenue", "filters": [{"dimension": "customers.country", "value": ["DE", "AT"]},
            {"dimension": "time", "value": {"from": "2024-01-01"}, "not": true}]}});
        assert_eq!(metric(german), "revenue where customers.country is DE or AT and time is not from 2024-01-01");
        let weekend = json!({"only": {"of": "flights", "filters": [{"dimension": "airports.state", "via": "origin", "value": "GA"},
            {"dimension": "flights.day", "cycle": "partOfWeek", "value": "Weekend"}]}});
        let told = "flights where airports.state via origin is GA and flights.day by part of week is Weekend";
        assert_eq!(metric(weekend), told);
    }
}
