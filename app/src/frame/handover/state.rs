//! The state of the hand-over, and how each event changes it.

use super::event::{Effect, Event, PageState, Verdict, Visitor};
use crate::frame::lifetime::{self, Lifetime};
use inlay_contract::{
    frame::message::{ErrorCode, Out, SessionState},
    ids::ProjectUserId,
    page::PageMessage,
};

/// How long a page waits for its first token.
pub const PATIENCE: f64 = 15_000.0;
/// The first wait before a token is checked again. Each further wait is twice as long.
const FIRST_WAIT: f64 = 1_000.0;
const LONGEST_WAIT: f64 = 60_000.0;
/// How often the refusal of the same token is posted: this many times at once, then once a second.
const REFUSALS: f64 = 2.0;

/// A token that the server has not decided on yet.
struct Flight {
    number: u32,
    token: String,
    heard_at: f64,
    /// Whether the whole page is requested, and not only the token's user.
    opens: bool,
    /// Whether the page opens for the same user as before.
    resumes: bool,
    failures: u32,
    /// When the server is asked again. `None` while a request is in progress.
    again_at: Option<f64>,
}

/// The lifetime of the token in use.
#[derive(Clone, Copy)]
struct Clock {
    /// `None` once the host has been told.
    expiring_at: Option<f64>,
    expired_at: f64,
}

/// The state of the hand-over.
pub struct State {
    /// Whether this wasm has all tools that a page may need.
    has_tools: bool,
    page_state: PageState,
    /// The user of the page, also while it shows a message.
    viewer: Option<ProjectUserId>,
    token: Option<String>,
    patience_ends: Option<f64>,
    /// The number of the latest token.
    heard: u32,
    /// The number of the token in use.
    kept: u32,
    flights: Vec<Flight>,
    clock: Option<Clock>,
    /// Whether the host has been told that the session expired.
    ended: bool,
    /// Whether another wasm has replaced this one.
    retired: bool,
    /// The last refused token, how many more of its refusals may be posted, and since when.
    refused: Option<(String, f64, f64)>,
    /// When the timer fires next.
    rings_at: Option<f64>,
}

impl State {
    /// The state of a page that has not started. `has_tools`: its wasm has all tools that a page may need.
    #[must_use]
    pub const fn new(has_tools: bool) -> Self {
        Self {
            has_tools,
            page_state: PageState::Waiting,
            viewer: None,
            token: None,
            patience_ends: None,
            heard: 0,
            kept: 0,
            flights: Vec::new(),
            clock: None,
            ended: false,
            retired: false,
            refused: None,
            rings_at: None,
        }
    }

    /// Handles an event. Returns the effects.
    pub(super) fn handle(&mut self, now: f64, event: Event) -> Vec<Effect> {
        let mut effects = Vec::new();
        match event {
            // The other wasm gets it.
            Event::TokenHeard(token) if self.retired => effects.push(Effect::PassOn(token)),
            _ if self.retired => {}
            event => self.take(now, event, &mut effects),
        }
        if !self.retired {
            self.look(now, &mut effects);
            self.arm(now, &mut effects);
        }
        effects
    }

    fn take(&mut self, now: f64, event: Event, effects: &mut Vec<Effect>) {
        match event {
            Event::Began { page_state, token, handed } => self.begin(now, page_state, token, handed, effects),
            Event::TokenHeard(token) => self.hear(now, token, false, effects),
            Event::Checked(number, verdict) => {
                let Some(flight) = self.landed(number) else { return };
                match verdict {
                    Verdict::Good(visitor) => self.checked(flight, visitor, effects),
                    Verdict::Refused { reason, shows } => self.refuse(now, &flight, reason, shows, effects),
                    Verdict::OutOfReach => self.wait(now, flight),
                }
            }
            Event::Opened(number, verdict) => {
                let Some(flight) = self.landed(number) else { return };
                match verdict {
                    Verdict::Good(page_state) => self.opened(flight, page_state, effects),
                    Verdict::Refused { reason, shows } => self.refuse(now, &flight, reason, shows, effects),
                    Verdict::OutOfReach => self.wait(now, flight),
                }
            }
            Event::Rang(at) => {
                if self.rings_at == Some(at) {
                    self.rings_at = None;
                }
            }
            Event::Woke => {
                for flight in &mut self.flights {
                    flight.again_at = flight.again_at.map(|_| now);
                }
            }
            Event::Shows(page_state) => self.shows(page_state, effects),
        }
    }

