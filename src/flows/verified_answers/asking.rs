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
        error::{Error, Result},
        state::App,
    },
};
use inlay_assistant::{Data, Message, Outcome, Request};
use inlay_contract::ids::{ProjectId, ProjectUserId, WorkspaceId};
use std::sync::Arc;
use tokio::sync::mpsc;

/// How many events may wait. Nobody reads them one by one.
const EVENTS: usize = 64;

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
/// 404 for a workspace of another project, or when the project has no such user.
pub async fn ask_again(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: WorkspaceId,
    question: &str,
    user: ProjectUserId,
) -> Result<AskedAgain> {
    management::workspaces::find(app, by, project, id).await?;
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
    let work = tokio::spawn(answer_and_count(app.clone(), asking, request, rows));
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
