//! Reports, managed by their owners. The organization must have scheduled reports, and the owner's current role must allow
//! them. Other users' reports are not found.

use super::planning;
use crate::{
    concepts::{
        access::Viewer,
        customers,
        dashboards::{self, Dashboard, writer::Writer},
        reports::{
            self, Rules, StoredReport, alert,
            cadence::Cadence,
            checks::{is_locale, one_line, refusal, sentence, shortened, text},
            require_enabled,
            runs::{self, StoredRun},
        },
    },
    ground::{
        audit::{self, Actor, Deed},
        error::{Code, Error, Result},
        mail::{self, Address},
        problems::Problems,
        state::App,
        store::{Conn, Tx},
        time::Timestamp,
    },
};
use inlay_contract::{
    ids::ReportId,
    permissions::Flag,
    report::{Format, Report, ReportEdit, ReportState, Reports, Run, RunState},
};
use serde_json::Value;
use std::time::Duration;

/// The maximum length of a name, in characters.
const LONGEST_NAME: usize = 120;

/// The maximum length of a message, in characters.
const LONGEST_MESSAGE: usize = 5_000;

/// The number of runs in the history.
const SHOWN_RUNS: i64 = 50;

/// The number of upcoming runs in the dialog.
const COMING: usize = 5;

/// The minimum time between two manual runs.
const BETWEEN_RUNS_BY_HAND: Duration = Duration::from_secs(60);

/// An owner at a dashboard that they see.
pub struct Desk<'a> {
    /// The service.
    pub app: &'a App,
    /// The owner.
    pub viewer: &'a Viewer,
    /// The dashboard.
    pub dashboard: &'a Dashboard,
    /// The owner as actor, for the audit log.
    pub actor: &'a Actor,
}

