//! Icons: 16 × 16 px, in the colour of the text beside them, hidden from screen readers.

use super::html::{Html, IntoHtml};
use leptos::prelude::*;

macro_rules! icons {
    ($($name:ident $path:literal),+ $(,)?) => {
        /// An icon.
        #[derive(Clone, Copy, Debug)]
        #[expect(missing_docs, reason = "the names say what they show")]
        pub enum Icon { $($name),+ }

        impl Icon {
            const fn path(self) -> &'static str {
                match self { $(Self::$name => $path),+ }
            }
        }
    };
}

icons! {
    Mark "M2.5 12.5v-4M6.2 12.5v-7M9.8 12.5v-5M13.5 12.5v-9",
    Menu "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
    Chevron "M5 6.5 8 9.5l3-3",
    Back "M9.5 4 5.5 8l4 4",
    Home "M2.5 7.5 8 3l5.5 4.5v5.5h-11z",
    Folder "M2 4.5h4l1.5 1.5H14v6.5H2z",
    People "M6 8a2.2 2.2 0 1 0 0-4.4A2.2 2.2 0 0 0 6 8m-4 5c.3-2 1.9-3 4-3s3.700 1 4 3M11 8a1.800 1.800 0 1 0-.4-3.500M11.500 10.200c1.500.2 2.400 1.100 2.600 2.800",
    Person "M8 7.500a2.400 2.400 0 1 0 0-4.800 2.400 2.400 0 0 0 0 4.800M3.500 13.500c.3-2.500 2-3.800 4.500-3.800s4.200 1.300 4.500 3.800",
    Key "M9.500 9a3.200 3.200 0 1 0-2.500-2.500L2.500 11v2.500H5l.500-1.500H7l.5-1.500z",
    Chart "M2.500 13.500h11M4.500 11V8M8 11V4M11.500 11V6",
    List "M5.500 4.500h8M5.500 8h8M5.500 11.500h8M2.500 4.500h.01M2.500 8h.01M2.500 11.500h.01",
    Database "M2.500 4.500c0 2.500 11 2.500 11 0s-11-2.500-11 0v7c0 2.500 11 2.500 11 0v-7M2.500 8c0 2.500 11 2.500 11 0",
    Model "M2.500 3h4.500v3.500H2.500zM9 9.500h4.500V13H9zM4.700 6.500v4.700H9",
    Shield "M8 2 3 4v4c0 3 2 5 5 6 3-1 5-3 5-6V4z",
    Grid "M2.500 2.500h4.500v4.500H2.500zM9 2.500h4.500v4.500H9zM2.500 9h4.500v4.500H2.500zM9 9h4.500v4.500H9z",
    Code "M5.500 5 2.500 8l3 3M10.500 5l3 3-3 3",
    File "M4 2h5l3 3v9H4zM9 2v3h3",
    Arrow "M2.500 8h10M9 4.500 12.500 8 9 11.500",
    Chat "M2.500 3.500h11v7.500H7l-3 2.500V11H2.500z",
    Spark "M8 2.500 9.300 6.700 13.500 8 9.300 9.300 8 13.500 6.700 9.300 2.500 8 6.700 6.700z",
    Pulse "M2 8.500h3l2-5 3 9 1.800-4H14",
    Heart "M8 13.500 2.900 8.200a3.200 3.200 0 0 1 0-4.500 3.200 3.200 0 0 1 4.500 0L8 4.300l.600-.600a3.200 3.200 0 0 1 4.500 0 3.200 3.200 0 0 1 0 4.500z",
    Leave "M6.500 3h-4v10h4M6 8h7.500M10.500 5l3 3-3 3",
}

/// Draws an icon.
#[must_use]
pub fn svg(icon: Icon) -> Html {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d=icon.path() /></svg>
    }
    .html()
}
