//! The page for a failed request.

use crate::ui::{
    html::{Html, IntoHtml},
    parts::head,
};
use leptos::prelude::*;

/// An error page.
#[derive(Clone, Debug)]
pub struct ErrorPage {
    /// Its heading.
    pub title: &'static str,
    /// What happened.
    pub happened: String,
    /// What to do next, unless `happened` says it.
    pub next: Option<String>,
    /// Links: URL and text.
    pub ways: Vec<(String, String)>,
}

/// Draws it. A script that shows the text beside a form uses only the alert.
#[must_use]
pub fn draw(problem: &ErrorPage) -> Html {
    let next = problem.next.clone().map(|next| view! { <p>{next}</p> });
    let ways = problem.ways.iter().cloned().enumerate().map(|(number, (address, name))| {
        let class = if number == 0 { "button primary" } else { "button" };
        view! { <a class=class href=address>{name}</a> }
    });
    view! {
        {head(problem.title, None, ())}
        <div class="problem-told" role="alert"><p>{problem.happened.clone()}</p>" "{next}</div>
        <p class="actions">{ways.collect_view()}</p>
    }
    .html()
}
