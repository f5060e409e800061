//! How a number is computed, in few words.

use inlay_contract::model::{Aggregate, Edge, Measure, Metric, Moving, Take, ToDate};

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
    let Metric { ratio, formula, running, to_date, moving, .. } = metric;
    let ratio = ratio.as_ref().map(|[above, below]| format!("{above} / {below}"));
    let running = running.as_ref().map(|of| format!("running sum of {of}"));
    let to_date = to_date.as_ref().map(|ToDate { of, grain }| format!("sum of {of} since the start of the {}", grain.name()));
    let moving = moving.as_ref().map(|Moving { of, periods }| format!("average of {of} over {periods} periods"));
    ratio.or_else(|| formula.clone()).or(running).or(to_date).or(moving).unwrap_or_default()
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
    }
}
