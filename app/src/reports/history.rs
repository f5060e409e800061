//! The runs of a report.

use super::{dialog_state::ReportsDialog, list::count};
use crate::ui::part::{IntoLatePart, IntoParts, Part};
use inlay_contract::{
    ids::ReportId,
    report::{Run, RunState},
};
use leptos::prelude::*;

/// The runs, newest first.
pub fn runs(dialog: ReportsDialog, report: ReportId) -> Part {
    let name = dialog.reports.with_untracked(|known| {
        let found = known.as_ref().and_then(|known| known.reports.iter().find(|known| known.id == report));
        found.map(|report| report.edit.name.clone()).unwrap_or_default()
    });
    let rows = move || dialog.runs.get().into_iter().map(row).parts();
    let none = move || dialog.runs.with(Vec::is_empty).then(|| view! { <p class="report-quiet">"No runs yet."</p> }.late());
    view! {
        <h3 class="report-title">"History of "{name}</h3>
        {none}
        <ol class="report-runs" aria-label="Runs">{rows}</ol>
    }
    .late()
}

fn row(run: Run) -> Part {
    let failed =
        run.failed.iter().map(|(address, problem)| view! { <li>{format!("{address}: {problem}")}</li> }.late()).parts();
    let how = match run.state {
        RunState::Waiting => "Running".to_owned(),
        RunState::Done => format!("Sent, {}", count(run.sent)),
        RunState::Quiet => "Condition not met".to_owned(),
        RunState::Failed => "Failed".to_owned(),
    };
    view! {
        <li data-state=run.state.name()>
            <p><strong>{run.at}</strong>{run.by_hand.then_some(" · started manually")}" · "{how}</p>
            {run.problem.map(|problem| view! { <p class="report-failed">{problem}</p> })}
            <ul class="report-failed">{failed}</ul>
        </li>
    }
    .late()
}
