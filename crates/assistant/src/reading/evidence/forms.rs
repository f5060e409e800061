//! Kinds of questions that are often read wrong.

use super::Judge;
use crate::language::cues::Cue;
use crate::reading::meaning::Num;

impl Judge<'_> {
    pub(super) fn forms(&mut self) {
        let meaning = self.meaning;
        self.found.flag("share of each", matches!(meaning.numbers.first(), Some(Num::OfTotal(_))));
        self.found.flag("distinct", meaning.numbers.iter().any(|number| matches!(number, Num::Distinct(_))));
        self.found.flag("list of names", meaning.numbers.is_empty() && meaning.rows.is_none() && meaning.lacking.is_none());
        self.found.flag("year before", self.draft.year_before);
        let by = |word: &str| self.seen.all().any(|atom| atom.cue() == Some(Cue::By) && atom.text == word);
        self.found.flag("per and by", by("per") && (by("by") || by("each")) && meaning.groups.len() > 1);
        let grain = meaning.groups.iter().any(|group| group.grain.is_some());
        let says_grain = self.seen.all().any(|atom| matches!(atom.cue(), Some(Cue::Grain(_) | Cue::OverTime | Cue::Growth)));
        let one_period = self.draft.periods.len() < 2 && !self.draft.year_before;
        self.found.flag("periods that are not asked for", grain && !says_grain && one_period);
    }
}
