//! Doing a run. What must not be repeated is written down: the mail as it was written first, the page and its links, who has got
//! it. A node that takes a run over goes on where the one before stopped; a mail that was sent and not yet written down goes out again
//! under the same `Message-ID` and with the same links.

use super::{
    compose::{self, Said},
    planning,
    writing::Written,
};
use crate::{
    concepts::reports::{
        self, Rules, StoredReport, alert, ending,
        links::Keys,
        require_enabled,
        runs::{self, StoredRun},
        sealed,
        standing::{self, Hindrance, Sight},
    },
    ground::{
        error::{Kind as Trouble, Result},
        jobs::{self, Handler, Hourly, Job, Kind, Outcome},
        mail::Address,
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

/// Does runs of reports and alerts.
#[derive(Debug, Default)]
pub struct Reporting {
    tidying: Hourly,
}

#[async_trait]
impl Handler for Reporting {
    fn kind(&self) -> Kind {
        Kind::Report
    }

    fn at_once(&self, app: &App) -> i64 {
        app.settings.reports.reports_at_once.into()
    }

    async fn plan(&self, app: &App) -> Result<()> {
        planning::plan(app).await?;
        if self.tidying.is_due() { planning::tidy(app).await } else { Ok(()) }
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

/// A run that is being done.
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
            Err(refused) if refused.kind() == Trouble::Forbidden => {
                return self.end(RunState::Failed, Some("Scheduled reports are turned off.")).await;
            }
            Err(problem) => return Err(problem),
        };
        let kept = runs::letter(&mut app.db.read().await?.conn(), self.run.id).await?;
        let kept: Option<Said> = kept.map(|kept| sealed::open(&app.sealer, self.run.id, &kept)).transpose()?;
        let format = kept.as_ref().map_or(self.report.edit.format, |said| said.edit.format);
        if format == Format::Pdf && sight.viewer.permissions.allows(Flag::HideDownloadButton) {
            return self.end(RunState::Failed, Some("Its owner's role has no downloads of dashboards any more.")).await;
        }
        let said = match kept {
            Some(_) if self.is_told_already().await? => {
                return self.end(RunState::Quiet, Some("Another run has told it meanwhile.")).await;
            }
            Some(said) => said,
            None => match self.write(sight, &rules).await? {
                Written::Mail(said) => *said,
                Written::Ended(outcome) => return Ok(outcome),
            },
        };
        self.send(&said, &rules).await
    }

    /// Whether what an alert's mail says was told by another run, while none of this one's mails could be sent.
    async fn is_told_already(&self) -> Result<bool> {
        let nothing_new = self.run.raised.is_some_and(|raised| !alert::tells(self.report.raised, raised));
        if self.run.by_hand || !nothing_new {
            return Ok(false);
        }
        let mails = runs::deliveries(&mut self.app.db.read().await?.conn(), self.run.id).await?;
        Ok(mails.iter().all(|mail| mail.sent != Some(true)))
    }

    /// Sends the mails that are still to be sent.
    async fn send(&self, said: &Said, rules: &Rules) -> Result<Outcome> {
        let mails = runs::deliveries(&mut self.app.db.read().await?.conn(), self.run.id).await?;
        let mut waiting = None;
        for mail in mails.iter().filter(|mail| mail.sent.is_none()) {
            // Whoever asked meanwhile for no more mail gets none; and a job that is another node's is left to it.
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

    /// Sends a mail; the error says whether it may go out another time.
    async fn send_to(&self, address: &str, said: &Said, rules: &Rules) -> Result<(), (bool, String)> {
        let to: Address = address.parse().map_err(|problem| (false, format!("The address {problem}.")))?;
        // The rules may have become stricter since the mail was written.
        if !rules.allows(&to) {
            return Err((false, format!("Mail may only go to {} any more.", rules.recipient_domains.join(", "))));
        }
        let keys = Keys::of(&self.app.sealer, self.run.id, address);
        let message = compose::message(&self.app.embed_url, &self.app.sealer, self.run.id, to, &keys, said);
        self.app.mailer.send(&message).await.map_err(|problem| (problem.may_pass(), problem.to_string()))
    }

    /// Ends a run; `without_mail` says how when no mail of it went out.
    pub(super) async fn end(&self, without_mail: RunState, problem: Option<&str>) -> Result<Outcome> {
        let Some(mut tx) = self.held().await? else { return Ok(Outcome::Done) };
        ending::conclude(&mut tx.conn(), &self.run, without_mail, problem).await?;
        tx.commit().await?;
        Ok(Outcome::Done)
    }

    /// Leaves a run for another time, and says why in its history.
    pub(super) async fn again(&self, problem: &str) -> Result<Outcome> {
        let mut tx = self.app.db.write().await?;
        runs::note(&mut tx.conn(), self.run.id, problem).await?;
        tx.commit().await?;
        Ok(Outcome::Again(problem.to_owned()))
    }

    /// Ends a run whose report its owner may not have any more, and the report with it.
    async fn stop(&self, problem: &str) -> Result<Outcome> {
        let Some(mut tx) = self.held().await? else { return Ok(Outcome::Done) };
        let conn = &mut tx.conn();
        ending::conclude(conn, &self.run, RunState::Failed, Some(problem)).await?;
        reports::stop(conn, self.report.id, problem).await?;
        tx.commit().await?;
        tracing::info!(report = %self.report.id, problem, "a report was stopped");
        Ok(Outcome::Done)
    }

    /// A transaction in which the job is surely this node's; none when it is another's by now.
    pub(super) async fn held(&self) -> Result<Option<Tx>> {
        let mut tx = self.app.db.write().await?;
        let held = jobs::store::holds(&mut tx.conn(), self.job).await?;
        Ok(held.then_some(tx))
    }
}
