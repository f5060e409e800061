//! Words that have nothing to show in the answer.

use super::Judge;
use crate::language::cues::{Aggregate, Cue};
use crate::reading::atoms::What;
use crate::reading::meaning::{Condition, Num};
use crate::world::Thing;

impl Judge<'_> {
    pub(super) fn lost(&mut self) {
        self.lost_things();
        self.lost_cues();
    }

    fn lost_things(&mut self) {
        let (mut fields, mut tables, mut numbers) = (0, 0, 0);
        for atom in &self.seen.atoms {
            let What::Thing(thing) = atom.what else { continue };
            match thing {
                Thing::Field(field) => {
                    let known = &self.world.fields[field];
                    let row =
                        known.refers.or_else(|| self.world.tables[known.table].title.contains(&field).then_some(known.table));
                    let shows = self.used.fields.contains(&field)
                        || self.used.measured.contains(&field)
                        || row.is_some_and(|table| self.used.tables.contains(&table));
                    fields += usize::from(!shows);
                }
                Thing::Table(table) => tables += usize::from(!self.used.tables.contains(&table)),
                Thing::Declared(at) => {
                    let known = &self.world.numbers[at];
                    let counted = known.counts_rows() && known.facts.iter().any(|fact| self.used.tables.contains(fact));
                    numbers += usize::from(!self.used.declared.contains(&at) && !counted);
                }
                Thing::Money(_) | Thing::Term(..) => {}
            }
        }
        self.found.count("columns that do not show", fields);
        self.found.count("tables that do not show", tables);
        self.found.count("numbers that do not show", numbers);
    }

    fn says(&self, wanted: impl Fn(Cue) -> bool) -> bool {
        self.seen.atoms.iter().filter_map(super::Atom::cue).any(wanted)
    }

    fn lost_cues(&mut self) {
        let meaning = self.meaning;
        let conditions = &self.used.conditions;
        let is_mean = |number: &Num| match number {
            Num::Of(Aggregate::Average, _) | Num::Per(..) | Num::PerPeriod(..) | Num::Moving(..) => true,
            Num::Declared(at) => !matches!(
                self.world.numbers[*at].aggregate,
                Some(inlay_contract::model::Aggregate::Sum | inlay_contract::model::Aggregate::Count)
            ),
            _ => false,
        };
        let says_mean = self.says(|cue| cue == Cue::Aggregate(Aggregate::Average));
        let says_sum = self.says(|cue| cue == Cue::Aggregate(Aggregate::Sum));
        let counts = meaning.numbers.iter().any(|number| self.counts(number));
        let excludes = conditions.iter().any(|condition| {
            matches!(
                condition,
                Condition::In { negated: true, .. }
                    | Condition::Present { present: false, .. }
                    | Condition::Flag { set: false, .. }
                    | Condition::Days { negated: true, .. }
                    | Condition::Number { .. }
            )
        });
        let directed = conditions.iter().map(Condition::place).chain(meaning.groups.iter().map(|group| &group.place));
        let has_direction = directed.into_iter().any(|place| place.way.direction.is_some());
        let bounded =
            conditions.iter().any(|condition| matches!(condition, Condition::Number { .. })) || !meaning.having.is_empty();
        let found = [
            ("average that does not show", says_mean && !meaning.numbers.iter().any(is_mean)),
            ("total that does not show", says_sum && (counts || meaning.numbers.iter().all(is_mean))),
            ("how many of what is no count", self.says(|cue| cue == Cue::HowMany) && !counts),
            (
                "share that does not show",
                self.says(|cue| cue == Cue::Share)
                    && !matches!(
                        meaning.numbers.first(),
                        Some(Num::Part(..) | Num::Out(..) | Num::OfTotal(_) | Num::Growth(..))
                    ),
            ),
            (
                "rank that does not show",
                self.says(|cue| matches!(cue, Cue::Extreme(..) | Cue::Top(_))) && meaning.limit.is_none(),
            ),
            ("not that does not show", self.says(|cue| cue == Cue::Not) && !excludes && meaning.lacking.is_none()),
            ("direction that does not show", self.says(|cue| matches!(cue, Cue::Direction(_))) && !has_direction),
            (
                "bound that does not show",
                self.says(|cue| matches!(cue, Cue::Than(_) | Cue::ThanOf(..) | Cue::Between)) && !bounded,
            ),
            ("by that does not show", self.says(|cue| cue == Cue::By) && meaning.groups.is_empty()),
            (
                "period word that does not show",
                self.says(|cue| matches!(cue, Cue::Grain(_))) && !meaning.groups.iter().any(|group| group.grain.is_some()),
            ),
            ("which of nothing", self.says(|cue| cue == Cue::Which) && meaning.groups.is_empty() && meaning.rows.is_none()),
            (
                "unit that does not show",
                self.says(|cue| matches!(cue, Cue::Unit(_)))
                    && !bounded
                    && self.draft.measured.is_none()
                    && self.draft.in_unit.is_none(),
            ),
            ("with", self.says(|cue| cue == Cue::With)),
            ("only", self.says(|cue| cue == Cue::Only)),
            ("those", self.says(|cue| cue == Cue::Those)),
            ("and", self.says(|cue| cue == Cue::And)),
            ("how", self.says(|cue| cue == Cue::How)),
            (
                "growth word that does not show",
                self.says(|cue| cue == Cue::Growth) && !matches!(meaning.numbers.first(), Some(Num::Growth(..))),
            ),
            ("compared without two", self.says(|cue| cue == Cue::Versus) && meaning.groups.is_empty()),
        ];
        found.into_iter().for_each(|(name, is_so)| self.found.flag(name, is_so));
    }
}
