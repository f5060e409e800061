//! What a query answers, worked out row by row. It shares nothing with the compiler: ways to tables are written down here.

use super::{
    made::{How, Made},
    periods::{Shift, first_of},
    rows::in_cycle,
    world::{Row, Value, World},
};
use chrono::{Datelike, Months, NaiveDate};
use inlay_contract::{
    chart::question::Grain,
    filter::{FilterValue, Period, Scalar, Unit},
    model::{Aggregate, Compare, Edge, ModelGroup, ModelQuery},
};
use std::collections::BTreeMap;

/// A made-up model and a query of it.
pub(super) struct Case<'a> {
    pub world: &'a World,
    pub measures: Vec<Made>,
    pub asked: Vec<How>,
    pub query: ModelQuery,
    /// The grain of the time, also of the totals of a query that had one.
    pub grain: Option<Grain>,
    pub today: NaiveDate,
    /// How many months after January years begin.
    pub year: u32,
}

pub(super) type Answer = Vec<Vec<Option<Cell>>>;

/// A value of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Number(f64),
    Text(String),
}

type Key = Vec<Value>;
type Numbers = BTreeMap<Key, Option<f64>>;

impl Case<'_> {
    /// The rows, in the query's order.
    pub(super) fn answer(&self) -> Answer {
        let needed = self.needed();
        let now: BTreeMap<usize, Numbers> = needed.iter().map(|at| (*at, self.numbers(*at, None))).collect();
        let before: BTreeMap<usize, Numbers> = match self.query.compare {
            Some(_) => needed.iter().map(|at| (*at, self.numbers(*at, Some(self.shift())))).collect(),
            None => BTreeMap::new(),
        };
        let mut keys: Vec<Key> = now.values().chain(before.values()).flat_map(|numbers| numbers.keys().cloned()).collect();
        if self.asked.is_empty() {
            keys = self.distinct();
        }
        keys.sort();
        keys.dedup();
        let put_together = self.several(&needed);
        let mut rows = Vec::new();
        for key in &keys {
            let mut row: Vec<Option<Cell>> = key.iter().map(cell).collect();
            for how in &self.asked {
                row.push(self.worked_out(how, key, &keys, &now, put_together).map(Cell::Number));
            }
            if self.query.compare.is_some() {
                for how in &self.asked {
                    row.push(self.worked_out(how, key, &keys, &before, put_together).map(Cell::Number));
                }
            }
            rows.push(row);
        }
        rows.retain(|row| self.is_kept(row));
        rows.sort_by(|one, other| self.order(one, other));
        self.keep_top(&mut rows);
        rows.truncate(self.query.limit.unwrap_or(1000) as usize);
        rows
    }

    /// Keeps the first rows of each group of rows.
    fn keep_top(&self, rows: &mut Answer) {
        let Some(top) = &self.query.top else { return };
        let columns: Vec<String> = self.query.dimensions.iter().map(ModelGroup::column).collect();
        let mut seen: Vec<(Vec<Option<Cell>>, u32)> = Vec::new();
        rows.retain(|row| {
            let part: Vec<Option<Cell>> =
                columns.iter().zip(row).filter(|(name, _)| top.per.contains(name)).map(|(_, cell)| cell.clone()).collect();
            let at = seen.iter().position(|(known, _)| *known == part).unwrap_or_else(|| {
                seen.push((part, 0));
                seen.len() - 1
            });
            seen[at].1 += 1;
            seen[at].1 <= top.rows
        });
    }

    /// The first day of a period, in years of the model.
    fn first_of(&self, grain: Grain, day: NaiveDate) -> NaiveDate {
        let months = Months::new(if matches!(grain, Grain::Quarter | Grain::Year) { self.year } else { 0 });
        first_of(grain, day - months) + months
    }

    fn needed(&self) -> Vec<usize> {
        let mut needed: Vec<usize> = Vec::new();
        for how in &self.asked {
            match *how {
                How::Base(a)
                | How::Running(a)
                | How::ToDate(a, _)
                | How::Moving(a, _)
                | How::Total(a, _)
                | How::Share(a, _) => {
                    needed.push(a);
                }
                How::Ratio(a, b) | How::TotalRatio(a, b, _) | How::Coalesced(a, b) | How::Narrowed(a, b) => {
                    needed.extend([a, b]);
                }
                How::Formula(a, b, c) => needed.extend([a, b, c]),
            }
        }
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Whether groups of one gathering may be missing in another.
    fn several(&self, needed: &[usize]) -> bool {
        let way = |at: &usize| {
            let made = &self.measures[*at];
            let ranked = matches!(made.aggregate, Aggregate::Median | Aggregate::Percentile);
            let edge = made.take.as_ref().map(|take| format!("{take:?} {:?}", made.condition));
            (made.table, edge, ranked.then_some(*at))
        };
        let ways: std::collections::BTreeSet<_> = needed.iter().map(way).collect();
        ways.len() > 1 || self.query.compare.is_some()
    }

    fn worked_out(&self, how: &How, key: &Key, keys: &[Key], all: &BTreeMap<usize, Numbers>, several: bool) -> Option<f64> {
        let of = |at: usize, key: &Key| {
            let found = all[&at].get(key).copied().flatten();
            let counts = matches!(self.measures[at].aggregate, Aggregate::Count | Aggregate::CountDistinct);
            if several && counts { Some(found.unwrap_or_default()) } else { found }
        };
        let ratio = |a: Option<f64>, b: Option<f64>| a.zip(b).filter(|(_, b)| *b != 0.0).map(|(a, b)| a / b);
        match *how {
            How::Base(at) => of(at, key),
            How::Ratio(a, b) | How::Narrowed(a, b) => ratio(of(a, key), of(b, key)),
            How::Coalesced(a, b) => Some(of(a, key).or_else(|| of(b, key)).unwrap_or_default() - 1.0),
            How::Formula(a, b, c) => Some((of(a, key)? + of(b, key)?).mul_add(2.0, -(of(c, key)? / 4.0))),
            How::Running(at) => summed(&self.along(key, keys, None), |one| of(at, one)),
            How::ToDate(at, grain) => summed(&self.along(key, keys, Some(grain)), |one| of(at, one)),
            How::Total(at, within) => summed(&alike(key, keys, within), |one| of(at, one)),
            How::Share(at, within) => ratio(of(at, key), summed(&alike(key, keys, within), |one| of(at, one))),
            How::TotalRatio(a, b, within) => {
                let groups = alike(key, keys, within);
                ratio(summed(&groups, |one| of(a, one)), summed(&groups, |one| of(b, one)))
            }
            How::Moving(at, periods) => {
                // Of the measure's own periods: what else is asked for changes nothing.
                let own: Vec<Key> = all[&at].keys().cloned().collect();
                if !own.contains(key) {
                    return None;
                }
                let along = self.along(key, &own, None);
                let last: Vec<f64> = along.iter().rev().take(usize::from(periods)).filter_map(|one| all[&at][one]).collect();
                if last.is_empty() { None } else { Some(last.iter().sum::<f64>() / last.len() as f64) }
            }
        }
    }

    /// The groups up to this one that differ from it by their time alone.
    fn along(&self, key: &Key, keys: &[Key], anew: Option<Grain>) -> Vec<Key> {
        let Some(time) = self.query.dimensions.iter().position(|group| group.grain.is_some()) else { return Vec::new() };
        let period = |value: &Value| match (anew, value) {
            (Some(grain), Value::Day(day)) => Value::Day(self.first_of(grain, *day)),
            (Some(_), _) => Value::Null,
            (None, _) => Value::Int(0),
        };
        let last = |value: &Value| (*value == Value::Null, value.clone());
        let mut along: Vec<Key> = keys
            .iter()
            .filter(|other| (0..key.len()).all(|at| at == time || other[at] == key[at]))
            .filter(|other| period(&other[time]) == period(&key[time]) && last(&other[time]) <= last(&key[time]))
            .cloned()
            .collect();
        along.sort_by_key(|one| last(&one[time]));
        along
    }

    /// A measure's number of each group.
    fn numbers(&self, at: usize, shift: Option<Shift>) -> Numbers {
        let made = &self.measures[at];
        let mut groups: BTreeMap<Key, Vec<&Row>> = BTreeMap::new();
        if self.query.dimensions.is_empty() {
            groups.insert(Vec::new(), Vec::new());
        }
        for row in self.world.permitted(made.table) {
            if let Some(key) = self.key(made.table, made.time, row, shift) {
                groups.entry(key).or_default().push(row);
            }
        }
        let ranked = matches!(made.aggregate, Aggregate::Median | Aggregate::Percentile);
        let mut numbers = Numbers::new();
        for (key, rows) in groups {
            let counted = |row: &&Row| self.counts(made, row);
            let rows: Vec<&Row> = match &made.take {
                Some((edge, per)) => at_edge(rows.into_iter().filter(counted).collect(), made.time, *edge, per),
                None => rows,
            };
            if made.take.is_some() && rows.is_empty() && !key.is_empty() {
                continue;
            }
            let values: Vec<Value> = rows.iter().filter(|row| counted(row)).map(|row| self.gathered_of(made, row)).collect();
            let values: Vec<Value> = values.into_iter().filter(|value| *value != Value::Null).collect();
            if ranked && values.is_empty() && !key.is_empty() {
                continue;
            }
            numbers.insert(key, gathered(made, &values));
        }
        numbers
    }

    /// The groups of the first dimension's table, for a query without measures.
    fn distinct(&self) -> Vec<Key> {
        let table = self.query.dimensions[0].name.split('.').next().expect("a table");
        let table = super::world::TABLES.iter().map(|(name, _)| *name).find(|name| *name == table).expect("a table");
        self.world.permitted(table).into_iter().filter_map(|row| self.key(table, "", row, None)).collect()
    }

    /// The group of a row; `None` if a filter leaves it out.
    fn key(&self, table: &str, time: &str, row: &Row, shift: Option<Shift>) -> Option<Key> {
        for filter in &self.query.filters {
            let today = if filter.newest { self.newest(table, time) } else { Some(self.today) };
            if !self.passes(table, time, row, filter, shift, today) {
                return None;
            }
        }
        if let (Some(shift @ Shift::Months(_)), Some(Grain::Day)) = (shift, self.grain) {
            let has_counterpart = matches!(row[time], Value::Day(day) if shift.back(shift.forth(day)) == day);
            if !has_counterpart {
                return None;
            }
        }
        let mut key = Key::new();
        for ModelGroup { name, via, grain, cycle, .. } in &self.query.dimensions {
            let (mut value, is_time) = self.value(table, time, row, name, via.as_deref());
            if let Some(cycle) = cycle {
                key.push(in_cycle(*cycle, &value));
                continue;
            }
            if let (Some(shift), true, Value::Day(day)) = (shift, is_time, &value) {
                value = Value::Day(shift.forth(*day));
            }
            if let (Some(grain), Value::Day(day)) = (grain, &value) {
                value = Value::Day(self.first_of(*grain, *day));
            }
            key.push(value);
        }
        Some(key)
    }

    /// The same of a period that counts from the newest row.
    fn shift_of_newest(&self, value: &FilterValue) -> Shift {
        let FilterValue::Relative(period) = value else { panic!("no period: {value:?}") };
        let months = match period {
            Period::LastDays(days) => return Shift::Days(u64::from(*days)),
            Period::LastWeeks(weeks) => return Shift::Days(7 * u64::from(*weeks)),
            Period::This(unit) | Period::Previous(unit) => match unit {
                Unit::Week => panic!("not asked for"),
                Unit::Month => 1,
                Unit::Quarter => 3,
                Unit::Year => 12,
            },
            other => panic!("not asked for: {other}"),
        };
        Shift::Months(if self.query.compare == Some(Compare::Year) { 12 } else { months })
    }

    /// The newest of the rows that pass all filters which do not ask for it.
    fn newest(&self, table: &str, time: &str) -> Option<NaiveDate> {
        let query = ModelQuery {
            dimensions: Vec::new(),
            filters: self.query.filters.iter().filter(|filter| !filter.newest).cloned().collect(),
            ..self.query.clone()
        };
        let others = Case { query, measures: self.measures.clone(), asked: self.asked.clone(), grain: None, ..*self };
        let rows = self.world.permitted(table).into_iter().filter(|row| others.key(table, time, row, None).is_some());
        rows.filter_map(|row| if let Value::Day(day) = row[time] { Some(day) } else { None }).max()
    }

    /// How far the earlier period lies back, by the rules of docs/model.md.
    fn shift(&self) -> Shift {
        let filter = self
            .query
            .filters
            .iter()
            .find(|filter| filter.dimension == "time" && filter.cycle.is_none())
            .expect("a filter of the time");
        if filter.newest {
            return self.shift_of_newest(&filter.value);
        }
        let (from, to) = match &filter.value {
            FilterValue::Range { from: Some(Scalar::Text(from)), to: Some(Scalar::Text(to)) } => {
                (from.parse().expect("a day"), to.parse().expect("a day"))
            }
            FilterValue::Relative(period) => period.days(self.today),
            other => panic!("no period: {other:?}"),
        };
        let days = u64::try_from((to - from).num_days()).expect("a period");
        match (self.query.compare, self.grain) {
            (Some(Compare::Year), Some(Grain::Week)) => Shift::Days(364),
            (Some(Compare::Year), _) => Shift::Months(12),
            (_, Some(Grain::Week)) => Shift::Days(days),
            _ if from.day() == 1 && to.day() == 1 => {
                Shift::Months((to.year() * 12 + to.month() as i32 - from.year() * 12 - from.month() as i32).unsigned_abs())
            }
            _ => Shift::Days(days),
        }
    }
}