impl Desk<'_> {
    /// The owner's reports on the dashboard.
    ///
    /// # Errors
    ///
    /// 403 `REPORTS_DISABLED` or `PERMISSION_DENIED`.
    pub async fn list(&self) -> Result<Reports> {
        let mut lease = self.app.db.read().await?;
        let conn = &mut lease.conn();
        let rules = self.admitted(conn).await?;
        let mut stored = reports::of_owner(conn, self.viewer.user, self.dashboard.id).await?;
        if let Some(replaced) = self.dashboard.replaces {
            stored.extend(reports::of_owner(conn, self.viewer.user, replaced).await?);
        }
        let mut reports = Vec::with_capacity(stored.len());
        for report in stored {
            reports.push(shown(conn, report).await?);
        }
        let charts = dashboards::charts_on(conn, self.dashboard.id).await?;
        let numbers = charts.into_iter().map(|placed| placed.chart).filter(|chart| alert::may_watch(chart.definition.kind));
        let most = u32::try_from(self.app.settings.reports.report_recipients).unwrap_or(u32::MAX);
        Ok(Reports {
            reports,
            domains: rules.recipient_domains,
            most_recipients: most,
            numbers: numbers.map(|chart| (chart.id, chart.name)).collect(),
            mail: self.app.mailer.is_set_up(),
        })
    }

    /// Creates a report, or changes one. Saving a stopped report lets it run again.
    ///
    /// # Errors
    /// 400 with each invalid field; 403 as [`Self::list`] and `VIEWING_AS`; 404 for another user's report; 409 `REPORT_LIMIT`.
    pub async fn save(&self, id: Option<ReportId>, edit: ReportEdit) -> Result<Report> {
        let (mut tx, rules) = self.enter().await?;
        let conn = &mut tx.conn();
        let now = Timestamp::now();
        let (edit, cadence) = self.checked(conn, edit, &rules, now).await?;
        let next_at = cadence.next(now);
        let (report, action) = match id {
            Some(id) => {
                let old = self.own_locked(conn, id).await?;
                // An alert's state only remains valid for the same condition.
                let raised = old.raised.filter(|_| old.edit.condition == edit.condition);
                let state = if old.state == ReportState::Paused { ReportState::Paused } else { ReportState::Active };
                let grant = self.viewer.grant(self.app);
                let next_at = next_at.filter(|_| state == ReportState::Active);
                let changed = StoredReport { grant, edit, state, problem: None, raised, next_at, ..old };
                reports::update(conn, &changed).await?;
                (changed, "report.changed")
            }
            None => {
                let most = self.app.settings.reports.reports_of_user;
                if reports::count(conn, self.viewer.user).await? >= i64::try_from(most).unwrap_or(i64::MAX) {
                    let told = format!("You have reached the limit of {most} reports. Delete one first.");
                    return Err(Error::new(Code::ReportLimit, told));
                }
                let new = StoredReport {
                    id: ReportId::generate(),
                    application: self.dashboard.application,
                    dashboard: self.dashboard.id,
                    grant: self.viewer.grant(self.app),
                    edit,
                    state: ReportState::Active,
                    problem: None,
                    raised: None,
                    next_at,
                };
                reports::insert(conn, &new).await?;
                (new, "report.created")
            }
        };
        self.record(conn, action, &report).await?;
        let shown = shown(conn, report).await?;
        tx.commit().await?;
        Ok(shown)
    }

    /// Pauses a report, or resumes it.
    ///
    /// # Errors
    /// 403 as [`Self::save`]; 404 for another user's report.
    pub async fn pause(&self, id: ReportId, rests: bool) -> Result<Report> {
        let (mut tx, _) = self.enter().await?;
        let conn = &mut tx.conn();
        let old = self.own_locked(conn, id).await?;
        let state = if rests { ReportState::Paused } else { ReportState::Active };
        let next_at = if rests { None } else { planning::next(&old, Timestamp::now()) };
        let changed = StoredReport { state, next_at, problem: None, grant: self.viewer.grant(self.app), ..old };
        reports::update(conn, &changed).await?;
        self.record(conn, if rests { "report.paused" } else { "report.resumed" }, &changed).await?;
        let shown = shown(conn, changed).await?;
        tx.commit().await?;
        Ok(shown)
    }

    /// Deletes a report with its history. Its links stop working.
    ///
    /// # Errors
    /// 403 as [`Self::save`]; 404 for another user's report.
    pub async fn remove(&self, id: ReportId) -> Result<()> {
        let (mut tx, _) = self.enter().await?;
        let conn = &mut tx.conn();
        let report = self.own_locked(conn, id).await?;
        reports::delete(conn, id).await?;
        self.record(conn, "report.deleted", &report).await?;
        tx.commit().await
    }

    /// Runs a report now, beside its schedule, even if it is paused.
    ///
    /// # Errors
    /// 403 as [`Self::save`]; 404 for another user's report; 409 `REPORT_RUNNING`; 429 right after another manual run.
    pub async fn run_now(&self, id: ReportId) -> Result<Report> {
        let (mut tx, _) = self.enter().await?;
        let conn = &mut tx.conn();
        let report = self.own_locked(conn, id).await?;
        let now = Timestamp::now();
        let newest = runs::newest(conn, id, SHOWN_RUNS).await?;
        if newest.iter().any(|run| run.state == RunState::Waiting) {
            return Err(Error::new(Code::ReportRunning, "This report is already running."));
        }
        let last = newest.iter().filter(|run| run.by_hand).map(|run| run.due_at).max();
        let since = last.map(|at| Duration::from_millis(u64::try_from(now.0 - at.0).unwrap_or_default()));
        if let Some(since) = since.filter(|since| *since < BETWEEN_RUNS_BY_HAND) {
            let told = "This report was just sent. Wait one minute, then try again.";
            return Err(Error::new(Code::RateLimited, told).with_retry_after(BETWEEN_RUNS_BY_HAND - since));
        }
        // The owner is signed in now, so earlier revocations no longer matter.
        let changed = StoredReport { grant: self.viewer.grant(self.app), ..report };
        reports::update(conn, &changed).await?;
        planning::begin(conn, id, now, true).await?;
        self.record(conn, "report.ran", &changed).await?;
        let shown = shown(conn, changed).await?;
        tx.commit().await?;
        Ok(shown)
    }

    /// A report's newest runs.
    ///
    /// # Errors
    /// 403 as [`Self::list`]; 404 for another user's report.
    pub async fn history(&self, id: ReportId) -> Result<Vec<Run>> {
        let mut lease = self.app.db.read().await?;
        let conn = &mut lease.conn();
        self.admitted(conn).await?;
        let report = self.own(conn, id).await?;
        let mut told = Vec::new();
        for run in runs::newest(conn, id, SHOWN_RUNS).await? {
            told.push(shown_run(conn, &report, run).await?);
        }
        Ok(told)
    }

    /// The next runs of a schedule, as text.
    ///
    /// # Errors
    /// 400 for an invalid schedule; 403 as [`Self::list`].
    pub async fn coming(&self, cron: &str, timezone: &str) -> Result<Vec<String>> {
        self.admitted(&mut self.app.db.read().await?.conn()).await?;
        let now = Timestamp::now();
        let cadence = Cadence::read(cron, timezone, self.app.settings.reports.least_pause(), now);
        let cadence = cadence.map_err(|(field, problem)| refusal(field, &problem))?;
        Ok(cadence.coming(now, COMING).into_iter().map(|at| cadence.words(at)).collect())
    }

    /// Checks that the owner may have reports now. Returns the organization's rules.
    async fn admitted(&self, conn: &mut Conn<'_>) -> Result<Rules> {
        let rules = require_enabled(conn, self.viewer.organization).await?;
        Writer::page(self.viewer).require_flag(conn, Flag::EnableScheduleReport).await?;
        Ok(rules)
    }

    /// The same for a change, with its transaction.
    async fn enter(&self) -> Result<(Tx, Rules)> {
        self.actor.who.may_change()?;
        let mut tx = self.app.db.write().await?;
        let rules = self.admitted(&mut tx.conn()).await?;
        // Other changes of the owner's reports wait from here on.
        customers::lock_user(&mut tx.conn(), self.viewer.user).await?;
        Ok((tx, rules))
    }

    /// A report of this owner on this dashboard.
    async fn own(&self, conn: &mut Conn<'_>, id: ReportId) -> Result<StoredReport> {
        reports::find(conn, id).await?.filter(|report| self.is_own(report)).ok_or_else(|| Error::not_found("Report"))
    }

    /// The same for a change: what runs the report waits until this transaction ends.
    async fn own_locked(&self, conn: &mut Conn<'_>, id: ReportId) -> Result<StoredReport> {
        reports::locked(conn, id).await?.filter(|report| self.is_own(report)).ok_or_else(|| Error::not_found("Report"))
    }

    fn is_own(&self, report: &StoredReport) -> bool {
        let here = report.dashboard == self.dashboard.id || Some(report.dashboard) == self.dashboard.replaces;
        here && report.grant.user == self.viewer.user && report.grant.project == self.viewer.project
    }

    async fn record(&self, conn: &mut Conn<'_>, action: &'static str, report: &StoredReport) -> Result<()> {
        let deed = Deed::new(action, report.id.0).in_project(self.viewer.project).named(&report.edit.name);
        let deed = deed.with("dashboardId", Value::from(report.dashboard.to_string()));
        audit::record(conn, self.actor, deed.with("recipients", report.edit.recipients.len())).await
    }

    /// Checks the settings and reports every invalid field.
    async fn checked(
        &self,
        conn: &mut Conn<'_>,
        mut edit: ReportEdit,
        rules: &Rules,
        now: Timestamp,
    ) -> Result<(ReportEdit, Cadence)> {
        let mut problems = Problems::default();
        edit.name = edit.name.trim().to_owned();
        problems.note("name", one_line(&edit.name, LONGEST_NAME));
        problems.note("subject", mail::check_subject(&edit.subject));
        problems.note("message", text(&edit.message, LONGEST_MESSAGE));
        problems
            .note("locale", if is_locale(&edit.locale) { Ok(()) } else { Err("must be a language tag such as en-GB".into()) });
        match self.recipients(&edit.recipients, rules) {
            Ok(recipients) => edit.recipients = recipients,
            Err(problem) => problems.note("recipients", Err(problem)),
        }
        let hides = self.viewer.permissions.allows(Flag::HideDownloadButton);
        if hides && edit.format == Format::Pdf {
            problems.note("format", Err("cannot be PDF because your role does not allow downloading dashboards".to_owned()));
        }
        if let Some(condition) = &edit.condition {
            let charts = dashboards::charts_on(conn, self.dashboard.id).await?;
            let watched = charts.iter().find(|placed| placed.chart.id == condition.chart);
            let fits = watched.is_some_and(|placed| alert::may_watch(placed.chart.definition.kind));
            problems.note(
                "condition.chart",
                fits.then_some(()).ok_or_else(|| "must be a chart of this dashboard that shows one number".into()),
            );
            let finite = condition.threshold.is_finite();
            problems.note("condition.threshold", finite.then_some(()).ok_or_else(|| "must be a number".into()));
        }
        edit.filters = dashboards::filters::known(self.dashboard, edit.filters);
        let cadence = Cadence::read(&edit.cron, &edit.timezone, self.app.settings.reports.least_pause(), now);
        match cadence {
            Ok(cadence) => problems.finish_as(sentence).map(|()| (edit, cadence)),
            Err((field, problem)) => {
                problems.note(field, Err(problem));
                problems.finish_as(sentence)?;
                Err(Error::internal("a noted problem disappeared"))
            }
        }
    }

    /// Addresses without duplicates, in their order.
    fn recipients(&self, given: &[String], rules: &Rules) -> Result<Vec<String>, String> {
        let most = self.app.settings.reports.report_recipients;
        let mut read: Vec<String> = Vec::new();
        for text in given.iter().filter(|text| !text.trim().is_empty()) {
            let address: Address = text.parse().map_err(|problem| format!("contain `{}`, which {problem}", shortened(text)))?;
            if !rules.allows(&address) {
                return Err(format!("may only be at {}", rules.recipient_domains.join(", ")));
            }
            let address = address.to_string();
            if !read.contains(&address) {
                read.push(address);
            }
        }
        match read.len() {
            0 => Err("must name at least one address".to_owned()),
            count if count > most => Err(format!("must have at most {most} addresses")),
            _ => Ok(read),
        }
    }
}

