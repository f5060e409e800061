//! An application: navigation and the open dashboard.

use super::{
    dashboard::Dashboard,
    navigation::{Navigation, Tabs},
    opened::Opened,
};
use crate::ui::part::{IntoPart, Part};
use crate::{
    calls::{Drawn, embed::OpenedDashboard},
    session::{self, Session},
    tile::{Offers, look::Look},
};
use inlay_contract::{
    page::EmbedPage,
    permissions::{Flag, Permissions},
};
use leptos::{prelude::*, tachys::reactive_graph::OwnedView};
use std::sync::Arc;

#[cfg(feature = "edit")]
use crate::edit::toolbar as tools;

#[cfg(not(feature = "edit"))]
use super::without_tools::tools;

/// An application with its open dashboard.
#[component]
pub fn Application(
    /// The page.
    page: Arc<Drawn<EmbedPage>>,
) -> impl IntoView {
    let session = Session::here();
    let Some(view) = session::application(&page.content) else { return ().part() };
    let parameters = &page.content.parameters;
    let first = view.dashboard.as_ref().map(|dashboard| {
        let content = OpenedDashboard { dashboard: dashboard.clone(), filters: parameters.filters.clone() };
        Arc::new(Drawn { content, drawings: page.drawings.clone() })
    });
    provide_context(Look { locale: StoredValue::new(page.content.locale.clone()) });
    provide_context(Offers { csv: !parameters.hide_download_button });
    let opened = Opened::new(&page, view, first);
    provide_context(opened);
    // Effects run only in the browser.
    Effect::new(move |before: Option<Permissions>| {
        let now = session.permissions.get();
        // A page of another user is drawn again as a whole.
        if before.is_some_and(|before| before != now) && opened.is_shown() {
            opened.renew();
        }
        now
    });
    let navigates = !parameters.single_dashboard;
    let tabs = move |permissions: Permissions| navigates && !permissions.allows(Flag::DisableTabs);
    view! {
        <div class="application" class:application-alone=!navigates>
            {navigates.then(|| view! { <Navigation name=view.name.clone() more=view.more /> })}
            <main class="content">
                {move || tabs(session.permissions.get()).then(|| view! { <Tabs /> })}
                {move || board(opened, tabs(opened.permissions()))}
            </main>
        </div>
    }
    .part()
}

fn board(opened: Opened, tabs: bool) -> Part {
    // Contexts outlive a closure that runs again. In an owner of its own, a dashboard has no tools of the one before.
    let owner = Owner::new();
    let part = owner.with(|| match opened.dashboard.get() {
        Some(dashboard) => view! { <Dashboard opened=dashboard tabs /> }.part(),
        None => {
            // Other permissions offer other tools.
            Session::here().permissions.track();
            tools::no_dashboard(opened)
        }
    });
    OwnedView::new_with_owner(part, owner).part()
}
