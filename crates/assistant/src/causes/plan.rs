//! What is asked for: the parts of a number, and the dimensions to cut it by.

use super::parts::Kind;
use crate::{
    causes::question::Change,
    language::{cues::Aggregate, grain::Grain},
    reading::{Condition, Group, Meaning, Num, Place},
    world::{Field, FieldId, Kind as FieldKind, TableId, Way, World, stems},
};
use inlay_contract::{data::ColumnType, model::Aggregate as Of};

/// The most dimensions.
const MOST_DIMENSIONS: usize = 12;
/// The most dimensions that are cut together.
const MOST_TOGETHER: usize = 4;
/// A dimension with more values is not compared.
const MOST_VALUES: f64 = 500.0;
/// The most numbers among which the weight of a declared mean is looked for.
const MOST_WEIGHTS: usize = 8;

/// How a number is made of those that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The only one.
    Adds(Kind),
    /// The first divided by the second.
    Divided,
    /// The first, a mean whose weight is one of the others, or a sum.
    Found,
}

/// The numbers that are asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub shape: Shape,
    pub numbers: Vec<Num>,
}

/// The parts of a number. `None` if it has none: medians, extremes.
pub(crate) fn plan(meaning: &Meaning, world: &World) -> Option<Plan> {
    let number = meaning.numbers.first()?;
    let adds = |kind| Plan { shape: Shape::Adds(kind), numbers: vec![number.clone()] };
    let divided = |of: Num, by: Num| Plan { shape: Shape::Divided, numbers: vec![of, by] };
    Some(match number {
        Num::Count | Num::Distinct(_) => adds(Kind::Count),
        Num::Money(_) | Num::Of(Aggregate::Sum, _) => adds(Kind::Sum),
        Num::Matching(of, _) if **of == Num::Count => adds(Kind::Count),
        Num::Of(Aggregate::Average, place) => {
            let with = Condition::Present { place: place.clone(), present: true };
            divided(Num::Of(Aggregate::Sum, place.clone()), Num::Matching(Box::new(Num::Count), vec![with]))
        }
        Num::Out(part, whole) => divided((**part).clone(), (**whole).clone()),
        Num::Part(of, conditions) if splits(of) => divided(Num::Matching(of.clone(), conditions.clone()), (**of).clone()),
        Num::Per(of, by) if splits(of) && splits(by) => divided((**of).clone(), (**by).clone()),
        Num::Declared(at) => match world.numbers[*at].aggregate {
            Some(Of::Count | Of::CountDistinct) => adds(Kind::Count),
            Some(Of::Sum) => adds(Kind::Sum),
            Some(Of::Average) | None => {
                let weights = (0..world.numbers.len()).filter(|other| {
                    let known = &world.numbers[*other];
                    let adds = matches!(known.aggregate, Some(Of::Count | Of::Sum | Of::CountDistinct));
                    adds && known.facts.contains(&meaning.fact)
                });
                let weights = std::iter::once(Num::Count).chain(weights.map(Num::Declared)).take(MOST_WEIGHTS);
                Plan { shape: Shape::Found, numbers: std::iter::once(number.clone()).chain(weights).collect() }
            }
            _ => return None,
        },
        _ => return None,
    })
}

const fn splits(number: &Num) -> bool {
    matches!(
        number,
        Num::Count | Num::Distinct(_) | Num::Money(_) | Num::Of(Aggregate::Sum, _) | Num::Matching(..) | Num::Declared(_)
    )
}

