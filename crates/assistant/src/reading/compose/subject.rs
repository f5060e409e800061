//! What is counted where no number is said, and what is listed.

use super::hints::{end_of, gathered, hinted};
use super::{Roles, count_of, said, table_of};
use crate::language::cues::{Aggregate, Hint, Rank};
use crate::reading::draft::{Draft, Said, SaidNum, SaidRank, Split};
use crate::world::{Kind, TableId, Thing, World};
use std::cmp::Ordering;

/// What is counted where no number is said, and what is grouped by where a rank says of what. The first rule that fits decides.
pub(super) fn subject(draft: &Draft, world: &World, roles: &mut Roles, tables: &mut Vec<Said>, fields: &mut Vec<Said>) {
    let of_groups = |of: Said| matches!(of.thing, Thing::Table(_) | Thing::Declared(_) | Thing::Money(_));
    let ranked = draft.rank.is_some() || draft.bounds.iter().any(|bound| bound.of.is_some_and(of_groups));
    let mut subject = Subject { draft, world, roles, tables, fields, ranked };
    subject.ranked_things();
    let _ = !subject.roles.numbers.is_empty()
        || subject.rows_with_extreme()
        || subject.extreme()
        || subject.how_much()
        || subject.list()
        || subject.listing()
        || subject.table()
        || subject.of_value()
        || subject.of_term()
        || subject.busiest()
        || subject.best();
}

/// Looks for what a question is about. Each rule tells whether it fits.
struct Subject<'a> {
    draft: &'a Draft,
    world: &'a World,
    roles: &'a mut Roles,
    tables: &'a mut Vec<Said>,
    fields: &'a mut Vec<Said>,
    /// Some are wanted before others, or those that meet a condition on a number.
    ranked: bool,
}

