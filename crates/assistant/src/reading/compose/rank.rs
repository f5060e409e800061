//! Who is first.

use super::{Composer, MOST, hints::end_of};
use crate::language::cues::{Aggregate, Hint, Rank};
use crate::reading::draft::{Said, Split};
use crate::reading::meaning::{Condition, Meaning, Num};
use crate::scope::Comparison;
use crate::world::{FieldId, World};

impl Composer<'_> {
    pub(super) fn rank(&mut self, meaning: &mut Meaning) -> Option<()> {
        let Some(rank) = &self.draft.rank else { return Some(()) };
        let world = self.context.world;
        if meaning.rows.is_some() {
            let end = meaning.rows.flatten().map_or(rank.end, |by| end_of(world, rank, by));
            meaning.descending = Some(!matches!(end, Rank::Smallest));
            meaning.limit = Some(rank.count.unwrap_or(if rank.plural { MOST } else { 1 }));
            return Some(());
        }
        if meaning.numbers.is_empty() {
            return None;
        }
        if meaning.groups.is_empty() {
            // "the highest delay" is a number; "the most" needs somebody who has it.
            let alone = matches!(meaning.numbers.as_slice(), [Num::Of(Aggregate::Greatest | Aggregate::Least, _)]);
            return alone.then_some(());
        }
        let lower = match meaning.numbers.first() {
            Some(Num::Declared(at)) => world.numbers[*at].called.iter().any(|called| worse(called)),
            Some(Num::Of(_, place)) => lower_is_better(world, place.field),
            Some(Num::Part(_, conditions)) => conditions.iter().any(|condition| matches!(condition, Condition::Number { place, comparison, .. } if lower_is_better(world, place.field) && matches!(comparison, Comparison::Above | Comparison::AtLeast))),
            _ => meaning.conditions.iter().any(|condition| matches!(condition, Condition::Number { place, word: Some(_), .. } if lower_is_better(world, place.field))),
        };
        let end = match meaning.numbers.first() {
            Some(Num::Of(_, place)) => end_of(world, rank, place.field),
            _ => rank.end,
        };
        meaning.descending = Some(match end {
            Rank::Greatest => true,
            Rank::Smallest => false,
            Rank::Best => !lower,
            Rank::Worst => lower,
        });
        let single = self.roles.splits.iter().any(|split| matches!(split, Split::Thing(one) if !one.plural));
        let plural = rank.plural
            || matches!(self.draft.focus, Some(Split::Thing(Said { plural: true, .. })))
            || rank.is_top
                && rank.hint != Hint::Count
                && rank.count.is_none()
                && !self.draft.which
                && !self.draft.who
                && !single;
        meaning.limit = Some(rank.count.unwrap_or(if plural { MOST } else { 1 }));
        let leading = meaning.groups.first().is_some_and(|group| group.grain.is_some());
        if self.draft.each && meaning.groups.len() > 1 {
            // "the top 3 of each month": the month comes first.
            if !leading && meaning.groups.len() == 2 {
                meaning.groups.swap(0, 1);
            }
            meaning.of_each = true;
        }
        Some(())
    }
}

/// Whether less of a field is better.
pub(super) fn lower_is_better(world: &World, field: FieldId) -> bool {
    world.fields[field].called.iter().any(|called| worse(called))
}

/// Whether the words name what nobody wants more of.
pub(super) fn worse(words: &[String]) -> bool {
    const WORSE: &[&str] = &[
        "delay",
        "late",
        "cost",
        "wait",
        "waiting",
        "error",
        "complaint",
        "duration",
        "churn",
        "refund",
        "loss",
        "expense",
        "defect",
        "price",
        "era",
        "response",
        "death",
        "mortality",
        "emission",
        "return",
        "freight",
        "absence",
        "readmission",
        "cancellation",
    ];
    words.iter().any(|word| WORSE.contains(&word.as_str()))
}
