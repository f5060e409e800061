//! Numbers that something is compared with.

use super::{Reader, Said, SaidBound, SaidPeriod};
use crate::language::cues::{Cue, Hint};
use crate::language::grain::Grain;
use crate::language::span::Spoken;
use crate::language::unit::Unit;
use crate::reading::atoms::What;
use crate::scope::Comparison;
use crate::world::{FieldId, Kind, Thing};

impl SaidBound {
    /// A plain bound of a thing.
    pub(super) const fn of(of: Option<Said>, comparison: Comparison, value: f64) -> Self {
        Self { of, comparison, value, upper: None, unit: None, term: None, hint: None, percent: false }
    }
}

impl Reader<'_> {
    pub(super) fn said_number(&mut self, value: f64) {
        // "5 most expensive products"
        if let Some(Cue::Extreme(..) | Cue::Top(_) | Cue::Moving) = self.cue(1) {
            self.number = Some((value, self.at));
            return;
        }
        if let Some(Cue::OrMore(comparison)) = self.cue(1) {
            self.at += 2;
            let of = self.bound_of();
            self.draft.bounds.push(SaidBound::of(of, comparison, value));
            return;
        }
        // "60 minutes late"
        if let Some(unit) = self.unit(1) {
            self.at += 2;
            if let Some(Cue::OrMore(comparison)) = self.cue(0) {
                self.at += 1;
                let term = self.term();
                self.draft.bounds.push(SaidBound { unit: Some(unit), term, ..SaidBound::of(None, comparison, value) });
            } else if let Some(term) = self.term() {
                let bound = SaidBound::of(None, Comparison::AtLeast, value);
                self.draft.bounds.push(SaidBound { unit: Some(unit), term: Some(term), ..bound });
            } else {
                self.draft.unknown.push(value.to_string());
            }
            return;
        }
        // "45+ homers"
        if self.atoms[self.at].text.ends_with('+') {
            self.at += 1;
            let of = self.bound_of();
            self.draft.bounds.push(SaidBound::of(of, Comparison::AtLeast, value));
            return;
        }
        // A year is a period where it stands alone.
        if (1900.0..=2100.0).contains(&value) && value.fract() == 0.0 {
            let of = self.time_before();
            self.draft.periods.push(SaidPeriod { spoken: Spoken::Year(value as i32), of });
            return;
        }
        self.number = Some((value, self.at));
        // "3 products with the …"
        if matches!(self.peek(1), Some(What::Thing(Thing::Table(_) | Thing::Field(_)))) && value.fract() == 0.0 && value > 0.0 {
            return;
        }
        self.draft.unknown.push(self.atoms[self.at].text.clone());
        self.number = None;
    }

    pub(super) fn term(&mut self) -> Option<(FieldId, usize)> {
        let What::Thing(Thing::Term(field, term, false)) = self.atoms.get(self.at)?.what else { return None };
        self.at += 1;
        Some((field, term))
    }

    /// The term just before: "delayed by more than an hour".
    pub(super) fn last_term(&mut self) -> Option<(FieldId, usize)> {
        let before = self.atoms[..self.at].iter().rev().skip(1).take(4);
        let said = before.into_iter().any(|atom| matches!(atom.what, What::Thing(Thing::Term(..))));
        let (field, term, rate) = *self.draft.terms.last().filter(|_| said)?;
        if rate {
            return None;
        }
        self.draft.terms.pop();
        Some((field, term))
    }

    /// What a bound is about: the thing behind it, or the one before it.
    pub(super) fn bound_of(&mut self) -> Option<Said> {
        if let Some(said) = self.thing() {
            return Some(said);
        }
        let is_number = |said: &Said| match said.thing {
            Thing::Declared(_) | Thing::Money(_) => true,
            Thing::Field(field) => {
                self.world.fields[field].kind.is_measure()
                    || self.world.fields[field].kind == Kind::Year
                    || self.world.fields[field].kind == Kind::Code
            }
            _ => false,
        };
        let last = self.draft.loose.iter().rposition(is_number);
        last.map(|at| self.draft.loose.remove(at))
    }

    /// What happened so many times: the table of the thing that was said last.
    fn happened(&mut self) -> Option<Said> {
        let said = self.draft.loose.pop()?;
        let table = match said.thing {
            Thing::Field(field) => self.world.fields[field].table,
            Thing::Table(table) => table,
            _ => return Some(said),
        };
        Some(Said { thing: Thing::Table(table), ..said })
    }

    /// A unit at a place. Hours are also parts of days.
    pub(super) fn unit(&self, ahead: usize) -> Option<Unit> {
        match self.cue(ahead) {
            Some(Cue::Unit(unit)) => Some(unit),
            Some(Cue::Grain(Grain::Hour)) => Some(Unit::Hour),
            _ => None,
        }
    }

    pub(super) fn said_than(&mut self, comparison: Comparison) {
        let comparison = if std::mem::take(&mut self.not) { opposite(comparison) } else { comparison };
        // "more than an hour"
        if let Some(unit) = self.unit(0) {
            self.at += 1;
            let term = self.term().or_else(|| self.last_term());
            self.draft.bounds.push(SaidBound { unit: Some(unit), term, ..SaidBound::of(None, comparison, 1.0) });
            return;
        }
        // "stock below the reorder level": no condition compares two columns.
        if let Some(What::Thing(Thing::Field(_) | Thing::Declared(_) | Thing::Money(_))) = self.peek(0)
            && self.draft.rank.is_none()
            && self.atoms[self.at - 1].text != "than"
            && self.thing_is_number(0)
        {
            let words = [self.at - 1, self.at].map(|at| self.atoms[at].text.as_str());
            self.draft.unknown.push(words.join(" "));
            self.at += 1;
            return;
        }
        let Some(What::Number(value)) = self.peek(0) else {
            // "earlier than last year", "more than in March": the words beside say what is compared.
            self.draft.versus |= self.draft.rank.is_none();
            return;
        };
        let value = *value;
        let before = self.at - 1;
        self.at += 1;
        // "more than 20 times": so many rows of what was said last.
        if self.cue(0) == Some(Cue::Times) {
            self.at += 1;
            let of = self.happened();
            self.draft.bounds.push(SaidBound::of(of, comparison, value));
            return;
        }
        if self.said_age(&self.atoms[before].what, comparison, value) {
            return;
        }
        let unit = self.unit(0);
        if let (None, Some(Cue::Grain(_))) = (unit, self.cue(0)) {
            // No number is known to count days, weeks or months.
            self.draft.unknown.push(format!("{value} {}", self.atoms[self.at].text));
            return;
        }
        self.at += usize::from(unit.is_some());
        let percent = matches!(self.cue(0), Some(Cue::Share));
        self.at += usize::from(percent);
        let term = self.term().or_else(|| unit.and_then(|_| self.last_term()));
        let of = if term.is_some() { None } else { self.bound_of() };
        // "number of orders over $50": of what each costs.
        let counts = |of: &Said| matches!(of.thing, Thing::Declared(at) if self.world.numbers[at].counts_rows());
        let counted = of.filter(|of| unit.is_some_and(Unit::is_money) && counts(of));
        self.draft.loose.extend(counted);
        let of = of.filter(|_| counted.is_none());
        let value = if percent { value / 100.0 } else { value };
        self.draft.bounds.push(SaidBound { of, comparison, value, upper: None, unit, term, hint: None, percent });
    }

    /// "older than 90 days": began before that. Whether it was said so.
    fn said_age(&mut self, said: &What, comparison: Comparison, value: f64) -> bool {
        let Some(Cue::Grain(grain)) = self.cue(0).filter(|_| matches!(said, What::Cue(Cue::ThanOf(_, Hint::Age)))) else {
            return false;
        };
        // People are so many years old by their birth.
        let of_people = grain == Grain::Year && self.near.is_some_and(|near| self.is_person(near));
        if of_people || !grain.is_calendar() || value.fract() != 0.0 || value >= 10_000.0 {
            return false;
        }
        self.at += 1;
        let since = Box::new(Spoken::Around(grain, -(value as i32)));
        let older = matches!(comparison, Comparison::Above | Comparison::AtLeast);
        let spoken = if older { Spoken::Before(since) } else { Spoken::Since(since) };
        let of = self.time_before();
        self.draft.periods.push(SaidPeriod { spoken, of });
        true
    }

    fn thing_is_number(&self, ahead: usize) -> bool {
        match self.peek(ahead) {
            Some(What::Thing(Thing::Declared(_) | Thing::Money(_))) => true,
            Some(What::Thing(Thing::Field(field))) => self.world.fields[*field].kind.is_measure(),
            _ => false,
        }
    }

    fn is_person(&self, thing: Thing) -> bool {
        self.owner_table(thing).is_some_and(|table| self.world.tables[table].is_people)
    }

    pub(super) fn said_between(&mut self) {
        let (Some(What::Number(from)), Some(Cue::And), Some(What::Number(to))) = (self.peek(0), self.cue(1), self.peek(2))
        else {
            return;
        };
        let (value, upper) = (*from, Some(*to));
        self.at += 3;
        let unit = self.unit(0);
        self.at += usize::from(unit.is_some());
        let of = self.bound_of();
        self.draft.bounds.push(SaidBound { unit, upper, ..SaidBound::of(of, Comparison::AtLeast, value) });
    }
}

pub(super) const fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Above => Comparison::AtMost,
        Comparison::AtLeast => Comparison::Below,
        Comparison::Below => Comparison::AtLeast,
        Comparison::AtMost => Comparison::Above,
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
    }
}