/// A report as its owner sees it.
async fn shown(conn: &mut Conn<'_>, report: StoredReport) -> Result<Report> {
    let newest = runs::newest(conn, report.id, 1).await?.into_iter().next();
    let last = match newest {
        Some(run) => Some(shown_run(conn, &report, run).await?),
        None => None,
    };
    let unsubscribed = reports::unsubscribed(conn, report.id).await?;
    let next = report.next_at.map(|at| in_words(&report, at));
    let StoredReport { id, edit, state, problem, raised, .. } = report;
    Ok(Report { id, edit, state, problem, raised, next, unsubscribed, last })
}

async fn shown_run(conn: &mut Conn<'_>, report: &StoredReport, run: StoredRun) -> Result<Run> {
    let mails = runs::deliveries(conn, run.id).await?;
    let sent = mails.iter().filter(|mail| mail.sent == Some(true)).count();
    let failed = mails.into_iter().filter(|mail| mail.sent == Some(false));
    Ok(Run {
        id: run.id,
        at: in_words(report, run.due_at),
        by_hand: run.by_hand,
        state: run.state,
        problem: run.problem,
        sent: u32::try_from(sent).unwrap_or(u32::MAX),
        failed: failed.map(|mail| (mail.address, mail.problem.unwrap_or_default())).collect(),
    })
}

fn in_words(report: &StoredReport, at: Timestamp) -> String {
    crate::concepts::reports::cadence::in_words(at, &report.edit.timezone)
}
