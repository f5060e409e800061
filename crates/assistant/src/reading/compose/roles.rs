//! The role of each thing that was said.

use super::subject::subject;
use super::{Roles, count_of, is_number, is_people, plain, said, table_of};
use crate::language::cues::Aggregate;
use crate::language::grain::Grain;
use crate::reading::draft::{Draft, Said, SaidNum, SaidRank, Split};
use crate::world::{Kind, TableId, Thing, World, stems};

/// A number whose words are only alike may be a verb: "sold" for `sales`.
const VERB: f32 = 0.9;

/// Gives each thing a role.
pub(super) fn roles(draft: &Draft, world: &World) -> Roles {
    let mut roles = Roles { numbers: draft.numbers.clone(), ..Roles::default() };
    if draft.basket {
        roles.numbers.extend(money(world).map(|thing| plain(draft, said(thing))));
    }
    splits(draft, world, &mut roles);
    let (mut tables, mut fields) = loose(draft, world, &mut roles);
    sold(draft, world, &mut roles);
    if let Some(of) = draft.rank.as_ref().filter(|rank| !lists(draft, rank)).and_then(|rank| rank.of) {
        roles.numbers.push(if matches!(of.thing, Thing::Table(_)) { count_of(of) } else { plain(draft, of) });
    }
    let mut focus = draft.focus;
    // "who spent the most"
    if focus.is_none()
        && draft.who
        && (draft.rank.is_some() || !draft.bounds.is_empty())
        && tables.iter().all(|one| !is_people(world, *one))
    {
        focus = people(world, &roles, &tables).map(|table| Split::Thing(said(Thing::Table(table))));
        roles.cost += 0.2;
    }
    bounds(draft, &mut roles);
    who_meets(draft, &mut roles);
    if let Some(split) = focus {
        roles.splits.insert(0, split);
    }
    subject(draft, world, &mut roles, &mut tables, &mut fields);
    rest(draft, world, &mut roles, fields);
    let table = |one: Said| if let Thing::Table(table) = one.thing { Some(table) } else { None };
    roles.mentioned.extend(tables.into_iter().filter_map(table));
    if draft.trend && !roles.splits.iter().any(|split| matches!(split, Split::Grain(_))) {
        roles.splits.insert(0, Split::Grain(Grain::Fitting));
    }
    roles
}

/// What is said behind "by": numbers where things are ranked, groups otherwise.
fn splits(draft: &Draft, world: &World, roles: &mut Roles) {
    for split in &draft.splits {
        let Split::Thing(one) = split else {
            roles.splits.push(*split);
            continue;
        };
        let ranked = draft.rank.is_some() || draft.focus.is_some();
        let is_event = matches!(one.thing, Thing::Table(table) if world.is_event(table));
        // "top products by price"
        if is_number(world, *one) && (ranked || roles.numbers.is_empty() && !draft.loose.is_empty()) {
            roles.numbers.push(plain(draft, *one));
        // "top 3 age groups by appointments"
        } else if is_event && draft.rank.is_some() && draft.focus.is_some() && roles.numbers.is_empty() {
            roles.numbers.push(count_of(*one));
        } else {
            roles.splits.push(*split);
        }
    }
}

/// The tables and fields that are said without a role. Numbers among them are asked for.
fn loose(draft: &Draft, world: &World, roles: &mut Roles) -> (Vec<Said>, Vec<Said>) {
    let (mut tables, mut fields) = (Vec::new(), Vec::new());
    let beside = !draft.numbers.is_empty() || draft.how.is_some();
    for one in &draft.loose {
        match one.thing {
            // "average duration of appointments": the rows, and not how many.
            Thing::Declared(at) if beside && is_table(world, at).is_some() => {
                tables.extend(is_table(world, at).map(|table| Said { thing: Thing::Table(table), ..*one }));
            }
            Thing::Table(_) => tables.push(*one),
            // "how many different products did we sell": the verb is no number of its own.
            Thing::Field(_) | Thing::Declared(_)
                if draft.how_many && !draft.numbers.is_empty() && one.quality < VERB && is_number(world, *one) =>
            {
                roles.cost += 0.3;
            }
            _ if is_number(world, *one) => roles.numbers.push(plain(draft, *one)),
            _ => fields.push(*one),
        }
    }
    (tables, fields)
}

/// "the 20 longest delays": rows are listed.
fn lists(draft: &Draft, rank: &SaidRank) -> bool {
    rank.count > Some(1)
        && !rank.is_top
        && draft.focus.is_none()
        && draft.splits.is_empty()
        && draft.loose.is_empty()
        && draft.numbers.is_empty()
}

