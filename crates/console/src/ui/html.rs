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
