//! Questions for what moved between two periods: "which destinations got worse lately", "who bought less than before".

use super::{
    question::{Change, Unclear, change},
    words::{Asks, DOWN, UP, bare},
};
use crate::{
    language::words::stem,
    reading::{Context, Draft, Num, Said, SaidNum, Split, less_is_better, worse},
    scope::Comparison,
    world::{Kind, Thing, World},
};
use inlay_contract::{chart::question::Aggregate, model::Aggregate as Of};

/// Which way the number is said to have gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toward {
    Worse,
    Better,
    Up,
    Down,
}

/// A message that asks what moved, without the words that do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moves {
    pub rest: String,
    pub toward: Toward,
}

/// One number of each group in two periods.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moved {
    pub change: Change,
    pub toward: Toward,
    /// Whether the change that is asked for is a rise.
    pub rises: bool,
    /// How many groups are wanted, if it is said.
    pub count: Option<u32>,
    /// Whether the question names no number.
    pub is_assumed: bool,
    /// The labels of other numbers that could be meant.
    pub others: Vec<String>,
}

/// Words before a change: "got worse", "are getting better".
const LINKS: &[&str] =
    &["got", "gotten", "get", "gets", "getting", "became", "become", "becoming", "becomes", "went", "gone", "going", "goes"];
/// Words before these: "have gotten worse".
const HELPERS: &[&str] = &["is", "are", "was", "were", "has", "have", "had", "been", "the"];
const WORSE: &[&str] = &["worse", "worsened", "worsening", "worsen", "deteriorated", "deteriorating", "deteriorate"];
const BETTER: &[&str] = &["better", "improved", "improving", "improve"];
/// The other period, where no words say which.
const BEFORE: &[&str] = &[
    "than before",
    "than previously",
    "than earlier",
    "than usual",
    "than they used to",
    "than it used to",
    "than in the past",
    "than the period before",
    "than the previous period",
    "compared with before",
    "compared to before",
    "compared with the period before",
    "compared to the period before",
    "compared with the previous period",
    "compared to the previous period",
    "vs before",
    "vs the previous period",
    "vs previous period",
];
/// Words of the newest days.
const LATELY: &[&str] = &["lately", "recently"];
/// What stands before "the previous 14 days".
const BESIDE: &[&str] =
    &["than", "vs", "versus", "against", "compared with", "compared to", "than in", "than over", "than during"];
/// How well a name must fit for one of these words to keep its meaning.
const NAMED: f32 = 0.85;

/// What a message asks, if it asks what moved. Words that the data has as names keep their meaning.
pub(crate) fn moves(message: &str, world: &World) -> Option<Moves> {
    let words: Vec<&str> = message.split_whitespace().collect();
    let plain: Vec<String> = words.iter().map(|word| bare(word)).collect();
    let is_name = |at: usize| world.names.find(&[stem(&plain[at])]).first().is_some_and(|found| found.quality > NAMED);
    let mut said = Marks::default();
    let mut rest: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if let Some((count, grain, took)) = previous(&plain[at..]) {
            said.before = true;
            rest.push(format!("newest {count} {grain}"));
            at += took;
        } else if let Some(took) = phrase(&plain[at..], BEFORE) {
            said.before = true;
            at += took;
        } else if let Some(toward) = toward(&plain[at]).filter(|_| !is_name(at)) {
            let sure = matches!(toward, Toward::Worse | Toward::Better);
            let linked = at > 0 && LINKS.contains(&plain[at - 1].as_str());
            said.sure |= sure && (linked || !matches!(plain[at].as_str(), "worse" | "better"));
            said.toward = said.toward.filter(|known| matches!(known, Toward::Worse | Toward::Better)).or(Some(toward));
            while rest.last().is_some_and(|word| is_link(&bare(word))) {
                rest.pop();
            }
            at += 1;
        } else {
            said.lately |= LATELY.contains(&plain[at].as_str());
            rest.push(words[at].to_owned());
            at += 1;
        }
    }
    let toward = said.toward.filter(|_| said.sure || said.before || said.lately)?;
    Some(Moves { rest: rest.join(" "), toward })
}

