//! State that the whole page shares: its content, and the handling of refusals.

#[cfg(feature = "edit")]
use crate::edit::draft::Draft;
use crate::{
    calls::{
        Drawn, PageAddress, Refusal, Scope, client,
        embed::{self, TokenCheck},
    },
    filters::query,
    frame::{
        content::{Content, Opened, Page, Resumed},
        handover::{PageState, Visitor},
        host::Host,
    },
    pages::{application::Application, host_link::HostLink},
    ui::part::{IntoPart, Part},
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
    /// The messages between host and dashboard.
    pub link: HostLink,
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
    /// The component's session. Every component is below the root, which provides it.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
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

impl Content for Session {
    type Page = Drawn<EmbedPage>;

    const MISSING: PageMessage = PageMessage::DashboardNotFound;
    const HAS_TOOLS: bool = cfg!(feature = "edit");

    fn new(page: Self::Page, host: Host, resumed: Resumed) -> Self {
        let session = Self {
            permissions: RwSignal::new(permissions(&page.content)),
            page: RwSignal::new(Arc::new(page)),
            link: HostLink::new(host, resumed),
            #[cfg(feature = "edit")]
            drafts: StoredValue::new(Vec::new()),
        };
        provide_context(session);
        session
    }

    fn page(self) -> Arc<Self::Page> {
        self.page.get()
    }

    fn page_untracked(self) -> Arc<Self::Page> {
        self.page.get_untracked()
    }

    fn show(self, page: Self::Page) {
        let permissions = permissions(&page.content);
        self.page.set(Arc::new(page));
        self.permissions.set(permissions);
    }

    fn draw(self, page: &Arc<Self::Page>) -> Part {
        view! { <Application page=Arc::clone(page) /> }.part()
    }

    fn apply(self, permissions: Permissions) {
        self.permissions.set(permissions);
    }

    fn set_filters(self, _: Host, search: &str) {
        self.link.set_filters(search);
    }

    fn begins(self) {
        self.link.begins();
    }

    fn resumed(self) -> Resumed {
        self.link.resumed()
    }

    async fn check(address: PageAddress) -> Result<Visitor, Refusal> {
        let TokenCheck { viewer, permissions } = embed::check_token(address).await?;
        Ok(Visitor { viewer, permissions })
    }

    fn open(self, resumes: bool) -> impl Future<Output = Result<Opened<Self::Page>, Refusal>> {
        let (mut address, mut place) = (client::address(), None);
        if resumes {
            address.search = query::with_filters(&address.search, &self.link.known());
            place = self.link.resumed().place;
        }
        embed::open_page(address, place)
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
        Self { content: EmbedPage { content, parameters, locale, timezone }, pictures: Vec::new() }
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
