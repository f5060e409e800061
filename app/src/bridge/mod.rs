//! What the page and its host tell each other: the token's hand-over, filters, height, progress. The messages and the token's
//! clock are pure; what is left here is order.

pub mod calm;
pub mod clock;
pub mod lifetime;
pub mod message;

use crate::{
    browser::{address, beacon, editor, observe, parent, theme},
    calls::{PageAddress, Refusal, client, embed},
    filters::query,
    session::{self, Session},
    tile::board::{Board, Source},
};
use calm::Told;
use clock::TokenClock;
use inlay_contract::{
    code::Code,
    filter::OMNIBAR,
    page::{EmbedPage, PageContent, PageMessage},
};
use leptos::{prelude::*, task::spawn_local};
use message::{Incoming, Outgoing};
use std::time::Duration;

/// How long a page waits for its token.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long a token waits to be shown to a server that was out of reach.
const RETRY: Duration = Duration::from_secs(5);

/// The page's side of the bridge. Provided as context; silent where the host declared no origin.
#[derive(Clone, Copy)]
pub struct Bridge {
    session: Session,
    origin: StoredValue<Option<String>>,
    /// The dashboard that is open.
    board: RwSignal<Option<Board>>,
    /// The filters that the host knows of, as a query.
    known: StoredValue<String>,
    /// When the dashboard was asked for, in milliseconds since the page began to load.
    asked: StoredValue<f64>,
    /// Whether another wasm has taken the page over.
    retired: StoredValue<bool>,
    clock: TokenClock,
    /// Counts the messages with tokens and with filters, so that an answer about one does not overtake a later one's.
    heard: StoredValue<(u32, u32)>,
    /// The number of the token in use.
    kept: StoredValue<u32>,
    /// Whether the host knows that the token has ended.
    ended: StoredValue<bool>,
    told: StoredValue<Told>,
}

impl Bridge {
    /// The bridge of a page.
    #[must_use]
    pub fn new(session: Session, page: &EmbedPage) -> Self {
        Self {
            session,
            origin: StoredValue::new(page.parameters.parent_origin.clone()),
            board: RwSignal::new(None),
            known: StoredValue::new(String::new()),
            asked: StoredValue::new(0.0),
            retired: StoredValue::new(false),
            clock: TokenClock::new(),
            heard: StoredValue::new((0, 0)),
            kept: StoredValue::new(0),
            ended: StoredValue::new(false),
            told: StoredValue::new(Told::default()),
        }
    }

