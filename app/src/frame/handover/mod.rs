//! The hand-over of tokens between host and page, as a state machine: events in, effects out. It knows no browser, no clock and no
//! server. Times are milliseconds of a clock that never goes back.
//!
//! Rules (docs/spec/contract.md, sections 6, 10 and 12):
//! - A later token wins, whichever the server answers first. A refused one leaves the token in use.
//! - A server that is out of reach refuses nothing: the latest token is checked again.
//! - A token's life runs by its own claims from the moment it came.

mod state;
#[cfg(test)]
mod tests;

pub use state::State;

use inlay_contract::{frame::message::Out, ids::ProjectUserId, page::PageMessage, permissions::Permissions};

/// What the page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing yet: the first token comes by message.
    Waiting,
    /// A user's page.
    Open(Visitor),
    /// One sentence.
    Message(PageMessage),
}

/// Who a page is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visitor {
    /// The user.
    pub viewer: ProjectUserId,
    /// What the page offers them.
    pub permissions: Permissions,
}

/// What the server says of a token.
pub enum Verdict<T> {
    /// It is valid.
    Good(T),
    /// It is not.
    Refused {
        /// Why, for the host.
        reason: String,
        /// What a page without content shows.
        shows: PageMessage,
    },
    /// The server did not answer, or could not judge.
    OutOfReach,
}

/// What happens to a page.
pub enum Event {
    /// The page answers to input.
    Began {
        /// What it shows.
        standing: Standing,
        /// The token that it was drawn with.
        token: Option<String>,
        /// A token that came by message before this page took over; the host knows that the page is ready.
        handed: Option<String>,
    },
    /// The host sent a token.
    TokenHeard(String),
    /// The server answered `Effect::Check`.
    Checked(u32, Verdict<Visitor>),
    /// The server answered `Effect::Open`: what the page would show.
    Opened(u32, Verdict<Standing>),
    /// The timer of `Effect::Ring` for this time rang; late where the machine slept.
    Rang(f64),
    /// The page is looked at again, or the network is back.
    Woke,
    /// A request of the page itself made it show something else.
    Shows(Standing),
}

/// What is to be done, in order.
#[cfg_attr(test, derive(Clone, Debug, PartialEq))]
pub enum Effect {
    /// Post a message to the host.
    Post(Out),
    /// Post an `INVALID_PARAMETER` for each parameter of the address that cannot be used.
    NameRefused,
    /// Ask the server whose token it is.
    Check(u32, String),
    /// Ask the server for the page of the token's user.
    Open(u32, String),
    /// Show the page that the server just answered with.
    Reveal,
    /// Use this token from now on.
    Keep(String),
    /// Offer the same user other tools.
    Apply(Permissions),
    /// Let the wasm with the tools take the page over.
    GiveWay(String),
    /// Show a sentence in place of the page.
    Show(PageMessage),
    /// Send `Event::Rang` with the first number after the second: both in milliseconds.
    Ring(f64, f64),
}

/// Takes an event at a time; returns the new state and what is to be done.
#[must_use]
pub fn on(mut state: State, now: f64, event: Event) -> (State, Vec<Effect>) {
    let effects = state.handle(now, event);
    (state, effects)
}
