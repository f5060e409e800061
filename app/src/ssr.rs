//! Server rendering of dashboard pages.

use crate::{
    calls::{Drawn, embed::OpenedPage},
    frame::ssr::{self, Document, escape},
    pages::content::ApplicationPage,
};
use inlay_contract::{
    calendar::{self, Grain},
    format::{self, DateForm, locale::Locale},
    page::{EmbedPage, PageContent},
    theme::Theme,
};

/// The document of a page. `day` is the viewer's today (`2001-01-31`), which is printed on paper.
#[must_use]
pub fn document(page: EmbedPage, day: &str) -> Document {
    let page = Drawn::page(page);
    Document {
        attributes: html_attributes(&page.content, day),
        title: title_of(&page.content),
        sheets: &[],
        bundle: bundle(&page.content),
        charts: matches!(page.content.content, PageContent::Application(_) | PageContent::AwaitingToken),
        data: ssr::data(&page),
        body: body(page),
    }
}

/// The body of the document.
pub(crate) fn body(page: Drawn<EmbedPage>) -> String {
    ssr::body::<ApplicationPage>(page)
}

/// A page for a document that is already open.
#[must_use]
pub fn opened(page: EmbedPage) -> OpenedPage {
    let (title, theme) = title_and_theme(&page);
    OpenedPage { style: ssr::style(&theme), title, page: Drawn::page(page) }
}

/// The attributes for language, theme, the date on paper, and flags that the style sheet uses.
pub(crate) fn html_attributes(page: &EmbedPage, day: &str) -> String {
    let (_, theme) = title_and_theme(page);
    let flag = |is_on: bool, name: &'static str| if is_on { name } else { "" };
    format!(
        "{} data-day=\"{}\"{}{}",
        ssr::look(&page.locale, &theme),
        escape(&words(day, &page.locale)),
        flag(page.parameters.transparent, " data-transparent"),
        flag(page.parameters.auto_height, " data-auto-height"),
    )
}

/// A date, such as `2001-01-31`, in the viewer's language.
fn words(day: &str, locale: &str) -> String {
    let moment = calendar::parse(day).unwrap_or_default();
    format::date(moment, Grain::Day, DateForm::Words, &Locale::of(locale))
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

/// The wasm that a page starts with: only viewers who may edit or use the assistant get the one with tools.
fn bundle(page: &EmbedPage) -> &'static str {
    match &page.content {
        PageContent::Application(view) if view.permissions.has_tools() => "inlay-editor",
        _ => "inlay",
    }
}
