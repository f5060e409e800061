//! Who is first, and of what.

use super::{Reader, Said, SaidNum, SaidRank, Split};
use crate::language::cues::{Cue, Hint, Rank};
use crate::language::grain::Grain;
use crate::reading::atoms::{Atom, What};

impl Reader<'_> {
    pub(super) fn said_top(&mut self, end: Rank) {
        let mut count = self.number.take().map(|(value, _)| value);
        if let Some(What::Number(value)) = self.peek(0) {
            count = Some(*value);
            self.at += 1;
        }
        let count = count.filter(|value| (1.0..=1000.0).contains(value)).map(|value| value as u32);
        let (said, grain) = self.ranked_thing();
        let plural = said.is_none_or(|said| said.plural);
        // "most stolen bases, top 5"
        if let (Some(rank), None, None) = (&mut self.draft.rank, said, grain) {
            rank.count = count;
            rank.plural = true;
            return;
        }
        self.draft.rank = Some(SaidRank { end, hint: Hint::Named, count, of: None, is_top: true, plural });
        self.set_focus(said, grain);
    }

    /// "sorted by revenue". Groups are in their own order without being asked.
    pub(super) fn said_sort(&mut self) {
        let text = self.atoms[self.at - 1].text.clone();
        match self.thing() {
            Some(said) if self.is_number(said) => {
                let number = SaidNum { how: None, counted: false, different: false, of: said };
                if self.draft.numbers.iter().all(|known| known.of.thing != said.thing) {
                    self.draft.numbers.push(number);
                }
            }
            _ => self.draft.unknown.push(text),
        }
    }

    /// The thing behind a rank.
    pub(super) fn ranked_thing(&mut self) -> (Option<Said>, Option<Grain>) {
        if let Some(grain) = self.atoms.get(self.at).and_then(Atom::grain) {
            self.at += 1;
            return (None, Some(grain));
        }
        (self.thing(), None)
    }

    pub(super) fn set_focus(&mut self, said: Option<Said>, grain: Option<Grain>) {
        if let Some(said) = said {
            if self.draft.focus.is_none() && !self.is_number(said) {
                self.draft.focus = Some(Split::Thing(said));
            } else if self.is_number(said) {
                if let Some(rank) = &mut self.draft.rank {
                    rank.of = Some(said);
                }
            } else {
                self.draft.loose.push(said);
            }
        } else if let Some(grain) = grain {
            match self.draft.focus {
                None => self.draft.focus = Some(Split::Grain(grain)),
                Some(_) => self.draft.splits.push(Split::Grain(grain)),
            }
        }
    }

    pub(super) fn said_extreme(&mut self, end: Rank, hint: Hint) {
        let text = self.atoms[self.at - 1].text.clone();
        let mut count = self.number.take().map(|(value, _)| value as u32);
        if let Some(What::Number(value)) = self.peek(0).filter(|_| count.is_none()) {
            count = Some(*value as u32);
            self.at += 1;
        }
        let counts = matches!(text.as_str(), "most" | "the most" | "fewest" | "the fewest" | "least" | "the least");
        // "top 5 days with most orders"
        let count = count.or_else(|| self.draft.rank.as_ref().and_then(|rank| rank.count));
        let mut rank = SaidRank { end, hint, count, of: None, is_top: counts || hint == Hint::Count, plural: false };
        let grain_next = self.atoms.get(self.at).and_then(Atom::grain).is_some();
        if self.cue(0) == Some(Cue::HowMany)
            || matches!(self.cue(0), Some(Cue::Aggregate(_)))
            || self.cue(0) == Some(Cue::Share)
        {
            // "the highest number of orders": said next.
            self.draft.rank = Some(rank);
            return;
        }
        if counts && !grain_next {
            rank.of = self.thing();
            // "which states receive the most flights"
            if let (Some(Said { direction: direction @ Some(_), .. }), Some(Split::Thing(focus))) =
                (&mut rank.of, &mut self.draft.focus)
            {
                focus.direction = focus.direction.or(direction.take());
            }
            self.draft.rank = Some(rank);
            return;
        }
        let (said, grain) = self.ranked_thing();
        rank.plural = said.is_some_and(|said| said.plural) || grain.is_some() && self.atoms[self.at - 1].plural;
        self.draft.rank = Some(rank);
        self.set_focus(said, grain);
    }
}
