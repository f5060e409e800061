//! What of the data a meaning uses.

use crate::reading::meaning::{Condition, Meaning, Num, Place};
use crate::world::{FieldId, TableId, World};
use std::collections::HashSet;

/// What of the data a meaning uses.
#[derive(Default)]
pub(super) struct Used {
    pub tables: HashSet<TableId>,
    pub fields: HashSet<FieldId>,
    /// Measures and metrics of the model.
    pub declared: HashSet<usize>,
    /// The conditions, those of numbers too.
    pub conditions: Vec<Condition>,
    /// The fields of numbers.
    pub measured: HashSet<FieldId>,
    /// The longest way, in keys.
    pub hops: usize,
    /// Whether a key was chosen among several that lead to the same table.
    pub chose_way: bool,
}

impl Used {
    pub fn by(meaning: &Meaning, world: &World) -> Self {
        let mut used = Self::default();
        used.tables.insert(meaning.fact);
        used.tables.extend(meaning.lacking);
        meaning.numbers.iter().for_each(|number| used.number(number, meaning, world));
        meaning.groups.iter().for_each(|group| used.place(&group.place, meaning, world));
        for condition in meaning.conditions.iter().chain(&meaning.lacking_where) {
            used.condition(condition, meaning, world);
        }
        used.fields.extend(meaning.rows.flatten());
        used
    }

    fn place(&mut self, place: &Place, meaning: &Meaning, world: &World) {
        self.fields.insert(place.field);
        self.fields.extend(&place.way.fields);
        for field in place.way.fields.iter().chain([&place.field]) {
            self.tables.insert(world.fields[*field].table);
            self.tables.extend(world.fields[*field].refers);
        }
        self.hops = self.hops.max(place.way.columns.len());
        self.chose_way |= world.ways(meaning.fact, world.fields[place.field].table).len() > 1;
    }

    fn condition(&mut self, condition: &Condition, meaning: &Meaning, world: &World) {
        self.place(condition.place(), meaning, world);
        self.conditions.push(condition.clone());
    }

    fn number(&mut self, number: &Num, meaning: &Meaning, world: &World) {
        match number {
            Num::Count => {}
            Num::Declared(at) => {
                self.declared.insert(*at);
                self.tables.extend(&world.numbers[*at].facts);
            }
            Num::Money(at) => {
                let money = world.money[*at];
                self.measured.extend([money.price, money.quantity]);
            }
            Num::Distinct(place) | Num::Of(_, place) | Num::Spread(place) => {
                self.measured.insert(place.field);
                self.place(place, meaning, world);
            }
            Num::Matching(of, conditions) | Num::Part(of, conditions) => {
                self.number(of, meaning, world);
                conditions.iter().for_each(|condition| self.condition(condition, meaning, world));
            }
            Num::Out(one, other) | Num::Per(one, other) => {
                self.number(one, meaning, world);
                self.number(other, meaning, world);
            }
            Num::OfTotal(of) | Num::Running(of) | Num::Moving(of, _) | Num::InUnit(of, ..) => self.number(of, meaning, world),
            Num::PerPeriod(time, _, of) => {
                self.place(time, meaning, world);
                if let Some(of) = of {
                    self.measured.insert(of.field);
                    self.place(of, meaning, world);
                }
            }
            Num::Growth(of, time, _) => {
                self.number(of, meaning, world);
                self.place(time, meaning, world);
            }
        }
    }
}