/// The rows at the first or last moment of each part.
fn at_edge<'a>(rows: Vec<&'a Row>, time: &str, edge: Edge, per: &[&str]) -> Vec<&'a Row> {
    let part = |row: &Row| per.iter().map(|column| row[column].clone()).collect::<Vec<_>>();
    let mut edges: BTreeMap<Vec<Value>, Value> = BTreeMap::new();
    for row in rows.iter().filter(|row| row[time] != Value::Null) {
        let moment = row[time].clone();
        let known = edges.entry(part(row)).or_insert_with(|| moment.clone());
        let further = if edge == Edge::Last { moment > *known } else { moment < *known };
        if further {
            *known = moment;
        }
    }
    rows.into_iter().filter(|row| edges.get(&part(row)) == Some(&row[time])).collect()
}

fn gathered(made: &Made, values: &[Value]) -> Option<f64> {
    let mut numbers: Vec<f64> = values
        .iter()
        .filter_map(|value| match value {
            Value::Int(number) => Some(*number as f64),
            _ => None,
        })
        .collect();
    numbers.sort_by(f64::total_cmp);
    let at = |fraction: f64| {
        let place = (numbers.len().checked_sub(1)?) as f64 * fraction;
        let (below, above) = (numbers[place.floor() as usize], numbers[place.ceil() as usize]);
        Some((above - below).mul_add(place.fract(), below))
    };
    match made.aggregate {
        Aggregate::Count => Some(values.len() as f64),
        Aggregate::CountDistinct => {
            let mut different = values.to_vec();
            different.sort();
            different.dedup();
            Some(different.len() as f64)
        }
        _ if numbers.is_empty() => None,
        Aggregate::Sum => Some(numbers.iter().sum()),
        Aggregate::Average => Some(numbers.iter().sum::<f64>() / numbers.len() as f64),
        Aggregate::Min => numbers.first().copied(),
        Aggregate::Max => numbers.last().copied(),
        Aggregate::Median => at(0.5),
        Aggregate::Percentile => at(made.fraction),
    }
}

/// The groups that share the first value, or all.
fn alike(key: &Key, keys: &[Key], within: bool) -> Vec<Key> {
    keys.iter().filter(|other| !within || other.first() == key.first()).cloned().collect()
}

fn summed(keys: &[Key], of: impl Fn(&Key) -> Option<f64>) -> Option<f64> {
    let values: Vec<f64> = keys.iter().filter_map(of).collect();
    if values.is_empty() { None } else { Some(values.iter().sum()) }
}

fn cell(value: &Value) -> Option<Cell> {
    match value {
        Value::Null => None,
        Value::Int(number) => Some(Cell::Number(*number as f64)),
        Value::Text(text) => Some(Cell::Text(text.clone())),
        Value::Day(day) => Some(Cell::Text(day.to_string())),
    }
}
