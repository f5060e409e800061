//! Icons: 16 × 16 px, in the colour of the text beside them, hidden from screen readers.

use super::part::{IntoPart, Part};
use leptos::prelude::*;

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident $path:literal),+ $(,)?) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name() -> $crate::ui::part::Part {
            $crate::ui::icons::icon($path)
        }
    )+};
}

pub(crate) use icons;

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
    /// More: three dots.
    more "M3.5 8h.01M8 8h.01M12.5 8h.01",
    /// Opens a list.
    chevron_down "M4 6.5 8 10l4-3.5",
    /// A tick.
    check "M3.5 8.5 6.5 11.5 12.5 5",
    /// A table.
    rows "M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11M6.5 6.5v6",
    /// A chart.
    columns "M3.5 12.5v-4M8 12.5v-9M12.5 12.5v-6",
    /// Download.
    download "M8 2.5v7M5 7l3 3 3-3M2.5 12.5v1h11v-1",
    /// A picture.
    picture "M2.5 3.5h11v9h-11zM3 11l3-3 2.5 2.5L11 8l2.5 2.5M5.5 6h.01",
    /// Saved views.
    bookmark "M4.5 2.5h7v11L8 11l-3.5 2.5z",
    /// Close or remove.
    cross "M4.5 4.5l7 7M11.5 4.5l-7 7",
    /// Dashboards.
    dashboard "M2.5 2.5h4.5v6h-4.5zM9 2.5h4.5v3.5H9zM9 8h4.5v5.5H9zM2.5 10.5h4.5v3h-4.5z",
    /// An error.
    alert "M8 2.5 14 13H2zM8 6.5v3M8 11.4h.01",
    /// An increase.
    trend_up "M4.5 11.5l7-7M6 4.5h5.5V10",
    /// A decrease.
    trend_down "M4.5 4.5l7 7M6 11.5h5.5V6",
    /// Add.
    plus "M8 3v10M3 8h10",
    /// Edit.
    pencil "M3 13l.6-2.6 7.6-7.6 2 2-7.6 7.6zM10 4l2 2",
    /// Delete.
    bin "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9M6.8 7v4M9.2 7v4",
    /// Copy.
    copy "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
    /// Default.
    star "M8 2.5l1.7 3.5 3.8.5-2.8 2.7.7 3.8L8 11.2 4.6 13l.7-3.8L2.5 6.5 6.3 6z",
    /// Undo.
    undo "M5.5 3 2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8h-3",
    /// Redo.
    redo "M10.5 3l3 3-3 3M13.5 6h-7a4 4 0 0 0 0 8h3",
    /// A handle to move something.
    grip "M6 3.5h.01M6 8h.01M6 12.5h.01M10 3.5h.01M10 8h.01M10 12.5h.01",
    /// A time.
    clock "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 4.5V8l2.5 1.5",
    /// Search.
    magnifier "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5l3 3",
    /// Filter.
    funnel "M2.5 3.5h11L9.5 8.5v4l-3 1v-5z",
    /// Drill down.
    drill "M6.5 11.5a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10 10l4 4M4.5 6.5h4M6.5 4.5v4",
    /// AI.
    spark "M8 2.5l1.3 3.7 3.7 1.3-3.7 1.3L8 12.5 6.7 8.8 3 7.5l3.7-1.3zM13 11.5v2.5M11.8 12.7h2.5",
    /// Sorted in ascending order.
    arrow_up "M8 12.5v-9M4.5 7 8 3.5 11.5 7",
    /// Move down.
    arrow_down "M8 3.5v9M4.5 9 8 12.5 11.5 9",
    /// Move to the top.
    to_top "M8 13.5v-8M4.5 9 8 5.5 11.5 9M3 2.5h10",
    /// Move to the bottom.
    to_bottom "M8 2.5v8M4.5 7 8 10.5 11.5 7M3 13.5h10",
    /// The full width.
    full_width "M2.5 4.5h11v7h-11z",
    /// Half the width.
    half_width "M2.5 4.5h5v7h-5zM10 4.5h3.5v7H10",
}
