//! The tables in docs/spec/statements: every statement of the specification and of the contract, its code and its tests. What a
//! table names must exist.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// The documents, each with its table.
const TABLES: [(&str, &str); 2] = [
    ("docs/spec/service.md", "docs/spec/statements/service.md"),
    ("docs/spec/contract.md", "docs/spec/statements/contract.md"),
];

/// A file of the repository, if it exists.
fn read(file: &str) -> Option<String> {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).ok()
}

/// The sections of a document, title apart: heading and lines. What looks like a heading inside a code block is none.
fn sections(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        in_code ^= line.starts_with("```");
        match line.trim_start_matches('#') {
            heading if line.starts_with("##") && !in_code => found.push((heading.trim(), Vec::new())),
            _ if !line.trim().is_empty() => found.last_mut().map_or((), |(_, lines)| lines.push(line)),
            _ => {}
        }
    }
    found
}

/// The cells of a table's row. Heads and rules of tables are no rows.
fn cells(line: &str) -> Option<Vec<String>> {
    let inside = line.strip_prefix("| ")?.strip_suffix(" |")?.replace("\\|", "\0");
    (!inside.starts_with("id |")).then(|| inside.split('|').map(|cell| cell.trim().replace('\0', "|")).collect())
}

/// The least number of statements of a document's section: one, or as many as it has list items and rows of tables.
fn least(lines: &[&str]) -> usize {
    let items = lines
        .iter()
        .filter(|line| line.starts_with("- ") || line.split_once(". ").is_some_and(|(at, _)| at.parse::<u8>().is_ok()));
    let rows = lines.windows(2).filter(|pair| pair[0].starts_with('|') && pair[1].starts_with("| "));
    items.count().max(rows.count()).max(1)
}

/// Whether a Rust file holds a test of this name: alone, inside `on_both_stores!`, or as a host's life inside `lives!`.
fn holds_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let (on_both, lives) = (text.contains("on_both_stores! {"), text.contains("\nlives! {"));
    lines.iter().enumerate().any(|(at, line)| {
        let Some((before, arguments)) = line.split_once(&format!("fn {name}(")) else {
            return lives && line.starts_with(&format!("{name}: "));
        };
        let above = lines[..at].iter().rev().take_while(|line| line.starts_with("#[") || line.starts_with("//"));
        let marked = above.chain([&before]).any(|line| line.starts_with("#[") && line.contains("test"));
        marked || (on_both && before == "async " && arguments.starts_with("world)"))
    })
}

/// Whether a JavaScript file holds a test of this title, as it is written there. `one` is the test on each kind of page.
fn holds_title(text: &str, title: &str) -> bool {
    let text = text.replace("\\`", "`");
    let calls = ["test(", "one("].into_iter().flat_map(|call| ["'", "\"", "`"].map(|quote| (call, quote)));
    calls.into_iter().any(|(call, quote)| text.contains(&format!("{call}{quote}{title}{quote}")))
}

/// Why an entry of the column `test` is wrong, if it is.
fn wrong_test(entry: &str) -> Option<String> {
    let quoted = entry.strip_prefix('`').and_then(|rest| rest.split_once('`'));
    let (file, held) = match quoted.map(|(named, rest)| (named.split_once("::"), named, rest)) {
        Some((Some((file, name)), _, "")) => (file, read(file).map(|text| holds_test(&text, name))),
        Some((None, file, rest)) if rest.starts_with(": ") => (file, read(file).map(|text| holds_title(&text, &rest[2..]))),
        _ => return Some(format!("{entry} is neither `file::function` nor `file`: title")),
    };
    match held {
        None => Some(format!("{file} does not exist; name the file that holds the test now")),
        Some(false) => Some(format!("{entry}: the file has no such test; name the test that holds the statement now")),
        Some(true) => None,
    }
}

/// Why an entry of the column `code` is wrong, if it is.
fn wrong_code(entry: &str) -> Option<String> {
    let file = entry.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    let exists = file.is_some_and(|file| Path::new(env!("CARGO_MANIFEST_DIR")).join(file).is_file());
    (!exists).then(|| format!("{entry} is no file; name the file that implements the statement now"))
}

