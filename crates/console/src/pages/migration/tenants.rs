//! The tenants of an organization and their state.

use crate::ui::{
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// The role of a tenant's user.
#[derive(Clone, Debug)]
pub enum RoleState {
    /// A role: its URL and name.
    Given(String, String),
    /// No role, and none is needed: v1 lets the tenant do no more than a user without a role.
    NotNeeded,
    /// No role, and the tenant would lose these flags.
    Missing(Vec<String>),
}

/// A tenant.
#[derive(Clone, Debug)]
pub struct TenantRow {
    /// Its name.
    pub name: String,
    /// Its registered key.
    pub key: String,
    /// The filters of its rows: key and value.
    pub prefilters: Vec<(String, String)>,
    /// Its customer: URL and name.
    pub customer: Option<(String, String)>,
    /// Its user: URL and name.
    pub user: Option<(String, String)>,
    /// Their role.
    pub role: RoleState,
    /// How many dashboards it has.
    pub dashboards: i64,
}

/// A page of tenants.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The tenants on this page.
    pub rows: Vec<TenantRow>,
    /// The search in their names and keys.
    pub search: String,
    /// `user` or `role`: only tenants without one. Empty for all.
    pub left: String,
    /// The page number, from 1.
    pub page: i64,
    /// Whether there is another page.
    pub more: bool,
}

/// Draws the tenants.
pub(super) fn list(listing: &Listing, own: &str) -> Html {
    let found = if listing.rows.is_empty() {
        parts::empty("No tenants match this search.", None)
    } else {
        let columns = ["Tenant", "Prefilters, as properties", "Customer", "User", "Role", "Dashboards"];
        parts::table("Tenants", &columns, listing.rows.iter().map(row).collect())
    };
    let search = [("q", listing.search.as_str()), ("left", listing.left.as_str())];
    let search: Vec<_> = search.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    let choices = [("", "All"), ("user", "Without a user"), ("role", "Without a role")].map(|(value, name)| {
        view! { <option value=value selected=value == listing.left>{name}</option> }
    });
    let body = view! {
        <form method="get" class="search" role="search">
            <input type="search" name="q" value=listing.search.clone() placeholder="Name or key" aria-label="Name or key of a tenant" data-search="" />
            <select name="left" aria-label="Which tenants">{choices.collect_view()}</select>
            <button class="button">"Search"</button>
        </form>
        {found}
        {parts::pages(own, &search, listing.page, listing.more)}
    };
    parts::part("Tenants", "", body)
}

fn row(tenant: &TenantRow) -> Vec<Html> {
    let link = |to: &Option<(String, String)>| {
        to.as_ref().map_or_else(|| parts::muted("none yet"), |(address, name)| parts::link(address.clone(), name.clone()))
    };
    let filters: Vec<_> = tenant.prefilters.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    let key = (tenant.key != tenant.name).then(|| view! { <br /><span class="muted small">{tenant.key.clone()}</span> });
    let role = match &tenant.role {
        RoleState::Given(address, name) => parts::link(address.clone(), name.clone()),
        RoleState::NotNeeded => parts::muted("none needed"),
        RoleState::Missing(lost) => {
            view! { {parts::badge("warn", "None")}<br /><span class="small">{format!("loses {}", lost.join(", "))}</span> }
                .html()
        }
    };
    vec![
        view! { {tenant.name.clone()}{key} }.html(),
        parts::names(&filters),
        link(&tenant.customer),
        link(&tenant.user),
        role,
        parts::text(tenant.dashboards.to_string()),
    ]
}
