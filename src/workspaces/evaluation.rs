//! Evaluation: a version's own examples are asked of whoever answers its questions, and the rows of each answer are held against those
//! of the example's SQL. The result is kept, so that a version can be compared with the one before it goes into production.

use super::{Version, manage, store};
use crate::{
    access::Viewer,
    audit::{self, Deed},
    chat::{self, Subject, Surroundings},
    customers::people,
    error::{Error, Kind, Result},
    models,
    organizations::members::{Member, Reads, Works},
    state::App,
    time::Timestamp,
};
use inlay_assistant::{
    Data,
    evaluation::{Asked, Item, Reason, Score, Setting, evaluate as ask_all},
};
use inlay_contract::ids::{OrganizationId, ProjectId, ProjectUserId, WorkspaceId};
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Duration};

/// The most examples of one evaluation.
const MOST: usize = 20;
/// How long it may take.
const PATIENCE: Duration = Duration::from_secs(120);
/// How many evaluations of a workspace are listed.
const LISTED: i64 = 20;

/// An evaluation of a version.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The version.
    pub version: i64,
    /// The model's name; the built-in analyst when empty.
    pub answered_by: String,
    /// How many answers were right.
    pub right: i64,
    /// Of how many.
    pub of: i64,
    /// The others.
    pub misses: Vec<Miss>,
    /// When it was.
    pub at: Timestamp,
}

/// An answer that was not right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Miss {
    /// What was asked.
    pub question: String,
    /// What was wrong.
    pub why: String,
}

/// The newest evaluations of a workspace, newest first.
///
/// # Errors
/// 404 when the project has no such workspace.
pub async fn list(app: &App, by: &Member<impl Reads>, project: ProjectId, id: WorkspaceId) -> Result<Vec<Evaluation>> {
    manage::find(app, by, project, id).await?;
    store::evaluations(&mut app.db.read().await?.conn(), id, LISTED).await
}

/// Asks the examples of a version as a user of the project, over that user's rows; tokens count to the organization's day alone, for the
/// user asked nothing.
///
/// # Errors
/// 404 for a workspace, version or user of another project; 400 when the version has no examples; 422 when the SQL of one does not
/// run; 504 `EVALUATION_TIMEOUT`.
pub async fn evaluate(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: WorkspaceId,
    number: i64,
    user: ProjectUserId,
) -> Result<Evaluation> {
    let (latest, versions) = manage::find(app, by, project, id).await?;
    let version = versions.into_iter().find(|version| version.number == number);
    let version = version.ok_or_else(|| Error::not_found("Version"))?;
    let questions = questions(&version)?;
    // A marked token: the member sees what the user sees, changes nothing in their name, and the audit log tells of it.
    let viewer = Viewer::by_token(app, &people::view_as(app, by, project, user).await?.token).await?;
    let workspace = store::find(&mut app.db.read().await?.conn(), id).await?.ok_or_else(|| Error::not_found("Workspace"))?;
    let ground = Subject::of_version(app, &viewer, workspace, version, &Surroundings::default()).await?.ground;
    let choice = models::choose_for_organization(app, by.organization, project).await?;
    let answered_by = choice.model.as_ref().map(|model| model.model.clone()).unwrap_or_default();
    let (scope, today) = (ground.scope(app).await?, ground.today.day);
    let setting = Setting { scope, today, model: choice.model, patience: Some(PATIENCE) };
    let rows = chat::rows(app, &viewer, ground);
    let score = ask_and_count(app, by.organization, questions, setting, rows).await?;
    let whole = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let evaluation = Evaluation {
        version: number,
        answered_by,
        right: whole(score.right),
        of: whole(score.of),
        misses: score.wrong.into_iter().map(|miss| Miss { question: miss.ask, why: miss.why }).collect(),
        at: Timestamp::now(),
    };
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    store::add_evaluation(conn, id, &evaluation).await?;
    let deed = Deed::new("workspace.evaluated", id.0).in_project(project).named(&latest.name).with("version", number);
    audit::record(conn, &by.actor(), deed.with("userId", user.to_string()).with("right", evaluation.right)).await?;
    tx.commit().await?;
    Ok(evaluation)
}

/// Asks, and counts what that took, whatever came of it. In a task of its own: it counts, too, when nobody waits for it any more.
async fn ask_and_count(
    app: &App,
    organization: OrganizationId,
    questions: Vec<Asked>,
    setting: Setting,
    rows: Arc<dyn Data>,
) -> Result<Score> {
    let app = app.clone();
    let work = async move {
        let prices = setting.model.as_ref().and_then(|model| model.prices);
        let asked = ask_all(&app.chat.assistant, &questions, &setting, rows).await;
        let tokens = asked.as_ref().map_or_else(|stopped| stopped.tokens, |score| score.tokens);
        models::count_evaluation(&app, organization, tokens, prices).await?;
        asked.map_err(|stopped| match stopped.reason {
            Reason::TooLong => too_long(),
            Reason::Example(problem) => {
                let told = format!("The SQL of an example does not run: {}", problem.message);
                Error::new(Kind::Unprocessable, "EXAMPLE_FAILED", told)
            }
        })
    };
    tokio::spawn(work).await.map_err(Error::internal)?
}

/// 504 for an evaluation that was stopped.
pub(super) fn too_long() -> Error {
    Error::new(Kind::Timeout, "EVALUATION_TIMEOUT", "The examples took longer than two minutes to answer.")
}

fn questions(version: &Version) -> Result<Vec<Asked>> {
    let examples = &version.settings.examples;
    if examples.is_empty() {
        return Err(Error::invalid("number", "names a version without examples; write some into a draft first"));
    }
    let item = |example: &super::Example| {
        Asked::One(Item { ask: example.question.clone(), sql: Some(example.sql.clone()), declined: false, note: None })
    };
    Ok(examples.iter().take(MOST).map(item).collect())
}
