//! A measure in a form.

use super::texts::{Texts, chosen, format, format_in_draft, name_of, names, text};
use crate::{
    faces::console::submission::Typed,
    ground::{error::Result, problems::Problems},
};
use inlay_console::Draft;
use inlay_contract::model::{Aggregate, Edge, Measure, Take};

/// The values of the form.
pub(super) fn draft_of(measure: &Measure) -> Draft {
    let take = measure.take.as_ref();
    let shown = |text: Option<&String>| text.cloned().unwrap_or_default();
    let draft = Draft::of([("aggregate", name_of(&measure.aggregate))])
        .with("of", shown(measure.of.as_ref()))
        .with("where", shown(measure.condition.as_ref()))
        .with("fraction", measure.fraction.map(|fraction| fraction.to_string()).unwrap_or_default())
        .with("take.edge", take.map(|take| name_of(&take.edge)).unwrap_or_default())
        .with("take.over", shown(take.and_then(|take| take.over.as_ref())))
        .with("take.per", take.map(|take| take.per.join(", ")).unwrap_or_default());
    format_in_draft(texts(measure).in_draft(draft, ""), measure.format.as_ref(), measure.lower_is_better)
}

fn texts(measure: &Measure) -> Texts<'_> {
    Texts { label: measure.label.as_ref(), description: measure.description.as_ref(), synonyms: &measure.synonyms }
}

/// What the form begins with.
pub(in crate::faces::console) fn new_draft(draft: Draft) -> Draft {
    draft.with("aggregate", name_of(&Aggregate::Sum))
}

/// Reads a new measure.
///
/// # Errors
/// Those of [`read`].
pub(in crate::faces::console) fn read_new(typed: &Typed) -> Result<Measure> {
    read(typed, None)
}

/// Reads a measure.
///
/// # Errors
/// 400 with each field that cannot be read.
pub(super) fn read(typed: &Typed, old: Option<&Measure>) -> Result<Measure> {
    let mut problems = Problems::default();
    let aggregate = chosen::<Aggregate>(typed, "aggregate", &mut problems);
    let fraction = typed.given("fraction").and_then(|number| {
        let read = number.parse::<f64>().ok().filter(|number| number.is_finite());
        if read.is_none() {
            problems.add("fraction", "must be a number between 0 and 1, such as 0.9");
        }
        read
    });
    let take = take(typed, old.and_then(|old| old.take.as_ref()), &mut problems);
    let format = format(typed, old.and_then(|old| old.format.as_ref()), &mut problems);
    problems.finish()?;
    let typed_texts = old.map(texts).unwrap_or_default().typed(typed, "");
    Ok(Measure {
        aggregate: aggregate.unwrap_or(Aggregate::Count),
        of: text(typed, "of", old.and_then(|old| old.of.as_ref())),
        condition: text(typed, "where", old.and_then(|old| old.condition.as_ref())),
        fraction,
        take,
        label: typed_texts.label,
        description: typed_texts.description,
        synonyms: typed_texts.synonyms,
        format,
        lower_is_better: typed.ticked("lowerIsBetter"),
    })
}

fn take(typed: &Typed, old: Option<&Take>, problems: &mut Problems) -> Option<Take> {
    let over = text(typed, "take.over", old.and_then(|old| old.over.as_ref()));
    let per = names(typed, "take.per", old.map(|old| old.per.as_slice()).unwrap_or_default());
    if typed.given("take.edge").is_none() {
        if over.is_some() || !per.is_empty() {
            problems.add("take.edge", "is required with a column of moments; choose the first or the last moment");
        }
        return None;
    }
    let edge = chosen::<Edge>(typed, "take.edge", problems)?;
    Some(Take { edge, over, per })
}
