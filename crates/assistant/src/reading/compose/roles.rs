//! The role of each thing that was said.

use super::subject::subject;
use super::{Roles, count_of, is_number, is_people, plain, said, table_of};
use crate::language::cues::{Aggregate, Rank};
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
    roles.stated = stated(&roles.numbers);
    counts_all(draft, world, &mut roles, &tables);
    sold(draft, world, &mut roles);
    if let Some(of) = draft.rank.as_ref().filter(|rank| !lists(draft, rank)).and_then(|rank| rank.of) {
        roles.numbers.push(if matches!(of.thing, Thing::Table(_)) { count_of(of) } else { plain(draft, of) });
    }
    let mut focus = draft.focus.map(|split| match split {
        // "which clients never ordered"
        Split::Thing(Said { thing: Thing::Declared(at), .. }) if !draft.lacking.is_empty() => {
            is_table(world, at).map_or(split, |table| Split::Thing(said(Thing::Table(table))))
        }
        split => split,
    });
    // "who spent the most"
    if focus.is_none()
        && draft.who
        && (draft.rank.is_some() || !draft.bounds.is_empty() || !roles.numbers.is_empty() || !draft.values.is_empty())
        && tables.iter().all(|one| !is_people(world, *one))
    {
        focus = people(world, &roles, &tables).map(|table| Split::Thing(said(Thing::Table(table))));
        roles.some = draft.rank.is_none() && draft.bounds.is_empty();
        roles.cost += 0.2;
    }
    bounds(draft, world, &mut roles);
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
        // What counts the rows of a table is the table: "staff per department".
        let counted = if let Thing::Declared(at) = one.thing { is_table(world, at) } else { None };
        let one = &counted.map_or(*one, |table| Said { thing: Thing::Table(table), ..*one });
        let ranked = draft.rank.is_some() || draft.focus.is_some();
        let is_event = matches!(one.thing, Thing::Table(table) if world.is_event(table));
        // "top products by price"
        if is_number(world, *one) && (ranked || roles.numbers.is_empty() && !draft.loose.is_empty()) {
            roles.numbers.push(plain(draft, *one));
        // "top 3 age groups by appointments"
        } else if is_event && draft.rank.is_some() && draft.focus.is_some() && roles.numbers.is_empty() {
            roles.numbers.push(count_of(*one));
        } else {
            roles.splits.push(Split::Thing(*one));
        }
    }
}

