//! A conversation: what each message means, with what was asked before it.

use super::merge::merged;
use crate::{
    causes::{self, Change, Moved, Moves, Unclear},
    confidence::Confidence,
    language::cues::FollowUp,
    reading::{self, Context, Draft, Meaning, Reading, compose, evidence},
    world::Thing,
};

/// The mean quality of names below which a reading is a guess.
const GUESSED: f32 = 0.6;

/// Why a message cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// These words are not known. Whether others name something of the data.
    Unknown(Vec<String>, bool),
    /// The words are known, and no rows answer what they say together.
    Apart,
    /// It asks for the future or for advice.
    Beyond,
    /// It asks why, and not of what.
    Why,
    /// It asks why of what cannot be compared.
    Unclear(Unclear),
    Help,
    Greeting,
    Thanks,
    /// It goes on from a question that has no meaning.
    Alone,
    /// It contains no question.
    Empty,
}

impl Refusal {
    /// Whether the message may be a question, which then has no answer here.
    pub(super) const fn is_of_question(&self) -> bool {
        !matches!(self, Self::Help | Self::Greeting | Self::Thanks)
    }
}

/// The result of reading a conversation.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Understood {
    Meaning(Box<Meaning>),
    /// It asks why a number changed.
    Change(Box<Change>),
    /// It asks what moved between two periods.
    Moved(Box<Moved>),
    Refused(Refusal),
}

/// Reads a conversation from its first message on, since each may build on the one before. Returns what the next message can build on, too.
pub(super) fn understand_with(messages: &[&str], context: Context<'_>) -> (Understood, Option<Draft>) {
    let mut previous: Option<Draft> = None;
    let mut understood = Understood::Refused(Refusal::Empty);
    for (at, message) in messages.iter().enumerate() {
        let (next, draft) = match read(message, previous.as_ref(), context) {
            (Understood::Meaning(_), Some(draft)) if at > 0 && previous.is_none() && only_goes_on(message, &draft) => {
                (Understood::Refused(Refusal::Alone), None)
            }
            read => read,
        };
        understood = next;
        previous = draft.or(previous);
    }
    (understood, previous)
}

/// What a message means after what was asked before.
pub(super) fn continued(message: &str, previous: Option<&Draft>, context: Context<'_>) -> Understood {
    read(message, previous, context).0
}

/// What a message means after what was asked before, unless it is refused or its reading is in doubt. `before` is how likely the reading is that
/// it builds on and that the viewer has seen, 1 without one.
pub(super) fn surely(message: &str, previous: Option<&Draft>, before: f64, context: Context<'_>) -> Option<Understood> {
    without_doubt(read(message, previous, context), before, context)
}

/// What was understood, unless it is refused or in doubt.
pub(super) fn without_doubt(
    (understood, draft): (Understood, Option<Draft>),
    before: f64,
    context: Context<'_>,
) -> Option<Understood> {
    match (&understood, draft) {
        (Understood::Meaning(meaning), Some(draft)) => {
            confidence(&draft, meaning, context).is_sure_after(before).then_some(understood)
        }
        (Understood::Refused(_), _) => None,
        _ => Some(understood),
    }
}

/// How sure a reading is before its rows are known.
pub(super) fn confidence(draft: &Draft, meaning: &Meaning, context: Context<'_>) -> Confidence {
    Confidence::of(evidence(draft, meaning, context.world))
}

/// Whether a reading builds on that of earlier messages and adds no doubt of its own. The viewer confirmed that one, or it was sure enough to be
/// shown.
pub(super) fn follows_surely(
    draft: &Draft,
    meaning: &Meaning,
    earlier: &[&str],
    is_confirmed: bool,
    context: Context<'_>,
) -> bool {
    let (Understood::Meaning(before), Some(base)) = understand_with(earlier, context) else { return false };
    let before = confidence(&base, &before, context);
    (is_confirmed || before.is_sure())
        && draft.seen.builds_on(&base.seen)
        && confidence(draft, meaning, context).is_sure_after(before.probability)
}

/// What a message means, and what the next can build on, if it has a meaning.
fn read(message: &str, previous: Option<&Draft>, context: Context<'_>) -> (Understood, Option<Draft>) {
    let why = causes::asks(message, context.world);
    if let Some(asks) = causes::moves(message, context.world).filter(|_| why.is_none()) {
        return moved(&asks, context);
    }
    let text = why.as_ref().map_or(message, |why| why.rest.as_str());
    let readings = reading::readings(text, context);
    match best(&readings, previous, context, text) {
        Ok((draft, meaning)) => {
            let understood = match why.map(|why| causes::change(&draft, &why, context)) {
                None => Understood::Meaning(Box::new(meaning)),
                Some(Ok(change)) => Understood::Change(Box::new(change)),
                Some(Err(unclear)) => Understood::Refused(Refusal::Unclear(unclear)),
            };
            (understood, Some(draft))
        }
        Err(Refusal::Empty) if why.is_some() => (Understood::Refused(Refusal::Why), None),
        Err(refusal) => (Understood::Refused(refusal), None),
    }
}

