//! The server's side of drawing: a page's data in, its HTML out.

use crate::{
    calls::{Drawn, embed::OpenedPage},
    pages::Root,
};
use hydration_context::SsrSharedContext;
use inlay_contract::{
    calendar::{self, Grain},
    format::{
        self, DateForm,
        locale::{Locale, is_right_to_left},
    },
    page::{EmbedPage, PageContent},
    theme::Theme,
};
use leptos::{prelude::*, tachys::view::RenderHtml};
use std::sync::Arc;

/// Where the page's files are.
#[derive(Clone, Debug)]
pub struct Assets {
    /// The folder's address without a trailing slash: `/pkg`, or one that names the version, so that browsers may keep its
    /// files for good.
    pub base: String,
}

/// The whole HTML document of a page. `nonce` is the one of the answer's Content-Security-Policy, `day` the viewer's today
/// (`2001-01-31`), which stands on paper.
#[must_use]
pub fn render(page: EmbedPage, assets: &Assets, nonce: &str, day: &str) -> String {
    let page = Drawn::page(page);
    let data = serde_json::to_string(&page).unwrap_or_default().replace('<', "\\u003c");
    let head = head(&page.content, assets, nonce);
    let html = html_attributes(&page.content, day);
    let boot = boot(&assets.base, bundle(&page.content));
    let body = body(page);
    format!(
        "<!DOCTYPE html><html {html}><head>{head}</head><body><div id=\"inlay\">{body}</div>\
         <script type=\"application/json\" id=\"inlay-page\">{data}</script>\
         <script type=\"module\" nonce=\"{nonce}\">{boot}</script></body></html>",
        nonce = escape(nonce),
    )
}

/// What stands in the document.
pub(crate) fn body(page: Drawn<EmbedPage>) -> String {
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new())));
    let html = owner.with(|| view! { <Root page token=None /> }.to_html());
    owner.unset_with_forced_cleanup();
    html
}

/// A page for a document that stands already.
#[must_use]
pub fn opened(page: EmbedPage) -> OpenedPage {
    let (title, theme) = title_and_theme(&page);
    OpenedPage { style: style(&theme), title, page: Drawn::page(page) }
}

/// Language, theme, the day for paper, and flags, which the style sheet reads.
pub(crate) fn html_attributes(page: &EmbedPage, day: &str) -> String {
    let (_, theme) = title_and_theme(page);
    let flag = |is_on: bool, name: &'static str| if is_on { name } else { "" };
    format!(
        "{} style=\"{}\" data-day=\"{}\"{}{}",
        language(&page.locale),
        escape(&style(&theme)),
        escape(&words(day, &page.locale)),
        flag(page.parameters.transparent, " data-transparent"),
        flag(page.parameters.auto_height, " data-auto-height"),
    )
}

/// A day, as `2001-01-31`, in the viewer's language.
fn words(day: &str, locale: &str) -> String {
    let moment = calendar::parse(day).unwrap_or_default();
    format::date(moment, Grain::Day, DateForm::Words, &Locale::of(locale))
}

/// The language and the way it is written.
pub(crate) fn language(locale: &str) -> String {
    let direction = if is_right_to_left(locale) { " dir=\"rtl\"" } else { "" };
    format!("lang=\"{}\"{direction}", escape(locale))
}

/// The theme's custom properties.
pub(crate) fn style(theme: &Theme) -> String {
    theme.css_variables().into_iter().map(|(name, value)| format!("{name}:{value};")).collect()
}

/// The document's title.
pub(crate) fn title_of(page: &EmbedPage) -> String {
    title_and_theme(page).0
}

fn title_and_theme(page: &EmbedPage) -> (String, Theme) {
    match &page.content {
        PageContent::Application(view) => {
            let title = view.dashboard.as_ref().map_or(&view.name, |dashboard| &dashboard.name);
            (title.clone(), view.theme.clone())
        }
        PageContent::Message { message } => (message.text().to_owned(), Theme::default()),
        PageContent::AwaitingToken => ("Loading".to_owned(), Theme::default()),
    }
}

/// Every file is named with the nonce and as a cross-origin request: a frame sandboxed with `allow-scripts` alone has an origin
/// of its own, to which the server is a stranger.
fn head(page: &EmbedPage, assets: &Assets, nonce: &str) -> String {
    let (title, _) = title_and_theme(page);
    let (base, nonce) = (escape(&assets.base), escape(nonce));
    let draws = matches!(page.content, PageContent::Application(_) | PageContent::AwaitingToken);
    let charts = if draws {
        format!("<link rel=\"modulepreload\" href=\"{base}/charts.js\" nonce=\"{nonce}\" crossorigin>")
    } else {
        String::new()
    };
    format!(
        "<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><title>{title}</title>\
         <link rel=\"preload\" href=\"{base}/fonts/inter-latin.woff2\" as=\"font\" type=\"font/woff2\" crossorigin>\
         <link rel=\"stylesheet\" href=\"{base}/inlay.css\" nonce=\"{nonce}\" crossorigin>\
         <link rel=\"modulepreload\" href=\"{base}/{bundle}.js\" nonce=\"{nonce}\" crossorigin>\
         <link rel=\"preload\" href=\"{base}/{bundle}_bg.wasm\" as=\"fetch\" type=\"application/wasm\" crossorigin>{charts}\
         <link rel=\"icon\" href=\"data:,\">",
        title = escape(&title),
        bundle = bundle(page),
    )
}

/// The wasm that a page starts with: tools of editing and the assistant go to those alone who may use them.
fn bundle(page: &EmbedPage) -> &'static str {
    match &page.content {
        PageContent::Application(view) if view.permissions.has_tools() => "inlay-editor",
        _ => "inlay",
    }
}

/// Starts the wasm; gives the page the ways to its chart library, to the field for SQL and to the other wasm; defines what Leptos looks for at
/// hydration.
fn boot(base: &str, bundle: &str) -> String {
    let base = serde_json::to_string(base).unwrap_or_default().replace('<', "\\u003c");
    format!(
        "const base={base};\
         globalThis.__RESOLVED_RESOURCES=[];globalThis.__SERIALIZED_ERRORS=[];globalThis.__INCOMPLETE_CHUNKS=[];\
         globalThis.inlayLoadCharts=()=>import(base+\"/charts.js\");\
         globalThis.inlayMountSql=async(...given)=>(await import(base+\"/sql.js\")).mount(...given);\
         const start=async name=>{{const page=await import(`${{base}}/${{name}}.js`);\
         await page.default({{module_or_path:`${{base}}/${{name}}_bg.wasm`}});return page}};\
         globalThis.inlaySucceed=async(...given)=>(await start(\"inlay-editor\")).succeed(...given);\
         (await start(\"{bundle}\")).hydrate();"
    )
}

pub(crate) fn escape(text: &str) -> String {
    html_escape::encode_double_quoted_attribute(text).into_owned()
}
