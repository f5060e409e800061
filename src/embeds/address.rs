//! A page's address (docs/spec/service.md, "Embeddable pages"; docs/spec/contract.md, sections 6 and 10): the dashboard and the parameters.
//! Parameters only ever narrow or hide, never grant; what cannot be read is left out.

use inlay_contract::{
    filter::{CONTROLLED, FilterValue, OMNIBAR, Scalar},
    ids::{ApplicationId, DashboardId},
    page::{Filters, PageParameters},
};
use serde_json::Value;
use std::fmt;
use url::{Url, form_urlencoded};

/// What a page opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// An application: one dashboard alone when it is named.
    Application {
        /// The application.
        id: ApplicationId,
        /// `dashboardId`
        dashboard: Option<DashboardId>,
    },
    /// A dashboard of either generation; its application is looked up.
    Dashboard(DashboardId),
    /// An id that cannot be one.
    Nothing,
}

/// An address, read. `Debug` shows nothing of its tokens.
#[derive(Clone)]
pub struct Address {
    /// What it opens.
    pub target: Target,
    /// `jwt`
    pub token: Option<String>,
    /// `dbAuthToken`
    pub database_auth: Option<String>,
    /// `timezone`
    pub timezone: Option<String>,
    /// `locale`
    pub locale: Option<String>,
    /// Whether `parentOrigin` was given in any form.
    pub names_parent: bool,
    /// What the page itself needs to know.
    pub parameters: PageParameters,
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Address").field("target", &self.target).field("parameters", &self.parameters).finish_non_exhaustive()
    }
}

impl Address {
    /// Reads a path below the embed host and its query (with or without the leading `?`). `None` for a path of no page.
    pub fn read(path: &str, search: &str) -> Option<Self> {
        let query: Vec<(String, String)> =
            form_urlencoded::parse(search.trim_start_matches('?').as_bytes()).into_owned().collect();
        let value =
            |name: &str| query.iter().find(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value.clone());
        let on = |name: &str| value(name).as_deref() == Some("true");
        let asked = query.iter().find(|(key, _)| key == "dashboardId").map(|(_, id)| id.as_str());
        let target = target(path, asked)?;
        let parent = value("parentOrigin");
        Some(Self {
            target,
            token: value("jwt"),
            database_auth: value("dbAuthToken"),
            timezone: value("timezone").filter(|name| name.parse::<chrono_tz::Tz>().is_ok()),
            locale: value("locale").filter(|tag| is_language_tag(tag)),
            names_parent: parent.is_some(),
            parameters: PageParameters {
                single_dashboard: matches!(target, Target::Application { dashboard: Some(_), .. }),
                hide_header: on("hideHeader"),
                hide_download_button: on("hideDownloadButton"),
                transparent: on("transparent"),
                token_handoff: on("tokenHandoff"),
                parent_origin: parent.as_deref().and_then(origin),
                auto_height: on("autoHeight"),
                filters: filters(&query),
                refused: query
                    .iter()
                    .filter(|(key, text)| !is_usable(key, text))
                    .map(|(key, _)| named(key))
                    .take(MOST_REFUSED)
                    .collect(),
            },
        })
    }
}

fn target(path: &str, dashboard: Option<&str>) -> Option<Target> {
    let mut parts = path.trim_matches('/').split('/');
    let (Some("share"), Some(kind), Some(id), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return None;
    };
    match (kind, dashboard) {
        ("application", None) => Some(id.parse().map_or(Target::Nothing, |id| Target::Application { id, dashboard: None })),
        ("application", Some(asked)) => Some(match (id.parse(), asked.parse()) {
            (Ok(id), Ok(dashboard)) => Target::Application { id, dashboard: Some(dashboard) },
            // An id that cannot be read never opens another dashboard.
            _ => Target::Nothing,
        }),
        ("dashboard", _) => Some(id.parse().map_or(Target::Nothing, Target::Dashboard)),
        _ => None,
    }
}

/// An origin as browsers write it: scheme, host, port; nothing else. `http` and `https` alone.
pub(super) fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    let origin = url.origin().ascii_serialization();
    (bare && url.password().is_none() && text.trim_end_matches('/').eq_ignore_ascii_case(&origin)).then_some(origin)
}