/// What was found on the way.
#[derive(Default)]
struct Marks {
    toward: Option<Toward>,
    /// "got worse", "improved": no other words are needed.
    sure: bool,
    before: bool,
    lately: bool,
}

fn is_link(word: &str) -> bool {
    LINKS.contains(&word) || HELPERS.contains(&word)
}

fn toward(word: &str) -> Option<Toward> {
    [(WORSE, Toward::Worse), (BETTER, Toward::Better), (UP, Toward::Up), (DOWN, Toward::Down)]
        .into_iter()
        .find(|(words, _)| words.contains(&word))
        .map(|(_, toward)| toward)
}

fn phrase(words: &[String], phrases: &[&str]) -> Option<usize> {
    let here = |phrase: &&&str| phrase.split(' ').eq(words.iter().map(String::as_str).take(phrase.split(' ').count()));
    phrases.iter().filter(here).map(|phrase| phrase.split(' ').count()).max()
}

/// "than the previous 14 days": as many newest days are compared with those before them.
fn previous(words: &[String]) -> Option<(u32, &str, usize)> {
    let mut at = phrase(words, BESIDE)?;
    let text = |at: usize| words.get(at).map_or("", String::as_str);
    at += usize::from(text(at) == "the");
    if !matches!(text(at), "previous" | "prior" | "preceding" | "last") {
        return None;
    }
    let count = text(at + 1).parse().ok()?;
    let grain = ["day", "week", "month", "quarter", "year"].into_iter().find(|grain| stem(text(at + 2)) == *grain)?;
    let took = at + 3 + usize::from(text(at + 3) == "before");
    Some((count, grain, took))
}

/// What a draft without the words of change compares.
///
/// # Errors
/// It has no number, or no two periods.
pub(crate) fn moved(draft: &Draft, asks: &Moves, context: Context<'_>) -> Result<Moved, Unclear> {
    let world = context.world;
    let mut draft = Draft { which: false, list: false, show: false, versus: false, ..draft.clone() };
    // Which of several months got worse is no question of two periods.
    if draft.focus.iter().any(|split| matches!(split, Split::Grain(grain) if grain.is_calendar())) {
        return Err(Unclear::Periods);
    }
    let count = draft.rank.take().and_then(|rank| rank.count);
    let is_assumed = !has_number(&draft, world);
    let mut others = Vec::new();
    if is_assumed {
        let mut numbers = usual(&draft, asks.toward, world).into_iter();
        draft.numbers.push(numbers.next().ok_or(Unclear::Number)?);
        others = numbers.map(|number| label(&number, world)).collect();
    }
    let claims = match asks.toward {
        Toward::Up => Some(true),
        Toward::Down => Some(false),
        _ => None,
    };
    let change = change(&draft, &Asks { rest: asks.rest.clone(), claims, over: None }, context)?;
    let less = less_is_better(&change.meaning, world);
    let rises = match asks.toward {
        Toward::Up => true,
        Toward::Down => false,
        Toward::Worse => less,
        Toward::Better => !less,
    };
    Ok(Moved { change, toward: asks.toward, rises, count, is_assumed, others })
}

fn is_number(world: &World, one: &Said) -> bool {
    match one.thing {
        Thing::Declared(_) | Thing::Money(_) => true,
        Thing::Field(field) => world.fields[field].kind.is_measure(),
        Thing::Table(table) => world.is_event(table),
        Thing::Term(..) => false,
    }
}

fn has_number(draft: &Draft, world: &World) -> bool {
    let split = |split: &Split| matches!(split, Split::Thing(one) if is_number(world, one));
    !draft.numbers.is_empty()
        || draft.share
        || draft.loose.iter().any(|one| is_number(world, one))
        || draft.splits.iter().any(split)
        || !draft.terms.is_empty()
}

