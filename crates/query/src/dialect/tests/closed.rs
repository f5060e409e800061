//! Nothing outside `dialect/` tells kinds apart.

use super::super::dialect;
use crate::source::SourceKind;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The Rust files of a folder and of those inside it, without tests and without `dialect/`.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        match name.as_str() {
            "dialect" | "tests" | "tests.rs" => {}
            _ if path.is_dir() => files(&path, found),
            _ if name.ends_with(".rs") => found.push(path),
            _ => {}
        }
    }
}

/// What a line does that only a dialect may do.
fn fault(line: &str, is_for_kinds: bool) -> Option<&'static str> {
    let line = line.trim();
    if line.starts_with("//") || line.contains("feature = ") {
        return None;
    }
    let names = |kind: SourceKind| {
        let variant = format!("{kind:?}");
        line.contains(&format!("SourceKind::{variant}")) || (is_for_kinds && line.contains(&format!("Self::{variant}")))
    };
    let spells = |kind: SourceKind| line.contains(&format!("\"{kind}\""));
    let is_kind = |text: &str| {
        text.strip_prefix("kind")
            .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || "_.(".contains(next)))
    };
    let compares = [" == ", " != "].into_iter().flat_map(|sign| line.match_indices(sign)).any(|(at, sign)| {
        let (left, right) = (&line[..at], &line[at + sign.len()..]);
        left.ends_with("kind") || left.ends_with("kind()") || is_kind(right)
    });
    match () {
        () if SourceKind::ALL.into_iter().any(names) => Some("names a kind"),
        () if line.contains("SourceKind::{") || line.contains("SourceKind::*") => Some("imports kinds"),
        () if SourceKind::ALL.into_iter().any(spells) => Some("spells a kind"),
        () if compares => Some("compares kinds"),
        () => None,
    }
}

/// The faults of a file up to its tests, which stand at its end.
fn faults(text: &str) -> Vec<String> {
    let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let is_for_kinds = code.contains("for SourceKind {") || code.contains("impl SourceKind {");
    let told = |(at, line): (usize, &str)| Some(format!("{}: {}: {}", at + 1, fault(line, is_for_kinds)?, line.trim()));
    code.lines().enumerate().filter_map(told).collect()
}

#[test]
fn only_dialects_tell_kinds_apart() {
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    assert!(all.len() > 50, "the crate's files are not where they were: {}", all.len());
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a file");
    let told: Vec<String> = all
        .iter()
        .flat_map(|path| faults(&read(path)).into_iter().map(|fault| format!("{}:{fault}", path.display())).collect::<Vec<_>>())
        .collect();
    assert!(told.is_empty(), "ask the dialect instead:\n{}", told.join("\n"));
}

#[test]
fn a_decision_outside_a_dialect_is_found() {
    for line in [
        "if kind == SourceKind::Mysql {",
        "    SourceKind::Sqlite | SourceKind::Duckdb => true,",
        "    !matches!(self.kind, SourceKind::Trino)",
        "use crate::source::SourceKind::{self, Postgres};",
        "use SourceKind::*;",
        "match (kind.name(), grain) { (\"sqlite\", _) => 1 }",
        "if source.kind != other.kind() {",
        "if dialect(kind).kind() == Mysql.kind() {",
    ] {
        assert_eq!(faults(line).len(), 1, "{line}");
    }
    assert_eq!(faults("impl Ext for SourceKind {\n    matches!(self, Self::Duckdb)\n}").len(), 1);
    for line in
        ["// SQLite: SourceKind::Sqlite", "#[cfg(feature = \"duckdb\")]", "dialect(kind).fence()", "fn of(kind: SourceKind) {}"]
    {
        assert!(faults(line).is_empty(), "{line}");
    }
}

#[test]
fn each_kind_has_its_own_dialect() {
    for kind in SourceKind::ALL {
        assert_eq!(dialect(kind).kind(), kind);
    }
}
