//! Scheduled reports and alerts of the open dashboard: the button in the header and its dialog. Pages whose viewer may not have
//! reports do not load this code.

mod cadence;
mod dialog_state;
mod form;
mod history;
mod list;

use crate::{
    filters::state,
    pages::opened::Opened,
    session::Session,
    tile::board::Board,
    ui::{
        dialog::Dialog,
        icons,
        part::{IntoLatePart, IntoPart, Part},
    },
};
use dialog_state::{DialogView, ReportsDialog};
use inlay_contract::{page::DashboardView, permissions::Flag};
use leptos::prelude::*;

/// Provides the reports of a dashboard as context, if the viewer may have them.
pub fn start(opened: Opened, board: Board, view: &DashboardView) {
    if opened.permissions().allows(Flag::EnableScheduleReport) {
        let labels = view.filters.iter().map(|filter| (state::full_key(filter), filter.label.clone())).collect();
        provide_context(ReportsDialog::new(board, Session::here(), labels));
    }
}

/// The button in the header.
pub fn button() -> Part {
    let Some(dialog) = use_context::<ReportsDialog>() else { return ().part() };
    view! {
        <button type="button" class="button" aria-haspopup="dialog" node_ref=dialog.opener on:click=move |_| dialog.enter()>
            {icons::clock()}
            "Schedule report"
        </button>
    }
    .part()
}

/// The dialog, while it is open.
pub fn dialog() -> Part {
    let Some(dialog) = use_context::<ReportsDialog>() else { return ().part() };
    let dialog = move || if dialog.open.get() { opened(dialog) } else { ().part() };
    dialog.part()
}

fn opened(dialog: ReportsDialog) -> Part {
    let content = view! {
        {move || dialog.problem.get().map(|problem| view! { <p class="report-problem" role="alert">{problem}</p> }.late())}
        <p class="report-said" role="status">{move || dialog.said.get()}</p>
        {move || match dialog.shown.get() {
            DialogView::Loading => view! { <p class="report-quiet">"Loading…"</p> }.late(),
            DialogView::List => list::all(dialog),
            DialogView::Form => form::form(dialog),
            DialogView::History(report) => history::runs(dialog, report),
        }}
    };
    let buttons = move || match dialog.shown.get() {
        DialogView::Form => form::buttons(dialog),
        DialogView::History(_) => {
            view! { <button type="button" class="button" on:click=move |_| dialog.show(DialogView::List)>"Back"</button> }
                .late()
        }
        DialogView::Loading | DialogView::List => list::buttons(dialog),
    };
    let close = Callback::new(move |()| dialog.leave());
    let label = "Schedule report".to_owned();
    view! { <Dialog label form="wide" close content=content.late() buttons=buttons.late() /> }.late()
}