/// The dimensions to cut by, those together that belong together.
pub(crate) fn families(change: &Change, shape: Shape, world: &World) -> Vec<Vec<Group>> {
    if !change.groups.is_empty() {
        return change.groups.iter().take(MOST_DIMENSIONS).map(|group| vec![group.clone()]).collect();
    }
    let fact = change.meaning.fact;
    let mut families: Vec<Vec<Group>> = Vec::new();
    for (at, field) in world.fields_of(fact).filter(|(at, _)| *at != change.time.field) {
        if field.refers.is_none() && is_dimension(field) {
            families.push(vec![Group { place: Place { field: at, way: Way::default() }, grain: None }]);
        }
    }
    let mut ways: Vec<(TableId, &Way)> =
        (0..world.tables.len()).flat_map(|to| world.ways(fact, to).iter().map(move |way| (to, way))).collect();
    ways.retain(|(_, way)| !way.fields.is_empty());
    ways.sort_by_key(|(to, way)| (way.fields.len(), way.fields.clone(), *to));
    for (to, way) in ways {
        families.extend(reached(fact, to, way, world));
    }
    families.extend(parts_of_time(change, shape, world));
    let fixed = |group: &Group| {
        let known = |condition: &Condition| matches!(condition, Condition::In { place, values, negated: false } if *place == group.place && values.len() == 1);
        change.meaning.conditions.iter().any(known)
    };
    let mut left = MOST_DIMENSIONS;
    for family in &mut families {
        family.retain(|group| !fixed(group));
        family.truncate(left.min(MOST_TOGETHER));
        left -= family.len();
    }
    families.retain(|family| !family.is_empty());
    families
}

fn is_dimension(field: &Field) -> bool {
    let few = field.distinct.is_none_or(|distinct| (2.0..=MOST_VALUES).contains(&distinct));
    matches!(field.kind, FieldKind::Category | FieldKind::Flag) && few
}

/// What a key leads to. Together, if the key or the name has few values: each of them has one city and one country.
fn reached(fact: TableId, to: TableId, way: &Way, world: &World) -> Vec<Vec<Group>> {
    let Some(key) = way.fields.last().copied() else { return Vec::new() };
    let group = |field: FieldId| Group { place: Place { field, way: way.clone() }, grain: None };
    let keys = world.fields[key].distinct;
    let few = keys.is_some_and(|keys| keys <= MOST_VALUES);
    let mut found = Vec::new();
    let is_code = way.fields.len() == 1 && is_code(&world.fields[key]);
    if few && is_code && world.fields[key].table == fact {
        found.push(Group { place: Place { field: key, way: Way::default() }, grain: None });
    } else if few && let [title] = world.tables[to].title.as_slice() {
        found.push(group(*title));
    }
    let together = !found.is_empty();
    let title = |at: FieldId| world.tables[to].title.contains(&at) || world.tables[to].key == Some(at);
    for (at, field) in world.fields_of(to).filter(|(at, field)| !title(*at) && field.refers.is_none()) {
        let fits = is_dimension(field) || few && field.kind == FieldKind::Category;
        if fits && field.distinct != Some(1.0) {
            found.push(group(at));
        }
    }
    if together { vec![found] } else { found.into_iter().map(|group| vec![group]).collect() }
}

/// Whether a key is a code that people know: ATL, and not 4711.
fn is_code(field: &Field) -> bool {
    let words = stems(&crate::language::words::spaced(&field.name));
    let ends = words.last().is_some_and(|last| matches!(last.as_str(), "id" | "key" | "sk" | "uuid" | "guid"));
    !ends && field.column_type == Some(ColumnType::Text)
}

/// Hours and weekdays. Months have different numbers of weekdays, so only means and whole weeks are cut by those.
fn parts_of_time(change: &Change, shape: Shape, world: &World) -> Vec<Vec<Group>> {
    let group = |grain| vec![Group { place: change.time.clone(), grain: Some(grain) }];
    let field = &world.fields[change.time.field];
    let days = change.spans.map(|span| span.from.zip(span.to).map_or(0, |(from, to)| (to - from).num_days()));
    let mut found = Vec::new();
    if field.kind != FieldKind::Time || days[0] < 2 || days[1] < 2 {
        return found;
    }
    if field.column_type == Some(ColumnType::Timestamp) {
        found.push(group(Grain::Hour));
    }
    let weeks = days[0] == days[1] && days[0] % 7 == 0;
    if weeks || !matches!(shape, Shape::Adds(_)) && days.iter().all(|days| *days >= 14) {
        found.push(group(Grain::Weekday));
    }
    found
}
