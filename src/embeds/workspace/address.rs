//! A workspace page's address (docs/spec/service.md, "Embeddable pages"). What cannot be read is left out.

use crate::embeds::address::{is_language_tag, origin};
use inlay_app::workspace::wire::{Panel, WorkspaceParameters};
use inlay_contract::{
    ids::{ProjectId, WorkspaceId},
    workspace::Placeholders,
};
use serde_json::Value;
use std::fmt;
use url::form_urlencoded;

/// Most starter questions of an address.
const MOST_STARTERS: usize = 3;
/// Most characters of a prompt or a starter question.
const LONGEST_QUESTION: usize = 2_000;
/// Most characters of a placeholder.
const LONGEST_WORDS: usize = 500;

/// An address, read. `Debug` shows nothing of its tokens.
#[derive(Clone)]
pub(super) struct Address {
    /// The project and the workspace that it names; none when an id cannot be one.
    pub target: Option<(ProjectId, WorkspaceId)>,
    /// `jwt`
    pub token: Option<String>,
    /// `dbAuthToken`
    pub database_auth: Option<String>,
    /// `timezone`
    pub timezone: Option<String>,
    /// `locale`
    pub locale: Option<String>,
    /// `theme`: whether the page is dark; the workspace's own look when it is left out.
    pub dark: Option<bool>,
    /// `placeholderOverrides`
    pub words: Placeholders,
    /// `exampleQuestions`; the workspace's own when it is left out.
    pub starters: Option<Vec<String>>,
    /// `tokenHandoff`
    pub token_handoff: bool,
    /// What the page itself needs to know.
    pub parameters: WorkspaceParameters,
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Address").field("target", &self.target).field("parameters", &self.parameters).finish_non_exhaustive()
    }
}

impl Address {
    /// Reads a path below the embed host and its query (with or without the leading `?`). `None` for a path of another page.
    pub(super) fn read(path: &str, search: &str) -> Option<Self> {
        let mut parts = path.trim_matches('/').split('/');
        let (Some("share"), Some("workspace"), Some(project), Some(workspace), None) =
            (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return None;
        };
        let query: Vec<(String, String)> =
            form_urlencoded::parse(search.trim_start_matches('?').as_bytes()).into_owned().collect();
        let value =
            |name: &str| query.iter().find(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value.clone());
        let on = |name: &str| value(name).as_deref() == Some("true");
        Some(Self {
            target: project.parse().ok().zip(workspace.parse().ok()),
            token: value("jwt"),
            database_auth: value("dbAuthToken"),
            timezone: value("timezone").filter(|name| name.parse::<chrono_tz::Tz>().is_ok()),
            locale: value("locale").filter(|tag| is_language_tag(tag)),
            dark: value("theme").and_then(|theme| match theme.as_str() {
                "dark" => Some(true),
                "light" => Some(false),
                _ => None,
            }),
            words: value("placeholderOverrides").map(|text| words(&text)).unwrap_or_default(),
            starters: value("exampleQuestions").and_then(|text| starters(&text)),
            token_handoff: on("tokenHandoff"),
            parameters: WorkspaceParameters {
                prompt: value("prompt").and_then(|text| question(&text)),
                nav: value("nav").and_then(|nav| match nav.as_str() {
                    "favorites" => Some(Panel::Favorites),
                    "canvas" => Some(Panel::Canvas),
                    _ => None,
                }),
                parent_origin: value("parentOrigin").as_deref().and_then(origin),
                auto_height: on("autoHeight"),
            },
        })
    }
}

/// A question that somebody could have typed.
fn question(text: &str) -> Option<String> {
    let text = text.replace('\0', "").trim().to_owned();
    (!text.is_empty() && text.chars().count() <= LONGEST_QUESTION).then_some(text)
}

fn words(text: &str) -> Placeholders {
    let Ok(Value::Object(given)) = serde_json::from_str(text) else { return Placeholders::default() };
    let word = |name: &str| {
        let text = given.get(name)?.as_str()?.trim();
        (!text.is_empty() && text.chars().count() <= LONGEST_WORDS).then(|| text.to_owned())
    };
    Placeholders {
        user_name: word("userName"),
        assistant_name: word("assistantName"),
        input_placeholder: word("inputPlaceholder"),
        thinking_placeholder: word("thinkingPlaceholder"),
        disclaimer_text: word("disclaimerText"),
    }
}

fn starters(text: &str) -> Option<Vec<String>> {
    let given: Vec<Value> = serde_json::from_str(text).ok()?;
    Some(given.iter().filter_map(Value::as_str).filter_map(question).take(MOST_STARTERS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "/share/workspace/01890000-0000-7000-8000-000000000001/01890000-0000-7000-8000-000000000002";

    fn read(search: &str) -> Address {
        Address::read(PATH, search).expect("a workspace's address")
    }

    #[test]
    fn only_a_workspace_s_path_is_read() {
        assert!(read("").target.is_some());
        assert!(Address::read("/share/workspace/x/y", "").is_some_and(|address| address.target.is_none()));
        for other in ["/share/workspace/x", "/share/application/x/y", "/share/workspace/x/y/z", "/"] {
            assert!(Address::read(other, "").is_none(), "{other}");
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
        assert_eq!(read(&format!("?prompt={}", "x".repeat(2_001))).parameters.prompt, None);
    }

    #[test]
    fn debug_shows_no_token() {
        let path = format!("/share/workspace/{}/{}", ProjectId::generate(), WorkspaceId::generate());
        let address = Address::read(&path, "?jwt=s3cret&dbAuthToken=s3cret").expect("an address");
        assert!(address.token.is_some() && !format!("{address:?}").contains("s3cret"), "{address:?}");
    }
}
