//! Third stage: finds the rows from which all that was said can be answered, and gives each thing its role.

mod conditions;
mod forms;
mod hints;
mod newest;
mod numbers;
mod rank;
mod roles;
mod sense;
mod settled;
mod shapes;
mod subject;
mod times;

use crate::reading::draft::{Draft, Said, SaidNum, Split};
use crate::reading::meaning::{Meaning, Num};
use crate::reading::places::Places;
use crate::world::{FieldId, TableId, Thing, World};
use chrono::NaiveDate;
pub(crate) use rank::{less_is_better, worse};
use roles::roles;
use settled::settled;

/// "Which have the most …" is so many rows.
const MOST: u32 = 10;

/// What questions are read with.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub world: &'a World,
    pub today: NaiveDate,
}

/// What was said, with a role for each thing. The rows are not found yet.
#[derive(Clone, Debug, Default)]
struct Roles {
    numbers: Vec<SaidNum>,
    splits: Vec<Split>,
    /// Tables that are only mentioned.
    mentioned: Vec<TableId>,
    /// The table whose rows are listed.
    listed: Option<TableId>,
    /// The time that a word names, by which rows are split.
    time: Option<FieldId>,
    /// How many different numbers are said.
    stated: usize,
    /// All rows of the table are said beside a declared count of some of them.
    counts_all: bool,
    /// Only groups that have some of the number.
    some: bool,
    /// Things are said whose part in the question is a guess.
    is_odd: bool,
    /// What guesses about the roles cost.
    cost: f32,
}

/// The meaning of a draft, and what it costs: the less, the better it fits.
pub(crate) fn compose(draft: &Draft, context: Context<'_>) -> Option<(Meaning, f32)> {
    composed(draft, context).into_iter().next()
}

/// The meanings of a draft over the rows of each table that can answer it, the best first, each with its cost.
pub(crate) fn composed(draft: &Draft, context: Context<'_>) -> Vec<(Meaning, f32)> {
    let draft = &settled(draft, context.world);
    let roles = roles(draft, context.world);
    // Numbers that no word joins are hardly two: "daily riders Monroe" is one that is not known, and no sum of both.
    if roles.stated > 1 + draft.joins || roles.is_odd {
        return Vec::new();
    }
    let facts = 0..context.world.tables.len();
    let found = facts.filter_map(|fact| Composer { context, draft, roles: &roles, fact, cost: roles.cost }.meaning());
    let mut found: Vec<(Meaning, f32)> = found.collect();
    found.sort_by(|a, b| a.1.total_cmp(&b.1));
    found
}

fn is_number(world: &World, said: Said) -> bool {
    match said.thing {
        Thing::Declared(_) | Thing::Money(_) => true,
        Thing::Field(field) => world.fields[field].kind.is_measure(),
        _ => false,
    }
}

fn count_of(of: Said) -> SaidNum {
    SaidNum { how: None, counted: true, different: false, of }
}

fn said(thing: Thing) -> Said {
    Said { thing, owner: None, direction: None, quality: 1.0, plural: true }
}

fn is_people(world: &World, one: Said) -> bool {
    matches!(one.thing, Thing::Table(table) if world.tables[table].is_people)
}

fn table_of(world: &World, thing: Thing) -> Option<TableId> {
    match thing {
        Thing::Table(table) => Some(table),
        Thing::Field(field) | Thing::Term(field, ..) => Some(world.fields[field].table),
        Thing::Money(money) => Some(world.money[money].table),
        Thing::Declared(number) => world.numbers[number].facts.first().copied(),
    }
}

/// A number as it is said without an aggregate of its own.
fn plain(draft: &Draft, of: Said) -> SaidNum {
    SaidNum { how: draft.how, counted: false, different: false, of }
}

/// Tries to answer from the rows of one table.
struct Composer<'a> {
    context: Context<'a>,
    draft: &'a Draft,
    roles: &'a Roles,
    fact: TableId,
    cost: f32,
}

impl Composer<'_> {
    /// Its numbers, each once.
    fn numbers(&mut self, places: &mut Places<'_>) -> Option<Vec<Num>> {
        let mut numbers = Vec::new();
        for number in &self.roles.numbers {
            let made = self.number(places, number)?;
            if !numbers.contains(&made) {
                numbers.push(made);
            }
        }
        Some(numbers)
    }

    fn meaning(mut self) -> Option<(Meaning, f32)> {
        let world = self.context.world;
        if self.roles.time.is_some_and(|time| !world.reaches(self.fact, world.fields[time].table)) {
            return None;
        }
        let of_period = self.draft.periods.iter().find_map(|period| period.of);
        let time = of_period.or(self.roles.time).or(self.draft.time).or_else(|| self.time_of_words());
        let mut places = Places::new(world, self.fact, time);
        let listed = self.roles.listed;
        if let Some(table) = listed
            && !world.reaches(self.fact, table)
        {
            return None;
        }
        let fields = self.roles.splits.iter().filter_map(|split| {
            if let Split::Thing(Said { thing: Thing::Field(field), .. }) = split { Some(*field) } else { None }
        });
        places.preferred = fields.collect();
        if self.roles.numbers.is_empty() && listed.is_none() && self.roles.splits.is_empty() {
            return None;
        }
        let mut numbers = self.numbers(&mut places)?;
        let mut groups = self.groups(&mut places)?;
        // "patients by age group" are hardly a list.
        if numbers.is_empty() && listed.is_none() && !self.draft.list && !self.draft.splits.is_empty() {
            self.cost += 1.0;
        }
        // "attended and cancelled by year": how many.
        if numbers.is_empty() && listed.is_none() && !self.draft.list && groups.iter().any(|group| group.grain.is_some()) {
            numbers.push(Num::Count);
        }
        self.cost += f32::from(u8::from(self.draft.lacks_part));
        // "how many customers had no orders in 1998"
        let counted =
            self.draft.how_many && matches!(numbers.as_slice(), [Num::Count] | [Num::Declared(_)]) && groups.is_empty();
        let lacks = numbers.is_empty() && listed == Some(self.fact) || counted;
        if lacks && !self.draft.lacking.is_empty() && !self.draft.periods.is_empty() {
            return self.lacking_in_time(groups, places, counted);
        }
        let mut conditions = self.conditions(&mut places, &mut groups)?;
        conditions.extend(self.newest(&numbers, &groups, &conditions));
        self.mentioned()?;
        let mut meaning = Meaning { numbers, groups, conditions, chart: self.draft.chart, ..Meaning::of(self.fact) };
        self.list(&mut places, &mut meaning)?;
        self.having(&mut meaning)?;
        self.lacking(&mut meaning)?;
        self.forms(&mut places, &mut meaning)?;
        self.rank(&mut meaning)?;
        self.in_unit(&mut meaning);
        if meaning.numbers.is_empty() && meaning.groups.is_empty() && meaning.rows.is_none() {
            return None;
        }
        self.makes_sense(&meaning).then_some((meaning, self.cost + places.cost))
    }
}
