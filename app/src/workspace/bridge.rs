//! What the workspace's page and its host tell each other: the token's hand-over and its clock, the content's height.

use super::{
    session::{Session, workspace},
    wire::WorkspaceContent,
};
use crate::{
    bridge::{
        clock::TokenClock,
        message::{Incoming, Outgoing},
    },
    browser::{observe, parent, theme},
    calls::{Refusal, client, workspace},
};
use inlay_contract::{code::Code, page::PageMessage};
use leptos::{prelude::*, task::spawn_local};
use std::time::Duration;

/// How long a page waits for its token.
const PATIENCE: Duration = Duration::from_secs(15);

/// The page's side of the bridge. Provided as context; silent where the host declared no origin.
#[derive(Clone, Copy)]
pub struct Bridge {
    session: Session,
    origin: StoredValue<Option<String>>,
    clock: TokenClock,
}

impl Bridge {
    /// The bridge of a page.
    #[must_use]
    pub fn new(session: Session) -> Self {
        let origin = session.page.with_untracked(|page| page.parameters.parent_origin.clone());
        Self { session, origin: StoredValue::new(origin), clock: TokenClock::new() }
    }

    /// Tells the host something.
    fn post(self, message: &Outgoing) {
        if let Some(origin) = self.origin.get_value() {
            parent::post(&origin, &message.to_json().to_string());
        }
    }

    /// Opens the bridge: the page answers to input now.
    pub fn open(self) {
        let page = self.session.page.get_untracked();
        let awaiting_token = page.content == WorkspaceContent::AwaitingToken;
        if let Some(origin) = self.origin.get_value() {
            parent::listen(origin, move |message| self.receive(message));
        }
        // A page that shows a message has nothing to lose when its token ends.
        if let Some(token) = client::token().filter(|_| workspace(&page).is_some()) {
            self.start_clock(&token);
        }
        if page.parameters.auto_height && self.origin.with_value(Option::is_some) {
            observe::content_height(move |height| self.post(&Outgoing::Height { height }));
        }
        self.post(&Outgoing::Ready { awaiting_token });
        if awaiting_token {
            set_timeout(move || self.lose_patience(), PATIENCE);
        }
    }

    fn receive(self, message: Incoming) {
        match message {
            Incoming::SetToken(token) => self.try_token(token),
            Incoming::SetParams(_) => {
                let message = "A workspace has no filters.".to_owned();
                self.post(&Outgoing::Error { code: Code::InvalidParameter, message });
            }
        }
    }

    /// Takes a token that came by message, when it is good; the old one stays otherwise.
    fn try_token(self, token: String) {
        let viewer = workspace(&self.session.page.get_untracked()).map(|view| view.viewer);
        spawn_local(async move {
            let same = match viewer {
                None => Ok(false),
                Some(viewer) => {
                    let check = workspace::check_workspace_token(client::address());
                    client::with_token(&token, check).await.map(|found| found == viewer)
                }
            };
            match same {
                Ok(true) => self.keep(token),
                Ok(false) => self.start_afresh(token).await,
                Err(refusal) => self.refuse(refusal),
            }
        });
    }

    /// Another user, or no page yet: everything is asked for anew.
    async fn start_afresh(self, token: String) {
        match client::with_token(&token, workspace::open_workspace(client::address())).await {
            Ok(opened) => {
                self.keep(token);
                theme::apply(&opened.style, &opened.title);
                self.session.show(opened.page);
            }
            Err(refusal) => {
                if workspace(&self.session.page.get_untracked()).is_none() {
                    self.session.refuse(&refusal);
                }
                self.refuse(refusal);
            }
        }
    }

    fn refuse(self, refusal: Refusal) {
        self.post(&Outgoing::Error { code: Code::TokenRefused, message: refusal.0.message });
    }

    fn keep(self, token: String) {
        self.start_clock(&token);
        client::keep_token(Some(token));
    }

    fn start_clock(self, token: &str) {
        self.clock.start(
            token,
            move |message| self.post(message),
            move || self.session.show_message(PageMessage::SessionExpired),
        );
    }

    fn lose_patience(self) {
        if self.session.page.get_untracked().content == WorkspaceContent::AwaitingToken {
            self.session.show_message(PageMessage::NoTokenReceived);
        }
    }
}
