//! Runs reports. Every step that must not be repeated is stored: the mail as it was first written, the page and its links, and
//! who has received it. A node that takes a run over continues where the other one stopped. A mail that was sent but not yet
//! recorded is sent again, with the same `Message-ID` and the same links.

use super::{
    compose::{self, Said},
    planning,
    writing::Written,
};
use crate::{
    concepts::reports::{
        self, Rules, StoredReport, alert,
        eligibility::{self, OwnerView, RunBlocked},
        ending,
        links::Keys,
        require_enabled,
        runs::{self, StoredRun},
        sealed,
    },
    ground::{
        error::{Kind as Trouble, Result},
        jobs::{self, Handler, Job, JobKind, Outcome, Places},
        mail::Address,
        memory::Kept,
        state::App,
        store::Tx,
    },
};
use async_trait::async_trait;
use inlay_contract::{
    ids::RunId,
    permissions::Flag,
    report::{Format, RunState},
};

/// The handler for runs of reports and alerts.
#[derive(Clone, Copy, Debug)]
pub struct Reporting;

#[async_trait]
impl Handler for Reporting {
    fn kind(&self) -> JobKind {
        JobKind::Report
    }

    fn places(&self, app: &App) -> Places {
        Places::half(app.settings.reports.reports_at_once.into())
    }

    async fn plan(&self, app: &App) -> Result<()> {
        planning::plan(app).await
    }

    async fn attempt(&self, app: &App, job: &Job) -> Result<Outcome> {
        attempt(app, job).await
    }

    async fn give_up(&self, app: &App, job: &Job, problem: &str) -> Result<()> {
        let mut tx = app.db.write().await?;
        let conn = &mut tx.conn();
        if let Some(run) = runs::find(conn, RunId(job.subject)).await? {
            ending::conclude(conn, &run, RunState::Failed, Some(problem)).await?;
        }
        tx.commit().await
    }
}

/// A run in progress.
pub(super) struct Running<'a> {
    pub(super) app: &'a App,
    pub(super) job: &'a Job,
    pub(super) report: StoredReport,
    pub(super) run: StoredRun,
}

async fn attempt(app: &App, job: &Job) -> Result<Outcome> {
    let found = {
        let mut lease = app.db.read().await?;
        let conn = &mut lease.conn();
        let run = runs::find(conn, RunId(job.subject)).await?.filter(|run| run.state == RunState::Waiting);
        match run {
            Some(run) => reports::find(conn, run.report).await?.map(|report| (run, report)),
            None => None,
        }
    };
    let Some((run, report)) = found else { return Ok(Outcome::Done) };
    let running = Running { app, job, report, run };
    match eligibility::owner_view(app, &running.report).await {
        Ok(owner_view) => running.go(&owner_view).await,
        Err(RunBlocked::Transient(problem)) => Err(problem),
        Err(RunBlocked::Permanent(problem)) => running.stop(&problem).await,
    }
}

