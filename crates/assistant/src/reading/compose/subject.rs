//! What is counted where no number is said, and what is listed.

use super::{Roles, count_of, said, table_of};
use crate::language::cues::{Aggregate, Hint, Rank};
use crate::reading::draft::{Draft, Said, SaidNum, SaidRank, Split};
use crate::world::{FieldId, Kind, TableId, Thing, World};
use std::cmp::Ordering;

/// What is counted where no number is said, and what is grouped by where a rank says of what.
pub(super) fn subject(draft: &Draft, world: &World, roles: &mut Roles, tables: &mut Vec<Said>, fields: &mut Vec<Said>) {
    let has_bound = draft
        .bounds
        .iter()
        .any(|bound| bound.of.is_some_and(|of| matches!(of.thing, Thing::Table(_) | Thing::Declared(_) | Thing::Money(_))));
    let ranked = draft.rank.is_some() || has_bound;
    // The things that are ranked or must meet a condition.
    if ranked && roles.splits.is_empty() {
        let counted = |one: &Said| roles.numbers.iter().any(|number| number.of.thing == one.thing);
        if let Some(at) = fields.iter().position(|one| !counted(one)) {
            roles.splits.push(Split::Thing(fields.remove(at)));
        } else if let Some(at) = tables.iter().position(|one| !counted(one)) {
            let alone = tables.len() == 1 && roles.numbers.is_empty();
            if !(alone
                && matches!(draft.rank, Some(SaidRank { hint: Hint::Time | Hint::Length, .. }))
                && world.is_event(table_of(world, tables[at].thing).unwrap_or_default()))
            {
                roles.splits.push(Split::Thing(tables.remove(at)));
            }
        }
    }
    if !roles.numbers.is_empty() {
        return;
    }
    // "the 20 longest delays": the rows that have them.
    if let Some(SaidRank { of: Some(of), count: Some(2..), is_top: false, .. }) = &draft.rank
        && let Thing::Field(field) = of.thing
        && roles.splits.is_empty()
        && tables.is_empty()
    {
        roles.listed = Some(world.fields[field].table);
        return;
    }
    // "the most expensive product"
    if let Some(rank) = &draft.rank
        && let Some(field) = hinted(world, rank.hint, roles, tables)
    {
        let how = gathered(rank.hint).unwrap_or(match end_of(world, rank, field) {
            Rank::Smallest => Aggregate::Least,
            _ => Aggregate::Greatest,
        });
        if let Some(Thing::Table(table)) = tables.first().map(|one| one.thing)
            && roles.splits.is_empty()
        {
            roles.listed = Some(table);
            return;
        }
        roles.numbers.push(SaidNum { how: Some(how), counted: false, different: false, of: said(Thing::Field(field)) });
        return;
    }
    // "how hot was it in May"
    if let Some(hint) = draft.how_much.filter(|_| !ranked)
        && let Some(field) = hinted(world, hint, roles, tables)
    {
        let how = gathered(hint).or(Some(Aggregate::Average));
        roles.numbers.push(SaidNum { how, counted: false, different: false, of: said(Thing::Field(field)) });
        roles.mentioned.extend(tables.drain(..).filter_map(|one| table_of(world, one.thing)));
        return;
    }
    let events = |one: &Said| matches!(one.thing, Thing::Table(table) if world.is_event(table));
    if draft.list && !ranked && tables.len() == 1 {
        roles.listed = table_of(world, tables.remove(0).thing);
        roles.splits.retain(|split| !matches!(split, Split::Grain(_)));
        fields.retain(|one| !matches!(one.thing, Thing::Field(field) if world.fields[field].kind == Kind::Time));
        return;
    }
    let listing = (draft.list || (draft.which || draft.only) && !draft.how_many) && !draft.share;
    if !draft.lacking.is_empty() || (listing && !ranked && roles.splits.is_empty() && tables.len() == 1) {
        roles.listed = tables.first().and_then(|one| table_of(world, one.thing)).or_else(|| focus_table(world, &roles.splits));
        if !tables.is_empty() {
            tables.remove(0);
        } else if roles.listed.is_some() && !draft.lacking.is_empty() {
            roles.splits.clear();
        }
        if roles.listed.is_some() {
            return;
        }
    }
    if listing && !ranked && tables.is_empty() && !roles.splits.is_empty() && !draft.share && !draft.trend {
        if let Some(table) = focus_table(world, &roles.splits) {
            roles.splits.remove(0);
            roles.listed = Some(table);
        }
        return;
    }
    if let Some(at) = tables.iter().position(events).or_else(|| (!tables.is_empty()).then_some(0)) {
        let one = tables[at];
        let thing_alone = !events(&one)
            && roles.splits.is_empty()
            && fields.is_empty()
            && tables.len() == 1
            && !draft.share
            && draft.chart.is_none()
            && !draft.how_many;
        if thing_alone
            && !draft.versus
            && !draft.trend
            && draft.rank.is_none()
            && (!draft.values.is_empty() || !draft.flags.is_empty() || !draft.bounds.is_empty())
        {
            roles.listed = table_of(world, one.thing);
        } else {
            roles.numbers.push(count_of(one));
        }
        tables.remove(at);
        return;
    }
    // "how many women": the rows that have the value, of people first.
    if draft.how_many
        && let Some(values) = draft.values.first()
    {
        let tables = values.found.iter().flatten().map(|found| world.fields[found.field].table);
        let most = tables.max_by_key(|table| (world.tables[*table].is_people, std::cmp::Reverse(*table)));
        roles.numbers.extend(most.map(|table| count_of(said(Thing::Table(table)))));
        return;
    }
    if let Some((field, ..)) = draft.terms.first().filter(|_| draft.rank.is_none() && tables.is_empty()) {
        roles.numbers.push(count_of(said(Thing::Table(world.fields[*field].table))));
        return;
    }
    // "the busiest day"
    if let (true, Some(Split::Grain(_))) = (ranked, roles.splits.first()) {
        let events = (0..world.tables.len()).filter(|table| world.is_event(*table) && world.time_of(*table).is_some());
        let most = events.max_by(|a, b| eventful(world, *a).partial_cmp(&eventful(world, *b)).unwrap_or(Ordering::Equal));
        roles.numbers.extend(most.map(|table| count_of(said(Thing::Table(table)))));
        return;
    }
    // "top customers": by what they are most.
    let named = draft.rank.as_ref().is_none_or(|rank| matches!(rank.hint, Hint::Named | Hint::Count));
    if ranked
        && named
        && let Some(Split::Thing(one)) = roles.splits.first()
        && let Some(table) = table_of(world, one.thing)
    {
        let money = (0..world.money.len())
            .find(|money| !world.money[*money].is_stock && world.reaches(world.money[*money].table, table));
        let money_words = |words: &[Vec<String>]| {
            words.iter().flatten().any(|word| matches!(word.as_str(), "revenue" | "sale" | "turnover" | "total" | "amount"))
        };
        let leads = |number: &usize| {
            world.numbers[*number].facts.first().is_some_and(|fact| world.reaches(*fact, table) && *fact != table)
        };
        let declared = (0..world.numbers.len()).filter(leads).find(|number| money_words(&world.numbers[*number].called));
        let fact = (0..world.tables.len())
            .filter(|fact| *fact != table && world.reaches(*fact, table))
            .max_by(|a, b| world.tables[*a].rows.unwrap_or_default().total_cmp(&world.tables[*b].rows.unwrap_or_default()));
        roles.cost += 0.4;
        let of_field = matches!(one.thing, Thing::Field(_)) && world.is_event(table);
        if of_field && (declared.is_none() || draft.rank.as_ref().is_some_and(|rank| rank.hint == Hint::Count)) {
            roles.numbers.push(count_of(said(Thing::Table(table))));
        } else if let Some(number) =
            declared.map(Thing::Declared).or_else(|| money.map(Thing::Money)).or_else(|| paid(world, table))
        {
            roles.numbers.push(SaidNum { how: None, counted: false, different: false, of: said(number) });
        } else if let Some(fact) = fact {
            roles.numbers.push(count_of(said(Thing::Table(fact))));
        }
    }
}

