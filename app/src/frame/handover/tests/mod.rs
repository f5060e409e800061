//! Tests of the hand-over in every order of events, with a clock that only a test moves.

mod life;
mod order;
mod users;

use super::{Effect, Event, PageState, State, Verdict, Visitor, on, state::PATIENCE};
use inlay_contract::{
    frame::message::{ErrorCode, Out, SessionState},
    ids::ProjectUserId,
    page::PageMessage::{self, InvalidToken, NoTokenReceived, SessionExpired},
    permissions::{Flag, Permissions, RolePermissions},
};
use serde_json::json;

const MINUTE: f64 = 60_000.0;

/// Unpadded base64url.
fn encoded(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits: Vec<u8> = text.bytes().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect();
    let letter = |six: &[u8]| {
        let value = (0..6).fold(0, |value, at| value << 1 | usize::from(six.get(at).copied().unwrap_or_default()));
        char::from(LETTERS[value])
    };
    bits.chunks(6).map(letter).collect()
}

/// A token of five minutes; the name tells tokens apart.
fn token(name: &str) -> String {
    token_with(name, viewer())
}

fn token_with(name: &str, permissions: Permissions) -> String {
    let claims = json!({"jti": name, "iat": 1_000_000, "exp": 1_000_300, "permissions": permissions});
    format!("e30.{}.x", encoded(&claims.to_string()))
}

fn viewer() -> Permissions {
    Permissions::without_role()
}

fn editor() -> Permissions {
    RolePermissions::from_iter([(Flag::EditCharts, true)]).resolve()
}

fn drills() -> Permissions {
    RolePermissions::from_iter([(Flag::DrillDown, true), (Flag::HideFilters, true)]).resolve()
}

fn user(number: u128) -> ProjectUserId {
    serde_json::from_value(json!(format!("01890000-0000-7000-8000-{number:012}"))).expect("an id")
}

/// A page of user 1 with these permissions.
fn open(permissions: Permissions) -> PageState {
    PageState::Open(Visitor { viewer: user(1), permissions })
}

fn good(number: u128) -> Verdict<Visitor> {
    Verdict::Good(Visitor { viewer: user(number), permissions: viewer() })
}

fn good_with(permissions: Permissions) -> Verdict<Visitor> {
    Verdict::Good(Visitor { viewer: user(1), permissions })
}

fn refused<T>() -> Verdict<T> {
    Verdict::Refused { reason: "Why".to_owned(), shows: InvalidToken }
}

fn session(state: SessionState) -> Effect {
    Effect::Post(Out::Session { state })
}

fn token_refused() -> Effect {
    Effect::Post(Out::Error { code: ErrorCode::TokenRefused, message: "Why".to_owned() })
}

fn keep(name: &str) -> Effect {
    Effect::Keep(token(name))
}

/// A page, its clock and its timers. Timers are not part of what a step returns.
struct World {
    state: Option<State>,
    now: f64,
    timers: Vec<f64>,
}

impl World {
    /// A page with this content, and its first effects.
    fn begins(has_tools: bool, page_state: PageState, token: Option<String>) -> (Self, Vec<Effect>) {
        let mut world = Self { state: Some(State::new(has_tools)), now: 1_000.0, timers: Vec::new() };
        let first = world.on(Event::Began { page_state, token, handed: None });
        (world, first)
    }

    fn waiting() -> Self {
        Self::begins(true, PageState::Waiting, None).0
    }

    /// A page of user 1 that was drawn with the token `first`.
    fn open() -> Self {
        Self::begins(true, open(viewer()), Some(token("first"))).0
    }

    /// A page whose token has expired.
    fn expired() -> Self {
        let mut world = Self::open();
        assert_eq!(world.pass(6.0 * MINUTE).last(), Some(&session(SessionState::Expired)));
        world
    }

    fn on(&mut self, event: Event) -> Vec<Effect> {
        let (state, effects) = on(self.state.take().expect("a state"), self.now, event);
        self.state = Some(state);
        let mut told = Vec::new();
        for effect in effects {
            match effect {
                Effect::Ring(at, after) => {
                    assert!((at - self.now - after).abs() < 1e-6 && after >= 0.0, "rings in {after}");
                    self.timers.push(at);
                }
                other => told.push(other),
            }
        }
        told
    }

    fn hear(&mut self, name: &str) -> Vec<Effect> {
        self.on(Event::TokenHeard(token(name)))
    }

    fn checked(&mut self, number: u32, verdict: Verdict<Visitor>) -> Vec<Effect> {
        self.on(Event::Checked(number, verdict))
    }

    fn opened(&mut self, number: u32, verdict: Verdict<PageState>) -> Vec<Effect> {
        self.on(Event::Opened(number, verdict))
    }

    /// Lets time pass. Timers fire when they are due.
    fn pass(&mut self, milliseconds: f64) -> Vec<Effect> {
        let end = self.now + milliseconds;
        let mut told = Vec::new();
        while let Some(next) = self.timers.iter().copied().reduce(f64::min).filter(|at| *at <= end) {
            self.timers.retain(|at| *at > next);
            self.now = self.now.max(next);
            told.extend(self.on(Event::Rang(next)));
        }
        self.now = end;
        told
    }

    /// The machine sleeps: the clock continues, timers stop.
    fn sleep(&mut self, milliseconds: f64) {
        self.now += milliseconds;
    }
}

fn check(number: u32, name: &str) -> Vec<Effect> {
    vec![Effect::Check(number, token(name))]
}

/// The page is requested for a first user, or another one.
fn open_with(number: u32, name: &str) -> Vec<Effect> {
    vec![Effect::Open(number, token(name), false)]
}

/// The page is requested for the user that it had before.
fn resume_with(number: u32, name: &str) -> Vec<Effect> {
    vec![Effect::Open(number, token(name), true)]
}
