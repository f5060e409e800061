//! Rules about the source files that no compiler checks. A failure names the file and line, and what to write instead.

mod pages;

use crate::faces::cli::Cli;
use clap::{Command, CommandFactory};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The repository's root.
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A rule: in `folders`, except for the files that `but` accepts, no line may hold one of the `words`.
struct Rule {
    folders: &'static [&'static str],
    words: &'static [&'static str],
    but: fn(&str) -> bool,
    instead: &'static str,
}

/// axum's own extractors and responses do not use the API's error format.
const OWN_EXTRACTORS: Rule = Rule {
    folders: &["src"],
    words: &["axum::Json", "axum::extract::Path"],
    but: |file| file.starts_with("src/ground/web/") || NO_API.iter().any(|part| file.contains(part)),
    instead: "take and answer by the types of src/ground/web",
};

/// Folders that answer browsers with pages, files and the pages' own calls, outside the API's envelope; and the published
/// signing keys, whose format is a standard.
const NO_API: [&str; 5] = ["/faces/console/", "/faces/demo/", "/faces/docs/", "/faces/embeds/", "/v1/jwks.rs"];

/// axum's own functions for routes name the handler in the types around it, which the compiler pays for with every build. The demo's
/// host is a service of its own.
const ERASED_HANDLERS: Rule = Rule {
    folders: &["src"],
    words: &["axum::routing"],
    but: |file| ["src/ground/web/routing.rs", "src/faces/demo/host.rs"].contains(&file),
    instead: "make routes by src/ground/web/routing.rs",
};

/// Only stores run SQL. The demo's sources are customers' databases.
const SQL_IN_STORES: Rule = Rule {
    folders: &["src"],
    words: &["sqlx::query", "sqlx::raw_sql", "sqlx::QueryBuilder"],
    but: |file| is_store(file) || file.starts_with("src/faces/demo/data"),
    instead: "ask by a function of the concept's store",
};

/// SQL for customers' databases is written in `crates/query` alone; stores write that of the service's own. A model is told the words of
/// SQL, the console shows people examples of it, and the demo fills its sources.
const SQL_IN_QUERY: Rule = Rule {
    folders: &["crates/assistant/src", "crates/contract/src", "crates/render/src", "app/src", "src"],
    words: &[
        "\"select ",
        "\"SELECT ",
        "(select ",
        "(SELECT ",
        " FROM ",
        " WHERE ",
        "group by ",
        "GROUP BY ",
        "order by ",
        "ORDER BY ",
    ],
    but: |file| {
        is_store(file) || ["crates/assistant/src/agent/", "src/faces/demo/data"].iter().any(|part| file.starts_with(part))
    },
    instead: "ask a question (inlay_contract::chart::question), or use a function of crates/query",
};

/// Pure functions take the time as an argument.
const NO_CLOCK: Rule = Rule {
    folders: &["crates/contract/src", "crates/console/src", "crates/query/src"],
    words: &["SystemTime::now", "Instant::now", "Utc::now", "Local::now"],
    but: |file| {
        let waits = ["engine/", "sources/", "lanes.rs", "parsing.rs"];
        file.strip_prefix("crates/query/src/").is_some_and(|file| waits.iter().any(|wait| file.starts_with(wait)))
    },
    instead: "take the moment as a parameter",
};

/// The source files of a folder: path in the repository, and text.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut waiting: Vec<PathBuf> = vec![Path::new(ROOT).join(folder)];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let name = path.strip_prefix(ROOT).expect("a file of the repository").to_string_lossy().into_owned();
            found.push((name, fs::read_to_string(&path).expect("a text")));
        }
    }
    found.sort();
    found
}

/// Whether a file is a concept's store.
fn is_store(file: &str) -> bool {
    file.contains("/store/") || file.ends_with("store.rs")
}

/// Whether a file holds only tests.
fn is_test(file: &str) -> bool {
    file.contains("/testing/") || file.contains("tests/") || file.ends_with("tests.rs") || file.ends_with("testing.rs")
}

/// Every path that the text's `use` declarations import, written in full, with the line of its declaration.
fn uses(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (start, _) in text.match_indices("use ").filter(|(at, _)| *at == 0 || text[..*at].ends_with(['\n', ' '])) {
        let Some(end) = text[start..].find(';') else { continue };
        let line = text[..start].matches('\n').count() + 1;
        let tree: String = text[start + 4..start + end].replace(" as ", "=").split_whitespace().collect();
        found.extend(spread(&tree).into_iter().map(|path| (line, path)));
    }
    found
}

