//! The built-in analyst on databases and questions by others, each without a catalogue and with one that was made with care. Thirteen of
//! them were used while the analyst was made; the others are only scored.

use crate::support::blind::{self, Blind, TUNED, Tally};
use std::{collections::BTreeMap, io::Write as _};

const ENGLISH: &str = "questions.yaml";
/// What is required of a set of databases. What was measured, not what is wanted (docs/analyst.md).
struct Required {
    /// Right answers, at least.
    right: f64,
    /// Wrong answers, at most.
    wrong: f64,
}

const TUNED_BARE: Required = Required { right: 0.33, wrong: 0.03 };
const TUNED_DESCRIBED: Required = Required { right: 0.66, wrong: 0.05 };
const OTHERS_BARE: Required = Required { right: 0.21, wrong: 0.1 };
const OTHERS_DESCRIBED: Required = Required { right: 0.56, wrong: 0.11 };

impl Required {
    /// Fails below what is required. Where only some databases are asked, nothing is.
    fn hold(&self, (right, wrong): (f64, f64)) {
        assert!(only().is_some() || right >= self.right && wrong <= self.wrong, "{right} right, {wrong} wrong");
    }
}

fn print(text: &str) {
    writeln!(std::io::stderr(), "{text}").expect("the report");
}

/// The scores of some databases, by their names, for the questions of a file.
async fn scored(file: &str, names: impl Iterator<Item = String>, careful: bool) -> BTreeMap<String, Tally> {
    let mut all = BTreeMap::new();
    for name in names {
        let tally = Blind::with(&name, careful, file).await.score().await;
        print(&tally.line(&name));
        if std::env::var_os("INLAY_BLIND_MISSES").is_some() && TUNED.contains(&&*name) {
            print(&tally.misses());
        }
        all.insert(name, tally);
    }
    all
}

/// The scores of databases together.
fn together<'a>(tallies: impl Iterator<Item = &'a Tally>) -> Tally {
    let mut all = Tally::default();
    tallies.for_each(|tally| all.add(tally));
    all
}

/// `INLAY_BLIND_ONLY=cafe,clinic` asks these alone.
fn is_wanted(name: &str) -> bool {
    only().is_none_or(|only| only.split(',').any(|one| one == name))
}

fn only() -> Option<String> {
    std::env::var("INLAY_BLIND_ONLY").ok()
}

fn tuned() -> impl Iterator<Item = String> {
    TUNED.iter().map(|name| (*name).to_owned()).filter(|name| is_wanted(name) && blind::names().contains(name))
}

fn others() -> impl Iterator<Item = String> {
    blind::names().into_iter().filter(|name| !TUNED.contains(&&**name) && is_wanted(name))
}

/// Prints a table by kind of question. `INLAY_BLIND_MISSES=1` prints the wrong answers on the databases that the analyst was made with,
/// too; those on the others stay unseen, or they are blind no more.
fn report(name: &str, tally: &Tally) -> (f64, f64) {
    print(&format!(
        "{}\n| kind | questions | right | wrong | declined |\n| --- | --- | --- | --- | --- |\n{}",
        tally.line(name),
        tally.by_kind()
    ));
    tally.shares()
}

/// `INLAY_BLIND_ASK="late orders by month"` asks the databases of `INLAY_BLIND_ONLY` a question of one's own, with a catalogue and without.
#[tokio::test]
async fn a_question_of_ones_own() {
    let Ok(question) = std::env::var("INLAY_BLIND_ASK") else { return };
    for name in blind::names().into_iter().filter(|name| is_wanted(name)) {
        for careful in [false, true] {
            let told = Blind::open(&name, careful).await.told(&question).await;
            print(&format!("{name}{}: {told}", if careful { " with a catalogue" } else { "" }));
        }
    }
}

/// The languages beside English.
const LANGUAGES: [&str; 3] = ["de", "fr", "es"];
/// Right answers in another language for each right one in English, on blind databases, at least: what is wanted and was measured.
const AS_IN_ENGLISH: f64 = 0.75;

/// The questions in other languages, beside those in English about the same databases.
async fn other_languages(kind: &str, english: &BTreeMap<String, Tally>, careful: bool) {
    for language in LANGUAGES {
        let file = format!("questions.{language}.yaml");
        let names: Vec<String> = blind::with_file(&file).into_iter().filter(|name| english.contains_key(name)).collect();
        let (own, _) = report(
            &format!("{kind}, the databases with questions in {language}, in English"),
            &together(names.iter().filter_map(|name| english.get(name))),
        );
        let tally = scored(&file, names.into_iter(), careful).await;
        let (right, _) = report(&format!("{kind}, in {language}"), &together(tally.values()));
        assert!(only().is_some() || right >= AS_IN_ENGLISH * own, "{kind}, in {language}: {right} right, {own} in English");
    }
}

/// Asks the databases that were used while the analyst was made, and the others.
async fn hold(how: &str, careful: bool, [for_tuned, for_others]: [&Required; 2]) {
    let kind = format!("used while it was made, {how}");
    let tallies = scored(ENGLISH, tuned(), careful).await;
    for_tuned.hold(report(&kind, &together(tallies.values())));
    other_languages(&kind, &tallies, careful).await;
    let kind = format!("blind, {how}");
    let tallies = scored(ENGLISH, others(), careful).await;
    for_others.hold(report(&kind, &together(tallies.values())));
    other_languages(&kind, &tallies, careful).await;
}

#[tokio::test]
async fn databases_that_nobody_described() {
    hold("without a catalogue", false, [&TUNED_BARE, &OTHERS_BARE]).await;
}

#[tokio::test]
async fn databases_with_a_catalogue_made_with_care() {
    hold("with a catalogue", true, [&TUNED_DESCRIBED, &OTHERS_DESCRIBED]).await;
}

#[tokio::test]
async fn a_conversation_may_change_its_language() {
    let shop = Blind::open("northwind", true).await;
    for (asked, told) in [
        (
            "Bestellungen pro Monat 1997 / nur Deutschland",
            "I read this as the orders by month with destination country Germany in 1997.",
        ),
        ("orders by month in 1997 / et en 1996 ?", "I read this as the orders by month in 1996."),
        (
            "¿por qué cayeron las ventas en marzo de 1998?",
            "I read this as where the revenue changed: March 1998, compared with February 1998.",
        ),
        ("Umsatz nach Wetterlage", "I did not understand \"Wetterlage\""),
        ("hilfe", "I understand English, German, French and Spanish, and answer in English."),
        ("hoeveel klanten hebben wij eigenlijk", "I understand English, German, French and Spanish, and answer in English."),
        ("какая выручка по странам", "I understand English, German, French and Spanish, and answer in English."),
        ("国別の売上", "I understand English, German, French and Spanish, and answer in English."),
    ] {
        let answer = shop.told(asked).await;
        assert!(answer.contains(told), "{asked}: {answer}");
    }
}
