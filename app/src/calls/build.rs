//! The build of a page: whether it is the server's build, and when the page is reloaded. A page that stays open across a deploy
//! keeps working as long as page and server understand each other.

/// The header in which the server names its build in answers to pages.
pub const HEADER: &str = "inlay-build";

/// The build of a page, from the address of its script: `…/pkg/<build>/inlay.js`.
#[must_use]
pub fn of_script(address: &str) -> Option<&str> {
    let (_, file) = address.split_once("/pkg/")?;
    file.split_once('/').map(|(build, _)| build)
}

/// Decides whether the page is reloaded. `own` is the page's build, `server` the server's, `loaded` what the browser's tab has
/// stored. Returns what the tab must store before the reload, or `None`. The page is reloaded once for each build, so that
/// servers of several builds behind one address do not cause endless reloads.
#[must_use]
pub fn renewal(own: &str, server: &str, loaded: &str) -> Option<String> {
    let again = own == server || loaded.split(' ').any(|build| build == server);
    (!again).then(|| format!("{loaded} {server}").trim_start().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_loaded_anew_once_for_each_other_build() {
        assert_eq!(renewal("a", "a", ""), None);
        let first = renewal("a", "b", "").expect("another build");
        assert_eq!(first, "b");
        assert_eq!(renewal("a", "b", &first), None);
        let second = renewal("b", "a", &first).expect("a build that was not loaded for yet");
        assert_eq!(second, "b a");
        assert_eq!((renewal("a", "b", &second), renewal("b", "a", &second)), (None, None));
    }

    #[test]
    fn the_build_stands_in_the_script_s_address() {
        assert_eq!(of_script("https://inlay.example.com/pkg/0a1b/inlay.js"), Some("0a1b"));
        assert_eq!(of_script("https://inlay.example.com/inlay.js"), None);
    }
}
