//! Icons: 16 × 16 px, drawn in the colour of the text beside them, unseen by screen readers.

use super::part::{IntoPart, Part};
use leptos::prelude::*;

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident $path:literal),+ $(,)?) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name() -> Part {
            icon($path)
        }
    )+};
}

/// An icon by its path.
pub(crate) fn icon(path: &'static str) -> Part {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d=path />
        </svg>
    }
    .part()
}

icons! {
    /// Three dots in a row: more.
    more "M3.5 8h.01M8 8h.01M12.5 8h.01",
    /// Points down: opens a list.
    chevron_down "M4 6.5 8 10l4-3.5",
    /// A tick.
    check "M3.5 8.5 6.5 11.5 12.5 5",
    /// A table.
    rows "M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11M6.5 6.5v6",
    /// A chart.
    columns "M3.5 12.5v-4M8 12.5v-9M12.5 12.5v-6",
    /// An arrow into a tray.
    download "M8 2.5v7M5 7l3 3 3-3M2.5 12.5v1h11v-1",
    /// A picture.
    picture "M2.5 3.5h11v9h-11zM3 11l3-3 2.5 2.5L11 8l2.5 2.5M5.5 6h.01",
    /// A cross.
    cross "M4.5 4.5l7 7M11.5 4.5l-7 7",
    /// Dashboards.
    dashboard "M2.5 2.5h4.5v6h-4.5zM9 2.5h4.5v3.5H9zM9 8h4.5v5.5H9zM2.5 10.5h4.5v3h-4.5z",
    /// Something went wrong.
    alert "M8 2.5 14 13H2zM8 6.5v3M8 11.4h.01",
    /// More than before.
    trend_up "M4.5 11.5l7-7M6 4.5h5.5V10",
    /// Less than before.
    trend_down "M4.5 4.5l7 7M6 11.5h5.5V6",
    /// Sorted upwards.
    arrow_up "M8 12.5v-9M4.5 7 8 3.5 11.5 7",
}
