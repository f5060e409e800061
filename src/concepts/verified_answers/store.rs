//! Verified answers in the store.

use super::VerifiedAnswer;
use crate::{
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_assistant::{Verified, WrittenQuery};
use inlay_contract::ids::{MemberId, OrganizationId, ProjectId, WorkspaceId};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

row! {
    /// A verified answer.
    pub(crate) struct VerifiedAnswerRow in "verified_answers" {
        id: Uuid,
        workspace_id: WorkspaceId,
        question: String,
        asked: String,
        query: Json<WrittenQuery>,
        verified_by: String,
        member_id: Option<MemberId>,
        created_at: Timestamp,
        updated_at: Timestamp,
        checked_at: Timestamp,
        problem: Option<String>,
    }
}

row! {
    /// A verified answer, as an assistant uses it.
    struct UsableAnswer of VerifiedAnswerRow {
        question: String,
        query: Json<WrittenQuery>,
        verified_by: String,
    }
}

#[derive(FromRow)]
struct ListedAnswer {
    #[sqlx(flatten)]
    row: VerifiedAnswerRow,
    email: Option<String>,
}

impl From<ListedAnswer> for VerifiedAnswer {
    fn from(ListedAnswer { row, email }: ListedAnswer) -> Self {
        Self {
            id: row.id,
            question: row.question,
            query: row.query.0,
            verified_by: row.verified_by,
            owner: email,
            updated_at: row.updated_at,
            checked_at: row.checked_at,
            problem: row.problem,
        }
    }
}

/// The verified answers of a workspace: those with a problem first, then by question.
pub async fn list(conn: &mut Conn<'_>, workspace: WorkspaceId) -> Result<Vec<VerifiedAnswer>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(VerifiedAnswerRow as v),
        ", a.email FROM verified_answers v LEFT JOIN members m ON m.id = v.member_id \
        LEFT JOIN accounts a ON a.id = m.account_id WHERE v.workspace_id = $1 \
        ORDER BY CASE WHEN v.problem IS NULL THEN 1 ELSE 0 END, v.asked"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, ListedAnswer>(SQL).bind(workspace).fetch_all(c).await)?;
    Ok(rows.into_iter().map(VerifiedAnswer::from).collect())
}

/// The verified answers of a workspace whose queries can be used, by question.
pub async fn usable(conn: &mut Conn<'_>, workspace: WorkspaceId) -> Result<Vec<Verified>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(UsableAnswer),
        " FROM verified_answers WHERE workspace_id = $1 AND problem IS NULL ORDER BY asked"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, UsableAnswer>(SQL).bind(workspace).fetch_all(c).await)?;
    let verified = |row: UsableAnswer| Verified { question: row.question, query: row.query.0, by: row.verified_by };
    Ok(rows.into_iter().map(verified).collect())
}

/// The number of verified answers of a workspace to other questions than this one.
pub async fn count(conn: &mut Conn<'_>, workspace: WorkspaceId, asked: &str) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM verified_answers WHERE workspace_id = $1 AND asked <> $2";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(workspace).bind(asked).fetch_one(c).await)?)
}

/// Stores a verified answer, in place of the one to an equal question.
pub async fn put(conn: &mut Conn<'_>, workspace: WorkspaceId, asked: &str, verified: &Verified, owner: MemberId) -> Result<()> {
    const SQL: &str = sql!(
        inserts!(VerifiedAnswerRow),
        " ON CONFLICT (workspace_id, asked) DO UPDATE SET question = excluded.question, query = excluded.query, \
        verified_by = excluded.verified_by, member_id = excluded.member_id, updated_at = excluded.updated_at, \
        checked_at = excluded.checked_at, problem = NULL"
    );
    let now = Timestamp::now();
    let row = VerifiedAnswerRow {
        id: Uuid::now_v7(),
        workspace_id: workspace,
        question: verified.question.clone(),
        asked: asked.to_owned(),
        query: Json(verified.query.clone()),
        verified_by: verified.by.clone(),
        member_id: Some(owner),
        created_at: now,
        updated_at: now,
        checked_at: now,
        problem: None,
    };
    on!(conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes a verified answer of a workspace. Returns its question, if there was one.
pub async fn delete(conn: &mut Conn<'_>, workspace: WorkspaceId, id: Uuid) -> Result<Option<String>> {
    const SQL: &str = "DELETE FROM verified_answers WHERE id = $1 AND workspace_id = $2 RETURNING question";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).bind(workspace).fetch_optional(c).await)?)
}

/// Stores the result of a check, unless the answer was verified anew meanwhile.
pub async fn record(
    conn: &mut Conn<'_>,
    id: Uuid,
    verified_at: Timestamp,
    problem: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    const SQL: &str = "UPDATE verified_answers SET problem = $3, checked_at = $4 WHERE id = $1 AND updated_at = $2";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(verified_at).bind(problem).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Ends the check of a workspace: what was not checked keeps its result until the next night.
pub async fn settle(conn: &mut Conn<'_>, workspace: WorkspaceId, now: Timestamp) -> Result<()> {
    const SQL: &str = "UPDATE verified_answers SET checked_at = $2 WHERE workspace_id = $1 AND checked_at < $2";
    on!(conn, |c| sqlx::query(SQL).bind(workspace).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// The workspaces with a verified answer that was not checked since then, at most so many.
pub async fn due(conn: &mut Conn<'_>, since: Timestamp, most: i64) -> Result<Vec<(WorkspaceId, OrganizationId)>> {
    const SQL: &str = "SELECT DISTINCT v.workspace_id, p.organization_id FROM (SELECT workspace_id FROM verified_answers \
        WHERE checked_at < $1 ORDER BY checked_at LIMIT $2) v JOIN workspaces w ON w.id = v.workspace_id \
        JOIN projects p ON p.id = w.project_id";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(since).bind(most).fetch_all(c).await)?)
}

/// The workspaces of a project that have verified answers.
pub async fn of_project(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<(WorkspaceId, OrganizationId)>> {
    const SQL: &str = "SELECT w.id, p.organization_id FROM workspaces w JOIN projects p ON p.id = w.project_id \
        WHERE w.project_id = $1 AND EXISTS (SELECT 1 FROM verified_answers v WHERE v.workspace_id = w.id)";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(project).fetch_all(c).await)?)
}
