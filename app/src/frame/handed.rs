//! What one wasm hands to the other, when a page that is open gets the editing tools.

use super::content::Resumed;
use crate::calls::PageAddress;
use serde::{Deserialize, Serialize};

/// What the wasm with the tools takes over from the one without.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Handed {
    /// The token that arrived by message.
    pub token: String,
    /// A token that arrived later.
    pub later: Option<String>,
    /// The page's address, as the host gave it.
    pub address: PageAddress,
    /// The parameters of the address that the host has been told about.
    pub named: Vec<String>,
    /// What was open.
    pub resumed: Resumed,
}
