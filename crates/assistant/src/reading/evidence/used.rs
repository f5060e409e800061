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
}

impl Used {
    pub fn by(meaning: &Meaning, world: &World) -> Self {
        let mut used = Self::default();
        used.tables.insert(meaning.fact);
        used.tables.extend(meaning.lacking);
        meaning.numbers.iter().for_each(|number| used.number(number, world));
        meaning.groups.iter().for_each(|group| used.place(&group.place, world));
        for condition in meaning.conditions.iter().chain(&meaning.lacking_where) {
            used.condition(condition, world);
        }
        used.fields.extend(meaning.rows.flatten());
        used
    }

    fn place(&mut self, place: &Place, world: &World) {
        self.fields.insert(place.field);
        self.fields.extend(&place.way.fields);
        for field in place.way.fields.iter().chain([&place.field]) {
            self.tables.insert(world.fields[*field].table);
            self.tables.extend(world.fields[*field].refers);
        }
    }

    fn condition(&mut self, condition: &Condition, world: &World) {
        self.place(condition.place(), world);
        self.conditions.push(condition.clone());
    }

    fn number(&mut self, number: &Num, world: &World) {
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
                self.place(place, world);
            }
            Num::Matching(of, conditions) | Num::Part(of, conditions) => {
                self.number(of, world);
                conditions.iter().for_each(|condition| self.condition(condition, world));
            }
            Num::Out(one, other) | Num::Per(one, other) => {
                self.number(one, world);
                self.number(other, world);
            }
            Num::OfTotal(of) | Num::Running(of) | Num::Moving(of, _) | Num::InUnit(of, ..) => self.number(of, world),
            Num::PerPeriod(time, _, of) => {
                self.place(time, world);
                if let Some(of) = of {
                    self.measured.insert(of.field);
                    self.place(of, world);
                }
            }
            Num::Growth(of, time, _) => {
                self.number(of, world);
                self.place(time, world);
            }
        }
    }
}
