//! Last stage: the query of the semantic model that answers a meaning, or the question about single rows.

mod conditions;
mod numbers;
mod rows;

use crate::language::grain::Grain;
use crate::language::words::spaced;
use crate::reading::meaning::{Condition, Group, Meaning, Num, Place};
use crate::world::World;
use inlay_contract::chart::question;
use inlay_contract::chart::question::Cycle;
use inlay_contract::filter::Scalar;
use inlay_contract::model::{ModelGroup, ModelHaving, ModelOrder, ModelQuery, Top};
pub(crate) use rows::{can_narrow, per_period, rows, spread};
use serde_json::Value;

/// A query with the names of its columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    pub query: ModelQuery,
    /// The columns of the groups.
    pub groups: Vec<String>,
    /// The columns of the numbers.
    pub numbers: Vec<String>,
}

/// The query that answers a meaning. `None` if no query does.
pub(crate) fn asked(meaning: &Meaning, world: &World) -> Option<Asked> {
    let mut asking = Asking { world, meaning, query: ModelQuery::default(), names: Vec::new() };
    if meaning.rows.is_some() {
        asking.columns();
    }
    let groups = asking.groups();
    let mut numbers = Vec::new();
    for number in &meaning.numbers {
        numbers.push(asking.number(number, &[])?);
    }
    let numbers = if let Some(lacking) = meaning.lacking { asking.lacking(lacking)? } else { numbers };
    // "customers from the Brooklyn store": only the orders tell who they are.
    let places = meaning.groups.iter().map(|group| &group.place).chain(meaning.conditions.iter().map(Condition::place));
    let joined = numbers.is_empty() && meaning.rows.is_none() && places.into_iter().any(|place| !place.way.columns.is_empty());
    let counted = if joined { Some(asking.number(&Num::Count, &[])?) } else { None };
    for condition in &meaning.conditions {
        let filters = asking.condition(condition)?;
        asking.query.filters.extend(filters);
    }
    asking.query.measures.clone_from(&numbers);
    asking.query.measures.extend(counted);
    if let Some(first) = numbers.first() {
        for (comparison, than) in &meaning.having {
            asking.query.having.push(ModelHaving { measure: first.clone(), comparison: *comparison, than: *than });
        }
        if let Some(descending) = meaning.descending {
            asking.query.sort.push(ModelOrder { by: first.clone(), descending });
        }
    }
    match (meaning.limit, meaning.of_each) {
        (Some(rows), true) => {
            let per = groups.first().cloned()?;
            asking.query.top = Some(Top { rows, per: vec![per.clone()] });
            asking.query.sort.insert(0, ModelOrder { by: per, descending: false });
        }
        (limit, _) => asking.query.limit = limit,
    }
    Some(Asked { query: asking.query, groups, numbers })
}

struct Asking<'a> {
    world: &'a World,
    meaning: &'a Meaning,
    query: ModelQuery,
    names: Vec<String>,
}

fn scalar(value: &Value) -> Option<Scalar> {
    match value {
        Value::String(text) => Some(Scalar::Text(text.clone())),
        Value::Number(number) => Some(Scalar::Number(number.clone())),
        Value::Bool(on) => Some(Scalar::Boolean(*on)),
        _ => None,
    }
}

/// The period or the part of a week or day that times are split into. What is as fine as fits is months here, unless it is settled before.
const fn split(grain: Grain) -> (Option<question::Grain>, Option<Cycle>) {
    match grain {
        Grain::Day => (Some(question::Grain::Day), None),
        Grain::Week => (Some(question::Grain::Week), None),
        Grain::Month | Grain::Fitting => (Some(question::Grain::Month), None),
        Grain::Quarter => (Some(question::Grain::Quarter), None),
        Grain::Year => (Some(question::Grain::Year), None),
        Grain::Weekday => (None, Some(Cycle::Weekday)),
        Grain::Hour => (None, Some(Cycle::Hour)),
        Grain::PartOfWeek => (None, Some(Cycle::PartOfWeek)),
    }
}

impl Asking<'_> {
    fn groups(&mut self) -> Vec<String> {
        let mut columns = Vec::new();
        for group in &self.meaning.groups {
            let wish = self.group_name(group);
            let alias = self.name(&wish);
            let (grain, cycle) = group.grain.map_or((None, None), split);
            let (name, via) = self.dimension(&group.place);
            self.query.dimensions.push(ModelGroup { name, via, grain, cycle, alias: Some(alias.clone()) });
            columns.push(alias);
        }
        columns
    }

    /// All columns of the rows themselves.
    fn columns(&mut self) {
        for (at, field) in self.world.fields_of(self.meaning.fact).filter(|(_, field)| field.is_column) {
            self.names.push(field.name.clone());
            self.query.dimensions.push(ModelGroup::of(self.world.full(at)));
        }
        let by = self.meaning.rows.flatten().or(self.world.tables[self.meaning.fact].time);
        let by = by.map(|by| ModelOrder {
            by: self.world.fields[by].name.clone(),
            descending: self.meaning.descending.unwrap_or(true),
        });
        self.query.sort.extend(by);
    }

    /// A field's name in queries and the way to it, where there are several.
    fn dimension(&self, place: &Place) -> (String, Option<String>) {
        let table = self.world.fields[place.field].table;
        let several = self.world.ways(self.meaning.fact, table).len() > 1;
        (self.world.full(place.field), (several && !place.way.columns.is_empty()).then(|| place.way.via()))
    }

    fn group_name(&self, group: &Group) -> String {
        match group.grain {
            Some(grain) => grain.words().to_owned(),
            None => {
                let field = &self.world.fields[group.place.field];
                match group.place.way.columns.last() {
                    Some(key)
                        if matches!(field.name.to_lowercase().as_str(), "name" | "title" | "city" | "state" | "country") =>
                    {
                        format!("{} {}", spaced(key).trim_end_matches(" id"), spaced(&field.name))
                    }
                    _ => spaced(&field.name),
                }
            }
        }
    }

    /// A name that formulas can hold and nothing else in the query or the model has.
    fn name(&mut self, wish: &str) -> String {
        let plain: String =
            wish.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' }).collect();
        let mut plain: String = plain.trim_matches('_').chars().take(40).collect();
        if !plain.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            plain.insert_str(0, "n_");
        }
        let taken = |name: &str, names: &[String]| {
            let is = |known: &str| known.eq_ignore_ascii_case(name);
            names.iter().any(|known| is(known)) || self.world.numbers.iter().any(|number| is(&number.name))
        };
        let mut name = plain.clone();
        let mut count = 2;
        while taken(&name, &self.names) {
            name = format!("{plain}_{count}");
            count += 1;
        }
        self.names.push(name.clone());
        name
    }
}