impl Subject<'_> {
    fn count(&mut self, table: TableId) {
        self.roles.numbers.push(count_of(said(Thing::Table(table))));
    }

    fn measure(&mut self, how: Option<Aggregate>, of: Thing) {
        self.roles.numbers.push(SaidNum { how, counted: false, different: false, of: said(of) });
    }

    fn is_event(&self, one: Said) -> bool {
        matches!(one.thing, Thing::Table(table) if self.world.is_event(table))
    }

    /// The things that are ranked or must meet a condition.
    fn ranked_things(&mut self) {
        if !self.ranked || !self.roles.splits.is_empty() {
            return;
        }
        // "best selling drink", "printers with at least 10 tickets": the things that have the value.
        let things = self.draft.values.first().filter(|values| values.is_thing).and_then(|values| {
            let tables = values.found.iter().flatten().map(|found| self.world.fields[found.field].table);
            tables.into_iter().find(|table| self.world.is_named(*table) || !happens(self.world, *table))
        });
        let free = self.fields.is_empty() && self.tables.iter().all(|one| self.is_event(*one));
        if let Some(table) = things.filter(|_| free) {
            self.roles.splits.push(Split::Thing(Said { plural: self.draft.rank.is_none(), ..said(Thing::Table(table)) }));
            return;
        }
        let counted = |one: &Said| self.roles.numbers.iter().any(|number| number.of.thing == one.thing);
        if let Some(at) = self.fields.iter().position(|one| !counted(one)) {
            self.roles.splits.push(Split::Thing(self.fields.remove(at)));
        } else if let Some(at) = self.tables.iter().position(|one| !counted(one)) {
            let alone = self.tables.len() == 1 && self.roles.numbers.is_empty();
            let of_rows = matches!(self.draft.rank, Some(SaidRank { hint: Hint::Time | Hint::Length, .. }));
            if !(alone && of_rows && self.is_event(self.tables[at])) {
                self.roles.splits.push(Split::Thing(self.tables.remove(at)));
            }
        }
    }

    /// "the 20 longest delays": the rows that have them.
    fn rows_with_extreme(&mut self) -> bool {
        let Some(SaidRank { of: Some(of), count: Some(2..), is_top: false, .. }) = &self.draft.rank else { return false };
        let Thing::Field(field) = of.thing else { return false };
        if !self.roles.splits.is_empty() || !self.tables.is_empty() {
            return false;
        }
        self.roles.listed = Some(self.world.fields[field].table);
        true
    }

    /// "the most expensive product"
    fn extreme(&mut self) -> bool {
        let Some(rank) = &self.draft.rank else { return false };
        let Some(field) = hinted(self.world, rank.hint, self.roles, self.tables) else { return false };
        let how = gathered(rank.hint).unwrap_or(match end_of(self.world, rank, field) {
            Rank::Smallest => Aggregate::Least,
            _ => Aggregate::Greatest,
        });
        match self.tables.first().map(|one| one.thing) {
            Some(Thing::Table(table)) if self.roles.splits.is_empty() => self.roles.listed = Some(table),
            _ => self.measure(Some(how), Thing::Field(field)),
        }
        true
    }

    /// "how hot was it in May"
    fn how_much(&mut self) -> bool {
        let Some(hint) = self.draft.how_much.filter(|_| !self.ranked) else { return false };
        let Some(field) = hinted(self.world, hint, self.roles, self.tables) else { return false };
        self.measure(gathered(hint).or(Some(Aggregate::Average)), Thing::Field(field));
        let world = self.world;
        self.roles.mentioned.extend(self.tables.drain(..).filter_map(|one| table_of(world, one.thing)));
        true
    }

    /// "list the orders"
    fn list(&mut self) -> bool {
        if !self.draft.list || self.ranked || self.tables.len() != 1 {
            return false;
        }
        let world = self.world;
        self.roles.listed = table_of(world, self.tables.remove(0).thing);
        self.roles.splits.retain(|split| !matches!(split, Split::Grain(_)));
        let said = self.fields.len();
        self.fields.retain(|one| !matches!(one.thing, Thing::Field(field) if world.fields[field].kind == Kind::Time));
        // A time that nothing is asked of is hardly what the word meant.
        self.roles.cost += (said - self.fields.len()) as f32;
        true
    }

    /// "which products were never sold", "only the open orders"
    fn listing(&mut self) -> bool {
        let draft = self.draft;
        let listing = (draft.list || (draft.which || draft.only) && !draft.how_many) && !draft.share;
        let lacks = !draft.lacking.is_empty();
        if lacks || (listing && !self.ranked && self.roles.splits.is_empty() && self.tables.len() == 1) {
            let first = self.tables.first().and_then(|one| table_of(self.world, one.thing));
            self.roles.listed = first.or_else(|| focus_table(self.world, &self.roles.splits));
            if !self.tables.is_empty() {
                self.tables.remove(0);
            } else if self.roles.listed.is_some() && lacks {
                self.roles.splits.clear();
            }
            if self.roles.listed.is_some() {
                return true;
            }
        }
        let fits = listing && !self.ranked && self.tables.is_empty() && !self.roles.splits.is_empty() && !draft.trend;
        if let Some(table) = focus_table(self.world, &self.roles.splits).filter(|_| fits) {
            self.roles.splits.remove(0);
            self.roles.listed = Some(table);
        }
        fits
    }

    /// A table that is named: its rows are counted, or listed where they only meet conditions ("German customers").
    fn table(&mut self) -> bool {
        let event = self.tables.iter().position(|one| self.is_event(*one));
        let Some(at) = event.or_else(|| (!self.tables.is_empty()).then_some(0)) else { return false };
        let (one, draft) = (self.tables[at], self.draft);
        let alone = event.is_none() && self.roles.splits.is_empty() && self.fields.is_empty() && self.tables.len() == 1;
        let asks = draft.share || draft.chart.is_some() || draft.how_many || draft.versus || draft.trend;
        let narrowed = !draft.values.is_empty() || !draft.flags.is_empty() || !draft.bounds.is_empty();
        // "show me the orders of this customer this month"
        let listable = draft.show && self.roles.splits.is_empty() && self.fields.is_empty() && self.tables.len() == 1;
        let narrowed = narrowed || listable && (!draft.terms.is_empty() || !draft.periods.is_empty());
        if (alone || listable) && !asks && !draft.growth && draft.rank.is_none() && narrowed {
            self.roles.listed = table_of(self.world, one.thing);
        } else if let Some(amount) =
            table_of(self.world, one.thing).and_then(|table| amount(self.world, table)).filter(|_| draft.amount)
        {
            self.measure(Some(Aggregate::Sum), amount);
        } else {
            self.roles.numbers.push(count_of(one));
        }
        self.tables.remove(at);
        true
    }

    /// "how many women": the rows that have the value, of people first.
    fn of_value(&mut self) -> bool {
        let several = self.draft.values.iter().any(|values| values.found.len() > 1 || values.beside);
        let compared = self.draft.versus && (several || self.draft.periods.len() > 1);
        let counts = self.draft.how_many || self.draft.share || compared;
        let Some(values) = self.draft.values.first().filter(|_| counts && self.tables.is_empty()) else { return false };
        let holds = |field: usize| values.found.iter().all(|one| one.iter().any(|found| found.field == field));
        let fields = values.found.iter().flatten().map(|found| found.field).filter(|field| holds(*field));
        let tables = fields.map(|field| self.world.fields[field].table);
        let most = tables.max_by_key(|table| (self.world.tables[*table].is_people, std::cmp::Reverse(*table)));
        // "portal vs phone": what happened there.
        let world = self.world;
        let of_event = |table: TableId| match happens(world, table) {
            true => table,
            false => most_eventful(world, |from| world.reaches(from, table)).unwrap_or(table),
        };
        let most = most.map(|table| if self.draft.how_many { table } else { of_event(table) });
        if let Some(table) = most {
            self.count(table);
        }
        true
    }

    /// "how many were late"
    fn of_term(&mut self) -> bool {
        let Some((field, ..)) = self.draft.terms.first() else { return false };
        let fits = self.draft.rank.is_none() && self.tables.is_empty();
        if fits {
            self.count(self.world.fields[*field].table);
        }
        fits
    }

    /// "the busiest day"
    fn busiest(&mut self) -> bool {
        let (true, Some(Split::Grain(_))) = (self.ranked, self.roles.splits.first()) else { return false };
        let world = self.world;
        let most = most_eventful(world, |table| world.time_of(table).is_some());
        if let Some(table) = most {
            self.count(table);
        }
        true
    }

    /// "top customers": by what they are most, money before rows.
    fn best(&mut self) -> bool {
        let hint = self.draft.rank.as_ref().map(|rank| rank.hint);
        if !self.ranked || hint.is_some_and(|hint| !matches!(hint, Hint::Named | Hint::Count)) {
            return false;
        }
        let Some(Split::Thing(one)) = self.roles.splits.first().copied() else { return false };
        let Some(table) = table_of(self.world, one.thing) else { return false };
        self.roles.cost += 0.4;
        let declared = declared_money(self.world, table);
        if matches!(one.thing, Thing::Field(_))
            && self.world.is_event(table)
            && (declared.is_none() || hint == Some(Hint::Count))
        {
            self.count(table);
        } else if let Some(number) = declared.or_else(|| money(self.world, table)).or_else(|| paid(self.world, table)) {
            self.measure(None, number);
        } else if let Some(fact) = most_rows(self.world, table) {
            self.count(fact);
        }
        true
    }
}

