//! The hand-over of tokens between host and page, as a state machine with events and effects. It uses no browser, clock or
//! server. Times are milliseconds of a monotonic clock.
//!
//! Rules (docs/spec/contract.md, sections 6, 10 and 12):
//! - A later token wins, whichever response arrives first. A refused token does not replace the one in use.
//! - If the server is not reachable, nothing is refused: the latest token is checked again.
//! - A token's lifetime is taken from its claims and starts when it arrives.

mod event;
mod state;
#[cfg(test)]
mod tests;

pub use event::{Effect, Event, PageState, Verdict, Visitor};
pub use state::State;

/// Handles an event. Returns the new state and the effects.
#[must_use]
pub fn on(mut state: State, now: f64, event: Event) -> (State, Vec<Effect>) {
    let effects = state.handle(now, event);
    (state, effects)
}
