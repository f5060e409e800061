//! The audit log of an organization.

use crate::ui::parts;
use leptos::prelude::*;

/// A line of the log.
#[derive(Clone, Debug)]
pub struct EventRow {
    /// When.
    pub at: String,
    /// Who, in words.
    pub actor: String,
    /// What.
    pub action: String,
    /// To what.
    pub resource: String,
    /// Its id.
    pub resource_id: String,
    /// What else was kept, as JSON.
    pub details: String,
    /// From where.
    pub address: String,
}

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// An action or kind of resource.
    pub action: String,
    /// The id of a resource.
    pub resource: String,
    /// From this day on.
    pub since: String,
}

/// The page.
#[must_use]
pub fn show(organization: &str, search: &Search, events: &[EventRow], most: usize) -> AnyView {
    let row = |event: &EventRow| {
        let details = (event.details != "{}").then(|| view! { <br /><code class="small">{event.details.clone()}</code> });
        let resource =
            view! { {event.resource.clone()}<br /><span class="muted small">{event.resource_id.clone()}</span>{details} };
        vec![
            parts::time(&event.at),
            parts::text(event.actor.clone()),
            view! { <code class="whole">{event.action.clone()}</code> }.into_any(),
            resource.into_any(),
            parts::muted(event.address.clone()),
        ]
    };
    let found = if events.is_empty() {
        parts::empty("Nothing of this kind was done.", None)
    } else {
        parts::table("Events", &["When", "Who", "What", "To what", "From"], events.iter().map(row).collect())
    };
    let more = (events.len() >= most).then(|| parts::muted(format!("The newest {most}. Narrow the search, or export.")));
    let export = format!("/console/organizations/{organization}/audit/export");
    view! {
        {parts::head("Audit log", None, ())}
        <form method="get" class="search" role="search">
            <input type="text" name="action" value=search.action.clone() placeholder="Action, as in userRole" aria-label="Action" data-search="" />
            <input type="text" name="resource" value=search.resource.clone() placeholder="Id of a resource" aria-label="Id of a resource" />
            <input type="date" name="since" value=search.since.clone() aria-label="From this day on" />
            <button class="button">"Search"</button>
            <button class="button" formaction=export>"Export as CSV"</button>
        </form>
        {found}
        {more}
    }
    .into_any()
}
