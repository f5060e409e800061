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
        let (mut fields, mut tables) = (0, 0);
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
                Thing::Declared(_) | Thing::Money(_) | Thing::Term(..) => {}
            }
        }
        self.found.count("columns that do not show", fields);
        self.found.count("tables that do not show", tables);
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
        let is_extreme = |number: &Num| matches!(number, Num::Of(Aggregate::Greatest | Aggregate::Least, _));
        let says_mean = self.says(|cue| cue == Cue::Aggregate(Aggregate::Average));
        let bounded =
            conditions.iter().any(|condition| matches!(condition, Condition::Number { .. })) || !meaning.having.is_empty();
        let found = [
            ("average that does not show", says_mean && !meaning.numbers.iter().any(is_mean)),
            (
                "rank that does not show",
                self.says(|cue| matches!(cue, Cue::Extreme(..) | Cue::Top(_)))
                    && meaning.limit.is_none()
                    && !meaning.numbers.iter().any(is_extreme),
            ),
            (
                "bound that does not show",
                self.says(|cue| matches!(cue, Cue::Than(_) | Cue::ThanOf(..) | Cue::Between)) && !bounded,
            ),
            ("by that does not show", self.says(|cue| cue == Cue::By) && meaning.groups.is_empty()),
            (
                "period word that does not show",
                self.says(|cue| matches!(cue, Cue::Grain(_))) && !meaning.groups.iter().any(|group| group.grain.is_some()),
            ),
            (
                "unit that does not show",
                self.says(|cue| matches!(cue, Cue::Unit(_)))
                    && !bounded
                    && self.draft.measured.is_none()
                    && self.draft.in_unit.is_none(),
            ),
            ("compared without two", self.says(|cue| cue == Cue::Versus) && meaning.groups.is_empty()),
        ];
        found.into_iter().for_each(|(name, is_so)| self.found.flag(name, is_so));
    }
}
