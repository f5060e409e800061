//! The frame around every embedded page: messages between page and host, the hand-over of tokens, the content's height, the
//! first HTML, hydration. The decisions are pure functions with their own tests; this code carries them out.

pub mod blank;
pub mod content;
pub mod handed;
pub mod handover;
pub mod host;
#[cfg(feature = "hydrate")]
pub mod hydrate;
pub mod lifetime;
pub mod root;
#[cfg(feature = "ssr")]
pub mod ssr;
pub mod throttle;

use crate::ui::effect::effect;
use crate::{
    browser::{editor, observe, parent, theme},
    calls::{Refusal, client, opened::Opened},
};
use content::{Content, Page, Resumed};
use gloo_timers::{callback::Timeout, future::TimeoutFuture};
use handed::Handed;
use handover::{Effect as Deed, Event, PageState, State, Verdict};
use host::Host;
use inlay_contract::{
    frame::message::{In, Out},
    page::PageMessage,
};
use leptos::{prelude::*, task::spawn_local};

/// A page with its host and token.
pub struct Frame<C> {
    content: C,
    host: Host,
    /// Taken while an event is handled.
    state: StoredValue<Option<State>>,
    /// The parameters of the address that the host has been told about.
    named: StoredValue<Vec<String>>,
    /// The latest token since the wasm with the tools was asked to take over.
    later: StoredValue<Option<String>>,
}

impl<C: Copy> Clone for Frame<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Copy> Copy for Frame<C> {}

impl<C: Content> Frame<C> {
    /// The frame of a page that is not interactive yet.
    #[must_use]
    pub fn new(content: C, host: Host) -> Self {
        Self {
            content,
            host,
            state: StoredValue::new(Some(State::new(C::HAS_TOOLS))),
            named: StoredValue::new(Vec::new()),
            later: StoredValue::new(None),
        }
    }

    /// The page is interactive now. `handed` is what this wasm took over from the one before.
    pub fn open(self, handed: Option<Handed>) {
        self.host.listen(move |message| match message {
            In::SetToken { token } => self.on(Event::TokenHeard(token)),
            In::SetParams { search } => self.content.set_filters(self.host, &search),
        });
        for event in ["online", "visibilitychange"] {
            window_event_listener_untyped(event, move |_| self.on(Event::Woke));
        }
        let page = self.content.page_untracked();
        if page.auto_height() && page.parent_origin().is_some() {
            observe::content_height(move |height| self.host.post(&Out::Height { height }));
        }
        let (handed, later) = match handed {
            None => (None, None),
            Some(Handed { token, later, named, .. }) => {
                self.named.set_value(named);
                (Some(token), later)
            }
        };
        self.on(Event::Began { page_state: page.page_state(), token: client::token(), handed });
        if let Some(token) = later {
            self.on(Event::TokenHeard(token));
        }
        // The server may know first that the token has expired: the page's clock stops while the machine sleeps.
        effect(move || {
            let page_state = self.content.page().page_state();
            if matches!(page_state, PageState::Message(_)) {
                self.on(Event::Shows(page_state));
            }
        });
    }

    fn on(self, event: Event) {
        self.answered(event, None);
    }

    /// Handles an event, with the page that came with it.
    fn answered(self, event: Event, mut page: Option<Opened<C::Page>>) {
        let Some(state) = self.state.try_update_value(Option::take).flatten() else { return };
        let (state, deeds) = handover::on(state, parent::now(), event);
        self.state.set_value(Some(state));
        for deed in deeds {
            self.perform(deed, &mut page);
        }
    }

    fn perform(self, deed: Deed, page: &mut Option<Opened<C::Page>>) {
        match deed {
            Deed::Post(message) => self.host.post(&message),
            Deed::NameRefused => self.name_refused(),
            Deed::Check(number, token) => spawn_local(async move {
                let verdict = match client::with_token(&token, C::check(client::address())).await {
                    Ok(visitor) => Verdict::Good(visitor),
                    Err(refusal) => Self::verdict(refusal),
                };
                self.on(Event::Checked(number, verdict));
            }),
            Deed::Open(number, token, resumes) => {
                self.content.begins();
                spawn_local(async move {
                    match client::with_token(&token, self.content.open(resumes)).await {
                        Ok(opened) => {
                            let page_state = opened.page.page_state();
                            self.answered(Event::Opened(number, Verdict::Good(page_state)), Some(opened));
                        }
                        Err(refusal) => self.on(Event::Opened(number, Self::verdict(refusal))),
                    }
                });
            }
            Deed::Reveal => {
                if let Some(Opened { page, style, title }) = page.take() {
                    theme::apply(&style, &title);
                    self.content.show(page);
                }
            }
            Deed::Keep(token) => client::keep_token(Some(token)),
            Deed::Apply(permissions) => self.content.apply(permissions),
            Deed::GiveWay(token, resumes) => self.give_way(token, resumes),
            Deed::PassOn(token) => self.later.set_value(Some(token)),
            Deed::Show(message) => self.content.show_message(message),
            Deed::Ring(at, after) => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds of a token's life")]
                let wait = after.max(0.0).ceil() as u32;
                Timeout::new(wait, move || self.on(Event::Rang(at))).forget();
            }
        }
    }

    /// What a refusal says of the token. If the server could not decide, nothing.
    fn verdict<T>(refusal: Refusal) -> Verdict<T> {
        if refusal.may_pass() {
            return Verdict::OutOfReach;
        }
        let shows = match refusal.page_message() {
            None => PageMessage::InvalidToken,
            Some(PageMessage::DashboardNotFound) => C::MISSING,
            Some(message) => message,
        };
        Verdict::Refused { reason: refusal.0.message, shows }
    }

    /// Posts the names of the address's invalid parameters.
    fn name_refused(self) {
        for name in self.content.page_untracked().refused() {
            let is_new = self.named.try_update_value(|named| {
                let is_new = !named.contains(name);
                if is_new {
                    named.push(name.clone());
                }
                is_new
            });
            if is_new == Some(true) {
                self.host.refuse_parameter(format!("{name} is not a parameter of this page, or its value is not valid."));
            }
        }
    }

    /// This wasm has no tools. The one that has them takes over once it is loaded. Until then the page stays as it is, and
    /// messages are heard: those of the last moment still wait in the throttle.
    fn give_way(self, token: String, resumes: bool) {
        let rest = TimeoutFuture::new(throttle::REST);
        spawn_local(async move {
            let is_loaded = editor::load().await.is_ok();
            rest.await;
            let resumed = self.content.resumed();
            let handed = Handed {
                token,
                later: self.later.get_value(),
                address: client::address(),
                named: self.named.get_value(),
                resumed: if resumes { resumed } else { Resumed { pending: resumed.pending, ..Resumed::default() } },
            };
            self.host.close();
            if is_loaded {
                editor::succeed(&serde_json::to_string(&handed).unwrap_or_default());
            } else {
                self.content.show_message(PageMessage::Unavailable);
            }
        });
    }
}
