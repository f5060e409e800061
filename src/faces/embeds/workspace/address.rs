//! A workspace page's address (docs/spec/service.md, workspace iframe parameters). Invalid parameters are ignored.

use crate::faces::embeds::frame::address::{Asked, Query, parts};
use inlay_app::workspace::wire::{Panel, WorkspaceParameters};
use inlay_contract::{
    ids::{ProjectId, WorkspaceId},
    workspace::Placeholders,
};
use serde_json::Value;

/// The maximum number of starter questions in an address.
const MOST_STARTERS: usize = 3;
/// The maximum length of a starter question, in characters.
const LONGEST_STARTER: usize = 2_000;
/// The maximum length of a placeholder, in characters.
const LONGEST_WORDS: usize = 500;

/// A parsed address. `Debug` omits its tokens.
#[derive(Clone, Debug)]
pub struct Address {
    /// The project and the workspace. `None` when an id is invalid.
    pub target: Option<(ProjectId, WorkspaceId)>,
    /// The parameters that every page has.
    pub asked: Asked,
    /// `theme`: whether the page is dark. Defaults to the workspace's own theme.
    pub dark: Option<bool>,
    /// `placeholderOverrides`
    pub words: Placeholders,
    /// `exampleQuestions`. Defaults to the workspace's own.
    pub starters: Option<Vec<String>>,
    /// The parameters that the page itself reads.
    pub parameters: WorkspaceParameters,
}

impl Address {
    /// Parses a path below the embed host and its query (with or without the leading `?`). `None` for a path of another page.
    /// `longest_prompt` is the maximum length of a question to the chat, in characters.
    pub fn read(path: &str, search: &str, longest_prompt: usize) -> Option<Self> {
        let ["workspace", project, workspace] = parts(path)? else { return None };
        let query = Query::read(search);
        let asked = Asked::read(&query);
        let parameters = WorkspaceParameters {
            prompt: query.value("prompt").and_then(|text| question(text, longest_prompt)),
            nav: query.value("nav").and_then(panel),
            parent_origin: asked.parent_origin.clone(),
            auto_height: asked.auto_height,
            refused: query.refused(|key, text| is_usable(key, text, longest_prompt)),
        };
        Some(Self {
            target: project.parse().ok().zip(workspace.parse().ok()),
            asked,
            dark: query.value("theme").and_then(is_dark),
            words: query.value("placeholderOverrides").and_then(words).unwrap_or_default(),
            starters: query.value("exampleQuestions").and_then(starters),
            parameters,
        })
    }
}

/// Whether a parameter of this page has a valid value. `None` for other names. An empty value counts as missing.
fn is_usable(key: &str, text: &str, longest_prompt: usize) -> Option<bool> {
    let usable = match key {
        "prompt" => question(text, longest_prompt).is_some(),
        "nav" => panel(text).is_some(),
        "theme" => is_dark(text).is_some(),
        "placeholderOverrides" => words(text).is_some(),
        "exampleQuestions" => starters(text).is_some(),
        _ => return None,
    };
    Some(usable || text.trim().is_empty())
}

fn panel(nav: &str) -> Option<Panel> {
    match nav {
        "favorites" => Some(Panel::Favorites),
        "canvas" => Some(Panel::Canvas),
        _ => None,
    }
}

fn is_dark(theme: &str) -> Option<bool> {
    match theme {
        "dark" => Some(true),
        "light" => Some(false),
        _ => None,
    }
}

/// A non-empty question of at most this length.
fn question(text: &str, longest: usize) -> Option<String> {
    let text = text.replace('\0', "").trim().to_owned();
    (!text.is_empty() && text.chars().count() <= longest).then_some(text)
}

fn words(text: &str) -> Option<Placeholders> {
    let Ok(Value::Object(given)) = serde_json::from_str(text) else { return None };
    let word = |name: &str| {
        let text = given.get(name)?.as_str()?.trim();
        (!text.is_empty() && text.chars().count() <= LONGEST_WORDS).then(|| text.to_owned())
    };
    Some(Placeholders {
        user_name: word("userName"),
        assistant_name: word("assistantName"),
        input_placeholder: word("inputPlaceholder"),
        thinking_placeholder: word("thinkingPlaceholder"),
        disclaimer_text: word("disclaimerText"),
    })
}

