//! Whether the organization's users may schedule reports.

use super::{answer::Page, developer, submission::Submission, visit::Visit};
use crate::{
    concepts::{
        organizations::members::{Owner, Reads},
        reports::consent,
    },
    ground::error::Result,
};
use inlay_console::pages::developer::{Drafts, ReportsRow};

/// The reports section of the Developer page.
pub(super) async fn row<R: Reads>(visit: &Visit<R>) -> Result<ReportsRow> {
    let app = visit.app();
    let rules = consent::rules(app, &visit.member).await?;
    Ok(ReportsRow {
        on: rules.is_some(),
        seen: super::seen(&rules),
        domains: rules.map(|rules| rules.recipient_domains).unwrap_or_default(),
        mails: app.mailer.is_set_up(),
        owners_decide: app.settings.reports.reports_by_owners,
    })
}

/// `POST …/developer/reports`
pub async fn save(Submission { visit, typed }: Submission<Visit<Owner>>) -> Page {
    let now = super::seen(&consent::rules(visit.app(), &visit.member).await?);
    let saved = async {
        super::unchanged(typed.get("seen"), &now)?;
        let domains = typed.ticked("enabled").then(|| typed.lines("recipientDomains"));
        consent::decide(visit.app(), &visit.member, domains.as_deref()).await
    };
    match saved.await {
        Ok(()) if typed.ticked("enabled") => Ok(visit.done(&visit.at("developer"), "Scheduled reports are on.")),
        Ok(()) => Ok(visit.done(&visit.at("developer"), "Scheduled reports are off.")),
        Err(problem) => developer::refused(&visit, &typed, problem, |reports| Drafts { reports, ..Drafts::default() }).await,
    }
}
