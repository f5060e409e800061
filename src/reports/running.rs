//! Doing a run. Each step that must not be repeated is written down: what an alert said, the page and its links, each mail. A node that
//! takes a run over goes on where the one before stopped; a mail that was sent and not yet written down goes out again under the same
//! `Message-ID` and with the same links.

use super::{
    StoredReport, attach,
    compose::{self, Said},
    drawing::{self, Shown},
    links::Keys,
    planning, require_enabled,
    runs::{self, StoredRun},
    standing::{self, Hindrance, Sight},
    store,
};
use crate::{
    alerts,
    customers::users,
    error::{Error, Kind as Trouble, Result},
    jobs::{self, Attempt, Handler, Job, Kind, Outcome},
    mail::Address,
    state::App,
    store::Tx,
    time::Timestamp,
    webhooks::{self, EventKind},
};
use flate2::{Compression, write::DeflateEncoder};
use inlay_contract::{
    ids::RunId,
    permissions::Flag,
    report::{Condition, Format, RunState},
};
use serde_json::json;
use std::{
    io::Write,
    pin::Pin,
    sync::Mutex,
    time::{Duration, Instant},
};

/// Attempts to read charts whose source is away, before the mail goes out without them.
const WAITS_FOR_SOURCES: i64 = 4;

/// How often a node tidies up.
const TIDY_EVERY: Duration = Duration::from_secs(3600);

/// Does runs of reports and alerts.
#[derive(Debug, Default)]
pub struct Reporting {
    tidied: Mutex<Option<Instant>>,
}

impl Handler for Reporting {
    fn kind(&self) -> Kind {
        Kind::Report
    }

    fn at_once(&self, app: &App) -> i64 {
        app.settings.reports.reports_at_once.into()
    }

    fn plan<'a>(&'a self, app: &'a App) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>> {
        Box::pin(async move {
            planning::plan(app).await?;
            if self.is_time_to_tidy() { planning::tidy(app).await } else { Ok(()) }
        })
    }

    fn attempt<'a>(&'a self, app: &'a App, job: &'a Job) -> Attempt<'a> {
        Box::pin(attempt(app, job))
    }

    fn give_up<'a>(
        &'a self,
        app: &'a App,
        job: &'a Job,
        problem: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>> {
        Box::pin(async move {
            let run = RunId(job.subject);
            let mut tx = app.db.write().await?;
            let conn = &mut tx.conn();
            let mails = runs::store::deliveries(conn, run).await?;
            for mail in mails.iter().filter(|mail| mail.sent.is_none()) {
                runs::store::set_delivery(conn, run, &mail.address, false, Some(problem)).await?;
            }
            let sent = mails.iter().any(|mail| mail.sent == Some(true));
            let state = if sent { RunState::Done } else { RunState::Failed };
            runs::store::end(conn, run, state, Some(problem)).await?;
            tx.commit().await
        })
    }
}

impl Reporting {
    fn is_time_to_tidy(&self) -> bool {
        let Ok(mut tidied) = self.tidied.lock() else { return false };
        let due = tidied.is_none_or(|at| at.elapsed() >= TIDY_EVERY);
        if due {
            *tidied = Some(Instant::now());
        }
        due
    }
}

/// A run that is being done.
struct Running<'a> {
    app: &'a App,
    job: &'a Job,
    report: StoredReport,
    run: StoredRun,
}

async fn attempt(app: &App, job: &Job) -> Result<Outcome> {
    let found = {
        let mut lease = app.db.read().await?;
        let conn = &mut lease.conn();
        let run = runs::store::find(conn, RunId(job.subject)).await?.filter(|run| run.state == RunState::Waiting);
        match run {
            Some(run) => store::find(conn, run.report).await?.map(|report| (run, report)),
            None => None,
        }
    };
    let Some((run, report)) = found else { return Ok(Outcome::Done) };
    let running = Running { app, job, report, run };
    match standing::sight(app, &running.report).await {
        Ok(sight) => running.go(&sight).await,
        Err(Hindrance::Passing(problem)) => Err(problem),
        Err(Hindrance::Over(problem)) => running.stop(&problem).await,
    }
}

