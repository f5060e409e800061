//! The state and the requests of the dialog.

use crate::{
    browser::focus,
    calls::{
        Refusal, Target,
        reports::{self, Answer, Ask},
    },
    session::Session,
    tile::board::Board,
};
use inlay_contract::{
    code::Code,
    ids::ReportId,
    report::{AlertCondition, Format, Report, ReportEdit, Reports, Run, Side},
};
use leptos::{html, prelude::*, task::spawn_local};

/// The view of the dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogView {
    /// The list is loading.
    Loading,
    /// All reports.
    List,
    /// The form of one report.
    Form,
    /// The runs of one report.
    History(ReportId),
}

/// A report in the form.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The report that is edited. `None` for a new one.
    pub id: Option<ReportId>,
    /// Its settings.
    pub edit: ReportEdit,
    /// The recipients as typed.
    pub recipients: String,
}

/// The dialog's state. Provided as context if the viewer may have reports.
#[derive(Clone, Copy)]
pub struct ReportsDialog {
    /// The dashboard.
    pub board: Board,
    session: Session,
    /// The labels of the dashboard's filters, by full key.
    pub labels: StoredValue<Vec<(String, String)>>,
    /// The button that opens the dialog. It gets the focus when the dialog closes.
    pub opener: NodeRef<html::Button>,
    /// Whether the dialog is open.
    pub open: RwSignal<bool>,
    /// The current view.
    pub shown: RwSignal<DialogView>,
    /// The viewer's reports, once they are loaded.
    pub reports: RwSignal<Option<Reports>>,
    /// The report in the form.
    pub draft: RwSignal<Option<Draft>>,
    /// The next runs of the schedule in the form, or why it is not valid.
    pub coming: RwSignal<Result<Vec<String>, String>>,
    /// The runs in the history.
    pub runs: RwSignal<Vec<Run>>,
    /// The error to show.
    pub problem: RwSignal<Option<String>>,
    /// The confirmation to show.
    pub said: RwSignal<String>,
    /// Whether a request is in progress.
    pub busy: RwSignal<bool>,
    /// The report whose deletion needs to be confirmed.
    pub doomed: RwSignal<Option<ReportId>>,
}

impl ReportsDialog {
    /// A closed dialog.
    pub fn new(board: Board, session: Session, labels: Vec<(String, String)>) -> Self {
        Self {
            board,
            session,
            labels: StoredValue::new(labels),
            opener: NodeRef::new(),
            open: RwSignal::new(false),
            shown: RwSignal::new(DialogView::Loading),
            reports: RwSignal::new(None),
            draft: RwSignal::new(None),
            coming: RwSignal::new(Ok(Vec::new())),
            runs: RwSignal::new(Vec::new()),
            problem: RwSignal::new(None),
            said: RwSignal::new(String::new()),
            busy: RwSignal::new(false),
            doomed: RwSignal::new(None),
        }
    }

    /// Opens the dialog with the list, or with the form if there are no reports.
    pub fn enter(self) {
        self.show(DialogView::Loading);
        self.open.set(true);
        self.ask(Ask::List, move |answer| {
            if let Answer::Reports(reports) = answer {
                let none = reports.reports.is_empty();
                self.reports.set(Some(*reports));
                if none { self.write(None) } else { self.show(DialogView::List) }
            }
        });
    }

    /// Closes the dialog.
    pub fn leave(self) {
        self.open.set(false);
        // An element behind an open dialog cannot get the focus.
        request_animation_frame(move || focus::on(self.opener));
    }

    /// Switches the view.
    pub fn show(self, shown: DialogView) {
        self.problem.set(None);
        self.said.set(String::new());
        self.doomed.set(None);
        self.shown.set(shown);
    }

    /// Opens the form, for a new report or an existing one.
    pub fn write(self, report: Option<&Report>) {
        let draft = match report {
            Some(report) => {
                Draft { id: Some(report.id), edit: report.edit.clone(), recipients: report.edit.recipients.join("\n") }
            }
            None => Draft { id: None, edit: self.blank(), recipients: String::new() },
        };
        self.draft.set(Some(draft));
        self.show(DialogView::Form);
        self.look_ahead();
    }

    /// Opens the form for an alert on the dashboard's first number.
    pub fn write_alert(self) {
        self.write(None);
        let first =
            self.reports.with_untracked(|reports| reports.as_ref().and_then(|reports| reports.numbers.first().cloned()));
        let Some((chart, name)) = first else { return };
        self.change(|draft| {
            draft.edit.name = format!("Alert: {name}");
            draft.edit.subject = format!("Alert: {name}");
            draft.edit.cron = "0 * * * *".to_owned();
            draft.edit.condition = Some(AlertCondition { chart, side: Side::Above, threshold: 0.0 });
        });
        // Switching the view forces the form to be built again with the new values.
        self.shown.set(DialogView::Loading);
        self.show(DialogView::Form);
        self.look_ahead();
    }

