//! The state of the open application: the dashboard that is open, and opening another.

use super::host_link::HostLink;
use crate::{
    calls::{
        Drawn, Refusal, Target,
        embed::{self, DashboardRequest, OpenedDashboard},
    },
    session::{self, Session},
};
use inlay_contract::{
    ids::DashboardId,
    page::{ApplicationView, DashboardEntry, EmbedPage, Filters},
    permissions::{Flag, Permissions},
};
use leptos::{prelude::*, task::spawn_local};
use std::sync::Arc;

/// The state of the open application. Provided as context.
#[derive(Clone, Copy)]
pub struct Opened {
    page: StoredValue<Arc<Drawn<EmbedPage>>>,
    session: Session,
    link: HostLink,
    /// The dashboard that is open, with the filters that it was drawn with.
    pub dashboard: RwSignal<Option<Arc<Drawn<OpenedDashboard>>>>,
    /// The dashboard that the viewer chose last: the open one, or one that is loading.
    pub chosen: RwSignal<Option<DashboardId>>,
    /// The dashboards of the navigation, in order.
    pub entries: RwSignal<Vec<DashboardEntry>>,
    /// The dashboard that opens first for the viewer.
    pub default: RwSignal<Option<DashboardId>>,
    /// Whether the open dashboard has unsaved changes.
    #[cfg(feature = "edit")]
    pub unsaved: RwSignal<bool>,
    /// The dashboard that the viewer chose while the open one had unsaved changes.
    #[cfg(feature = "edit")]
    pub asks: RwSignal<Option<DashboardId>>,
    /// Why the chosen dashboard did not open, or did not become the default.
    pub problem: RwSignal<Option<String>>,
    /// The filters of all dashboards that were open, so that a dashboard shows the same data when it opens again.
    pub held: StoredValue<Filters>,
}

impl Opened {
    /// The application of a page that shows `first`.
    #[must_use]
    pub fn new(page: &Arc<Drawn<EmbedPage>>, view: &ApplicationView, first: Option<Arc<Drawn<OpenedDashboard>>>) -> Self {
        Self {
            page: StoredValue::new(Arc::clone(page)),
            session: Session::here(),
            link: HostLink::here(),
            chosen: RwSignal::new(first.as_ref().map(|first| first.content.dashboard.id)),
            dashboard: RwSignal::new(first),
            entries: RwSignal::new(view.dashboards.clone()),
            default: RwSignal::new(view.dashboards.iter().find(|entry| entry.is_default).map(|entry| entry.id)),
            #[cfg(feature = "edit")]
            unsaved: RwSignal::new(false),
            #[cfg(feature = "edit")]
            asks: RwSignal::new(None),
            problem: RwSignal::new(None),
            held: StoredValue::new(page.content.parameters.filters.clone()),
        }
    }

