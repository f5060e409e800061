//! Verified answers of a workspace and its open questions, for members; and the check of the answers' queries.

mod asking;
mod checking;

#[cfg(test)]
mod tests;

pub use asking::{AskedAgain, ask_again};
pub use checking::Verifying;

use crate::{
    concepts::{
        chat::{
            self, OpenQuestion,
            checking::{Checked, check_query},
        },
        connections,
        dashboards::data,
        organizations::members::{Member, Works},
        projects::{self, Project},
        verified_answers::{self, MOST, VerifiedAnswer},
        workspaces::{self, LatestVersion, WorkspaceSettings},
    },
    flows::management,
    ground::{
        audit::{self, Deed},
        error::{Error, Result},
        problems::Problems,
        state::App,
        store::Conn,
    },
};
use inlay_assistant::{Verified, WrittenQuery, verified::normalised};
use inlay_contract::ids::{ConnectionId, ProjectId, WorkspaceId};
use std::sync::Arc;
use uuid::Uuid;

/// The maximum length of a question, in characters.
const LONGEST_QUESTION: usize = 300;
/// The maximum length of the name of who verified it.
const LONGEST_NAME: usize = 100;
/// The maximum length of a query, in characters.
const LONGEST_QUERY: usize = 20_000;
/// The number of open questions in the list.
pub const SHOWN: i64 = 50;

/// A verified answer to store.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The question, as a person would ask.
    pub question: &'a str,
    /// SQL, or a query of the semantic model as JSON.
    pub query: &'a str,
    /// Who verified it, as users read it.
    pub by: &'a str,
}

/// A workspace's verified answers with its open questions.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The workspace in its newest version.
    pub workspace: LatestVersion,
    /// The verified answers.
    pub answers: Vec<VerifiedAnswer>,
    /// The open questions that were asked most often.
    pub open: Vec<OpenQuestion>,
}

/// The verified answers of a workspace, and its open questions. Open questions are users' words, so that this needs a member who
/// works with projects.
///
/// # Errors
/// 404 for a workspace of another project.
pub async fn list(app: &App, by: &Member<impl Works>, project: ProjectId, id: WorkspaceId) -> Result<Listed> {
    let (workspace, _) = management::workspaces::find(app, by, project, id).await?;
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let answers = verified_answers::list(conn, id).await?;
    let open = chat::open_questions(conn, id, SHOWN).await?;
    Ok(Listed { workspace, answers, open })
}

/// Stores a verified answer, in place of the one to an equal question, and closes the open questions that ask the same.
///
/// # Errors
/// 404 for a workspace of another project; 400 for an invalid field, for a query that does not run, and beyond 500 verified answers.
pub async fn verify(app: &App, by: &Member<impl Works>, project: ProjectId, id: WorkspaceId, wanted: Wanted<'_>) -> Result<()> {
    let project = projects::of_organization(app, by.organization, project).await?;
    let (latest, _) = management::workspaces::find(app, by, project.id, id).await?;
    let verified = read(wanted)?;
    let served = served(&mut app.db.read().await?.conn(), id).await?.ok_or_else(|| Error::not_found("Workspace"))?;
    // While the database does not respond, the nightly check judges the query.
    if let Checked::Refused(why) = checked(app, &project, &served, &verified.query).await? {
        return Err(Error::invalid("query", format!("is refused: {why}")));
    }
    let asked = normalised(&verified.question);
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    // Members who verify at the same time wait here, so that the limit holds.
    workspaces::lock(conn, id).await?;
    if verified_answers::count(conn, id, &asked).await? >= MOST {
        return Err(Error::invalid("question", format!("is one too many: a workspace has at most {MOST} verified answers")));
    }
    verified_answers::put(conn, id, &asked, &verified, by.id).await?;
    chat::close(conn, id, &asked).await?;
    let deed = Deed::new("workspace.answerVerified", id.0).in_project(project.id).named(&latest.name);
    audit::record(conn, &by.actor(), deed.with("question", verified.question.as_str())).await?;
    tx.commit().await
}

/// The verified answer of a form.
fn read(Wanted { question, query, by }: Wanted<'_>) -> Result<Verified> {
    let (question, query, by) = (question.trim(), query.trim(), by.trim());
    let mut problems = Problems::default();
    let text = |text: &str, most: usize| match text.chars().count() {
        1.. if text.chars().count() <= most => Ok(()),
        _ => Err(format!("must have 1 to {most} characters")),
    };
    problems.note("question", text(question, LONGEST_QUESTION));
    if normalised(question).split(' ').count() < 2 {
        problems.add("question", "must be a whole question: one word may follow any other question");
    }
    problems.note("by", text(by, LONGEST_NAME));
    problems.note("query", text(query, LONGEST_QUERY));
    let read = WrittenQuery::read(query).map_err(|why| problems.add("query", why));
    problems.finish()?;
    let query = read.map_err(|()| Error::invalid("query", "is not valid"))?;
    Ok(Verified { question: question.to_owned(), query, by: by.to_owned() })
}

/// The connection and the settings of the version that embeds serve, or of the newest.
async fn served(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<Option<(ConnectionId, WorkspaceSettings)>> {
    let version = match workspaces::production(conn, id).await? {
        Some(version) => Some(version),
        None => workspaces::list_versions(conn, id).await?.pop(),
    };
    Ok(version.map(|version| (version.connection, version.settings)))
}

/// Checks a query on the tables that a version covers.
async fn checked(
    app: &App,
    project: &Arc<Project>,
    (connection, settings): &(ConnectionId, WorkspaceSettings),
    query: &WrittenQuery,
) -> Result<Checked> {
    let open = connections::open(app, *connection).await?;
    Ok(check_query(app, &open, settings, query, data::today(None, project).day).await)
}

/// Deletes a verified answer.
///
/// # Errors
/// 404 for a workspace of another project or another workspace's answer.
pub async fn remove(app: &App, by: &Member<impl Works>, project: ProjectId, id: WorkspaceId, answer: Uuid) -> Result<()> {
    let (latest, _) = management::workspaces::find(app, by, project, id).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let question = verified_answers::delete(conn, id, answer).await?.ok_or_else(|| Error::not_found("Verified answer"))?;
    let deed = Deed::new("workspace.answerRemoved", id.0).in_project(project).named(&latest.name);
    audit::record(conn, &by.actor(), deed.with("question", question)).await?;
    tx.commit().await
}

/// Closes the open questions of a workspace that ask the same. The audit log does not hold the question, which is a user's. Returns
/// how many there were.
///
/// # Errors
/// 404 for a workspace of another project.
pub async fn dismiss(app: &App, by: &Member<impl Works>, project: ProjectId, id: WorkspaceId, asked: &str) -> Result<u64> {
    let (latest, _) = management::workspaces::find(app, by, project, id).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let closed = chat::close(conn, id, asked).await?;
    let deed = Deed::new("workspace.questionsDismissed", id.0).in_project(project).named(&latest.name);
    audit::record(conn, &by.actor(), deed.with("questions", closed)).await?;
    tx.commit().await?;
    Ok(closed)
}
