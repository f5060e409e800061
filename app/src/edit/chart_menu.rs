//! The items that the editing tools add to a chart's menu.

use super::{Editor, Open, arrange::Step};
use crate::{
    tile::model::TileState,
    ui::{
        icons,
        menu::MenuItem,
        part::{IntoPart, Part},
    },
};
use inlay_contract::{grid::COLUMNS, permissions::Flag};
use leptos::prelude::*;

/// The items. None if the viewer may not edit the dashboard.
#[must_use]
pub fn items(tile: TileState) -> Vec<MenuItem> {
    let Some(editor) = Editor::here() else { return Vec::new() };
    let mut items = Vec::new();
    if editor.allows(Flag::EditCharts) {
        items.push(MenuItem::new("Edit", icons::pencil(), move || editor.open(Open::Chart(tile.key))));
    }
    if editor.allows(Flag::RemoveChart) {
        items.push(MenuItem::new("Remove", icons::bin(), move || editor.remove(tile.key)));
    }
    items.extend(STEPS.map(|(label, step)| MenuItem {
        narrow: !matches!(step, Step::Top | Step::Bottom),
        ..MenuItem::new(label, icon(tile, step), move || editor.step_chart(tile.key, step))
    }));
    items
}

/// The items that move and resize a chart. All but the ways to the top and the bottom are for narrow pages, where it has no handle.
const STEPS: [(&str, Step); 6] = [
    ("Move to top", Step::Top),
    ("Move up", Step::Up),
    ("Move down", Step::Down),
    ("Move to bottom", Step::Bottom),
    ("Full width", Step::FullWidth),
    ("Half width", Step::HalfWidth),
];

/// The icon of a step. A width that the chart already has is ticked.
fn icon(tile: TileState, step: Step) -> Part {
    let ticked = move |width: u16, icon: fn() -> Part| {
        (move || if tile.place.get().w == width { icons::check() } else { icon() }).part()
    };
    match step {
        Step::Top => icons::to_top(),
        Step::Bottom => icons::to_bottom(),
        Step::Up => icons::arrow_up(),
        Step::Down => icons::arrow_down(),
        Step::FullWidth => ticked(COLUMNS, icons::full_width),
        Step::HalfWidth => ticked(COLUMNS / 2, icons::half_width),
    }
}
