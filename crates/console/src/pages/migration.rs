//! The migration from v1 to v2, from the step that makes project users.

use crate::ui::{form::Form, parts};
use leptos::prelude::*;

/// The page.
#[derive(Clone, Debug)]
pub struct MigrationPage {
    /// The organization.
    pub organization: String,
    /// What it has: name and number.
    pub counts: Vec<(&'static str, i64)>,
    /// Tenants.
    pub tenants: i64,
    /// Those that no project user stands for.
    pub unmapped: i64,
    /// Whether it is finalized.
    pub finalized: bool,
    /// Why the last step was refused.
    pub refused: Option<String>,
    /// Whether the reader may go on.
    pub administers: bool,
}

/// Draws it.
#[must_use]
pub fn show(page: &MigrationPage) -> AnyView {
    let at = |step: &str| format!("/console/organizations/{}/migration/{step}", page.organization);
    let refused = page.refused.clone().map(|told| view! { <p class="refused" role="alert">{told}</p> });
    let facts = page.counts.iter().map(|(name, number)| (*name, parts::text(number.to_string()))).collect();
    let mapped = page.tenants - page.unmapped;
    let state = if page.finalized {
        parts::badge("good", "Finalized")
    } else if page.tenants == 0 {
        parts::badge("", "No tenant of v1")
    } else {
        parts::badge("warn", &format!("{mapped} of {} tenants mapped", page.tenants))
    };
    let users = (page.administers && !page.finalized && page.unmapped > 0)
        .then(|| Form::new(at("users"), "Make project users").button(&[]));
    let finalize = (page.administers && !page.finalized && page.unmapped == 0).then(|| {
        let told = view! {
            <p>"From then on the five v1 dashboard writes answer 410 and name the v2 endpoint. This cannot be taken back."</p>
        };
        Form::new(at("finalize"), "Finalize").asking("finalize", "End the migration?", told)
    });
    view! {
        {parts::head("Migration from v1 to v2", None, state)}
        {refused}
        {parts::part("What the organization has", "", parts::facts(facts))}
        {parts::part("1. Roles", "Your scripts call analyze-roles and create-roles first; each proposed role has every editing flag written out.", ())}
        {parts::part("2. Project users", "Each tenant becomes a customer with a user: its prefilters are their properties, its dashboards theirs. v1 goes on working, and the step can be taken again.", users)}
        {parts::part("3. Your integration", "Swap the component for the iframe, then move list calls and write calls to v2.", ())}
        {parts::part("4. Finalize", "Possible once every tenant has a project user.", finalize)}
    }
    .into_any()
}
