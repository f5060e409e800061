//! Verified answers: questions of a workspace with the query that a member has checked. `flows::verified_answers` changes and checks
//! them; the assistant looks there first.

mod store;

#[cfg(test)]
pub(crate) use store::VerifiedAnswerRow;
pub use store::{count, delete, due, list, put, record, settle, usable};

use crate::ground::{
    error::Result,
    jobs::{self, JobKind, NewJob},
    store::Conn,
    time::Timestamp,
};
use inlay_assistant::WrittenQuery;
use inlay_contract::ids::{OrganizationId, ProjectId, WorkspaceId};
use store::of_project;
use uuid::Uuid;

/// The maximum number of verified answers of a workspace.
pub const MOST: i64 = 500;

/// A verified answer.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifiedAnswer {
    /// Its id.
    pub id: Uuid,
    /// The question, as a person would ask.
    pub question: String,
    /// The query that answers it.
    pub query: WrittenQuery,
    /// Who verified it, as users read it.
    pub verified_by: String,
    /// The email address of its owner. `None` for a former member.
    pub owner: Option<String>,
    /// When it was verified last.
    pub updated_at: Timestamp,
    /// When its query was checked last.
    pub checked_at: Timestamp,
    /// Why its query cannot be used. `None` while it can.
    pub problem: Option<String>,
}

/// Adds a check for each workspace of a project that has verified answers, because what their queries read may have changed.
pub async fn recheck(conn: &mut Conn<'_>, project: ProjectId) -> Result<()> {
    for (workspace, organization) in of_project(conn, project).await? {
        plan(conn, workspace, organization).await?;
    }
    Ok(())
}

/// Adds a check of a workspace's verified answers. One that is already waiting or running is not added again.
pub async fn plan(conn: &mut Conn<'_>, workspace: WorkspaceId, organization: OrganizationId) -> Result<()> {
    let (kind, subject, queue) = (JobKind::Verified, workspace.0, workspace.0);
    jobs::store::add(conn, &NewJob { kind, subject, organization, queue, due_at: Timestamp::now() }).await
}
