//! The origins that may frame a project's embeds.

use super::Developer;
use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// The allowed origins of a project.
#[derive(Clone, Debug)]
pub struct OriginsRow {
    /// The project's id.
    pub project: String,
    /// Its name.
    pub name: String,
    /// Its origins. Empty allows any.
    pub origins: Vec<String>,
    /// A value that detects concurrent changes.
    pub seen: String,
}

/// The name of the field with a project's origins.
#[must_use]
pub fn field(project: &str) -> String {
    format!("origins-{project}")
}

/// Draws them. `refused` is a refused form, with the project's id.
pub(super) fn part(page: &Developer, refused: Option<&(String, Draft)>) -> Html {
    let list = page.origins.iter().map(|row| {
        let typed = refused.filter(|(project, _)| *project == row.project).map(|(_, draft)| draft);
        one(page, row, typed)
    });
    let body = if page.origins.is_empty() {
        parts::empty("No project yet. Each has its own allowed origins.", None)
    } else {
        view! { <div class="origins">{list.collect_view()}</div> }.html()
    };
    let told = "Only pages of these origins may frame a project's embeds. Browsers block them on all other pages.";
    parts::part("Allowed origins", told, body)
}

fn one(page: &Developer, row: &OriginsRow, typed: Option<&Draft>) -> Html {
    let shown = if row.origins.is_empty() {
        parts::badge("bad", "Any page")
    } else {
        row.origins.iter().map(|origin| view! { {parts::code(origin.clone())}" " }).collect_view().html()
    };
    let name = parts::link(format!("/console/projects/{}", row.project), row.name.clone());
    if !page.works {
        return view! { <p><strong>{name}</strong>" "{shown}</p> }.html();
    }
    let name = field(&row.project);
    let draft = typed.cloned().unwrap_or_else(|| Draft::of([(name.clone(), row.origins.join("\n"))]));
    let control = Field::new(&name, &format!("Allowed origins of {}", row.name), Control::Code(3)).optional();
    let control = control.hint("One per line, for example https://host.example. Without an origin, any page may frame it.");
    let draft = draft.with("seen", row.seen.clone());
    let form = Form::new(format!("/console/projects/{}/origins", row.project), "Save origins").quiet();
    view! {
        <details open=typed.is_some()>
            <summary><strong>{row.name.clone()}</strong>" "{shown}</summary>
            {form.draw(&draft, control.draw(&draft))}
        </details>
    }
    .html()
}
