//! What a question for reasons compares: one number in two periods.

use super::words::Asks;
use crate::{
    language::{
        grain::Grain,
        span::{Span, Spoken, first_day, shifted},
    },
    reading::{Condition, Context, Draft, Group, Meaning, Num, Place, Split, compose},
    world::Kind as FieldKind,
};
use chrono::{Datelike, NaiveDate};

/// One number in two periods.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    /// The number and its conditions, without periods and groups.
    pub meaning: Meaning,
    /// The groups that the question names.
    pub groups: Vec<Group>,
    /// Where the periods are.
    pub time: Place,
    /// The earlier and the later period.
    pub spans: [Span; 2],
    /// Which way the number is said to have gone: up, down.
    pub claims: Option<bool>,
    /// Whether the question names no period.
    pub is_assumed: bool,
}

/// Why nothing can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unclear {
    /// It asks about rows, not about a number.
    Number,
    /// The rows have no time.
    Time,
    /// The periods are not two.
    Periods,
}

/// What a draft without the words that ask why compares.
///
/// # Errors
/// It has no number, or no two periods.
pub(crate) fn change(draft: &Draft, asks: &Asks, context: Context<'_>) -> Result<Change, Unclear> {
    let mut draft = Draft { growth: false, trend: false, rank: None, ..draft.clone() };
    let periods = draft.periods.iter().flat_map(|period| both(&period.spoken)).collect::<Vec<Spoken>>();
    let of = draft.periods.first().and_then(|period| period.of);
    let grain = draft.splits.iter().find_map(|split| match split {
        Split::Grain(grain @ (Grain::Week | Grain::Month | Grain::Quarter | Grain::Year)) => Some(*grain),
        _ => None,
    });
    // Weekdays and hours come again in both periods.
    draft.splits.retain(|split| !matches!(split, Split::Grain(grain) if grain.is_calendar()));
    draft.periods.truncate(1);
    let resolved = |spoken: &Spoken| {
        let mut draft = draft.clone();
        draft.periods.iter_mut().for_each(|period| (period.spoken, period.of) = (spoken.clone(), of));
        let (meaning, _) = compose(&draft, context)?;
        spans_of(&meaning)
    };
    let mut read = draft.clone();
    read.periods.iter_mut().zip(&periods).for_each(|(period, spoken)| period.spoken = spoken.clone());
    let is_number = |meaning: &Meaning| meaning.rows.is_none() && meaning.lacking.is_none() && !meaning.numbers.is_empty();
    let number = |draft: &Draft| compose(draft, context).map(|(meaning, _)| meaning).filter(is_number);
    // "why so few customers": they are counted, not listed.
    let counted = || number(&Draft { how_many: true, ..read.clone() });
    let mut meaning = number(&read).or_else(counted).ok_or(Unclear::Number)?;
    meaning.numbers.truncate(1);
    let said = spans_of(&meaning);
    let time = said.as_ref().map(|(place, _)| place.clone()).or_else(|| time_of(&meaning, context)).ok_or(Unclear::Time)?;
    meaning.conditions.retain(|condition| !matches!(condition, Condition::Spans { place, .. } if *place == time));
    let calendar = Calendar::of(&time, context).ok_or(Unclear::Time)?;
    let spans = match periods.as_slice() {
        [] => {
            let now = calendar.newest(grain.unwrap_or(Grain::Month)).ok_or(Unclear::Periods)?;
            [before(&now, asks.over).ok_or(Unclear::Periods)?, now]
        }
        [Spoken::Around(grain, -1)] if draft.versus => calendar.so_far(*grain).ok_or(Unclear::Periods)?,
        [_] => {
            let (_, whole) = said.ok_or(Unclear::Periods)?;
            let now = calendar.until_today(whole);
            // This month so far is compared with the same days of the one before.
            let over = asks.over.or(whole.grain.filter(|_| now != whole));
            [before(&now, over).ok_or(Unclear::Periods)?, now]
        }
        [first, second, ..] => two(first, second, resolved).ok_or(Unclear::Periods)?,
    };
    let groups =
        meaning.groups.drain(..).filter(|group| group.place != time || group.grain.is_some_and(|grain| !grain.is_calendar()));
    let groups = groups.collect();
    meaning.limit = None;
    meaning.descending = None;
    meaning.having.clear();
    meaning.of_each = false;
    Ok(Change { groups, time, spans, claims: asks.claims, is_assumed: periods.is_empty(), meaning: told(meaning) })
}

/// A period that a screen shows, up to the newest day with rows, and the one just before. `None` where it has no beginning or no rows.
pub(crate) fn shown(
    time: &Place,
    (from, to): (Option<NaiveDate>, Option<NaiveDate>),
    context: Context<'_>,
) -> Option<[Span; 2]> {
    let from = from?;
    let end = Calendar::of(time, context)?.last.succ_opt()?;
    let to = to.map_or(end, |to| to.min(end));
    let is_whole = |grain: &Grain| first_day(from, *grain) == from && shifted(from, *grain, 1) == Some(to);
    let grain = [Grain::Year, Grain::Quarter, Grain::Month].into_iter().find(is_whole);
    let now = (from < to).then_some(Span { from: Some(from), to: Some(to), grain })?;
    Some([now.before()?, now])
}

