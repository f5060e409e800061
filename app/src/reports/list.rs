//! The viewer's reports on the dashboard.

use super::dialog_state::{DialogView, ReportsDialog};
use crate::ui::part::{IntoLatePart, IntoParts, Part};
use inlay_contract::report::{Report, ReportState, RunState};
use leptos::prelude::*;

/// All reports.
pub fn all(dialog: ReportsDialog) -> Part {
    let rows = move || {
        let Some(known) = dialog.reports.get() else { return ().late() };
        let warning = (!known.mail).then(|| {
            view! { <p class="report-problem" role="alert">"No mail server is set up. Runs wait until the operator sets one up."</p> }
        });
        if known.reports.is_empty() {
            return view! { {warning} <p class="report-quiet">"No reports yet."</p> }.late();
        }
        let rows = known.reports.into_iter().map(|report| row(dialog, report)).parts();
        view! { {warning} <ul class="reports" aria-label="Reports">{rows}</ul> }.late()
    };
    rows.late()
}

fn row(dialog: ReportsDialog, report: Report) -> Part {
    let id = report.id;
    let rests = report.state != ReportState::Active;
    let (stands, last) = (standing(&report), last(&report));
    let recipients = report.edit.recipients.len();
    let whom = if recipients == 1 { "1 recipient".to_owned() } else { format!("{recipients} recipients") };
    let kind = if report.edit.condition.is_some() { "Alert" } else { "Report" };
    let name = report.edit.name.clone();
    let label = move |what: &str| format!("{what} {name}");
    let (edit, pause, run, history) =
        (label("Edit"), label(if rests { "Resume" } else { "Pause" }), label("Run"), label("History of"));
    let delete = label("Delete");
    let written = report.clone();
    let doomed = move || dialog.doomed.get() == Some(id);
    view! {
        <li class="report" data-state=report.state.name()>
            <div class="report-what">
                <h3>{report.edit.name.clone()}</h3>
                <p class="report-quiet">{kind}" · "{whom}" · "{report.edit.format.name().to_uppercase()}</p>
                <p class="report-stands">{stands}</p>
                {last.map(|(failed, text)| view! { <p class=if failed { "report-last report-failed" } else { "report-last" }>{text}</p> })}
            </div>
            <div class="report-tools">
                <button type="button" class="button" aria-label=run disabled=move || dialog.busy.get() on:click=move |_| dialog.run_now(id)>"Run now"</button>
                <button type="button" class="button" aria-label=pause disabled=move || dialog.busy.get() on:click=move |_| dialog.pause(id, !rests)>
                    {if rests { "Resume" } else { "Pause" }}
                </button>
                <button type="button" class="button" aria-label=edit on:click=move |_| dialog.write(Some(&written))>"Edit"</button>
                <button type="button" class="button button-quiet" aria-label=history on:click=move |_| dialog.look_back(id)>"History"</button>
                <button type="button" class="button button-quiet" aria-label=delete on:click=move |_| dialog.remove(id)>
                    {move || if doomed() { "Confirm deletion" } else { "Delete" }}
                </button>
            </div>
        </li>
    }
    .late()
}

/// When a report runs next.
fn standing(report: &Report) -> String {
    match (report.state, &report.next, &report.problem) {
        (ReportState::Active, Some(next), _) => format!("Next: {next}"),
        (ReportState::Active, None, _) => "No further runs.".to_owned(),
        (ReportState::Paused, ..) => "Paused".to_owned(),
        (ReportState::Stopped, _, problem) => format!("Stopped. {}", problem.as_deref().unwrap_or_default()),
    }
}

/// The result of the last run, and whether it failed.
fn last(report: &Report) -> Option<(bool, String)> {
    let run = report.last.as_ref()?;
    let problem = run.problem.as_deref().unwrap_or_default();
    Some(match run.state {
        RunState::Waiting if problem.is_empty() => (false, "Running…".to_owned()),
        RunState::Waiting => (true, format!("Waiting to retry. {problem}")),
        RunState::Done if problem.is_empty() => (false, format!("Sent {} · {}", run.at, count(run.sent))),
        RunState::Done => (true, format!("Sent {} · {} {problem}", run.at, count(run.sent))),
        RunState::Quiet => (false, format!("Checked {}: condition not met. {problem}", run.at)),
        RunState::Failed => (true, format!("Failed {}. {problem}", run.at)),
    })
}

/// The number of mails in words.
pub fn count(mails: u32) -> String {
    if mails == 1 { "1 mail".to_owned() } else { format!("{mails} mails") }
}

/// The buttons below the list.
pub fn buttons(dialog: ReportsDialog) -> Part {
    let watches = move || dialog.reports.with(|known| known.as_ref().is_some_and(|known| !known.numbers.is_empty()));
    let ready = move || dialog.shown.get() == DialogView::List;
    view! {
        {move || (ready() && watches()).then(|| view! {
            <button type="button" class="button" on:click=move |_| dialog.write_alert()>"New alert"</button>
        }.late())}
        {move || ready().then(|| view! {
            <button type="button" class="button button-main" on:click=move |_| dialog.write(None)>"New report"</button>
        }.late())}
    }
    .late()
}