    /// The component's application.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
    }

    /// Reads the page.
    pub fn with_page<T>(self, read: impl FnOnce(&EmbedPage) -> T) -> T {
        self.page.with_value(|page| read(&page.content))
    }

    /// The viewer's current permissions.
    #[must_use]
    pub fn permissions(self) -> Permissions {
        self.session.permissions.get_untracked()
    }

    /// Whether the viewer may set their default dashboard. Tracked.
    #[must_use]
    pub fn sets_default(self) -> bool {
        self.session.permissions.get().allows(Flag::CanSetDefaultDashboard)
    }

    /// Sets the viewer's default dashboard.
    ///
    /// # Errors
    /// The server refused it or did not respond.
    pub async fn set_default(self, dashboard: DashboardId) -> Result<(), Refusal> {
        let scope = |view: &ApplicationView| self.session.scope(view);
        let Some(scope) = self.with_page(|page| session::application(page).map(scope)) else { return Ok(()) };
        embed::default_dashboard(Target { scope, dashboard }).await?;
        let _ = self.default.try_set(Some(dashboard));
        Ok(())
    }

    /// Makes a dashboard the viewer's default, by the button in the navigation.
    pub fn prefer(self, dashboard: DashboardId) {
        spawn_local(async move {
            if let Err(refusal) = self.set_default(dashboard).await
                && !self.session.refuse(&refusal)
            {
                let _ = self.problem.try_set(Some(refusal.0.message));
            }
        });
    }

    /// The dashboards whose names contain a text. `None` when the server did not tell.
    pub async fn find(self, search: String) -> Option<Vec<DashboardEntry>> {
        let scope = |view: &ApplicationView| self.session.scope(view);
        let scope = self.with_page(|page| session::application(page).map(scope))?;
        match embed::find_dashboards(scope, search).await {
            Ok(found) => Some(found),
            Err(refusal) => {
                if !self.session.refuse(&refusal) {
                    let _ = self.problem.try_set(Some(refusal.0.message));
                }
                None
            }
        }
    }

    /// Updates the name of a dashboard in the navigation: it may have been renamed since the page was opened.
    fn call_by(self, id: DashboardId, name: &str) {
        self.entries.maybe_update(|entries| {
            let old = entries.iter_mut().find(|entry| entry.id == id && entry.name != name);
            old.map(|entry| name.clone_into(&mut entry.name)).is_some()
        });
    }

    /// Names a dashboard that was found by a search in the navigation.
    pub fn name(self, entry: &DashboardEntry) {
        if self.entries.with_untracked(|entries| entries.iter().all(|named| named.id != entry.id)) {
            self.entries.update(|entries| entries.push(entry.clone()));
        }
    }

    /// Adds a dashboard that was created to the navigation.
    #[cfg(feature = "edit")]
    pub fn list(self, id: DashboardId, name: String) {
        self.entries.update(|entries| entries.push(DashboardEntry { id, name, is_default: false }));
    }

    /// Loads the open dashboard again, as it is stored now.
    #[cfg(feature = "edit")]
    pub fn reopen(self, dashboard: DashboardId) {
        self.chosen.set(None);
        self.open(dashboard);
    }

    /// Opens another dashboard. The current one stays, dimmed, until the new one has loaded.
    pub fn open(self, dashboard: DashboardId) {
        if self.chosen.get_untracked() == Some(dashboard) && self.problem.get_untracked().is_none() {
            return;
        }
        #[cfg(feature = "edit")]
        if self.unsaved.get_untracked() {
            self.asks.set(Some(dashboard));
            return;
        }
        self.link.asks();
        self.chosen.set(Some(dashboard));
        self.problem.set(None);
        self.request(dashboard);
    }

    /// The viewer's permissions have changed: draws the open dashboard again with the tools and data that they allow.
    pub(super) fn renew(self) {
        if let Some(dashboard) = self.chosen.get_untracked() {
            self.request(dashboard);
        }
    }

    /// Whether this page is still shown.
    pub(super) fn is_shown(self) -> bool {
        self.page.try_with_value(|page| Arc::ptr_eq(page, &self.session.page_untracked())) == Some(true)
    }

    fn request(self, dashboard: DashboardId) {
        let scope = |view: &ApplicationView| self.session.scope(view);
        let Some(scope) = self.with_page(|page| session::application(page).map(scope)) else { return };
        let request = DashboardRequest { scope, dashboard, filters: self.held.get_value() };
        spawn_local(async move {
            let answer = embed::open_dashboard(request).await;
            if self.chosen.try_get_untracked() != Some(Some(dashboard)) {
                return;
            }
            match answer {
                Ok(opened) => {
                    self.call_by(dashboard, &opened.content.dashboard.name);
                    self.dashboard.set(Some(Arc::new(opened)));
                }
                Err(refusal) => {
                    if !self.session.refuse(&refusal) {
                        self.problem.set(Some(refusal.0.message));
                    }
                }
            }
        });
    }
}