/// The column of what was paid in rows that belong to a table.
fn paid(world: &World, table: TableId) -> Option<Thing> {
    let thing = super::roles::money(world)?;
    matches!(thing, Thing::Field(field) if world.fields[field].table != table && world.reaches(world.fields[field].table, table))
        .then_some(thing)
}

/// What says how old a table's rows are: an age, a day of birth, or when they happened.
fn age(world: &World, table: TableId) -> Option<FieldId> {
    let called =
        |field: &crate::world::Field, words: &[&str]| field.called.iter().flatten().any(|word| words.contains(&word.as_str()));
    let years = world.fields_of(table).find(|(_, field)| field.kind.is_measure() && called(field, &["age"]));
    let birth =
        || world.fields_of(table).find(|(_, field)| field.kind == Kind::Time && called(field, &["birth", "born", "birthday"]));
    years.or_else(birth).map(|(at, _)| at).or(world.tables[table].time)
}

/// The end of a ranking: the oldest have the greatest age, or the first day.
pub(super) fn end_of(world: &World, rank: &SaidRank, field: FieldId) -> Rank {
    match (rank.end, rank.hint == Hint::Age && world.fields[field].kind == Kind::Time) {
        (Rank::Greatest, true) => Rank::Smallest,
        (Rank::Smallest, true) => Rank::Greatest,
        (end, _) => end,
    }
}

