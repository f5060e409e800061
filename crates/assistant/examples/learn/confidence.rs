//! Learns how sure the analyst may be of a reading: asks the databases that it was made with, compares the evidence for each answer with
//! whether it was right, and makes the table of weights in `src/confidence/weights.rs`.
//!
//! The analyst was tuned on these questions, so that hardly a wrong answer is left of what their databases say. A database of others says less:
//! each is asked again with parts of its catalogue left out, and those answers count, too.

use crate::regression::{Fitted, Sample};
use crate::support::blind::{Blind, Tally, Verdict, with_file};
use std::{collections::BTreeMap, fmt::Write as _};

/// The parts of a catalogue that are left out: a seed, and how many of 100 things.
const THINNED: [(u64, u64); 6] = [(1, 30), (2, 30), (3, 50), (4, 50), (5, 70), (6, 85)];
/// What an answer with a part of a catalogue counts.
const THIN: f64 = 0.5;
/// What a wrong answer costs, if a right one is worth 1.
const WRONG: f64 = 3.0;
/// What a right answer is worth that is shown after a click.
const ASKED_BACK: f64 = 0.5;
/// Smaller weights are left out.
const LEAST: f64 = 0.02;

/// How a database was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    Bare,
    Described,
    Thinned,
    /// In another language, with a catalogue or without.
    Foreign,
    /// The demo's flights, with their catalogue.
    Demo,
}

/// An answer with what speaks against it.
#[derive(Clone)]
pub struct Answered {
    pub database: String,
    pub how: How,
    pub evidence: BTreeMap<&'static str, f64>,
    pub is_right: bool,
}

/// The answers to all questions about a database.
pub async fn answered(name: &str) -> Vec<Answered> {
    let mut found = Vec::new();
    for (careful, how) in [(false, How::Bare), (true, How::Described)] {
        found.extend(of(name, how, &Blind::open(name, careful).await.score_without_doubt().await));
        for language in ["de", "fr", "es"] {
            let file = format!("questions.{language}.yaml");
            if with_file(&file).iter().any(|one| one == name) {
                found.extend(of(name, How::Foreign, &Blind::with(name, careful, &file).await.score_without_doubt().await));
            }
        }
    }
    for (seed, share) in THINNED {
        found.extend(of(name, How::Thinned, &Blind::thinned(name, seed, share).await.score_without_doubt().await));
    }
    found
}

/// The answers to the questions about the demo's flights. They are by another author, so that the weights learn more than one style.
pub async fn answered_of_flights() -> Vec<Answered> {
    of("flights", How::Demo, &Blind::flights().await.score_without_doubt().await)
}

fn of(name: &str, how: How, tally: &Tally) -> Vec<Answered> {
    let answers = tally.entries.iter().filter(|entry| entry.verdict != Verdict::Declined);
    let answers = answers.filter_map(|entry| {
        let confidence = entry.confidence.as_ref()?;
        let evidence = confidence.evidence.iter().map(|(name, size)| (*name, f64::from(*size))).collect();
        Some(Answered { database: name.to_owned(), how, evidence, is_right: entry.verdict == Verdict::Right })
    });
    answers.collect()
}

/// What was learned.
pub struct Learned {
    names: Vec<&'static str>,
    fitted: Fitted,
    /// The probability of each answer by weights that were learned without its database.
    pub unseen: Vec<f64>,
}

/// Learns from answers.
pub fn learned(answers: &[Answered]) -> Learned {
    let names: Vec<&'static str> = answers.first().map(|one| one.evidence.keys().copied().collect()).unwrap_or_default();
    let sample = |one: &Answered| Sample {
        sizes: names.iter().map(|name| one.evidence.get(name).copied().unwrap_or_default()).collect(),
        is_so: one.is_right,
        weight: if one.how == How::Thinned { THIN } else { 1.0 },
    };
    let samples: Vec<Sample> = answers.iter().map(sample).collect();
    let mut without: BTreeMap<&str, Fitted> = BTreeMap::new();
    for one in answers {
        without.entry(&one.database).or_insert_with(|| {
            let others = samples.iter().zip(answers).filter(|(_, other)| other.database != one.database);
            Fitted::of(&others.map(|(sample, _)| sample).collect::<Vec<_>>())
        });
    }
    let unseen =
        samples.iter().zip(answers).map(|(sample, one)| without[one.database.as_str()].probability(&sample.sizes)).collect();
    let fitted = Fitted::of(&samples.iter().collect::<Vec<_>>());
    Learned { names, fitted, unseen }
}

impl Learned {
    /// The file of weights.
    pub fn table(&self, sure: f64) -> String {
        let mut text = format!(
            "//! What each piece of evidence counts. Learned: `cargo run -p inlay-assistant --example learn` makes this file.\n\n\
             /// An answer that is right with less than this probability is not shown before the viewer has confirmed its reading.\n\
             pub(super) const SURE: f64 = {sure};\n\
             /// What speaks for a reading that nothing speaks against.\n\
             pub(super) const BASE: f64 = {:.2};\n\
             /// The evidence, with what it counts against a reading.\n\
             pub(super) const WEIGHTS: &[(&str, f64)] = &[\n",
            self.fitted.base
        );
        for (name, weight) in self.names.iter().zip(&self.fitted.weights).filter(|(_, weight)| weight.abs() >= LEAST) {
            writeln!(text, "    (\"{name}\", {weight:.2}),").expect("text");
        }
        text + "];\n"
    }

    /// What happens with each threshold, by how the databases were asked: right answers that are shown, wrong ones that are shown.
    pub fn curve(&self, answers: &[Answered]) -> String {
        const ASKED: [How; 5] = [How::Bare, How::Described, How::Thinned, How::Foreign, How::Demo];
        let mut text = String::from(
            "| shown from | without a catalogue | with one | with parts of one | other languages | the demo | benefit |\n| --- | --- | --- | --- | --- | --- | --- |\n",
        );
        for step in std::iter::once(0).chain(10..20) {
            let sure = f64::from(step) * 0.05;
            let count = |how: How, is_right: bool, is_shown: bool| {
                let all = answers.iter().zip(&self.unseen).filter(|(one, _)| one.how == how && one.is_right == is_right);
                all.filter(|(_, likely)| (**likely >= sure) == is_shown).count()
            };
            let shown = ASKED.map(|how| format!(" {} / {} |", count(how, true, true), count(how, false, true)));
            let benefit = [How::Bare, How::Described]
                .map(|how| {
                    let [right, wrong, asked] = [count(how, true, true), count(how, false, true), count(how, true, false)];
                    right as f64 - WRONG * wrong as f64 + ASKED_BACK * asked as f64
                })
                .iter()
                .sum::<f64>();
            writeln!(
                text,
                "| {} |{} {benefit} |",
                if step == 0 { "all".to_owned() } else { format!("{sure:.2}") },
                shown.concat()
            )
            .expect("text");
        }
        text
    }
}
