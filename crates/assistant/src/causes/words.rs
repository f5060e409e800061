//! Questions for reasons in words: what asks for them, which way the number is said to have gone, and what is left to read.

use crate::{
    language::{grain::Grain, words::stem},
    world::World,
};

/// A message that asks why, without the words that do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asks {
    /// What is left: the number, its conditions and periods.
    pub rest: String,
    /// Which way the number is said to have gone: up, down.
    pub claims: Option<bool>,
    /// The distance of the period to compare with, where "year over year" or the like says it.
    pub over: Option<Grain>,
}

/// Phrases that ask for reasons.
const WHY: &[&str] = &[
    "why",
    "how come",
    "explain",
    "explains",
    "reason for",
    "reasons for",
    "reason",
    "reasons",
    "cause of",
    "causes of",
    "caused",
    "causing",
    "causes",
    "cause",
    "root cause of",
    "drove",
    "drives",
    "driving",
    "driver of",
    "drivers of",
    "drivers",
    "is behind",
    "was behind",
    "are behind",
    "what behind",
    "led to",
    "leads to",
    "contributed to",
    "contributes to",
    "contributor to",
    "contributors to",
    "responsible for",
    "account for the",
    "accounts for the",
    "accounted for the",
];
/// Words of a change up.
pub(super) const UP: &[&str] = &[
    "rise",
    "rises",
    "rose",
    "risen",
    "rising",
    "increase",
    "increases",
    "increased",
    "increasing",
    "grow",
    "grows",
    "grew",
    "grown",
    "growing",
    "growth",
    "jump",
    "jumps",
    "jumped",
    "surge",
    "surged",
    "spike",
    "spiked",
    "climb",
    "climbed",
    "soar",
    "soared",
    "up",
    "higher",
    "more",
    "bigger",
    "larger",
    "gain",
    "gained",
];
/// Words of a change down.
pub(super) const DOWN: &[&str] = &[
    "fall",
    "falls",
    "fell",
    "fallen",
    "falling",
    "drop",
    "drops",
    "dropped",
    "dropping",
    "decline",
    "declines",
    "declined",
    "declining",
    "decrease",
    "decreases",
    "decreased",
    "decreasing",
    "shrink",
    "shrank",
    "shrunk",
    "plunge",
    "plunged",
    "slump",
    "slumped",
    "dip",
    "dipped",
    "tumble",
    "tumbled",
    "collapse",
    "collapsed",
    "down",
    "lower",
    "fewer",
    "few",
    "less",
    "smaller",
];
/// Words of a change of which they do not say the direction.
const CHANGED: &[&str] = &[
    "change",
    "changes",
    "changed",
    "changing",
    "difference",
    "shift",
    "shifted",
    "swing",
    "worsen",
    "worsened",
    "improve",
    "improved",
    "improvement",
    "worse",
    "better",
    "deteriorate",
    "deteriorated",
    "suddenly",
    "sharply",
    "strongly",
    "slightly",
    "so",
    "differ",
    "differs",
    "different",
    "get",
    "got",
    "become",
    "became",
];
/// Phrases that say how far back the other period is.
const OVER: &[(&str, Grain)] = &[
    ("year over year", Grain::Year),
    ("year on year", Grain::Year),
    ("yoy", Grain::Year),
    ("month over month", Grain::Month),
    ("month on month", Grain::Month),
    ("mom", Grain::Month),
    ("week over week", Grain::Week),
    ("week on week", Grain::Week),
    ("quarter over quarter", Grain::Quarter),
    ("quarter on quarter", Grain::Quarter),
];

/// How well a name must fit for a word that asks why to keep its meaning as one.
const WHY_NAMED: f32 = 0.4;
/// The same for a word of a change, in a question that asks why.
const CHANGE_NAMED: f32 = 0.85;

