//! What nobody asks, though the words could be read so. A reading without sense is none.

use super::Composer;
use crate::language::unit::Unit;
use crate::reading::asking::can_narrow;
use crate::reading::meaning::{Group, Meaning, Num};
use crate::world::{World, stems, unit};
use inlay_contract::model::Aggregate;

impl Composer<'_> {
    /// Whether somebody would ask it.
    pub(super) fn makes_sense(&self, meaning: &Meaning) -> bool {
        let world = self.context.world;
        // "in hours": of what is no number of hours.
        let in_other_unit =
            self.draft.in_unit.is_some_and(|unit| !meaning.numbers.iter().all(|number| unit_of(world, number) == Some(unit)));
        // A mean of periods and a distribution are asked of one table.
        let of_table = matches!(meaning.numbers.as_slice(), [Num::PerPeriod(..) | Num::Spread(_)]);
        let out_of_reach = of_table && !meaning.conditions.iter().all(|condition| can_narrow(condition, world));
        // A list is no number.
        let list_for_number = self.draft.how_many && meaning.numbers.is_empty() && meaning.lacking.is_none();
        // Numbers of all rows together are no list.
        let number_for_list = self.draft.list && meaning.groups.is_empty() && meaning.rows.is_none();
        // "how much is unpaid" is no number of rows.
        let is_count = |number: &Num| match number {
            Num::Count | Num::Distinct(_) => true,
            Num::Declared(at) => world.numbers[*at].counts_rows(),
            _ => false,
        };
        let counts_for_amount = self.draft.amount && meaning.numbers.iter().all(is_count);
        // "average monthly order value": a word for a period that nothing uses.
        let each_of_none = self.draft.each_period.is_some_and(|grain| {
            let of_period = |number: &Num| matches!(number, Num::PerPeriod(_, own, _) if *own == grain);
            !meaning.numbers.iter().any(of_period) && meaning.groups.iter().all(|group| group.grain != Some(grain))
        });
        !(in_other_unit
            || each_of_none
            || out_of_reach
            || list_for_number
            || number_for_list
            || counts_for_amount
            || self.counts_single_rows(meaning)
            || counts_each_of_them(world, meaning))
    }

    /// "in hours": numbers of minutes become numbers of hours.
    pub(super) fn in_unit(&self, meaning: &mut Meaning) {
        let Some(wanted) = self.draft.in_unit else { return };
        for number in &mut meaning.numbers {
            let own = unit_of(self.context.world, number).filter(|own| *own != wanted);
            if let Some(times) = own.and_then(|own| wanted.in_unit(own)) {
                *number = Num::InUnit(Box::new(number.clone()), wanted, times);
            }
        }
    }

    /// How many rows each row has.
    fn counts_single_rows(&self, meaning: &Meaning) -> bool {
        let world = self.context.world;
        let own_key =
            |group: &Group| group.place.way.columns.is_empty() && Some(group.place.field) == world.tables[self.fact].key;
        let counts = match meaning.numbers.first() {
            Some(Num::Count) => true,
            Some(Num::Declared(at)) => {
                let known = &world.numbers[*at];
                (known.counts_rows() || known.aggregate.is_none()) && known.facts == [self.fact]
            }
            // What part of a single row something is.
            Some(Num::Part(..) | Num::Out(..) | Num::OfTotal(_)) => true,
            _ => false,
        };
        counts && !self.roles.some && meaning.groups.iter().any(own_key)
    }
}

/// How many employees each employee is.
fn counts_each_of_them(world: &World, meaning: &Meaning) -> bool {
    let one_each = |number: &Num| {
        let Num::Declared(at) = number else { return false };
        let known = &world.numbers[*at];
        let is_called = |group: &Group| {
            let table = &world.tables[world.fields[group.place.field].table];
            let called = stems(&table.label);
            let names = |last: &String| known.called.iter().any(|name| name.contains(last));
            table.title.contains(&group.place.field) && called.last().is_some_and(names)
        };
        known.aggregate == Some(Aggregate::CountDistinct) && meaning.groups.iter().any(is_called)
    };
    meaning.numbers.iter().any(one_each)
}

/// The unit of a number: its column's, or one that its label names.
fn unit_of(world: &World, number: &Num) -> Option<Unit> {
    match number {
        Num::Of(_, place) => world.fields[place.field].unit,
        Num::Declared(at) => unit(&world.numbers[*at].label.to_lowercase()),
        Num::Matching(of, _) | Num::Running(of) | Num::Moving(of, _) => unit_of(world, of),
        Num::InUnit(_, unit, _) => Some(*unit),
        _ => None,
    }
}
