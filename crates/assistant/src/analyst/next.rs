//! Questions that follow an answer. Each is read like a message of the viewer and offered only if it has an answer of its own.

use super::{
    follow::{Understood, surely},
    sentences::small,
};
use crate::{
    language::span::Span,
    reading::{Condition, Context, Draft, Meaning, Place},
    world::{Field, FieldId, Kind, World},
};

/// The most questions that are offered.
const MOST: usize = 3;
/// The most that are tried.
const TRIED: usize = 5;
/// The most values of a field by which an answer is split.
const VALUES: f64 = 60.0;
/// The most things of another table by which an answer is split.
const THINGS: f64 = 5_000.0;

/// The questions that follow an answer. `before`: see [`surely`].
pub(super) fn questions(meaning: &Meaning, draft: &Draft, before: f64, context: Context<'_>) -> Vec<String> {
    let mut found: Vec<(String, Understood)> = Vec::new();
    for text in candidates(meaning, context.world).into_iter().take(TRIED) {
        let Some(next) = surely(&text, Some(draft), before, context) else { continue };
        let world = context.world;
        let fits = match &next {
            Understood::Meaning(next) => {
                let mut spans = next.conditions.iter().filter_map(|condition| match condition {
                    Condition::Spans { place, spans } => Some((place, spans)),
                    _ => None,
                });
                **next != *meaning
                    && next.fact == meaning.fact
                    && spans.all(|(place, spans)| spans.iter().all(|span| is_covered(place, span, world)))
            }
            Understood::Change(change) => change.spans.iter().all(|span| is_covered(&change.time, span, world)),
            Understood::Moved(moved) => moved.change.spans.iter().all(|span| is_covered(&moved.change.time, span, world)),
            Understood::Refused(_) => false,
        };
        if fits && found.iter().all(|(_, known)| *known != next) {
            found.push((text, next));
        }
        if found.len() == MOST {
            break;
        }
    }
    found.into_iter().map(|(text, _)| text).collect()
}

/// Whether the data covers the beginning of a period. Where its days are not known, it may.
fn is_covered(place: &Place, span: &Span, world: &World) -> bool {
    let Some((first, last)) = world.fields[place.field].days else { return true };
    span.from.is_none_or(|from| first <= from && from <= last)
}

/// What could be asked, the most useful first.
fn candidates(meaning: &Meaning, world: &World) -> Vec<String> {
    let by_time = meaning.groups.iter().any(|group| world.fields[group.place.field].kind == Kind::Time);
    let has_time = world.tables[meaning.fact].time.is_some();
    let spans = meaning.conditions.iter().any(|condition| matches!(condition, Condition::Spans { .. }));
    let mut found = Vec::new();
    if has_time && spans {
        found.push("Why did it change?".to_owned());
    }
    let mut splits = splits(meaning, world).into_iter().map(|label| format!("By {label}"));
    found.extend(splits.next());
    if has_time && !by_time {
        found.push("By month".to_owned());
    }
    if has_time && by_time {
        found.push("Compare with the previous year".to_owned());
    }
    if !by_time && meaning.groups.len() == 1 && meaning.limit.is_none() {
        found.push("Top 5".to_owned());
    }
    found.extend(splits);
    found
}

/// The labels of fields by which the rows can be split further, those with few values first.
pub(super) fn splits(meaning: &Meaning, world: &World) -> Vec<String> {
    let used = |at: FieldId| {
        meaning.groups.iter().map(|group| group.place.field).any(|field| field == at)
            || meaning.conditions.iter().any(|condition| condition.place().field == at)
    };
    // Of things, the highest are shown.
    let few = |field: &Field| {
        let most = if field.refers.is_some() { THINGS } else { VALUES };
        field.distinct.is_some_and(|count| (2.0..=most).contains(&count))
    };
    let mut found: Vec<(f64, String)> = world
        .fields_of(meaning.fact)
        .filter(|(at, field)| !used(*at) && few(field) && (field.kind == Kind::Category || field.refers.is_some()))
        .map(|(_, field)| (field.distinct.unwrap_or_default(), small(&field.label)))
        .collect();
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    found.dedup_by(|a, b| a.1 == b.1);
    found.into_iter().map(|(_, label)| label).collect()
}
