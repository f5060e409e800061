//! What the whole page shares: what it shows now, and how a refusal ends it.

use crate::calls::{Drawn, Refusal, Scope, client};
#[cfg(feature = "edit")]
use crate::edit::draft::Draft;
#[cfg(feature = "edit")]
use inlay_contract::ids::{DashboardId, ProjectUserId};
use inlay_contract::page::{ApplicationView, EmbedPage, PageContent, PageMessage};
use leptos::prelude::*;
use std::sync::Arc;

/// The page's state. One for each page; provided as context.
#[derive(Clone, Copy)]
pub struct Session {
    page: RwSignal<Arc<Drawn<EmbedPage>>>,
    /// What was changed and not saved, so that a session that ends and is revived gives it back.
    #[cfg(feature = "edit")]
    drafts: StoredValue<Vec<Kept>>,
}

/// A draft that outlives the page that it was made on.
#[cfg(feature = "edit")]
#[derive(Clone)]
struct Kept {
    viewer: ProjectUserId,
    dashboard: DashboardId,
    draft: Draft,
}

impl Session {
    /// A session that shows this page first.
    #[must_use]
    pub fn new(page: Drawn<EmbedPage>) -> Self {
        Self {
            page: RwSignal::new(Arc::new(page)),
            #[cfg(feature = "edit")]
            drafts: StoredValue::new(Vec::new()),
        }
    }

    /// The session of the component that asks. Every component stands under the root, which provides it.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
    }

    /// What is shown. Tracked.
    #[must_use]
    pub fn page(self) -> Arc<Drawn<EmbedPage>> {
        self.page.get()
    }

    /// What is shown. Not tracked.
    #[must_use]
    pub fn page_untracked(self) -> Arc<Drawn<EmbedPage>> {
        self.page.get_untracked()
    }

    /// Shows another page in place of this one.
    pub fn show(self, page: Drawn<EmbedPage>) {
        self.page.set(Arc::new(page));
    }

    /// Shows a message in place of the page.
    pub fn show_message(self, message: PageMessage) {
        let EmbedPage { parameters, locale, timezone, .. } = self.page.get_untracked().content.clone();
        let content = EmbedPage { content: PageContent::Message { message }, parameters, locale, timezone };
        self.show(Drawn { content, pictures: Vec::new() });
    }

    /// A request was refused as a whole: the page makes place for the message that says so.
    /// False when the page can stay, and what asked shows the problem itself.
    pub fn refuse(self, refusal: &Refusal) -> bool {
        let message = refusal.page_message();
        if let Some(message) = message {
            self.show_message(message);
        }
        message.is_some()
    }

    /// A part of the page was refused: only a token that does not count any more takes the page away.
    pub fn refuse_part(self, refusal: &Refusal) {
        if let Some(message) = refusal.session_message() {
            self.show_message(message);
        }
    }

    /// The page's language for numbers and dates. Not tracked.
    #[must_use]
    pub fn locale(self) -> String {
        self.page.with_untracked(|page| page.content.locale.clone())
    }

    /// Keeps what a viewer has changed of a dashboard; a draft that is saved is forgotten.
    #[cfg(feature = "edit")]
    pub fn keep(self, viewer: ProjectUserId, dashboard: DashboardId, draft: &Draft) {
        self.drafts.update_value(|drafts| {
            drafts.retain(|kept| (kept.viewer, kept.dashboard) != (viewer, dashboard));
            if draft.is_changed() {
                drafts.push(Kept { viewer, dashboard, draft: draft.clone() });
            }
        });
    }

    /// What a viewer had changed of a dashboard when the page went away.
    #[cfg(feature = "edit")]
    #[must_use]
    pub fn kept(self, viewer: ProjectUserId, dashboard: DashboardId) -> Option<Draft> {
        let own = |kept: &&Kept| (kept.viewer, kept.dashboard) == (viewer, dashboard);
        self.drafts.with_value(|drafts| drafts.iter().find(own).map(|kept| kept.draft.clone()))
    }

    /// Forgets what a viewer had changed of a dashboard: they said so.
    #[cfg(feature = "edit")]
    pub fn forget(self, viewer: ProjectUserId, dashboard: DashboardId) {
        self.drafts.update_value(|drafts| drafts.retain(|kept| (kept.viewer, kept.dashboard) != (viewer, dashboard)));
    }

    /// What requests about the application carry.
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

/// The application that a page shows, if it shows one.
#[must_use]
pub fn application(page: &EmbedPage) -> Option<&ApplicationView> {
    match &page.content {
        PageContent::Application(view) => Some(view),
        PageContent::Message { .. } | PageContent::AwaitingToken => None,
    }
}
