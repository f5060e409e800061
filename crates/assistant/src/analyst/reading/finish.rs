//! The parts that need the whole message: periods, comparisons, shares.

use super::{Draft, Mention, Reader};
use crate::analyst::intent::{Aggregate, ColumnPath, ColumnRef, Dimension, Grain, IntentCondition, Measure};
use crate::language::{cues::Hint, span::Span};

impl Reader<'_> {
    pub(super) fn finish(mut self) -> Draft {
        self.periods();
        if let Some((rank, hint)) = self.superlative.take() {
            self.draft.order = Some((rank, hint));
        }
        self.asked_measure();
        self.late_aggregate();
        if self.draft.relation || (self.draft.compares && self.draft.measures.len() == 2 && self.draft.dimensions.is_empty()) {
            self.relation();
        }
        let split = self.draft.split_by.is_some() && self.draft.dimensions.is_empty() && self.draft.measures.len() == 1;
        if self.draft.distribution || split {
            self.distribution();
        }
        self.top_rows();
        self.one_list_for_each_place();
        self.compared_values();
        self.compared_terms();
        self.share();
        self.draft
    }

    fn periods(&mut self) {
        if self.spoken.is_empty() {
            return;
        }
        let knowledge = self.context.knowledge;
        let today = self.context.today;
        let Some(time) = knowledge.time(self.table()) else {
            self.draft.unknown.push("that period".to_owned());
            return;
        };
        let newest = knowledge.extents.get(&time).map_or(today, |(_, last)| (*last).min(today));
        let resolved: Option<Vec<Span>> = self.spoken.iter().map(|spoken| spoken.resolve(today, newest)).collect();
        let Some(spans) = resolved else {
            self.draft.unknown.push("that date".to_owned());
            return;
        };
        let place = ColumnPath::own(time);
        let grain = spans[0].grain.filter(|grain| spans.len() > 1 && spans.iter().all(|span| span.grain == Some(*grain)));
        if let Some(grain) = grain
            .filter(|_| self.draft.compares && !self.draft.dimensions.iter().any(|mention| mention.dimension.grain.is_some()))
        {
            self.dimension(Dimension { place, grain: Some(grain), step: None }, true);
        }
        self.draft.conditions.push(IntentCondition::Spans { place, spans });
    }

    /// "how far do we fly": the measure, if no other is named.
    fn asked_measure(&mut self) {
        let column = self.draft.asked.and_then(|hint| self.context.knowledge.hinted(self.table(), hint));
        if let Some(column) = column.filter(|_| self.draft.measures.is_empty()) {
            let aggregate = self.aggregate.take().unwrap_or(Aggregate::Average);
            self.push_measure(Measure::Of(aggregate, ColumnPath::own(column)), column, true);
        }
    }

    /// An aggregate after its column, or an average of counts per period.
    fn late_aggregate(&mut self) {
        let Some(aggregate) = self.aggregate.take() else { return };
        if let Some((_, column, Some(place), false)) = self.mentioned {
            if let Some(measure) = self.draft.measures.get_mut(place) {
                *measure = Measure::Of(aggregate, ColumnPath::own(column));
            }
            return;
        }
        let counts_rows = self.draft.measures.is_empty() && (self.draft.counts || self.draft.has_subject);
        let period = self.draft.dimensions.iter().position(|mention| mention.dimension.grain.is_some_and(Grain::is_calendar));
        match (aggregate, period) {
            (Aggregate::Average, Some(at)) if counts_rows => {
                let Mention { dimension, .. } = self.draft.dimensions.remove(at);
                let grain = dimension.grain.filter(|grain| *grain != Grain::Fitting).unwrap_or(Grain::Day);
                self.draft.measures.push(Measure::PerPeriod(dimension.place, grain));
            }
            (Aggregate::Sum, _) if self.draft.has_subject => self.draft.counts |= self.draft.measures.is_empty(),
            _ => self.draft.aggregate = Some(aggregate),
        }
    }

    /// "distance against delay": the second measure by the first.
    fn relation(&mut self) {
        let columns: Vec<ColumnPath> = self.measured();
        if let [along, measured] = columns[..] {
            self.draft.measures = vec![Measure::Of(Aggregate::Average, measured)];
            self.dimension(Dimension { place: along, grain: None, step: Some(0) }, true);
        }
    }

    fn distribution(&mut self) {
        if let [place] = self.measured()[..]
            && self.draft.dimensions.is_empty()
        {
            self.draft.measures = vec![Measure::Count];
            self.dimension(Dimension { place, grain: None, step: Some(0) }, true);
        }
    }

    fn measured(&self) -> Vec<ColumnPath> {
        let place = |measure: &Measure| match measure {
            Measure::Of(_, place) => Some(*place),
            _ => None,
        };
        self.draft.measures.iter().filter_map(place).collect()
    }

    /// "top 5 delays": rows, since there is no dimension.
    fn top_rows(&mut self) {
        let column: Option<ColumnRef> = match self.draft.measures[..] {
            [Measure::Of(_, place)]
                if self.draft.top && self.draft.dimensions.is_empty() && self.mentioned.is_some_and(|found| !found.3) =>
            {
                Some(place.column)
            }
            _ => None,
        };
        if let Some(column) = column {
            self.draft.measures.clear();
            self.draft.lists = true;
            self.draft.listed_by = Some(column);
        }
    }

    /// "ORD with DFW": no row has both values, so either matches.
    fn one_list_for_each_place(&mut self) {
        let mut kept: Vec<IntentCondition> = Vec::new();
        for condition in std::mem::take(&mut self.draft.conditions) {
            if let IntentCondition::In { place, values, negated: false } = &condition {
                let known = kept.iter_mut().find_map(|known| match known {
                    IntentCondition::In { place: same, values, negated: false } if same == place => Some(values),
                    _ => None,
                });
                if let Some(known) = known {
                    known.extend(values.iter().filter(|value| !known.contains(value)).cloned().collect::<Vec<_>>());
                    continue;
                }
            }
            kept.push(condition);
        }
        self.draft.conditions = kept;
    }

    /// "ATL versus ORD": grouped by their column.
    fn compared_values(&mut self) {
        if !self.draft.compares {
            return;
        }
        let lists = self.draft.conditions.iter().filter_map(|condition| match condition {
            IntentCondition::In { place, values, negated: false } if values.len() > 1 => Some(*place),
            _ => None,
        });
        for place in lists.collect::<Vec<_>>() {
            self.dimension(Dimension { place, grain: None, step: None }, true);
        }
    }

    /// "late beside on time": no row is both, so their measures are compared.
    fn compared_terms(&mut self) {
        let is_term = |condition: &IntentCondition| matches!(condition, IntentCondition::Number { word: Some(_), .. });
        let terms: Vec<&IntentCondition> = self.draft.conditions.iter().filter(|condition| is_term(condition)).collect();
        let alike = terms.windows(2).all(|pair| pair[0].place() == pair[1].place());
        if terms.len() < 2 || !alike || self.draft.shares || !self.draft.measures.is_empty() {
            return;
        }
        self.draft.measures = terms.into_iter().map(|term| Measure::Matching(vec![term.clone()])).collect();
        self.draft.conditions.retain(|condition| !is_term(condition));
    }

    /// "share of flights that are late": the conditions define the part, not the whole.
    fn share(&mut self) {
        if !self.draft.shares {
            return;
        }
        let ranked = self.draft.order.is_some_and(|(_, hint)| hint == Hint::Count);
        if ranked {
            self.draft.order = self.draft.order.map(|(rank, _)| (rank, Hint::Named));
        }
        if matches!(self.draft.measures[..], [Measure::Share(_)]) {
            return;
        }
        let is_quality =
            |condition: &IntentCondition| matches!(condition, IntentCondition::Number { .. } | IntentCondition::Flag { .. });
        let split = |mention: &Mention, condition: &IntentCondition| mention.dimension.place == condition.place();
        let values: Vec<usize> = (0..self.draft.conditions.len())
            .filter(|at| {
                let condition = &self.draft.conditions[*at];
                matches!(condition, IntentCondition::In { .. } | IntentCondition::Days { .. } | IntentCondition::Hours { .. })
                    && !self.draft.dimensions.iter().any(|mention| split(mention, condition))
            })
            .collect();
        let qualities: Vec<usize> =
            (0..self.draft.conditions.len()).filter(|at| is_quality(&self.draft.conditions[*at])).collect();
        let parts = match (qualities.is_empty(), self.draft.dimensions.is_empty()) {
            (false, _) => qualities,
            // "percent of flights by origin" with a value filters by that value.
            (true, true) => values,
            (true, false) => Vec::new(),
        };
        self.draft.has_subject = true;
        self.draft.counts = false;
        if parts.is_empty() {
            let of = self.measured().first().copied();
            self.draft.measures = vec![Measure::OfTotal(of)];
            return;
        }
        let mut part = Vec::new();
        for at in parts.into_iter().rev() {
            part.insert(0, self.draft.conditions.remove(at));
        }
        self.draft.measures = vec![Measure::Share(part)];
    }
}
