//! Turns what a message says into a question. It merges the question before, if the message builds on it, and fills in
//! defaults.

use super::{
    intent::{Aggregate, ColumnPath, Dimension, Grain, Intent, IntentCondition, Measure},
    knowledge::Knowledge,
    reading::{Context, Draft, rank_descends},
};
use crate::language::cues::{FollowUp, Hint, Rank};
use chrono::NaiveDate;

/// The default number of listed rows.
const LISTED: usize = 100;
/// The default length of a ranking.
const RANKED: usize = 10;

/// Why a message cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// These words are not known.
    Unknown(Vec<String>),
    /// It asks for reasons or the future.
    Beyond,
    /// It contains no question.
    Empty,
}

/// The question of a message.
///
/// # Errors
/// The message contains unknown words, asks for causes or forecasts, or asks nothing.
pub(super) fn intent(draft: &Draft, context: Context<'_>) -> Result<Intent, Refusal> {
    if draft.beyond {
        return Err(Refusal::Beyond);
    }
    if !draft.unknown.is_empty() {
        return Err(Refusal::Unknown(draft.unknown.clone()));
    }
    let previous = context.previous.filter(|previous| goes_on(draft, previous));
    let mut intent = match previous {
        Some(previous) => merged(draft, previous)?,
        None => fresh(draft)?,
    };
    habits(&mut intent, draft, context);
    Ok(intent)
}

/// Whether a message builds on the question before.
fn goes_on(draft: &Draft, previous: &Intent) -> bool {
    if draft.follow == Some(FollowUp::Reset) || (draft.names_table && draft.table != previous.table) {
        return false;
    }
    let asks = draft.has_subject || draft.counts || !draft.measures.is_empty();
    draft.follow.is_some() || draft.starts_with_and || draft.starts_with_only || (draft.those && !draft.names_table) || !asks
}

fn fresh(draft: &Draft) -> Result<Intent, Refusal> {
    let says_something = draft.has_subject
        || draft.counts
        || draft.names_table
        || !draft.measures.is_empty()
        || !draft.dimensions.is_empty()
        || !draft.conditions.is_empty();
    if !says_something {
        return Err(Refusal::Empty);
    }
    let mut intent = Intent::of(draft.table);
    intent.measures.clone_from(&draft.measures);
    intent.dimensions = draft.dimensions.iter().map(|mention| mention.dimension).collect();
    intent.conditions.clone_from(&draft.conditions);
    intent.having = draft.having;
    intent.chart = draft.chart;
    intent.limit = draft.limit;
    Ok(intent)
}

/// The question before, with the parts that this message replaces.
fn merged(draft: &Draft, previous: &Intent) -> Result<Intent, Refusal> {
    let mut intent = previous.clone();
    let adds = draft.starts_with_and || draft.follow == Some(FollowUp::Add);
    let says_something = draft.chart.is_some()
        || draft.limit.is_some()
        || draft.order.is_some()
        || draft.having.is_some()
        || draft.aggregate.is_some()
        || draft.counts
        || draft.lists
        || !draft.measures.is_empty()
        || !draft.dimensions.is_empty()
        || !draft.conditions.is_empty();
    if !says_something {
        return Err(Refusal::Empty);
    }
    if !draft.measures.is_empty() {
        let also = draft.follow == Some(FollowUp::Add);
        if also {
            intent.measures.extend(draft.measures.clone())
        } else {
            intent.measures.clone_from(&draft.measures)
        }
        intent.having = None;
        intent.rows_by = None;
    } else if let Some(aggregate) = draft.aggregate {
        let place = measured(previous).ok_or(Refusal::Empty)?;
        intent.measures = vec![Measure::Of(aggregate, place)];
    } else if draft.counts {
        intent.measures = vec![Measure::Count];
        intent.having = None;
        intent.rows_by = None;
    }
    if !draft.dimensions.is_empty() {
        if !adds {
            intent.dimensions.clear();
            intent.limit = None;
            intent.descending = None;
        }
        for mention in &draft.dimensions {
            if !intent.dimensions.contains(&mention.dimension) {
                intent.dimensions.push(mention.dimension);
            }
        }
        intent.chart = None;
        intent.rows_by = None;
    }
    for condition in &draft.conditions {
        merge_condition(&mut intent.conditions, condition, adds || draft.compares);
    }
    if draft.compares {
        split_by_lists(&mut intent);
    }
    intent.having = draft.having.or(intent.having);
    intent.chart = draft.chart.or(intent.chart);
    intent.limit = draft.limit.or(intent.limit);
    Ok(intent)
}

