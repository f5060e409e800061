//! What a word such as "expensive", "hottest" or "oldest" is about.

use super::{Roles, table_of};
use crate::language::cues::{Aggregate, Hint, Rank};
use crate::reading::draft::{Said, SaidRank, Split};
use crate::world::{FieldId, Kind, TableId, World};

/// What says how old a table's rows are: an age, a day of birth, or when they happened.
fn age(world: &World, table: TableId) -> Option<FieldId> {
    let called =
        |field: &crate::world::Field, words: &[&str]| field.called.iter().flatten().any(|word| words.contains(&word.as_str()));
    let years = world.fields_of(table).find(|(_, field)| field.kind.is_measure() && called(field, &["age"]));
    let birth =
        || world.fields_of(table).find(|(_, field)| field.kind == Kind::Time && called(field, &["birth", "born", "birthday"]));
    years.or_else(birth).map(|(at, _)| at).or(world.tables[table].time)
}

/// Whether words name how long something takes.
pub(super) fn takes_time(words: &[String]) -> bool {
    const TIMES: &[&str] =
        &["day", "time", "duration", "hour", "minute", "second", "delay", "wait", "waiting", "turnaround", "latency"];
    words.iter().any(|word| TIMES.contains(&word.as_str())) && !words.iter().any(|word| word == "speed" || word == "per")
}

/// The end of a ranking: the oldest have the greatest age, or the first day.
pub(super) fn end_of(world: &World, rank: &SaidRank, field: FieldId) -> Rank {
    let known = &world.fields[field];
    // The oldest was built in the least year, and the fastest takes the least time.
    let is_year =
        known.kind == Kind::Year || known.called.iter().flatten().any(|word| matches!(word.as_str(), "year" | "built"));
    let turns = rank.hint == Hint::Age && (known.kind == Kind::Time || is_year)
        || rank.hint == Hint::Speed && known.called.iter().any(|called| takes_time(called));
    match (rank.end, turns) {
        (Rank::Greatest, true) => Rank::Smallest,
        (Rank::Smallest, true) => Rank::Greatest,
        (end, _) => end,
    }
}

/// How rows become what a word such as "hottest" is about; a single row's value where it is not said here.
pub(super) const fn gathered(hint: Hint) -> Option<Aggregate> {
    match hint {
        Hint::Heat | Hint::Wind | Hint::Wealth | Hint::Pay | Hint::Rating => Some(Aggregate::Average),
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
        Hint::Rating => &["rating", "satisfaction", "score", "csat", "star", "nps", "grade", "review"],
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
    // "Full-time equivalents" are no time.
    let has = |field: &crate::world::Field, word: &str| {
        field.called.iter().any(|called| {
            called.last().is_some_and(|last| last == word)
                || called.first().is_some_and(|first| first == word && called.len() > 2)
        })
    };
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