/// Whether a text is a BCP 47 tag by its form.
pub(super) fn is_language_tag(tag: &str) -> bool {
    let part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    tag.len() <= 35 && tag.split('-').all(part) && tag.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// The most parameters that a host is told of.
pub const MOST_REFUSED: usize = 20;

/// Whether a parameter is one of a page and its value can be used. Whether there is such a filter is the dashboard's matter.
fn is_usable(key: &str, text: &str) -> bool {
    match key {
        "jwt" | "dashboardId" | "dbAuthToken" => true,
        "hideHeader" | "hideDownloadButton" | "transparent" | "tokenHandoff" | "autoHeight" => {
            matches!(text, "true" | "false" | "")
        }
        "parentOrigin" => origin(text).is_some(),
        "timezone" => text.parse::<chrono_tz::Tz>().is_ok(),
        "locale" => is_language_tag(text),
        _ => filter(key, text).is_some(),
    }
}

/// A parameter's name, as far as a host needs it to know which one is meant.
pub fn named(key: &str) -> String {
    key.chars().filter(|letter| !letter.is_control()).take(80).collect()
}

/// The filters of an address. `filter_<key>` holds JSON; `f_…` holds JSON too, and what is not JSON is one text.
fn filters(query: &[(String, String)]) -> Filters {
    query.iter().filter_map(|(key, text)| Some((key.clone(), filter(key, text)?))).collect()
}

/// The value of a filter; none for a parameter that is no filter, or a value that is none.
fn filter(key: &str, text: &str) -> Option<FilterValue> {
    if !key.starts_with(CONTROLLED) && !key.starts_with(OMNIBAR) {
        return None;
    }
    match serde_json::from_str::<Value>(text) {
        Ok(json) => FilterValue::from_json(json).ok(),
        Err(_) if key.starts_with(OMNIBAR) => Some(FilterValue::AnyOf(vec![Scalar::Text(text.to_owned())])),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "01890000-0000-7000-8000-000000000001";

    fn read(path: &str, search: &str) -> Address {
        Address::read(path, search).expect("a page's address")
    }

    #[test]
    fn an_unreadable_dashboard_never_opens_another_one() {
        let path = format!("/share/application/{ID}");
        for asked in ["?dashboardId=x", "?dashboardId=", "?dashboardId=../.."] {
            assert_eq!(read(&path, asked).target, Target::Nothing, "{asked}");
        }
        assert_eq!(read("/share/application/x", "").target, Target::Nothing);
        assert_eq!(read("/share/dashboard/x", "").target, Target::Nothing);
        assert!(Address::read("/share/other/x", "").is_none());
        assert!(read(&path, &format!("?dashboardId={ID}")).parameters.single_dashboard);
    }

    #[test]
    fn true_alone_switches_on() {
        for (text, expected) in [("true", true), ("TRUE", false), ("1", false), ("", false), ("yes", false)] {
            let parameters =
                read(&format!("/share/application/{ID}"), &format!("?hideHeader={text}&transparent={text}")).parameters;
            assert_eq!((parameters.hide_header, parameters.transparent), (expected, expected), "{text}");
        }
    }

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
    fn what_cannot_be_used_is_named() {
        let search = "?jwt=x&hideHeader=yes&transparent=true&autoHeight=false&timezone=Mars/Olympus&locale=de&locale2=de\
            &parentOrigin=https://host.example&filter_a=ATL&filter_b=%22ATL%22&f_w.t.c=LAX&f_w.t.d={}&utm_source=mail&dbAuthToken=s";
        let refused = read(&format!("/share/application/{ID}"), search).parameters.refused;
        assert_eq!(refused, ["hideHeader", "timezone", "locale2", "filter_a", "f_w.t.d", "utm_source"]);
        let many = format!("?{}", (0..500).map(|number| format!("x{number}=1&")).collect::<String>());
        assert_eq!(read(&format!("/share/application/{ID}"), &many).parameters.refused.len(), MOST_REFUSED);
        let long = read(&format!("/share/application/{ID}"), &format!("?%0A{}=1", "y".repeat(5000))).parameters.refused;
        assert_eq!(long, ["y".repeat(80)], "no line of a log is broken by it");
    }

    #[test]
    fn filters_that_cannot_be_read_are_left_out() {
        let search = "?filter_a=%22ATL%22&filter_b=ATL&f_w.t.c=LAX&f_w.t.d=[1,2]&filter_c={}&x=1";
        let filters = read(&format!("/share/application/{ID}"), search).parameters.filters;
        let written: Vec<String> = filters.iter().map(|(key, value)| format!("{key}={}", value.to_json())).collect();
        assert_eq!(written, ["f_w.t.c=\"LAX\"", "f_w.t.d=[1,2]", "filter_a=\"ATL\""]);
    }

    #[test]
    fn debug_shows_no_token() {
        let shown = format!("{:?}", read(&format!("/share/application/{ID}"), "?jwt=s3cret&dbAuthToken=s3cret"));
        assert!(shown.contains(ID) && !shown.contains("s3cret"), "{shown}");
    }
}
