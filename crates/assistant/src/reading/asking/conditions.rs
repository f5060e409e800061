//! Conditions as filters of a query.

use super::{Asking, scalar};
use crate::language::span::Span;
use crate::reading::meaning::{Condition, Place};
use crate::scope::Comparison;
use crate::world::Kind;
use inlay_contract::chart::question::Cycle;
use inlay_contract::filter::{FilterValue, Scalar};
use inlay_contract::model::ModelFilter;
use serde_json::Value;

impl Asking<'_> {
    pub(super) fn condition(&self, condition: &Condition) -> Option<Vec<ModelFilter>> {
        let filter = |place: &Place, value: FilterValue| {
            let (dimension, via) = self.dimension(place);
            ModelFilter { via, ..ModelFilter::of(dimension, value) }
        };
        Some(match condition {
            Condition::In { place, values, negated } => {
                let values: Vec<Scalar> = values.iter().filter_map(scalar).collect();
                vec![ModelFilter { not: *negated, ..filter(place, FilterValue::AnyOf(values)) }]
            }
            Condition::Number { place, comparison, value, .. } => number_filters(filter, place, *comparison, *value),
            Condition::Flag { place, set } => vec![filter(place, self.flag(place, *set))],
            Condition::Present { place, present } => {
                let least = match self.world.fields[place.field].kind {
                    Kind::Time => Scalar::Text("0001-01-01".to_owned()),
                    kind if kind.is_measure() => scalar(&Value::from(-1e15))?,
                    _ => Scalar::Text(String::new()),
                };
                vec![ModelFilter { not: !present, ..filter(place, FilterValue::Range { from: Some(least), to: None }) }]
            }
            Condition::Spans { place, spans } => self.spans(filter, place, spans)?,
            Condition::Days { place, days, negated } => {
                const NAMES: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
                let days =
                    days.iter().filter_map(|day| NAMES.get(usize::from(*day))).map(|name| Scalar::Text((*name).to_owned()));
                vec![ModelFilter {
                    cycle: Some(Cycle::Weekday),
                    not: *negated,
                    ..filter(place, FilterValue::AnyOf(days.collect()))
                }]
            }
            Condition::Hours { place, from, to } => {
                let hours = (*from..*to).filter_map(|hour| scalar(&Value::from(hour))).collect();
                vec![ModelFilter { cycle: Some(Cycle::Hour), ..filter(place, FilterValue::AnyOf(hours)) }]
            }
        })
    }

    pub(super) fn flag(&self, place: &Place, set: bool) -> FilterValue {
        let one = if self.world.fields[place.field].column_type == Some(inlay_contract::data::ColumnType::Boolean) {
            Scalar::Boolean(set)
        } else {
            Scalar::Number(i32::from(set).into())
        };
        FilterValue::AnyOf(vec![one])
    }

    pub(super) fn spans(
        &self,
        filter: impl Fn(&Place, FilterValue) -> ModelFilter,
        place: &Place,
        spans: &[Span],
    ) -> Option<Vec<ModelFilter>> {
        use chrono::Datelike;
        if self.world.fields[place.field].kind == Kind::Year {
            let mut years: Vec<Scalar> = Vec::new();
            for span in spans {
                let (from, to) = (
                    span.from.map_or(1700, |day| day.year()),
                    span.to.and_then(|day| day.pred_opt()).map_or(2200, |day| day.year()),
                );
                years.extend((from..=to).map(|year| Scalar::Number(year.into())));
            }
            return Some(vec![filter(place, FilterValue::AnyOf(years))]);
        }
        let day = |day: Option<chrono::NaiveDate>| day.map(|day| Scalar::Text(day.to_string()));
        match spans {
            [span] => Some(vec![filter(place, FilterValue::Range { from: day(span.from), to: day(span.to) })]),
            // From the first to the last, without what lies between.
            several => {
                let mut sorted = several.to_vec();
                sorted.sort_by_key(|span| span.from);
                let (first, last) = (sorted.first()?, sorted.last()?);
                let mut filters = vec![filter(place, FilterValue::Range { from: day(first.from), to: day(last.to) })];
                for pair in sorted.windows(2) {
                    let (end, next) = (pair[0].to?, pair[1].from?);
                    if end < next {
                        let gap = FilterValue::Range { from: day(Some(end)), to: day(Some(next)) };
                        filters.push(ModelFilter { not: true, ..filter(place, gap) });
                    }
                }
                Some(filters)
            }
        }
    }
}

/// The filters of a comparison. Ranges hold their lower end and not their upper one.
pub(super) fn number_filters(
    filter: impl Fn(&Place, FilterValue) -> ModelFilter,
    place: &Place,
    comparison: Comparison,
    value: f64,
) -> Vec<ModelFilter> {
    let whole = |value: f64| {
        scalar(&if value.fract() == 0.0 && value.abs() < 9e15 { Value::from(value as i64) } else { Value::from(value) })
    };
    let range = |from: Option<f64>, to: Option<f64>| {
        filter(place, FilterValue::Range { from: from.and_then(whole), to: to.and_then(whole) })
    };
    match comparison {
        Comparison::AtLeast => vec![range(Some(value), None)],
        Comparison::Above => vec![range(Some(value.next_up()), None)],
        Comparison::Below => vec![range(None, Some(value))],
        Comparison::AtMost => vec![range(None, Some(value.next_up()))],
        Comparison::Equal => vec![filter(place, FilterValue::AnyOf(whole(value).into_iter().collect()))],
        Comparison::NotEqual => {
            vec![ModelFilter { not: true, ..filter(place, FilterValue::AnyOf(whole(value).into_iter().collect())) }]
        }
    }
}
