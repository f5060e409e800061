//! How sure the analyst is, beside how often it is right.

#[path = "support/anywhere.rs"]
mod anywhere;
#[path = "support/asked.rs"]
mod asked;
#[path = "support/blind.rs"]
mod blind;
mod support;

use blind::{Blind, Tally};
use std::io::Write as _;

const TUNED: &[&str] = &[
    "northwind", "music", "transit", "cafe", "clinic", "desk", "freight", "gym", "people", "energy", "school", "leases", "parcels",
];

fn dump(file: &mut std::fs::File, set: &str, how: &str, tally: &Tally) {
    for entry in &tally.entries {
        let line = serde_json::json!({
            "set": set, "how": how, "ask": entry.item.ask(), "kind": entry.item.kind(), "verdict": format!("{:?}", entry.verdict),
            "told": entry.told,
            "evidence": entry.confidence.as_ref().map(|one| one.evidence.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect::<std::collections::BTreeMap<_, _>>()),
        });
        writeln!(file, "{line}").expect("written");
    }
}

#[tokio::test]
async fn collect() {
    let Ok(path) = std::env::var("INLAY_EVIDENCE") else { return };
    let mut file = std::fs::File::create(path).expect("a file");
    let only = std::env::var("INLAY_BLIND_ONLY").ok();
    let quick = std::env::var("INLAY_QUICK").is_ok();
    for name in TUNED {
        if only.as_ref().is_some_and(|only| !only.split(',').any(|one| one == *name)) { continue; }
        for careful in [false, true] {
            let begin = std::time::Instant::now();
            let tally = Blind::open(name, careful).await.score().await;
            eprintln!("{} {:?}", tally.line(name), begin.elapsed());
            dump(&mut file, name, if careful { "with" } else { "bare" }, &tally);
            for language in ["de", "fr", "es"] {
                let questions = format!("questions.{language}.yaml");
                if quick || !blind::with_file(&questions).iter().any(|one| one == name) { continue; }
                let tally = Blind::with(name, careful, &questions).await.score().await;
                dump(&mut file, name, if careful { "with" } else { "bare" }, &tally);
            }
        }
        if quick { continue; }
        for (seed, share) in [(1, 30), (2, 30), (3, 50), (4, 50), (5, 70), (6, 85)] {
            let tally = Blind::thinned(name, seed, share).await.score().await;
            eprintln!("{}", tally.line(&format!("{name} {seed} {share}")));
            dump(&mut file, name, &format!("thin{share}-{seed}"), &tally);
        }
    }
}
