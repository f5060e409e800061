//! Where fields are, seen from the rows of one table.

use super::{
    draft::{Said, SaidValues},
    meaning::{Group, Place},
};
use crate::{
    language::{cues::Direction, grain::Grain},
    world::{FieldId, Kind, TableId, Thing, Way, World},
};
use chrono::NaiveDate;
use serde_json::Value;

/// A code that people know has at most so many letters.
const CODE: usize = 4;

/// Finds places, and adds up what they cost.
pub(super) struct Places<'a> {
    world: &'a World,
    fact: TableId,
    /// The time that the question names.
    hint: Option<FieldId>,
    /// The fields that rows are split by: values are likely theirs.
    pub preferred: Vec<FieldId>,
    pub cost: f32,
}

impl<'a> Places<'a> {
    pub(super) const fn new(world: &'a World, fact: TableId, hint: Option<FieldId>) -> Self {
        Self { world, fact, hint, preferred: Vec::new(), cost: 0.0 }
    }

    /// The best way to a table, and what it costs.
    fn way(&self, to: TableId, direction: Option<Direction>, through: Option<FieldId>) -> Option<(Way, f32)> {
        let ways = self.world.ways(self.fact, to);
        let several = ways.len() > 1;
        let cost = |way: &Way| {
            let mut cost = 0.12 * way.columns.len() as f32;
            if let Some(direction) = direction {
                cost += match way.direction {
                    Some(own) if own == direction => 0.0,
                    Some(_) => 2.0,
                    None => 0.1,
                };
            }
            if let Some(through) = through {
                cost += if way.fields.contains(&through) { 0.0 } else { 2.0 };
            } else if several && direction.is_none() {
                cost += 0.1;
                // One value for all rows tells nothing apart.
                if way.fields.first().is_some_and(|first| self.world.values.is_single(*first)) {
                    cost += 0.3;
                }
            }
            cost
        };
        ways.iter().map(|way| (way.clone(), cost(way))).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The place of a field.
    pub(super) fn field(&mut self, field: FieldId, direction: Option<Direction>, through: Option<FieldId>) -> Option<Place> {
        let table = self.world.fields[field].table;
        let (way, cost) = self.way(table, direction, through)?;
        self.cost += cost;
        Some(Place { field, way })
    }

    /// What a thing splits rows by.
    pub(super) fn things(&mut self, said: Said) -> Option<Vec<Group>> {
        let through = match said.owner {
            Some(Thing::Field(owner)) => Some(owner),
            _ => None,
        };
        match said.thing {
            Thing::Table(table) => self.rows_of(table, said.direction, through),
            Thing::Field(field) => self.values_of(field, said.direction, through),
            _ => None,
        }
    }

    /// The rows of a table, by what names them.
    fn rows_of(&mut self, table: TableId, direction: Option<Direction>, through: Option<FieldId>) -> Option<Vec<Group>> {
        let (way, cost) = self.way(table, direction, through)?;
        self.cost += cost;
        let known = &self.world.tables[table];
        // A key that people write themselves is its own name.
        if let Some(first) = way.fields.last()
            && way.fields.len() == 1
            && self.is_code(*first)
        {
            return Some(vec![Group { place: Place { field: *first, way: Way::default() }, grain: None }]);
        }
        let group = |field: &FieldId| Group { place: Place { field: *field, way: way.clone() }, grain: None };
        // Two people of one name are two.
        let key = known.key.filter(|_| self.world.tables[table].has_namesakes);
        let groups: Vec<Group> = known.title.iter().chain(&key).map(group).collect();
        (!groups.is_empty()).then_some(groups)
    }

    /// Whether a field refers to a table by a code that people know: ATL, and not 4711.
    fn is_code(&self, field: FieldId) -> bool {
        let known = &self.world.fields[field];
        let ends = crate::world::stems(&crate::language::words::spaced(&known.name))
            .last()
            .is_some_and(|last| matches!(last.as_str(), "id" | "key" | "sk" | "uuid" | "guid"));
        let short = known.longest.is_none_or(|longest| longest <= CODE);
        // A short list of codes with their names is there for the names.
        let listed = known.refers.is_some_and(|table| self.world.is_lookup(table));
        known.refers.is_some() && !listed && !ends && short && known.column_type == Some(inlay_contract::data::ColumnType::Text)
    }

    fn values_of(&mut self, field: FieldId, direction: Option<Direction>, through: Option<FieldId>) -> Option<Vec<Group>> {
        let known = &self.world.fields[field];
        if let Some(table) = known.refers
            && !self.is_code(field)
        {
            // A key stands for the row that it leads to.
            if known.table == self.fact || self.world.reaches(self.fact, known.table) {
                if known.table != self.fact {
                    return self.rows_of(table, direction, through);
                }
                return self.rows_of(table, direction, Some(field));
            }
            return None;
        }
        let place = self.field(field, direction, through)?;
        if known.kind == Kind::Time {
            return Some(vec![Group { place, grain: Some(Grain::Day) }]);
        }
        if !known.kind.groups() && known.kind != Kind::Amount {
            return None;
        }
        Some(vec![Group { place, grain: None }])
    }

    /// The time of the rows, in a grain; a year as a number where there is no time.
    pub(super) fn time(&mut self, grain: Grain) -> Option<Group> {
        let hint = self.hint.filter(|hint| self.world.reaches(self.fact, self.world.fields[*hint].table));
        if let Some(time) = hint.or_else(|| self.world.time_of(self.fact)) {
            let place = self.field(time, None, None)?;
            return Some(Group { place, grain: Some(grain) });
        }
        let year = self.world.year_of(self.fact).filter(|_| matches!(grain, Grain::Year | Grain::Fitting))?;
        Some(Group { place: self.field(year, None, None)?, grain: None })
    }

    /// Where a period is, and the days that it covers.
    pub(super) fn period_place(&mut self, of: Option<FieldId>) -> Option<(Place, Option<(NaiveDate, NaiveDate)>)> {
        let hint = of.or(self.hint).filter(|hint| self.world.reaches(self.fact, self.world.fields[*hint].table));
        let field = hint.or_else(|| self.world.time_of(self.fact)).or_else(|| self.world.year_of(self.fact))?;
        let place = self.field(field, None, None)?;
        let known = &self.world.fields[field];
        let years = || {
            let (_, last) = known.range.filter(|_| known.kind == Kind::Year)?;
            let day = NaiveDate::from_ymd_opt(last as i32, 12, 31)?;
            Some((day, day))
        };
        Some((place, known.days.or_else(years)))
    }

    /// The grain of a group at a place: none for years that are numbers.
    pub(super) fn grain_of(&self, place: &Place, grain: Grain) -> Option<Grain> {
        (self.world.fields[place.field].kind == Kind::Time).then_some(grain)
    }

    /// The key that leads in a direction, where a key of the other direction is given.
    fn in_direction(&self, field: FieldId, direction: Option<Direction>) -> FieldId {
        let known = &self.world.fields[field];
        let of = |key: FieldId| {
            let ways = self.world.ways.values().flatten();
            ways.into_iter().find(|way| way.fields == [key]).and_then(|way| way.direction)
        };
        let (Some(said), Some(own)) = (direction, of(field)) else { return field };
        if said == own {
            return field;
        }
        let like = |(_, other): &(FieldId, &crate::world::Field)| other.refers == known.refers;
        let mut twins = self.world.fields_of(known.table).filter(like).map(|(at, _)| at);
        twins.find(|at| of(*at) == Some(said)).unwrap_or(field)
    }

    /// The field whose values are meant, and the values.
    pub(super) fn values(&mut self, said: &SaidValues) -> Option<(Place, Vec<Value>)> {
        let first = said.found.first()?;
        let mut best: Option<(f32, Place, Vec<Value>)> = None;
        for one in first {
            let of_field = |found: &Vec<crate::world::values::Found>| {
                found.iter().find(|other| other.field == one.field).map(|found| found.value.clone())
            };
            let Some(values) = said.found.iter().map(of_field).collect::<Option<Vec<Value>>>() else { continue };
            let known = &self.world.fields[one.field];
            let Some((way, mut cost)) = self.way(known.table, said.direction, said.through) else { continue };
            // "from ATL", where only the destinations of this viewer have that value: the origin is meant, and has none.
            let field = if way.columns.is_empty() { self.in_direction(one.field, said.direction) } else { one.field };
            if field != one.field {
                cost += 0.6;
            }
            if way.columns.is_empty() && known.refers.is_some() && self.world.values.is_single(one.field) {
                cost += 0.3;
            }
            cost += match said.field {
                Some(Thing::Field(field)) if field == one.field => -1.0,
                Some(_) => 0.5,
                None => 0.0,
            };
            if self.preferred.contains(&one.field) {
                cost -= 0.6;
            }
            match said.near {
                Some(Thing::Table(table)) if table == known.table => cost -= 0.5,
                _ => {}
            }
            if self.world.tables[known.table].title.contains(&one.field) {
                // The name of one of few things is better known than that of one of many.
                let rows = self.world.tables[known.table].rows.unwrap_or(1.0).max(1.0);
                cost += 0.3 * rows.log10() as f32 - 1.0;
            }
            cost += 0.2 * (known.called.iter().map(Vec::len).min().unwrap_or(1) as f32 - 1.0);
            cost += (1.0 - one.quality) * 0.5;
            if best.as_ref().is_none_or(|(known, ..)| cost < *known) {
                best = Some((cost, Place { field, way }, values));
            }
        }
        let (cost, place, values) = best?;
        self.cost += cost;
        Some((place, values))
    }
}
