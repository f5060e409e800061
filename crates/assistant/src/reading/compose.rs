//! Third stage: finds the rows from which all that was said can be answered, and gives each thing its role.

use super::{
    draft::{Draft, Said, SaidNum, SaidRank, Split},
    meaning::{Condition, Group, Meaning, Num, Place},
    places::Places,
};
use crate::{
    language::{
        cues::{Aggregate, Hint, Rank},
        grain::Grain,
        span::{Span, Spoken},
    },
    scope::Comparison,
    world::{FieldId, Kind, TableId, Thing, World, stems},
};
use chrono::NaiveDate;

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
    /// Several rows of the answer are wanted.
    cost: f32,
}

/// The meaning of a draft, and what it costs: the less, the better it fits.
pub(crate) fn compose(draft: &Draft, context: Context<'_>) -> Option<(Meaning, f32)> {
    let draft = &settled(draft, context.world);
    let roles = roles(draft, context.world);
    let facts = 0..context.world.tables.len();
    let found = facts.filter_map(|fact| Composer { context, draft, roles: &roles, fact, cost: roles.cost }.meaning());
    found.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The draft with what its parts say together.
fn settled(draft: &Draft, world: &World) -> Draft {
    let mut draft = draft.clone();
    if let Some(unit) = draft.measured {
        let has = |field: &crate::world::Field| field.kind.is_measure() && field.unit == Some(unit);
        if let Some(field) = (0..world.fields.len()).find(|at| has(&world.fields[*at])) {
            let how = Some(Aggregate::Sum);
            draft.numbers.push(SaidNum { how, counted: false, different: false, of: said(Thing::Field(field)) });
        }
    }
    let alone = draft.numbers.is_empty()
        && !draft.loose.iter().any(|one| matches!(one.thing, Thing::Table(_)) || is_number(world, *one));
    // "daily departures in June": the period took the time for its own.
    if let Some(field) = draft.periods.iter().find_map(|period| period.of).filter(|_| alone && draft.loose.is_empty() && draft.focus.is_none()) {
        draft.loose.push(said(Thing::Table(world.fields[field].table)));
    }
    // "departures by month": the rows that have the time.
    for one in &mut draft.loose {
        if let Thing::Field(field) = one.thing
            && alone
            && one.plural
            && world.fields[field].kind == Kind::Time
        {
            one.thing = Thing::Table(world.fields[field].table);
        }
    }
    if let Some(rank) = &draft.rank {
        let measured = rank.of.filter(|of| matches!(of.thing, Thing::Field(_)) && is_number(world, *of));
        let of_fields = draft.focus.is_none() && !rank.is_top && rank.count.is_none() && !draft.splits.is_empty();
        // "the longest delay per destination" is a number of each.
        if let (Some(of), true, Rank::Greatest | Rank::Smallest) = (measured, of_fields, rank.end) {
            let how = if rank.end == Rank::Smallest { Aggregate::Least } else { Aggregate::Greatest };
            draft.numbers.push(SaidNum { how: Some(how), counted: false, different: false, of });
            draft.rank = None;
        }
    }
    // "the 10 longest flights": the flights themselves.
    let own = draft.rank.as_ref().is_some_and(|rank| !matches!(rank.hint, Hint::Named | Hint::Count) && rank.of.is_none());
    if let (Some(Split::Thing(one)), true) = (draft.focus, own)
        && matches!(one.thing, Thing::Table(table) if world.is_event(table))
    {
        draft.focus = None;
        draft.loose.push(one);
    }
    draft
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

/// Gives each thing a role.
fn roles(draft: &Draft, world: &World) -> Roles {
    let mut roles = Roles { numbers: draft.numbers.clone(), ..Roles::default() };
    if draft.basket {
        roles.numbers.extend(money(world).map(|thing| plain(draft, said(thing))));
    }
    for split in &draft.splits {
        match split {
            // "top products by price"
            Split::Thing(one)
                if is_number(world, *one)
                    && (draft.rank.is_some()
                        || draft.focus.is_some()
                        || roles.numbers.is_empty() && !draft.loose.is_empty()) =>
            {
                roles.numbers.push(plain(draft, *one));
            }
            split => roles.splits.push(*split),
        }
    }
    let mut tables: Vec<Said> = Vec::new();
    let mut fields: Vec<Said> = Vec::new();
    for one in &draft.loose {
        match one.thing {
            Thing::Table(_) => tables.push(*one),
            _ if is_number(world, *one) => roles.numbers.push(plain(draft, *one)),
            _ => fields.push(*one),
        }
    }
    sold(draft, world, &mut roles);
    let lists = |rank: &SaidRank| {
        rank.count > Some(1)
            && !rank.is_top
            && draft.focus.is_none()
            && draft.splits.is_empty()
            && draft.loose.is_empty()
            && draft.numbers.is_empty()
    };
    if let Some(of) = draft.rank.as_ref().filter(|rank| !lists(rank)).and_then(|rank| rank.of) {
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
    bounds(draft, world, &mut roles);
    if let Some(split) = focus {
        roles.splits.insert(0, split);
    }
    subject(draft, world, &mut roles, &mut tables, &mut fields);
    for one in fields {
        if let Thing::Field(field) = one.thing {
            if world.fields[field].kind == Kind::Time {
                if !draft.periods.is_empty() {
                    continue;
                }
                roles.splits.push(Split::Grain(Grain::Fitting));
            } else {
                roles.splits.push(Split::Thing(one));
            }
        }
    }
    roles
        .mentioned
        .extend(tables.iter().filter_map(|one| if let Thing::Table(table) = one.thing { Some(table) } else { None }));
    if draft.trend && !roles.splits.iter().any(|split| matches!(split, Split::Grain(_))) {
        roles.splits.insert(0, Split::Grain(Grain::Fitting));
    }
    roles
}

/// "How many tracks did we sell": so many pieces of them.
fn sold(draft: &Draft, world: &World, roles: &mut Roles) {
    let counted = roles.numbers.iter().any(|number| number.counted && matches!(number.of.thing, Thing::Table(_)));
    let paid = roles.numbers.iter().find_map(|number| if let Thing::Money(at) = number.of.thing { Some(at) } else { None });
    if let (true, true, Some(at)) = (draft.how_many, counted, paid) {
        let of = said(Thing::Field(world.money[at].quantity));
        roles.numbers = vec![SaidNum { how: Some(Aggregate::Sum), counted: false, different: false, of }];
    }
}

/// What people pay: an amount in money of the rows of some table.
fn money(world: &World) -> Option<Thing> {
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

fn is_people(world: &World, one: Said) -> bool {
    matches!(one.thing, Thing::Table(table) if world.tables[table].is_people)
}

/// The people that a question without a name for them is about: those that the numbers' rows belong to most directly.
fn people(world: &World, roles: &Roles, tables: &[Said]) -> Option<TableId> {
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

/// Numbers and groups that conditions bring along: "customers with more than 10 orders".
fn bounds(draft: &Draft, world: &World, roles: &mut Roles) {
    for of in draft.bounds.iter().filter_map(|bound| bound.of) {
        let number = match of.thing {
            Thing::Table(_) => count_of(of),
            Thing::Declared(_) | Thing::Money(_) => plain(draft, of),
            _ => continue,
        };
        let _ = world;
        if !roles.numbers.iter().any(|known| known.of.thing == number.of.thing) {
            roles.numbers.push(number);
        }
    }
}

/// What is counted where no number is said, and what is grouped by where a rank says of what.
fn subject(draft: &Draft, world: &World, roles: &mut Roles, tables: &mut Vec<Said>, fields: &mut Vec<Said>) {
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
        let how = if matches!(rank.end, Rank::Smallest) { Aggregate::Least } else { Aggregate::Greatest };
        if let Some(Thing::Table(table)) = tables.first().map(|one| one.thing)
            && roles.splits.is_empty()
        {
            roles.listed = Some(table);
            return;
        }
        roles.numbers.push(SaidNum { how: Some(how), counted: false, different: false, of: said(Thing::Field(field)) });
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
    if let Some((field, ..)) = draft.terms.first().filter(|_| draft.rank.is_none() && tables.is_empty()) {
        roles.numbers.push(count_of(said(Thing::Table(world.fields[*field].table))));
        return;
    }
    // "the busiest day"
    if let (true, Some(Split::Grain(_))) = (ranked, roles.splits.first()) {
        let events = (0..world.tables.len()).filter(|table| world.is_event(*table) && world.time_of(*table).is_some());
        let most = events
            .max_by(|a, b| world.tables[*a].rows.unwrap_or_default().total_cmp(&world.tables[*b].rows.unwrap_or_default()));
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
        roles.cost += 0.6;
        let of_field = matches!(one.thing, Thing::Field(_)) && world.is_event(table);
        if of_field && (declared.is_none() || draft.rank.as_ref().is_some_and(|rank| rank.hint == Hint::Count)) {
            roles.numbers.push(count_of(said(Thing::Table(table))));
        } else if let Some(number) = declared.map(Thing::Declared).or_else(|| money.map(Thing::Money)) {
            roles.numbers.push(SaidNum { how: None, counted: false, different: false, of: said(number) });
        } else if let Some(fact) = fact {
            roles.numbers.push(count_of(said(Thing::Table(fact))));
        }
    }
}

fn focus_table(world: &World, splits: &[Split]) -> Option<TableId> {
    splits.iter().find_map(|split| match split {
        Split::Thing(Said { thing: Thing::Table(table), .. }) => Some(*table),
        Split::Thing(Said { thing: Thing::Field(field), .. }) => world.fields[*field].refers,
        _ => None,
    })
}

/// The field that a word such as "expensive" or "oldest" is about.
fn hinted(world: &World, hint: Hint, roles: &Roles, tables: &[Said]) -> Option<FieldId> {
    let words: &[&str] = match hint {
        Hint::Length => &["distance", "length", "duration", "milliseconds", "mile", "hour", "minute", "second", "time"],
        Hint::Price => &["price", "cost", "amount", "fee", "fare", "total", "salary"],
        Hint::Size => &["weight", "size", "volume"],
        Hint::Speed => &["speed", "duration", "time"],
        Hint::Time | Hint::Named | Hint::Count => &[],
    };
    let of_splits =
        roles.splits.iter().filter_map(|split| if let Split::Thing(one) = split { table_of(world, one.thing) } else { None });
    let tables: Vec<TableId> = of_splits.chain(tables.iter().filter_map(|one| table_of(world, one.thing))).collect();
    if hint == Hint::Time {
        return tables.iter().find_map(|table| world.tables[*table].time);
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

/// Tries to answer from the rows of one table.
struct Composer<'a> {
    context: Context<'a>,
    draft: &'a Draft,
    roles: &'a Roles,
    fact: TableId,
    cost: f32,
}

impl Composer<'_> {
    fn meaning(mut self) -> Option<(Meaning, f32)> {
        let world = self.context.world;
        let mut places = Places::new(world, self.fact, self.draft.periods.iter().find_map(|period| period.of));
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
        let mut numbers = Vec::new();
        for number in &self.roles.numbers {
            let made = self.number(&mut places, number)?;
            if !numbers.contains(&made) {
                numbers.push(made);
            }
        }
        let mut groups = self.groups(&mut places)?;
        if !self.draft.lacking.is_empty() && numbers.is_empty() && !self.draft.periods.is_empty() && listed == Some(self.fact) {
            return self.lacking_in_time(groups, places);
        }
        let conditions = self.conditions(&mut places, &mut groups)?;
        self.mentioned()?;
        let mut meaning = Meaning {
            fact: self.fact,
            numbers,
            groups,
            conditions,
            having: Vec::new(),
            descending: None,
            limit: None,
            of_each: false,
            rows: None,
            lacking: None,
            lacking_where: Vec::new(),
            chart: self.draft.chart,
        };
        self.list(&mut places, &mut meaning)?;
        self.having(&mut meaning)?;
        self.lacking(&mut meaning)?;
        self.forms(&mut places, &mut meaning)?;
        self.rank(&mut meaning)?;
        if meaning.numbers.is_empty() && meaning.groups.is_empty() && meaning.rows.is_none() {
            return None;
        }
        Some((meaning, self.cost + places.cost))
    }

    /// A number of this table's rows.
    fn number(&mut self, places: &mut Places<'_>, number: &SaidNum) -> Option<Num> {
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
                Some(declared.filter(|_| !self.draft.share && !self.draft.growth).map_or(Num::Count, Num::Declared))
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

    fn field_number(&mut self, places: &mut Places<'_>, number: &SaidNum, field: FieldId) -> Option<Num> {
        let world = self.context.world;
        let known = &world.fields[field];
        let measured = known.kind.is_measure();
        if number.counted && known.kind == Kind::Time {
            return (known.table == self.fact).then_some(Num::Count);
        }
        if number.counted && !measured || number.different {
            if let Some(table) = known.refers {
                if table == self.fact {
                    return Some(Num::Count);
                }
            }
            return places.field(field, number.of.direction, None).map(Num::Distinct);
        }
        if known.table != self.fact
            || !(measured || (known.kind == Kind::Year && matches!(number.how, Some(Aggregate::Least | Aggregate::Greatest))))
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

    fn groups(&mut self, places: &mut Places<'_>) -> Option<Vec<Group>> {
        let mut groups: Vec<Group> = Vec::new();
        for split in &self.roles.splits {
            let made = match split {
                Split::Grain(grain) => vec![places.time(*grain)?],
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

    fn conditions(&mut self, places: &mut Places<'_>, groups: &mut Vec<Group>) -> Option<Vec<Condition>> {
        let world = self.context.world;
        let mut conditions = Vec::new();
        for values in &self.draft.values {
            let (place, wanted) = places.values(values)?;
            let beside = self.draft.versus && wanted.len() > 1 || values.beside;
            if beside && !groups.iter().any(|group| group.place == place) {
                groups.push(Group { place: place.clone(), grain: None });
            }
            let same = conditions.iter_mut().find(|known: &&mut Condition| matches!(known, Condition::In { place: known, negated, .. } if *known == place && *negated == values.negated));
            if let Some(Condition::In { values, .. }) = same {
                values.extend(wanted);
            } else {
                conditions.push(Condition::In { place, values: wanted, negated: values.negated });
            }
        }
        for (field, set) in &self.draft.flags {
            conditions.push(Condition::Flag { place: places.field(*field, None, None)?, set: *set });
        }
        for (field, term, rate) in &self.draft.terms {
            if !rate {
                let term = &world.fields[*field].terms[*term];
                let place = places.field(*field, None, None)?;
                conditions.push(Condition::Number {
                    place,
                    comparison: term.comparison,
                    value: term.value,
                    word: term.phrases.first().cloned(),
                });
            }
        }
        self.row_bounds(places, &mut conditions)?;
        self.times(places, groups, &mut conditions)?;
        Some(conditions)
    }

    /// The numbers of single rows that something is compared with.
    fn row_bounds(&mut self, places: &mut Places<'_>, conditions: &mut Vec<Condition>) -> Option<()> {
        let world = self.context.world;
        for bound in &self.draft.bounds {
            let (field, comparison, value) = match (&bound.of, bound.term, bound.unit) {
                (_, Some((field, term)), unit) => {
                    let term = &world.fields[field].terms[term];
                    let factor = unit.zip(world.fields[field].unit).and_then(|(said, own)| said.in_unit(own)).unwrap_or(1.0);
                    // "10 minutes early": the lower, the more.
                    let below = matches!(term.comparison, Comparison::Below | Comparison::AtMost);
                    let (comparison, value) = if below {
                        (mirrored(bound.comparison), -bound.value * factor)
                    } else {
                        (bound.comparison, bound.value * factor)
                    };
                    (field, comparison, value)
                }
                (Some(of), None, unit) => {
                    let Thing::Field(field) = of.thing else { continue };
                    let factor = unit.zip(world.fields[field].unit).and_then(|(said, own)| said.in_unit(own)).unwrap_or(1.0);
                    (field, bound.comparison, bound.value * factor)
                }
                (None, None, Some(unit)) => {
                    let own = world.fields_of(self.fact).find(|(_, field)| {
                        field.unit.is_some_and(|own| unit.in_unit(own).is_some()) && field.kind.is_measure()
                    });
                    let paid = || {
                        world.fields_of(self.fact).find(|(_, field)| {
                            field.kind.is_measure()
                                && unit.is_money()
                                && field.called.iter().flatten().any(|word| {
                                    matches!(
                                        word.as_str(),
                                        "total" | "amount" | "price" | "cost" | "salary" | "revenue" | "fee"
                                    )
                                })
                        })
                    };
                    let (field, known) = own.or_else(paid)?;
                    (field, bound.comparison, bound.value * known.unit.and_then(|own| unit.in_unit(own)).unwrap_or(1.0))
                }
                (None, None, None) => continue,
            };
            if bound.of.is_some() && self.is_having(bound.of) {
                continue;
            }
            let place = places.field(field, None, None)?;
            let upper = bound.upper.map(|upper| Condition::Number {
                place: place.clone(),
                comparison: Comparison::AtMost,
                value: upper,
                word: None,
            });
            conditions.push(Condition::Number { place, comparison, value, word: None });
            conditions.extend(upper);
        }
        Some(())
    }

    /// Whether a bound is about a number of groups, not of rows.
    fn is_having(&self, of: Option<Said>) -> bool {
        match of {
            None => true,
            Some(Said { thing: Thing::Field(field), .. }) => {
                let same =
                    self.roles.numbers.iter().any(|number| number.of.thing == Thing::Field(field) && number.how.is_some());
                same && !self.roles.splits.is_empty()
            }
            Some(_) => true,
        }
    }

    fn having(&mut self, meaning: &mut Meaning) -> Option<()> {
        for bound in self.draft.bounds.iter().filter(|bound| bound.term.is_none() && self.is_having(bound.of)) {
            if bound.of.is_none() && bound.unit.is_some() {
                continue;
            }
            if meaning.groups.is_empty() || meaning.numbers.is_empty() {
                return None;
            }
            // The number that is compared stands first.
            if let Some(of) = bound.of
                && let Some(at) = self.roles.numbers.iter().position(|number| number.of.thing == of.thing)
                && at < meaning.numbers.len()
            {
                let number = meaning.numbers.remove(at);
                meaning.numbers.insert(0, number);
            }
            meaning.having.push((bound.comparison, bound.value));
            if let Some(upper) = bound.upper {
                meaning.having.push((Comparison::AtMost, upper));
            }
        }
        Some(())
    }

    fn times(&mut self, places: &mut Places<'_>, groups: &mut Vec<Group>, conditions: &mut Vec<Condition>) -> Option<()> {
        if let Some((days, negated)) = &self.draft.days {
            let place = places.time(Grain::Day)?.place;
            let beside = self.draft.versus && days.len() > 1;
            if beside && !groups.iter().any(|group| group.grain == Some(Grain::Weekday)) {
                groups.push(Group { place: place.clone(), grain: Some(Grain::Weekday) });
            }
            conditions.push(Condition::Days { place, days: days.clone(), negated: *negated });
        }
        if let Some(hours) = self.draft.hours {
            conditions.push(Condition::Hours { place: places.time(Grain::Hour)?.place, from: hours.from, to: hours.to });
        }
        let mut spans: Vec<(Place, Span)> = Vec::new();
        for period in &self.draft.periods {
            let (place, days) = places.period_place(period.of)?;
            let anchor = days.map_or(self.context.today, |(_, last)| last.min(self.context.today));
            if let (true, Spoken::Range(from, to)) = (self.draft.growth, &period.spoken) {
                for one in [from, to] {
                    spans.push((place.clone(), one.resolve(self.context.today, anchor)?));
                }
                continue;
            }
            let span = period.spoken.resolve(self.context.today, anchor)?;
            // Nothing is known of days to come.
            if span.from.is_some_and(|from| from > self.context.today) {
                return None;
            }
            spans.push((place, span));
        }
        let Some((place, first)) = spans.first().cloned() else { return Some(()) };
        if spans.iter().any(|(other, _)| *other != place) {
            conditions.extend(spans.into_iter().map(|(place, span)| Condition::Spans { place, spans: vec![span] }));
            return Some(());
        }
        let all: Vec<Span> = spans.into_iter().map(|(_, span)| span).collect();
        if all.len() > 1 && !self.draft.growth && !groups.iter().any(|group| group.place == place) {
            let grain = first.grain.unwrap_or(Grain::Fitting);
            groups.insert(0, Group { place: place.clone(), grain: places.grain_of(&place, grain) });
        }
        conditions.push(Condition::Spans { place, spans: all });
        Some(())
    }

    /// Tables that are named without a role must at least have to do with the rows.
    fn mentioned(&mut self) -> Option<()> {
        let world = self.context.world;
        for table in &self.roles.mentioned {
            if *table == self.fact {
                self.cost -= 0.3;
            } else if world.reaches(self.fact, *table) || world.reaches(*table, self.fact) {
                self.cost += 0.35;
            } else {
                return None;
            }
        }
        Some(())
    }

    fn list(&mut self, places: &mut Places<'_>, meaning: &mut Meaning) -> Option<()> {
        let Some(table) = self.roles.listed else { return Some(()) };
        let world = self.context.world;
        if table != self.fact {
            self.cost += 0.5;
        }
        let rank = self.draft.rank.as_ref();
        let titled = world.tables[table].title.iter().any(|title| world.fields[*title].kind != Kind::Key);
        if table == self.fact
            && (!titled || rank.is_some_and(|rank| rank.hint != Hint::Named || rank.of.is_some()))
            && meaning.groups.is_empty()
        {
            let of = rank
                .and_then(|rank| rank.of)
                .and_then(|of| if let Thing::Field(field) = of.thing { Some(field) } else { None });
            let by = of.or_else(|| rank.and_then(|rank| hinted(world, rank.hint, self.roles, &[said(Thing::Table(table))])));
            if rank.is_some() && by.is_none() {
                return None;
            }
            meaning.rows = Some(by);
            return Some(());
        }
        // Who is first of a list is known by a number alone.
        if rank.is_some() {
            return None;
        }
        let mut groups = places.things(said(Thing::Table(table)))?;
        for group in std::mem::take(&mut meaning.groups) {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        meaning.groups = groups;
        Some(())
    }

    /// "customers without orders in 1998": the period is that of the orders.
    fn lacking_in_time(self, mut groups: Vec<Group>, mut places: Places<'_>) -> Option<(Meaning, f32)> {
        let world = self.context.world;
        let other = self
            .draft
            .lacking
            .iter()
            .find_map(|one| table_of(world, one.thing))
            .filter(|other| world.reaches(*other, self.fact))?;
        let mut theirs = Places::new(world, other, None);
        let conditions = Composer { fact: other, cost: 0.0, ..self }.conditions(&mut theirs, &mut Vec::new())?;
        if groups.is_empty() {
            groups = places.things(said(Thing::Table(self.fact)))?;
        }
        let meaning = Meaning {
            fact: self.fact,
            numbers: Vec::new(),
            groups,
            conditions: Vec::new(),
            having: Vec::new(),
            descending: None,
            limit: None,
            of_each: false,
            rows: None,
            lacking: Some(other),
            lacking_where: conditions,
            chart: self.draft.chart,
        };
        Some((meaning, self.cost + places.cost + theirs.cost))
    }

    fn lacking(&mut self, meaning: &mut Meaning) -> Option<()> {
        let world = self.context.world;
        for one in &self.draft.lacking {
            // "orders that were not shipped"
            if let Thing::Field(field) = one.thing
                && world.reaches(self.fact, world.fields[field].table)
                && !world.fields[field].kind.is_measure()
            {
                let way = world.ways(self.fact, world.fields[field].table).first()?.clone();
                meaning.conditions.push(Condition::Present { place: Place { field, way }, present: false });
                continue;
            }
            let table = table_of(world, one.thing)?;
            let listed = self.roles.listed.or_else(|| focus_table(world, &self.roles.splits)).unwrap_or(self.fact);
            if listed != self.fact || table == self.fact || !world.reaches(table, listed) {
                return None;
            }
            meaning.lacking = Some(table);
        }
        Some(())
    }

    /// Shares, ratios, growth, running totals.
    fn forms(&mut self, places: &mut Places<'_>, meaning: &mut Meaning) -> Option<()> {
        let world = self.context.world;
        if let Some((field, term, _)) = self.draft.terms.iter().find(|(.., rate)| *rate) {
            let term = &world.fields[*field].terms[*term];
            let place = places.field(*field, None, None)?;
            let condition =
                Condition::Number { place, comparison: term.comparison, value: term.value, word: term.rates.first().cloned() };
            meaning.numbers = vec![Num::Part(Box::new(Num::Count), vec![condition])];
        }
        if self.draft.share && !self.draft.growth && meaning.rows.is_none() {
            self.share(meaning)?;
        }
        if self.draft.basket {
            // The document is what has the time.
            let table = world.time_of(self.fact).map_or(self.fact, |time| world.fields[time].table);
            let by = if table == self.fact {
                Num::Count
            } else {
                Num::Distinct(places.field(world.tables[table].key?, None, None)?)
            };
            meaning.numbers = vec![Num::Per(Box::new(meaning.numbers.first().cloned()?), Box::new(by))];
        } else if let Some(per) = self.draft.per {
            let by = self.number(places, &count_of(per))?;
            self.cost -= if matches!(by, Num::Distinct(_)) { 0.6 } else { 0.0 };
            let number = meaning.numbers.first().cloned()?;
            // "average freight per order": of the orders themselves.
            meaning.numbers[0] = match (number, by) {
                (Num::Of(how, place), Num::Count) if how != Aggregate::Sum => Num::Of(how, place),
                (number, by) => Num::Per(Box::new(number), Box::new(by)),
            };
        } else if let Some(number) = self
            .roles
            .numbers
            .first()
            .filter(|number| number.counted && number.how.or(self.draft.how) == Some(Aggregate::Average))
        {
            // "average number of orders per customer"
            let _ = number;
            let [group, rest @ ..] = meaning.groups.as_slice() else { return None };
            if let (Some(grain), []) = (group.grain, rest) {
                meaning.numbers[0] = Num::PerPeriod(group.place.clone(), grain);
                meaning.groups.clear();
                return Some(());
            }
            if group.grain.is_some() || !rest.is_empty() && self.roles.splits.len() > 1 {
                return None;
            }
            let by = group.place.clone();
            let by = world.tables[world.fields[by.field].table]
                .title
                .contains(&by.field)
                .then(|| world.tables[world.fields[by.field].table].key)
                .flatten()
                .map_or(by.clone(), |key| Place { field: key, way: by.way.clone() });
            meaning.groups.clear();
            meaning.numbers[0] = Num::Per(Box::new(meaning.numbers[0].clone()), Box::new(Num::Distinct(by)));
        }
        if self.draft.growth {
            self.growth(meaning)?;
        }
        let along = meaning.groups.iter().any(|group| group.grain.is_some_and(Grain::is_calendar));
        if self.draft.running || self.draft.moving.is_some() {
            if !along {
                meaning.groups.push(places.time(Grain::Month)?);
            }
            let number = meaning.numbers.first().cloned()?;
            meaning.numbers = vec![match self.draft.moving {
                Some(periods) => Num::Moving(Box::new(number), periods),
                None => Num::Running(Box::new(number)),
            }];
        }
        Some(())
    }

    fn share(&mut self, meaning: &mut Meaning) -> Option<()> {
        let number = meaning.numbers.first().cloned().unwrap_or(Num::Count);
        let grouped = !meaning.groups.is_empty();
        if !grouped && matches!(number, Num::Declared(_)) {
            return None;
        }
        // "share of revenue by country"
        if !meaning.groups.is_empty()
            && !meaning
                .conditions
                .iter()
                .any(|condition| matches!(condition, Condition::Number { .. } | Condition::Flag { .. }))
        {
            meaning.numbers = vec![Num::OfTotal(Box::new(number))];
            return Some(());
        }
        // "what share of the orders goes to Germany": the last condition is the part.
        let is_part = |condition: &Condition| !matches!(condition, Condition::Spans { .. });
        let at = meaning
            .conditions
            .iter()
            .rposition(|condition| {
                matches!(condition, Condition::Number { .. } | Condition::Flag { .. } | Condition::Present { .. })
            })
            .or_else(|| meaning.conditions.iter().rposition(is_part));
        let part = meaning.conditions.remove(at?);
        meaning.numbers = vec![Num::Part(Box::new(number), vec![part])];
        Some(())
    }

    fn growth(&mut self, meaning: &mut Meaning) -> Option<()> {
        let number = meaning.numbers.first().cloned()?;
        let along = meaning.groups.iter().any(|group| group.grain.is_some_and(Grain::is_calendar));
        let at = meaning.conditions.iter().position(|condition| matches!(condition, Condition::Spans { .. }));
        match at.map(|at| meaning.conditions.remove(at)) {
            Some(Condition::Spans { place, mut spans }) => {
                spans.sort_by_key(|span| span.from);
                let pair = match spans.as_slice() {
                    [one] if !along => [one.before()?, *one],
                    [first, second] => [*first, *second],
                    _ => {
                        meaning.conditions.push(Condition::Spans { place, spans });
                        self.cost += 0.3;
                        return Some(());
                    }
                };
                if matches!(number, Num::Declared(_)) {
                    return None;
                }
                meaning.numbers[0] = Num::Growth(Box::new(number), place, pair);
            }
            // The course shows the growth.
            _ if along => self.cost += 0.2,
            _ => {
                let mut places = Places::new(self.context.world, self.fact, None);
                meaning.groups.insert(0, places.time(Grain::Fitting)?);
                self.cost += 0.3;
            }
        }
        Some(())
    }

    fn rank(&mut self, meaning: &mut Meaning) -> Option<()> {
        let Some(rank) = &self.draft.rank else { return Some(()) };
        let world = self.context.world;
        if meaning.rows.is_some() {
            meaning.descending = Some(!matches!(rank.end, Rank::Smallest));
            meaning.limit = Some(rank.count.unwrap_or(if rank.plural { MOST } else { 1 }));
            return Some(());
        }
        if meaning.numbers.is_empty() {
            return None;
        }
        if meaning.groups.is_empty() {
            // "the highest delay" is a number; "the most" needs somebody who has it.
            let alone = matches!(meaning.numbers.as_slice(), [Num::Of(Aggregate::Greatest | Aggregate::Least, _)]);
            return alone.then_some(());
        }
        let lower = match meaning.numbers.first() {
            Some(Num::Declared(at)) => world.numbers[*at].called.iter().any(|called| worse(called)),
            Some(Num::Of(_, place)) => lower_is_better(world, place.field),
            Some(Num::Part(_, conditions)) => conditions.iter().any(|condition| matches!(condition, Condition::Number { place, comparison, .. } if lower_is_better(world, place.field) && matches!(comparison, Comparison::Above | Comparison::AtLeast))),
            _ => meaning.conditions.iter().any(|condition| matches!(condition, Condition::Number { place, word: Some(_), .. } if lower_is_better(world, place.field))),
        };
        meaning.descending = Some(match rank.end {
            Rank::Greatest => true,
            Rank::Smallest => false,
            Rank::Best => !lower,
            Rank::Worst => lower,
        });
        let single = self.roles.splits.iter().any(|split| matches!(split, Split::Thing(one) if !one.plural));
        let plural = rank.plural
            || matches!(self.draft.focus, Some(Split::Thing(Said { plural: true, .. })))
            || rank.is_top && rank.hint != Hint::Count && rank.count.is_none() && !self.draft.which && !self.draft.who && !single;
        meaning.limit = Some(rank.count.unwrap_or(if plural { MOST } else { 1 }));
        let leading = meaning.groups.first().is_some_and(|group| group.grain.is_some());
        if self.draft.each && meaning.groups.len() > 1 {
            // "the top 3 of each month": the month comes first.
            if !leading && meaning.groups.len() == 2 {
                meaning.groups.swap(0, 1);
            }
            meaning.of_each = true;
        }
        Some(())
    }
}

const fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Above => Comparison::Below,
        Comparison::AtLeast => Comparison::AtMost,
        Comparison::Below => Comparison::Above,
        Comparison::AtMost => Comparison::AtLeast,
        other => other,
    }
}

/// Whether less of a field is better.
fn lower_is_better(world: &World, field: FieldId) -> bool {
    world.fields[field].called.iter().any(|called| worse(called))
}

/// Whether the words name what nobody wants more of.
fn worse(words: &[String]) -> bool {
    const WORSE: &[&str] = &[
        "delay",
        "late",
        "cost",
        "wait",
        "waiting",
        "error",
        "complaint",
        "duration",
        "churn",
        "refund",
        "loss",
        "expense",
        "defect",
        "price",
        "era",
        "response",
        "death",
        "mortality",
        "emission",
        "return",
        "freight",
        "absence",
        "readmission",
        "cancellation",
    ];
    words.iter().any(|word| WORSE.contains(&word.as_str()))
}
