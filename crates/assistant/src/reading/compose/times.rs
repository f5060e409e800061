//! When what is counted happened: cancellations when they were cancelled, and not when the customer came.

use super::Composer;
use crate::language::words::root;
use crate::reading::draft::Split;
use crate::world::{FieldId, Kind, Thing, stems};

/// Words of times that do not say what happened.
const PLAIN: &[&str] = &[
    "date",
    "time",
    "day",
    "at",
    "on",
    "dt",
    "ts",
    "timestamp",
    "when",
    "month",
    "year",
    "start",
    "started",
    "end",
    "first",
    "last",
];

impl Composer<'_> {
    /// The time, beside the usual one of the rows, that the words of a number or of a value are about: "cancelled members by month" is by
    /// when they cancelled.
    pub(super) fn time_of_words(&self) -> Option<FieldId> {
        let world = self.context.world;
        let asks = !self.draft.periods.is_empty()
            || self.draft.trend
            || self.draft.splits.iter().chain(&self.draft.focus).any(|split| matches!(split, Split::Grain(_)));
        let usual = world.tables[self.fact].time?;
        if !asks {
            return None;
        }
        let table = &world.tables[self.fact];
        let plain: Vec<String> = stems(&table.label)
            .into_iter()
            .chain(world.fields[usual].called.iter().flatten().cloned())
            .map(|word| root(&word))
            .collect();
        let says: Vec<String> = self.words().iter().map(|word| root(word)).filter(|word| !plain.contains(word)).collect();
        let about = |field: &crate::world::Field| {
            let words = field.called.iter().flatten().filter(|word| !PLAIN.contains(&word.as_str()));
            words.map(|word| root(word)).any(|word| word.len() > 2 && says.contains(&word))
        };
        let times = world.fields_of(self.fact).filter(|(at, field)| *at != usual && field.kind == Kind::Time);
        let mut found = times.filter(|(_, field)| about(field)).map(|(at, _)| at);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// The words of the numbers that are asked for, and of the values that rows must have.
    fn words(&self) -> Vec<String> {
        let world = self.context.world;
        let mut words = Vec::new();
        for number in &self.roles.numbers {
            let Thing::Declared(at) = number.of.thing else { continue };
            let known = &world.numbers[at];
            if known.facts == [self.fact] && known.aggregate.is_some_and(|aggregate| aggregate.adds_up()) {
                words.extend(known.called.iter().flatten().cloned());
            }
        }
        for found in self.draft.values.iter().filter(|values| !values.negated).flat_map(|values| values.found.iter().flatten())
        {
            if world.fields[found.field].table == self.fact
                && let Some(text) = found.value.as_str()
            {
                words.extend(stems(text));
            }
        }
        words
    }
}
