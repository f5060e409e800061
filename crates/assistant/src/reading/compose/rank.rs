//! Who is first.

use super::{
    Composer, MOST,
    hints::{end_of, takes_time},
};
use crate::language::cues::{Aggregate, Hint, Rank};
use crate::reading::draft::{Said, Split};
use crate::reading::meaning::{Condition, Group, Meaning, Num};
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
            return (alone && rank.count.is_none_or(|count| count == 1)).then_some(());
        }
        let lower = less_is_better(meaning, self.context.world);
        let end = match meaning.numbers.first() {
            Some(Num::Of(_, place)) => end_of(world, rank, place.field),
            Some(Num::Declared(at)) if rank.hint == Hint::Speed && self.takes_time(*at) => match rank.end {
                Rank::Greatest => Rank::Smallest,
                Rank::Smallest => Rank::Greatest,
                end => end,
            },
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
        // "when are we busiest, by hour": all hours.
        let by_grain = self.draft.splits.iter().any(|split| matches!(split, Split::Grain(_)));
        if by_grain && rank.count.is_none() && self.draft.focus.is_none() && meaning.groups.len() == 1 {
            meaning.limit = None;
        }
        self.named_alone(meaning);
        let period = meaning.groups.iter().position(|group| group.grain.is_some());
        if self.draft.each && meaning.groups.len() > 1 {
            // "the top 3 of each month": the month comes first.
            match period {
                Some(period) => meaning.groups[..=period].rotate_right(1),
                None if meaning.groups.len() == 2 => meaning.groups.swap(0, 1),
                None => {}
            }
            meaning.of_each = true;
        }
        Some(())
    }

    /// Whether a number is how long something takes: the fastest has the least.
    fn takes_time(&self, number: usize) -> bool {
        let known = &self.context.world.numbers[number];
        known.lower_is_better || known.called.iter().any(|called| takes_time(called))
    }

    /// Leaves out rows without a name: who has none is not who was asked for.
    fn named_alone(&self, meaning: &mut Meaning) {
        let world = self.context.world;
        let nameless = |group: &&Group| {
            let fields = std::iter::once(&group.place.field).chain(&group.place.way.fields);
            group.grain.is_none() && fields.into_iter().any(|field| world.fields[*field].has_gaps)
        };
        if let Some(place) = meaning.groups.iter().find(nameless).map(|group| group.place.clone())
            && meaning.conditions.iter().all(|condition| *condition.place() != place)
            && meaning.lacking.is_none()
        {
            meaning.conditions.push(Condition::Present { place, present: true });
        }
    }
}

/// Whether the least of the number that is ranked is the best.
pub(crate) fn less_is_better(meaning: &Meaning, world: &World) -> bool {
    let declared = |at: usize| {
        let known = &world.numbers[at];
        known.lower_is_better || known.called.iter().any(|called| worse(called))
    };
    let too_much = |condition: &Condition| match condition {
        Condition::Number { place, comparison, .. } => {
            lower_is_better(world, place.field) && matches!(comparison, Comparison::Above | Comparison::AtLeast)
        }
        _ => false,
    };
    let by_word = |condition: &Condition| match condition {
        Condition::Number { place, word: Some(_), .. } => lower_is_better(world, place.field),
        _ => false,
    };
    match meaning.numbers.first() {
        Some(Num::Declared(at)) => declared(*at),
        Some(Num::Out(part, _)) => matches!(**part, Num::Declared(at) if declared(at)),
        Some(Num::Of(_, place)) => lower_is_better(world, place.field),
        Some(Num::Part(_, conditions)) => conditions.iter().any(too_much),
        _ => meaning.conditions.iter().any(by_word),
    }
}

/// Whether less of a field is better.
pub(super) fn lower_is_better(world: &World, field: FieldId) -> bool {
    world.fields[field].called.iter().any(|called| worse(called))
}

/// Whether the words name what nobody wants more of.
pub(crate) fn worse(words: &[String]) -> bool {
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
