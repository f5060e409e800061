//! What happens to a page, and what it does then.

use inlay_contract::{frame::message::Out, ids::ProjectUserId, page::PageMessage, permissions::Permissions};

/// What the page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageState {
    /// Nothing yet: the first token arrives by message.
    Waiting,
    /// A user's page.
    Open(Visitor),
    /// A single message.
    Message(PageMessage),
}

/// The user of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visitor {
    /// The user.
    pub viewer: ProjectUserId,
    /// What the page offers the user.
    pub permissions: Permissions,
}

/// The server's verdict on a token.
pub enum Verdict<T> {
    /// Valid.
    Good(T),
    /// Refused.
    Refused {
        /// The reason, for the host.
        reason: String,
        /// The message of a page without content.
        shows: PageMessage,
    },
    /// The server did not respond, or could not decide.
    OutOfReach,
}

/// An event of a page.
pub enum Event {
    /// The page is interactive.
    Began {
        /// What it shows.
        page_state: PageState,
        /// The token that it was drawn with.
        token: Option<String>,
        /// A token that arrived by message before this wasm took over. The host already knows that the page is ready.
        handed: Option<String>,
    },
    /// The host sent a token.
    TokenHeard(String),
    /// The server answered `Effect::Check`.
    Checked(u32, Verdict<Visitor>),
    /// The server answered `Effect::Open` with what the page should show.
    Opened(u32, Verdict<PageState>),
    /// The timer of `Effect::Ring` fired for this time. It may be late if the machine was asleep.
    Rang(f64),
    /// The page became visible, or the network is back.
    Woke,
    /// A request of the page itself changed what it shows.
    Shows(PageState),
}

/// An effect. Effects are carried out in order.
#[cfg_attr(test, derive(Clone, Debug, PartialEq))]
pub enum Effect {
    /// Post a message to the host.
    Post(Out),
    /// Post an `INVALID_PARAMETER` for each invalid parameter of the address that has not been posted yet.
    NameRefused,
    /// Ask the server for the token's user.
    Check(u32, String),
    /// Ask the server for the page of the token's user. If that is the user of the page before, with what they had open.
    Open(u32, String, bool),
    /// Show the page that the server just returned.
    Reveal,
    /// Use this token from now on.
    Keep(String),
    /// Apply new permissions of the same user.
    Apply(Permissions),
    /// Let the wasm with the tools replace this one. If the token's user is the user of this page, with what they have open.
    GiveWay(String, bool),
    /// A token for the wasm that replaces this one.
    PassOn(String),
    /// Replace the page with a message.
    Show(PageMessage),
    /// Send `Event::Rang` with the first number after as many milliseconds as the second.
    Ring(f64, f64),
}
