//! Lists of rows, and of what has none.

use super::hints::hinted;
use super::subject::focus_table;
use super::{Composer, said, table_of};
use crate::language::cues::Hint;
use crate::reading::meaning::{Condition, Group, Meaning, Num, Place};
use crate::reading::places::Places;
use crate::scope::Comparison;
use crate::world::{Kind, Thing};

impl Composer<'_> {
    /// Tables that are named without a role must at least have to do with the rows.
    pub(super) fn mentioned(&mut self) -> Option<()> {
        let world = self.context.world;
        for table in &self.roles.mentioned {
            if *table == self.fact {
                self.cost -= 0.3;
            } else if world.reaches(self.fact, *table) || world.reaches(*table, self.fact) {
                self.cost += 0.35;
            } else {
                return None;
            }
        }
        Some(())
    }

    pub(super) fn list(&mut self, places: &mut Places<'_>, meaning: &mut Meaning) -> Option<()> {
        let Some(table) = self.roles.listed else { return Some(()) };
        let world = self.context.world;
        if table != self.fact {
            self.cost += 0.5;
        }
        let rank = self.draft.rank.as_ref();
        let titled = world.tables[table].title.iter().any(|title| world.fields[*title].kind != Kind::Key);
        let ranked = rank.is_some_and(|rank| rank.hint != Hint::Named || rank.of.is_some());
        // What happens is listed row by row, whatever names it may have.
        let happens = super::subject::happens(world, table);
        // "trucks without shipments" are told by what tells them apart.
        let whole = self.draft.lacking.iter().all(|one| matches!(one.thing, Thing::Field(_)));
        if table == self.fact && whole && (!titled || happens || ranked) && (meaning.groups.is_empty() || !ranked && happens) {
            let of = rank
                .and_then(|rank| rank.of)
                .and_then(|of| if let Thing::Field(field) = of.thing { Some(field) } else { None });
            let by = of.or_else(|| rank.and_then(|rank| hinted(world, rank.hint, self.roles, &[said(Thing::Table(table))])));
            if rank.is_some() && by.is_none() {
                return None;
            }
            meaning.rows = Some(by);
            return Some(());
        }
        // Who is first of a list is known by a number alone.
        if rank.is_some() {
            return None;
        }
        let mut groups = places.things(said(Thing::Table(table)))?;
        for group in std::mem::take(&mut meaning.groups) {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        meaning.groups = groups;
        Some(())
    }

    /// "customers without orders in 1998": the period is that of the orders.
    pub(super) fn lacking_in_time(
        self,
        mut groups: Vec<Group>,
        mut places: Places<'_>,
        counted: bool,
    ) -> Option<(Meaning, f32)> {
        let world = self.context.world;
        let other = self
            .draft
            .lacking
            .iter()
            .find_map(|one| table_of(world, one.thing))
            .filter(|other| world.reaches(*other, self.fact))?;
        let mut theirs = Places::new(world, other, None);
        let conditions = Composer { fact: other, cost: 0.0, ..self }.conditions(&mut theirs, &mut Vec::new())?;
        if other == self.fact {
            return None;
        }
        if groups.is_empty() && !counted {
            groups = places.things(said(Thing::Table(self.fact)))?;
        }
        let meaning = Meaning {
            numbers: if counted { vec![Num::Count] } else { Vec::new() },
            groups,
            lacking: Some(other),
            lacking_where: conditions,
            chart: self.draft.chart,
            ..Meaning::of(self.fact)
        };
        Some((meaning, self.cost + places.cost + theirs.cost))
    }

    pub(super) fn lacking(&mut self, meaning: &mut Meaning) -> Option<()> {
        let world = self.context.world;
        for one in &self.draft.lacking {
            // "orders that were not shipped"
            if let Thing::Field(field) = one.thing
                && world.reaches(self.fact, world.fields[field].table)
                && !world.fields[field].kind.is_measure()
            {
                let way = world.ways(self.fact, world.fields[field].table).first()?.clone();
                meaning.conditions.push(Condition::Present { place: Place { field, way }, present: false });
                continue;
            }
            // "days without rain": none of it.
            if let Thing::Field(field) = one.thing
                && world.fields[field].table == self.fact
                && world.fields[field].kind.is_measure()
            {
                let place = Place { field, way: crate::world::Way::default() };
                meaning.conditions.push(Condition::Number { place, comparison: Comparison::Equal, value: 0.0, word: None });
                continue;
            }
            let table = table_of(world, one.thing)?;
            let listed = self.roles.listed.or_else(|| focus_table(world, &self.roles.splits)).unwrap_or(self.fact);
            if listed != self.fact || table == self.fact || !world.reaches(table, listed) {
                return None;
            }
            meaning.lacking = Some(table);
        }
        Some(())
    }
}
