//! Questions about single rows.

use super::{scalar, split};
use crate::reading::meaning::{Condition, Meaning, Num};
use crate::world::World;
use inlay_contract::chart::question;
use inlay_contract::filter::{FilterValue, Scalar};

/// The question about single rows.
pub(crate) fn rows(meaning: &Meaning, world: &World) -> Option<question::Question> {
    let by = meaning.rows.filter(|_| meaning.groups.is_empty())?;
    let own = |condition: &Condition| condition.place().way.columns.is_empty();
    let mut filters = Vec::new();
    for condition in &meaning.conditions {
        if !own(condition) {
            return None;
        }
        filters.extend(row_condition(condition, world)?);
    }
    let fields = world.fields_of(meaning.fact).filter(|(_, field)| field.is_column);
    let dimensions: Vec<_> = fields.map(|(_, field)| question::Dimension::of(&*field.name)).collect();
    let time = world.tables[meaning.fact].time;
    let order = |field: usize, descending| question::Order { by: world.fields[field].name.clone(), descending };
    let sort = by.or(time).map(|by| order(by, meaning.descending.unwrap_or(true)));
    let then = ties(sort.as_ref(), time.map(|time| order(time, true)), &dimensions);
    Some(question::Question {
        table: world.tables[meaning.fact].name.clone(),
        dimensions,
        filters,
        sort,
        then,
        limit: Some(meaning.limit.unwrap_or(1000)),
        ..question::Question::default()
    })
}

/// The order of rows that are alike in the first one: the latest first, then by all columns. Without it each database, and each run,
/// would choose other rows at the limit.
fn ties(
    first: Option<&question::Order>,
    time: Option<question::Order>,
    dimensions: &[question::Dimension],
) -> Vec<question::Order> {
    let columns = dimensions.iter().map(|dimension| question::Order { by: dimension.column.clone(), descending: false });
    let mut then: Vec<question::Order> = Vec::new();
    for order in time.into_iter().chain(columns) {
        if first.is_none_or(|first| first.by != order.by) && then.iter().all(|other| other.by != order.by) {
            then.push(order);
        }
    }
    then
}

/// The number of steps of a distribution, about.
const STEPS: f64 = 24.0;

/// The question about how a number is distributed.
pub(crate) fn spread(meaning: &Meaning, world: &World) -> Option<question::Question> {
    let [Num::Spread(place)] = meaning.numbers.as_slice() else { return None };
    let known = &world.fields[place.field];
    let step = Some(step(known.range?));
    let by = question::Dimension { step, name: Some("step".to_owned()), ..question::Dimension::of(&*known.name) };
    let mut filters = Vec::new();
    for condition in &meaning.conditions {
        if !condition.place().way.columns.is_empty() {
            return None;
        }
        filters.extend(row_condition(condition, world)?);
    }
    let measure = question::Measure { name: Some("rows_found".to_owned()), ..question::Measure::count() };
    Some(question::Question {
        table: world.tables[meaning.fact].name.clone(),
        measures: vec![measure],
        dimensions: vec![by],
        filters,
        ..question::Question::default()
    })
}

/// A round step, in thousandths, that divides a range into a suitable number of steps.
fn step((least, most): (f64, f64)) -> u64 {
    let width = ((most - least) / STEPS).max(0.001);
    let power = 10f64.powf(width.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|round| *round >= width).unwrap_or(width);
    ((round * 1000.0).round() as u64).max(1)
}

/// The question about the rows of a period on average.
pub(crate) fn per_period(meaning: &Meaning, world: &World) -> Option<question::Question> {
    let [Num::PerPeriod(place, grain, of)] = meaning.numbers.as_slice() else { return None };
    if !place.way.columns.is_empty() {
        return None;
    }
    let (grain, cycle) = split(*grain);
    let per = question::Dimension { grain, cycle, ..question::Dimension::of(&*world.fields[place.field].name) };
    let mut filters = Vec::new();
    for condition in &meaning.conditions {
        if !condition.place().way.columns.is_empty() {
            return None;
        }
        filters.extend(row_condition(condition, world)?);
    }
    let each = match of {
        Some(of) => question::Measure::of(question::Aggregate::Sum, &*world.fields[of.field].name),
        None => question::Measure::count(),
    };
    let measure = question::Measure { per: Some(per), name: Some("each_value".to_owned()), ..each };
    Some(question::Question {
        table: world.tables[meaning.fact].name.clone(),
        measures: vec![measure],
        filters,
        ..question::Question::default()
    })
}

/// Whether a question about one table can be narrowed so.
pub(crate) fn can_narrow(condition: &Condition, world: &World) -> bool {
    condition.place().way.columns.is_empty() && row_condition(condition, world).is_some()
}

/// A condition on a column of the table. `None` of what only a query of the model can say, such as one on a declared dimension.
fn row_condition(condition: &Condition, world: &World) -> Option<Vec<question::QuestionCondition>> {
    use question::{QuestionCondition, Wanted};
    if !world.fields[condition.place().field].is_column {
        return None;
    }
    let column = world.fields[condition.place().field].name.clone();
    let of = |value: Wanted| QuestionCondition { column: column.clone(), via: None, value };
    Some(match condition {
        Condition::Spans { spans, .. } => match spans.as_slice() {
            [span] => {
                let day = |day: Option<chrono::NaiveDate>| day.map(|day| Scalar::Text(day.to_string()));
                vec![of(Wanted::Filter(FilterValue::Range { from: day(span.from), to: day(span.to) }))]
            }
            _ => return None,
        },
        Condition::In { values, negated: false, .. } => {
            vec![of(Wanted::Filter(FilterValue::AnyOf(values.iter().filter_map(scalar).collect())))]
        }
        Condition::Number { comparison, value, .. } => vec![of(Wanted::Compared { comparison: *comparison, than: *value })],
        _ => return None,
    })
}
