//! The migration from v1 to v2: its steps, and the state of each tenant.

mod tenants;

pub use tenants::{Listing, RoleState, TenantRow};

use crate::ui::{
    form::Form,
    html::{Html, IntoHtml},
    parts::{self, counted},
};
use leptos::prelude::*;

/// Tenants that would be view-only although v1 lets them do more.
#[derive(Clone, Debug)]
pub struct WithoutRow {
    /// The flags that they would lose.
    pub lost: Vec<String>,
    /// How many there are.
    pub tenants: i64,
}

/// The latest v1 call of one kind by one caller.
#[derive(Clone, Debug)]
pub struct CallRow {
    /// The caller.
    pub who: String,
    /// The call, such as `create`.
    pub call: String,
    /// Its time.
    pub at: String,
    /// Whether it was recent, so that more calls are likely.
    pub recent: bool,
    /// Whether it writes. Such calls end with the migration.
    pub writes: bool,
}

/// The page.
#[derive(Clone, Debug)]
pub struct MigrationPage {
    /// The organization.
    pub organization: String,
    /// The organization's numbers: name and count.
    pub counts: Vec<(&'static str, i64)>,
    /// How many tenants there are.
    pub tenants: i64,
    /// How many tenants have no project user.
    pub unmapped: i64,
    /// Tenants without a role that lets them do what v1 does.
    pub without: Vec<WithoutRow>,
    /// The latest v1 calls, newest first.
    pub calls: Vec<CallRow>,
    /// The tenants.
    pub listing: Listing,
    /// Whether it is finalized.
    pub finalized: bool,
    /// Why the last step was refused.
    pub refused: Option<String>,
    /// Whether the member may continue.
    pub administers: bool,
}

/// The state of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Done,
    ToDo,
    NotYet,
    /// There are no tenants for it.
    NoTenant,
}

impl State {
    fn badge(self) -> Html {
        match self {
            Self::Done => parts::badge("good", "Done"),
            Self::ToDo => parts::badge("warn", "To do"),
            Self::NotYet => parts::badge("", "Not possible yet"),
            Self::NoTenant => parts::badge("", "Nothing to do"),
        }
    }
}

impl MigrationPage {
    fn roles(&self) -> State {
        match (self.tenants, self.without.is_empty()) {
            (0, _) => State::NoTenant,
            (_, true) => State::Done,
            (_, false) => State::ToDo,
        }
    }

    const fn users(&self) -> State {
        match (self.tenants, self.unmapped) {
            (0, _) => State::NoTenant,
            (_, 0) => State::Done,
            _ => State::ToDo,
        }
    }

    fn integration(&self) -> State {
        match self.users() {
            _ if self.finalized => State::Done,
            State::NoTenant => State::NoTenant,
            State::Done if self.calls.iter().any(|call| call.recent) => State::ToDo,
            State::Done => State::Done,
            _ => State::NotYet,
        }
    }

    fn end(&self) -> State {
        match self.users() {
            _ if self.finalized => State::Done,
            State::NoTenant => State::NoTenant,
            State::Done => State::ToDo,
            _ => State::NotYet,
        }
    }
}

/// Draws it.
#[must_use]
pub fn show(page: &MigrationPage) -> Html {
    let refused = page.refused.clone().map(|told| view! { <p class="refused" role="alert">{told}</p> });
    let facts = page.counts.iter().map(|(name, number)| (*name, parts::text(number.to_string()))).collect();
    let state = if page.finalized {
        parts::badge("good", "Finalized")
    } else if page.tenants == 0 {
        parts::badge("", "No v1 tenants")
    } else {
        parts::badge("warn", &format!("{} of {} mapped", page.tenants - page.unmapped, counted(page.tenants, "tenant")))
    };
    let nothing = (page.tenants == 0 && !page.finalized).then(|| {
        let told = "No tenant was ever registered here, so there is nothing to migrate. v1's register-tenant creates tenants; users who sign in by embed-token are already v2 users.";
        parts::empty(told, None)
    });
    let own = format!("/console/organizations/{}/migration", page.organization);
    view! {
        {parts::head("Migration from v1 to v2", None, state)}
        {refused}
        {nothing}
        {parts::part("Objects of the organization", "", parts::facts(facts))}
        {step("1. Roles", page.roles(), roles(page))}
        {step("2. Project users", page.users(), users(page, &own))}
        {step("3. Your integration", page.integration(), integration(page))}
        {step("4. Finalize", page.end(), end(page, &own))}
        {(page.tenants > 0).then(|| tenants::list(&page.listing, &own))}
    }
    .html()
}