fn starters(text: &str) -> Option<Vec<String>> {
    let given: Vec<Value> = serde_json::from_str(text).ok()?;
    Some(
        given.iter().filter_map(Value::as_str).filter_map(|text| question(text, LONGEST_STARTER)).take(MOST_STARTERS).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "/share/workspace/01890000-0000-7000-8000-000000000001/01890000-0000-7000-8000-000000000002";

    fn read(search: &str) -> Address {
        Address::read(PATH, search, 8_000).expect("a workspace's address")
    }

    #[test]
    fn only_a_workspace_s_path_is_read() {
        assert!(read("").target.is_some());
        assert!(Address::read("/share/workspace/x/y", "", 1).is_some_and(|address| address.target.is_none()));
        for other in ["/share/workspace/x", "/share/application/x/y", "/share/workspace/x/y/z", "/"] {
            assert!(Address::read(other, "", 1).is_none(), "{other}");
        }
    }

    #[test]
    fn words_and_starters_are_read_and_nonsense_is_left_out() {
        let address = read("?placeholderOverrides=%7B%22userName%22%3A%22Maya%22%2C%22assistantName%22%3A5%2C%22x%22%3A1%7D");
        assert_eq!(address.words, Placeholders { user_name: Some("Maya".into()), ..Placeholders::default() });
        assert!(read("?placeholderOverrides=oops").words.is_empty());
        let four = read("?exampleQuestions=%5B%22a%22%2C%22%20%22%2C%22b%22%2C3%2C%22c%22%2C%22d%22%5D");
        assert_eq!(four.starters, Some(vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]));
        assert_eq!(read("?exampleQuestions=oops").starters, None);
        assert_eq!(read("?exampleQuestions=%5B%5D").starters, Some(Vec::new()));
    }

    #[test]
    fn themes_and_panels_have_names() {
        for (search, dark) in [("?theme=dark", Some(true)), ("?theme=light", Some(false)), ("?theme=DARK", None), ("", None)] {
            assert_eq!(read(search).dark, dark, "{search}");
        }
        assert_eq!(read("?nav=canvas").parameters.nav, Some(Panel::Canvas));
        assert_eq!(read("?nav=favorites").parameters.nav, Some(Panel::Favorites));
        assert_eq!(read("?nav=settings").parameters.nav, None);
        assert_eq!(read("?prompt=%20Hello%00%20").parameters.prompt.as_deref(), Some("Hello"));
        assert_eq!(read(&format!("?prompt={}", "x".repeat(8_000))).parameters.prompt.map(|text| text.len()), Some(8_000));
        assert_eq!(read(&format!("?prompt={}", "x".repeat(8_001))).parameters.prompt, None);
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        let search = format!(
            "?prompt={}&nav=settings&theme=DARK&placeholderOverrides=oops&exampleQuestions=%7B%7D&locale=!&filter_a=1\
             &utm_source=x&hideHeader=true",
            "x".repeat(8_001)
        );
        assert_eq!(
            read(&search).parameters.refused,
            ["prompt", "nav", "theme", "placeholderOverrides", "exampleQuestions", "locale", "filter_a"]
        );
        let good =
            "?prompt=Hello&nav=canvas&theme=dark&placeholderOverrides=%7B%7D&exampleQuestions=%5B%5D&locale=de&prompt=&nav=";
        assert!(read(good).parameters.refused.is_empty());
    }

    #[test]
    fn debug_shows_no_token() {
        let path = format!("/share/workspace/{}/{}", ProjectId::generate(), WorkspaceId::generate());
        let address = Address::read(&path, "?jwt=s3cret&dbAuthToken=s3cret", 1).expect("an address");
        assert!(address.asked.token.is_some() && !format!("{address:?}").contains("s3cret"), "{address:?}");
    }
}
