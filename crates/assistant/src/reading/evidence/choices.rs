//! The choices that were made without a word for them.

use super::Judge;
use crate::language::cues::{Aggregate, Cue, Hint};
use crate::reading::atoms::What;
use crate::reading::meaning::{Condition, Num};
use crate::world::{Kind, Thing};

impl Judge<'_> {
    pub(super) fn choices(&mut self) {
        self.numbers();
        self.rows();
        self.times();
        let far = |condition: &Condition| matches!(condition, Condition::In { place, .. } if place.way.columns.len() > 1);
        self.found.flag("value far away", self.used.conditions.iter().any(far));
    }

    fn names(&self, wanted: impl Fn(Thing) -> bool) -> bool {
        self.seen.things().any(|(_, thing)| wanted(thing))
    }

    /// The best quality with which something is named.
    fn best(&self, wanted: impl Fn(Thing) -> bool) -> Option<f32> {
        self.seen.things().filter(|(_, thing)| wanted(*thing)).map(|(atom, _)| atom.quality.min(1.0)).reduce(f32::max)
    }

    fn numbers(&mut self) {
        let meaning = self.meaning;
        let counts = meaning.numbers.iter().any(|number| self.counts(number));
        let is_count = |cue: Cue| matches!(cue, Cue::HowMany | Cue::Extreme(_, Hint::Count));
        let says_count = self.draft.how_many || self.seen.all().any(|atom| atom.cue().is_some_and(is_count));
        let fact = meaning.fact;
        let says_rows = self.names(|thing| thing == Thing::Table(fact) || self.is_count_of(thing, fact));
        self.found.flag("count of rows that are not named", counts && !says_rows && !says_count);
        self.found.flag("count that is not said", counts && !says_count && says_rows);
        let used = &self.used;
        let is_of = |thing: Thing| match thing {
            Thing::Declared(at) => used.declared.contains(&at),
            Thing::Field(field) => used.measured.contains(&field),
            Thing::Money(_) => true,
            Thing::Table(_) | Thing::Term(..) => false,
        };
        let has_number = !used.declared.is_empty() || !used.measured.is_empty();
        let weakly = self.best(is_of).filter(|_| has_number).map_or(0.0, |best| 1.0 - best);
        self.found.add("number named weakly", weakly);
        let says_how = self.seen.all().any(|atom| matches!(atom.cue(), Some(Cue::Aggregate(_))));
        let of = |number: &Num| if let Num::Of(how, _) = number { Some(*how) } else { None };
        let how = meaning.numbers.iter().find_map(of);
        self.found.flag("sum that is not said", how == Some(Aggregate::Sum) && !says_how);
        self.found.flag("mean that is not said", how == Some(Aggregate::Average) && !says_how);
        self.found.flag("raw number beside declared ones", how.is_some() && !self.world.numbers.is_empty());
    }

    pub(super) fn counts(&self, number: &Num) -> bool {
        match number {
            Num::Count | Num::Distinct(_) => true,
            Num::Declared(at) => self.world.numbers[*at].counts_rows(),
            Num::Matching(of, _) | Num::Part(of, _) | Num::OfTotal(of) | Num::Running(of) | Num::Moving(of, _) => {
                self.counts(of)
            }
            _ => false,
        }
    }

    fn is_count_of(&self, thing: Thing, fact: usize) -> bool {
        matches!(thing, Thing::Declared(at) if self.world.numbers[at].counts_rows() && self.world.numbers[at].facts == [fact])
    }

    /// The rows that are gathered.
    fn rows(&mut self) {
        let fact = self.meaning.fact;
        let of_fact = |thing: Thing| match thing {
            Thing::Table(table) => table == fact,
            Thing::Field(field) | Thing::Term(field, ..) => self.world.fields[field].table == fact,
            Thing::Declared(at) => self.world.numbers[at].facts.contains(&fact),
            Thing::Money(at) => self.world.money[at].table == fact,
        };
        let of_value = self.seen.all().any(|atom| match &atom.what {
            What::Value(found) => found.iter().any(|one| self.world.fields[one.field].table == fact),
            _ => false,
        });
        self.found.flag("rows that nothing names", !self.names(of_fact) && !of_value);
    }

    fn times(&mut self) {
        let is_time = |field: &usize| self.world.fields[*field].kind == Kind::Time;
        let used: Vec<usize> = self.used.fields.iter().copied().filter(is_time).collect();
        let times = self.world.fields_of(self.meaning.fact).filter(|(_, field)| field.kind == Kind::Time).count();
        let named = self.names(|thing| matches!(thing, Thing::Field(field) if used.contains(&field)));
        let says = !self.draft.periods.is_empty() || self.meaning.groups.iter().any(|group| group.grain.is_some());
        self.found.flag("time among several", says && !used.is_empty() && times > 1 && !named);
    }
}
