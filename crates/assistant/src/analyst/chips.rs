//! The parts of a reading that can be changed: its number, what it is split by, its conditions and its period. Each change is a question
//! that follows, and is offered only if it is read as exactly this change.

use super::{
    follow::{Understood, surely},
    next,
    sentences::{self, cell, small},
};
use crate::{
    conversation::{Chip, Choice},
    language::{cues::Aggregate, grain::Grain, span::Span, words::capitalised},
    reading::{Condition, Context, Draft, Meaning, Num},
    world::{Declared, World},
};

/// The most choices of a part, and the most questions that are tried for them.
const MOST: usize = 6;
/// The most questions that are tried for all parts: each is read.
const TRIED: usize = 16;

/// A part of a reading: which part, and in words.
struct Facet {
    part: Part,
    name: &'static str,
    value: String,
    /// What it could be instead: in words, and as a question.
    candidates: Vec<(String, String)>,
}

#[derive(Clone, Copy)]
enum Part {
    Numbers,
    Groups,
    Condition(usize),
}

/// The parts of a reading with their choices. `before`: see [`surely`].
pub(super) fn chips(meaning: &Meaning, draft: &Draft, before: f64, context: Context<'_>) -> Vec<Chip> {
    if meaning.rows.is_some() || meaning.lacking.is_some() || meaning.numbers.is_empty() {
        return Vec::new();
    }
    let mut left = TRIED;
    let chip = |Facet { part, name, value, candidates }: Facet| {
        let mut choices: Vec<Choice> = Vec::new();
        for (label, question) in candidates.into_iter().take(MOST.min(left)) {
            left -= 1;
            let Some(Understood::Meaning(next)) = surely(&question, Some(draft), before, context) else { continue };
            if changes(part, meaning, &next) {
                choices.push(Choice { label, question });
            }
        }
        Chip { part: name.to_owned(), value, choices }
    };
    facets(meaning, context.world).into_iter().map(chip).collect()
}

/// Whether two readings differ in this part, and in nothing else but their picture.
fn changes(part: Part, meaning: &Meaning, next: &Meaning) -> bool {
    let mut same = Meaning { chart: meaning.chart, ..next.clone() };
    let differs = match part {
        Part::Numbers => std::mem::replace(&mut same.numbers, meaning.numbers.clone()) != meaning.numbers,
        Part::Groups => std::mem::replace(&mut same.groups, meaning.groups.clone()) != meaning.groups,
        Part::Condition(at) => {
            let (Some(own), Some(of_next)) = (meaning.conditions.get(at), same.conditions.get_mut(at)) else { return false };
            std::mem::replace(of_next, own.clone()) != *own
        }
    };
    differs && same == *meaning
}

fn facets(meaning: &Meaning, world: &World) -> Vec<Facet> {
    let mut found = Vec::new();
    if let [number] = meaning.numbers.as_slice() {
        let value = capitalised(&sentences::number_label(number, meaning, world));
        let candidates = numbers(number, meaning, world);
        found.push(Facet { part: Part::Numbers, name: "Number", value, candidates });
    }
    let groups: Vec<String> = meaning.groups.iter().map(|group| small(&sentences::group_label(group, world))).collect();
    let value = if groups.is_empty() { "nothing".to_owned() } else { groups.join(" and ") };
    found.push(Facet { part: Part::Groups, name: "By", value, candidates: splits(meaning, world) });
    found.extend(meaning.conditions.iter().enumerate().map(|(at, condition)| {
        let (name, candidates) = match condition {
            Condition::Spans { spans, .. } => ("Period", periods(spans)),
            Condition::In { place, values, negated: false } => ("Only", others(place.field, values, world)),
            _ => ("Only", Vec::new()),
        };
        let words = sentences::condition_words(condition, world, false);
        let value = ["in ", "with "].iter().find_map(|start| words.strip_prefix(start)).unwrap_or(&words).to_owned();
        Facet { part: Part::Condition(at), name, value, candidates }
    }));
    found
}

