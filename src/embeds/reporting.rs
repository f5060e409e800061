//! Scheduled reports, as the page's dialog asks for them.

use super::backend::{Backend, problem};
use crate::{
    audit::Actor,
    error::{Code, Error, Result},
    reports::manage::Desk,
    web::origin::Origin,
};
use async_trait::async_trait;
use inlay_app::backend::{
    ReportBackend,
    editing::Target,
    reporting::{Answer, Ask},
};
use inlay_contract::page::Problem;

/// The server, as the dialog sees it.
pub struct Reporter {
    /// What it shares with the pages.
    pub pages: Backend,
    /// Where the request comes from, for the audit log.
    pub origin: Origin,
}

impl Reporter {
    async fn answer(&self, token: &str, target: Target, ask: Ask) -> Result<Answer> {
        let opened = self.pages.enter(token, &target.scope).await?;
        if opened.viewer.member.is_some() {
            return Err(Error::new(Code::ViewingAs, "You are looking at what somebody else sees. Reports are theirs alone."));
        }
        let dashboard = self.pages.dashboard(&opened, target.dashboard).await?;
        let viewer = &opened.viewer;
        let actor = Actor { who: viewer.acting(), organization: viewer.organization, origin: self.origin.clone() };
        let desk = Desk { app: &self.pages.0, viewer, dashboard: &dashboard, actor: &actor };
        let report = |report| Answer::Report(Box::new(report));
        Ok(match ask {
            Ask::List => Answer::Reports(Box::new(desk.list().await?)),
            Ask::Save { id, edit } => report(desk.save(id, *edit).await?),
            Ask::Pause { id, rests } => report(desk.pause(id, rests).await?),
            Ask::Remove { id } => {
                desk.remove(id).await?;
                Answer::Removed
            }
            Ask::RunNow { id } => report(desk.run_now(id).await?),
            Ask::History { id } => Answer::Runs(desk.history(id).await?),
            Ask::Coming { cron, timezone } => Answer::Coming(desk.coming(&cron, &timezone).await?),
        })
    }
}

#[async_trait]
impl ReportBackend for Reporter {
    async fn reports(&self, token: &str, target: Target, ask: Ask) -> Result<Answer, Problem> {
        self.answer(token, target, ask).await.map_err(problem)
    }
}
