//! Browser names from user agents.

/// The browser and system of a user agent. Other programs keep their own text.
#[must_use]
pub fn browser(agent: &str) -> String {
    // Each browser also names others for compatibility, so the more specific ones come first.
    const BROWSERS: [(&str, &str); 6] = [
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("CriOS/", "Chrome"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 7] = [
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Macintosh", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ];
    let known = |all: &[(&str, &'static str)]| all.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name);
    match (known(&BROWSERS), known(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, _) => agent.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::browser;

    #[test]
    fn browsers_are_told_from_those_that_they_imitate() {
        let webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
        for (agent, told) in [
            (format!("Mozilla/5.0 (X11; Linux x86_64) {webkit} Chrome/142.0.0.0 Safari/537.36"), "Chrome on Linux"),
            (format!("Mozilla/5.0 (Windows NT 10.0) {webkit} Chrome/142.0 Safari/537.36 Edg/142.0"), "Edge on Windows"),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15".to_owned(),
                "Safari on macOS",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0".to_owned(), "Firefox on Linux"),
            (format!("Mozilla/5.0 (Linux; Android 15) {webkit} Chrome/142.0 Mobile Safari/537.36"), "Chrome on Android"),
            ("curl/8.5.0".to_owned(), "curl/8.5.0"),
        ] {
            assert_eq!(browser(&agent), told);
        }
    }
}