/// Other numbers of the same rows: other aggregates of the same column, and those that the model declares.
fn numbers(number: &Num, meaning: &Meaning, world: &World) -> Vec<(String, String)> {
    let mut found = Vec::new();
    if let Num::Of(own, place) = number {
        let label = small(&world.fields[place.field].label);
        let all = [
            (Aggregate::Average, "average"),
            (Aggregate::Median, "median"),
            (Aggregate::Sum, "total"),
            (Aggregate::Greatest, "highest"),
        ];
        let others = all.into_iter().filter(|(how, _)| how != own);
        found.extend(others.map(|(_, word)| capitalised(&format!("{word} {label}"))));
    }
    let counts = |one: &Declared| one.counts_rows() && one.facts == [meaning.fact];
    if !matches!(number, Num::Count) && !world.numbers.iter().any(counts) {
        found.push(format!("Number of {}", small(&world.tables[meaning.fact].label)));
    }
    let declared =
        world.numbers.iter().enumerate().filter(|(at, one)| one.facts == [meaning.fact] && *number != Num::Declared(*at));
    found.extend(declared.map(|(_, one)| one.label.clone()));
    found.into_iter().map(|label| (label.clone(), format!("{label} instead"))).collect()
}

/// Other periods and other columns.
fn splits(meaning: &Meaning, world: &World) -> Vec<(String, String)> {
    if meaning.groups.len() > 1 {
        return Vec::new();
    }
    let grain = meaning.groups.first().and_then(|group| group.grain);
    let has_time = world.tables[meaning.fact].time.is_some();
    let grains = [Grain::Day, Grain::Week, Grain::Month, Grain::Quarter, Grain::Year].into_iter();
    let grains = grains.filter(|one| has_time && Some(*one) != grain).map(|grain| grain.words().to_owned());
    // A chart over time is changed to other periods first, any other to other columns.
    let (mut found, columns): (Vec<String>, _) = (grains.collect(), next::splits(meaning, world));
    if grain.is_some() {
        found.extend(columns);
    } else {
        found.splice(0..0, columns.into_iter().take(MOST - 2));
    }
    found.into_iter().map(|label| (label.clone(), format!("By {label}"))).collect()
}

/// The period before, the same one a year before, and the year around it.
fn periods(spans: &[Span]) -> Vec<(String, String)> {
    let [span] = spans else { return Vec::new() };
    let year_before = span.moved(Grain::Year, -1).filter(|_| span.grain != Some(Grain::Year));
    let around = span.around(Grain::Year).filter(|around| around != span);
    let found = [span.before(), span.after(), year_before, around].into_iter().flatten();
    let words = |span: Span| span.words();
    found.map(words).map(|words| (words.strip_prefix("in ").unwrap_or(&words).to_owned(), capitalised(&words))).collect()
}

/// Other values of the same column.
fn others(field: usize, values: &[serde_json::Value], world: &World) -> Vec<(String, String)> {
    let others = world.values.first(field).iter().filter(|value| !values.contains(value)).map(cell);
    others.map(|value| (value.clone(), format!("Only {value}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analyst::follow::understand_with, world::testing::shop};

    fn of(question: &str) -> Vec<Chip> {
        let world = shop();
        let context = Context { world: &world, today: "2024-06-15".parse().expect("a day") };
        let (understood, draft) = understand_with(&[question], context);
        let (Understood::Meaning(meaning), Some(draft)) = (understood, draft) else { panic!("{question}") };
        chips(&meaning, &draft, 1.0, context)
    }

    fn told(question: &str) -> Vec<(String, String)> {
        of(question).into_iter().map(|chip| (chip.part, chip.value)).collect()
    }

    fn choices(question: &str, part: &str) -> Vec<String> {
        let chip = of(question).into_iter().find(|chip| chip.part == part).expect("the part");
        chip.choices.into_iter().map(|choice| choice.question).collect()
    }

    #[test]
    fn a_reading_is_told_in_parts() {
        let pairs = |all: &[(&str, &str)]| all.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect::<Vec<_>>();
        let parts = pairs(&[("Number", "Total order value"), ("By", "month"), ("Only", "customer country Germany")]);
        assert_eq!(told("revenue by month in Germany"), parts);
        assert_eq!(told("orders in March"), pairs(&[("Number", "Orders"), ("By", "nothing"), ("Period", "March 2024")]));
        assert_eq!(told("latest 5 orders"), []);
    }

    #[test]
    fn each_choice_changes_its_part_and_nothing_else() {
        let grains = choices("revenue by month in Germany", "By");
        assert!(grains.starts_with(&["By day".to_owned(), "By week".to_owned(), "By quarter".to_owned()]), "{grains:?}");
        assert_eq!(choices("orders in March", "Period"), ["In February 2024", "In April 2024", "In March 2023", "In 2024"]);
        assert_eq!(choices("revenue by month in Germany", "Only"), ["Only France"]);
        let numbers = choices("average quantity by status", "Number");
        assert!(numbers.contains(&"Median quantity instead".to_owned()), "{numbers:?}");
    }
}
