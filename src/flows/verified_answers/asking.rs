//! Asks an open question again, as one of the project's users: after its words were added to the catalogue, a member sees
//! whether it gets an answer now. Nothing of it is stored but its usage and the event in the audit log.

use crate::{
    concepts::{
        access::Viewer,
        chat::{self, OpenWorkspace, ViewerLocale},
        language_models::{self, Answerer, Asking},
        organizations::members::{Member, Works},
        workspaces,
    },
    flows::management::{self, people},
    ground::{
        config::Settings,
        error::{Code, Error, Result},
        state::{App, Part},
    },
};
use inlay_assistant::{Data, Message, Outcome, Request};
use inlay_contract::ids::{ProjectId, ProjectUserId, WorkspaceId};
use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::mpsc;

/// How many events may wait. Nobody reads them one by one.
const EVENTS: usize = 64;

/// How long to wait before another question can be asked again.
const WAIT: Duration = Duration::from_secs(5);

/// The projects of which a question is being asked again on this node: one at a time for each, since a model and the customer's
/// database work for it.
#[derive(Clone, Default)]
struct Asked(Arc<Mutex<HashSet<ProjectId>>>);

impl Part for Asked {
    fn new(_: &Settings) -> Self {
        Self::default()
    }
}

impl Asked {
    /// The project's turn, until it is dropped.
    fn turn(&self, project: ProjectId) -> Result<Turn> {
        let is_free = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(project);
        let told = "Another question of this project is being asked again. Wait for its answer, then try again.";
        is_free.then(|| Turn(self.clone(), project)).ok_or_else(|| Error::new(Code::RateLimited, told).with_retry_after(WAIT))
    }
}

struct Turn(Asked, ProjectId);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

/// The answer to a question that was asked again.
#[derive(Clone, Debug)]
pub struct AskedAgain {
    /// Its text, as Markdown.
    pub text: String,
    /// The number of its charts.
    pub charts: usize,
    /// Whether the question still got no answer.
    pub declined: bool,
}

/// Asks a question in the version of a workspace that is in production, or in its newest, as a user of the project.
///
/// # Errors
/// 404 for a workspace of another project, or when the project has no such user. 429 while another question of the project is asked.
pub async fn ask_again(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: WorkspaceId,
    question: &str,
    user: ProjectUserId,
) -> Result<AskedAgain> {
    management::workspaces::find(app, by, project, id).await?;
    let turn = app.part::<Asked>().turn(project)?;
    let (workspace, version) = {
        let mut lease = app.db.read().await?;
        let conn = &mut lease.conn();
        let workspace = workspaces::find(conn, id).await?;
        let version = match workspaces::production(conn, id).await? {
            Some(version) => Some(version),
            None => workspaces::list_versions(conn, id).await?.pop(),
        };
        workspace.zip(version).ok_or_else(|| Error::not_found("Workspace"))?
    };
    // A preview token: the member sees what the user sees, and the audit log has an event.
    let viewer = Viewer::by_token(app, &people::view_as(app, by, project, user).await?.token).await?;
    let locale = ViewerLocale::default();
    let data_scope = OpenWorkspace::of_version(app, &viewer, workspace, version, &locale).await?.data_scope;
    let request = Request {
        conversation: vec![Message::user(question)],
        scope: data_scope.assistant_scope(app).await?,
        model: language_models::choose_for_organization(app, by.organization, project).await?.model,
        today: data_scope.today.day,
        locale: data_scope.locale.clone(),
        timezone: data_scope.timezone.clone(),
        charts: Vec::new(),
        draws: false,
    };
    let rows = chat::rows(app, &viewer, data_scope);
    let asking = Asking { organization: by.organization, project };
    // A task of its own, so that its usage is counted even if the member leaves.
    let answering = answer_and_count(app.clone(), asking, request, rows);
    let work = tokio::spawn(async move {
        let _turn = turn;
        answering.await
    });
    let Outcome { text, results, declined, .. } = work.await.map_err(Error::internal)??;
    Ok(AskedAgain { text, charts: results.len(), declined })
}

async fn answer_and_count(app: App, asking: Asking, request: Request, rows: Arc<dyn Data>) -> Result<Outcome> {
    let prices = request.model.as_ref().and_then(|model| model.prices);
    let (events, mut heard) = mpsc::channel(EVENTS);
    let answerer = app.part::<Answerer>();
    let (outcome, ()) =
        tokio::join!(answerer.assistant.answer(request, rows, events), async { while heard.recv().await.is_some() {} });
    language_models::count_evaluation(&app, asking, 1, outcome.tokens, prices).await?;
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_asks_one_question_at_a_time() {
        let (asked, one, other) = (Asked::default(), ProjectId::generate(), ProjectId::generate());
        let turn = asked.turn(one).expect("free");
        assert_eq!(asked.turn(one).err().map(|problem| problem.code), Some(Code::RateLimited));
        assert!(asked.turn(other).is_ok(), "projects do not wait for each other");
        drop(turn);
        assert!(asked.turn(one).is_ok());
    }
}
