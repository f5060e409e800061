//! The parameters that every page has (docs/spec/contract.md, sections 6 and 10). Parameters only narrow or hide, never grant.
//! Invalid ones are ignored.

use inlay_contract::filter;
use std::fmt;
use url::{Url, form_urlencoded};

/// The maximum number of invalid parameters that a host is told about.
pub const MOST_REFUSED: usize = 20;

/// A query, decoded.
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Parses a query, with or without the leading `?`.
    pub fn read(search: &str) -> Self {
        Self(form_urlencoded::parse(search.trim_start_matches('?').as_bytes()).into_owned().collect())
    }

    /// All parameters.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// The first value of a parameter, which may be empty.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.pairs().find(|(key, _)| *key == name).map(|(_, text)| text)
    }

    /// The first non-empty value of a parameter.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.pairs().find(|(key, text)| *key == name && !text.is_empty()).map(|(_, text)| text)
    }

    /// Whether a flag is on. Only `true` switches it on.
    pub fn is_on(&self, name: &str) -> bool {
        self.value(name) == Some("true")
    }

    /// The names of parameters with invalid values, to report to the host. `is_usable` knows the parameters of one kind of
    /// page, and returns `None` for other names.
    pub fn refused(&self, is_usable: impl Fn(&str, &str) -> Option<bool>) -> Vec<String> {
        let is_refused = |(key, text): &(&str, &str)| {
            let usable = is_usable_everywhere(key, text).or_else(|| is_usable(key, text));
            // An unknown name may belong to the host, such as `utm_source`. A filter's name belongs to Inlay.
            usable.map_or_else(|| filter::is_parameter(key), |usable| !usable)
        };
        self.pairs().filter(is_refused).map(|(key, _)| named(key)).take(MOST_REFUSED).collect()
    }
}

/// The parameters that every page has. `Debug` omits its tokens.
#[derive(Clone)]
pub struct Asked {
    /// `jwt`
    pub token: Option<String>,
    /// `dbAuthToken`
    pub database_auth: Option<String>,
    /// `timezone`
    pub timezone: Option<String>,
    /// `locale`
    pub locale: Option<String>,
    /// `tokenHandoff`
    pub token_handoff: bool,
    /// `parentOrigin`, if it is valid.
    pub parent_origin: Option<String>,
    /// `autoHeight`
    pub auto_height: bool,
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked").field("parent_origin", &self.parent_origin).finish_non_exhaustive()
    }
}

impl Asked {
    /// Reads the parameters of a query.
    pub fn read(query: &Query) -> Self {
        let value = |name: &str| query.value(name).map(str::to_owned);
        Self {
            token: value("jwt"),
            database_auth: value("dbAuthToken"),
            timezone: value("timezone").filter(|name| is_timezone(name)),
            locale: value("locale").filter(|tag| is_language_tag(tag)),
            token_handoff: query.is_on("tokenHandoff"),
            parent_origin: query.value("parentOrigin").and_then(origin),
            auto_height: query.is_on("autoHeight"),
        }
    }

    /// Whether the page waits for its token by message.
    pub const fn awaits_token(&self) -> bool {
        self.token_handoff && self.token.is_none() && self.parent_origin.is_some()
    }
}

/// Whether a parameter of every page has a valid value. `None` for other names.
fn is_usable_everywhere(key: &str, text: &str) -> Option<bool> {
    Some(match key {
        "jwt" | "dbAuthToken" => true,
        "tokenHandoff" | "autoHeight" => is_flag(text),
        "parentOrigin" => origin(text).is_some(),
        "timezone" => is_timezone(text),
        "locale" => is_language_tag(text),
        _ => return None,
    })
}

/// Whether a text is a valid value of a flag.
pub fn is_flag(text: &str) -> bool {
    matches!(text, "true" | "false" | "")
}

fn is_timezone(text: &str) -> bool {
    text.parse::<chrono_tz::Tz>().is_ok()
}

/// An `http` or `https` origin as browsers write it: scheme, host and port only.
fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    let origin = url.origin().ascii_serialization();
    (bare && url.password().is_none() && text.trim_end_matches('/').eq_ignore_ascii_case(&origin)).then_some(origin)
}

/// Whether a text has the form of a BCP 47 tag.
fn is_language_tag(tag: &str) -> bool {
    let part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    tag.len() <= 35 && tag.split('-').all(part) && tag.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// A parameter's name, shortened for a message to the host.
pub fn named(key: &str) -> String {
    key.chars().filter(|letter| !letter.is_control()).take(80).collect()
}

/// The parts of a path below `/share`, such as `["application", "<id>"]`. `None` for another path.
pub fn parts<const N: usize>(path: &str) -> Option<[&str; N]> {
    path.trim_matches('/').strip_prefix("share/")?.split('/').collect::<Vec<_>>().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_origin_is_a_parent_origin() {
        for (text, expected) in [
            ("https://host.example", Some("https://host.example")),
            ("https://host.example/", Some("https://host.example")),
            ("HTTPS://Host.Example", Some("https://host.example")),
            ("http://localhost:3001", Some("http://localhost:3001")),
            ("https://host.example:443", None),
            ("https://host.example/path", None),
            ("https://user@host.example", None),
            ("https://host.example?x", None),
            ("javascript:alert(1)", None),
            ("null", None),
            ("*", None),
            ("x", None),
        ] {
            assert_eq!(origin(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn known_names_with_unusable_values_are_named_and_unknown_names_are_not() {
        let search = "?jwt=x&tokenHandoff=yes&autoHeight=false&timezone=Mars/Olympus&locale=!&parentOrigin=x&own=1&other=1\
            &filter_a=1&f_a.b.c=1&utm_source=mail&dbAuthToken=s";
        let own = |key: &str, _: &str| (key == "own").then_some(false);
        assert_eq!(
            Query::read(search).refused(own),
            ["tokenHandoff", "timezone", "locale", "parentOrigin", "own", "filter_a", "f_a.b.c"]
        );
        let many = format!("?{}", (0..500).map(|number| format!("f_{number}=1&")).collect::<String>());
        assert_eq!(Query::read(&many).refused(own).len(), MOST_REFUSED);
        let long = Query::read(&format!("?f_%0A{}=1", "y".repeat(5000))).refused(own);
        assert_eq!(long, [format!("f_{}", "y".repeat(78))], "no line of a log is broken by it");
    }

    #[test]
    fn true_alone_switches_on() {
        for (text, expected) in [("true", true), ("TRUE", false), ("1", false), ("", false), ("yes", false)] {
            let asked = Asked::read(&Query::read(&format!("?tokenHandoff={text}&autoHeight={text}")));
            assert_eq!((asked.token_handoff, asked.auto_height), (expected, expected), "{text}");
        }
    }

    #[test]
    fn the_parts_of_a_path_are_as_many_as_its_page_has() {
        assert_eq!(parts("/share/application/x"), Some(["application", "x"]));
        assert_eq!(parts("/share/workspace/x/y/"), Some(["workspace", "x", "y"]));
        assert_eq!(parts::<2>("/share/workspace/x/y"), None);
        assert_eq!(parts::<2>("/other/application/x"), None);
    }

    #[test]
    fn debug_shows_no_token() {
        let asked = Asked::read(&Query::read("?jwt=s3cret&dbAuthToken=s3cret&parentOrigin=https://host.example"));
        let shown = format!("{asked:?}");
        assert!(shown.contains("host.example") && !shown.contains("s3cret"), "{shown}");
    }
}
