//! Numbers as measures and metrics of a query.

use super::Asking;
use crate::language::cues::Aggregate;
use crate::language::span::Span;
use crate::language::words::spaced;
use crate::reading::meaning::{Condition, Meaning, Num, Place};
use crate::scope::Comparison;
use inlay_contract::model::{Metric, ModelFilter, ModelHaving, ModelQuery, Moving, Only, QueryMeasure, Whole};

impl Asking<'_> {
    pub(super) fn aggregate(&mut self, wish: &str, measure: QueryMeasure) -> String {
        if let Some((known, _)) = self.query.aggregates.iter().find(|(_, known)| **known == measure) {
            return known.clone();
        }
        let name = self.name(&format!("{wish} value"));
        self.query.aggregates.insert(name.clone(), measure);
        name
    }

    pub(super) fn measure(
        &self,
        aggregate: inlay_contract::model::Aggregate,
        of: &[&Place],
        filters: Vec<ModelFilter>,
    ) -> QueryMeasure {
        let dimensions: Vec<(String, Option<String>)> = of.iter().map(|place| self.dimension(place)).collect();
        let via = dimensions.iter().find_map(|(_, via)| via.clone());
        QueryMeasure {
            table: self.world.tables[self.meaning.fact].name.clone(),
            aggregate,
            of: dimensions.into_iter().map(|(name, _)| name).collect(),
            via,
            fraction: None,
            filters,
            label: None,
            format: None,
        }
    }

    pub(super) fn metric(&mut self, wish: &str, metric: Metric) -> String {
        let name = self.name(&format!("{wish} metric"));
        self.query.metrics.insert(name.clone(), metric);
        name
    }

    /// A number of the rows that meet conditions. The name of its column.
    pub(super) fn number(&mut self, number: &Num, only: &[ModelFilter]) -> Option<String> {
        use inlay_contract::model::Aggregate as Of;
        Some(match number {
            Num::Count => {
                let measure = self.measure(Of::Count, &[], only.to_vec());
                let table = self.world.tables[self.meaning.fact].label.clone();
                self.aggregate(&table, measure)
            }
            Num::Declared(at) => {
                let of = self.world.numbers[*at].name.clone();
                if only.is_empty() {
                    return Some(of);
                }
                let name = of.clone();
                self.metric(&name, Metric { only: Some(Only { of, filters: only.to_vec() }), ..Metric::default() })
            }
            Num::Distinct(place) => {
                let measure = self.measure(Of::CountDistinct, &[place], only.to_vec());
                let field = self.world.fields[place.field].name.clone();
                self.aggregate(&format!("different {}", spaced(&field)), measure)
            }
            Num::Of(how, place) => {
                let measure = self.measure(model_aggregate(*how), &[place], only.to_vec());
                let field = self.world.fields[place.field].name.clone();
                self.aggregate(&format!("{} {}", word(*how), spaced(&field)), measure)
            }
            Num::Money(at) => self.money(*at, only),
            Num::Matching(of, conditions) => {
                let mut filters = only.to_vec();
                for condition in conditions {
                    filters.extend(self.condition(condition)?);
                }
                self.number(of, &filters)?
            }
            Num::Part(of, conditions) => {
                let part = self.number(&Num::Matching(of.clone(), conditions.clone()), only)?;
                let whole = self.number(of, only)?;
                self.metric("share", Metric { formula: Some(format!("coalesce({part}, 0) / {whole}")), ..Metric::default() })
            }
            Num::Out(part, whole) => {
                let (part, whole) = (self.number(part, only)?, self.number(whole, only)?);
                self.metric("share", Metric { formula: Some(format!("coalesce({part}, 0) / {whole}")), ..Metric::default() })
            }
            Num::OfTotal(of) => {
                let of = self.number(of, only)?;
                self.metric("share", Metric { share: Some(Whole { of, within: Vec::new() }), ..Metric::default() })
            }
            Num::Per(of, by) => {
                let (of, by) = (self.number(of, only)?, self.number(by, only)?);
                self.metric("each", Metric { ratio: Some([of, by]), ..Metric::default() })
            }
            // Only a question about one table says it.
            Num::PerPeriod(..) | Num::Spread(_) => return None,
            Num::Running(of) => {
                let of = self.number(of, only)?;
                self.metric("running", Metric { running: Some(of), ..Metric::default() })
            }
            Num::Moving(of, periods) => {
                let of = self.number(of, only)?;
                self.metric("moving", Metric { moving: Some(Moving { of, periods: *periods }), ..Metric::default() })
            }
            Num::InUnit(of, _, times) => {
                let of = self.number(of, only)?;
                let formula =
                    if *times >= 1.0 { format!("{of} / {times}") } else { format!("{of} * {}", (1.0 / times).round()) };
                self.metric("in unit", Metric { formula: Some(formula), ..Metric::default() })
            }
            Num::Growth(of, place, [before, now]) => {
                let span = |span: &Span| Condition::Spans { place: place.clone(), spans: vec![*span] };
                let before = self.number(&Num::Matching(of.clone(), vec![span(before)]), only)?;
                let now = self.number(&Num::Matching(of.clone(), vec![span(now)]), only)?;
                self.metric("growth", Metric { formula: Some(format!("({now} - {before}) / {before}")), ..Metric::default() })
            }
        })
    }

    pub(super) fn money(&mut self, at: usize, only: &[ModelFilter]) -> String {
        use inlay_contract::model::Aggregate as Of;
        let money = self.world.money[at];
        let own = |field| Place { field, way: crate::world::Way::default() };
        let (price, quantity) = (own(money.price), own(money.quantity));
        let gross = self.measure(Of::Sum, &[&price, &quantity], only.to_vec());
        let gross = self.aggregate("revenue", gross);
        let Some(discount) = money.discount.map(own) else { return gross };
        let off = self.measure(Of::Sum, &[&price, &quantity, &discount], only.to_vec());
        let off = self.aggregate("discounts", off);
        self.metric("revenue", Metric { formula: Some(format!("{gross} - {off}")), ..Metric::default() })
    }

    /// The rows of one table that no row of another belongs to.
    pub(super) fn lacking(&mut self, other: usize) -> Option<Vec<String>> {
        use inlay_contract::model::Aggregate as Of;
        let mut measure = self.measure(Of::Count, &[], Vec::new());
        let own = self.aggregate("own", measure.clone());
        measure.table.clone_from(&self.world.tables[other].name);
        let theirs = Meaning { fact: other, ..self.meaning.clone() };
        let asking = Asking { world: self.world, meaning: &theirs, query: ModelQuery::default(), names: Vec::new() };
        for condition in &self.meaning.lacking_where {
            measure.filters.extend(asking.condition(condition)?);
        }
        let theirs = self.aggregate("theirs", measure.clone());
        if self.meaning.groups.is_empty() {
            let key = self.world.tables[self.meaning.fact].key?;
            measure.aggregate = Of::CountDistinct;
            measure.of = vec![self.world.full(key)];
            let used = self.aggregate("used", measure);
            let formula = format!("{own} - {used}");
            self.query.aggregates.remove(&theirs);
            return Some(vec![self.metric("unused", Metric { formula: Some(formula), ..Metric::default() })]);
        }
        let none = self.metric("none", Metric { formula: Some(format!("coalesce({theirs}, 0)")), ..Metric::default() });
        self.query.having.push(ModelHaving { measure: none.clone(), comparison: Comparison::Equal, than: 0.0 });
        self.query.having.push(ModelHaving { measure: own.clone(), comparison: Comparison::Above, than: 0.0 });
        Some(vec![own, none])
    }
}

pub(super) const fn model_aggregate(how: Aggregate) -> inlay_contract::model::Aggregate {
    use inlay_contract::model::Aggregate as Of;
    match how {
        Aggregate::Count => Of::Count,
        Aggregate::Distinct => Of::CountDistinct,
        Aggregate::Sum => Of::Sum,
        Aggregate::Average => Of::Average,
        Aggregate::Median => Of::Median,
        Aggregate::Least => Of::Min,
        Aggregate::Greatest => Of::Max,
    }
}

pub(super) const fn word(how: Aggregate) -> &'static str {
    match how {
        Aggregate::Count | Aggregate::Distinct => "number",
        Aggregate::Sum => "total",
        Aggregate::Average => "average",
        Aggregate::Median => "median",
        Aggregate::Least => "lowest",
        Aggregate::Greatest => "highest",
    }
}
