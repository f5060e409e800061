//! What the page tells its server without waiting for an answer.

use crate::calls::client;
use inlay_contract::ids::DashboardId;
use leptos::prelude::*;

/// Tells how many milliseconds a dashboard took until every chart was drawn. What gets lost is not missed.
pub fn loaded(milliseconds: u64, dashboard: DashboardId) {
    if let Some(token) = client::token() {
        let told = format!("{milliseconds} {dashboard} {token}");
        let _ = window().navigator().send_beacon_with_opt_str("/share/loaded", Some(&told));
    }
}