    fn blank(self) -> ReportEdit {
        let name = self.board.name.get_untracked();
        let scope = self.board.scope();
        ReportEdit {
            subject: name.clone(),
            name,
            recipients: Vec::new(),
            cron: "0 8 * * MON".to_owned(),
            timezone: scope.timezone,
            locale: scope.locale,
            message: String::new(),
            format: Format::Link,
            filters: self.board.filters.with_untracked(|filters| filters.active().clone()),
            condition: None,
        }
    }

    /// Changes the report in the form.
    pub fn change(self, change: impl FnOnce(&mut Draft)) {
        self.draft.update(|draft| {
            if let Some(draft) = draft {
                change(draft);
            }
        });
    }

    /// Requests the next runs of the schedule in the form.
    pub fn look_ahead(self) {
        let Some(Draft { edit: ReportEdit { cron, timezone, .. }, .. }) = self.draft.get_untracked() else { return };
        let asked = (cron.clone(), timezone.clone());
        let target = self.target();
        spawn_local(async move {
            let answer = reports::ask_reports(target, Ask::Coming { cron, timezone }).await;
            let still = self.draft.try_get_untracked().flatten();
            if still.is_none_or(|draft| (draft.edit.cron, draft.edit.timezone) != asked) {
                return;
            }
            match answer {
                Ok(Answer::Coming(coming)) => self.coming.set(Ok(coming)),
                Ok(_) => {}
                Err(refusal) => self.coming.set(Err(refusal.0.message)),
            }
        });
    }

    /// Saves the report in the form.
    pub fn save(self) {
        let Some(Draft { id, mut edit, recipients }) = self.draft.get_untracked() else { return };
        edit.recipients =
            recipients.split([',', ';', '\n', ' ']).filter(|part| !part.trim().is_empty()).map(str::to_owned).collect();
        let made = id.is_none();
        self.ask(Ask::Save { id, edit: Box::new(edit) }, move |answer| {
            self.keep(answer);
            self.show(DialogView::List);
            self.said.set(if made { "Scheduled" } else { "Saved" }.to_owned());
        });
    }

    /// Pauses or resumes a report.
    pub fn pause(self, id: ReportId, rests: bool) {
        self.ask(Ask::Pause { id, rests }, move |answer| {
            self.keep(answer);
            self.said.set(if rests { "Paused" } else { "Resumed" }.to_owned());
        });
    }

    /// Runs a report now.
    pub fn run_now(self, id: ReportId) {
        self.ask(Ask::RunNow { id }, move |answer| {
            self.keep(answer);
            self.said.set("Run started. Its history shows the result.".to_owned());
        });
    }

    /// Deletes a report. The first click only asks for confirmation.
    pub fn remove(self, id: ReportId) {
        if self.doomed.get_untracked() != Some(id) {
            self.doomed.set(Some(id));
            return;
        }
        self.ask(Ask::Remove { id }, move |_| {
            self.reports.update(|reports| {
                if let Some(reports) = reports {
                    reports.reports.retain(|report| report.id != id);
                }
            });
            self.doomed.set(None);
            self.said.set("Deleted".to_owned());
        });
    }

    /// Opens a report's history.
    pub fn look_back(self, id: ReportId) {
        self.ask(Ask::History { id }, move |answer| {
            if let Answer::Runs(runs) = answer {
                self.runs.set(runs);
                self.show(DialogView::History(id));
            }
        });
    }

    /// Replaces a report in the list.
    fn keep(self, answer: Answer) {
        let Answer::Report(report) = answer else { return };
        self.reports.update(|reports| {
            let Some(reports) = reports else { return };
            match reports.reports.iter_mut().find(|known| known.id == report.id) {
                Some(known) => *known = *report,
                None => reports.reports.push(*report),
            }
        });
    }

    fn target(self) -> Target {
        Target { scope: self.board.scope(), dashboard: self.board.id.get_untracked() }
    }

    fn ask(self, ask: Ask, then: impl FnOnce(Answer) + 'static) {
        self.busy.set(true);
        self.problem.set(None);
        let target = self.target();
        spawn_local(async move {
            let answer = reports::ask_reports(target, ask).await;
            if self.busy.try_set(false).is_some() {
                return;
            }
            match answer {
                Ok(answer) => then(answer),
                Err(refusal) => self.refuse(refusal),
            }
        });
    }

    fn refuse(self, refusal: Refusal) {
        // If a report no longer exists, the page stays.
        if refusal.0.code == Code::NotFound || !self.session.refuse(&refusal) {
            self.problem.set(Some(refusal.0.message));
        }
    }
}
