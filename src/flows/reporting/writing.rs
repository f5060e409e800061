//! Writes a run's mail, once for all recipients. Until it is stored nothing has been sent, so another attempt starts again.

use super::{
    attach,
    compose::Said,
    drawing::{self, Shown},
    planning,
    running::Running,
};
use crate::{
    concepts::{
        customers::users,
        reports::{self, Rules, alert, cadence, eligibility::OwnerView, links::Keys, runs, sealed},
    },
    ground::{
        error::{Kind as Trouble, Result},
        jobs::Outcome,
        mail::Address,
        store::Conn,
        time::Timestamp,
    },
};
use inlay_contract::report::{AlertCondition, Format, RunState};

/// How many attempts wait for charts with an unavailable source, before the mail is sent without them.
const WAITS_FOR_SOURCES: i64 = 4;

/// The result of writing.
pub(super) enum Written {
    /// A mail to send.
    Mail(Box<Said>),
    /// There is nothing to send, now or at all.
    Ended(Outcome),
}

/// The result of an alert's check.
enum Judged {
    /// The state changed; the sentence says how.
    Tell(String),
    /// The state is unchanged.
    Nothing,
    /// The number could not be read.
    Unknown(String),
}

impl Running<'_> {
    /// Writes the mail and its recipients.
    pub(super) async fn write(&mut self, owner_view: &OwnerView, rules: &Rules) -> Result<Written> {
        let app = self.app;
        let sentence = match self.report.edit.condition.clone() {
            None => None,
            Some(condition) => match self.judge(owner_view, &condition).await? {
                Judged::Tell(sentence) => Some(sentence),
                Judged::Nothing => return self.without_mail(RunState::Quiet, None).await,
                Judged::Unknown(problem) => return self.without_mail(RunState::Failed, Some(&problem)).await,
            },
        };
        let shown = drawing::read(app, owner_view, &self.report.edit).await?;
        let faults = shown.faults();
        if faults.may_pass && self.job.attempt < WAITS_FOR_SOURCES {
            return self.again("The charts' source cannot be reached at the moment.").await.map(Written::Ended);
        }
        if faults.charts > 0 && faults.failed == faults.charts {
            return self.without_mail(RunState::Failed, Some("None of the dashboard's charts could be read.")).await;
        }
        let files = match attach::files(app, &shown, self.report.edit.format).await? {
            Ok(files) => files,
            Err(problem) => return self.without_mail(RunState::Failed, Some(&problem)).await,
        };
        let owner = users::of_project(app, owner_view.viewer.project, owner_view.viewer.user).await?;
        let (now, edit) = (Timestamp::now(), self.report.edit.clone());
        let until = now.plus(app.settings.reports.link_life());
        let said = Said {
            dashboard: shown.title.clone(),
            application: owner_view.application.name.clone(),
            owner: owner.name,
            filters: shown.in_words(),
            at: cadence::in_words(now, &edit.timezone),
            accent: shown.accent(),
            sentence,
            faults,
            until: cadence::in_words(until, &edit.timezone),
            files,
            edit,
        };
        match self.keep(owner_view, shown, rules, &said, until).await? {
            None => Ok(Written::Mail(Box::new(said))),
            Some(ended) => Ok(Written::Ended(ended)),
        }
    }

    async fn without_mail(&self, state: RunState, problem: Option<&str>) -> Result<Written> {
        self.end(state, problem).await.map(Written::Ended)
    }

    /// Reads an alert's number and compares it with the threshold.
    async fn judge(&mut self, owner_view: &OwnerView, condition: &AlertCondition) -> Result<Judged> {
        let unknown = |problem: &str| Judged::Unknown(format!("The alert's number could not be read: {problem}"));
        let (chart, number) = match drawing::number(self.app, owner_view, &self.report.edit, condition.chart).await {
            Ok(read) => read,
            Err(problem) if matches!(problem.kind(), Trouble::Unavailable | Trouble::Timeout | Trouble::Internal) => {
                return Err(problem);
            }
            Err(problem) => return Ok(unknown(&problem.message)),
        };
        let raised = condition.holds(number);
        self.run.raised = Some(raised);
        if !self.run.by_hand && !alert::tells(self.report.raised, raised) {
            return Ok(Judged::Nothing);
        }
        let sentence = alert::sentence(&chart, &self.report.edit.locale, condition, number, raised);
        Ok(sentence.map_or_else(|problem| unknown(&problem.to_string()), Judged::Tell))
    }

    /// Stores the mail, the page of its links and its recipients. Returns an outcome when there is nothing to send, or when
    /// another node has taken the job over.
    async fn keep(
        &self,
        owner_view: &OwnerView,
        shown: Shown,
        rules: &Rules,
        said: &Said,
        until: Timestamp,
    ) -> Result<Option<Outcome>> {
        let (app, run) = (self.app, self.run.id);
        let Some(mut tx) = self.held().await? else { return Ok(Some(Outcome::Done)) };
        let conn = &mut tx.conn();
        // A run of an earlier version of Inlay, which stored no mails, already has its recipients.
        if runs::deliveries(conn, run).await?.is_empty() {
            let mails = self.address(conn, rules).await?;
            let problem = match mails {
                0 => Some((RunState::Quiet, "All of its recipients have unsubscribed.".to_owned())),
                mails => self.beyond_the_day(conn, mails).await?,
            };
            if let Some((state, problem)) = problem {
                drop(tx);
                return self.end(state, Some(&problem)).await.map(Some);
            }
            if said.edit.format == Format::Link {
                let page = shown.page(owner_view, &said.edit.timezone, Timestamp::now());
                let page = sealed::seal(&app.sealer, run, &page)?;
                runs::set_snapshot(conn, run, &page, &self.report.grant, until).await?;
            }
        }
        runs::set_letter(conn, run, &sealed::seal(&app.sealer, run, said)?, self.run.raised).await?;
        tx.commit().await?;
        Ok(None)
    }

    /// Adds a mail for each allowed recipient who has not unsubscribed. Returns the number of mails.
    async fn address(&self, conn: &mut Conn<'_>, rules: &Rules) -> Result<i64> {
        let unsubscribed = reports::unsubscribed(conn, self.report.id).await?;
        let mut mails = 0;
        for recipient in &self.report.edit.recipients {
            let Ok(address) = recipient.parse::<Address>() else { continue };
            // The rules may have become stricter since the report was saved.
            if !rules.allows(&address) || unsubscribed.contains(&address.to_string()) {
                continue;
            }
            let (link, unsubscribe) = Keys::of(&self.app.sealer, self.run.id, recipient).hashes();
            runs::add_delivery(conn, self.run.id, recipient, &link, &unsubscribe).await?;
            mails += 1;
        }
        Ok(mails)
    }

    /// Counts mails of the owner's day. Returns how the run ends if they exceed the limit.
    async fn beyond_the_day(&self, conn: &mut Conn<'_>, mails: i64) -> Result<Option<(RunState, String)>> {
        let most = self.app.settings.reports.report_mails_a_day;
        let day = planning::day(Timestamp::now());
        let counted = runs::count_mails(conn, self.report.grant.user, &day, mails).await?;
        let told = || (RunState::Failed, format!("Its owner's reports have reached the limit of {most} mails per day."));
        Ok((counted > i64::from(most)).then(told))
    }
}
