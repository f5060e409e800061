//! The calls of the scheduled reports dialog.

use super::backend::Pages;
use crate::{
    flows::{reporting::manage::Desk, viewing::Opened},
    ground::{
        audit::Actor,
        error::{Code, Error},
    },
};
use async_trait::async_trait;
use inlay_app::calls::{
    Refusal, Target,
    reports::{Answer, Ask, ReportCalls},
};

#[async_trait]
impl ReportCalls for Pages {
    async fn ask_reports(&self, token: &str, target: Target, ask: Ask) -> Result<Answer, Refusal> {
        let opened = Opened::enter(&self.app, token, &target.scope).await?;
        if opened.viewer.member.is_some() {
            let message = "You are previewing as another user. Only that user can manage these reports.";
            return Err(Error::new(Code::ViewingAs, message).into());
        }
        let dashboard = opened.dashboard(&self.app, target.dashboard).await?;
        let viewer = &opened.viewer;
        let actor = Actor { who: viewer.acting(), organization: viewer.organization, origin: self.origin.clone() };
        let desk = Desk { app: &self.app, viewer, dashboard: &dashboard, actor: &actor };
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
