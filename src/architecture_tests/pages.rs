//! Rules about the files of the pages (`app/src`).

use super::{in_rings, is_test, module, named, sources};
use std::collections::BTreeMap;

/// The files of the pages with those that each uses, tests apart.
fn files() -> BTreeMap<String, BTreeMap<String, String>> {
    let all: Vec<(String, String)> = sources("app/src").into_iter().filter(|(file, _)| !is_test(file)).collect();
    let name = |file: &str| module(file).join("::");
    let known: BTreeMap<String, ()> = all.iter().map(|(file, _)| (name(file), ())).collect();
    assert!(known.len() > 90, "the files are found: {}", known.len());
    let mut found: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for (file, text) in &all {
        let own = name(file);
        // `use part::Thing` in a module names its own part.
        let parts = super::uses(text).into_iter().map(|(line, path)| {
            let path = path.split("::").map(str::to_owned);
            (line, module(file).into_iter().map(str::to_owned).chain(path).collect::<Vec<_>>())
        });
        let is_part =
            |path: &[String]| path.get(module(file).len()).is_some_and(|part| known.contains_key(&format!("{own}::{part}")));
        let parts = parts.filter(|(_, path)| is_part(path));
        for (line, path) in named(file, text).into_iter().chain(parts) {
            let Some(other) = (1..=path.len()).rev().map(|most| path[..most].join("::")).find(|path| known.contains_key(path))
            else {
                continue;
            };
            if other != own {
                found.entry(own.clone()).or_default().entry(other).or_insert_with(|| format!("{file}:{line}"));
            }
        }
    }
    found
}

#[test]
fn no_files_of_the_pages_stand_in_a_ring() {
    let all = in_rings(files());
    assert!(all.is_empty(), "these files use each other, in a ring or through one: {all:#?}");
}

#[test]
fn uses_between_files_are_found() {
    let all = files();
    let uses = |file: &str, other: &str| all.get(file).is_some_and(|others| others.contains_key(other));
    assert!(uses("pages::application", "pages::dashboard"), "a file beside it");
    assert!(uses("tile::board", "session"), "from the crate's root");
    assert!(uses("tile", "tile::figure"), "a part that is named again");
}