/// "compare with Chicago": groups by the column that now has several values.
fn split_by_lists(intent: &mut Intent) {
    for condition in &intent.conditions {
        let IntentCondition::In { place, values, negated: false } = condition else { continue };
        let dimension = Dimension { place: *place, grain: None, step: None };
        if values.len() > 1 && !intent.dimensions.contains(&dimension) {
            intent.dimensions.push(dimension);
        }
    }
}

fn measured(intent: &Intent) -> Option<ColumnPath> {
    intent.measures.iter().find_map(|measure| match measure {
        Measure::Of(_, place) => Some(*place),
        _ => None,
    })
}

/// Replaces the condition on the same column, or adds to its list.
fn merge_condition(conditions: &mut Vec<IntentCondition>, new: &IntentCondition, adds: bool) {
    if let IntentCondition::In { place, values, negated } = new
        && adds
    {
        let same = conditions.iter_mut().find_map(|known| match known {
            IntentCondition::In { place: other, values: list, negated: not } if other == place && not == negated => Some(list),
            _ => None,
        });
        if let Some(list) = same {
            list.extend(values.iter().filter(|value| !list.contains(value)).cloned().collect::<Vec<_>>());
            return;
        }
    }
    conditions.retain(|known| !known.is_replaced_by(new));
    conditions.push(new.clone());
}

/// Fills in defaults: the measure, the order, the limit, the grain.
fn habits(intent: &mut Intent, draft: &Draft, context: Context<'_>) {
    let knowledge = context.knowledge;
    if draft.lists && (intent.dimensions.is_empty() || draft.listed_by.is_some()) {
        intent.rows_by = Some(draft.listed_by);
        let rank = draft.order.map_or(Rank::Greatest, |(rank, _)| rank);
        let lower = draft.listed_by.is_some_and(|column| knowledge.column(column).lower_is_better());
        intent.descending = Some(rank_descends(rank, lower));
        intent.limit = intent.limit.or(Some(if draft.listed_by.is_some() { RANKED } else { LISTED }));
        intent.measures.clear();
        return;
    }
    if intent.measures.is_empty() && intent.rows_by.is_none() {
        let judged = draft.order.filter(|(rank, _)| matches!(rank, Rank::Best | Rank::Worst));
        let judged = judged.and_then(|_| knowledge.measures(intent.table).find(|(_, column)| column.lower_is_better()));
        let measure = judged.map_or(Measure::Count, |(at, _)| Measure::Of(Aggregate::Average, ColumnPath::own(at)));
        intent.measures.push(measure);
    }
    if let Some((rank, hint)) = draft.order.filter(|_| !intent.dimensions.is_empty()) {
        let lower = intent.measures.iter().any(|measure| match measure {
            Measure::Of(_, place) => knowledge.column(place.column).lower_is_better(),
            _ => false,
        });
        intent.descending = Some(rank_descends(rank, lower && hint != Hint::Count));
    }
    if intent.limit.is_some() && intent.descending.is_none() {
        intent.descending = Some(true);
    }
    if intent.limit.is_none() && (draft.order.is_some() || draft.top) {
        // "the busiest day" is one row, "the busiest days" are several, "by destination" is all of them.
        let subject = draft.dimensions.iter().find(|mention| !mention.by);
        intent.limit = subject.map(|subject| if subject.plural || draft.top { RANKED } else { 1 });
    }
    // A ranking of a calendar dimension has one entry per period.
    let runs = |dimension: &Dimension| dimension.grain.is_some_and(Grain::is_calendar);
    intent.of_each = intent.limit.is_some()
        && intent.dimensions.len() == 2
        && intent.dimensions.iter().any(runs)
        && intent.dimensions.iter().any(|dimension| dimension.grain.is_none());
    fit_grains(intent, knowledge, context.today);
    // The calendar comes first, since it is the axis.
    intent.dimensions.sort_by_key(|dimension| !dimension.grain.is_some_and(Grain::is_calendar));
}

/// "over time" becomes days, months or years, depending on the length of the period.
fn fit_grains(intent: &mut Intent, knowledge: &Knowledge, today: NaiveDate) {
    let conditions = &intent.conditions;
    for dimension in &mut intent.dimensions {
        if dimension.grain != Some(Grain::Fitting) {
            continue;
        }
        let extent = knowledge.extents.get(&dimension.place.column);
        let asked = conditions.iter().find_map(|condition| match condition {
            IntentCondition::Spans { spans, .. } => spans.first(),
            _ => None,
        });
        let from = asked.and_then(|span| span.from).or_else(|| extent.map(|(first, _)| *first));
        let to = asked.and_then(|span| span.to).or_else(|| extent.map(|(_, last)| *last)).unwrap_or(today);
        let days = from.map_or(365, |from| (to - from).num_days());
        dimension.grain = Some(match days {
            ..=62 => Grain::Day,
            63..=2_200 => Grain::Month,
            _ => Grain::Year,
        });
    }
}
