//! Numbers that do not add up over time: a population, the customers of each month. Where no period is said, the newest one is meant.

use super::Composer;
use crate::language::cues::Aggregate;
use crate::language::grain::Grain;
use crate::language::span::{Span, first_day, shifted};
use crate::reading::meaning::{Condition, Group, Num, Place};
use crate::world::{Field, FieldId, Kind, Way, World};
use chrono::NaiveDate;

/// What there is at a time, and what is counted again with each period.
const STOCKS: &[&str] = &[
    "population",
    "inhabitant",
    "headcount",
    "customer",
    "employee",
    "member",
    "subscriber",
    "user",
    "account",
    "inventory",
    "stock",
    "balance",
    "debt",
    "capacity",
    "seat",
    "staff",
    "household",
    "fleet",
    "backlog",
];

impl Composer<'_> {
    /// The newest period of the rows, if the numbers are those of one and the question names none.
    pub(super) fn newest(&self, numbers: &[Num], groups: &[Group], conditions: &[Condition]) -> Option<Condition> {
        let world = self.context.world;
        let asks = self.draft.trend
            || self.draft.growth
            || self.draft.running
            || self.draft.moving.is_some()
            || !self.draft.periods.is_empty();
        if asks || !numbers.iter().any(|number| is_of_a_time(number, world, self.fact)) {
            return None;
        }
        let (field, span) = newest_of(world, self.fact)?;
        let timed = |place: &Place| matches!(world.fields[place.field].kind, Kind::Time | Kind::Year);
        if groups.iter().any(|group| timed(&group.place)) || conditions.iter().any(|condition| timed(condition.place())) {
            return None;
        }
        Some(Condition::Spans { place: Place { field, way: Way::default() }, spans: vec![span] })
    }
}

fn is_stock(called: &[Vec<String>]) -> bool {
    called.iter().any(|words| {
        words.last().is_some_and(|last| STOCKS.contains(&last.as_str()))
            || words.first().is_some_and(|first| first == "population")
    })
}

/// Whether a number is that of a moment: a stock, or in a table of years a mean of what each year has.
fn is_of_a_time(number: &Num, world: &World, fact: usize) -> bool {
    let yearly = world.tables[fact].time.is_none();
    match number {
        Num::Of(Aggregate::Sum, place) => place.way.columns.is_empty() && is_stock(&world.fields[place.field].called),
        Num::Of(Aggregate::Average, place) => {
            yearly && place.way.columns.is_empty() && world.fields[place.field].kind == Kind::Level
        }
        Num::Declared(at) => {
            let known = &world.numbers[*at];
            let sums = known.aggregate == Some(inlay_contract::model::Aggregate::Sum);
            let means = known.aggregate == Some(inlay_contract::model::Aggregate::Average);
            sums && is_stock(&known.called) || yearly && means
        }
        Num::Per(of, _) | Num::OfTotal(of) | Num::Part(of, _) | Num::Out(of, _) => is_of_a_time(of, world, fact),
        _ => false,
    }
}

/// The field and days of the newest period of a table that has rows for the same things in each period.
fn newest_of(world: &World, fact: usize) -> Option<(FieldId, Span)> {
    let table = &world.tables[fact];
    let repeats =
        |field: &Field| field.distinct.zip(table.rows).is_some_and(|(periods, rows)| periods > 1.0 && rows >= 2.0 * periods);
    if let Some(time) = table.time {
        let field = &world.fields[time];
        let (first, last) = field.days.filter(|_| repeats(field))?;
        // As many different days as there are months, or fewer.
        let months = f64::from(months_between(first, last) + 1);
        let begin = first_day(last, Grain::Month);
        let span = Span { from: Some(begin), to: shifted(begin, Grain::Month, 1), grain: Some(Grain::Month) };
        return (field.distinct? <= months).then_some((time, span));
    }
    let year = table.year?;
    let field = &world.fields[year];
    let (_, last) = field.range.filter(|_| repeats(field))?;
    let begin = NaiveDate::from_ymd_opt(last as i32, 1, 1)?;
    Some((year, Span { from: Some(begin), to: shifted(begin, Grain::Year, 1), grain: Some(Grain::Year) }))
}

fn months_between(first: NaiveDate, last: NaiveDate) -> i32 {
    use chrono::Datelike;
    (last.year() - first.year()) * 12 + last.month() as i32 - first.month() as i32
}