/// The fields that have no other role split rows.
fn rest(draft: &Draft, world: &World, roles: &mut Roles, fields: Vec<Said>) {
    let ranked = draft.rank.is_some() || draft.versus || draft.share;
    for one in fields {
        let Thing::Field(field) = one.thing else { continue };
        if world.fields[field].kind != Kind::Time {
            // "average age of patients": a key is hardly what rows are split by, unless it is said.
            if world.fields[field].refers.is_some() && !ranked {
                roles.cost += 0.7;
            }
            roles.splits.push(Split::Thing(one));
        } else if draft.periods.is_empty() {
            roles.splits.push(Split::Grain(Grain::Fitting));
            roles.time = Some(field);
        }
    }
}

/// "How many customers ordered more than 20 times": the customers, each with the number that is compared.
fn who_meets(draft: &Draft, roles: &mut Roles) {
    let compared = |thing: Thing| draft.bounds.iter().any(|bound| bound.of.is_some_and(|of| of.thing == thing));
    let is_who = |number: &SaidNum| number.counted && matches!(number.of.thing, Thing::Table(_)) && !compared(number.of.thing);
    let counts = roles.numbers.iter().any(|number| compared(number.of.thing));
    if let Some(at) = roles.numbers.iter().position(is_who).filter(|_| draft.how_many && counts) {
        let who = roles.numbers.remove(at).of;
        roles.splits.push(Split::Thing(Said { plural: true, ..who }));
    }
}

/// The table whose rows a declared number counts, if it is called like the table.
fn is_table(world: &World, number: usize) -> Option<TableId> {
    let known = &world.numbers[number];
    let [table] = known.facts.as_slice() else { return None };
    let called = stems(&world.tables[*table].label);
    (known.counts_rows() && known.called.contains(&called)).then_some(*table)
}

/// "How many tracks did we sell": so many pieces of them.
pub(super) fn sold(draft: &Draft, world: &World, roles: &mut Roles) {
    let counted = roles.numbers.iter().any(|number| number.counted && matches!(number.of.thing, Thing::Table(_)));
    let paid = roles.numbers.iter().find_map(|number| if let Thing::Money(at) = number.of.thing { Some(at) } else { None });
    if let (true, true, Some(at)) = (draft.how_many, counted, paid) {
        let of = said(Thing::Field(world.money[at].quantity));
        roles.numbers = vec![SaidNum { how: Some(Aggregate::Sum), counted: false, different: false, of }];
    }
}

/// What people pay: an amount in money of the rows of some table.
pub(super) fn money(world: &World) -> Option<Thing> {
    let called = |words: &[Vec<String>]| {
        words.iter().flatten().any(|word| matches!(word.as_str(), "revenue" | "sale" | "turnover" | "total" | "amount"))
    };
    let field = || {
        let events =
            |field: &crate::world::Field| world.is_event(field.table) && field.kind == Kind::Amount && called(&field.called);
        (0..world.fields.len()).find(|at| events(&world.fields[*at]))
    };
    let declared = (0..world.numbers.len()).find(|at| called(&world.numbers[*at].called));
    let money = || world.money.iter().position(|money| !money.is_stock).map(Thing::Money);
    declared.map(Thing::Declared).or_else(|| field().map(Thing::Field)).or_else(money)
}

/// The people that a question without a name for them is about: those that the numbers' rows belong to most directly.
pub(super) fn people(world: &World, roles: &Roles, tables: &[Said]) -> Option<TableId> {
    let from: Vec<TableId> = roles
        .numbers
        .iter()
        .filter_map(|number| table_of(world, number.of.thing))
        .chain(tables.iter().filter_map(|one| table_of(world, one.thing)))
        .collect();
    let all = (0..world.tables.len()).filter(|table| world.tables[*table].is_people);
    let near = all.filter_map(|table| {
        let way = from.iter().filter_map(|from| world.ways(*from, table).iter().map(|way| way.columns.len()).min()).min();
        Some((way.or_else(|| from.is_empty().then_some(0))?, table))
    });
    near.min().map(|(_, table)| table)
}

/// Numbers and groups that conditions bring along: "customers with more than 10 orders".
pub(super) fn bounds(draft: &Draft, roles: &mut Roles) {
    for of in draft.bounds.iter().filter_map(|bound| bound.of) {
        let number = match of.thing {
            Thing::Table(_) => count_of(of),
            Thing::Declared(_) | Thing::Money(_) => plain(draft, of),
            _ => continue,
        };
        if !roles.numbers.iter().any(|known| known.of.thing == number.of.thing) {
            roles.numbers.push(number);
        }
    }
}
