//! Scheduled reports and alerts of the open dashboard: the button in the header and its dialog. Pages whose viewer may not have
//! reports do not load this code.

mod cadence;
mod desk;
mod form;
mod history;
mod list;

use crate::{
    filters::state,
    pages::application::Opened,
    session::Session,
    tile::board::Board,
    ui::{
        dialog::Dialog,
        icons,
        part::{IntoLatePart, IntoPart, Part},
    },
};
use desk::{Desk, Shown};
use inlay_contract::{page::DashboardView, permissions::Flag};
use leptos::prelude::*;

/// Provides the reports of a dashboard as context, if the viewer may have them.
pub fn start(opened: Opened, board: Board, view: &DashboardView) {
    if opened.permissions().allows(Flag::EnableScheduleReport) {
        let labels = view.filters.iter().map(|filter| (state::full_key(filter), filter.label.clone())).collect();
        provide_context(Desk::new(board, Session::here(), labels));
    }
}

/// The button in the header.
pub fn button() -> Part {
    let Some(desk) = use_context::<Desk>() else { return ().part() };
    view! {
        <button type="button" class="button" aria-haspopup="dialog" node_ref=desk.opener on:click=move |_| desk.enter()>
            {icons::clock()}
            "Schedule report"
        </button>
    }
    .part()
}

/// The dialog, while it is open.
pub fn dialog() -> Part {
    let Some(desk) = use_context::<Desk>() else { return ().part() };
    let dialog = move || if desk.open.get() { opened(desk) } else { ().part() };
    dialog.part()
}

fn opened(desk: Desk) -> Part {
    let content = view! {
        {move || desk.problem.get().map(|problem| view! { <p class="report-problem" role="alert">{problem}</p> }.late())}
        <p class="report-said" role="status">{move || desk.said.get()}</p>
        {move || match desk.shown.get() {
            Shown::Loading => view! { <p class="report-quiet">"Loading…"</p> }.late(),
            Shown::List => list::all(desk),
            Shown::Form => form::form(desk),
            Shown::History(report) => history::runs(desk, report),
        }}
    };
    let buttons = move || match desk.shown.get() {
        Shown::Form => form::buttons(desk),
        Shown::History(_) => {
            view! { <button type="button" class="button" on:click=move |_| desk.show(Shown::List)>"Back"</button> }.late()
        }
        Shown::Loading | Shown::List => list::buttons(desk),
    };
    let close = Callback::new(move |()| desk.leave());
    let label = "Schedule report".to_owned();
    view! { <Dialog label form="wide" close content=content.late() buttons=buttons.late() /> }.late()
}
