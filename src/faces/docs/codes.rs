//! The error codes of the API, for the API description.

use crate::ground::error::Code;
use inlay_contract::code::Face;

/// Every code that an endpoint returns, by status.
pub fn codes() -> impl Iterator<Item = Code> {
    Code::ALL.iter().copied().filter(|code| code.face() == Face::Api)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fs,
        path::{Path, PathBuf},
    };

    /// Words that the guides write like a code and that are not API codes: other products' settings, database functions, and
    /// the two codes of the page script.
    const OTHERS: [&str; 7] =
        ["CARGO_TARGET_DIR", "FRAME_SILENT", "GET_LOCK", "LD_LIBRARY_PATH", "LOAD_FILE", "PG_BINDIR", "TOKEN_FETCH_FAILED"];

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR"))
    }

    /// Every file below a folder with this ending.
    fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
        let (mut found, mut open) = (Vec::new(), vec![root().join(folder)]);
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
                if entry.is_dir() {
                    open.push(entry);
                } else if entry.to_string_lossy().ends_with(ending) {
                    found.push(entry);
                }
            }
        }
        assert!(!found.is_empty(), "{folder}");
        found
    }

    /// Whether a file holds only tests.
    fn is_test(file: &Path) -> bool {
        let inside = file.strip_prefix(root()).unwrap_or(file).components();
        let mut names = inside.map(|part| part.as_os_str().to_string_lossy().into_owned());
        names.any(|name| name == "testing" || name == "tests" || name.ends_with("_tests") || name.ends_with("tests.rs"))
    }

    #[test]
    fn no_code_is_written_out_beside_the_table() {
        for file in ["src", "app/src", "crates", "frontend"].iter().flat_map(|folder| files(folder, ".rs")) {
            if is_test(&file) || file.ends_with("contract/src/code.rs") {
                continue;
            }
            let text = fs::read_to_string(&file).expect("a source file");
            let program = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            for (number, line) in program.lines().enumerate() {
                let written = line.split('"').skip(1).step_by(2).find(|literal| Code::named(literal).is_some());
                assert_eq!(written, None, "{}:{}: write `Code::…`", file.display(), number + 1);
            }
        }
    }

    #[test]
    fn the_guides_name_codes_that_exist_with_their_statuses() {
        let guides = files("docs", ".md").into_iter().chain([root().join("README.md")]);
        let mut named = 0;
        for file in guides {
            let text = fs::read_to_string(&file).expect("a guide");
            // Every second piece stands between backticks. The text before it may name its status.
            let pieces: Vec<&str> = text.split('`').collect();
            for pair in pieces.chunks_exact(2) {
                let [before, name] = pair else { continue };
                let shouted = name.contains('_') && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
                if !shouted || name.starts_with("INLAY_") || OTHERS.contains(name) {
                    continue;
                }
                let code = Code::named(name).unwrap_or_else(|| panic!("{}: there is no code `{name}`", file.display()));
                let status = before.trim_end().rsplit(|letter: char| !letter.is_ascii_digit()).next();
                if let Some(status) = status.filter(|status| status.len() == 3 && before.ends_with(' ')) {
                    assert_eq!(status, code.status().to_string(), "{}: {name}", file.display());
                }
                named += 1;
            }
        }
        assert!(named > 20, "the guides name {named} codes: are they read?");
    }
}