    fn begin(
        &mut self,
        now: f64,
        page_state: PageState,
        token: Option<String>,
        handed: Option<String>,
        effects: &mut Vec<Effect>,
    ) {
        self.stands(page_state);
        if let (PageState::Open(_), Some(token)) = (page_state, token) {
            self.start_clock(now, &token);
            self.token = Some(token);
        }
        if let Some(handed) = handed {
            return self.hear(now, handed, true, effects);
        }
        effects.push(Effect::Post(Out::Ready { awaiting_token: page_state == PageState::Waiting }));
        effects.push(Effect::NameRefused);
        match page_state {
            PageState::Waiting => self.patience_ends = Some(now + PATIENCE),
            PageState::Message(PageMessage::SessionExpired) => self.end(effects),
            PageState::Open(_) | PageState::Message(_) => {}
        }
    }

    /// The page shows this now.
    const fn stands(&mut self, page_state: PageState) {
        self.page_state = page_state;
        if let PageState::Open(Visitor { viewer, .. }) = page_state {
            self.viewer = Some(viewer);
        }
    }

    fn hear(&mut self, now: f64, token: String, resumes: bool, effects: &mut Vec<Effect>) {
        if self.flights.iter().any(|flight| flight.number == self.heard && flight.token == token) {
            // A request for this token is in progress.
            return;
        }
        self.heard += 1;
        // Waiting tokens are out of date.
        self.flights.retain(|flight| flight.again_at.is_none());
        // A page without an earlier user cannot compare it with the token's user.
        let opens = matches!(self.page_state, PageState::Waiting | PageState::Message(PageMessage::NoTokenReceived));
        let flight = Flight { number: self.heard, token, heard_at: now, opens, resumes, failures: 0, again_at: None };
        self.send(flight, effects);
    }

    /// Asks the server about a token.
    fn send(&mut self, flight: Flight, effects: &mut Vec<Effect>) {
        if flight.opens && !self.has_tools && lifetime::has_tools(&flight.token) {
            return self.give_way(flight.token, flight.resumes, effects);
        }
        let (number, token) = (flight.number, flight.token.clone());
        effects.push(if flight.opens { Effect::Open(number, token, flight.resumes) } else { Effect::Check(number, token) });
        self.flights.push(flight);
    }

    /// The token that a response is for. `None` if the response is out of date.
    fn landed(&mut self, number: u32) -> Option<Flight> {
        let at = self.flights.iter().position(|flight| flight.number == number)?;
        Some(self.flights.remove(at))
    }

    fn checked(&mut self, flight: Flight, visitor: Visitor, effects: &mut Vec<Effect>) {
        if flight.number < self.kept {
            return;
        }
        match self.page_state {
            PageState::Open(before) if before.viewer == visitor.viewer => {
                let changed = before.permissions != visitor.permissions;
                if changed && !self.has_tools && visitor.permissions.has_tools() {
                    return self.give_way(flight.token, true, effects);
                }
                self.keep(flight, effects);
                if changed {
                    self.stands(PageState::Open(visitor));
                    effects.push(Effect::Apply(visitor.permissions));
                }
            }
            _ => {
                let resumes = self.viewer == Some(visitor.viewer);
                self.send(Flight { opens: true, resumes, failures: 0, ..flight }, effects);
            }
        }
    }

    fn opened(&mut self, flight: Flight, page_state: PageState, effects: &mut Vec<Effect>) {
        if flight.number < self.kept {
            return;
        }
        let same = page_state == self.page_state && matches!(page_state, PageState::Open(_));
        self.stands(page_state);
        self.patience_ends = None;
        self.keep(flight, effects);
        if !same {
            effects.extend([Effect::Reveal, Effect::NameRefused]);
            if !matches!(page_state, PageState::Open(_)) {
                self.clock = None;
            }
        }
    }

    /// Uses a token from now on. If it is already in use, its lifetime continues.
    fn keep(&mut self, flight: Flight, effects: &mut Vec<Effect>) {
        self.kept = flight.number;
        self.ended = false;
        if self.token.as_ref() != Some(&flight.token) || self.clock.is_none() {
            self.start_clock(flight.heard_at, &flight.token);
        }
        self.token = Some(flight.token.clone());
        effects.push(Effect::Keep(flight.token));
    }

