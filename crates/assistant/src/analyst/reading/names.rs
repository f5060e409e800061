//! Tables, columns and terms.

use super::Reader;
use crate::analyst::{
    intent::{Aggregate, ColumnPath, ColumnRef, Dimension, Grain, IntentCondition, Measure},
    phrases::What,
};
use crate::language::cues::{Cue, Hint};
use inlay_contract::data::ColumnType;

impl Reader<'_> {
    /// A name of the catalogue: the rows, a measure, or a dimension.
    pub(super) fn name(&mut self, tables: &[usize], columns: &[ColumnRef], plural: bool) {
        let knowledge = self.context.knowledge;
        if tables.contains(&self.table()) {
            self.rows(plural);
            return;
        }
        if let Some(lookup) =
            tables.iter().copied().find(|other| knowledge.keys(self.table()).iter().any(|key| key.to.table == *other))
        {
            self.lookup(lookup, plural);
            return;
        }
        let own = columns.iter().copied().find(|at| at.table == self.table());
        match own {
            Some(at) if knowledge.column(at).is_time() => self.time(at, plural),
            Some(at) if knowledge.column(at).is_measure() && knowledge.link_of(at).is_none() => self.measure(at, plural),
            Some(at) if knowledge.column(at).kind == ColumnType::Boolean => self.flag(at),
            Some(at) => self.category(ColumnPath::own(at), plural),
            None => self.foreign(columns, plural),
        }
    }

    /// The rows of the question: "flights".
    fn rows(&mut self, plural: bool) {
        self.draft.has_subject = true;
        let counted = std::mem::take(&mut self.counting);
        self.draft.counts |= counted;
        // "flights and average delay", "average delay and number of flights"
        let measure_follows = self.cue(self.at + 1) == Some(Cue::And) && self.is_measure(self.at + 2);
        let measure_before =
            counted && self.at > 1 && self.cue(self.at - 2) == Some(Cue::And) && !self.draft.measures.is_empty();
        if measure_follows || measure_before {
            self.draft.measures.push(Measure::Count);
        }
        let Some((rank, hint)) = self.superlative else { return };
        let hinted = self.context.knowledge.hinted(self.table(), hint);
        match hinted {
            // "the longest flight", "the ten longest flights"
            Some(column) if self.draft.dimensions.is_empty() => {
                self.superlative = None;
                self.extreme(column, rank, plural);
            }
            _ => {
                self.superlative = None;
                self.draft.order = Some((rank, if hint == Hint::Named { Hint::Count } else { hint }));
            }
        }
    }

    fn is_measure(&self, at: usize) -> bool {
        match self.what(at) {
            Some(What::Cue(Cue::Aggregate(_))) => true,
            Some(What::Name { columns, .. }) => {
                columns.iter().any(|at| at.table == self.table() && self.context.knowledge.column(*at).is_measure())
            }
            _ => false,
        }
    }

    /// Whether the rows are named next: "the most late flights" counts them.
    fn rows_follow(&self) -> bool {
        matches!(self.what(self.at + 1), Some(What::Name { tables, .. }) if tables.contains(&self.table()))
    }

    /// The greatest or smallest value, or the rows with it.
    fn extreme(&mut self, column: ColumnRef, rank: super::Rank, plural: bool) {
        self.draft.order = Some((rank, Hint::Named));
        let known = self.context.knowledge.column(column);
        let descending = rank_descends(rank, known.lower_is_better());
        if plural || self.draft.limit.is_some() || self.draft.lists || known.is_time() {
            self.draft.lists = true;
            self.draft.listed_by = Some(column);
            // "the latest flight" is a single row.
            if !plural && self.draft.limit.is_none() {
                self.draft.limit = Some(1);
            }
        } else {
            let aggregate = if descending { Aggregate::Greatest } else { Aggregate::Least };
            self.push_measure(Measure::Of(aggregate, ColumnPath::own(column)), column, true);
        }
    }

    /// A table that a key references: "origin airport", "which airports".
    fn lookup(&mut self, lookup: usize, plural: bool) {
        let beside = |at: Option<usize>| match at.and_then(|at| self.what(at)) {
            Some(What::Name { columns, .. }) => {
                columns.iter().any(|at| self.context.knowledge.link_of(*at).is_some_and(|link| link.to.table == lookup))
            }
            _ => false,
        };
        if beside(self.at.checked_sub(1)) || beside(Some(self.at + 1)) {
            return;
        }
        let key = self.key_to(lookup);
        if let Some(key) = key {
            self.category(self.shown(key), plural);
        }
    }

    /// The column that a chart shows for a key: the name of its row instead of its id.
    fn shown(&self, key: ColumnRef) -> ColumnPath {
        let knowledge = self.context.knowledge;
        let name = knowledge.link_of(key).filter(|_| knowledge.column(key).kind == ColumnType::Number).and_then(|link| {
            let texts = || knowledge.columns_of(link.to.table).filter(|(_, column)| column.is_text());
            let named =
                texts().find(|(_, column)| column.names.iter().any(|name| name.ends_with("name") || name.ends_with("title")));
            named.or_else(|| texts().next())
        });
        name.map_or(ColumnPath::own(key), |(column, _)| ColumnPath { column, via: Some(key) })
    }

    /// The key that references a table: the one with the direction, or the first with several values.
    pub(super) fn key_to(&self, table: usize) -> Option<ColumnRef> {
        let knowledge = self.context.knowledge;
        let keys = knowledge.keys(self.table());
        let keys = || keys.iter().filter(|key| key.to.table == table).map(|key| key.from);
        let before = self.direction.filter(|(_, taken)| !taken).map(|(direction, _)| direction);
        let wanted = before.or_else(|| self.direction_behind());
        wanted.and_then(|wanted| keys().find(|key| knowledge.column(*key).direction == Some(wanted))).or_else(|| keys().next())
    }

    /// "Which cities do most flights go to": a direction at the end, without a value.
    fn direction_behind(&self) -> Option<super::Direction> {
        (self.at + 1..self.phrases.len()).find_map(|at| match self.cue(at) {
            Some(Cue::Direction(direction)) => {
                let taken =
                    matches!(self.what(at + 1), Some(What::Value(_) | What::Period(_))) || (self.cue(at + 1) == Some(Cue::By));
                (!taken).then_some(direction)
            }
            _ => None,
        })
    }

    /// A column of a referenced table: "destination city".
    fn foreign(&mut self, columns: &[ColumnRef], plural: bool) {
        let knowledge = self.context.knowledge;
        let keys = knowledge.keys(self.table());
        let Some(column) = columns.iter().copied().find(|at| keys.iter().any(|key| key.to.table == at.table)) else {
            self.draft.unknown.push(self.phrases[self.at].text.clone());
            return;
        };
        // The key just before selects the link, and is then not a dimension itself.
        let before = self.at.checked_sub(1).and_then(|at| match self.what(at) {
            Some(What::Name { columns, .. }) => {
                columns.iter().copied().find(|at| knowledge.link_of(*at).is_some_and(|link| link.to.table == column.table))
            }
            _ => None,
        });
        if let Some(key) = before {
            self.draft.dimensions.retain(|mention| mention.dimension.place != ColumnPath::own(key));
            self.undo_distinct(key);
        }
        let Some(key) = before.or_else(|| self.key_to(column.table)) else { return };
        let place = if knowledge.link_of(key).is_some_and(|link| link.to == column) {
            ColumnPath::own(key)
        } else {
            ColumnPath { column, via: Some(key) }
        };
        if knowledge.column(column).is_measure() {
            self.draft.unknown.push(self.phrases[self.at].text.clone());
            return;
        }
        self.category(place, plural);
    }

    /// "how many destination cities": counts the cities, not the destinations.
    fn undo_distinct(&mut self, key: ColumnRef) {
        let before = self.draft.measures.len();
        self.draft.measures.retain(|measure| *measure != Measure::Distinct(ColumnPath::own(key)));
        self.counting |= self.draft.measures.len() < before;
    }

    /// A text column: a dimension, a distinct count, or the column of a value.
    fn category(&mut self, place: ColumnPath, plural: bool) {
        if std::mem::take(&mut self.counting) {
            self.draft.has_subject = true;
            self.draft.counts = false;
            self.draft.measures.push(Measure::Distinct(place));
            return;
        }
        if self.gives_role(place) {
            return;
        }
        if let Some((rank, hint)) = self.superlative.take() {
            self.draft.order = Some((rank, hint));
            if let Some(column) = self.context.knowledge.hinted(self.table(), hint) {
                let aggregate = if rank_descends(rank, false) { Aggregate::Greatest } else { Aggregate::Least };
                self.push_measure(Measure::Of(aggregate, ColumnPath::own(column)), column, true);
            }
        }
        self.dimension(Dimension { place, grain: None, step: None }, plural);
    }

    fn time(&mut self, at: ColumnRef, plural: bool) {
        if self.by {
            self.dimension(Dimension { place: ColumnPath::own(at), grain: Some(Grain::Fitting), step: None }, plural);
        } else {
            // "departures": the rows, named after an event.
            self.rows(plural);
        }
    }

    fn flag(&mut self, at: ColumnRef) {
        if self.by {
            self.dimension(Dimension { place: ColumnPath::own(at), grain: None, step: None }, true);
        } else {
            let set = !std::mem::take(&mut self.negated);
            self.draft.has_subject = true;
            self.draft.conditions.push(IntentCondition::Flag { place: ColumnPath::own(at), set });
        }
    }

    /// A number column: averaged, summed, or what "the highest" refers to.
    fn measure(&mut self, at: ColumnRef, plural: bool) {
        let known = self.context.knowledge.column(at);
        let splits = std::mem::take(&mut self.by)
            && self.draft.has_subject
            && self.draft.dimensions.is_empty()
            && self.draft.order.is_none();
        if splits && self.aggregate.is_none() && self.draft.measures.is_empty() && self.superlative.is_none() {
            self.draft.split_by = Some(at);
        }
        self.draft.has_subject = true;
        self.counting = false;
        if let Some((rank, hint)) = self.superlative.take() {
            let splits = !self.draft.dimensions.is_empty() || self.dimension_is_near();
            if self.aggregate.is_none() && !matches!(rank, super::Rank::Best | super::Rank::Worst) && !splits {
                self.extreme(at, rank, plural);
                return;
            }
            self.draft.order = Some((rank, hint));
            // "the destination with the longest delay". "The worst delays" means their average, not one row.
            if self.aggregate.is_none() && !matches!(rank, super::Rank::Best | super::Rank::Worst) && !plural {
                self.aggregate = Some(if rank_descends(rank, false) { Aggregate::Greatest } else { Aggregate::Least });
            }
        }
        let explicit = self.aggregate.is_some();
        let usual = if known.adds_up() { Aggregate::Sum } else { Aggregate::Average };
        let aggregate = self.aggregate.take().unwrap_or(usual);
        for other in std::mem::take(&mut self.aggregates_before) {
            self.push_measure(Measure::Of(other, ColumnPath::own(at)), at, true);
        }
        self.push_measure(Measure::Of(aggregate, ColumnPath::own(at)), at, explicit);
    }

    fn dimension_is_near(&self) -> bool {
        (self.at + 1..self.phrases.len()).any(|at| self.cue(at) == Some(Cue::By))
    }

    pub(super) fn push_measure(&mut self, measure: Measure, column: ColumnRef, explicit: bool) {
        self.draft.has_subject = true;
        self.draft.measures.push(measure);
        self.mentioned = Some((self.at, column, Some(self.draft.measures.len() - 1), explicit));
    }

    /// A term: rows that match, their share, or the term's column.
    pub(super) fn term(&mut self, column: ColumnRef, term: usize, rate: bool) {
        let knowledge = self.context.knowledge;
        let Some(meaning) = knowledge.column(column).terms.get(term).filter(|_| column.table == self.table()) else {
            self.draft.unknown.push(self.phrases[self.at].text.clone());
            return;
        };
        self.draft.has_subject = true;
        let (comparison, value) = (meaning.comparison, meaning.value);
        let place = ColumnPath::own(column);
        let before = self.at.checked_sub(1).and_then(|at| self.cue(at));
        let has_rate = !meaning.rates.is_empty();
        // "how late are they", "the most delayed destinations"
        let graded =
            matches!(before, Some(Cue::How)) || (matches!(before, Some(Cue::Extreme(_, Hint::Named))) && !self.rows_follow());
        if !rate && graded {
            if let Some((rank, hint)) = self.superlative.take() {
                self.draft.order = Some((rank, hint));
            }
            if has_rate {
                let word = Some(self.phrases[self.at].text.clone());
                self.push_measure(
                    Measure::Share(vec![IntentCondition::Number { place, comparison, value, word }]),
                    column,
                    true,
                );
            } else {
                self.push_measure(Measure::Of(Aggregate::Average, place), column, false);
            }
            return;
        }
        let word = if rate { meaning.phrases.first() } else { Some(&self.phrases[self.at].text) };
        let word = word.cloned();
        if rate {
            let condition = IntentCondition::Number { place, comparison, value, word };
            self.push_measure(Measure::Share(vec![condition]), column, true);
            if let Some((rank, hint)) = self.superlative.take() {
                self.draft.order = Some((rank, hint));
            }
            return;
        }
        let negated = std::mem::take(&mut self.negated);
        let comparison = if negated { opposite(comparison) } else { comparison };
        let word = if negated { word.map(|word| format!("not {word}")) } else { word };
        self.draft.conditions.push(IntentCondition::Number { place, comparison, value, word });
    }
}

const fn opposite(comparison: crate::scope::Comparison) -> crate::scope::Comparison {
    use crate::scope::Comparison;
    match comparison {
        Comparison::Below => Comparison::AtLeast,
        Comparison::AtMost => Comparison::Above,
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::AtLeast => Comparison::Below,
        Comparison::Above => Comparison::AtMost,
    }
}

/// Whether the greatest come first.
pub(in crate::analyst) const fn rank_descends(rank: super::Rank, lower_is_better: bool) -> bool {
    match rank {
        super::Rank::Greatest => true,
        super::Rank::Smallest => false,
        super::Rank::Best => !lower_is_better,
        super::Rank::Worst => lower_is_better,
    }
}
