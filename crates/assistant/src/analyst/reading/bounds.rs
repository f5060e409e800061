//! "more than 60 minutes", "between 500 and 1000 miles", "2 hours late".

use super::Reader;
use crate::{
    analyst::{
        intent::{ColumnPath, ColumnRef, Grain, IntentCondition, Measure},
        phrases::What,
    },
    language::cues::{Cue, Hint, Unit},
    scope::{Comparison, Term},
};

/// A number that values are compared with.
struct Bound {
    comparison: Comparison,
    value: f64,
    /// The other end of "between".
    upper: Option<f64>,
    unit: Option<Unit>,
    /// The number of phrases that it uses.
    took: usize,
}

impl Reader<'_> {
    /// Reads a bound at the current phrase. Returns the number of phrases used.
    pub(super) fn bound(&mut self) -> Option<usize> {
        let bound = self.spoken_bound()?;
        let end = self.at + bound.took;
        if let Some(What::Term { column, term, rate: false }) = self.what(end) {
            let (column, term) = (*column, *term);
            self.bounded_term(column, term, &bound)?;
            return Some(bound.took + 1);
        }
        if let Some((at, column, measure, explicit)) = self.mentioned
            && at + 1 + self.skipped(at + 1) == self.at
        {
            return self.bounded_measure(column, measure, explicit, &bound).then_some(bound.took);
        }
        if let Some((column, term)) = self.term_before() {
            self.draft.conditions.pop();
            self.bounded_term(column, term, &bound)?;
            return Some(bound.took);
        }
        match self.what(end) {
            // "destinations with more than 1000 flights"
            Some(What::Name { tables, .. }) if tables.contains(&self.table()) && bound.unit.is_none() => {
                self.draft.having = Some((bound.comparison, bound.value));
                self.draft.counts = true;
                Some(bound.took)
            }
            // "over 60 delay"
            Some(What::Name { columns, .. }) if bound.unit.is_none() => {
                let column = columns
                    .iter()
                    .copied()
                    .find(|at| at.table == self.table() && self.context.knowledge.column(*at).is_measure())?;
                self.push_bound(column, &bound, None);
                Some(bound.took + 1)
            }
            _ => {
                let unit = bound.unit?;
                let column = self.context.knowledge.in_unit(self.table(), unit)?;
                // "longer than 3 hours" means a duration, not just any column in minutes.
                let long = ["longer", "shorter"].iter().any(|word| self.phrases[self.at].text.starts_with(word));
                if long && unit.is_time() && self.context.knowledge.hinted(self.table(), Hint::Length) != Some(column) {
                    return None;
                }
                self.push_bound(column, &bound, None);
                Some(bound.took)
            }
        }
    }

    /// The number of words between a measure and its bound that have no meaning: "a delay that is over".
    fn skipped(&self, from: usize) -> usize {
        (from..self.at).take_while(|at| matches!(self.cue(*at), Some(Cue::With | Cue::By))).count()
    }

    /// "delayed by more than an hour": the term that was just read as a condition.
    fn term_before(&self) -> Option<(ColumnRef, usize)> {
        let before = (0..self.at).rev().find(|at| !matches!(self.cue(*at), Some(Cue::By | Cue::With)))?;
        match self.what(before) {
            Some(What::Term { column, term, rate: false })
                if matches!(self.draft.conditions.last(), Some(IntentCondition::Number { .. })) =>
            {
                Some((*column, *term))
            }
            _ => None,
        }
    }

    fn bounded_term(&mut self, column: ColumnRef, term: usize, bound: &Bound) -> Option<()> {
        let known = self.context.knowledge.column(column);
        let Term { comparison, value, .. } = known.terms.get(term)?;
        let factor = self.factor(column, bound.unit)?;
        // Ten minutes early is a delay of -10.
        let below = comparison.is_upper_bound() && *value <= 0.0;
        let upper = bound.upper.map(|upper| upper * factor);
        let (comparison, value) =
            if below { (bound.comparison.mirrored(), -bound.value * factor) } else { (bound.comparison, bound.value * factor) };
        let place = ColumnPath::own(column);
        self.draft.conditions.push(IntentCondition::Number { place, comparison, value, word: None });
        if let Some(upper) = upper {
            let (comparison, value) = if below { (Comparison::AtLeast, -upper) } else { (Comparison::AtMost, upper) };
            self.draft.conditions.push(IntentCondition::Number { place, comparison, value, word: None });
        }
        self.draft.has_subject = true;
        Some(())
    }

    /// A bound after a measure filters rows, or groups if the measure is aggregated: "an average delay above 12".
    fn bounded_measure(&mut self, column: ColumnRef, measure: Option<usize>, explicit: bool, bound: &Bound) -> bool {
        let Some(factor) = self.factor(column, bound.unit) else { return false };
        let of_groups = explicit && bound.upper.is_none() && (!self.draft.dimensions.is_empty() || self.dimension_follows());
        if of_groups {
            self.draft.having = Some((bound.comparison, bound.value * factor));
            return true;
        }
        if let Some(measure) = measure.filter(|measure| !explicit && *measure < self.draft.measures.len()) {
            self.draft.measures.remove(measure);
            self.mentioned = None;
        }
        self.push_bound(column, bound, None);
        true
    }

    fn dimension_follows(&self) -> bool {
        (self.at..self.phrases.len()).any(|at| self.cue(at) == Some(Cue::By))
    }

    fn push_bound(&mut self, column: ColumnRef, bound: &Bound, word: Option<String>) {
        let place = ColumnPath::own(column);
        let factor = self.factor(column, bound.unit).unwrap_or(1.0);
        let negated = std::mem::take(&mut self.negated);
        let comparison = match bound.comparison {
            Comparison::Above if negated => Comparison::AtMost,
            Comparison::Below if negated => Comparison::AtLeast,
            same => same,
        };
        self.draft.conditions.push(IntentCondition::Number { place, comparison, value: bound.value * factor, word });
        if let Some(upper) = bound.upper {
            self.draft.conditions.push(IntentCondition::Number {
                place,
                comparison: Comparison::AtMost,
                value: upper * factor,
                word: None,
            });
        }
    }

    /// The factor from the bound's unit to the column's. `None` if they do not match.
    fn factor(&self, column: ColumnRef, unit: Option<Unit>) -> Option<f64> {
        match (unit, self.context.knowledge.column(column).unit) {
            (None, _) | (_, None) => Some(1.0),
            (Some(unit), Some(own)) => unit.in_unit(own),
        }
    }

    fn spoken_bound(&self) -> Option<Bound> {
        let number = |at: usize| match self.what(at) {
            Some(What::Number(value)) => Some(*value),
            _ => None,
        };
        match self.cue(self.at) {
            Some(Cue::Than(comparison)) => {
                // "more than an hour"
                let (value, unit_at) = number(self.at + 1).map_or((1.0, self.at + 1), |value| (value, self.at + 2));
                let unit = self.unit(unit_at);
                (unit.is_some() || unit_at == self.at + 2).then(|| Bound {
                    comparison,
                    value,
                    upper: None,
                    unit,
                    took: unit_at - self.at + usize::from(unit.is_some()),
                })
            }
            Some(Cue::Between) => {
                let low = number(self.at + 1)?;
                let unit = self.unit(self.at + 2);
                let joined = self.at + 2 + usize::from(unit.is_some());
                let high = (self.cue(joined) == Some(Cue::And)).then(|| number(joined + 1)).flatten()?;
                let last = self.unit(joined + 2);
                let took = joined + 2 + usize::from(last.is_some()) - self.at;
                Some(Bound { comparison: Comparison::AtLeast, value: low, upper: Some(high), unit: last.or(unit), took })
            }
            _ => {
                let value = number(self.at)?;
                let unit = self.unit(self.at + 1);
                let end = self.at + 1 + usize::from(unit.is_some());
                let took = end - self.at;
                if let Some(Cue::OrMore(comparison)) = self.cue(end) {
                    return Some(Bound { comparison, value, upper: None, unit, took: took + 1 });
                }
                // "2 hours late"
                let is_term = unit.is_some() && matches!(self.what(end), Some(What::Term { rate: false, .. }));
                is_term.then_some(Bound { comparison: Comparison::AtLeast, value, upper: None, unit, took })
            }
        }
    }

    fn unit(&self, at: usize) -> Option<Unit> {
        match self.cue(at)? {
            Cue::Unit(unit) => Some(unit),
            Cue::Grain(Grain::Hour) => Some(Unit::Hour),
            Cue::Grain(Grain::Day) => Some(Unit::Day),
            _ => None,
        }
    }

    /// "how many miles": the sum of the column in miles.
    pub(super) fn counted_unit(&mut self, unit: Unit) {
        let column = self.context.knowledge.in_unit(self.table(), unit);
        match column {
            Some(column) if self.counting || self.aggregate.is_some() => {
                let aggregate = self.aggregate.take().unwrap_or(crate::analyst::intent::Aggregate::Sum);
                self.counting = false;
                self.draft.counts = false;
                self.draft.has_subject = true;
                self.draft.measures.push(Measure::Of(aggregate, ColumnPath::own(column)));
            }
            Some(_) => {}
            None => self.draft.unknown.push(self.phrases[self.at].text.clone()),
        }
    }
}
