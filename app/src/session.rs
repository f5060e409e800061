//! State that the whole page shares: its content, and the handling of refusals.

#[cfg(feature = "edit")]
use crate::edit::draft::Draft;
use crate::{
    calls::{Drawn, Refusal, Scope, client},
    frame::{
        content::Page,
        handover::{PageState, Visitor},
    },
};
#[cfg(feature = "edit")]
use inlay_contract::ids::{DashboardId, ProjectUserId};
use inlay_contract::{
    page::{ApplicationView, EmbedPage, PageContent, PageMessage},
    permissions::Permissions,
};
use leptos::prelude::*;
use std::sync::Arc;

/// The page's state. One per page, provided as context.
#[derive(Clone, Copy)]
pub struct Session {
    page: RwSignal<Arc<Drawn<EmbedPage>>>,
    /// The viewer's permissions. A renewed token may change them.
    pub permissions: RwSignal<Permissions>,
    /// Unsaved changes, which are restored after an expired session is renewed.
    #[cfg(feature = "edit")]
    drafts: StoredValue<Vec<Kept>>,
}

/// A draft that outlives its page.
#[cfg(feature = "edit")]
#[derive(Clone)]
struct Kept {
    viewer: ProjectUserId,
    dashboard: DashboardId,
    draft: Draft,
}

impl Session {
    /// The state of a page.
    #[must_use]
    pub fn new(page: Drawn<EmbedPage>) -> Self {
        Self {
            permissions: RwSignal::new(permissions(&page.content)),
            page: RwSignal::new(Arc::new(page)),
            #[cfg(feature = "edit")]
            drafts: StoredValue::new(Vec::new()),
        }
    }

    /// The component's session. Every component is below the root, which provides it.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
    }

    /// The current page. Tracked.
    #[must_use]
    pub fn page(self) -> Arc<Drawn<EmbedPage>> {
        self.page.get()
    }

    /// The current page. Not tracked.
    #[must_use]
    pub fn page_untracked(self) -> Arc<Drawn<EmbedPage>> {
        self.page.get_untracked()
    }

    /// Replaces the page.
    pub fn show(self, page: Drawn<EmbedPage>) {
        let permissions = permissions(&page.content);
        self.page.set(Arc::new(page));
        self.permissions.set(permissions);
    }

    /// Replaces the page with a message.
    fn show_message(self, message: PageMessage) {
        self.show(self.page_untracked().without_content(Some(message)));
    }

    /// Handles a refused request. Replaces the page with a message if the refusal requires it. Returns false if the page can
    /// stay: the caller then shows the problem.
    pub fn refuse(self, refusal: &Refusal) -> bool {
        let message = refusal.page_message();
        if let Some(message) = message {
            self.show_message(message);
        }
        message.is_some()
    }

    /// Handles a refused request for a part of the page. Only an invalid token replaces the page.
    pub fn refuse_part(self, refusal: &Refusal) {
        if let Some(message) = refusal.session_message() {
            self.show_message(message);
        }
    }

    /// The page's language. Not tracked.
    #[must_use]
    pub fn locale(self) -> String {
        self.page.with_untracked(|page| page.content.locale.clone())
    }

    /// Keeps a viewer's draft of a dashboard. Forgets it once it has no changes.
    #[cfg(feature = "edit")]
    pub fn keep(self, viewer: ProjectUserId, dashboard: DashboardId, draft: &Draft) {
        self.drafts.update_value(|drafts| {
            drafts.retain(|kept| (kept.viewer, kept.dashboard) != (viewer, dashboard));
            if draft.is_changed() {
                drafts.push(Kept { viewer, dashboard, draft: draft.clone() });
            }
        });
    }

    /// The draft that a viewer had of a dashboard when the page was replaced.
    #[cfg(feature = "edit")]
    #[must_use]
    pub fn kept(self, viewer: ProjectUserId, dashboard: DashboardId) -> Option<Draft> {
        let own = |kept: &&Kept| (kept.viewer, kept.dashboard) == (viewer, dashboard);
        self.drafts.with_value(|drafts| drafts.iter().find(own).map(|kept| kept.draft.clone()))
    }

    /// Forgets the draft that a viewer had of a dashboard.
    #[cfg(feature = "edit")]
    pub fn forget(self, viewer: ProjectUserId, dashboard: DashboardId) {
        self.drafts.update_value(|drafts| drafts.retain(|kept| (kept.viewer, kept.dashboard) != (viewer, dashboard)));
    }

    /// The scope of requests about the application.
    #[must_use]
    pub fn scope(self, application: &ApplicationView) -> Scope {
        Scope {
            application: application.id,
            timezone: self.page.with_untracked(|page| page.content.timezone.clone()),
            locale: self.locale(),
            db_auth_token: client::db_auth_token(),
        }
    }
}

impl Page for Drawn<EmbedPage> {
    fn page_state(&self) -> PageState {
        match &self.content.content {
            PageContent::Message { message } => PageState::Message(*message),
            PageContent::AwaitingToken => PageState::Waiting,
            PageContent::Application(view) => PageState::Open(Visitor { viewer: view.viewer, permissions: view.permissions }),
        }
    }

    fn parent_origin(&self) -> Option<&str> {
        self.content.parameters.parent_origin.as_deref()
    }

    fn auto_height(&self) -> bool {
        self.content.parameters.auto_height
    }

    fn refused(&self) -> &[String] {
        &self.content.parameters.refused
    }

    fn locale(&self) -> &str {
        &self.content.locale
    }

    fn without_content(&self, message: Option<PageMessage>) -> Self {
        let EmbedPage { parameters, locale, timezone, .. } = self.content.clone();
        let content = message.map_or(PageContent::AwaitingToken, |message| PageContent::Message { message });
        Self { content: EmbedPage { content, parameters, locale, timezone }, drawings: Vec::new() }
    }
}

/// The viewer's permissions on a page. None if it shows no application.
fn permissions(page: &EmbedPage) -> Permissions {
    application(page).map(|view| view.permissions).unwrap_or_default()
}

/// The application of a page, if it shows one.
#[must_use]
pub fn application(page: &EmbedPage) -> Option<&ApplicationView> {
    match &page.content {
        PageContent::Application(view) => Some(view),
        PageContent::Message { .. } | PageContent::AwaitingToken => None,
    }
}
