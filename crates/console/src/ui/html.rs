//! A piece of a page, drawn at once. Pages of the console stay as the server sent them: what else a view of Leptos can do (build
//! itself in a browser, wait, take attributes) is never compiled, which takes most of the time that such a view needs.

use leptos::tachys::{html::InertElement, view::RenderHtml};

/// A piece of a page.
pub type Html = InertElement;

/// What can be drawn.
pub trait IntoHtml {
    /// Draws it.
    fn html(self) -> Html;
}

impl<T: RenderHtml> IntoHtml for T {
    fn html(self) -> Html {
        Html::new(self.to_html())
    }
}

/// The text of a `textarea`, which Leptos would write as it is: a text could end the element and go on as markup.
#[must_use]
pub fn area_text(text: &str) -> Html {
    Html::new(text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_an_area_ends_no_element() {
        let html = area_text("a &lt; b</textarea><script>").to_html();
        assert_eq!(html, "a &amp;lt; b&lt;/textarea&gt;&lt;script&gt;");
    }
}
