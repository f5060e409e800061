//! Reads a number in two periods, whole and by each dimension. Every query passes the viewer's own access.

use super::{
    explain::{Explained, Finding, explain},
    parts::{Cell, Cut, Kind, Pair},
    plan::{Plan, Shape, families, plan},
    question::Change,
};
use crate::{
    data::{Data, DataError},
    reading::{Condition, Group, Meaning, asking},
    world::{World, number},
};
use futures::future::join_all;
use serde_json::Value;
use std::{collections::BTreeMap, time::Duration};
use tokio::time::timeout;

/// The most rows of a query.
const MOST_ROWS: u32 = 1000;
/// A dimension that takes longer is left out.
const PATIENCE: Duration = Duration::from_secs(20);
/// The share of a finding that one value of another dimension must make to be told with it.
const MOSTLY: f64 = 0.6;
/// How exactly the parts must add up to the whole.
const EXACT: f64 = 1e-4;

/// What became of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Compared {
    /// The number cannot be split into parts: only its values are known, as far as there are any.
    Whole([Option<f64>; 2]),
    /// No rows in one of the periods: those that have some.
    OneSided([bool; 2]),
    Split(Split),
}

/// A number, split.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Split {
    pub kind: Kind,
    pub whole: Pair,
    pub explained: Explained,
    /// What each finding is mostly made of: one carrier at one airport.
    pub within: Vec<Option<Finding>>,
    /// The dimensions by which findings name them.
    pub groups: Vec<Group>,
}

/// Compares a number in two periods.
///
/// # Errors
/// The number itself cannot be read. A dimension that cannot be read is left out.
pub(crate) async fn compare(change: &Change, world: &World, data: &dyn Data) -> Result<Compared, DataError> {
    let own = Plan { shape: Shape::Adds(Kind::Sum), numbers: change.meaning.numbers.clone() };
    let plan = plan(&change.meaning, world);
    let reader = Reader { change, world, data, plan: plan.as_ref().unwrap_or(&own) };
    let whole = reader.both(&[]).await?;
    let present =
        [0, 1].map(|period| whole.first().is_some_and(|row| row.numbers[period].first().is_some_and(Option::is_some)));
    let shape = plan.as_ref().map(|plan| plan.shape);
    let rows = [0, 1].map(|period| match shape {
        Some(Shape::Adds(Kind::Count)) => present[period] && !is_zero(&whole, period, 0),
        Some(Shape::Divided) => present[period] && !is_zero(&whole, period, 1),
        _ => present[period],
    });
    if rows != [true, true] {
        return Ok(Compared::OneSided(rows));
    }
    let values = || [0, 1].map(|period| whole.first().and_then(|row| row.numbers[period].first().copied().flatten()));
    let Some(plan) = &plan else { return Ok(Compared::Whole(values())) };
    let Some(whole) = whole.first() else { return Ok(Compared::Whole(values())) };
    let families = families(change, plan.shape, world);
    let tables = reader.tables(&families, &|_| true).await;
    let cut = options(plan).into_iter().map(|(kind, place)| {
        let all = pair(whole, kind, place);
        let cuts: Vec<Cut> = tables.iter().filter_map(|table| table.cut(&all, kind, place)).collect();
        ((kind, place), all, cuts)
    });
    // The first of those that most dimensions add up to.
    let best = cut.reduce(|best, next| if next.2.len() > best.2.len() { next } else { best });
    let Some(((kind, place), all, cuts)) = best.filter(|(.., cuts)| !cuts.is_empty()) else {
        return Ok(Compared::Whole(values()));
    };
    let explained = explain(kind, &all, &cuts);
    let looks = explained
        .findings
        .iter()
        .map(|finding| async { if finding.same { None } else { reader.within(finding, &families, (kind, place)).await } });
    let within = join_all(looks).await;
    let groups = families.into_iter().flatten().collect();
    Ok(Compared::Split(Split { kind, explained, whole: all, within, groups }))
}

fn is_zero(rows: &[Row], period: usize, place: usize) -> bool {
    rows.iter().all(|row| row.numbers[period].get(place).copied().flatten().unwrap_or_default() == 0.0)
}

/// Each way in which the number may be made of those that were read: the kind, and the place of the weight.
fn options(plan: &Plan) -> Vec<(Kind, usize)> {
    match plan.shape {
        Shape::Adds(kind) => vec![(kind, 0)],
        Shape::Divided => vec![(Kind::Mean, 1)],
        Shape::Found => {
            std::iter::once((Kind::Sum, 0)).chain((1..plan.numbers.len()).map(|place| (Kind::Mean, place))).collect()
        }
    }
    .into_iter()
    .map(|(kind, place)| (kind, if plan.shape == Shape::Divided { DIVIDED } else { place }))
    .collect()
}

/// The place that says: the first number is already what is divided by the second.
const DIVIDED: usize = usize::MAX;

fn pair(row: &Row, kind: Kind, place: usize) -> Pair {
    let at = |period: usize, place: usize| row.numbers[period].get(place).copied().flatten().unwrap_or_default();
    let mut pair = Pair::sum(at(0, 0), at(1, 0));
    if kind == Kind::Mean {
        for period in [0, 1] {
            pair.weight[period] = at(period, if place == DIVIDED { 1 } else { place });
            if place != DIVIDED {
                pair.amount[period] *= pair.weight[period];
            }
        }
    }
    pair
}

