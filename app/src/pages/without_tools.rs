//! Replaces the tools in the wasm of pages that are only viewed.

use super::opened::Opened;
use crate::{
    tile::board::Board,
    ui::part::{IntoPart, Part},
};
use inlay_contract::page::DashboardView;

/// The assistant.
pub mod dashboard_assistant {
    use super::{Board, IntoPart, Opened, Part};

    pub fn start(_: Opened, _: Board) {}

    pub fn button() -> Part {
        ().part()
    }

    pub fn panel() -> Part {
        ().part()
    }
}

/// Scheduled reports.
pub mod reports {
    use super::{Board, DashboardView, IntoPart, Opened, Part};

    pub fn start(_: Opened, _: Board, _: &DashboardView) {}

    pub fn button() -> Part {
        ().part()
    }

    pub fn dialog() -> Part {
        ().part()
    }
}

/// The editing tools.
pub mod tools {
    use super::{Board, DashboardView, IntoPart, Opened, Part};
    use leptos::prelude::*;

    pub fn start(_: Opened, _: Board, _: &DashboardView) {}

    pub fn no_dashboard(_: Opened) -> Part {
        view! { <p class="content-note">"No dashboards yet."</p> }.part()
    }

    pub fn bar() -> Part {
        ().part()
    }

    pub fn buttons() -> Part {
        ().part()
    }

    pub fn empty() -> Part {
        view! { <p class="content-note">"No charts yet."</p> }.part()
    }

    pub fn added() -> Part {
        ().part()
    }

    pub fn dialogs() -> Part {
        ().part()
    }
}