/// What is wrong with a row.
fn wrongs(row: &[String]) -> Vec<String> {
    let [id, statement, code, test] = row else { return vec!["a row has four cells: id, statement, code, test".to_owned()] };
    let mut found = Vec::new();
    if !id.starts_with(['S', 'C']) || id.rsplit('-').next().is_none_or(|number| number.parse::<u16>().is_err()) {
        found.push("an id is S- or C-, the section, and a number".to_owned());
    }
    for (name, cell) in [("statement", statement), ("code", code), ("test", test)].iter().filter(|(_, cell)| cell.is_empty()) {
        found.push(format!("{name} is empty{cell}; write it, or the test that is missing"));
    }
    found.extend(code.split("<br>").filter(|_| !code.is_empty()).filter_map(wrong_code));
    found.extend(test.split("<br>").filter(|_| !test.is_empty()).filter_map(wrong_test));
    found
}

#[test]
fn every_statement_has_code_and_a_test() {
    let (mut problems, mut ids) = (Vec::new(), BTreeSet::new());
    for (document, table) in TABLES {
        let (document_text, table_text) = (read(document).expect(document), read(table).expect(table));
        let mut counts = BTreeMap::new();
        for (heading, lines) in sections(&table_text) {
            let rows: Vec<Vec<String>> = lines.iter().filter_map(|line| cells(line)).collect();
            for row in &rows {
                let id = row[0].clone();
                problems.extend(wrongs(row).into_iter().map(|wrong| format!("{table} {id}: {wrong}")));
                if !ids.insert(id.clone()) {
                    problems.push(format!("{table} {id}: another row has this id; take the section's next number"));
                }
            }
            counts.insert(heading, rows.len());
        }
        for (heading, lines) in sections(&document_text).into_iter().filter(|(_, lines)| !lines.is_empty()) {
            let (least, count) = (least(&lines), counts.remove(heading).unwrap_or_default());
            if count < least {
                problems.push(format!(
                    "{table}: section {heading:?} has {count} rows; {document} makes {least} statements there at least"
                ));
            }
        }
        problems
            .extend(counts.keys().map(|heading| format!("{table}: {document} has no section {heading:?}; name it as there")));
    }
    assert!(ids.len() > 500, "the rows are found: {}", ids.len());
    assert!(problems.is_empty(), "{} rows are wrong:\n{}", problems.len(), problems.join("\n"));
}

/// The faults that were made on purpose: each row names its statements, and tests that failed.
#[test]
fn every_fault_of_the_drill_has_its_statement_and_test() {
    const DRILL: &str = "docs/spec/drill.md";
    let statements = |(_, table): (&str, &str)| read(table).unwrap_or_default().lines().filter_map(cells).collect::<Vec<_>>();
    let ids: BTreeSet<String> = TABLES.into_iter().flat_map(statements).map(|row| row[0].clone()).collect();
    let rows: Vec<Vec<String>> = read(DRILL).expect(DRILL).lines().filter_map(cells).collect();
    let mut problems = Vec::new();
    for row in &rows {
        let [of, fault, tests] = row.as_slice() else { panic!("a row has three cells: id, fault, test: {row:?}") };
        problems.extend(of.split("<br>").filter(|id| !ids.contains(*id)).map(|id| format!("{id} is no statement: {fault}")));
        problems.extend(tests.split("<br>").filter_map(wrong_test));
    }
    assert!(rows.len() > 50, "the rows are found: {}", rows.len());
    assert!(problems.is_empty(), "{DRILL}: {}", problems.join("\n"));
}

#[test]
fn wrong_rows_are_found() {
    let row = |code: &str, test: &str| wrongs(&["S-what-01", "It works.", code, test].map(str::to_owned));
    let here = "`src/statements_tests.rs`";
    assert_eq!(row(here, "`src/statements_tests.rs::wrong_rows_are_found`"), Vec::<String>::new());
    for (code, test) in [
        ("", "`src/statements_tests.rs::wrong_rows_are_found`"),
        (here, ""),
        ("`src/nowhere.rs`", "`src/statements_tests.rs::wrong_rows_are_found`"),
        (here, "`src/statements_tests.rs::no_test_of_this_name`"),
        (here, "`src/statements_tests.rs::holds_title`"),
        (here, "`end2end/tests/frame.spec.js`: no test of this title"),
        (here, "`end2end/tests/nowhere.spec.js`: a title"),
        (here, "wrong_rows_are_found"),
        (here, "`src/statements_tests.rs::wrong_rows_are_found"),
    ] {
        assert_eq!(row(code, test).len(), 1, "{code} {test}");
    }
    assert_eq!(cells("| a | b \\| c |"), Some(vec!["a".to_owned(), "b | c".to_owned()]));
    assert_eq!(least(&["text", "- one", "- two", "| head |", "|---|", "| row |"]), 2);
    let found = sections("# Title\ntext\n## One\n```\n## none\n```\n### Two\n");
    assert_eq!(found, [("One", vec!["```", "## none", "```"]), ("Two", vec![])]);
}
