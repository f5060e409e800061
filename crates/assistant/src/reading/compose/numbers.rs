//! Numbers and groups of the rows of one table.

use super::Composer;
use crate::language::cues::{Aggregate, Rank};
use crate::language::grain::Grain;
use crate::reading::draft::{SaidNum, Split};
use crate::reading::meaning::{Group, Num};
use crate::reading::places::Places;
use crate::world::{FieldId, Kind, Thing, stems};

impl Composer<'_> {
    /// A number of this table's rows.
    pub(super) fn number(&mut self, places: &mut Places<'_>, number: &SaidNum) -> Option<Num> {
        let world = self.context.world;
        match number.of.thing {
            Thing::Declared(at) => {
                use inlay_contract::model::Aggregate as Of;
                let summed = matches!(world.numbers[at].aggregate, Some(Of::Sum | Of::Count | Of::CountDistinct));
                // The mean of what is a sum is another number.
                if summed && number.how == Some(Aggregate::Average) || !summed && number.how == Some(Aggregate::Sum) {
                    return None;
                }
                if number.how.is_some_and(|how| !matches!(how, Aggregate::Sum | Aggregate::Average)) {
                    return None;
                }
                world.numbers[at].facts.contains(&self.fact).then_some(Num::Declared(at))
            }
            Thing::Money(at) => {
                let averaged = number.how.is_some_and(|how| how != Aggregate::Sum);
                self.cost += if averaged { 1.0 } else { 0.0 };
                (world.money[at].table == self.fact).then_some(Num::Money(at))
            }
            Thing::Table(table) if table == self.fact => {
                // The model says what counts as a row.
                let called = stems(&world.tables[table].label);
                let declared = world
                    .numbers
                    .iter()
                    .position(|known| known.counts_rows() && known.facts == [table] && known.called.contains(&called));
                Some(declared.map_or(Num::Count, Num::Declared))
            }
            Thing::Table(table) => {
                let key = world.tables[table].key?;
                self.cost += 0.6;
                places.field(key, number.of.direction, None).map(Num::Distinct)
            }
            Thing::Field(field) => self.field_number(places, number, field),
            Thing::Term(..) => None,
        }
    }

    pub(super) fn field_number(&mut self, places: &mut Places<'_>, number: &SaidNum, field: FieldId) -> Option<Num> {
        let world = self.context.world;
        let known = &world.fields[field];
        let measured = known.kind.is_measure();
        if number.counted && known.kind == Kind::Time {
            return (known.table == self.fact).then_some(Num::Count);
        }
        if number.counted && !measured || number.different {
            if known.refers == Some(self.fact) {
                return Some(Num::Count);
            }
            // "how many people work for us" are no kinds of working time.
            if number.of.quality < 0.8 && !number.different && known.refers.is_none() {
                return None;
            }
            return places.field(field, number.of.direction, None).map(Num::Distinct);
        }
        if known.table != self.fact
            || !(measured
                || (matches!(known.kind, Kind::Year | Kind::Time)
                    && matches!(number.how, Some(Aggregate::Least | Aggregate::Greatest))))
        {
            return None;
        }
        let usual = if known.kind == Kind::Amount { Aggregate::Sum } else { Aggregate::Average };
        let how = if number.counted { Aggregate::Sum } else { number.how.unwrap_or(usual) };
        let how = match (&self.draft.rank, number.how) {
            // "the highest delay in June"
            (Some(rank), None) if self.roles.splits.is_empty() && !number.counted => match rank.end {
                Rank::Smallest => Aggregate::Least,
                Rank::Greatest => Aggregate::Greatest,
                Rank::Best | Rank::Worst => how,
            },
            _ => how,
        };
        places.field(field, number.of.direction, None).map(|place| Num::Of(how, place))
    }

    pub(super) fn groups(&mut self, places: &mut Places<'_>) -> Option<Vec<Group>> {
        let world = self.context.world;
        let mut groups: Vec<Group> = Vec::new();
        for split in &self.roles.splits {
            let made = match split {
                Split::Grain(grain) => {
                    let group = places.time(*grain)?;
                    let is_day = world.fields[group.place.field].column_type == Some(inlay_contract::data::ColumnType::Date);
                    if *grain == Grain::Hour && is_day {
                        return None;
                    }
                    vec![group]
                }
                Split::Thing(one) => places.things(*one)?,
            };
            for group in made {
                if !groups.contains(&group) {
                    groups.push(group);
                }
            }
        }
        Some(groups)
    }
}