/// The tables and fields that are said without a role. Numbers among them are asked for.
fn loose(draft: &Draft, world: &World, roles: &mut Roles) -> (Vec<Said>, Vec<Said>) {
    let (mut tables, mut fields) = (Vec::new(), Vec::new());
    // "average duration of appointments", "clients that never ordered": the rows, and not how many.
    let beside = !draft.numbers.is_empty() || draft.how.is_some() || !draft.lacking.is_empty() && !draft.how_many;
    for one in &draft.loose {
        match one.thing {
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

/// "what part of the bookings were no-shows": the bookings are the whole, whether the model counts them or not.
fn counts_all(draft: &Draft, world: &World, roles: &mut Roles, tables: &[Said]) {
    let declared = |number: &SaidNum| if let Thing::Declared(at) = number.of.thing { Some(at) } else { None };
    let counts: Vec<usize> = roles.numbers.iter().filter_map(declared).filter(|at| world.numbers[*at].counts_rows()).collect();
    if !draft.share || counts.len() != roles.numbers.len() {
        return;
    }
    match counts.as_slice() {
        [part] => {
            let fact = world.numbers[*part].facts.first().copied();
            roles.counts_all = is_table(world, *part).is_none() && tables.iter().any(|one| table_of(world, one.thing) == fact);
        }
        // The first is the whole: "share of bookings that were no-shows".
        [first, second] if is_table(world, *first).is_some() && world.numbers[*first].facts == world.numbers[*second].facts => {
            roles.numbers.remove(0);
            roles.counts_all = true;
            roles.stated = 1;
        }
        _ => {}
    }
}

/// How many different numbers are said.
fn stated(numbers: &[SaidNum]) -> usize {
    let new = |(at, number): &(usize, &SaidNum)| numbers[..*at].iter().all(|before| before.of.thing != number.of.thing);
    numbers.iter().enumerate().filter(new).count()
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
            // "how many checked in late": one number, and nothing says that it is split.
            roles.is_odd |= draft.how_many && !draft.which && !ranked && draft.bounds.is_empty();
            // "share of customers that are companies": a part, and nothing says which.
            roles.is_odd |= draft.share && !draft.which && draft.splits.is_empty();
            // "worst depot for punctuality": a rank needs a number.
            let best = matches!(draft.rank, Some(SaidRank { end: Rank::Best | Rank::Worst, .. }));
            roles.is_odd |= best && draft.focus.is_some() && roles.stated == 0;
            // "trucks in the workshop": those that have some.
            roles.some |= world.fields[field].refers.is_some() && draft.splits.is_empty() && draft.rank.is_none();
            // "average age of patients": a key is hardly what rows are split by, unless it is said.
            if world.fields[field].refers.is_some() && !ranked {
                roles.cost += 0.7;
            }
            roles.splits.push(Split::Thing(one));
        } else if !draft.periods.is_empty() {
            roles.cost += 1.0;
        } else {
            roles.time = Some(field);
            // "which hour are most parcels picked up": the hour of that time.
            if roles.splits.iter().any(|split| matches!(split, Split::Grain(_))) {
                continue;
            }
            roles.is_odd |= draft.share || draft.how_many;
            roles.splits.push(Split::Grain(Grain::Fitting));
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
    sold_values(draft, world, roles);
}

/// "How many flame impalas did we sell": so many rows, or pieces, of what was sold.
fn sold_values(draft: &Draft, world: &World, roles: &mut Roles) {
    let [number] = roles.numbers.as_slice() else { return };
    let is_verb = number.of.quality < VERB && !number.counted && is_number(world, number.of);
    let Some(values) = draft.values.first().filter(|_| draft.how_many && draft.numbers.is_empty() && is_verb) else { return };
    let of = values.found.iter().flatten().map(|found| world.fields[found.field].table).next();
    let quantity = world.money.iter().find(|money| !money.is_stock).map(|money| money.quantity);
    if let Some(quantity) = quantity {
        roles.numbers =
            vec![SaidNum { how: Some(Aggregate::Sum), counted: false, different: false, of: said(Thing::Field(quantity)) }];
        return;
    }
    // The rows that have most of it: the items of orders, and not the orders.
    let facts = (0..world.tables.len()).filter(|fact| of.is_some_and(|of| of != *fact && world.reaches(*fact, of)));
    let timed = facts.filter(|fact| world.time_of(*fact).is_some());
    let most =
        timed.max_by(|a, b| world.tables[*a].rows.unwrap_or_default().total_cmp(&world.tables[*b].rows.unwrap_or_default()));
    if let Some(fact) = most {
        roles.numbers = vec![count_of(said(Thing::Table(fact)))];
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
    let declared = (0..world.numbers.len()).filter(|at| called(&world.numbers[*at].called));
    let declared = declared.min_by_key(|at| takes(&world.numbers[*at].called));
    let money = || world.money.iter().position(|money| !money.is_stock).map(Thing::Money);
    declared.map(Thing::Declared).or_else(|| field().map(Thing::Field)).or_else(money)
}

/// How far a number is from all that is taken in: 0 for revenue itself, more for parts of it and what is taken off.
pub(super) fn takes(called: &[Vec<String>]) -> u8 {
    let whole =
        |words: &Vec<String>| matches!(words.as_slice(), [only] if matches!(only.as_str(), "revenue" | "sale" | "turnover"));
    let off = |word: &String| {
        matches!(
            word.as_str(),
            "discount"
                | "refund"
                | "tax"
                | "cost"
                | "lost"
                | "average"
                | "open"
                | "expected"
                | "freight"
                | "fee"
                | "tip"
                | "per"
                | "share"
        )
    };
    if called.iter().any(whole) {
        0
    } else if called.iter().flatten().any(off) {
        2
    } else {
        1
    }
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
pub(super) fn bounds(draft: &Draft, world: &World, roles: &mut Roles) {
    for of in draft.bounds.iter().filter_map(|bound| bound.of) {
        let number = match of.thing {
            Thing::Table(_) => count_of(of),
            Thing::Declared(_) | Thing::Money(_) => plain(draft, of),
            // "who spent over $5000": all of it together.
            Thing::Field(field) if draft.who && world.fields[field].kind == Kind::Amount => {
                SaidNum { how: Some(Aggregate::Sum), counted: false, different: false, of }
            }
            _ => continue,
        };
        if !roles.numbers.iter().any(|known| known.of.thing == number.of.thing) {
            roles.numbers.push(number);
        }
    }
}