/// The numbers that can get worse or better, of the rows that belong to the groups; how many rows there are, where it is only said
/// that something rose or fell.
fn usual(draft: &Draft, toward: Toward, world: &World) -> Vec<SaidNum> {
    let table = draft.focus.iter().chain(&draft.splits).find_map(|split| match split {
        Split::Thing(Said { thing: Thing::Table(table), .. }) => Some(*table),
        Split::Thing(Said { thing: Thing::Field(field), .. }) => Some(world.fields[*field].table),
        _ => None,
    });
    let fits = |fact: usize| {
        world.time_of(fact).is_some()
            && table.is_none_or(|table| world.reaches(fact, table) && (world.is_event(fact) || fact != table))
    };
    let number = |how, counted, thing| SaidNum {
        how,
        counted,
        different: false,
        of: Said { thing, owner: None, direction: None, quality: 1.0, plural: true },
    };
    if matches!(toward, Toward::Up | Toward::Down) {
        let rows = |fact: &usize| world.tables[*fact].rows.unwrap_or_default();
        let most = (0..world.tables.len())
            .filter(|fact| fits(*fact) && world.is_event(*fact))
            .max_by(|a, b| rows(a).total_cmp(&rows(b)));
        return most.map(|fact| number(None, true, Thing::Table(fact))).into_iter().collect();
    }
    // Means and rates first: a sum gets worse by having more rows alone.
    let declared = (0..world.numbers.len()).filter(|at| {
        let known = &world.numbers[*at];
        let polar = known.lower_is_better || known.called.iter().any(|called| worse(called));
        let level = matches!(known.aggregate, None | Some(Of::Average | Of::Median));
        polar && level && known.facts.iter().all(|fact| fits(*fact)) && !known.facts.is_empty()
    });
    let mut found: Vec<SaidNum> = declared.map(|at| number(None, false, Thing::Declared(at))).collect();
    if found.is_empty() {
        let fields = (0..world.fields.len()).filter(|at| {
            let field = &world.fields[*at];
            field.kind == Kind::Level && fits(field.table) && field.called.iter().any(|called| worse(called))
        });
        found.extend(fields.map(|at| number(Some(Aggregate::Average), false, Thing::Field(at))));
    }
    found
}

fn label(number: &SaidNum, world: &World) -> String {
    match number.of.thing {
        Thing::Declared(at) => world.numbers[at].label.clone(),
        Thing::Field(at) => format!("average {}", world.fields[at].label),
        Thing::Table(at) => world.tables[at].label.clone(),
        Thing::Money(_) | Thing::Term(..) => String::new(),
    }
}

impl Moved {
    /// The rise or fall alone is asked for.
    pub(crate) const fn comparison(&self) -> Comparison {
        if self.rises { Comparison::Above } else { Comparison::Below }
    }

    /// Whether the parts of the number add up: a group without rows in a period then has 0.
    pub(crate) fn adds_up(&self, world: &World) -> bool {
        match self.change.meaning.numbers.first() {
            Some(Num::Count | Num::Distinct(_) | Num::Money(_) | Num::Of(Aggregate::Sum, _)) => true,
            Some(Num::Declared(at)) => world.numbers[*at].aggregate.is_some_and(Of::adds_up),
            Some(Num::Matching(of, _)) => **of == Num::Count,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Thing, testing::shop};

    #[test]
    fn words_of_change_are_taken_off_and_named_ones_stay() {
        let world = shop();
        for (message, rest, toward) in [
            ("which destinations got worse lately", "which destinations lately", Toward::Worse),
            ("Which products have improved recently?", "Which products recently?", Toward::Better),
            ("which customers ordered more than before", "which customers ordered", Toward::Up),
            (
                "customers with fewer orders compared with the previous 14 days",
                "customers with orders newest 14 day",
                Toward::Down,
            ),
            ("are products getting better?", "are products", Toward::Better),
        ] {
            let asked = moves(message, &world).unwrap_or_else(|| panic!("{message}"));
            assert_eq!((asked.rest.as_str(), asked.toward), (rest, toward), "{message}");
        }
        for message in [
            "customers with more than 10 orders",
            "which product is worse",
            "better customers",
            "orders lately",
            "top 5 products",
        ] {
            assert_eq!(moves(message, &world), None, "{message}");
        }
        let mut world = shop();
        world.names.add("improved", Thing::Field(4), 1.0);
        assert_eq!(moves("which products improved", &world), None);
    }
}