    fn start_clock(&mut self, from: f64, token: &str) {
        self.clock = Lifetime::of(token).map(|life| Clock {
            expiring_at: Some(from + life.expiring.as_secs_f64() * 1000.0),
            expired_at: from + life.expired.as_secs_f64() * 1000.0,
        });
    }

    fn refuse(&mut self, now: f64, flight: &Flight, reason: String, shows: PageMessage, effects: &mut Vec<Effect>) {
        if self.is_told(now, &flight.token) {
            effects.push(Effect::Post(Out::Error { code: ErrorCode::TokenRefused, message: reason }));
        }
        let is_empty = matches!(self.page_state, PageState::Waiting | PageState::Message(PageMessage::NoTokenReceived));
        // Another token may still be good.
        if is_empty && self.flights.is_empty() {
            self.show(shows, effects);
        }
    }

    /// Whether the host is told that a token was refused. Limited if the host sends the same token repeatedly.
    fn is_told(&mut self, now: f64, token: &str) -> bool {
        let left = match &self.refused {
            Some((before, left, since)) if before == token => (left + (now - since) / 1000.0).min(REFUSALS),
            _ => REFUSALS,
        };
        let is_told = left >= 1.0;
        self.refused = Some((token.to_owned(), if is_told { left - 1.0 } else { left }, now));
        is_told
    }

    /// The server is not reachable: the latest token that it has not decided on waits, earlier ones are dropped.
    fn wait(&mut self, now: f64, mut flight: Flight) {
        if flight.number >= self.kept && self.flights.iter().all(|other| other.number < flight.number) {
            let wait = (FIRST_WAIT * f64::from(1_u32 << flight.failures.min(10))).min(LONGEST_WAIT);
            flight.failures += 1;
            flight.again_at = Some(now + wait);
            self.flights.push(flight);
        }
    }

    fn give_way(&mut self, token: String, resumes: bool, effects: &mut Vec<Effect>) {
        self.retired = true;
        effects.push(Effect::GiveWay(token, resumes));
    }

    /// The server's response changes what is shown.
    fn shows(&mut self, page_state: PageState, effects: &mut Vec<Effect>) {
        if page_state == self.page_state {
            return;
        }
        self.stands(page_state);
        if let PageState::Message(message) = page_state {
            self.clock = None;
            self.patience_ends = None;
            if message == PageMessage::SessionExpired {
                self.end(effects);
            }
        }
    }

    fn show(&mut self, message: PageMessage, effects: &mut Vec<Effect>) {
        effects.push(Effect::Show(message));
        self.shows(PageState::Message(message), effects);
    }

    /// The session has expired. The host is told once.
    fn end(&mut self, effects: &mut Vec<Effect>) {
        if !self.ended {
            self.ended = true;
            effects.push(Effect::Post(Out::Session { state: SessionState::Expired }));
        }
    }

    /// Does what is due.
    fn look(&mut self, now: f64, effects: &mut Vec<Effect>) {
        if self.patience_ends.is_some_and(|at| at <= now) {
            self.patience_ends = None;
            // A token that is being checked has been received.
            if self.page_state == PageState::Waiting && self.flights.is_empty() {
                self.show(PageMessage::NoTokenReceived, effects);
            }
        }
        if let Some(clock) = &mut self.clock {
            let ends = clock.expired_at <= now;
            if clock.expiring_at.is_some_and(|at| at <= now) {
                clock.expiring_at = None;
                effects.push(Effect::Post(Out::Session { state: SessionState::Expiring }));
            }
            if ends {
                self.show(PageMessage::SessionExpired, effects);
            }
        }
        if let Some(at) = self.flights.iter().position(|flight| flight.again_at.is_some_and(|at| at <= now)) {
            let flight = self.flights.remove(at);
            self.send(Flight { again_at: None, ..flight }, effects);
        }
    }

    /// Requests a timer if something is due before the next one fires.
    fn arm(&mut self, now: f64, effects: &mut Vec<Effect>) {
        let life = self.clock.map(|clock| clock.expiring_at.unwrap_or(clock.expired_at));
        let again = self.flights.iter().filter_map(|flight| flight.again_at);
        let next = again.chain(self.patience_ends).chain(life).reduce(f64::min);
        let Some(next) = next.filter(|_| !self.retired) else { return };
        if self.rings_at.is_none_or(|at| next < at) {
            self.rings_at = Some(next);
            effects.push(Effect::Ring(next, next - now));
        }
    }
}
