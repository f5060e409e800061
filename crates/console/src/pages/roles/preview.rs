//! A preview of a role: a sketch of the page with its buttons and menus, and a list of abilities. A browser test compares the
//! buttons with the real page.

use crate::ui::{
    html::{Html, IntoHtml},
    parts,
};
use inlay_contract::permissions::{Flag, Permissions, RolePermissions, Template};
use leptos::prelude::*;

/// The part of a role's page that updates while its form is edited. `reports`: the organization has scheduled reports;
/// otherwise nobody sees their button.
#[must_use]
pub fn preview(permissions: &RolePermissions, reports: bool) -> Html {
    let resolved = permissions.resolve();
    let kind = if resolved.can_edit() {
        "Can edit. A shared dashboard stays as it is: their changes become a copy of their own."
    } else {
        "Can view, and use the existing filters."
    };
    let template = Template::of(permissions).map(|template| {
        view! { <p class="muted">{format!("Same as the template {}.", template.name())}</p> }
    });
    view! {
        <h3>"A user with this role"</h3>
        <p>{kind}</p>
        {template}
        {page(resolved, reports)}
        {abilities(permissions, resolved, reports)}
    }
    .html()
}

/// The sketch of the page.
fn page(on: Permissions, reports: bool) -> Html {
    let tabs = (!on.allows(Flag::DisableTabs))
        .then(|| view! { <p class="mock-tabs"><span>"Overview"</span><span>"Regions"</span></p> });
    let filters = (!on.allows(Flag::HideFilters))
        .then(|| view! { <p class="mock-filters"><span>"Region"</span><span>"Last 30 days"</span></p> });
    let drill = on.allows(Flag::DrillDown).then(|| parts::muted("A click on a bar lists the rows behind it."));
    view! {
        <figure class="mock" aria-label="The dashboard’s page as they see it">
            {tabs}
            {header(on, reports)}
            {filters}
            <div class="mock-chart">
                <p class="mock-title"><strong>"Sales by region"</strong>{menu("Chart", chart_menu(on))}</p>
                <p class="mock-bars" aria-hidden="true"><i></i><i></i><i></i><i></i></p>
                {drill}
            </div>
        </figure>
    }
    .html()
}

fn header(on: Permissions, reports: bool) -> Html {
    if on.allows(Flag::HideHeader) {
        return ().html();
    }
    let button = |name: &'static str| view! { <span class="button" data-shown=name>{name}</span> };
    let buttons = [
        ("AI insights", on.allows(Flag::AiInsight)),
        ("Schedule report", reports && on.allows(Flag::EnableScheduleReport)),
        ("Download PDF", !on.allows(Flag::HideDownloadButton)),
    ];
    let buttons = buttons.into_iter().filter(|(_, shown)| *shown).map(|(name, _)| button(name)).collect_view();
    view! {
        <p class="mock-header">
            <strong>"Overview"</strong>
            {menu("Add", add_menu(on))}{menu("Actions", actions_menu(on))}{buttons}
        </p>
    }
    .html()
}

/// A button with its menu. `None` if the menu would be empty.
fn menu(name: &'static str, items: Vec<&'static str>) -> Option<Html> {
    let all = items.iter().map(|item| view! { <span data-shown=*item>{*item}</span> }).collect_view();
    (!items.is_empty()).then(|| {
        view! { <span class="mock-menu"><span class="button" data-shown=name>{name}</span><span class="mock-items"><em>{name}": "</em>{all}</span></span> }
            .html()
    })
}

