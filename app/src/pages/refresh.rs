//! Asks for the rows of a dashboard or of single charts again, as often as their operator says, while somebody looks.

use crate::{
    browser::clock,
    tile::{board::Board, model::TileState},
    ui::{
        effect::effect,
        part::{IntoPart, Part},
    },
};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;

/// Milliseconds until a hidden page is looked at again.
const HIDDEN: u32 = 1_000;

/// What is refreshed together.
#[derive(Clone, Copy)]
struct Round {
    board: Board,
    /// A chart with seconds of its own. `None` for all others.
    chart: Option<TileState>,
    /// Milliseconds from one request to the next.
    wait: u32,
    /// When it was last refreshed.
    at: RwSignal<Option<String>>,
}

/// Milliseconds until charts with old rows are asked for again.
const STALE: u32 = 60_000;

/// Asks again for charts that show old rows, because their data source does not answer, until it does.
pub fn stale(board: Board) {
    effect(move || again_if_stale(board));
}

fn again_if_stale(board: Board) {
    let due = move || {
        if !board.is_open() {
            return;
        }
        let mut stale = board.tiles.get_value();
        stale.retain(|tile| tile.shown.with_untracked(|shown| shown.as_of().is_some()));
        if !document().hidden() {
            board.renew(stale, || {});
        }
        again_if_stale(board);
    };
    Timeout::new(STALE, due).forget();
}

/// Refreshes every chart that has seconds of its own.
pub fn charts(board: Board) {
    for tile in board.tiles.get_value() {
        if let Some(seconds) = tile.refresh {
            begin(Round { board, chart: Some(tile), wait: seconds.saturating_mul(1_000), at: tile.refreshed });
        }
    }
}

/// Refreshes the dashboard every so many seconds, and returns a note of its age for the header.
pub fn start(board: Board, seconds: u32) -> Part {
    let at = RwSignal::new(None::<String>);
    begin(Round { board, chart: None, wait: seconds.saturating_mul(1_000), at });
    let note = move || at.get().map_or_else(|| every(seconds), |time| format!("Updated {time}"));
    view! { <span class="header-status">{note}</span> }.part()
}

fn begin(round: Round) {
    effect(move || again(round, round.wait));
}

/// Refreshes once `rest` milliseconds are over, and then every `wait`. Ends when the dashboard is closed.
fn again(round: Round, rest: u32) {
    let Round { board, chart, wait, at } = round;
    let due = move || {
        if !board.is_open() {
            return;
        }
        if document().hidden() {
            return again(round, HIDDEN);
        }
        let tiles = chart.map_or_else(|| board.tiles.get_value(), |tile| vec![tile]);
        let tiles = tiles.into_iter().filter(|tile| tile.refresh.is_some() == chart.is_some()).collect();
        board.renew(tiles, move || drop(at.try_set(Some(clock::now()))));
        again(round, wait);
    };
    Timeout::new(rest, due).forget();
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
