//! Server rendering: the HTML document of every embedded page.

use super::{content::Content, root::root};
use crate::leptos_internals;
use hydration_context::SsrSharedContext;
use inlay_contract::{format::locale::is_right_to_left, theme::Theme};
use leptos::{prelude::*, tachys::view::RenderHtml};
use serde::Serialize;
use std::sync::{Arc, LazyLock};

/// The location of the page's files.
#[derive(Clone, Debug)]
pub struct Assets {
    /// The folder's URL without a trailing slash: `/pkg`, or one that contains the version, so that browsers can cache its
    /// files forever.
    pub base: String,
    /// The modules that the chart library's entry imports. Browsers would learn of them when the entry has come.
    pub charts: &'static [String],
}

/// The script that starts a page, without comments and indentation.
static BOOT: LazyLock<String> = LazyLock::new(|| {
    let lines = include_str!("../../../frontend/boot.js").lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).collect::<Vec<_>>().join("\n")
});

/// The document of a page.
pub struct Document {
    /// The attributes of `<html>`.
    pub attributes: String,
    /// The title.
    pub title: String,
    /// Style sheets in addition to the one of every page.
    pub sheets: &'static [&'static str],
    /// The name of the wasm that the page starts with.
    pub bundle: &'static str,
    /// Whether the chart library is loaded at once.
    pub charts: bool,
    /// The page's data as JSON.
    pub data: String,
    /// The page's HTML.
    pub body: String,
}

impl Document {
    /// The HTML. `nonce` is the one of the response's Content-Security-Policy.
    #[must_use]
    pub fn html(&self, assets: &Assets, nonce: &str) -> String {
        let Self { attributes, bundle, data, body, .. } = self;
        let (head, boot, leptos) = (self.head(assets, nonce), &*BOOT, leptos_internals::HYDRATION);
        format!(
            "<!DOCTYPE html><html {attributes}><head>{head}</head><body><div id=\"inlay\">{body}</div>\
             <script type=\"application/json\" id=\"inlay-page\">{data}</script>\
             <script type=\"module\" id=\"inlay-boot\" nonce=\"{nonce}\" data-base=\"{base}\" data-bundle=\"{bundle}\" \
             data-leptos=\"{leptos}\">{boot}</script></body></html>",
            nonce = escape(nonce),
            base = escape(&assets.base),
        )
    }

    /// Every file has the nonce and is requested cross-origin: a frame sandboxed with only `allow-scripts` has an opaque
    /// origin, which differs from the server's.
    fn head(&self, assets: &Assets, nonce: &str) -> String {
        let (base, nonce, bundle) = (escape(&assets.base), escape(nonce), self.bundle);
        let sheet = |name: &&str| format!("<link rel=\"stylesheet\" href=\"{base}/{name}.css\" nonce=\"{nonce}\" crossorigin>");
        let sheets: String = ["inlay"].iter().chain(self.sheets).map(sheet).collect();
        let module =
            |name: &str| format!("<link rel=\"modulepreload\" href=\"{base}/{name}.js\" nonce=\"{nonce}\" crossorigin>");
        let charts = || ["charts"].into_iter().chain(assets.charts.iter().map(String::as_str)).map(module);
        format!(
            "<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <meta name=\"robots\" content=\"noindex\"><title>{title}</title>\
             <link rel=\"preload\" href=\"{base}/fonts/inter-latin.woff2\" as=\"font\" type=\"font/woff2\" crossorigin>\
             {sheets}{program}\
             <link rel=\"preload\" href=\"{base}/{bundle}_bg.wasm\" as=\"fetch\" type=\"application/wasm\" crossorigin>{charts}\
             <link rel=\"icon\" href=\"data:,\">",
            title = escape(&self.title),
            program = module(bundle),
            charts = if self.charts { charts().collect() } else { String::new() },
        )
    }
}

/// The body of a page's document.
pub(crate) fn body<C: Content>(page: C::Page) -> String {
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new())));
    let html = owner.with(|| root::<C>(page, None).to_html());
    owner.unset_with_forced_cleanup();
    html
}

/// A page's JSON, escaped for a script element.
pub(crate) fn data(page: &impl Serialize) -> String {
    serde_json::to_string(page).unwrap_or_default().replace('<', "\\u003c")
}

/// The attributes of `<html>`: language, writing direction and the theme's custom properties.
pub(crate) fn look(locale: &str, theme: &Theme) -> String {
    let direction = if is_right_to_left(locale) { " dir=\"rtl\"" } else { "" };
    format!("lang=\"{}\"{direction} style=\"{}\"", escape(locale), escape(&style(theme)))
}

/// The theme's custom properties.
pub(crate) fn style(theme: &Theme) -> String {
    theme.css_variables().into_iter().map(|(name, value)| format!("{name}:{value};")).collect()
}

pub(crate) fn escape(text: &str) -> String {
    html_escape::encode_double_quoted_attribute(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_no_comments_and_nothing_ends_its_element() {
        assert!(!BOOT.contains("//") && !BOOT.contains("</") && !BOOT.contains("<!--"), "{}", *BOOT);
        assert!(BOOT.contains(".hydrate()"));
    }

    #[test]
    fn what_is_not_ours_is_escaped() {
        let document = Document {
            attributes: look("e\"n", &Theme::default()),
            title: "</title><script>".to_owned(),
            sheets: &["workspace"],
            bundle: "inlay",
            charts: true,
            data: data(&"</script>"),
            body: String::new(),
        };
        let html = document.html(&Assets { base: "https://x.example/\"".to_owned(), charts: &[] }, "n\"");
        assert_eq!(html.matches("<script").count(), 2, "{html}");
        assert_eq!((html.matches("</script>").count(), html.matches("nonce=\"n&quot;\"").count()), (2, 5), "{html}");
    }
}