/// The paths of a `use` tree: `a::{b, c::{d}}` gives `a::b` and `a::c::d`.
fn spread(tree: &str) -> Vec<String> {
    let Some((head, rest)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let (mut depth, mut part, mut parts) = (0, String::new(), Vec::new());
    for letter in rest.strip_suffix('}').unwrap_or(rest).chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(std::mem::take(&mut part));
                continue;
            }
            _ => {}
        }
        part.push(letter);
    }
    parts.push(part);
    parts.iter().filter(|part| !part.is_empty()).flat_map(|part| spread(part)).map(|path| format!("{head}{path}")).collect()
}

/// The text before its unit tests, without comments, line by line.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().take_while(|(_, line)| !line.starts_with("mod tests {"));
    lines.map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// The lines that break a rule.
fn breaches(rule: &Rule, text: &str) -> Vec<usize> {
    let last = code(text).last().map_or(0, |(line, _)| line);
    let says = |text: &str| rule.words.iter().any(|word| has(text, word));
    let named = uses(text).into_iter().filter(|(line, path)| *line <= last && says(path)).map(|(line, _)| line);
    let mut lines: Vec<usize> = code(text).filter(|(_, line)| says(line)).map(|(line, _)| line).chain(named).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Whether a line holds a path, alone or as the start of a longer one: `sqlx::query` is in `sqlx::query_as`. Words that end
/// with a mark may go on, too.
fn has(text: &str, word: &str) -> bool {
    let goes_on = word == "sqlx::query" || word.ends_with(' ');
    text.match_indices(word).any(|(at, _)| {
        let next = text[at + word.len()..].chars().next();
        goes_on || !next.is_some_and(|next| next.is_alphanumeric() || next == '_')
    })
}

fn hold(rule: &Rule) {
    let all = rule.folders.iter().flat_map(|folder| sources(folder));
    let held = all.filter(|(file, _)| !is_test(file) && !(rule.but)(file));
    let broken: Vec<String> =
        held.flat_map(|(file, text)| breaches(rule, &text).into_iter().map(move |line| format!("{file}:{line}"))).collect();
    assert!(broken.is_empty(), "{}: {}", rule.instead, broken.join(", "));
}

#[test]
fn the_api_takes_and_answers_by_its_own_types() {
    hold(&OWN_EXTRACTORS);
}

#[test]
fn routes_forget_the_types_of_their_handlers() {
    hold(&ERASED_HANDLERS);
}

#[test]
fn only_stores_ask_the_store() {
    hold(&SQL_IN_STORES);
}

#[test]
fn only_the_query_crate_writes_customers_sql() {
    hold(&SQL_IN_QUERY);
}

#[test]
fn pure_code_looks_at_no_clock() {
    hold(&NO_CLOCK);
}

/// Leptos escapes texts, but not that of a `textarea`.
#[test]
fn texts_of_areas_are_escaped() {
    let is_raw = |line: &str| {
        let before = line.split_once("</textarea>").map(|(before, _)| before);
        before.is_some_and(|before| before.ends_with('}') && !before.contains("area_text("))
    };
    let all = ["crates/console/src", "app/src"].map(sources).concat();
    let raw: Vec<&String> = all.iter().filter(|(_, text)| text.lines().any(is_raw)).map(|(file, _)| file).collect();
    assert!(raw.is_empty(), "write the text of a textarea by `area_text` of crates/console/src/ui/html.rs: {raw:?}");
}

/// The floors of `src/`, from the lowest. Code of one uses its own floor and those below it.
const FLOORS: [&str; 4] = ["ground", "concepts", "flows", "faces"];

/// A path within the crate, from a module's own point of view, as the crate's root would write it.
fn absolute(path: &str, module: &[&str]) -> Option<Vec<String>> {
    let mut parts = path.split("::").map(|part| part.split('=').next().unwrap_or(part)).peekable();
    let mut at: Vec<&str> = match parts.next()? {
        "crate" | "$crate" => Vec::new(),
        "self" => module.to_vec(),
        "super" => module.split_last()?.1.to_vec(),
        _ => return None,
    };
    while parts.next_if_eq(&"super").is_some() {
        at.pop()?;
    }
    Some(at.into_iter().chain(parts).map(str::to_owned).collect())
}

/// Floor and room that a file belongs to: `src/concepts/charts/store.rs` is of `concepts` and `charts`.
fn module(file: &str) -> Vec<&str> {
    let path = file.strip_prefix("app/").unwrap_or(file);
    let path = path.strip_prefix("src/").unwrap_or(path);
    path.trim_end_matches(".rs").split('/').filter(|part| *part != "mod").collect()
}

/// Each path within the crate that a file names, with the line: uses of modules and paths within the code.
fn named(file: &str, text: &str) -> Vec<(usize, Vec<String>)> {
    let (module, last) = (module(file), code(text).last().map_or(0, |(line, _)| line));
    let used = uses(text).into_iter().filter(|(line, _)| *line <= last);
    let within = code(text).flat_map(|(line, text)| {
        let starts = ["crate::", "super::"].into_iter().flat_map(|start| text.match_indices(start).map(|(at, _)| at));
        let path = |at: usize| text[at..].split(|letter: char| !letter.is_alphanumeric() && !"_:".contains(letter)).next();
        let whole = |at: &usize| !text[..*at].ends_with([':', '_']);
        // What stands before a brace is the head of a `use` tree.
        let paths = starts.filter(whole).filter_map(path).filter(|path| !path.ends_with(':'));
        paths.map(|path| (line, path.to_owned())).collect::<Vec<_>>()
    });
    used.chain(within).filter_map(|(line, path)| Some((line, absolute(&path, &module)?))).collect()
}

/// Each room that a file of a floor names, with the line.
fn named_rooms(file: &str, text: &str) -> Vec<(usize, [String; 2])> {
    let rooms = named(file, text).into_iter().filter_map(|(line, path)| match path.as_slice() {
        [floor, room, ..] if FLOORS.contains(&floor.as_str()) => Some((line, [floor.clone(), room.clone()])),
        _ => None,
    });
    rooms.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The rooms of the floors with those that each uses, tests apart.
fn rooms() -> BTreeMap<[String; 2], BTreeMap<[String; 2], String>> {
    let mut all: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for (file, text) in sources("src").into_iter().filter(|(file, _)| !is_test(file)) {
        let module = module(&file);
        let [floor, room, ..] = module.as_slice() else { continue };
        let own = [(*floor).to_owned(), (*room).to_owned()];
        for (line, other) in named_rooms(&file, &text).into_iter().filter(|(_, other)| *other != own) {
            all.entry(own.clone()).or_default().entry(other).or_insert_with(|| format!("{file}:{line}"));
        }
    }
    assert!(all.len() > 40, "the rooms are found: {}", all.len());
    all
}

#[test]
fn no_floor_knows_those_above_it() {
    let height = |floor: &str| FLOORS.iter().position(|known| *known == floor);
    let all = rooms();
    let up = all.iter().flat_map(|([floor, _], others)| {
        others
            .iter()
            .filter(move |([other, _], _)| height(other) > height(floor))
            .map(|(other, at)| format!("{at} uses {}", other.join("::")))
    });
    let up: Vec<String> = up.collect();
    assert!(up.is_empty(), "move what is used down, or what uses it up: {up:?}");
}

#[test]
fn no_rooms_stand_in_a_ring() {
    let all = in_rings(rooms());
    assert!(all.is_empty(), "these rooms use each other, in a ring or through one: {all:?}");
}

/// Those that use each other, in a ring or through one.
fn in_rings<K: Clone + Ord>(mut all: BTreeMap<K, BTreeMap<K, String>>) -> BTreeMap<K, BTreeMap<K, String>> {
    // Who uses nobody who is left is in no ring.
    loop {
        let left: BTreeSet<K> = all.keys().cloned().collect();
        all.values_mut().for_each(|others| others.retain(|other, _| left.contains(other)));
        all.retain(|_, others| !others.is_empty());
        if all.len() == left.len() {
            return all;
        }
    }
}

#[test]
fn stores_are_seen_by_their_own_rooms_alone() {
    let all =
        sources("src").into_iter().filter(|(file, _)| file.starts_with("src/concepts/") || file.starts_with("src/flows/"));
    let open = all.filter(|(_, text)| text.lines().any(|line| line == "pub mod store;" || line == "pub(crate) mod store;"));
    let open: Vec<String> = open.map(|(file, _)| file).collect();
    assert!(open.is_empty(), "write `mod store;`, and `pub use store::{{…}}` for what others may ask: {open:?}");
}

#[test]
fn rooms_are_found_however_they_are_named() {
    let found = |text: &str| -> Vec<String> {
        named_rooms("src/concepts/charts/store.rs", text)
            .into_iter()
            .map(|(line, room)| format!("{line} {}", room.join("::")))
            .collect()
    };
    assert_eq!(
        found("use crate::{ground::error::Result, faces::{api, cli::Cli}};\n"),
        ["1 faces::api", "1 faces::cli", "1 ground::error"]
    );
    assert_eq!(
        found("use super::super::chat;\nlet x = crate::flows::sign_in::ensured();\n"),
        ["1 concepts::chat", "2 flows::sign_in"]
    );
    assert_eq!(found("// crate::faces::api\nuse std::fmt;\n"), Vec::<String>::new());
}

#[test]
fn breaches_are_found_however_they_are_written() {
    let of = |rule: &Rule, text: &str| breaches(rule, text);
    let nowhere: [usize; 0] = [];
    assert_eq!(of(&OWN_EXTRACTORS, "use axum::{\n    Json,\n    extract::State,\n};\n"), [1]);
    assert_eq!(of(&OWN_EXTRACTORS, "use a::b;\nuse axum::{extract::{Path, State}, http};\n"), [2]);
    assert_eq!(of(&OWN_EXTRACTORS, "use axum::{Json as Raw, Router};\n"), [1]);
    assert_eq!(of(&OWN_EXTRACTORS, "fn x() -> axum::Json<u8> {\n"), [1]);
    assert_eq!(of(&OWN_EXTRACTORS, "use axum::{extract::MatchedPath, http::uri::PathAndQuery};\n"), nowhere);
    assert_eq!(of(&ERASED_HANDLERS, "use axum::{\n    Router,\n    routing::{get, post},\n};\n"), [1]);
    assert_eq!(of(&SQL_IN_STORES, "// sqlx::query\nlet x = sqlx::query_as::<_, (i64,)>(\"\");\n"), [2]);
    assert_eq!(of(&SQL_IN_STORES, "use sqlx::{Row, query_scalar};\n"), [1]);
    assert_eq!(of(&SQL_IN_QUERY, "// \"select 1\"\nlet sql = format!(\"SELECT * FROM {table} LIMIT {most}\");\n"), [2]);
    assert_eq!(of(&SQL_IN_QUERY, "let sql = format!(\n    \"select {all} \\\n     from {table}\"\n);\n"), [2]);
    assert_eq!(of(&SQL_IN_QUERY, "let told = \"Select at least one\";\nlet key = (selected, \"select\");\n"), nowhere);
    assert_eq!(of(&NO_CLOCK, "let now = std::time::Instant::now();\n"), [1]);
    assert_eq!(of(&NO_CLOCK, "#[cfg(test)]\nmod tests {\n    let now = Instant::now();\n}\n"), nowhere);
}

/// The environment variables of a command and of its subcommands.
fn settings(command: &Command) -> Vec<String> {
    let own = command.get_arguments().filter_map(|argument| argument.get_env()).map(|name| name.to_string_lossy().into_owned());
    own.chain(command.get_subcommands().flat_map(settings)).collect()
}

/// The guides: README.md and the pages below docs/, except the specification, which lists every setting itself.
fn guides() -> String {
    let mut text = fs::read_to_string(Path::new(ROOT).join("README.md")).expect("README.md");
    let mut waiting = vec![Path::new(ROOT).join("docs")];
    while let Some(path) = waiting.pop() {
        if path.ends_with("spec") {
            continue;
        }
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            text.push_str(&fs::read_to_string(&path).expect("a guide"));
        }
    }
    text
}

#[test]
fn every_setting_stands_in_the_docs() {
    let text = guides();
    let named = |name: &str| {
        let after = |at: usize| text[at + name.len()..].chars().next();
        text.match_indices(name).any(|(at, _)| !after(at).is_some_and(|next| next.is_alphanumeric() || next == '_'))
    };
    let mut all = settings(&Cli::command());
    all.sort_unstable();
    all.dedup();
    assert!(all.len() > 30, "{all:?}");
    let missing: Vec<&String> = all.iter().filter(|name| !named(name)).collect();
    assert!(missing.is_empty(), "describe them in docs/operating.md: {missing:?}");
}
