//! Whether pages of an origin may frame a project's embeds, and the reason.

use url::Url;

/// The answer for an origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether its pages may frame the embeds.
    pub may_frame: bool,
    /// The reason, and what to do.
    pub told: String,
}

/// Checks an origin, or a page's URL, as browsers check `frame-ancestors`. `console` is the console's own origin.
pub fn judge(allowed: &[String], console: &str, typed: &str) -> Verdict {
    let refuse = |told: String| Verdict { may_frame: false, told };
    let let_in = |told: String| Verdict { may_frame: true, told };
    let Some(url) = Url::parse(typed).ok().filter(|url| matches!(url.scheme(), "http" | "https")) else {
        return refuse(format!(
            "{typed} is not an origin: write only scheme, host and port, for example https://host.example. A page without an origin (a file, a sandboxed frame) cannot frame embeds of a project that lists origins."
        ));
    };
    let origin = url.origin().ascii_serialization();
    if allowed.is_empty() {
        return let_in(format!("{origin} may frame the embeds, because the project lists no origins: every page may."));
    }
    if let Some(entry) = allowed.iter().filter_map(|entry| Url::parse(entry).ok()).find(|entry| admits(entry, &url)) {
        return let_in(format!("{origin} may frame the embeds: {} is in the list.", entry.origin().ascii_serialization()));
    }
    if origin == console {
        return let_in(format!(
            "{origin} is this console. It may frame the embeds in its playground, without being in the list."
        ));
    }
    let near = allowed.iter().filter_map(|entry| Url::parse(entry).ok()).find_map(|entry| near_miss(&entry, &url));
    refuse(format!(
        "{origin} may not frame the embeds: {}. Add it to the project's origins.",
        near.unwrap_or("it is not in the list")
    ))
}

/// Whether an entry of the policy allows an origin. `http` includes `https`.
fn admits(entry: &Url, origin: &Url) -> bool {
    let port = |url: &Url| url.port_or_known_default();
    let upgraded = entry.scheme() == "http" && origin.scheme() == "https";
    let same_port = port(entry) == port(origin) || (upgraded && port(entry) == Some(80) && port(origin) == Some(443));
    entry.host() == origin.host() && (entry.scheme() == origin.scheme() || upgraded) && same_port
}

/// How an entry differs from a similar origin.
fn near_miss(entry: &Url, origin: &Url) -> Option<&'static str> {
    let (listed, asked) = (entry.host_str()?, origin.host_str()?);
    if listed == asked && entry.scheme() != origin.scheme() {
        return Some("the list has its host with another scheme, and https does not include http");
    }
    if listed == asked {
        return Some("the list has its host with another port, and the port must match");
    }
    let below = |name: &str, of: &str| name.strip_suffix(of).is_some_and(|rest| rest.ends_with('.'));
    (below(asked, listed) || below(listed, asked)).then_some("each subdomain must be listed")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONSOLE: &str = "https://console.example";

    #[test]
    fn an_origin_is_judged_as_browsers_judge_it_and_told_why() {
        let allowed =
            ["https://host.example".to_owned(), "http://localhost:4000".to_owned(), "http://plain.example".to_owned()];
        for (typed, may_frame, part) in [
            ("https://host.example", true, "is in the list"),
            ("https://HOST.example/a/page?x", true, "is in the list"),
            ("https://host.example:443", true, "is in the list"),
            ("http://localhost:4000", true, "is in the list"),
            ("https://localhost:4000", true, "is in the list"),
            ("https://plain.example", true, "is in the list"),
            (CONSOLE, true, "this console"),
            ("http://host.example", false, "another scheme"),
            ("https://host.example:8443", false, "the port must match"),
            ("http://localhost:4001", false, "the port must match"),
            ("https://www.host.example", false, "subdomain"),
            ("https://badhost.example", false, "not in the list"),
            ("null", false, "not an origin"),
            ("file:///page.html", false, "not an origin"),
            ("", false, "not an origin"),
        ] {
            let verdict = judge(&allowed, CONSOLE, typed);
            assert!(verdict.may_frame == may_frame && verdict.told.contains(part), "{typed}: {verdict:?}");
        }
        assert!(judge(&[], CONSOLE, "https://any.example").may_frame);
    }
}
