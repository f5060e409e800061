//! The server's side of drawing a workspace's page.

use super::{
    Root,
    wire::{OpenedWorkspace, WorkspaceContent, WorkspacePage},
};
use crate::ssr::{Assets, escape, language, style};
use hydration_context::SsrSharedContext;
use inlay_contract::theme::Theme;
use leptos::{prelude::*, tachys::view::RenderHtml};
use std::sync::Arc;

/// The whole HTML document of a page. `nonce` is the one of the answer's Content-Security-Policy.
#[must_use]
pub fn render(page: WorkspacePage, theme: &Theme, assets: &Assets, nonce: &str) -> String {
    let data = serde_json::to_string(&page).unwrap_or_default().replace('<', "\\u003c");
    let head = head(&page, assets, nonce);
    let flag = if page.parameters.auto_height { " data-auto-height" } else { "" };
    let (language, look, boot) = (language(&page.locale), escape(&style(theme)), boot(&assets.base));
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new())));
    let body = owner.with(|| view! { <Root page /> }.to_html());
    owner.unset_with_forced_cleanup();
    format!(
        "<!DOCTYPE html><html {language} style=\"{look}\"{flag}><head>{head}</head><body><div id=\"inlay\">{body}</div>\
         <script type=\"application/json\" id=\"inlay-page\">{data}</script>\
         <script type=\"module\" nonce=\"{nonce}\">{boot}</script></body></html>",
        nonce = escape(nonce),
    )
}

/// A page for a document that stands already.
#[must_use]
pub fn opened(page: WorkspacePage, theme: &Theme) -> OpenedWorkspace {
    OpenedWorkspace { style: style(theme), title: title(&page).to_owned(), page }
}

fn title(page: &WorkspacePage) -> &str {
    match &page.content {
        WorkspaceContent::Workspace(view) => &view.name,
        WorkspaceContent::Message(message) => message.text(),
        WorkspaceContent::AwaitingToken => "Loading",
    }
}

/// Every file is named with the nonce and as a cross-origin request, as on dashboards' pages.
fn head(page: &WorkspacePage, assets: &Assets, nonce: &str) -> String {
    format!(
        "<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><title>{title}</title>\
         <link rel=\"preload\" href=\"{base}/fonts/inter-latin.woff2\" as=\"font\" type=\"font/woff2\" crossorigin>\
         <link rel=\"stylesheet\" href=\"{base}/inlay.css\" nonce=\"{nonce}\" crossorigin>\
         <link rel=\"stylesheet\" href=\"{base}/workspace.css\" nonce=\"{nonce}\" crossorigin>\
         <link rel=\"modulepreload\" href=\"{base}/inlay-workspace.js\" nonce=\"{nonce}\" crossorigin>\
         <link rel=\"preload\" href=\"{base}/inlay-workspace_bg.wasm\" as=\"fetch\" type=\"application/wasm\" crossorigin>\
         <link rel=\"icon\" href=\"data:,\">",
        title = escape(title(page)),
        base = escape(&assets.base),
        nonce = escape(nonce),
    )
}

fn boot(base: &str) -> String {
    let base = serde_json::to_string(base).unwrap_or_default().replace('<', "\\u003c");
    format!(
        "const base={base};\
         globalThis.__RESOLVED_RESOURCES=[];globalThis.__SERIALIZED_ERRORS=[];globalThis.__INCOMPLETE_CHUNKS=[];\
         globalThis.inlayLoadCharts=()=>import(base+\"/charts.js\");\
         const page=await import(base+\"/inlay-workspace.js\");\
         await page.default({{module_or_path:base+\"/inlay-workspace_bg.wasm\"}});\
         page.hydrate();"
    )
}
