//! Text that the viewer has selected.

use leptos::prelude::window;

/// Whether any text is selected.
pub fn is_marked() -> bool {
    window().get_selection().ok().flatten().is_some_and(|selection| !selection.is_collapsed())
}
