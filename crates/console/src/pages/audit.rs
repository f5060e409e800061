//! The audit log of an organization.

use crate::ui::{
    html::{Html, IntoHtml},
    numbers,
    parts::{self, Turns},
};
use leptos::prelude::*;

/// An event of the log.
#[derive(Clone, Debug)]
pub struct EventRow {
    /// The time.
    pub at: String,
    /// The actor.
    pub actor: String,
    /// The project's name, if the event belongs to one.
    pub project: Option<String>,
    /// The action.
    pub action: String,
    /// The kind of resource.
    pub resource: String,
    /// Its id.
    pub resource_id: String,
    /// Further details, as JSON.
    pub details: String,
    /// The client's IP address.
    pub address: String,
}

/// The filters of the log.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The actor.
    pub who: String,
    /// A part of an action's name.
    pub action: String,
    /// A part of a resource's name, or its id.
    pub resource: String,
    /// The id of a project.
    pub project: String,
    /// From this day on.
    pub since: String,
    /// Up to this day.
    pub until: String,
}

impl Search {
    /// The filters as query parameters.
    fn parameters(&self) -> Vec<(&'static str, &str)> {
        let all = [
            ("who", &self.who),
            ("action", &self.action),
            ("resource", &self.resource),
            ("project", &self.project),
            ("since", &self.since),
            ("until", &self.until),
        ];
        all.into_iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| (name, value.as_str())).collect()
    }
}

/// The page.
#[derive(Clone, Debug)]
pub struct AuditPage {
    /// The organization.
    pub organization: String,
    /// Its projects, including deleted ones: id and name.
    pub projects: Vec<(String, String)>,
    /// The filters.
    pub search: Search,
    /// The events on this page.
    pub events: Vec<EventRow>,
    /// Where the pages before and after are.
    pub turns: Turns,
    /// How many of the period's events are searched for text.
    pub searched: i64,
}

/// Draws it.
#[must_use]
pub fn show(page: &AuditPage) -> Html {
    let row = |event: &EventRow| {
        let details = (event.details != "{}").then(|| view! { <br /><code class="small">{event.details.clone()}</code> });
        let within = event.project.clone().map(|project| view! { <br /><span class="muted small">{project}</span> });
        let resource = view! { {event.resource.clone()}<br /><span class="muted small">{event.resource_id.clone()}</span>{within}{details} };
        vec![
            parts::time(&event.at),
            parts::text(event.actor.clone()),
            view! { <code class="whole">{event.action.clone()}</code> }.html(),
            resource.html(),
            parts::muted(event.address.clone()),
        ]
    };
    let parameters = page.search.parameters();
    let found = if page.events.is_empty() {
        parts::empty(if parameters.is_empty() { "No events yet." } else { "No events match this search." }, None)
    } else {
        parts::table("Events", &["When", "Who", "What", "Resource", "From"], page.events.iter().map(row).collect())
    };
    let own = format!("/console/organizations/{}/audit", page.organization);
    view! {
        {parts::head("Audit log", None, ())}
        {form(page, format!("{own}/export"))}
        {found}
        {parts::turns(&own, &parameters, &page.turns)}
    }
    .html()
}

fn form(page: &AuditPage, export: String) -> Html {
    let Search { who, action, resource, project, since, until } = page.search.clone();
    let projects = page.projects.iter().cloned().map(|(id, name)| {
        let selected = id == project;
        view! { <option value=id selected=selected>{name}</option> }
    });
    let projects = projects.collect_view();
    let told = format!("Parts of names are searched in the newest {} events of the period.", numbers::whole(page.searched));
    view! {
        <form method="get" class="search" role="search">
            <input type="text" name="who" value=who placeholder="Email address, key or user" aria-label="Who" data-search="" />
            <input type="text" name="action" value=action placeholder="Action, for example role" aria-label="Action" />
            <input type="text" name="resource" value=resource placeholder="Name or id of a resource" aria-label="Name or id of a resource" />
            <select name="project" aria-label="Project"><option value="">"Every project"</option>{projects}</select>
            <input type="date" name="since" value=since aria-label="From this day" title="From this day (UTC)" />
            <input type="date" name="until" value=until aria-label="Until this day" title="Until this day (UTC)" />
            <button class="button">"Search"</button>
            <button class="button" formaction=export>"Export as CSV"</button>
        </form>
        <p class="muted small">{told}</p>
    }
    .html()
}