impl Running<'_> {
    async fn go(mut self, owner_view: &OwnerView) -> Result<Outcome> {
        let app = self.app;
        // Apart from the match, which would hold the connection.
        let rules = require_enabled(&mut app.db.read().await?.conn(), owner_view.viewer.organization).await;
        let rules = match rules {
            Ok(rules) => rules,
            Err(refused) if refused.kind() == Trouble::Forbidden => {
                return self.end(RunState::Failed, Some("Scheduled reports are turned off.")).await;
            }
            Err(problem) => return Err(problem),
        };
        let kept = runs::letter(&mut app.db.read().await?.conn(), self.run.id).await?;
        let kept: Option<Said> = kept.map(|kept| sealed::open(&app.sealer, self.run.id, &kept)).transpose()?;
        let format = kept.as_ref().map_or(self.report.edit.format, |said| said.edit.format);
        if format == Format::Pdf && owner_view.viewer.permissions.allows(Flag::HideDownloadButton) {
            return self.end(RunState::Failed, Some("Its owner's role no longer allows downloading dashboards.")).await;
        }
        // Its rows and files take room until they were sent.
        let made = Kept::default();
        let said = match kept {
            Some(_) if self.is_told_already().await? => {
                return self.end(RunState::Quiet, Some("Another run has already sent this alert.")).await;
            }
            Some(said) => said,
            None => match made.during(self.write(owner_view, &rules)).await? {
                Written::Mail(said) => *said,
                Written::Ended(outcome) => return Ok(outcome),
            },
        };
        self.send(&said, &rules).await
    }

    /// Whether another run has sent the same alert, while none of this run's mails could be sent.
    async fn is_told_already(&self) -> Result<bool> {
        let nothing_new = self.run.raised.is_some_and(|raised| !alert::tells(self.report.raised, raised));
        if self.run.by_hand || !nothing_new {
            return Ok(false);
        }
        let mails = runs::deliveries(&mut self.app.db.read().await?.conn(), self.run.id).await?;
        Ok(mails.iter().all(|mail| mail.sent != Some(true)))
    }

    /// Sends the remaining mails.
    async fn send(&self, said: &Said, rules: &Rules) -> Result<Outcome> {
        let mails = runs::deliveries(&mut self.app.db.read().await?.conn(), self.run.id).await?;
        let mut waiting = None;
        for mail in mails.iter().filter(|mail| mail.sent.is_none()) {
            // Recipients who unsubscribed in the meantime get no mail. If another node has taken the job over, this one stops.
            let unsubscribed = reports::unsubscribed(&mut self.app.db.read().await?.conn(), self.report.id).await?;
            if self.held().await?.is_none() {
                return Ok(Outcome::Done);
            }
            let outcome = if unsubscribed.contains(&mail.address) {
                Err((false, "They unsubscribed.".to_owned()))
            } else {
                self.send_to(&mail.address, said, rules).await
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
            runs::set_delivery(&mut tx.conn(), self.run.id, &mail.address, sent, problem.as_deref()).await?;
            tx.commit().await?;
        }
        match waiting {
            Some(problem) => self.again(&problem).await,
            None => self.end(RunState::Failed, None).await,
        }
    }

    /// Sends a mail. The error says whether a retry may succeed.
    async fn send_to(&self, address: &str, said: &Said, rules: &Rules) -> Result<(), (bool, String)> {
        let to: Address = address.parse().map_err(|problem| (false, format!("The address {problem}.")))?;
        // The rules may have become stricter since the mail was written.
        if !rules.allows(&to) {
            return Err((false, format!("Mail may now only go to {}.", rules.recipient_domains.join(", "))));
        }
        let keys = Keys::of(&self.app.sealer, self.run.id, address);
        let message = compose::message(&self.app.embed_url, &self.app.sealer, self.run.id, to, &keys, said);
        self.app.mailer.send(&message).await.map_err(|problem| (problem.may_pass(), problem.to_string()))
    }

    /// Ends a run. `without_mail` is its state if none of its mails was sent.
    pub(super) async fn end(&self, without_mail: RunState, problem: Option<&str>) -> Result<Outcome> {
        let Some(mut tx) = self.held().await? else { return Ok(Outcome::Done) };
        ending::conclude(&mut tx.conn(), &self.run, without_mail, problem).await?;
        tx.commit().await?;
        Ok(Outcome::Done)
    }

    /// Leaves a run for a later attempt, and stores the reason in its history.
    pub(super) async fn again(&self, problem: &str) -> Result<Outcome> {
        let mut tx = self.app.db.write().await?;
        runs::note(&mut tx.conn(), self.run.id, problem).await?;
        tx.commit().await?;
        Ok(Outcome::Again(problem.to_owned()))
    }

    /// Ends a run whose owner may not have the report any more, and stops the report.
    async fn stop(&self, problem: &str) -> Result<Outcome> {
        let Some(mut tx) = self.held().await? else { return Ok(Outcome::Done) };
        let conn = &mut tx.conn();
        ending::conclude(conn, &self.run, RunState::Failed, Some(problem)).await?;
        reports::stop(conn, self.report.id, problem).await?;
        tx.commit().await?;
        tracing::info!(report = %self.report.id, problem, "a report was stopped");
        Ok(Outcome::Done)
    }

    /// A transaction in which this node certainly holds the job. `None` when another node has taken it over.
    pub(super) async fn held(&self) -> Result<Option<Tx>> {
        let mut tx = self.app.db.write().await?;
        let held = jobs::store::holds(&mut tx.conn(), self.job).await?;
        Ok(held.then_some(tx))
    }
}