/// What a message that asks what moved means.
fn moved(asks: &Moves, context: Context<'_>) -> (Understood, Option<Draft>) {
    let readings = reading::readings(&asks.rest, context);
    let fewest = readings.iter().min_by_key(|reading| reading.draft.unknown.len()).map(|reading| &reading.draft);
    let Some(fewest) = fewest else { return (Understood::Refused(Refusal::Empty), None) };
    if !fewest.unknown.is_empty() {
        return (Understood::Refused(Refusal::Unknown(fewest.unknown.clone(), fewest.quality.1 > 0)), None);
    }
    let mut unclear = Unclear::Number;
    for reading in readings.iter().filter(|reading| reading.draft.unknown.is_empty()) {
        match causes::moved(&reading.draft, asks, context) {
            // Without groups, where the whole number changed is told.
            Ok(moved) if moved.change.groups.is_empty() => {
                return (Understood::Change(Box::new(moved.change)), Some(reading.draft.clone()));
            }
            Ok(moved) => return (Understood::Moved(Box::new(moved)), Some(reading.draft.clone())),
            Err(why) => unclear = why,
        }
    }
    (Understood::Refused(Refusal::Unclear(unclear)), None)
}

fn best(
    readings: &[Reading],
    previous: Option<&Draft>,
    context: Context<'_>,
    message: &str,
) -> Result<(Draft, Meaning), Refusal> {
    let Some(first) = readings.first() else { return Err(Refusal::Empty) };
    let draft = &first.draft;
    if draft.help {
        return Err(Refusal::Help);
    }
    if draft.beyond {
        return Err(Refusal::Beyond);
    }
    // The reading that knows most words decides which are unknown.
    let fewest = readings.iter().map(|reading| reading.draft.unknown.len()).min().unwrap_or_default();
    if fewest > 0 {
        let unknown = readings.iter().find(|reading| reading.draft.unknown.len() == fewest);
        let names = readings.iter().any(|reading| reading.draft.quality.1 > 0);
        return Err(Refusal::Unknown(unknown.map(|reading| reading.draft.unknown.clone()).unwrap_or_default(), names));
    }
    let and = message.trim_start().to_lowercase().starts_with("and ");
    if let Some(previous) = previous {
        // What has a meaning by itself comes first, unless its words alone say that it goes on.
        let known = || readings.iter().filter(|reading| reading.draft.unknown.is_empty());
        let first_goes = known().next().is_some_and(|reading| goes_on(&reading.draft, and));
        // Of those whose words fit alike, the first.
        let going = known().filter(|reading| goes_on(&reading.draft, and)).rev();
        let best = going.max_by(|a, b| a.words.total_cmp(&b.words));
        if let Some(reading) = best.filter(|_| first_goes) {
            let merged = merged(&reading.draft, previous, and);
            if let Some((meaning, _)) = compose(&merged, context) {
                return Ok((merged, meaning));
            }
        }
    }
    let found = readings.iter().find(|reading| reading.meaning.is_some() && reading.draft.unknown.is_empty());
    let Some(Reading { draft, meaning: Some(meaning), .. }) = found else {
        return Err(if draft.greeting {
            Refusal::Greeting
        } else if draft.thanks {
            Refusal::Thanks
        } else if draft.quality.1 > 0 {
            Refusal::Apart
        } else {
            Refusal::Empty
        });
    };
    let (sum, count) = draft.quality;
    if count > 0 && sum / (count as f32) < GUESSED {
        return Err(Refusal::Apart);
    }
    Ok((draft.clone(), meaning.clone()))
}

/// Whether a message says by its words that it goes on from another: "and Harlem?", "same for last year".
fn only_goes_on(message: &str, draft: &Draft) -> bool {
    let begins = message.trim_start().to_lowercase();
    let first = begins.split_whitespace().next().unwrap_or_default();
    matches!(first, "and" | "same")
        || matches!(draft.follow, Some(FollowUp::Add))
        || begins.starts_with("what about")
        || begins.starts_with("how about")
}

/// Whether a message builds on the one before.
fn goes_on(draft: &Draft, and: bool) -> bool {
    if draft.follow == Some(FollowUp::Reset) {
        return false;
    }
    let table = |thing: Thing| matches!(thing, Thing::Table(_) | Thing::Declared(_) | Thing::Money(_));
    let asks = !draft.numbers.is_empty()
        || draft.loose.iter().any(|said| table(said.thing))
        || draft.focus.is_some()
        || draft.rank.as_ref().is_some_and(|rank| rank.of.is_some());
    draft.follow.is_some()
        || and
        || draft.only && !draft.how_many
        || draft.those && !draft.loose.iter().any(|said| matches!(said.thing, Thing::Table(_)))
        || !asks
}
