//! Names of things, and values.

use super::{Reader, Said, SaidBound, SaidNum, SaidValues};
use crate::language::cues::Cue;
use crate::reading::atoms::What;
use crate::scope::Comparison;
use crate::world::values::Found;
use crate::world::{FieldId, Kind, Thing};

impl Reader<'_> {
    /// A thing, or a thing of another: "customer city".
    pub(super) fn thing(&mut self) -> Option<Said> {
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
            // "how many flights had a delay over 120": the flights are counted.
            && !(self.draft.how_many && (!next.beside || self.world.fields[field].kind.is_measure()))
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
        if let Some(owner) = self.owner_behind(thing) {
            self.count_quality(self.atoms[self.at].quality);
            self.at += 1;
            return Some(Said { thing, owner: Some(owner), direction, quality: quality.max(0.8), plural });
        }
        // "origin airport": the airport that the origin is.
        if let (Thing::Field(field), Some(What::Thing(Thing::Table(table)))) = (thing, self.peek(0))
            && self.world.fields[field].refers == Some(*table)
        {
            self.at += 1;
        }
        Some(Said { thing, owner: None, direction, quality, plural })
    }

    /// "by country of the customers": whose field it is, said behind it.
    fn owner_behind(&self, thing: Thing) -> Option<Thing> {
        let by = self.at.checked_sub(2).and_then(|at| self.atoms[at].cue()) == Some(Cue::By);
        let next = self.atoms.get(self.at).filter(|next| by && !next.beside)?;
        let (Thing::Field(field), What::Thing(owner @ Thing::Table(table))) = (thing, &next.what) else { return None };
        (self.world.fields[field].table == *table).then_some(*owner)
    }

    pub(super) fn owner_table(&self, thing: Thing) -> Option<usize> {
        match thing {
            Thing::Table(table) => Some(table),
            Thing::Field(field) => self.world.fields[field].refers,
            _ => None,
        }
    }

    pub(super) fn belongs(&self, table: usize, field: FieldId) -> bool {
        let of = self.world.fields[field].table;
        of == table
            || !self.world.fields[field].kind.is_measure()
                && self.world.tables[table].key.is_some()
                && self.world.reaches(table, of)
                && self.world.ways(table, of)[0].columns.len() == 1
    }

    pub(super) fn said_thing(&mut self) {
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
        // "open tickets" are those that are not closed, and not by when they were opened.
        let atom = &self.atoms[self.at];
        if let (What::Thing(Thing::Field(field)), "open") = (&atom.what, atom.text.as_str())
            && self.world.fields[*field].kind == Kind::Time
        {
            self.draft.unknown.push(atom.text.clone());
            self.at += 1;
            return;
        }
        if self.has_some() {
            return;
        }
        let Some(said) = self.thing() else { return };
        if std::mem::take(&mut self.not) {
            self.draft.lacks_part |= said.quality < 0.8;
            self.draft.lacking.push(said);
            return;
        }
        // "revenue from retail customers": the customers, and not for each.
        let said = match (self.atoms.get(self.at.wrapping_sub(2)).map(|atom| &atom.what), self.owner_table(said.thing)) {
            (Some(What::Value(found)), Some(table)) if found.iter().any(|one| self.world.fields[one.field].table == table) => {
                Said { thing: Thing::Table(table), ..said }
            }
            _ => said,
        };
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

    /// "days with rain": more than none of it.
    fn has_some(&mut self) -> bool {
        let before = |back: usize| self.at.checked_sub(back).map(|at| &self.atoms[at]);
        let is_with = before(1).is_some_and(|atom| atom.text == "with" && atom.cue() == Some(Cue::With));
        let (Some(What::Thing(Thing::Field(field))), true) = (self.peek(0), is_with) else { return false };
        let known = &self.world.fields[*field];
        let of_rows = before(2).is_some_and(|atom| match atom.what {
            What::Thing(Thing::Table(table)) => table == known.table,
            What::Cue(Cue::Grain(_)) => self.world.tables[known.table].time.is_some(),
            _ => false,
        });
        let can_lack = known.kind.is_measure() && known.range.is_some_and(|(least, _)| least == 0.0);
        if !of_rows || !can_lack || self.draft.list || matches!(self.cue(1), Some(Cue::Than(_) | Cue::Between | Cue::And)) {
            return false;
        }
        let Some(of) = self.thing() else { return false };
        self.draft.bounds.push(SaidBound::of(Some(of), Comparison::Above, 0.0));
        true
    }

    pub(super) fn said_values(&mut self) {
        let start = self.at;
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
        let ranked = start.checked_sub(1).is_some_and(|before| {
            let before = &self.atoms[before];
            matches!(before.cue(), Some(Cue::Extreme(..) | Cue::Top(_)))
                || self.draft.rank.is_some() && self.draft.focus.is_none()
        });
        // "Swiss customers": of the customers.
        let behind = match self.peek(0) {
            Some(What::Thing(thing)) if self.atoms[self.at].beside => self.owner_table(*thing).or(match thing {
                Thing::Declared(number) => self.world.numbers[*number].facts.first().copied(),
                _ => None,
            }),
            _ => None,
        };
        let of_table = |table: &usize| found.iter().flatten().any(|one| self.world.fields[one.field].table == *table);
        let near = behind.filter(of_table).map(Thing::Table).or(self.near);
        let has = self.cue(0) == Some(Cue::With) && matches!(self.cue(1), Some(Cue::Than(_)));
        let is_thing = found.len() == 1 && (ranked || has) && !matches!(self.peek(0), Some(What::Thing(_)));
        self.draft.values.push(SaidValues { found, is_thing, negated, direction, field, near, through: None, beside, quality });
    }

    pub(super) fn is_number(&self, said: Said) -> bool {
        match said.thing {
            Thing::Declared(_) | Thing::Money(_) => true,
            Thing::Field(field) => self.world.fields[field].kind.is_measure(),
            _ => false,
        }
    }

    pub(super) fn is_event(&self, said: Said) -> bool {
        matches!(said.thing, Thing::Table(table) if self.world.is_event(table))
    }
}
