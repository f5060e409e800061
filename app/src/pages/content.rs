//! The dashboards' part of the frame: how their page is opened, shown and replaced.

use super::{application::Application, host_link::HostLink};
use crate::{
    calls::{
        Drawn, PageAddress, Refusal, client,
        embed::{self, TokenCheck},
        opened::Opened,
    },
    filters::query,
    frame::{
        content::{Content, Resumed},
        handover::Visitor,
        host::Host,
    },
    session::Session,
    ui::part::{IntoPart, Part},
};
use inlay_contract::{
    page::{EmbedPage, PageMessage},
    permissions::Permissions,
};
use leptos::prelude::*;
use std::sync::Arc;

/// An application's page in its frame.
#[derive(Clone, Copy)]
pub struct ApplicationPage {
    session: Session,
    link: HostLink,
}

impl Content for ApplicationPage {
    type Page = Drawn<EmbedPage>;

    const MISSING: PageMessage = PageMessage::DashboardNotFound;
    const HAS_TOOLS: bool = cfg!(feature = "edit");

    fn new(page: Self::Page, host: Host, resumed: Resumed) -> Self {
        let (session, link) = (Session::new(page), HostLink::new(host, resumed));
        provide_context(session);
        provide_context(link);
        Self { session, link }
    }

    fn page(self) -> Arc<Self::Page> {
        self.session.page()
    }

    fn page_untracked(self) -> Arc<Self::Page> {
        self.session.page_untracked()
    }

    fn show(self, page: Self::Page) {
        self.session.show(page);
    }

    fn draw(self, page: &Arc<Self::Page>) -> Part {
        view! { <Application page=Arc::clone(page) /> }.part()
    }

    fn apply(self, permissions: Permissions) {
        self.session.permissions.set(permissions);
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
