//! The built-in analyst on databases and questions by others, each without a catalogue and with one that was made with care. Two of them
//! were used while the analyst was made; the others are only scored.

#[path = "support/anywhere.rs"]
mod anywhere;
#[path = "support/blind.rs"]
mod blind;
mod support;

use blind::{Blind, Tally};

/// Used while the analyst was made.
const TUNED: &[&str] = &["northwind", "music", "baseball"];

/// The scores of some databases.
async fn scored(names: impl Iterator<Item = String>, language: Option<&str>, careful: bool) -> Tally {
    let mut all = Tally::default();
    for name in names {
        let Some(blind) = Blind::open(&name, careful).await else { continue };
        let Some(tally) = blind.score(language).await else { continue };
        eprintln!("{}", tally.line(&name));
        if std::env::var_os("INLAY_BLIND_MISSES").is_some()
            && (TUNED.contains(&&*name) || std::env::var_os("INLAY_BLIND_ALL").is_some())
        {
            eprintln!("{}", tally.misses());
        }
        all.add(tally);
    }
    all
}

fn tuned() -> impl Iterator<Item = String> {
    TUNED.iter().map(|name| (*name).to_owned())
}

fn others() -> impl Iterator<Item = String> {
    blind::names().into_iter().filter(|name| !TUNED.contains(&&**name))
}

#[tokio::test]
async fn databases_that_nobody_described() {
    let tuned = scored(tuned(), None, false).await;
    eprintln!("{}\n{}", tuned.line("tuned, bare"), tuned.by_kind());
    let others = scored(others(), None, false).await;
    eprintln!("{}\n{}", others.line("blind, bare"), others.by_kind());
}

#[tokio::test]
async fn databases_with_a_catalogue_made_with_care() {
    let tuned = scored(tuned(), None, true).await;
    eprintln!("{}\n{}", tuned.line("tuned, catalogue"), tuned.by_kind());
    let others = scored(others(), None, true).await;
    eprintln!("{}\n{}", others.line("blind, catalogue"), others.by_kind());
}
