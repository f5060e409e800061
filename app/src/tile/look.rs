//! The look of the page's charts.

use leptos::prelude::*;

/// What a viewer reads when a definition does not fit its rows.
pub const UNFIT: &str = "This chart's settings do not match its data.";

/// How charts are written. Provided as context.
#[derive(Clone, Copy)]
pub struct Look {
    /// BCP 47; for numbers and dates.
    pub locale: StoredValue<String>,
}

impl Look {
    /// The look of the page that the component stands on.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
    }
}
