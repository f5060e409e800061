//! Metrics, alert rules and dashboard against each other: what is measured stands in the docs, and what is asked for is measured. promtool
//! reads the rules in scripts/check-packaging.

use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn guide(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join("docs/operating").join(name)).unwrap_or_else(|problem| panic!("{name}: {problem}"))
}

/// The metrics' names in a text.
fn named(text: &str) -> BTreeSet<String> {
    let part = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    text.split(|letter: char| !part(letter)).filter(|word| word.starts_with("inlay_")).map(str::to_owned).collect()
}

/// The metrics that the code measures, without tests: name and macro.
fn measured() -> BTreeSet<(String, &'static str)> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<PathBuf> = ["src", "crates", "app/src"].map(|folder| Path::new(ROOT).join(folder)).into();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("a text");
            for kind in ["gauge", "counter", "histogram"] {
                let call = format!("{kind}!(");
                let calls = text.split(&call).skip(1);
                let names = calls.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
                found.extend(names.filter(|name| name.starts_with("inlay_")).map(|name| (name.to_owned(), kind)));
            }
        }
    }
    assert!(found.len() > 40, "{found:?}");
    found
}

/// The names as Prometheus has them: a histogram is three.
fn answered() -> BTreeSet<String> {
    let all = measured().into_iter().flat_map(|(name, kind)| match kind {
        "histogram" => ["_bucket", "_count", "_sum"].map(|end| format!("{name}{end}")).to_vec(),
        _ => vec![name],
    });
    all.collect()
}

#[test]
fn every_metric_stands_in_the_docs_and_nothing_else() {
    let told = named(&guide("metrics.md"));
    let measured: BTreeSet<String> = measured().into_iter().map(|(name, _)| name).collect();
    let missing: Vec<_> = measured.difference(&told).collect();
    assert!(missing.is_empty(), "describe them in docs/operating/metrics.md: {missing:?}");
    let gone: Vec<_> = told.difference(&measured).collect();
    assert!(gone.is_empty(), "nothing measures these: {gone:?}");
}

#[test]
fn names_follow_the_conventions_of_prometheus() {
    for (name, kind) in measured() {
        assert_eq!(name.ends_with("_total"), kind == "counter", "{name} is a {kind}");
        assert!(kind != "histogram" || name.ends_with("_seconds") || name.ends_with("_bytes"), "{name} names no unit");
        assert!(!name.contains("_ms") && !name.contains("milli"), "{name}: seconds, please");
    }
}

#[test]
fn alerts_ask_for_what_is_measured_and_say_what_to_do() {
    let rules: Value = serde_saphyr::from_str(&guide("alerts.yml")).expect("YAML");
    let rules = rules["groups"][0]["rules"].as_array().expect("rules").clone();
    assert!(rules.len() > 15, "{}", rules.len());
    let (known, runbook) = (answered(), guide("runbook.md"));
    for rule in &rules {
        let text = |key: &str| rule[key].as_str().unwrap_or_else(|| panic!("{key} of {rule}"));
        for name in named(text("expr")) {
            assert!(known.contains(&name), "{} asks for {name}, which is not measured", text("alert"));
        }
        let (_, after) =
            runbook.split_once(&format!("\n## {}\n", text("alert"))).unwrap_or_else(|| panic!("no runbook: {rule}"));
        let section = after.split("\n## ").next().unwrap_or_default();
        assert!(section.contains("**Why**: ") && section.contains("**What to do**: "), "{section}");
        let link = rule["annotations"]["runbook"].as_str().expect("a link");
        assert!(link.ends_with(&format!("/docs/operating/runbook#{}", text("alert").to_lowercase())), "{link}");
        assert!(["page", "ticket"].contains(&rule["labels"]["severity"].as_str().expect("a severity")));
    }
    let alerts: BTreeSet<&str> = rules.iter().filter_map(|rule| rule["alert"].as_str()).collect();
    let sections = runbook.lines().filter_map(|line| line.strip_prefix("## "));
    let gone: Vec<_> = sections.filter(|section| !alerts.contains(section)).collect();
    assert!(gone.is_empty(), "sections without an alert: {gone:?}");
}

#[test]
fn the_dashboard_asks_for_what_is_measured() {
    let board: Value = serde_json::from_str(&guide("grafana.json")).expect("JSON");
    let panels = board["panels"].as_array().expect("panels");
    let known = answered();
    let asked: BTreeSet<String> = panels
        .iter()
        .flat_map(|panel| panel["targets"].as_array().expect("targets"))
        .flat_map(|target| named(target["expr"].as_str().expect("a query")))
        .collect();
    let unknown: Vec<_> = asked.difference(&known).collect();
    assert!(asked.len() > 30 && unknown.is_empty(), "not measured: {unknown:?}");
    let ids: BTreeSet<_> = panels.iter().map(|panel| panel["id"].to_string()).collect();
    assert_eq!(ids.len(), panels.len(), "each panel has its own id");
}