/// How likely a table's rows are what happens: those with a time of their own that others do not divide, then the most.
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

/// How rows become what a word such as "hottest" is about; a single row's value where it is not said here.
const fn gathered(hint: Hint) -> Option<Aggregate> {
    match hint {
        Hint::Heat | Hint::Wind | Hint::Wealth | Hint::Pay => Some(Aggregate::Average),
        Hint::Rain | Hint::Crowd | Hint::Profit => Some(Aggregate::Sum),
        _ => None,
    }
}

/// The field that a word such as "expensive" or "oldest" is about.
pub(super) fn hinted(world: &World, hint: Hint, roles: &Roles, tables: &[Said]) -> Option<FieldId> {
    let words: &[&str] = match hint {
        Hint::Length => &["distance", "length", "duration", "milliseconds", "mile", "hour", "minute", "second", "time"],
        Hint::Price => &["price", "cost", "amount", "fee", "fare", "total", "salary"],
        Hint::Size => &["weight", "size", "volume"],
        Hint::Speed => &["speed", "duration", "time"],
        Hint::Heat => &["temperature", "heat"],
        Hint::Rain => &["precipitation", "rain", "rainfall"],
        Hint::Wind => &["wind"],
        Hint::Wealth => &["gdp", "income", "wealth"],
        Hint::Crowd => &["population", "inhabitant"],
        Hint::Profit => &["profit", "margin"],
        Hint::Pay => &["salary", "wage", "pay", "compensation", "income"],
        Hint::Age | Hint::Time | Hint::Named | Hint::Count => &[],
    };
    let of_splits =
        roles.splits.iter().filter_map(|split| if let Split::Thing(one) = split { table_of(world, one.thing) } else { None });
    let mut tables: Vec<TableId> = of_splits.chain(tables.iter().filter_map(|one| table_of(world, one.thing))).collect();
    // "the hottest month": of whatever is measured so.
    if tables.is_empty() {
        tables = (0..world.tables.len()).collect();
    }
    if hint == Hint::Time {
        return tables.iter().find_map(|table| world.tables[*table].time);
    }
    if hint == Hint::Age {
        return tables.iter().find_map(|table| age(world, *table));
    }
    let has = |field: &crate::world::Field, word: &str| field.called.iter().flatten().any(|known| known == word);
    let within = |table: TableId| {
        words.iter().find_map(|word| {
            world.fields_of(table).find(|(_, field)| field.kind.is_measure() && has(field, word)).map(|(at, _)| at)
        })
    };
    tables.iter().find_map(|table| within(*table)).or_else(|| {
        let reaching = (0..world.tables.len()).filter(|from| tables.iter().any(|to| world.reaches(*from, *to)));
        reaching.into_iter().find_map(within)
    })
}
