//! The choices that were made without a word for them.

use super::Judge;
use crate::language::cues::{Aggregate, Cue};
use crate::reading::atoms::What;
use crate::reading::meaning::{Condition, Num};
use crate::world::{Kind, Thing};

impl Judge<'_> {
    pub(super) fn choices(&mut self) {
        self.numbers();
        self.rows();
        self.groups();
        self.values();
        self.times();
        self.found.count("hops", self.used.hops);
        self.found.flag(
            "chose a way",
            self.used.chose_way && !self.seen.all().any(|atom| matches!(atom.what, What::Cue(Cue::Direction(_)))),
        );
        let described = !self.world.numbers.is_empty();
        self.found.flag("described", described);
        self.found.add("near meaning", self.seen.behind.map_or(0.0, |behind| (3.0 - behind).clamp(0.0, 3.0)));
        self.found.add("other rows", self.seen.other_rows.map_or(0.0, |more| (1.5 - more).clamp(0.0, 1.5)));
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
        let says_count = self.draft.how_many || self.seen.all().any(|atom| atom.cue() == Some(Cue::HowMany));
        let fact = meaning.fact;
        let says_rows = self.names(|thing| thing == Thing::Table(fact) || self.is_count_of(thing, fact));
        self.found.flag("count of rows that are not named", counts && !says_rows && !says_count);
        self.found.flag("count that is not said", counts && !says_count && says_rows);
        self.found.flag("count of rows by another name", counts && says_count && !says_rows);
        let declared: Vec<usize> = self.used.declared.iter().copied().collect();
        let measured: Vec<usize> = self.used.measured.iter().copied().collect();
        let is_of = |thing: Thing| match thing {
            Thing::Declared(at) => declared.contains(&at),
            Thing::Field(field) => measured.contains(&field),
            Thing::Money(_) => true,
            Thing::Table(_) | Thing::Term(..) => false,
        };
        let best = self.best(is_of);
        let has_number = !declared.is_empty() || !measured.is_empty();
        let named = best.is_some() || !has_number || counts;
        self.found.flag("number that is not named", !named);
        self.found.add("number named weakly", if has_number { 1.0 - best.unwrap_or(1.0) } else { 0.0 });
        self.found.flag("declared number", !declared.is_empty());
        self.found.flag("declared count", declared.iter().any(|at| self.world.numbers[*at].counts_rows()));
        self.found.flag("metric", declared.iter().any(|at| self.world.numbers[*at].aggregate.is_none()));
        self.found.flag("several numbers", meaning.numbers.len() > 1);
        let says_how = self.seen.all().any(|atom| matches!(atom.cue(), Some(Cue::Aggregate(_))));
        let of = |number: &Num| if let Num::Of(how, _) = number { Some(*how) } else { None };
        let how = meaning.numbers.iter().find_map(of);
        self.found.flag("sum that is not said", how == Some(Aggregate::Sum) && !says_how);
        self.found.flag("mean that is not said", how == Some(Aggregate::Average) && !says_how);
        self.found.flag("raw number beside declared ones", how.is_some() && !self.world.numbers.is_empty());
        self.found.flag("money of two columns", meaning.numbers.iter().any(|number| matches!(number, Num::Money(_))));
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
        let named = self.names(of_fact);
        self.found.flag("rows that nothing names", !named && !of_value);
        self.found.flag("rows named by a value alone", !named && of_value);
        self.found.flag("single table", self.world.tables.len() == 1);
        let measures = self.world.fields_of(fact).filter(|(_, field)| field.kind.is_measure()).count();
        self.found.add("wide rows", (measures as f32 / 8.0).min(2.0));
    }

    fn groups(&mut self) {
        let groups = &self.meaning.groups;
        self.found.count("groups", groups.len());
        let says_by = self.seen.all().any(|atom| {
            matches!(atom.cue(), Some(Cue::By | Cue::Which | Cue::OverTime | Cue::Versus | Cue::Top(_) | Cue::Extreme(..)))
        });
        let by_thing: Vec<usize> = groups.iter().filter(|group| group.grain.is_none()).map(|group| group.place.field).collect();
        self.found.flag("group that is not asked for", !by_thing.is_empty() && !says_by);
        self.found.flag("group by period", groups.iter().any(|group| group.grain.is_some()));
        let rows: Vec<usize> = by_thing.iter().map(|field| self.world.fields[*field].table).collect();
        let is_group = |thing: Thing| match thing {
            Thing::Field(field) => {
                by_thing.contains(&field) || self.world.fields[field].refers.is_some_and(|table| rows.contains(&table))
            }
            Thing::Table(table) => rows.contains(&table),
            _ => false,
        };
        let best = self.best(is_group);
        self.found.flag("group that is not named", !by_thing.is_empty() && best.is_none());
        self.found.add("group named weakly", if by_thing.is_empty() { 0.0 } else { 1.0 - best.unwrap_or(1.0) });
        let numeric = |field: &usize| matches!(self.world.fields[*field].kind, Kind::Amount | Kind::Level);
        self.found.flag("group by a number", by_thing.iter().any(numeric));
        let many = |field: &usize| self.world.fields[*field].distinct.is_some_and(|count| count > 60.0);
        self.found.flag("group of many", by_thing.iter().any(many) && self.meaning.limit.is_none());
        let one = |field: &usize| self.world.fields[*field].distinct.is_some_and(|count| count < 2.0);
        self.found.flag("group of one", by_thing.iter().any(one));
    }

    fn values(&mut self) {
        let values = self.draft.values.iter();
        let held = |one: &crate::reading::SaidValues| {
            let mut fields: Vec<usize> = one.found.first().into_iter().flatten().map(|found| found.field).collect();
            fields.sort_unstable();
            fields.dedup();
            if one.field.is_some() { 1 } else { fields.len() }
        };
        let most = values.clone().map(held).max().unwrap_or_default();
        self.found.flag("value in several columns", most > 1);
        self.found.flag("value in many columns", most > 2);
        let quality = values.clone().flat_map(|one| one.found.iter().flatten()).map(|found| found.quality).fold(1.0, f32::min);
        self.found.add("value by another name", 1.0 - quality);
        self.found.count("values", self.draft.values.len());
        self.found.flag("value for things", values.clone().any(|one| one.is_thing));
        self.found.flag("values that are excluded", values.clone().any(|one| one.negated));
        let far = |condition: &Condition| matches!(condition, Condition::In { place, .. } if place.way.columns.len() > 1);
        self.found.flag("value far away", self.used.conditions.iter().any(far));
        let of_number = self.draft.values.iter().flat_map(|one| one.found.iter().flatten());
        let number = of_number.filter(|found| self.world.fields[found.field].kind.is_measure()).count();
        self.found.flag("value of a number", number > 0);
    }

    fn times(&mut self) {
        let is_time = |field: &usize| self.world.fields[*field].kind == Kind::Time;
        let used: Vec<usize> = self.used.fields.iter().copied().filter(is_time).collect();
        let fact = self.meaning.fact;
        let of_fact = self.world.fields_of(fact).filter(|(_, field)| field.kind == Kind::Time).count();
        let named = self.names(|thing| matches!(thing, Thing::Field(field) if used.contains(&field)));
        let says = !self.draft.periods.is_empty() || self.meaning.groups.iter().any(|group| group.grain.is_some());
        self.found.flag("time among several", says && !used.is_empty() && of_fact > 1 && !named);
        self.found.flag("time of other rows", used.iter().any(|field| self.world.fields[*field].table != fact));
        self.found.count("periods", self.draft.periods.len());
        let spans = self.used.conditions.iter().any(|condition| matches!(condition, Condition::Spans { .. }));
        self.found.flag("period that is not said", spans && self.draft.periods.is_empty());
        self.found.flag("events without a period", !says && of_fact > 0);
        self.found.flag("histories", of_fact > 1 && !says && self.names(|thing| matches!(thing, Thing::Table(_))));
    }
}