fn step(title: &'static str, state: State, body: Html) -> Html {
    view! {
        <section class="part">
            <div class="step-head"><h2>{title}</h2>{state.badge()}</div>
            {body}
        </section>
    }
    .html()
}

fn roles(page: &MigrationPage) -> Html {
    let rows = page.without.iter().map(|one| {
        let told = format!(
            "No role gives {} what v1 lets them do, so they would be view-only: {}.",
            counted(one.tenants, "tenant"),
            one.lost.join(", ")
        );
        view! { <li>{told}</li> }
    });
    let rows = rows.collect_view();
    view! {
        <p class="muted">"Your script calls "<code>"analyze-roles"</code>", chooses names, and calls "<code>"create-roles"</code>"; each proposed role has every editing flag written out. Only your script knows the permissions that your page gave the v1 component: it sends them with "<code>"analyze-roles"</code>"."</p>
        <ul>{rows}</ul>
    }
    .html()
}

fn users(page: &MigrationPage, own: &str) -> Html {
    let button = (page.administers && !page.finalized && page.users() == State::ToDo)
        .then(|| Form::new(format!("{own}/users"), "Create project users").button(&[]));
    let left = (page.unmapped > 0).then(|| {
        let verb = if page.unmapped == 1 { "has" } else { "have" };
        view! { <p>{format!("{} {verb} no project user yet.", counted(page.unmapped, "tenant"))}</p> }
    });
    let asked =
        (!page.administers && page.users() == State::ToDo).then(|| view! { <p>"Only an admin can take this step."</p> });
    view! {
        <p class="muted">"Each tenant becomes a customer with a user. Its prefilters become their properties, and its dashboards become theirs. v1 keeps working, and you can repeat this step."</p>
        {left}
        {asked}
        {button}
    }
    .html()
}

/// The v1 calls, each with its replacement.
const CALLS: [(&str, &str); 9] = [
    ("POST /v1/api/tenant/register-tenant", "POST /v1/api/projects/embed-token"),
    ("GET /v1/api/dashboard/list-workspaces", "GET /v2/api/applications"),
    ("GET /v1/api/dashboard/list-workspace-dashboards", "GET /v2/api/applications/{applicationId}/dashboards"),
    ("POST /v1/api/dashboard/create", "POST /v2/api/applications/{applicationId}/dashboards"),
    ("POST /v1/api/dashboard/clone", "POST /v2/api/applications/{applicationId}/dashboards/{dashboardId}/clone"),
    ("POST /v1/api/dashboard/add-charts", "POST /v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts"),
    (
        "POST /v1/api/dashboard/append-charts-from",
        "POST /v2/api/applications/{applicationId}/dashboards/{dashboardId}/append-charts",
    ),
    (
        "POST /v1/api/dashboard/remove-charts",
        "DELETE /v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts/{chartId}, once a chart",
    ),
    ("The component in your page", "An iframe of /share/application/{applicationId}"),
];

fn integration(page: &MigrationPage) -> Html {
    let calls = CALLS.iter().map(|(old, new)| vec![parts::code(*old), parts::code(*new)]).collect();
    let seen = page.calls.iter().map(|call| {
        let recent = if call.recent { parts::badge("warn", "Still called") } else { parts::badge("", "Not recently") };
        vec![parts::text(call.who.clone()), parts::code(call.call.clone()), parts::time(&call.at), recent]
    });
    let seen = if page.calls.is_empty() {
        parts::empty("No calls to v1 recorded.", None)
    } else {
        parts::table("Latest calls to v1", &["Who", "Call", "Last", "State"], seen.collect())
    };
    view! {
        <p class="muted">"Replace the component with the iframe, then move the list calls, then the write calls. Only the write calls must be moved before you finalize."</p>
        {parts::table("Calls of v1 and v2", &["v1", "v2"], calls)}
        <h3>"Who still calls v1"</h3>
        {seen}
        <p class="muted small">"Calls to the lists, the writes and register-tenant appear within a minute, by API key. Tenants' and users' pages count together."</p>
    }
    .html()
}