/// The amount of a table's own rows, if there is one: "how much in fees is unpaid".
fn amount(world: &World, table: TableId) -> Option<Thing> {
    let sums = |known: &crate::world::Declared| {
        known.facts == [table] && known.aggregate == Some(inlay_contract::model::Aggregate::Sum)
    };
    let whole = |known: &crate::world::Declared| {
        known.called.iter().flatten().any(|word| matches!(word.as_str(), "amount" | "total" | "revenue"))
    };
    let declared = (0..world.numbers.len()).find(|at| sums(&world.numbers[*at]) && whole(&world.numbers[*at]));
    let mut amounts = world.fields_of(table).filter(|(_, field)| field.kind == Kind::Amount).map(|(at, _)| at);
    let field = amounts.next().filter(|_| amounts.next().is_none());
    declared.map(Thing::Declared).or_else(|| field.map(Thing::Field))
}

/// A declared number that is called like money, of rows that belong to a table.
fn declared_money(world: &World, table: TableId) -> Option<Thing> {
    let is_money = |words: &[Vec<String>]| {
        words.iter().flatten().any(|word| matches!(word.as_str(), "revenue" | "sale" | "turnover" | "total" | "amount"))
    };
    let leads =
        |number: &usize| world.numbers[*number].facts.first().is_some_and(|fact| world.reaches(*fact, table) && *fact != table);
    let numbers = (0..world.numbers.len()).filter(leads).filter(|number| is_money(&world.numbers[*number].called));
    numbers.min_by_key(|number| super::roles::takes(&world.numbers[*number].called)).map(Thing::Declared)
}

/// Price times quantity, of rows that belong to a table.
fn money(world: &World, table: TableId) -> Option<Thing> {
    let sold = |money: &crate::world::Money| !money.is_stock && world.reaches(money.table, table);
    world.money.iter().position(sold).map(Thing::Money)
}

/// The table with the most rows that belong to another's.
fn most_rows(world: &World, table: TableId) -> Option<TableId> {
    let facts = (0..world.tables.len()).filter(|fact| *fact != table && world.reaches(*fact, table));
    facts.max_by(|a, b| world.tables[*a].rows.unwrap_or_default().total_cmp(&world.tables[*b].rows.unwrap_or_default()))
}

/// The column of what was paid in rows that belong to a table.
fn paid(world: &World, table: TableId) -> Option<Thing> {
    let thing = super::roles::money(world)?;
    matches!(thing, Thing::Field(field) if world.fields[field].table != table && world.reaches(world.fields[field].table, table))
        .then_some(thing)
}

/// Whether a table's rows are what happens. Tickets have a subject, which may look like a name, and happen all the same.
pub(super) fn happens(world: &World, table: TableId) -> bool {
    let known = &world.tables[table];
    let refers = world.fields_of(table).filter(|(_, field)| field.refers.is_some()).count();
    world.is_event(table) || known.time.is_some() && refers > 1 && !known.is_people
}

/// The table of what happens, among some.
fn most_eventful(world: &World, fits: impl Fn(TableId) -> bool) -> Option<TableId> {
    let events = (0..world.tables.len()).filter(|table| happens(world, *table) && fits(*table));
    events.max_by(|a, b| eventful(world, *a).partial_cmp(&eventful(world, *b)).unwrap_or(Ordering::Equal))
}

/// How likely a table's rows are what happens: those with a time of their own, with most links, then the most.
fn eventful(world: &World, table: TableId) -> (bool, usize, f64) {
    let refers = world.fields_of(table).filter(|(_, field)| field.refers.is_some()).count();
    (world.tables[table].time.is_some(), refers, world.tables[table].rows.unwrap_or_default())
}

pub(super) fn focus_table(world: &World, splits: &[Split]) -> Option<TableId> {
    splits.iter().find_map(|split| match split {
        Split::Thing(Said { thing: Thing::Table(table), .. }) => Some(*table),
        Split::Thing(Said { thing: Thing::Field(field), .. }) => world.fields[*field].refers,
        _ => None,
    })
}
