//! A conversation: what each message means, with what was asked before it.

use crate::{
    language::cues::FollowUp,
    reading::{self, Context, Draft, Meaning, Reading, compose},
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
    /// It asks for reasons or the future.
    Beyond,
    Help,
    Greeting,
    Thanks,
    /// It contains no question.
    Empty,
}

impl Refusal {
    /// Whether the message may be a question, which then has no answer here.
    pub(super) const fn is_of_question(&self) -> bool {
        matches!(self, Self::Unknown(..) | Self::Apart | Self::Beyond | Self::Empty)
    }
}

/// The result of reading a conversation.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Understood {
    Meaning(Box<Meaning>),
    Refused(Refusal),
}

/// Reads a conversation from its first message on, since each may build on the one before.
pub(super) fn understand(messages: &[&str], context: Context<'_>) -> Understood {
    let mut previous: Option<Draft> = None;
    let mut understood = Understood::Refused(Refusal::Empty);
    for message in messages {
        let readings = reading::readings(message, context);
        understood = match best(&readings, previous.as_ref(), context, message) {
            Ok((draft, meaning)) => {
                previous = Some(draft);
                Understood::Meaning(Box::new(meaning))
            }
            Err(refusal) => Understood::Refused(refusal),
        };
    }
    understood
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
        let goes_on =
            readings.iter().filter(|reading| reading.draft.unknown.is_empty()).find(|reading| goes_on(&reading.draft, and));
        let first_goes = readings
            .iter()
            .find(|reading| reading.draft.unknown.is_empty())
            .is_some_and(|reading| self::goes_on(&reading.draft, and));
        if let Some(reading) = goes_on.filter(|_| first_goes) {
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

/// What was said before, with the parts that this message replaces.
fn merged(draft: &Draft, previous: &Draft, and: bool) -> Draft {
    let mut merged = previous.clone();
    let adds = and && draft.follow != Some(FollowUp::Replace) || draft.follow == Some(FollowUp::Add);
    let numbers = !draft.numbers.is_empty() || draft.loose.iter().any(|said| !matches!(said.thing, Thing::Field(_)));
    if numbers || draft.how_many {
        if !(adds && draft.follow == Some(FollowUp::Add)) && (numbers || draft.how_many) {
            merged.numbers.clear();
            merged.share = false;
            merged.how = None;
            let keeps = |said: &crate::reading::Said| {
                matches!(said.thing, Thing::Table(_)) && draft.numbers.is_empty() && draft.loose.is_empty()
            };
            merged.loose.retain(keeps);
            if let Some(rank) = &mut merged.rank {
                rank.of = None;
            }
        }
        merged.numbers.extend(draft.numbers.iter().cloned());
        merged.loose.extend(draft.loose.iter().copied());
        merged.how_many |= draft.how_many;
    } else {
        for said in &draft.loose {
            // A field alone is what is split by now.
            if !adds {
                merged.splits.clear();
            }
            merged.splits.push(crate::reading::Split::Thing(*said));
        }
    }
    if let Some(how) = draft.how {
        merged.how = Some(how);
        merged.numbers.iter_mut().for_each(|number| number.how = Some(how));
    }
    if !draft.splits.is_empty() {
        if !adds {
            merged.splits.clear();
            merged.focus = None;
            merged.rank = None;
            merged.trend = false;
        }
        merged.splits.extend(draft.splits.iter().copied());
    }
    for values in &draft.values {
        let same = |known: &crate::reading::SaidValues| {
            known.negated == values.negated
                && known.found.iter().flatten().any(|a| values.found.iter().flatten().any(|b| a.field == b.field))
        };
        let field = merged.values.iter().find(|known| same(known)).map(|known| (known.field, known.direction, known.near));
        merged.values.retain(|known| !same(known));
        let mut values = values.clone();
        // "flights by destination", "only ATL": the destination.
        let split = merged.splits.iter().find_map(|split| match split {
            crate::reading::Split::Thing(said) => Some(said.thing),
            crate::reading::Split::Grain(_) => None,
        });
        let of_split = split.filter(
            |thing| matches!(thing, Thing::Field(field) if values.found.iter().flatten().any(|one| one.field == *field)),
        );
        values.field = values.field.or(of_split);
        if let Some((field, direction, near)) = field {
            values.field = values.field.or(field);
            values.direction = values.direction.or(direction);
            values.near = values.near.or(near);
        }
        merged.values.push(values);
    }
    if !draft.periods.is_empty() {
        let of = merged.periods.iter().find_map(|period| period.of);
        merged.periods.clone_from(&draft.periods);
        merged.periods.iter_mut().for_each(|period| period.of = period.of.or(of));
    }
    merged.days = draft.days.clone().or(merged.days);
    merged.hours = draft.hours.or(merged.hours);
    merged.bounds.extend(draft.bounds.iter().cloned());
    merged.terms.extend(draft.terms.iter().copied());
    merged.flags.extend(draft.flags.iter().copied());
    if let Some(rank) = &draft.rank {
        let of = merged.rank.as_ref().and_then(|rank| rank.of);
        merged.rank = Some(rank.clone());
        if let Some(rank) = &mut merged.rank {
            rank.of = rank.of.or(of);
            // "just the top 10" of what was grouped before.
            rank.plural |= rank.count.is_none();
        }
    }
    merged.focus = draft.focus.or(merged.focus);
    merged.chart = draft.chart.or(merged.chart);
    merged.share |= draft.share;
    merged.versus |= draft.versus;
    merged.trend |= draft.trend;
    merged.growth |= draft.growth;
    merged.running |= draft.running;
    merged.each |= draft.each;
    merged.moving = draft.moving.or(merged.moving);
    merged.lacking.extend(draft.lacking.iter().copied());
    merged
}
