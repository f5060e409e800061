//! Second stage: what the atoms of a question say, before it is known from which rows it can be answered.

mod bounds;
mod cues;
mod ranks;
mod things;

use crate::language::cues::{Aggregate, Cue, Direction, FollowUp, Hint, Rank};
use crate::language::grain::Grain;
use crate::language::periods::HoursOfDay;
use crate::language::span::Spoken;
use crate::language::unit::Unit;
use crate::reading::atoms::{Atom, What};
use crate::reading::evidence::Seen;
use crate::scope::Comparison;
use crate::world::values::Found;
use crate::world::{FieldId, Kind, Thing, World};
use inlay_contract::chart::definition::ChartType;

/// A thing as it is said, with the thing whose it is: "customer city".
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Said {
    pub thing: Thing,
    pub owner: Option<Thing>,
    pub direction: Option<Direction>,
    pub quality: f32,
    pub plural: bool,
}

/// A number that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SaidNum {
    pub how: Option<Aggregate>,
    /// Counted, not summed.
    pub counted: bool,
    pub different: bool,
    pub of: Said,
}

/// What is said to split by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Split {
    Thing(Said),
    Grain(Grain),
}

/// Values that rows must have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SaidValues {
    /// Each value with every field that holds it.
    pub found: Vec<Vec<Found>>,
    pub negated: bool,
    pub direction: Option<Direction>,
    /// A field that is said beside them.
    pub field: Option<Thing>,
    /// The table that is said before them: "customers from Germany".
    pub near: Option<Thing>,
    /// The key that leads to them, if it is said: "as destinations".
    pub through: Option<FieldId>,
    /// The values are compared with each other.
    pub beside: bool,
    /// The value stands for the things that have it: "best selling drink", "printers with 10 tickets".
    pub is_thing: bool,
    pub quality: f32,
}

/// A number that something is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SaidBound {
    pub of: Option<Said>,
    pub comparison: Comparison,
    pub value: f64,
    pub upper: Option<f64>,
    pub unit: Option<Unit>,
    /// What it is about, where no thing is named: "older than 65".
    pub hint: Option<Hint>,
    /// Whether it was said in percent.
    pub percent: bool,
    /// A term behind it: "2 hours late".
    pub term: Option<(FieldId, usize)>,
}

/// An order with its first rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SaidRank {
    pub end: Rank,
    pub hint: Hint,
    pub count: Option<u32>,
    pub of: Option<Said>,
    /// "top", "most": the greatest number, and not a property of the things ("most expensive").
    pub is_top: bool,
    /// Several are asked for.
    pub plural: bool,
}

/// A period, with the field that it is said of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SaidPeriod {
    pub spoken: Spoken,
    pub of: Option<FieldId>,
}

/// What the atoms say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Draft {
    pub numbers: Vec<SaidNum>,
    pub splits: Vec<Split>,
    /// Things that are said without a role.
    pub loose: Vec<Said>,
    /// What "which" asks for.
    pub focus: Option<Split>,
    pub values: Vec<SaidValues>,
    pub bounds: Vec<SaidBound>,
    pub periods: Vec<SaidPeriod>,
    pub days: Option<(Vec<u8>, bool)>,
    pub hours: Option<HoursOfDay>,
    pub terms: Vec<(FieldId, usize, bool)>,
    pub flags: Vec<(FieldId, bool)>,
    pub rank: Option<SaidRank>,
    pub how: Option<Aggregate>,
    /// "how far", "how hot": what is measured, where no number is named.
    pub how_much: Option<Hint>,
    pub how_many: bool,
    pub which: bool,
    pub who: bool,
    pub when: bool,
    pub list: bool,
    pub show: bool,
    pub share: bool,
    pub versus: bool,
    pub trend: bool,
    pub growth: bool,
    pub running: bool,
    /// "how many miles": the sum of what has this unit.
    pub measured: Option<Unit>,
    /// The periods that are said, and the same a year before.
    pub year_before: bool,
    /// "average monthly": for each of these periods.
    pub each_period: Option<Grain>,
    /// "departures by month": the time that the rows are said to have.
    pub time: Option<FieldId>,
    /// "how much": an amount, and never how many.
    pub amount: bool,
    /// "in hours": the unit in which the number is wanted.
    pub in_unit: Option<Unit>,
    /// Money for each document.
    pub basket: bool,
    pub moving: Option<u16>,
    pub distribution: bool,
    pub each: bool,
    pub chart: Option<ChartType>,
    pub lacking: Vec<Said>,
    /// What is lacking was named by a part of its name.
    pub lacks_part: bool,
    pub per: Option<Said>,
    /// How often "and", a comma, "with" or "versus" was said: so many more numbers may stand side by side.
    pub joins: usize,
    pub unknown: Vec<String>,
    pub follow: Option<FollowUp>,
    pub only: bool,
    pub those: bool,
    pub beyond: bool,
    pub help: bool,
    pub greeting: bool,
    pub thanks: bool,
    /// The sum of the qualities of all names, and their number.
    pub quality: (f32, u32),
    /// The words that it was read from.
    pub seen: Seen,
}