    /// The bridge of the page that the component stands on.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
    }

    /// Tells the host something; no error over and over.
    pub fn post(self, message: &Outgoing) {
        let now = parent::now();
        match message {
            Outgoing::Error { message, .. } if self.told.try_update_value(|told| told.admits(message, now)) != Some(true) => {
                return;
            }
            Outgoing::Session { state: "expired" } => self.ended.set_value(true),
            _ => {}
        }
        if let Some(origin) = self.origin.get_value() {
            parent::post(&origin, &message.to_json().to_string());
        }
    }

    /// Opens the bridge: the page answers to input now. `token` came before this page was built, to the one that it succeeds.
    pub fn open(self, token: Option<String>) {
        let page = self.session.page_untracked();
        let awaiting_token = page.content.content == PageContent::AwaitingToken;
        self.known.set_value(query::write(&query::read(&client::address().search).0));
        if let Some(origin) = self.origin.get_value() {
            parent::listen(origin, move |message| self.receive(message));
        }
        // A page that shows a message has nothing to lose when its token ends.
        if let Some(token) = client::token().filter(|_| session::application(&page.content).is_some()) {
            self.start_clock(&token);
        }
        if page.content.parameters.auto_height && self.origin.with_value(Option::is_some) {
            observe::content_height(move |height| self.post(&Outgoing::Height { height }));
        }
        // The server may know before the page's clock does that the token has ended: that stands still while a machine sleeps.
        Effect::new(move |_| {
            let message = PageContent::Message { message: PageMessage::SessionExpired };
            if self.session.page().content.content == message && !self.ended.get_value() {
                self.post(&Outgoing::Session { state: "expired" });
            }
        });
        if let Some(token) = token {
            return self.try_token(token);
        }
        self.post(&Outgoing::Ready { awaiting_token });
        self.tell_refused();
        if awaiting_token {
            set_timeout(move || self.lose_patience(), PATIENCE);
        }
    }

    /// Another dashboard is asked for: its time begins.
    pub fn asks(self) {
        self.asked.set_value(parent::now());
    }

    /// A dashboard was opened: the host hears of its filters, of its charts, and of every later change.
    pub fn watch(self, board: Board) {
        self.board.set(Some(board));
        Effect::new(move |_| {
            let search = board.filters.with(|filters| query::write(filters.active()));
            let source = board.source.get();
            if self.known.get_value() != search {
                self.tell_filters(search, source);
            }
        });
        Effect::new(move |told: Option<bool>| {
            let told = told.unwrap_or_default();
            if let Some(charts) = board.drawn().filter(|_| !told) {
                let duration = parent::now() - self.asked.get_value();
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds of a page's life")]
                let duration_ms = duration.max(0.0) as u64;
                self.post(&Outgoing::Loaded { duration_ms, charts });
                beacon::loaded(duration_ms, board.id.get_untracked());
                return true;
            }
            told
        });
        for tile in board.tiles.get_value() {
            let problem = Memo::new(move |_| tile.problem());
            Effect::new(move |_| {
                if let Some(message) = problem.get() {
                    self.post(&Outgoing::Error { code: Code::ChartFailed, message });
                }
            });
        }
    }

    fn tell_filters(self, search: String, source: Source) {
        address::show_filters(&search);
        self.known.set_value(search.clone());
        let source = match source {
            Source::User => "user",
            Source::Host => "host",
            Source::Default => "default",
        };
        self.post(&Outgoing::Params { search, source });
    }

    /// Names the address's parameters that could not be used.
    fn tell_refused(self) {
        let page = self.session.page_untracked();
        if session::application(&page.content).is_some() {
            for name in &page.content.parameters.refused {
                let message = format!("{name} is no parameter of this page, or its value cannot be used.");
                self.post(&Outgoing::Error { code: Code::InvalidParameter, message });
            }
        }
    }

    fn receive(self, message: Incoming) {
        if self.retired.get_value() {
            return;
        }
        match message {
            Incoming::SetToken(token) => self.try_token(token),
            Incoming::SetParams(search) => self.look_at_filters(search),
        }
    }

    /// Filters on columns are looked at by the server first: it alone knows the columns.
    fn look_at_filters(self, search: String) {
        let Some(board) = self.board.try_get_untracked().flatten() else { return };
        self.heard.update_value(|(_, filters)| *filters += 1);
        let number = self.heard.get_value().1;
        let (filters, _) = query::read(&search);
        if !filters.keys().any(|key| key.starts_with(OMNIBAR)) {
            return self.set_filters(&search, &[]);
        }
        let Some(request) = board.asked_with(filters) else { return };
        spawn_local(async move {
            // Out of reach: what is no column narrows nothing.
            let refused = embed::refused_filters(request).await.unwrap_or_default();
            if self.heard.get_value().1 == number {
                self.set_filters(&search, &refused);
            }
        });
    }

    fn set_filters(self, search: &str, no_columns: &[String]) {
        let Some(board) = self.board.try_get_untracked().flatten() else { return };
        let (mut filters, mut refused) = query::read(search);
        filters.retain(|key, _| !no_columns.contains(key));
        refused.extend_from_slice(no_columns);
        let Some(unknown) = board
            .filters
            .try_with_untracked(|state| filters.keys().filter(|key| !state.knows(key)).cloned().collect::<Vec<_>>())
        else {
            return;
        };
        refused.extend(unknown);
        for key in refused {
            let message = format!("{key} is no filter of this dashboard, or its value is none.");
            self.post(&Outgoing::Error { code: Code::InvalidParameter, message });
        }
        board.replace_filters(filters);
        // The host hears the state even when nothing changed; what the effect would tell is told here.
        let search = board.filters.with_untracked(|filters| query::write(filters.active()));
        self.tell_filters(search, Source::Host);
    }

    /// Takes a token that came by message, when it is good; the old one stays otherwise.
    fn try_token(self, token: String) {
        self.heard.update_value(|(tokens, _)| *tokens += 1);
        self.judge(self.heard.get_value().0, token);
    }

    fn judge(self, number: u32, token: String) {
        let viewer = session::application(&self.session.page_untracked().content).map(|view| (view.id, view.viewer));
        spawn_local(async move {
            let same = match viewer {
                None => Ok(false),
                Some((application, viewer)) => {
                    client::with_token(&token, embed::check_token(application)).await.map(|check| check.viewer == viewer)
                }
            };
            if number < self.kept.get_value() {
                // A later one was quicker.
                return;
            }
            let refused = match same {
                Ok(true) => {
                    self.kept.set_value(number);
                    return self.keep(token);
                }
                Ok(false) => {
                    self.kept.set_value(number);
                    self.start_afresh(&token).await
                }
                Err(refusal) => Some(refusal),
            };
            match refused {
                Some(refusal) if refusal.is_out_of_reach() => self.judge_later(number, token),
                Some(refusal) => self.post(&Outgoing::Error { code: Code::TokenRefused, message: refusal.0.message }),
                None => {}
            }
        });
    }

    /// The server is out of reach: the token is not to blame. It waits, unless another comes.
    fn judge_later(self, number: u32, token: String) {
        let again = move || {
            if self.heard.get_value().0 == number {
                self.judge(number, token);
            }
        };
        set_timeout(again, RETRY);
    }

    /// Another user, or no page yet: everything is asked for anew, with the address's filters. Gives why it did not come.
    async fn start_afresh(self, token: &str) -> Option<Refusal> {
        if !cfg!(feature = "edit") && lifetime::has_tools(token) {
            self.give_way(token).await;
            return None;
        }
        self.asks();
        match client::with_token(token, embed::open_page(client::address())).await {
            Ok(opened) => {
                self.keep(token.to_owned());
                theme::apply(&opened.style, &opened.title);
                self.session.show(opened.page);
                self.tell_refused();
                None
            }
            Err(refusal) => {
                let waits = session::application(&self.session.page_untracked().content).is_none();
                if waits {
                    self.session.refuse(&refusal);
                }
                Some(refusal)
            }
        }
    }

    /// This wasm holds no tools of editing: the one that does takes the page over.
    async fn give_way(self, token: &str) {
        self.retired.set_value(true);
        self.clock.stop();
        self.origin.set_value(None);
        let PageAddress { path, search } = client::address();
        if editor::open(token, &path, &search).await.is_err() {
            self.session.show_message(PageMessage::Unavailable);
        }
    }

    fn keep(self, token: String) {
        self.ended.set_value(false);
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
        let came = self.retired.get_value() || self.heard.get_value().0 > 0;
        if !came && self.session.page_untracked().content.content == PageContent::AwaitingToken {
            self.session.show_message(PageMessage::NoTokenReceived);
        }
    }
}
