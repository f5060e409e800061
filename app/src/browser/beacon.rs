//! Reports to the server that need no response.

use crate::calls::client;
use inlay_contract::ids::DashboardId;
use leptos::prelude::*;

/// Reports how many milliseconds a dashboard took until every chart was drawn. A lost report is not sent again.
pub fn loaded(milliseconds: u64, dashboard: DashboardId) {
    if let Some(token) = client::token() {
        let told = format!("{milliseconds} {dashboard} {token}");
        let _ = window().navigator().send_beacon_with_opt_str("/share/loaded", Some(&told));
    }
}
