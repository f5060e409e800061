//! Names of things, and values.

use super::{Reader, Said, SaidNum, SaidValues};
use crate::language::cues::Cue;
use crate::reading::atoms::What;
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

    pub(super) fn said_values(&mut self) {
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
