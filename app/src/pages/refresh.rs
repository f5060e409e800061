//! Asks for a dashboard's rows again, as often as its operator says, while somebody looks.

use crate::{
    tile::board::Board,
    ui::{
        effect::effect,
        part::{IntoPart, Part},
    },
};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;

/// Milliseconds until a hidden page is looked at again.
const HIDDEN: u32 = 1_000;

/// Refreshes the dashboard every so many seconds, and returns a note of its age for the header.
pub fn start(board: Board, seconds: u32) -> Part {
    let at = RwSignal::new(None::<String>);
    let wait = seconds.saturating_mul(1_000);
    effect(move || again(board, wait, wait, at));
    let note = move || at.get().map_or_else(|| every(seconds), |time| format!("Updated {time}"));
    view! { <span class="header-status">{note}</span> }.part()
}

/// Refreshes once `rest` milliseconds are over, and then every `wait`. Ends when the dashboard is closed.
fn again(board: Board, wait: u32, rest: u32, at: RwSignal<Option<String>>) {
    let due = move || {
        if !board.is_open() {
            return;
        }
        if document().hidden() {
            return again(board, wait, HIDDEN, at);
        }
        board.renew(move || drop(at.try_set(Some(now()))));
        again(board, wait, wait, at);
    };
    Timeout::new(rest, due).forget();
}

/// The time of day, as `14:05`.
fn now() -> String {
    let now = js_sys::Date::new_0();
    format!("{:02}:{:02}", now.get_hours(), now.get_minutes())
}

fn every(seconds: u32) -> String {
    let (count, unit) = match seconds {
        hours if hours % 3_600 == 0 => (hours / 3_600, "hour"),
        minutes if minutes % 60 == 0 => (minutes / 60, "minute"),
        seconds => (seconds, "second"),
    };
    if count == 1 { format!("Refreshes every {unit}") } else { format!("Refreshes every {count} {unit}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_told_in_whole_units() {
        let told = [30, 60, 90, 300, 3_600, 7_200].map(every);
        let units = ["30 seconds", "minute", "90 seconds", "5 minutes", "hour", "2 hours"];
        assert_eq!(told, units.map(|unit| format!("Refreshes every {unit}")));
    }
}