fn end(page: &MigrationPage, own: &str) -> Html {
    if page.finalized {
        return view! {
            <p>"The migration is finalized. The five v1 writes return 410 and name the v2 call to use. The two v1 lists keep their old shape. register-tenant returns a token of the project user. Tenants' existing tokens keep working."</p>
            <p>"To complete the change in your product: remove the v1 calls from your code, sign users in with embed-token instead of register-tenant, and remove the old component, which shows dashboards as they were when you finalized."</p>
        }
        .html();
    }
    let why = match page.users() {
        State::Done => None,
        _ if page.tenants == 0 => Some("Without tenants there is nothing to finalize."),
        _ => Some("Possible once every tenant has a project user."),
    };
    let button = (page.administers && page.end() == State::ToDo).then(|| {
        let without: i64 = page.without.iter().map(|one| one.tenants).sum();
        let lose = (without > 0).then(|| {
            let told = format!("No role gives {} what v1 lets them do: they will be view-only.", counted(without, "tenant"));
            view! { <p>{told}</p> }
        });
        let still = page.calls.iter().any(|call| call.recent && call.writes).then(|| {
            view! { <p>"v1 writes were called within the last 7 days: see step 3."</p> }
        });
        let told = view! {
            <p>"The five v1 dashboard writes then return 410 and name the v2 call. You cannot undo this."</p>
            {lose}
            {still}
        };
        Form::new(format!("{own}/finalize"), "Finalize").asking("finalize", "Finalize the migration?", told)
    });
    view! { {why.map(|told| view! { <p class="muted">{told}</p> })}{button} }.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(tenants: i64, unmapped: i64) -> MigrationPage {
        MigrationPage {
            organization: "o".to_owned(),
            counts: Vec::new(),
            tenants,
            unmapped,
            without: Vec::new(),
            calls: Vec::new(),
            listing: Listing::default(),
            finalized: false,
            refused: None,
            administers: true,
        }
    }

    fn states(page: &MigrationPage) -> [State; 4] {
        [page.roles(), page.users(), page.integration(), page.end()]
    }

    #[test]
    fn each_step_stands_where_the_ones_before_leave_it() {
        use State::{Done, NoTenant, NotYet, ToDo};
        assert_eq!(states(&page(0, 0)), [NoTenant, NoTenant, NoTenant, NoTenant]);
        assert_eq!(states(&page(3, 1)), [Done, ToDo, NotYet, NotYet]);
        assert_eq!(states(&page(3, 0)), [Done, Done, Done, ToDo]);
        let without = vec![WithoutRow { lost: vec!["addChart".to_owned()], tenants: 1 }];
        assert_eq!(states(&MigrationPage { without, ..page(3, 0) }), [ToDo, Done, Done, ToDo]);
        let call =
            CallRow { who: "API key".to_owned(), call: "create".to_owned(), at: String::new(), recent: true, writes: true };
        assert_eq!(states(&MigrationPage { calls: vec![call], ..page(3, 0) }), [Done, Done, ToDo, ToDo]);
        assert_eq!(states(&MigrationPage { finalized: true, ..page(3, 0) }), [Done; 4]);
    }

    #[test]
    fn the_end_is_offered_once_every_tenant_is_mapped() {
        let owner = Owner::new();
        let offered = |page: &MigrationPage| owner.with(|| show(page).to_html()).contains("migration/finalize");
        assert!(offered(&page(1, 0)));
        assert!(
            !offered(&page(0, 0)) && !offered(&page(2, 1)) && !offered(&MigrationPage { administers: false, ..page(1, 0) })
        );
        owner.cleanup();
    }
}
