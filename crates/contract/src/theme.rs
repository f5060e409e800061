//! An application's theme (docs/spec/contract.md, section 8), as its operator sets it. Page and charts derive the rest.

pub mod oklch;
mod tokens;

use serde::{Deserialize, Serialize};

pub use tokens::ChartTheme;

/// Colours are CSS hex colours (`#0b5fff`). A missing value uses Inlay's default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Theme {
    /// The accent: buttons, focus, the first series.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub primary: Option<String>,
    /// The page's background; a dark one makes the page dark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub background: Option<String>,
    /// The colour of text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A font family's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub font: Option<String>,
    /// Corner radius of cards, in CSS pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<u8>,
    /// The spacing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Density>,
    /// The colours of series, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub palette: Vec<String>,
}

/// The spacing of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Density {
    /// Controls 32 px high.
    #[default]
    Regular,
    /// Controls 28 px high.
    Compact,
}
