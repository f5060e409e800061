//! The state of the editing tools: the open dialog, the state of the last save.

use crate::{
    calls::{Refusal, Scope},
    pages::opened::Opened,
    session::{self, Session},
    tile::board::Board,
};
use inlay_contract::{ids::ChartId, page::ApplicationView};
use leptos::prelude::*;

/// The dialog that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// The chart library.
    Library,
    /// The chart builder, for a new chart.
    Builder,
    /// The dialog for charts from a description.
    Described,
    /// The chart builder, for the chart with this key.
    Chart(ChartId),
    /// The dialog for filters.
    Filter,
    /// Rename the dashboard.
    Rename,
    /// Create a dashboard.
    Dashboard,
    /// Duplicate the dashboard.
    Duplicate,
    /// A save conflict.
    Conflict,
    /// The question before the viewer's own copy is deleted.
    Leave,
}

/// The state of the last save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// There was no save.
    Idle,
    /// In progress.
    Saving,
    /// It succeeded, with the text to show.
    Done(&'static str),
    /// It failed, with the reason.
    Unsaved(String),
    /// Another request failed, with the reason.
    Failed(String),
}

/// The tools of a page whose viewer may edit dashboards. Provided as context on each dashboard, their own or not.
#[derive(Clone, Copy)]
pub struct Tools {
    /// The application.
    pub opened: Opened,
    /// The open dialog.
    pub dialog: RwSignal<Option<Open>>,
    /// The state of the last save.
    pub status: RwSignal<Status>,
    /// The dashboard. `None` if the application has none for the viewer.
    pub board: Option<Board>,
    session: Session,
}

impl Tools {
    /// The tools of an application's page.
    #[must_use]
    pub fn new(opened: Opened, board: Option<Board>) -> Self {
        let (dialog, status) = (RwSignal::new(None), RwSignal::new(Status::Idle));
        Self { opened, dialog, status, board, session: Session::here() }
    }

    /// The component's tools. `None` if the viewer may not edit dashboards.
    #[must_use]
    pub fn here() -> Option<Self> {
        use_context()
    }

    /// The application, for requests.
    #[must_use]
    pub fn scope(self) -> Option<Scope> {
        let scope = |view: &ApplicationView| self.session.scope(view);
        self.opened.with_page(|page| session::application(page).map(scope))
    }

    /// Shows why a request failed.
    pub fn failed(self, refusal: &Refusal) {
        if !self.session.refuse(refusal) {
            let _ = self.status.try_set(Status::Failed(refusal.0.message.clone()));
        }
    }

    /// Opens a dialog.
    pub fn open(self, what: Open) {
        self.dialog.set(Some(what));
    }

    /// Closes the dialog.
    pub fn close(self) {
        self.dialog.set(None);
    }
}