fn offered(items: impl IntoIterator<Item = (&'static str, bool)>) -> Vec<&'static str> {
    items.into_iter().filter(|(_, offered)| *offered).map(|(name, _)| name).collect()
}

fn add_menu(on: Permissions) -> Vec<&'static str> {
    let items = [
        ("Chart from library", on.allows(Flag::AddChart)),
        ("New chart", on.allows(Flag::CreateChart)),
        ("Describe a chart", on.allows(Flag::AiCharts)),
        ("Filter", on.allows(Flag::AddFilter) && !on.allows(Flag::HideFilters)),
        ("Dashboard", on.allows(Flag::AddDashboard)),
    ];
    if on.can_edit() { offered(items) } else { Vec::new() }
}

fn actions_menu(on: Permissions) -> Vec<&'static str> {
    let items = [
        ("Undo", true),
        ("Redo", true),
        ("Rename", true),
        ("Duplicate", on.allows(Flag::CanDuplicateDashboard)),
        ("Set as default", on.allows(Flag::CanSetDefaultDashboard)),
    ];
    if on.can_edit() { offered(items) } else { Vec::new() }
}

fn chart_menu(on: Permissions) -> Vec<&'static str> {
    let edits = [
        ("Edit", on.allows(Flag::EditCharts)),
        ("Remove", on.allows(Flag::RemoveChart)),
        ("Move to top", true),
        ("Move to bottom", true),
    ];
    let everybodys = ["Show data", "Download CSV", "Download XLSX", "Download image"].map(|name| (name, true));
    offered(everybodys.into_iter().chain(edits.map(|(name, allowed)| (name, allowed && on.can_edit()))))
}

/// The ability that a flag grants, and what else it needs. `None` for a flag that only hides things.
fn ability(flag: Flag, on: Permissions, reports: bool) -> Option<(&'static str, Option<&'static str>)> {
    let edits = |words| (words, (!on.can_edit()).then_some("needs a role that edits"));
    Some(match flag {
        Flag::AddChart => edits("Add charts from the library"),
        Flag::AddFilter => edits("Add filters"),
        Flag::CreateChart => edits("Build charts of their own"),
        Flag::CreateChartSql => {
            ("Write a chart's SQL by hand", (!on.allows(Flag::CreateChart)).then_some("needs “Build charts”"))
        }
        Flag::EditCharts => edits("Edit charts"),
        Flag::RemoveChart => edits("Remove charts"),
        Flag::AddDashboard => edits("Create dashboards"),
        Flag::CanDuplicateDashboard => edits("Duplicate dashboards"),
        Flag::CanSetDefaultDashboard => ("Choose which dashboard opens first", None),
        Flag::AiCharts => edits("Create charts by describing them"),
        Flag::AiInsight => ("Ask about the charts in a sidebar", None),
        Flag::DrillDown => ("See the rows behind a bar, point or slice", None),
        Flag::EnableScheduleReport => {
            ("Schedule reports and alerts", (!reports).then_some("once the organization has scheduled reports"))
        }
        Flag::CanEditChartFromSession => ("Edit charts from the chat", None),
        Flag::DisableTabs
        | Flag::HideHeader
        | Flag::HideDownloadButton
        | Flag::EditMarketplace
        | Flag::ReadOnly
        | Flag::HideFilters => return None,
    })
}

fn abilities(given: &RolePermissions, on: Permissions, reports: bool) -> Html {
    let (mut can, mut cannot) = (Vec::new(), Vec::new());
    for flag in Flag::ALL {
        let Some((words, needs)) = ability(flag, on, reports) else { continue };
        let note = match (needs, given.get(flag)) {
            (Some(needs), Some(true)) => Some(parts::muted(format!(" ({needs})"))),
            (None, None) if on.allows(flag) => Some(parts::muted(" (implied)")),
            _ => None,
        };
        let line = view! { <li>{words}{note}</li> };
        if on.allows(flag) && needs.is_none() { can.push(line) } else { cannot.push(line) }
    }
    let list = |title: &'static str, class: &'static str, lines: Vec<_>| {
        (!lines.is_empty()).then(|| view! { <h4>{title}</h4><ul class=class>{lines}</ul> })
    };
    view! { <div class="abilities"><div>{list("Can", "flags can", can)}</div><div>{list("Cannot", "flags cannot", cannot)}</div></div> }.html()
}
