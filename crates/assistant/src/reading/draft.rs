//! Second stage: what the atoms of a question say, before it is known from which rows it can be answered.

use super::atoms::{Atom, What};
use crate::{
    language::{
        cues::{Aggregate, Cue, Direction, FollowUp, Hint, Rank, Unit},
        grain::Grain,
        periods::HoursOfDay,
        span::Spoken,
    },
    scope::Comparison,
    world::{FieldId, Kind, Thing, World, values::Found},
};
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
    pub how_many: bool,
    pub which: bool,
    pub who: bool,
    pub when: bool,
    pub list: bool,
    pub share: bool,
    pub versus: bool,
    pub trend: bool,
    pub growth: bool,
    pub running: bool,
    /// "how many miles": the sum of what has this unit.
    pub measured: Option<Unit>,
    /// Money for each document.
    pub basket: bool,
    pub moving: Option<u16>,
    pub distribution: bool,
    pub each: bool,
    pub chart: Option<ChartType>,
    pub lacking: Vec<Said>,
    pub per: Option<Said>,
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

    /// A thing, or a thing of another: "customer city".
    fn thing(&mut self) -> Option<Said> {
        let atom = self.atoms.get(self.at)?;
        let What::Thing(thing) = atom.what else { return None };
        if matches!(thing, Thing::Term(..)) {
            return None;
        }
        let (quality, plural) = (atom.quality, atom.plural);
        self.count_quality(quality);
        self.at += 1;
        let direction = self.direction.take();
        if let Some(next) = self.atoms.get(self.at)
            && let What::Thing(Thing::Field(field)) = next.what
            && let Some(table) = self.owner_table(thing)
            && self.belongs(table, field)
        {
            let plural = next.plural;
            self.count_quality(next.quality.max(0.8));
            self.at += 1;
            return Some(Said {
                thing: Thing::Field(field),
                owner: Some(thing),
                direction,
                quality: next.quality.max(0.8),
                plural,
            });
        }
        // "origin airport": the airport that the origin is.
        if let (Thing::Field(field), Some(What::Thing(Thing::Table(table)))) = (thing, self.peek(0))
            && self.world.fields[field].refers == Some(*table)
        {
            self.at += 1;
        }
        Some(Said { thing, owner: None, direction, quality, plural })
    }

    fn owner_table(&self, thing: Thing) -> Option<usize> {
        match thing {
            Thing::Table(table) => Some(table),
            Thing::Field(field) => self.world.fields[field].refers,
            _ => None,
        }
    }

    fn belongs(&self, table: usize, field: FieldId) -> bool {
        let of = self.world.fields[field].table;
        of == table
            || self.world.tables[table].key.is_some()
                && self.world.reaches(table, of)
                && self.world.ways(table, of)[0].columns.len() == 1
    }

    fn said_thing(&mut self) {
        // "discontinued products": a flag is a condition.
        if let What::Thing(Thing::Field(field)) = self.atoms[self.at].what
            && self.world.fields[field].kind == Kind::Flag
        {
            let quality = self.atoms[self.at].quality;
            self.count_quality(quality);
            let set = !std::mem::take(&mut self.not);
            self.draft.flags.push((field, set));
            self.at += 1;
            return;
        }
        let Some(said) = self.thing() else { return };
        if std::mem::take(&mut self.not) {
            self.draft.lacking.push(said);
            return;
        }
        self.near = Some(said.thing);
        if std::mem::take(&mut self.counting) {
            self.draft.numbers.push(SaidNum { how: None, counted: true, different: false, of: said });
            return;
        }
        // "beverages category": the field of the values before it.
        if let (Thing::Field(field), Some(values)) = (said.thing, self.draft.values.last_mut())
            && matches!(self.atoms.get(self.at.wrapping_sub(2)).map(|atom| &atom.what), Some(What::Value(_)))
            && values.found.iter().any(|found| found.iter().any(|one| one.field == field))
            && values.field.is_none()
        {
            values.field = Some(said.thing);
            return;
        }
        self.draft.loose.push(said);
    }

    fn said_number(&mut self, value: f64) {
        // "5 most expensive products"
        if let Some(Cue::Extreme(..) | Cue::Top(_)) = self.cue(1) {
            self.number = Some((value, self.at));
            return;
        }
        if let Some(Cue::OrMore(comparison)) = self.cue(1) {
            self.at += 2;
            let of = self.bound_of();
            self.draft.bounds.push(SaidBound { of, comparison, value, upper: None, unit: None, term: None });
            return;
        }
        // "60 minutes late"
        if let Some(unit) = self.unit(1) {
            self.at += 2;
            if let Some(Cue::OrMore(comparison)) = self.cue(0) {
                self.at += 1;
                let term = self.term();
                self.draft.bounds.push(SaidBound { of: None, comparison, value, upper: None, unit: Some(unit), term });
            } else if let Some(term) = self.term() {
                self.draft.bounds.push(SaidBound {
                    of: None,
                    comparison: Comparison::AtLeast,
                    value,
                    upper: None,
                    unit: Some(unit),
                    term: Some(term),
                });
            } else {
                self.draft.unknown.push(value.to_string());
            }
            return;
        }
        // "45+ homers"
        if self.atoms[self.at].text.ends_with('+') {
            self.at += 1;
            let of = self.bound_of();
            self.draft.bounds.push(SaidBound {
                of,
                comparison: Comparison::AtLeast,
                value,
                upper: None,
                unit: None,
                term: None,
            });
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

    fn term(&mut self) -> Option<(FieldId, usize)> {
        let What::Thing(Thing::Term(field, term, false)) = self.atoms.get(self.at)?.what else { return None };
        self.at += 1;
        Some((field, term))
    }

    /// The term just before: "delayed by more than an hour".
    fn last_term(&mut self) -> Option<(FieldId, usize)> {
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
    fn bound_of(&mut self) -> Option<Said> {
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

    fn said_values(&mut self) {
        let negated = std::mem::take(&mut self.not);
        let direction = self.direction.take();
        let mut found = Vec::new();
        let mut beside = false;
        let mut quality: f32 = 1.0;
        while let Some(What::Value(one)) = self.peek(0) {
            let one = one.clone();
            let shares = |known: &Vec<Found>| known.iter().any(|a| one.iter().any(|b| a.field == b.field));
            if !found.is_empty() && !found.iter().all(shares) {
                break;
            }
            quality = quality.min(self.atoms[self.at].quality);
            found.push(one);
            self.at += 1;
            let mut skip = 0;
            while let Some(What::Comma | What::Cue(Cue::And | Cue::Versus | Cue::Direction(_) | Cue::Not)) = self.peek(skip) {
                if self.cue(skip) == Some(Cue::Not) && !negated {
                    break;
                }
                beside |= self.cue(skip) == Some(Cue::Versus);
                skip += 1;
            }
            let joined = (0..skip).any(|at| !matches!(self.cue(at), Some(Cue::Direction(_) | Cue::Not)));
            if joined && matches!(self.peek(skip), Some(What::Value(_))) {
                self.at += skip;
            } else if skip > 0 && beside {
                self.draft.versus = true;
                break;
            } else {
                break;
            }
        }
        self.draft.versus |= beside;
        self.count_quality(quality);
        // "category = beverages": the field before.
        let before = self.draft.loose.last().filter(|said| {
            matches!(said.thing, Thing::Field(field) if found.iter().any(|one: &Vec<Found>| one.iter().any(|one| one.field == field)))
        });
        let field = before.map(|said| said.thing);
        if field.is_some() {
            self.draft.loose.pop();
        }
        self.draft.values.push(SaidValues {
            found,
            negated,
            direction,
            field,
            near: self.near,
            through: None,
            beside,
            quality,
        });
    }

    /// A unit at a place. Hours are also parts of days.
    fn unit(&self, ahead: usize) -> Option<Unit> {
        match self.cue(ahead) {
            Some(Cue::Unit(unit)) => Some(unit),
            Some(Cue::Grain(Grain::Hour)) => Some(Unit::Hour),
            _ => None,
        }
    }

    fn said_cue(&mut self, cue: Cue) {
        self.at += 1;
        match cue {
            Cue::HowMany => self.said_how_many(),
            Cue::Aggregate(how) => self.said_aggregate(how),
            Cue::By => self.said_by(),
            Cue::Grain(grain) => self.said_grain(grain),
            Cue::Which => self.said_which(),
            Cue::Top(end) => self.said_top(end),
            Cue::Extreme(end, hint) => self.said_extreme(end, hint),
            Cue::Than(comparison) => self.said_than(comparison),
            Cue::Between => self.said_between(),
            Cue::Not => self.not = true,
            Cue::Direction(direction) => self.direction = Some(direction),
            Cue::Days(days) => {
                let not = std::mem::take(&mut self.not);
                let known = self.draft.days.get_or_insert((Vec::new(), not));
                known.0.extend(days);
            }
            Cue::Distinct => {
                if let Some(said) = self.thing() {
                    self.draft.numbers.push(SaidNum { how: None, counted: true, different: true, of: said });
                }
            }
            Cue::Share => self.draft.share = true,
            Cue::Versus => self.draft.versus = true,
            Cue::OverTime => self.draft.trend = true,
            Cue::Growth => self.draft.growth = true,
            Cue::Running => self.draft.running = true,
            Cue::Basket => self.draft.basket = true,
            Cue::Moving => self.draft.moving = Some(self.number.take().map_or(3, |(value, _)| value.clamp(2.0, 1000.0) as u16)),
            Cue::Chart(kind) => self.draft.chart = Some(kind),
            Cue::List => self.draft.list = true,
            Cue::Distribution | Cue::Relation => self.draft.distribution = true,
            Cue::How => match self.term() {
                Some((field, _)) => {
                    let of = Said { thing: Thing::Field(field), owner: None, direction: None, quality: 1.0, plural: false };
                    let how = Some(Aggregate::Average);
                    self.draft.numbers.push(SaidNum { how, counted: false, different: false, of });
                }
                None => self.draft.how = self.draft.how.or(Some(Aggregate::Average)),
            },
            Cue::HowMuch(hint) => {
                self.draft.rank = None;
                self.draft.how = self.draft.how.or(Some(Aggregate::Average));
                let _ = hint;
            }
            Cue::FollowUp(follow) => self.draft.follow = self.draft.follow.or(Some(follow)),
            Cue::Only => self.draft.only = true,
            Cue::Those => self.draft.those = true,
            Cue::Beyond => self.draft.beyond = true,
            Cue::Help => self.draft.help = true,
            Cue::Greeting => self.draft.greeting = true,
            Cue::Thanks => self.draft.thanks = true,
            Cue::As => {
                // "Boston and Chicago as destinations"
                let key = match self.peek(0) {
                    Some(What::Thing(Thing::Field(field))) => {
                        Some(*field).filter(|field| self.world.fields[*field].refers.is_some())
                    }
                    _ => None,
                };
                if let (Some(_), Some(values)) = (key, self.draft.values.last_mut()) {
                    values.through = key;
                    self.at += 1;
                }
            }
            Cue::Unit(_) | Cue::OrMore(_) | Cue::And | Cue::With | Cue::Filler => {}
        }
    }

    fn said_how_many(&mut self) {
        self.draft.how_many = true;
        let different = self.cue(0) == Some(Cue::Distinct);
        self.at += usize::from(different);
        if let Some(said) = self.thing() {
            self.near = Some(said.thing);
            self.draft.numbers.push(SaidNum { how: None, counted: true, different, of: said });
        } else if let Some(unit) = self.unit(0).filter(|_| !matches!(self.cue(0), Some(Cue::Grain(_)))) {
            self.at += 1;
            self.draft.measured = Some(unit);
        } else {
            self.counting = matches!(self.peek(0), Some(What::Value(_) | What::Thing(Thing::Term(..) | Thing::Field(_))));
        }
    }

    fn said_aggregate(&mut self, how: Aggregate) {
        if self.cue(0) == Some(Cue::HowMany) {
            // "average number of orders per customer"
            self.at += 1;
            if let Some(said) = self.thing() {
                let how = (how != Aggregate::Sum).then_some(how);
                self.draft.numbers.push(SaidNum { how, counted: true, different: false, of: said });
            }
            return;
        }
        let Some(said) = self.thing() else {
            self.draft.how = Some(how);
            return;
        };
        self.near = Some(said.thing);
        // "average order value": money for each order.
        if let (Thing::Table(_), Some(What::Thing(Thing::Money(_) | Thing::Declared(_)))) = (said.thing, self.peek(0))
            && how == Aggregate::Average
            && let Some(money) = self.thing()
        {
            self.draft.per = Some(said);
            self.draft.numbers.push(SaidNum { how: None, counted: false, different: false, of: money });
            return;
        }
        let counted = matches!(said.thing, Thing::Table(_));
        let how = if counted && how == Aggregate::Sum { None } else { Some(how) };
        self.draft.numbers.push(SaidNum { how, counted, different: false, of: said });
        // "average delay and distance"
        while self.cue(0) == Some(Cue::And)
            && matches!(self.peek(1), Some(What::Thing(Thing::Field(field))) if self.world.fields[*field].kind.is_measure())
        {
            self.at += 1;
            let Some(next) = self.thing() else { break };
            self.draft.numbers.push(SaidNum { how, counted: false, different: false, of: next });
        }
    }

    fn said_by(&mut self) {
        let word = self.atoms[self.at - 1].text.clone();
        self.draft.each |= word.contains("each") || word.contains("every");
        loop {
            while let Some(Cue::Direction(direction)) = self.cue(0) {
                self.direction = Some(direction);
                self.at += 1;
            }
            if let Some(grain) = self.atoms.get(self.at).and_then(Atom::grain) {
                self.draft.splits.push(Split::Grain(grain));
                self.at += 1;
            } else if self.cue(0) == Some(Cue::HowMany) {
                // "by number of orders"
                self.said_cue(Cue::HowMany);
                self.draft.how_many = false;
            } else if let Some(Cue::Aggregate(how)) = self.cue(0) {
                self.at += 1;
                self.said_aggregate(how);
            } else if self.cue(0) == Some(Cue::Share) {
                self.draft.share = true;
                self.at += 1;
            } else if let Some(What::Thing(Thing::Term(field, term, rate))) = self.peek(0) {
                self.draft.terms.push((*field, *term, *rate));
                self.at += 1;
                continue;
            } else if let Some(said) = self.thing() {
                if word == "per" && self.is_event(said) && self.draft.rank.is_none() && !matches!(said.thing, Thing::Field(_)) {
                    self.draft.per = Some(said);
                } else {
                    self.draft.splits.push(Split::Thing(said));
                }
            } else {
                break;
            }
            let joined = matches!(self.peek(0), Some(What::Comma | What::Cue(Cue::And | Cue::By)));
            let goes_on = matches!(self.peek(1), Some(What::Thing(thing)) if !matches!(thing, Thing::Term(..)))
                || self.atoms.get(self.at + 1).and_then(Atom::grain).is_some()
                || matches!(self.cue(1), Some(Cue::By));
            if !(joined && goes_on) {
                break;
            }
            self.at += 1;
            if self.cue(0) == Some(Cue::By) {
                self.at += 1;
            }
        }
    }

    fn is_event(&self, said: Said) -> bool {
        matches!(said.thing, Thing::Table(table) if self.world.is_event(table))
    }

    fn said_grain(&mut self, grain: Grain) {
        if self.draft.rank.is_some() && self.draft.focus.is_none() && self.draft.splits.is_empty() {
            self.draft.focus = Some(Split::Grain(grain));
            if let Some(rank) = &mut self.draft.rank {
                rank.plural |= self.atoms[self.at - 1].plural;
            }
        } else {
            self.draft.splits.push(Split::Grain(grain));
        }
    }

    fn said_which(&mut self) {
        let word = self.atoms[self.at - 1].text.as_str();
        self.draft.which = true;
        self.draft.who |= word == "who";
        if word == "when" {
            self.draft.when = true;
        }
        if let Some(grain) = self.atoms.get(self.at).and_then(Atom::grain) {
            self.draft.focus = Some(Split::Grain(grain));
            self.at += 1;
            return;
        }
        if word.starts_with("which") || word == "what" {
            let count = match self.peek(0) {
                Some(What::Number(value)) if value.fract() == 0.0 => Some(*value),
                _ => None,
            };
            if count.is_some() {
                self.at += 1;
            }
            if let Some(value) = count {
                self.number = Some((value, self.at));
            }
            if matches!(self.peek(0), Some(What::Thing(Thing::Table(_) | Thing::Field(_))))
                && let Some(said) = self.thing()
            {
                self.near = Some(said.thing);
                self.draft.focus = Some(Split::Thing(said));
            }
        }
    }

    fn said_top(&mut self, end: Rank) {
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

    /// The thing behind a rank.
    fn ranked_thing(&mut self) -> (Option<Said>, Option<Grain>) {
        if let Some(grain) = self.atoms.get(self.at).and_then(Atom::grain) {
            self.at += 1;
            return (None, Some(grain));
        }
        (self.thing(), None)
    }

    fn set_focus(&mut self, said: Option<Said>, grain: Option<Grain>) {
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

    fn is_number(&self, said: Said) -> bool {
        match said.thing {
            Thing::Declared(_) | Thing::Money(_) => true,
            Thing::Field(field) => self.world.fields[field].kind.is_measure(),
            _ => false,
        }
    }

    fn said_extreme(&mut self, end: Rank, hint: Hint) {
        let text = self.atoms[self.at - 1].text.clone();
        let mut count = self.number.take().map(|(value, _)| value as u32);
        if let Some(What::Number(value)) = self.peek(0).filter(|_| count.is_none()) {
            count = Some(*value as u32);
            self.at += 1;
        }
        let counts = matches!(text.as_str(), "most" | "the most" | "fewest" | "the fewest" | "least" | "the least");
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

    fn said_than(&mut self, comparison: Comparison) {
        let comparison = if std::mem::take(&mut self.not) { opposite(comparison) } else { comparison };
        // "more than an hour"
        if let Some(unit) = self.unit(0) {
            self.at += 1;
            let term = self.term().or_else(|| self.last_term());
            self.draft.bounds.push(SaidBound { of: None, comparison, value: 1.0, upper: None, unit: Some(unit), term });
            return;
        }
        let Some(What::Number(value)) = self.peek(0) else {
            // "earlier than last year", "more than in March": the words beside say what is compared.
            self.draft.versus |= self.draft.rank.is_none();
            return;
        };
        let value = *value;
        self.at += 1;
        let unit = self.unit(0);
        self.at += usize::from(unit.is_some());
        let percent = matches!(self.cue(0), Some(Cue::Share));
        self.at += usize::from(percent);
        let term = self.term().or_else(|| unit.and_then(|_| self.last_term()));
        let of = if term.is_some() { None } else { self.bound_of() };
        let value = if percent { value / 100.0 } else { value };
        self.draft.bounds.push(SaidBound { of, comparison, value, upper: None, unit, term });
    }

    fn said_between(&mut self) {
        let (Some(What::Number(from)), Some(Cue::And), Some(What::Number(to))) = (self.peek(0), self.cue(1), self.peek(2))
        else {
            return;
        };
        let (value, upper) = (*from, Some(*to));
        self.at += 3;
        let unit = self.unit(0);
        self.at += usize::from(unit.is_some());
        let of = self.bound_of();
        self.draft.bounds.push(SaidBound { of, comparison: Comparison::AtLeast, value, upper, unit, term: None });
    }
}

const fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Above => Comparison::AtMost,
        Comparison::AtLeast => Comparison::Below,
        Comparison::Below => Comparison::AtLeast,
        Comparison::AtMost => Comparison::Above,
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
    }
}
