//! A measure or metric: what it means, what uses it, and what a chosen user sees of it.

use super::trial::{Trial, trial, user};
use crate::ui::{
    draft::Draft,
    form::Form,
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// The page.
#[derive(Clone, Debug)]
pub struct Number {
    /// The address of the model's page.
    pub model: String,
    /// Its own address.
    pub address: String,
    /// Its name.
    pub name: String,
    /// Its label.
    pub label: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Other names for it.
    pub synonyms: Vec<String>,
    /// The table whose rows it is computed of. `None` for a metric.
    pub table: Option<String>,
    /// How it is computed.
    pub formula: String,
    /// Metrics that are made of it.
    pub metrics: Vec<String>,
    /// Charts of the library and of shared dashboards that use it.
    pub charts: Vec<String>,
    /// The number of users' own charts that use it.
    pub of_users: usize,
    /// Examples of workspaces that use it.
    pub examples: Vec<String>,
    /// The users to see it as: id and name.
    pub users: Vec<(String, String)>,
    /// What the chosen user sees.
    pub trial: Option<Trial>,
    /// The address of its form, if the member may change it and see it as a user.
    pub edit: Option<String>,
}

/// Draws it.
#[must_use]
pub fn number(page: &Number, draft: &Draft) -> Html {
    let title = page.label.as_deref().unwrap_or(&page.name);
    let mut facts = vec![("Name", parts::code(page.name.clone())), ("Computed as", parts::code(page.formula.clone()))];
    if let Some(table) = &page.table {
        facts.push(("Table", parts::code(table.clone())));
    }
    if let Some(description) = &page.description {
        facts.push(("Description", parts::text(description.clone())));
    }
    if !page.synonyms.is_empty() {
        facts.push(("Other names", parts::text(page.synonyms.join(", "))));
    }
    let edit = page.edit.clone().map(|address| view! { <a class="button" href=address>"Edit"</a> });
    view! {
        {parts::head(title, Some((page.model.clone(), "Semantic model")), edit)}
        {parts::part("Definition", "", parts::facts(facts))}
        {parts::part("Uses", "If you change the definition, all of these change. If you remove it, they fail.", uses(page))}
        {page.edit.is_some().then(|| parts::part("See as", "", see_as(page, draft)))}
    }
    .html()
}

fn uses(page: &Number) -> Html {
    if page.charts.is_empty() && page.metrics.is_empty() && page.of_users == 0 && page.examples.is_empty() {
        return parts::muted("No chart, metric or example uses it. Hosts can still query it by the API.");
    }
    let listed = |names: &[String]| if names.is_empty() { parts::muted("None") } else { parts::names(names) };
    parts::facts(vec![
        ("Charts", listed(&page.charts)),
        ("Charts of users", crate::ui::numbers::amount(page.of_users)),
        ("Metrics", listed(&page.metrics)),
        ("Workspaces", listed(&page.examples)),
    ])
}

fn see_as(page: &Number, draft: &Draft) -> Html {
    if page.users.is_empty() {
        return parts::muted("You can see it as a user once one has signed in.");
    }
    let field = user(&page.users, "User");
    let field = field.hint("Queries the database now, with the rows that this user may see. The audit log records it.");
    let form = Form::new(page.address.clone(), "Show").draw(draft, field.draw(draft));
    view! { {form}{page.trial.as_ref().map(trial)} }.html()
}
