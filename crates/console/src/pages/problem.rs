//! Why nothing came of a request.

use crate::ui::{
    html::{Html, IntoHtml},
    parts::head,
};
use leptos::prelude::*;

/// What a page says of a request of which nothing came.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its heading.
    pub title: &'static str,
    /// What happened.
    pub happened: String,
    /// What to do next, where that has not been said.
    pub next: Option<String>,
    /// Where to go on, with what the links say.
    pub ways: Vec<(String, String)>,
}

/// The page. A script that shows its words beside a form takes the alert alone.
#[must_use]
pub fn draw(problem: &Problem) -> Html {
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
