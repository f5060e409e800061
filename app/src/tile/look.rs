//! The look of the page's charts.

use leptos::prelude::*;

/// The message if a definition does not fit its rows.
pub const UNFIT: &str = "The settings of this chart do not match its data.";

/// The language of charts. Provided as context.
#[derive(Clone, Copy)]
pub struct Look {
    /// BCP 47; for numbers and dates.
    pub locale: StoredValue<String>,
}

impl Look {
    /// The component's look.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
    }
}