/// What a message asks, if it asks why. Words that the data has as names keep their meaning.
pub(crate) fn asks(message: &str, world: &World) -> Option<Asks> {
    let words: Vec<&str> = message.split_whitespace().collect();
    let plain: Vec<String> = words.iter().map(|word| bare(word)).collect();
    let named = |at: usize| world.names.find(&[stem(&plain[at])]).first().map_or(0.0, |found| found.quality);
    let is_name = |at: usize| named(at) > CHANGE_NAMED;
    let phrase = |at: usize, phrases: &[&str]| {
        let here =
            |phrase: &&&str| phrase.split(' ').eq(plain[at..].iter().map(String::as_str).take(phrase.split(' ').count()));
        phrases.iter().filter(here).map(|phrase| phrase.split(' ').count()).max()
    };
    let mut asks = Asks { rest: String::new(), claims: None, over: None };
    let (mut why, mut at) = (false, 0);
    let mut rest: Vec<&str> = Vec::new();
    while at < words.len() {
        // "the most common reason", where rows have a reason.
        let asked = |took: &usize| {
            ["why", "how", "explain"].contains(&plain[at].as_str()) || (at..at + took).all(|at| named(at) < WHY_NAMED)
        };
        if let Some(took) = phrase(at, WHY).filter(asked) {
            why = true;
            at += took;
            continue;
        }
        if let Some((_, grain, took)) = OVER.iter().find_map(|(text, grain)| Some((text, grain, phrase(at, &[*text])?))) {
            asks.over = Some(*grain);
            at += took;
            continue;
        }
        let bounds = plain.get(at + 1).is_some_and(|next| next == "than")
            && plain.get(at + 2).is_some_and(|next| next.starts_with(|letter: char| letter.is_ascii_digit()));
        let (up, down) = (phrase(at, UP).is_some(), phrase(at, DOWN).is_some());
        if (up || down || phrase(at, CHANGED).is_some()) && !is_name(at) && !bounds {
            if up || down {
                asks.claims = asks.claims.or(Some(up));
            }
        } else {
            rest.push(words[at]);
        }
        at += 1;
    }
    asks.rest = rest.join(" ");
    // "what drove the drop": nothing is asked for by "what" any more.
    if let Some(left) = ["what ", "What ", "which ", "Which "].iter().find_map(|word| asks.rest.strip_prefix(word))
        && (plain[0] == "what" || plain.get(1).is_some_and(|next| phrase(1, WHY).is_some() && !next.is_empty()))
    {
        asks.rest = left.to_owned();
    }
    if !asks.rest.chars().any(char::is_alphanumeric) {
        asks.rest.clear();
    }
    why.then_some(asks)
}

/// A word in lower case, without what stands around it.
pub(super) fn bare(word: &str) -> String {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).map(str::to_owned).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Thing, testing::shop};

    #[test]
    fn what_asks_why_is_taken_off() {
        let world = shop();
        for (message, rest, claims) in [
            ("Why did revenue fall in March?", "did revenue in March?", Some(false)),
            ("what drove the drop in orders last month", "the in orders last month", Some(false)),
            ("why is revenue up vs last year", "is revenue vs last year", Some(true)),
            ("explain the change of average quantity in June", "the of average quantity in June", None),
            (
                "why were there fewer orders with more than 10 in quantity",
                "were there orders with more than 10 in quantity",
                Some(false),
            ),
            ("What's behind the rise of orders?", "the of orders?", Some(true)),
            ("Why?", "", None),
        ] {
            let asked = asks(message, &world).unwrap_or_else(|| panic!("{message}"));
            assert_eq!((asked.rest.as_str(), asked.claims), (rest, claims), "{message}");
        }
        assert_eq!(asks("why is revenue up year over year?", &world).and_then(|asked| asked.over), Some(Grain::Year));
        for message in ["orders in March", "did revenue fall in March?", "growth of revenue", "more than 10 orders"] {
            assert_eq!(asks(message, &world), None, "{message}");
        }
        let mut world = shop();
        world.names.add("reason for the return", Thing::Field(4), 1.0);
        assert_eq!(asks("most common reason for returns", &world), None);
    }
}
