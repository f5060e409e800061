//! Values: their columns, and lists of them.

use super::Reader;
use crate::analyst::{
    intent::{ColumnPath, ColumnRef, IntentCondition},
    phrases::What,
    values::Found,
};
use crate::language::cues::{Cue, Direction};
use serde_json::Value;

/// The last condition on values.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// Its position among the draft's conditions.
    pub condition: usize,
    /// The phrase of its last value.
    pub at: usize,
    /// Whether the message names the column.
    pub certain: bool,
    /// All possible meanings of its first value.
    pub places: Vec<(ColumnPath, Value)>,
}

impl Reader<'_> {
    /// A value adds a condition, or extends the list before it.
    pub(super) fn value(&mut self, found: &[Found]) {
        let direction = self.direction.filter(|(_, taken)| !taken).map(|(direction, _)| direction);
        let continues = self.continues();
        let inherited = if continues { self.direction.map(|(direction, _)| direction) } else { None };
        let wanted = direction.or(inherited);
        let places = self.places(found, wanted);
        if continues && self.extend_list(&places) {
            return;
        }
        let forced = self.forced.take();
        let chosen = forced
            .and_then(|forced| places.iter().find(|(place, _)| *place == forced))
            .or_else(|| self.preferred(&places, wanted));
        let Some((place, value)) = chosen.cloned() else {
            self.draft.unknown.push(self.phrases[self.at].text.clone());
            return;
        };
        let negated = std::mem::take(&mut self.negated);
        self.draft.conditions.push(IntentCondition::In { place, values: vec![value], negated });
        let condition = self.draft.conditions.len() - 1;
        self.listed = Some(Listed { condition, at: self.at, certain: wanted.is_some() || forced.is_some(), places });
        self.direction = self.direction.map(|(direction, _)| (direction, true));
    }

    /// Whether this value continues the list before it: "ATL and ORD", "to ATL versus to ORD".
    fn continues(&self) -> bool {
        let Some(listed) = &self.listed else { return false };
        let between = listed.at + 1..self.at;
        let joins = |at| {
            matches!(self.what(at), Some(What::Comma))
                || matches!(self.cue(at), Some(Cue::And | Cue::Versus | Cue::Direction(_) | Cue::Those))
                || matches!(self.what(at), Some(What::Name { tables, .. }) if tables.contains(&self.table()))
        };
        let joined = between
            .clone()
            .any(|at| matches!(self.what(at), Some(What::Comma)) || matches!(self.cue(at), Some(Cue::And | Cue::Versus)));
        joined && between.into_iter().all(joins)
    }

    fn extend_list(&mut self, places: &[(ColumnPath, Value)]) -> bool {
        let Some(listed) = &mut self.listed else { return false };
        let Some(IntentCondition::In { place, values, .. }) = self.draft.conditions.get_mut(listed.condition) else {
            return false;
        };
        let Some((_, value)) = places.iter().find(|(candidate, _)| candidate == place) else { return false };
        if !values.contains(value) {
            values.push(value.clone());
        }
        listed.at = self.at;
        self.direction = self.direction.map(|(direction, _)| (direction, true));
        true
    }

    /// All possible meanings of a value for this table: in its own column, or in one that a key references.
    fn places(&self, found: &[Found], direction: Option<Direction>) -> Vec<(ColumnPath, Value)> {
        let knowledge = self.context.knowledge;
        let keys = knowledge.keys(self.table());
        let mut places: Vec<(ColumnPath, Value)> = Vec::new();
        let mut add = |place: ColumnPath, value: &Value| {
            if !places.iter().any(|(known, _)| *known == place) {
                places.push((place, value.clone()));
            }
        };
        for (column, value) in found.iter().filter(|(column, _)| column.table == self.table()) {
            add(ColumnPath::own(*column), value);
            // A code in one key can also be in the other, even if the viewer sees no such row.
            let sibling = knowledge.link_of(*column).and_then(|link| {
                let others = keys.iter().filter(|key| key.to == link.to && key.from != *column);
                others.map(|key| key.from).find(|key| direction.is_some() && knowledge.column(*key).direction == direction)
            });
            if let Some(sibling) = sibling {
                add(ColumnPath::own(sibling), value);
            }
        }
        for (column, value) in found.iter().filter(|(column, _)| column.table != self.table()) {
            for key in keys.iter().filter(|key| key.to.table == column.table) {
                let own = key.to == *column;
                add(if own { ColumnPath::own(key.from) } else { ColumnPath { column: *column, via: Some(key.from) } }, value);
            }
        }
        places
    }

    /// The most likely meaning: by direction, by the conversation, or else the first column with several values.
    fn preferred<'p>(
        &self,
        places: &'p [(ColumnPath, Value)],
        direction: Option<Direction>,
    ) -> Option<&'p (ColumnPath, Value)> {
        let knowledge = self.context.knowledge;
        let key = |place: &ColumnPath| place.via.unwrap_or(place.column);
        if let Some(direction) = direction
            && let Some(found) = places.iter().find(|(place, _)| knowledge.column(key(place)).direction == Some(direction))
        {
            return Some(found);
        }
        // "by destination for ATL and ORD"
        let lists = matches!(self.cue(self.at + 1), Some(Cue::And)) || matches!(self.what(self.at + 1), Some(What::Comma));
        if lists && direction.is_none() && matches!(self.what(self.at + 2), Some(What::Value(_))) {
            let split = |place: &ColumnPath| self.draft.dimensions.iter().any(|mention| mention.dimension.place == *place);
            if let Some(found) = places.iter().find(|(place, _)| split(place)) {
                return Some(found);
            }
        }
        if let Some(previous) = self.context.previous.filter(|_| direction.is_none()) {
            let conditions = previous.conditions.iter().map(IntentCondition::place);
            let dimensions = previous.dimensions.iter().map(|dimension| dimension.place);
            for known in conditions.chain(dimensions) {
                let same = places.iter().find(|(place, _)| *place == known);
                let along = || places.iter().find(|(place, _)| key(place) == key(&known));
                if let Some(found) = same.or_else(along) {
                    return Some(found);
                }
            }
        }
        let tells = places.iter().find(|(place, _)| !knowledge.values.is_single(key(place)));
        tells.or_else(|| places.first())
    }

    /// A column's name beside values selects their column: "destination ATL", "ATL and ORD as origins".
    pub(super) fn gives_role(&mut self, place: ColumnPath) -> bool {
        let key = |place: &ColumnPath| place.via.unwrap_or(place.column);
        let before = self.at.checked_sub(1);
        let as_before = before.is_some_and(|at| self.cue(at) == Some(Cue::As));
        if let Some(listed) = self.listed.clone()
            && listed.at + 1 + usize::from(as_before) == self.at
            && !listed.certain
            && let Some(IntentCondition::In { place: current, values, .. }) = self.draft.conditions.get_mut(listed.condition)
            && (as_before || values.len() > 1)
        {
            let wanted = listed
                .places
                .iter()
                .find(|(other, _)| *other == place)
                .or_else(|| listed.places.iter().find(|(other, _)| key(other) == key(&place)));
            if let Some((place, _)) = wanted {
                *current = *place;
                return true;
            }
        }
        let next = self.at + 1 + usize::from(matches!(self.cue(self.at + 1), Some(Cue::Than(_) | Cue::Not)));
        let holds = |found: &[Found]| found.iter().any(|(at, _)| *at == place.column || self.same_key(*at, place));
        if !self.by && matches!(self.what(next), Some(What::Value(found)) if holds(found)) {
            self.forced = Some(place);
            return true;
        }
        false
    }

    fn same_key(&self, column: ColumnRef, place: ColumnPath) -> bool {
        let link = |at| self.context.knowledge.link_of(at).map(|link| link.to);
        place.via.is_none() && link(place.column).is_some_and(|to| to == column || link(column) == Some(to))
    }
}
