//! Turns what a message says into a question. It merges the question before, if the message builds on it, and fills in
//! defaults.

use super::{
    cues::{FollowUp, Hint, Rank},
    knowledge::Knowledge,
    question::{Aggregate, Condition, Dimension, Grain, Measure, Place, Question},
    reading::{Context, Draft, rank_descends},
};
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
pub(super) fn question(draft: &Draft, context: Context<'_>) -> Result<Question, Refusal> {
    if draft.beyond {
        return Err(Refusal::Beyond);
    }
    if !draft.unknown.is_empty() {
        return Err(Refusal::Unknown(draft.unknown.clone()));
    }
    let previous = context.previous.filter(|previous| goes_on(draft, previous));
    let mut question = match previous {
        Some(previous) => merged(draft, previous)?,
        None => fresh(draft)?,
    };
    habits(&mut question, draft, context);
    Ok(question)
}

/// Whether a message builds on the question before.
fn goes_on(draft: &Draft, previous: &Question) -> bool {
    if draft.follow == Some(FollowUp::Reset) || (draft.names_table && draft.table != previous.table) {
        return false;
    }
    let asks = draft.has_subject || draft.counts || !draft.measures.is_empty();
    draft.follow.is_some() || draft.starts_with_and || draft.starts_with_only || (draft.those && !draft.names_table) || !asks
}

fn fresh(draft: &Draft) -> Result<Question, Refusal> {
    let says_something = draft.has_subject
        || draft.counts
        || draft.names_table
        || !draft.measures.is_empty()
        || !draft.dimensions.is_empty()
        || !draft.conditions.is_empty();
    if !says_something {
        return Err(Refusal::Empty);
    }
    let mut question = Question::of(draft.table);
    question.measures.clone_from(&draft.measures);
    question.dimensions = draft.dimensions.iter().map(|mention| mention.dimension).collect();
    question.conditions.clone_from(&draft.conditions);
    question.having = draft.having;
    question.chart = draft.chart;
    question.limit = draft.limit;
    Ok(question)
}

/// The question before, with the parts that this message replaces.
fn merged(draft: &Draft, previous: &Question) -> Result<Question, Refusal> {
    let mut question = previous.clone();
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
            question.measures.extend(draft.measures.clone())
        } else {
            question.measures.clone_from(&draft.measures)
        }
        question.having = None;
        question.rows_by = None;
    } else if let Some(aggregate) = draft.aggregate {
        let place = measured(previous).ok_or(Refusal::Empty)?;
        question.measures = vec![Measure::Of(aggregate, place)];
    } else if draft.counts {
        question.measures = vec![Measure::Count];
        question.having = None;
        question.rows_by = None;
    }
    if !draft.dimensions.is_empty() {
        if !adds {
            question.dimensions.clear();
            question.limit = None;
            question.descending = None;
        }
        for mention in &draft.dimensions {
            if !question.dimensions.contains(&mention.dimension) {
                question.dimensions.push(mention.dimension);
            }
        }
        question.chart = None;
        question.rows_by = None;
    }
    for condition in &draft.conditions {
        merge_condition(&mut question.conditions, condition, adds || draft.compares);
    }
    if draft.compares {
        split_by_lists(&mut question);
    }
    question.having = draft.having.or(question.having);
    question.chart = draft.chart.or(question.chart);
    question.limit = draft.limit.or(question.limit);
    Ok(question)
}

/// "compare with Chicago": groups by the column that now has several values.
fn split_by_lists(question: &mut Question) {
    for condition in &question.conditions {
        let Condition::In { place, values, negated: false } = condition else { continue };
        let dimension = Dimension { place: *place, grain: None, step: None };
        if values.len() > 1 && !question.dimensions.contains(&dimension) {
            question.dimensions.push(dimension);
        }
    }
}

fn measured(question: &Question) -> Option<Place> {
    question.measures.iter().find_map(|measure| match measure {
        Measure::Of(_, place) => Some(*place),
        _ => None,
    })
}

/// Replaces the condition on the same column, or adds to its list.
fn merge_condition(conditions: &mut Vec<Condition>, new: &Condition, adds: bool) {
    if let Condition::In { place, values, negated } = new
        && adds
    {
        let same = conditions.iter_mut().find_map(|known| match known {
            Condition::In { place: other, values: list, negated: not } if other == place && not == negated => Some(list),
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
fn habits(question: &mut Question, draft: &Draft, context: Context<'_>) {
    let knowledge = context.knowledge;
    if draft.lists && (question.dimensions.is_empty() || draft.listed_by.is_some()) {
        question.rows_by = Some(draft.listed_by);
        let rank = draft.order.map_or(Rank::Greatest, |(rank, _)| rank);
        let lower = draft.listed_by.is_some_and(|column| knowledge.column(column).lower_is_better());
        question.descending = Some(rank_descends(rank, lower));
        question.limit = question.limit.or(Some(if draft.listed_by.is_some() { RANKED } else { LISTED }));
        question.measures.clear();
        return;
    }
    if question.measures.is_empty() && question.rows_by.is_none() {
        let judged = draft.order.filter(|(rank, _)| matches!(rank, Rank::Best | Rank::Worst));
        let judged = judged.and_then(|_| knowledge.measures(question.table).find(|(_, column)| column.lower_is_better()));
        let measure = judged.map_or(Measure::Count, |(at, _)| Measure::Of(Aggregate::Average, Place::own(at)));
        question.measures.push(measure);
    }
    if let Some((rank, hint)) = draft.order.filter(|_| !question.dimensions.is_empty()) {
        let lower = question.measures.iter().any(|measure| match measure {
            Measure::Of(_, place) => knowledge.column(place.column).lower_is_better(),
            _ => false,
        });
        question.descending = Some(rank_descends(rank, lower && hint != Hint::Count));
    }
    if question.limit.is_some() && question.descending.is_none() {
        question.descending = Some(true);
    }
    if question.limit.is_none() && (draft.order.is_some() || draft.top) {
        // "the busiest day" is one row, "the busiest days" are several, "by destination" is all of them.
        let subject = draft.dimensions.iter().find(|mention| !mention.by);
        question.limit = subject.map(|subject| if subject.plural || draft.top { RANKED } else { 1 });
    }
    // A ranking of a calendar dimension has one entry per period.
    let runs = |dimension: &Dimension| dimension.grain.is_some_and(Grain::is_calendar);
    question.of_each = question.limit.is_some()
        && question.dimensions.len() == 2
        && question.dimensions.iter().any(runs)
        && question.dimensions.iter().any(|dimension| dimension.grain.is_none());
    fit_grains(question, knowledge, context.today);
    // The calendar comes first, since it is the axis.
    question.dimensions.sort_by_key(|dimension| !dimension.grain.is_some_and(Grain::is_calendar));
}

/// "over time" becomes days, months or years, depending on the length of the period.
fn fit_grains(question: &mut Question, knowledge: &Knowledge, today: NaiveDate) {
    let conditions = &question.conditions;
    for dimension in &mut question.dimensions {
        if dimension.grain != Some(Grain::Fitting) {
            continue;
        }
        let extent = knowledge.extents.get(&dimension.place.column);
        let asked = conditions.iter().find_map(|condition| match condition {
            Condition::Spans { spans, .. } => spans.first(),
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
