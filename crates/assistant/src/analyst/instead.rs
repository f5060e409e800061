//! What can be asked instead of a question with words that nothing has as its name.

use super::follow::{Understood, surely, understand_with, without_doubt};
use crate::{
    language::words::{capitalised, stem},
    reading::{Context, atoms},
    world::{Kind, World, are_kin},
};

/// The least likeness of a near name, from 0 to 1.
const LIKE: f64 = 0.86;
/// Words that lead to a name.
const LEADING: [&str; 14] = ["by", "in", "of", "for", "with", "without", "per", "to", "from", "and", "or", "each", "the", "on"];
/// The most words of a question that are left out one by one.
const MOST_WORDS: usize = 14;
/// The most near names of a word.
const MOST: usize = 2;

/// The names in the data that are nearest to a word, as people see them.
pub(super) fn nearest(word: &str, world: &World) -> Vec<String> {
    let word = stem(word);
    let tables = world.tables.iter().map(|table| (&table.label, crate::world::stems(&table.label)));
    // A key is a name of its table.
    let said = |field: &&crate::world::Field| field.kind != Kind::Key && field.refers.is_none();
    let fields = world.fields.iter().filter(said).map(|field| (&field.label, field.called.concat()));
    let numbers = world.numbers.iter().map(|number| (&number.label, number.called.concat()));
    let mut near: Vec<(f64, String)> = Vec::new();
    for (label, words) in tables.chain(fields).chain(numbers) {
        let best = words.iter().map(|own| likeness(&word, own)).fold(0.0, f64::max);
        if best >= LIKE && near.iter().all(|(_, known)| !known.eq_ignore_ascii_case(label)) {
            near.push((best, label.clone()));
        }
    }
    near.extend(world.values.like(|own| likeness(&word, own)).filter(|(like, _)| *like >= LIKE));
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    near.dedup_by(|a, b| a.1.eq_ignore_ascii_case(&b.1));
    near.truncate(MOST);
    near.into_iter().map(|(_, name)| name).collect()
}

/// How alike two words are. A common beginning says most: "departures" and "departed".
fn likeness(one: &str, other: &str) -> f64 {
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let (shorter, longer) = (one.chars().count().min(other.chars().count()), one.chars().count().max(other.chars().count()));
    if are_kin(one, other) {
        return 0.88;
    }
    if shorter < 4 {
        return 0.0;
    }
    if common >= 5 && common * 2 > longer {
        return 0.9;
    }
    strsim::jaro_winkler(one, other)
}

/// The last message without one of its names, where it is a question then. Names that no table answers together may be answered apart.
pub(super) fn fewer(asked: &[&str], context: Context<'_>) -> Vec<String> {
    let Some((last, before)) = asked.split_last() else { return Vec::new() };
    let (_, previous) = understand_with(before, context);
    let words: Vec<&str> = last.split_whitespace().take(MOST_WORDS).collect();
    let bare = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let leads = |word: Option<&&str>| word.is_some_and(|word| LEADING.contains(&&*bare(word)));
    let mut found: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let word = bare(word);
        let is_name = context.world.names.has_word(&stem(&word)) || context.world.values.has_word(&word);
        // "average" is part of a name, too, and says something else where it is left out.
        let is_spoken = LEADING.contains(&&*word) || atoms::is_spoken(&word);
        if !is_name || is_spoken || found.len() == MOST {
            continue;
        }
        let mut kept: Vec<&str> = words.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, word)| *word).collect();
        // What led to the name leads nowhere now.
        if at > 0 && leads(words.get(at - 1)) && (at + 1 == words.len() || leads(words.get(at + 1))) {
            kept.remove(at - 1);
        }
        let rest = capitalised(&kept.join(" "));
        if kept.len() > 1 && matches!(surely(&rest, previous.as_ref(), 1.0, context), Some(Understood::Meaning(_))) {
            found.push(rest);
        }
    }
    found
}

/// The last message without the words that are not known, if it is a question then.
pub(super) fn without(unknown: &[String], asked: &[&str], context: Context<'_>) -> Option<String> {
    let (last, before) = asked.split_last()?;
    let is_unknown = |word: &str| {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        unknown.iter().any(|unknown| *unknown == bare || stem(unknown) == stem(&bare))
    };
    let mut kept: Vec<&str> = last.split_whitespace().filter(|word| !is_unknown(word)).collect();
    // What led to an unknown word leads nowhere now.
    while kept.last().is_some_and(|word| LEADING.contains(&word.to_lowercase().as_str())) {
        kept.pop();
    }
    let rest = capitalised(&kept.join(" "));
    // A word or two are no question any more.
    if kept.len() < 2 || kept.len() == last.split_whitespace().count() {
        return None;
    }
    let conversation: Vec<&str> = before.iter().copied().chain([rest.as_str()]).collect();
    let understood = without_doubt(understand_with(&conversation, context), 1.0, context);
    matches!(understood, Some(Understood::Meaning(_))).then_some(rest)
}
