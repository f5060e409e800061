//! The numbers of a made-up query: its metrics, and measures of its own.

use super::{
    made::{self, How, Made},
    world::Dice,
};
use inlay_contract::{
    chart::question::Grain,
    filter::{FilterValue, Scalar},
    model::{Aggregate, Metric, ModelFilter, ModelGroup, ModelQuery, Moving, Only, ToDate, Whole},
};

pub(super) fn name_of(at: usize, how: &How) -> String {
    match how {
        How::Base(base) => format!("measure_{base}"),
        _ => format!("metric_{at}"),
    }
}

/// The query's own measures, which filter no time that it compares.
pub(super) fn own_measures(measures: &mut [Made], query: &mut ModelQuery) {
    for (at, made) in measures.iter_mut().enumerate() {
        let compares = query.compare.is_some();
        let is_kept = |filter: &ModelFilter| !compares || filter.dimension != "time" || filter.cycle.is_some();
        if let Some(own) = &mut made.own {
            own.filters.retain(is_kept);
        }
        match (&mut made.only, &made.own) {
            (Some((of, filters)), _) => {
                filters.retain(is_kept);
                if filters.is_empty() {
                    let value = FilterValue::Range { from: Some(Scalar::Number(3.into())), to: None };
                    filters.push(ModelFilter::of(format!("{}.pieces", made.table), value));
                }
                let only = Only { of: format!("measure_{of}"), filters: filters.clone() };
                query.metrics.insert(format!("measure_{at}"), Metric { only: Some(only), ..Metric::default() });
            }
            (None, Some(own)) => drop(query.aggregates.insert(format!("measure_{at}"), own.clone())),
            (None, None) => {}
        }
    }
}

/// The metrics that a number needs, by name: the number itself, and the ratio that it may be of.
pub(super) fn metric(at: usize, how: &How, measures: &[Made], query: &ModelQuery) -> Vec<(String, Metric)> {
    let of = |at: usize| format!("measure_{at}");
    let (inner, ratio) = (format!("ratio_{at}"), |a, b| Metric { ratio: Some([of(a), of(b)]), ..Metric::default() });
    let whole = |of: String, within: bool| {
        let first = query.dimensions.first().filter(|_| within);
        Some(Whole { of, within: first.map(ModelGroup::column).into_iter().collect() })
    };
    let made = match *how {
        How::Base(_) => return Vec::new(),
        How::Ratio(a, b) => ratio(a, b),
        How::Formula(a, b, c) => {
            Metric { formula: Some(format!("({} + {}) * 2 - {} / 4", of(a), of(b), of(c))), ..Metric::default() }
        }
        How::Coalesced(a, b) => Metric { formula: Some(format!("coalesce({}, {}, 0) - 1", of(a), of(b))), ..Metric::default() },
        How::Running(a) => Metric { running: Some(of(a)), ..Metric::default() },
        How::ToDate(a, grain) => Metric { to_date: Some(ToDate { of: of(a), grain }), ..Metric::default() },
        How::Moving(a, periods) => Metric { moving: Some(Moving { of: of(a), periods }), ..Metric::default() },
        How::Total(at, within) => Metric { total: whole(of(at), within), ..Metric::default() },
        How::Share(at, within) => Metric { share: whole(of(at), within), ..Metric::default() },
        How::TotalRatio(.., within) => Metric { total: whole(inner.clone(), within), ..Metric::default() },
        How::Narrowed(a, _) => {
            let filters = measures[a].only.as_ref().map(|(_, filters)| filters.clone()).unwrap_or_default();
            Metric { only: Some(Only { of: inner.clone(), filters }), ..Metric::default() }
        }
    };
    let whole_of = |at: usize| measures[at].only.as_ref().map_or(at, |(of, _)| *of);
    let also = match *how {
        How::TotalRatio(a, b, _) => Some((inner, ratio(a, b))),
        How::Narrowed(a, b) => Some((inner, ratio(whole_of(a), whole_of(b)))),
        _ => None,
    };
    also.into_iter().chain([(name_of(at, how), made)]).collect()
}

/// Two measures narrowed by the same filters, for a ratio that is narrowed as a whole.
pub(super) fn narrowed_ratio(dice: &mut Dice, measures: &mut Vec<Made>) -> Option<How> {
    let can = |at: &usize| measures[*at].take.is_none() && measures[*at].only.is_none();
    let first = (0..measures.len()).filter(can).nth(dice.below(measures.len()))?;
    let table = measures[first].table;
    let second = (0..measures.len()).filter(can).rfind(|at| measures[*at].table == table)?;
    let filters = made::only(dice, table);
    let mut of = |at: usize| {
        measures.push(Made { only: Some((at, filters.clone())), ..measures[at].clone() });
        measures.len() - 1
    };
    let first_narrowed = of(first);
    Some(How::Narrowed(first_narrowed, if second == first { first_narrowed } else { of(second) }))
}

/// The numbers that a query asks for.
pub(super) fn asked(dice: &mut Dice, measures: &[Made], query: &ModelQuery) -> Vec<How> {
    let grain = query.dimensions.iter().find_map(|group| group.grain);
    let mut asked: Vec<How> = (0..measures.len()).map(How::Base).collect();
    let summed: Vec<usize> = (0..measures.len())
        .filter(|at| matches!(measures[*at].aggregate, Aggregate::Sum | Aggregate::Count) && measures[*at].take.is_none())
        // Only measures themselves go along a time.
        .filter(|at| measures[*at].only.is_none())
        .collect();
    for _ in 0..dice.below(3) {
        let any = |dice: &mut Dice| dice.below(measures.len());
        asked.push(match (dice.below(9), summed.first(), grain) {
            (5, Some(at), _) => How::Total(*at, dice.once_in(2)),
            (6, Some(at), _) => How::Share(*at, dice.once_in(2)),
            (2, Some(at), Some(_)) => How::Running(*at),
            (3, Some(at), Some(Grain::Day | Grain::Week | Grain::Month)) => {
                How::ToDate(*at, if dice.once_in(2) { Grain::Year } else { Grain::Quarter })
            }
            (4, Some(at), Some(_)) => How::Moving(*at, 2 + u16::try_from(dice.below(4)).expect("few")),
            (7, Some(at), _) => How::TotalRatio(*at, summed[dice.below(summed.len())], dice.once_in(2)),
            (8, ..) => How::Coalesced(any(dice), any(dice)),
            (0, ..) => How::Formula(any(dice), any(dice), any(dice)),
            _ => How::Ratio(any(dice), any(dice)),
        });
    }
    asked
}
