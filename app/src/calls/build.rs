//! The build of a page: whether it is the server's, and when it is loaded anew. A page that stays open across a deploy goes on with
//! the newer server as long as the two understand each other.

/// The header in which the server names its build in answers to pages.
pub const HEADER: &str = "inlay-build";

/// The build of a page, from the address of its script: `…/pkg/<build>/inlay.js`.
#[must_use]
pub fn of_script(address: &str) -> Option<&str> {
    let (_, file) = address.split_once("/pkg/")?;
    file.split_once('/').map(|(build, _)| build)
}

/// What the browser's tab is to remember before it loads the page anew, when it should: `own` is the page's build, `server` the
/// server's, `loaded` what the tab remembers. For each build of the server it loads anew once, so servers of several builds behind
/// one address do not make it load for ever.
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
