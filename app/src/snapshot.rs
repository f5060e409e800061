//! A static page: a dashboard as it was when a report was made, without scripts. Opening it runs no query.

use crate::{calls::Drawn, frame::ssr::escape, ssr};
use inlay_contract::page::EmbedPage;
use serde::{Deserialize, Serialize};

/// A page that is drawn once and shown later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    title: String,
    attributes: String,
    body: String,
}

impl Snapshot {
    /// Draws a page. `day` is the viewer's today (`2001-01-31`); `note` states the time and the filters of the snapshot.
    #[must_use]
    pub fn of(page: EmbedPage, day: &str, note: &str) -> Self {
        let title = ssr::title_of(&page);
        let attributes = ssr::html_attributes(&page, day);
        let drawn = ssr::body(Drawn::page(page));
        let body = format!("<p class=\"snapshot-note\">{}</p>{drawn}", escape(note));
        Self { title, attributes, body }
    }

    /// The HTML document. `base` is the folder of the pages' files.
    #[must_use]
    pub fn document(&self, base: &str) -> String {
        let Self { title, attributes, body } = self;
        shell(title, &format!("{attributes} data-snapshot"), base, body)
    }
}

/// A document with a message and, if `button` is given, a form with that button.
#[must_use]
pub fn message(base: &str, title: &str, text: &str, button: Option<&str>) -> String {
    let form = button
        .map(|label| format!("<form method=\"post\"><button class=\"button button-main\">{}</button></form>", escape(label)));
    let body = format!(
        "<main class=\"message\"><div class=\"snapshot-message\"><p role=\"{}\">{}</p>{}</div></main>",
        if form.is_some() { "status" } else { "alert" },
        escape(text),
        form.unwrap_or_default()
    );
    shell(title, "lang=\"en\" data-snapshot", base, &body)
}

fn shell(title: &str, attributes: &str, base: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html><html {attributes}><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"robots\" content=\"noindex\">\
         <title>{}</title><link rel=\"stylesheet\" href=\"{}/inlay.css\" crossorigin><link rel=\"icon\" href=\"data:,\"></head>\
         <body>{body}</body></html>",
        escape(title),
        escape(base),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_holds_no_markup_of_others() {
        let html = message("/pkg/1", "<b>", "A & <script>", Some("Yes \"do\""));
        assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
        assert!(html.contains("<form method=\"post\">") && html.contains("role=\"status\""));
        assert!(message("/pkg/1", "x", "y", None).contains("role=\"alert\""));
    }
}
