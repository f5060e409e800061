//! Every file that asks the query engine is covered by a way.

use super::Way;
use std::{collections::BTreeSet, fs, path::Path};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What asks for customers' rows: of the engine, and of the functions that pass rows on.
const DOORS: [&str; 19] = [
    ".engine.answer(",
    ".engine.run(",
    ".engine.choices(",
    ".engine.ends(",
    ".engine.test_as(",
    "data::ask(",
    "model_query::rows(",
    "View::open(",
    "View {",
    ".rows(&",
    ".rows(app",
    ".rows_of(",
    ".chart_rows(",
    ".rows_of_draft(",
    ".rows_behind(",
    ".answer(chart",
    "Rows::new(",
    "chat::rows(",
    "tiles::gather",
];

/// The files that do so, and the ways that cover them. The engine's own caller and the checks of SQL that members write are the first.
const COVERED: [(&str, &[Way]); 32] = [
    ("src/concepts/dashboards/data.rs", &[Way::Table, Way::Chart]),
    ("src/concepts/dashboards/choices.rs", &[Way::ModelQuery, Way::FilterValues]),
    ("src/concepts/dashboards/days.rs", &[Way::Days]),
    ("src/concepts/chat/data_scope.rs", &[Way::Analyst]),
    ("src/concepts/chat/modelled.rs", &[Way::Analyst]),
    ("src/concepts/chat/pins/mod.rs", &[Way::Analyst]),
    ("src/concepts/chat/data.rs", &[Way::Analyst, Way::AnalystValues]),
    ("src/faces/api/v2/dashboards/chart_data.rs", &[Way::Chart]),
    ("src/faces/embeds/backend.rs", &[Way::Chart]),
    ("src/faces/embeds/drill.rs", &[Way::DrillDown]),
    ("src/faces/embeds/editing.rs", &[Way::ChartPreview, Way::Chart]),
    ("src/faces/embeds/page.rs", &[Way::Page]),
    ("src/faces/embeds/reasons.rs", &[Way::Chart]),
    ("src/faces/embeds/workspace/backend.rs", &[Way::Analyst]),
    ("src/faces/embeds/workspace/drawn.rs", &[Way::Analyst]),
    ("src/flows/dashboard_assistant.rs", &[Way::Chart, Way::Analyst]),
    ("src/flows/evaluation/question_set.rs", &[Way::Analyst, Way::AnalystValues]),
    ("src/flows/evaluation/running.rs", &[Way::Analyst, Way::AnalystValues]),
    ("src/flows/isolation/judging.rs", Way::ALL),
    ("src/flows/isolation/rounds.rs", Way::ALL),
    ("src/flows/isolation/rounds_of_charts.rs", Way::ALL),
    ("src/flows/isolation/rounds_of_models.rs", Way::ALL),
    ("src/flows/isolation/rounds_of_workspaces.rs", Way::ALL),
    ("src/flows/management/charts.rs", &[Way::ChartPreview]),
    ("src/flows/management/number_trial.rs", &[Way::ModelQuery, Way::DrillDown]),
    ("src/flows/management/table_trial.rs", &[Way::RuleTest]),
    ("src/flows/model_query.rs", &[Way::ModelQuery]),
    ("src/flows/reporting/drawing.rs", &[Way::Report]),
    ("src/flows/viewing/export.rs", &[Way::Workbook, Way::Report]),
    ("src/flows/viewing/mod.rs", &[Way::Chart]),
    ("src/flows/viewing/tiles.rs", &[Way::Page, Way::Report]),
    ("src/flows/verified_answers/asking.rs", &[Way::Analyst, Way::AnalystValues]),
];

fn asking(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.strip_prefix(ROOT).expect("in the repository").to_string_lossy().into_owned();
        let is_test = name.contains("tests") || name.starts_with("src/testing") || name.ends_with("testing.rs");
        if path.is_dir() {
            asking(&path, found);
        } else if name.ends_with(".rs") && !is_test {
            let text = fs::read_to_string(&path).expect("a text");
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let asks = |line: &str| DOORS.iter().any(|door| is_whole(line, door));
            if lines.into_iter().any(asks) {
                found.insert(name);
            }
        }
    }
}

/// Whether a line has these words, and not as the end of a longer name.
fn is_whole(line: &str, words: &str) -> bool {
    let named = words.starts_with(|letter: char| letter.is_alphabetic());
    line.match_indices(words)
        .any(|(at, _)| !named || !line[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
}

#[test]
fn every_file_that_asks_for_customers_rows_is_covered_by_a_way() {
    let mut found = BTreeSet::new();
    asking(&Path::new(ROOT).join("src"), &mut found);
    let known: BTreeSet<String> = COVERED.iter().map(|(file, _)| (*file).to_owned()).collect();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "say which way of src/flows/isolation/ways.rs covers these, or add one: {new:?}");
    let gone: Vec<_> = COVERED.iter().map(|(file, _)| file).filter(|file| !found.contains(**file)).collect();
    assert!(gone.is_empty(), "these ask no more: {gone:?}");
}

#[test]
fn every_way_covers_a_file_besides_the_checks_own() {
    let own = |file: &str| file.starts_with("src/flows/isolation/");
    let covered: BTreeSet<Way> =
        COVERED.iter().filter(|(file, _)| !own(file)).flat_map(|(_, ways)| ways.iter().copied()).collect();
    assert_eq!(covered, Way::ALL.iter().copied().collect());
}
