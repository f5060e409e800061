//! What the whole page shares: what it shows now, and how a refusal ends it.

#[cfg(feature = "edit")]
use crate::edit::draft::Draft;
use crate::{
    calls::{
        Drawn, PageAddress, Refusal, Scope, client,
        embed::{self, TokenCheck},
    },
    filters::query,
    frame::{
        content::{Content, Opened, Page},
        handover::{Standing, Visitor},
        host::Host,
    },
    pages::{application::Application, link::Link},
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

/// The page's state. One for each page; provided as context.
#[derive(Clone, Copy)]
pub struct Session {
    page: RwSignal<Arc<Drawn<EmbedPage>>>,
    /// What the page offers its viewer now. A renewed token may change it.
    pub permissions: RwSignal<Permissions>,
    /// What host and dashboard tell each other.
    pub link: Link,
    /// The dashboard that was open on the page that this one succeeds.
    pub place: StoredValue<Option<String>>,
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
    /// The session of the component that asks. Every component stands under the root, which provides it.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
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

impl Content for Session {
    type Page = Drawn<EmbedPage>;

    const MISSING: PageMessage = PageMessage::DashboardNotFound;
    const HAS_TOOLS: bool = cfg!(feature = "edit");

    fn new(page: Self::Page, host: Host, place: Option<String>) -> Self {
        let session = Self {
            permissions: RwSignal::new(permissions(&page.content)),
            page: RwSignal::new(Arc::new(page)),
            link: Link::new(host),
            place: StoredValue::new(place),
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
        self.link.asks();
    }

    fn address(self) -> PageAddress {
        let PageAddress { path, search } = client::address();
        let search = match self.link.filters() {
            Some(filters) => query::with_filters(&search, &filters),
            None => search,
        };
        PageAddress { path, search }
    }

    fn place(self) -> Option<String> {
        self.link.dashboard()
    }

    async fn check(address: PageAddress) -> Result<Visitor, Refusal> {
        let TokenCheck { viewer, permissions } = embed::check_token(address).await?;
        Ok(Visitor { viewer, permissions })
    }

    fn open(address: PageAddress) -> impl Future<Output = Result<Opened<Self::Page>, Refusal>> {
        embed::open_page(address)
    }
}

impl Page for Drawn<EmbedPage> {
    fn standing(&self) -> Standing {
        match &self.content.content {
            PageContent::Message { message } => Standing::Message(*message),
            PageContent::AwaitingToken => Standing::Waiting,
            PageContent::Application(view) => Standing::Open(Visitor { viewer: view.viewer, permissions: view.permissions }),
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

/// What a page offers its viewer: nothing where it shows no application.
fn permissions(page: &EmbedPage) -> Permissions {
    application(page).map(|view| view.permissions).unwrap_or_default()
}

/// The application that a page shows, if it shows one.
#[must_use]
pub fn application(page: &EmbedPage) -> Option<&ApplicationView> {
    match &page.content {
        PageContent::Application(view) => Some(view),
        PageContent::Message { .. } | PageContent::AwaitingToken => None,
    }
}