/// The number that changes, of one that follows its course.
fn told(mut meaning: Meaning) -> Meaning {
    while let [Num::Running(of) | Num::Moving(of, _) | Num::InUnit(of, ..) | Num::Growth(of, ..)] = meaning.numbers.as_slice() {
        meaning.numbers = vec![(**of).clone()];
    }
    if matches!(meaning.numbers.as_slice(), [Num::PerPeriod(..) | Num::Spread(_)]) {
        meaning.numbers = vec![Num::Count];
    }
    meaning
}

/// "from February to March": two periods, where each is a whole one.
fn both(spoken: &Spoken) -> Vec<Spoken> {
    let whole = |one: &Spoken| matches!(one, Spoken::Month(..) | Spoken::Quarter(..) | Spoken::Half(..) | Spoken::Year(_));
    match spoken {
        Spoken::Range(from, to) if whole(from) && whole(to) => vec![(**from).clone(), (**to).clone()],
        one => vec![one.clone()],
    }
}

fn spans_of(meaning: &Meaning) -> Option<(Place, Span)> {
    meaning.conditions.iter().find_map(|condition| match condition {
        Condition::Spans { place, spans } => Some((place.clone(), *spans.first()?)),
        _ => None,
    })
}

fn time_of(meaning: &Meaning, context: Context<'_>) -> Option<Place> {
    let world = context.world;
    let field = world.time_of(meaning.fact).or_else(|| world.year_of(meaning.fact))?;
    let ways = world.ways(meaning.fact, world.fields[field].table);
    Some(Place { field, way: ways.iter().min_by_key(|way| way.columns.len())?.clone() })
}

/// The period to compare with: just before, or as far back as the question says.
fn before(now: &Span, over: Option<Grain>) -> Option<Span> {
    match over {
        Some(grain) => now.moved(grain, -1),
        None => now.before(),
    }
}

/// Two periods as said, the earlier one first. "March vs last year" is March of the year before.
fn two(first: &Spoken, second: &Spoken, resolved: impl Fn(&Spoken) -> Option<(Place, Span)>) -> Option<[Span; 2]> {
    let own = |one: &Spoken| match one {
        Spoken::Around(grain, _) => Some(*grain),
        _ => None,
    };
    let (_, now) = resolved(first)?;
    let shorter = now.grain != Some(Grain::Year);
    let other = match second {
        Spoken::Around(grain, -1) if own(first).is_none_or(|own| own != *grain) => now.moved(*grain, -1)?,
        Spoken::Year(year) if shorter => now.moved(Grain::Year, year - now.from?.year())?,
        _ => resolved(second)?.1,
    };
    let mut spans = [now, other];
    spans.sort_by_key(|span| span.from);
    let whole = spans.iter().all(|span| span.from.is_some() && span.to.is_some());
    (whole && spans[0] != spans[1]).then_some(spans)
}

/// The days that there are.
struct Calendar {
    first: NaiveDate,
    last: NaiveDate,
    today: NaiveDate,
    in_years: bool,
}

impl Calendar {
    fn of(time: &Place, context: Context<'_>) -> Option<Self> {
        let field = &context.world.fields[time.field];
        let year = |year: f64, month, day| NaiveDate::from_ymd_opt(year as i32, month, day);
        let years = || {
            let (first, last) = field.range.filter(|_| field.kind == FieldKind::Year)?;
            Some((year(first, 1, 1)?, year(last, 12, 31)?))
        };
        let (first, last) = field.days.or_else(years)?;
        Some(Self { first, last: last.min(context.today), today: context.today, in_years: field.kind == FieldKind::Year })
    }

    /// The newest whole period with rows.
    fn newest(&self, grain: Grain) -> Option<Span> {
        let grain = if self.in_years { Grain::Year } else { grain };
        let from = first_day(self.last.succ_opt()?, grain);
        let from = shifted(from, grain, -1)?;
        (shifted(from, grain, 1)? > self.first).then_some(())?;
        Some(Span { from: Some(from), to: shifted(from, grain, 1), grain: Some(grain) })
    }

    /// The newest period up to its newest day, and the same days of the one before.
    fn so_far(&self, grain: Grain) -> Option<[Span; 2]> {
        let from = first_day(self.last, grain);
        let to = self.last.succ_opt()?;
        let whole = (shifted(from, grain, 1)? == to).then_some(grain);
        let now = Span { from: Some(from), to: Some(to), grain: whole };
        Some([if whole.is_some() { now.before()? } else { now.moved(grain, -1)? }, now])
    }

    /// A period that is not over ends today.
    fn until_today(&self, span: Span) -> Span {
        let tomorrow = self.today.succ_opt();
        match (span.to, tomorrow) {
            (to, Some(tomorrow)) if to.is_none_or(|to| to > tomorrow) && span.from.is_some_and(|from| from < tomorrow) => {
                Span { to: Some(tomorrow), grain: None, ..span }
            }
            _ => span,
        }
    }
}
