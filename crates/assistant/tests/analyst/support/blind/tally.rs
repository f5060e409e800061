//! How many questions were answered right.

use super::Item;
use inlay_assistant::Confidence;
use std::{collections::BTreeSet, time::Duration};

/// How a question was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Right,
    Wrong(String),
    Declined,
}

/// A question with its answer.
#[derive(Clone)]
pub struct Entry {
    pub item: Item,
    pub verdict: Verdict,
    pub told: String,
    pub took: Duration,
    /// If the analyst asked whether its reading is right: whether it was.
    pub asked_back: Option<bool>,
    /// How sure the analyst was.
    pub confidence: Option<Confidence>,
}

/// The answers to many questions.
#[derive(Default)]
pub struct Tally {
    pub entries: Vec<Entry>,
}

impl Tally {
    pub fn add(&mut self, other: &Self) {
        self.entries.extend(other.entries.iter().cloned());
    }

    fn counts<'a>(entries: impl Iterator<Item = &'a Entry>) -> (usize, usize, usize) {
        entries.fold((0, 0, 0), |(right, wrong, declined), entry| match entry.verdict {
            Verdict::Right => (right + 1, wrong, declined),
            Verdict::Wrong(_) => (right, wrong + 1, declined),
            Verdict::Declined => (right, wrong, declined + 1),
        })
    }

    /// The shares of right and wrong answers.
    pub fn shares(&self) -> (f64, f64) {
        let (right, wrong, declined) = Self::counts(self.entries.iter());
        let all = (right + wrong + declined).max(1) as f64;
        (right as f64 / all, wrong as f64 / all)
    }

    pub fn line(&self, name: &str) -> String {
        let (right, wrong, declined) = Self::counts(self.entries.iter());
        let mut times: Vec<Duration> = self.entries.iter().map(|entry| entry.took).collect();
        times.sort();
        let slow = times.get(times.len() * 95 / 100).copied().unwrap_or_default();
        let all = right + wrong + declined;
        let asked = |is_right: bool| self.entries.iter().filter(|entry| entry.asked_back == Some(is_right)).count();
        format!(
            "{name}: {all} questions, {right} right ({:.0} %), {wrong} wrong ({:.0} %), {declined} declined, of them {} asked back with the right \
             reading and {} with a wrong one; p95 {slow:.0?}",
            100.0 * right as f64 / all.max(1) as f64,
            100.0 * wrong as f64 / all.max(1) as f64,
            asked(true),
            asked(false),
        )
    }

    /// A table by kind of question.
    pub fn by_kind(&self) -> String {
        let kinds: BTreeSet<&str> = self.entries.iter().map(|entry| entry.item.kind.as_str()).collect();
        let rows = kinds.into_iter().map(|kind| {
            let (right, wrong, declined) = Self::counts(self.entries.iter().filter(|entry| entry.item.kind == kind));
            format!("| {kind} | {} | {right} | {wrong} | {declined} |\n", right + wrong + declined)
        });
        rows.collect()
    }

    /// The questions that were not answered right.
    pub fn misses(&self) -> String {
        let missed = self.entries.iter().filter(|entry| entry.verdict != Verdict::Right);
        missed
            .map(|entry| format!("- {} [{}] {:?}\n    {}\n", entry.item.ask, entry.item.kind, entry.verdict, entry.told))
            .collect()
    }
}
