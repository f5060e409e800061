//! The kind of question.

use super::Judge;
use crate::language::cues::{Aggregate, Cue, Hint};
use crate::reading::meaning::{Condition, Num};

impl Judge<'_> {
    pub(super) fn forms(&mut self) {
        let meaning = self.meaning;
        let first = meaning.numbers.first();
        self.found.flag("part", matches!(first, Some(Num::Part(..))));
        self.found.flag("out of", matches!(first, Some(Num::Out(..))));
        self.found.flag("share of each", matches!(first, Some(Num::OfTotal(_))));
        self.found.flag("ratio", matches!(first, Some(Num::Per(..))));
        self.found.flag("mean of periods", matches!(first, Some(Num::PerPeriod(..))));
        self.found.flag("spread", matches!(first, Some(Num::Spread(_))));
        self.found.flag("growth", matches!(first, Some(Num::Growth(..))));
        self.found.flag("running", matches!(first, Some(Num::Running(_) | Num::Moving(..))));
        self.found.flag("distinct", meaning.numbers.iter().any(|number| matches!(number, Num::Distinct(_))));
        self.found.flag("listed rows", meaning.rows.is_some());
        self.found.flag("list of names", meaning.numbers.is_empty() && meaning.rows.is_none() && meaning.lacking.is_none());
        self.found.flag("without rows", meaning.lacking.is_some());
        self.found.flag("condition on groups", !meaning.having.is_empty());
        let conditions = &self.used.conditions;
        let has = |wanted: fn(&Condition) -> bool| conditions.iter().any(wanted);
        let flags = [
            ("condition on presence", has(|one| matches!(one, Condition::Present { .. }))),
            ("condition on a flag", has(|one| matches!(one, Condition::Flag { .. }))),
            ("condition on a number", has(|one| matches!(one, Condition::Number { .. }))),
            ("days or hours", has(|one| matches!(one, Condition::Days { .. } | Condition::Hours { .. }))),
        ];
        flags.into_iter().for_each(|(name, is_so)| self.found.flag(name, is_so));
        self.found.count("conditions", self.used.conditions.len());
        self.found.flag("one of a rank", meaning.limit == Some(1));
        self.found.flag("several of a rank", meaning.limit.is_some_and(|limit| limit > 1));
        self.found.flag("of each", meaning.of_each);
        let rank = self.draft.rank.as_ref();
        let property = |hint: Hint| !matches!(hint, Hint::Named | Hint::Count);
        self.found.flag("rank by a property", rank.is_some_and(|rank| property(rank.hint)));
        self.found.flag("rank of nothing", rank.is_some_and(|rank| rank.of.is_none()) && self.draft.numbers.is_empty());
        self.found.flag("rank without a number", rank.is_some_and(|rank| rank.count.is_none()));
        self.found.flag("compared", self.draft.versus);
        self.found.flag("year before", self.draft.year_before);
        self.found.flag("trend", self.draft.trend);
        let by = |word: &str| self.seen.all().any(|atom| atom.cue() == Some(Cue::By) && atom.text == word);
        self.found.flag("per and by", by("per") && (by("by") || by("each")) && meaning.groups.len() > 1);
        self.found.flag(
            "per in a mean",
            by("per") && matches!(first, Some(Num::Of(Aggregate::Average, _) | Num::Declared(_))) && self.says_mean(),
        );
        let grain = meaning.groups.iter().any(|group| group.grain.is_some());
        let says_grain = self.seen.all().any(|atom| matches!(atom.cue(), Some(Cue::Grain(_) | Cue::OverTime | Cue::Growth)));
        self.found.flag(
            "periods that are not asked for",
            grain && !says_grain && self.draft.periods.len() < 2 && !self.draft.year_before,
        );
        self.found.flag("goes on", !self.seen.before.is_empty());
        self.found.flag("who", self.draft.who);
        self.found.flag("when", self.draft.when);
        self.found.flag("terms", !self.draft.terms.is_empty());
        self.found.flag("measured by a unit", self.draft.measured.is_some());
        self.found.flag("hint of a measure", self.draft.how_much.is_some());
    }

    fn says_mean(&self) -> bool {
        self.seen.all().any(|atom| atom.cue() == Some(Cue::Aggregate(Aggregate::Average)))
    }
}