/// Reads atoms from left to right.
struct Reader<'a> {
    world: &'a World,
    atoms: &'a [Atom],
    at: usize,
    draft: Draft,
    not: bool,
    direction: Option<Direction>,
    /// The number that no other word has used yet, with its place.
    number: Option<(f64, usize)>,
    near: Option<Thing>,
    /// "how many" was said, and not yet of what.
    counting: bool,
}

/// What the atoms say.
pub(crate) fn draft(atoms: &[Atom], world: &World) -> Draft {
    let mut reader = Reader {
        world,
        atoms,
        at: 0,
        draft: Draft::default(),
        not: false,
        direction: None,
        number: None,
        near: None,
        counting: false,
    };
    while reader.at < atoms.len() {
        let before = reader.at;
        reader.step();
        reader.at = reader.at.max(before + 1);
    }
    let joins = |atom: &&Atom| matches!(atom.what, What::Comma | What::Cue(Cue::And | Cue::Versus | Cue::With));
    reader.draft.joins = atoms.iter().filter(joins).count();
    // A word that changes the meaning must have changed something.
    if reader.not {
        reader.draft.unknown.push("no".to_owned());
    }
    // So must a number.
    if let Some((value, _)) = reader.number {
        reader.draft.unknown.push(value.to_string());
    }
    // "which cities do most flights go to"
    if let (Some(direction), Some(Split::Thing(focus))) = (reader.direction, &mut reader.draft.focus) {
        focus.direction = focus.direction.or(Some(direction));
    }
    // "the change in percent" is growth.
    if reader.draft.trend && reader.draft.share {
        reader.draft.growth = true;
        (reader.draft.trend, reader.draft.share) = (false, false);
    }
    reader.draft
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<&What> {
        self.atoms.get(self.at + ahead).map(|atom| &atom.what)
    }

    fn cue(&self, ahead: usize) -> Option<Cue> {
        self.atoms.get(self.at + ahead).and_then(Atom::cue)
    }

    fn step(&mut self) {
        let atom = &self.atoms[self.at];
        match &atom.what {
            What::Cue(cue) => self.said_cue(*cue),
            What::Thing(Thing::Term(field, term, rate)) => {
                self.count_quality(atom.quality);
                let (field, term, rate) = (*field, *term, *rate);
                self.draft.terms.push((field, term, rate));
            }
            What::Thing(_) => self.said_thing(),
            What::Value(_) => self.said_values(),
            What::Number(value) => self.said_number(*value),
            What::Period(spoken) => {
                let of = self.time_before();
                self.draft.periods.push(SaidPeriod { spoken: spoken.clone(), of });
            }
            What::Hours(hours) => self.draft.hours = Some(*hours),
            What::Comma => {}
            What::Unknown => self.draft.unknown.push(atom.text.clone()),
        }
    }

    fn count_quality(&mut self, quality: f32) {
        self.draft.quality.0 += quality;
        self.draft.quality.1 += 1;
    }

    /// A time field that was said just before a period: "hired before 1993".
    fn time_before(&mut self) -> Option<FieldId> {
        let last = self.draft.loose.last()?;
        let Thing::Field(field) = last.thing else { return None };
        if self.world.fields[field].kind != Kind::Time {
            return None;
        }
        self.draft.loose.pop();
        Some(field)
    }
}