impl Running<'_> {
    async fn go(mut self, sight: &Sight) -> Result<Outcome> {
        let app = self.app;
        let rules = match require_enabled(&mut app.db.read().await?.conn(), sight.viewer.organization).await {
            Ok(rules) => rules,
            Err(refused) if refused.kind == Trouble::Forbidden => {
                return self.end(RunState::Failed, Some("Scheduled reports are turned off.")).await;
            }
            Err(problem) => return Err(problem),
        };
        if self.report.edit.format == Format::Pdf && sight.viewer.permissions.allows(Flag::HideDownloadButton) {
            return self.end(RunState::Failed, Some("Its owner's role has no downloads of dashboards any more.")).await;
        }
        let sentence = match self.report.edit.condition.clone() {
            None => None,
            Some(condition) => match self.judge(sight, &condition).await? {
                Judged::Tell(sentence) => Some(sentence),
                Judged::Nothing => return self.end(RunState::Quiet, None).await,
                Judged::Unknown(problem) => return self.end(RunState::Failed, Some(&problem)).await,
            },
        };
        let shown = drawing::read(app, sight, &self.report.edit).await?;
        let faults = shown.faults();
        if faults.may_pass && self.job.attempt < WAITS_FOR_SOURCES {
            return self.again("The charts' source cannot be reached at the moment.").await;
        }
        if faults.charts > 0 && faults.failed == faults.charts {
            return self.end(RunState::Failed, Some("None of the dashboard's charts could be read.")).await;
        }
        let files = match attach::files(app, &shown, self.report.edit.format).await? {
            Ok(files) => files,
            Err(problem) => return self.end(RunState::Failed, Some(&problem)).await,
        };
        let owner = users::of_project(app, sight.viewer.project, sight.viewer.user).await?;
        let said = Said {
            dashboard: shown.title.clone(),
            application: sight.application.name.clone(),
            owner: owner.name,
            filters: shown.in_words(),
            at: Timestamp::now(),
            accent: shown.accent(),
            sentence,
            faults: Some(faults),
            until: Timestamp::now().plus(app.settings.reports.link_life()),
            files,
        };
        if !self.prepare(sight, shown, &rules.recipient_domains, said.until).await? {
            return Ok(Outcome::Done);
        }
        self.send(&said).await
    }

    /// Reads an alert's number and says what it means. What was said once in a run stays.
    async fn judge(&mut self, sight: &Sight, condition: &Condition) -> Result<Judged> {
        let number = match drawing::number(self.app, sight, &self.report.edit, condition.chart).await {
            Ok(number) => number,
            Err(problem) if matches!(problem.kind, Trouble::Unavailable | Trouble::Timeout | Trouble::Internal) => {
                return Err(problem);
            }
            Err(problem) => return Ok(Judged::Unknown(format!("The alert's number could not be read: {}", problem.message))),
        };
        let raised = match self.run.raised {
            Some(raised) => raised,
            None => {
                let raised = condition.holds(number);
                let Some(mut tx) = self.held().await? else { return Ok(Judged::Nothing) };
                runs::store::set_raised(&mut tx.conn(), self.run.id, raised).await?;
                tx.commit().await?;
                self.run.raised = Some(raised);
                raised
            }
        };
        if !self.run.by_hand && !alerts::tells(self.report.raised, raised) {
            return Ok(Judged::Nothing);
        }
        let charts = crate::dashboards::chart_on(self.app, sight.dashboard.id, condition.chart).await?;
        Ok(Judged::Tell(alerts::sentence(&charts.chart.name, condition, number, raised)))
    }

    /// Writes down the page and to whom mail goes, once for a run; false when the job is somebody else's by now, or nobody wants mail.
    async fn prepare(&self, sight: &Sight, shown: Shown, domains: &[String], until: Timestamp) -> Result<bool> {
        let Some(mut tx) = self.held().await? else { return Ok(false) };
        let conn = &mut tx.conn();
        if !runs::store::deliveries(conn, self.run.id).await?.is_empty() {
            return Ok(true);
        }
        let unsubscribed = store::unsubscribed(conn, self.report.id).await?;
        let mut mails = 0;
        for recipient in &self.report.edit.recipients {
            let Ok(address) = recipient.parse::<Address>() else { continue };
            // The rules may have become stricter since the report was saved.
            let allowed = domains.is_empty() || domains.iter().any(|domain| domain == address.domain());
            if !allowed || unsubscribed.contains(&address.to_string()) {
                continue;
            }
            let (link, unsubscribe) = Keys::of(&self.app.sealer, self.run.id, recipient).hashes();
            runs::store::add_delivery(conn, self.run.id, recipient, &link, &unsubscribe).await?;
            mails += 1;
        }
        if mails == 0 {
            runs::store::end(conn, self.run.id, RunState::Quiet, Some("None of its recipients wants mail of it.")).await?;
            tx.commit().await?;
            return Ok(false);
        }
        let most = self.app.settings.reports.report_mails_a_day;
        let user = self.report.grant.user;
        if runs::store::count_mails(conn, user, &planning::day(Timestamp::now()), mails).await? > i64::from(most) {
            drop(tx);
            self.end(RunState::Failed, Some(&format!("Its owner's reports may send {most} mails a day, which they have.")))
                .await?;
            return Ok(false);
        }
        if self.report.edit.format == Format::Link {
            let page = shown.page(sight, &self.report.edit.timezone, Timestamp::now());
            let sealed = self.app.sealer.seal(self.run.id.0, &packed(&serde_json::to_vec(&page).map_err(Error::internal)?)?)?;
            runs::store::set_snapshot(conn, self.run.id, &sealed, &self.report.grant, until).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Sends the mails that are still to be sent.
    async fn send(&self, said: &Said) -> Result<Outcome> {
        let mails = runs::store::deliveries(&mut self.app.db.read().await?.conn(), self.run.id).await?;
        let mut waiting = None;
        for mail in mails.iter().filter(|mail| mail.sent.is_none()) {
            // Whoever asked meanwhile for no more mail gets none; and a job that is another node's is left to it.
            let unsubscribed = store::unsubscribed(&mut self.app.db.read().await?.conn(), self.report.id).await?;
            if self.held().await?.is_none() {
                return Ok(Outcome::Done);
            }
            let outcome = if unsubscribed.contains(&mail.address) {
                Err((false, "They unsubscribed.".to_owned()))
            } else {
                self.send_to(&mail.address, said).await
            };
            let (sent, problem) = match outcome {
                Ok(()) => (true, None),
                Err((true, problem)) => {
                    waiting = Some(problem);
                    continue;
                }
                Err((false, problem)) => (false, Some(problem)),
            };
            let mut tx = self.app.db.write().await?;
            runs::store::set_delivery(&mut tx.conn(), self.run.id, &mail.address, sent, problem.as_deref()).await?;
            tx.commit().await?;
        }
        match waiting {
            Some(problem) => self.again(&problem).await,
            None => self.finish().await,
        }
    }

    /// Sends a mail; the error says whether it may go out another time.
    async fn send_to(&self, address: &str, said: &Said) -> Result<(), (bool, String)> {
        let to: Address = address.parse().map_err(|problem| (false, format!("The address {problem}.")))?;
        let keys = Keys::of(&self.app.sealer, self.run.id, address);
        let message = compose::message(&self.app.embed_url, &self.report, &self.run, to, &keys, said);
        self.app.mailer.send(&message).await.map_err(|problem| (problem.may_pass(), problem.to_string()))
    }

    /// Ends a run whose mails have all gone out or failed, and tells the webhooks.
    async fn finish(&self) -> Result<Outcome> {
        let Some(mut tx) = self.held().await? else { return Ok(Outcome::Done) };
        let conn = &mut tx.conn();
        let mails = runs::store::deliveries(conn, self.run.id).await?;
        let sent = mails.iter().filter(|mail| mail.sent == Some(true)).count();
        let state = if sent > 0 { RunState::Done } else { RunState::Failed };
        let problem = (sent < mails.len()).then(|| format!("{} of {} mails were not sent.", mails.len() - sent, mails.len()));
        runs::store::end(conn, self.run.id, state, problem.as_deref()).await?;
        if let Some(raised) = self.run.raised {
            store::set_raised(conn, self.report.id, raised).await?;
        }
        let kind = if self.run.raised.is_some() { EventKind::AlertChanged } else { EventKind::ReportSent };
        let mut data = json!({
            "reportId": self.report.id,
            "runId": self.run.id,
            "name": self.report.edit.name,
            "dashboardId": self.report.dashboard,
            "applicationId": self.report.application,
            "projectUserId": self.report.grant.user,
            "sent": sent,
            "failed": mails.len() - sent,
        });
        if let Some(raised) = self.run.raised {
            data["raised"] = json!(raised);
        }
        webhooks::emit(conn, self.report.grant.project, kind, data).await?;
        tx.commit().await?;
        Ok(Outcome::Done)
    }

    /// Ends a run without mail.
    async fn end(&self, state: RunState, problem: Option<&str>) -> Result<Outcome> {
        let Some(mut tx) = self.held().await? else { return Ok(Outcome::Done) };
        let conn = &mut tx.conn();
        runs::store::end(conn, self.run.id, state, problem).await?;
        if let (RunState::Quiet, Some(raised)) = (state, self.run.raised) {
            store::set_raised(conn, self.report.id, raised).await?;
        }
        tx.commit().await?;
        Ok(Outcome::Done)
    }

    /// Leaves a run for another time, and says why in its history.
    async fn again(&self, problem: &str) -> Result<Outcome> {
        let mut tx = self.app.db.write().await?;
        runs::store::note(&mut tx.conn(), self.run.id, problem).await?;
        tx.commit().await?;
        Ok(Outcome::Again(problem.to_owned()))
    }

    /// Ends a run whose report its owner may not have any more, and the report with it.
    async fn stop(&self, problem: &str) -> Result<Outcome> {
        let Some(mut tx) = self.held().await? else { return Ok(Outcome::Done) };
        let conn = &mut tx.conn();
        runs::store::end(conn, self.run.id, RunState::Failed, Some(problem)).await?;
        store::stop(conn, self.report.id, problem).await?;
        tx.commit().await?;
        tracing::info!(report = %self.report.id, problem, "a report was stopped");
        Ok(Outcome::Done)
    }

    /// A transaction in which the job is surely this node's; none when it is another's by now.
    async fn held(&self) -> Result<Option<Tx>> {
        let mut tx = self.app.db.write().await?;
        let held = jobs::store::holds(&mut tx.conn(), self.job).await?;
        Ok(held.then_some(tx))
    }
}

/// What an alert's number comes to.
enum Judged {
    /// Something to tell.
    Tell(String),
    /// It is where it was.
    Nothing,
    /// It could not be read.
    Unknown(String),
}

fn packed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).map_err(Error::internal)?;
    encoder.finish().map_err(Error::internal)
}