/// What was read of dimensions that belong together.
struct Table {
    dimensions: Vec<usize>,
    is_derived: bool,
    rows: Vec<Row>,
}

impl Table {
    /// A cut whose parts add up to the whole. `None` if they do not: the number is made in another way.
    fn cut(&self, whole: &Pair, kind: Kind, place: usize) -> Option<Cut> {
        let cell = |row: &Row| Cell { values: row.values.clone(), pair: pair(row, kind, place) };
        let cells: Vec<Cell> = self.rows.iter().map(cell).collect();
        let mut sum = Pair::default();
        cells.iter().for_each(|cell| sum.add(&cell.pair));
        let same = |one: f64, other: f64| (one - other).abs() <= EXACT * one.abs().max(other.abs());
        let adds_up = [0, 1]
            .iter()
            .all(|period| same(sum.amount[*period], whole.amount[*period]) && same(sum.weight[*period], whole.weight[*period]));
        let cut = Cut { dimensions: self.dimensions.clone(), is_derived: self.is_derived, cells };
        (cut.cells.len() > 1 && adds_up).then_some(cut)
    }
}

/// The numbers of the rows with the same values, in both periods.
struct Row {
    values: Vec<Value>,
    numbers: [Vec<Option<f64>>; 2],
}

#[derive(Clone, Copy)]
struct Reader<'a> {
    change: &'a Change,
    world: &'a World,
    data: &'a dyn Data,
    plan: &'a Plan,
}

impl Reader<'_> {
    /// What can be read of dimensions in time.
    async fn tables(&self, families: &[Vec<Group>], wanted: &(dyn Fn(&[Group]) -> bool + Sync)) -> Vec<Table> {
        let mut first = 0;
        let numbered = families.iter().map(|family| {
            first += family.len();
            (first - family.len()..first, family)
        });
        let numbered: Vec<_> = numbered.filter(|(_, family)| wanted(family)).collect();
        let read = join_all(numbered.iter().map(|(_, family)| timeout(PATIENCE, self.both(family)))).await;
        let tables = numbered.into_iter().zip(read).filter_map(|((dimensions, family), read)| {
            let is_derived = family.iter().any(|group| !self.world.fields[group.place.field].is_column);
            Some(Table { dimensions: dimensions.collect(), is_derived, rows: read.ok()?.ok()? })
        });
        tables.collect()
    }

    /// The value of another dimension that makes most of what a finding did.
    async fn within(&self, finding: &Finding, families: &[Vec<Group>], (kind, place): (Kind, usize)) -> Option<Finding> {
        let group = families.iter().flatten().nth(finding.dimension)?;
        if group.grain.is_some() || finding.value.is_null() {
            return None;
        }
        let mut change = self.change.clone();
        let values = vec![finding.value.clone()];
        change.meaning.conditions.push(Condition::In { place: group.place.clone(), values, negated: false });
        let reader = Reader { change: &change, ..*self };
        let tables = reader.tables(families, &|family| !family.contains(group)).await;
        let cuts: Vec<Cut> = tables.iter().filter_map(|table| table.cut(&finding.pair, kind, place)).collect();
        let [before, now] = finding.pair.values(kind);
        let found = explain(kind, &finding.pair, &cuts).findings.into_iter().next()?;
        (found.change / (now - before) >= MOSTLY).then_some(found)
    }

    /// The numbers for each of some groups, in both periods. Fails where there are too many groups to read all.
    async fn both(&self, groups: &[Group]) -> Result<Vec<Row>, DataError> {
        let (before, now) = futures::try_join!(self.period(groups, 0), self.period(groups, 1))?;
        let mut rows: BTreeMap<String, Row> = BTreeMap::new();
        for (period, answer) in [before, now].into_iter().enumerate() {
            for (values, numbers) in answer {
                let key = Value::Array(values.clone()).to_string();
                let row = rows.entry(key).or_insert_with(|| Row { values, numbers: [Vec::new(), Vec::new()] });
                row.numbers[period] = numbers;
            }
        }
        Ok(rows.into_values().collect())
    }

    async fn period(&self, groups: &[Group], period: usize) -> Result<Vec<(Vec<Value>, Vec<Option<f64>>)>, DataError> {
        let Change { meaning, time, spans, .. } = self.change;
        let span = Condition::Spans { place: time.clone(), spans: vec![spans[period]] };
        let meaning = Meaning {
            numbers: self.plan.numbers.clone(),
            groups: groups.to_vec(),
            conditions: meaning.conditions.iter().cloned().chain([span]).collect(),
            limit: Some(MOST_ROWS),
            ..meaning.clone()
        };
        let asked = asking::asked(&meaning, self.world).ok_or_else(DataError::unaskable)?;
        let answer = self.data.query_model(&asked.query, &self.world.assumed).await?.rows;
        if answer.rows.len() >= MOST_ROWS as usize {
            return Err(DataError::unaskable());
        }
        let places = |names: &[String]| names.iter().map(|name| answer.position(name)).collect::<Option<Vec<usize>>>();
        let (values, numbers) = places(&asked.groups).zip(places(&asked.numbers)).ok_or_else(DataError::unaskable)?;
        let cell = |row: &[Value], at: usize| row.get(at).cloned().unwrap_or_default();
        let rows = answer.rows.iter().map(|row| {
            let of = |places: &[usize]| places.iter().map(|at| cell(row, *at)).collect::<Vec<Value>>();
            (of(&values), of(&numbers).iter().map(number).collect())
        });
        Ok(rows.collect())
    }
}
