//! Evaluations in the store.

mod tidy;

pub use tidy::TIDY;

use super::{Evaluation, Miss, Run, State, Tally};
use crate::{
    ground::{
        error::{Error, Result},
        store::{
            Conn,
            rows::{self, columns, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{MemberId, OrganizationId, ProjectId, ProjectUserId, WorkspaceId};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

row! {
    /// An evaluation of a version of a workspace.
    pub(crate) struct EvaluationRow in "workspace_evaluations" {
        id: Uuid,
        workspace_id: WorkspaceId,
        version: i64,
        answered_by: String,
        right_answers: i64,
        questions: i64,
        misses: Json<Vec<Miss>>,
        created_at: Timestamp,
        state: String,
        asked: i64,
        problem: Option<String>,
        member_id: Option<MemberId>,
        user_id: Option<ProjectUserId>,
        started_at: Option<Timestamp>,
        ended_at: Option<Timestamp>,
    }
}

#[derive(FromRow)]
struct ListedEvaluation {
    #[sqlx(flatten)]
    row: EvaluationRow,
    email: Option<String>,
    user_name: Option<String>,
}

#[derive(FromRow)]
struct FoundRun {
    #[sqlx(flatten)]
    row: EvaluationRow,
    organization_id: OrganizationId,
    project_id: ProjectId,
    workspace_name: String,
}

impl TryFrom<ListedEvaluation> for Evaluation {
    type Error = Error;

    fn try_from(ListedEvaluation { row, email, user_name }: ListedEvaluation) -> Result<Self> {
        Ok(Self {
            id: row.id,
            version: row.version,
            state: row.state.parse().map_err(Error::internal)?,
            problem: row.problem,
            answered_by: row.answered_by,
            of: row.questions,
            tally: Tally { asked: row.asked, right: row.right_answers, misses: row.misses.0 },
            wanted_by: email,
            user: user_name,
            at: row.created_at,
        })
    }
}

impl TryFrom<FoundRun> for Run {
    type Error = Error;

    fn try_from(FoundRun { row, organization_id, project_id, workspace_name }: FoundRun) -> Result<Self> {
        Ok(Self {
            id: row.id,
            organization: organization_id,
            project: project_id,
            workspace: row.workspace_id,
            name: workspace_name,
            version: row.version,
            state: row.state.parse().map_err(Error::internal)?,
            answered_by: row.answered_by,
            tally: Tally { asked: row.asked, right: row.right_answers, misses: row.misses.0 },
            member: row.member_id,
            user: row.user_id,
            started_at: row.started_at,
        })
    }
}

/// Adds an evaluation, which waits for a node.
///
/// # Errors
/// The version is already being evaluated.
#[expect(clippy::too_many_arguments, reason = "a row's columns")]
pub async fn add(
    conn: &mut Conn<'_>,
    id: Uuid,
    workspace: WorkspaceId,
    version: i64,
    of: usize,
    member: MemberId,
    user: ProjectUserId,
    now: Timestamp,
) -> Result<()> {
    let row = EvaluationRow {
        id,
        workspace_id: workspace,
        version,
        answered_by: String::new(),
        right_answers: 0,
        questions: i64::try_from(of).map_err(Error::internal)?,
        misses: Json(Vec::new()),
        created_at: now,
        state: State::Waiting.name().to_owned(),
        asked: 0,
        problem: None,
        member_id: Some(member),
        user_id: Some(user),
        started_at: None,
        ended_at: None,
    };
    Ok(rows::insert(conn, row).await?)
}

/// The newest evaluations of a workspace, newest first.
pub async fn list(conn: &mut Conn<'_>, workspace: WorkspaceId, most: i64) -> Result<Vec<Evaluation>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(EvaluationRow as e),
        ", a.email, u.name AS user_name FROM workspace_evaluations e LEFT JOIN members m ON m.id = e.member_id \
        LEFT JOIN accounts a ON a.id = m.account_id LEFT JOIN project_users u ON u.id = e.user_id \
        WHERE e.workspace_id = $1 ORDER BY e.created_at DESC, e.id DESC LIMIT $2"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, ListedEvaluation>(SQL).bind(workspace).bind(most).fetch_all(c).await)?;
    rows.into_iter().map(Evaluation::try_from).collect()
}

/// The user of the last evaluation of a workspace. `None` if there is none, or if the user is gone.
pub async fn last_user(conn: &mut Conn<'_>, workspace: WorkspaceId) -> Result<Option<ProjectUserId>> {
    const SQL: &str =
        "SELECT user_id FROM workspace_evaluations WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1";
    let found: Option<Option<ProjectUserId>> = on!(conn, |c| sqlx::query_scalar(SQL).bind(workspace).fetch_optional(c).await)?;
    Ok(found.flatten())
}

/// An evaluation by its id.
pub async fn find(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Run>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(EvaluationRow as e),
        ", p.organization_id, w.project_id, w.name AS workspace_name FROM workspace_evaluations e \
        JOIN workspaces w ON w.id = e.workspace_id JOIN projects p ON p.id = w.project_id WHERE e.id = $1"
    );
    on!(conn, |c| sqlx::query_as::<_, FoundRun>(SQL).bind(id).fetch_optional(c).await)?.map(Run::try_from).transpose()
}

/// Whether a version is being evaluated.
pub async fn is_under_way(conn: &mut Conn<'_>, workspace: WorkspaceId, version: i64) -> Result<bool> {
    const SQL: &str = "SELECT COUNT(*) FROM workspace_evaluations WHERE workspace_id = $1 AND version = $2 \
        AND state IN ('waiting', 'running')";
    let found: i64 = on!(conn, |c| sqlx::query_scalar(SQL).bind(workspace).bind(version).fetch_one(c).await)?;
    Ok(found > 0)
}

/// How many evaluations of an organization are in progress.
pub async fn count_under_way(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM workspace_evaluations e JOIN workspaces w ON w.id = e.workspace_id \
        JOIN projects p ON p.id = w.project_id WHERE p.organization_id = $1 AND e.state IN ('waiting', 'running')";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(organization).fetch_one(c).await)?)
}

/// Records that a node has started it, and who answers. Returns `false` when it has already ended.
pub async fn begin(conn: &mut Conn<'_>, id: Uuid, answered_by: &str, now: Timestamp) -> Result<bool> {
    const SQL: &str = "UPDATE workspace_evaluations SET state = 'running', answered_by = $2, started_at = $3 \
        WHERE id = $1 AND state = 'waiting'";
    let rows = on!(conn, |c| {
        sqlx::query(SQL).bind(id).bind(answered_by).bind(now).execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(rows == 1)
}

/// Stores the results so far. Returns `false` when it has already ended.
pub async fn go_on(conn: &mut Conn<'_>, id: Uuid, tally: &Tally) -> Result<bool> {
    const SQL: &str =
        "UPDATE workspace_evaluations SET asked = $2, right_answers = $3, misses = $4 WHERE id = $1 AND state = 'running'";
    let rows = on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(tally.asked).bind(tally.right).bind(Json(&tally.misses));
        update.execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(rows == 1)
}

/// Ends it. Returns `false` when it has already ended.
pub async fn end(conn: &mut Conn<'_>, id: Uuid, state: State, problem: Option<&str>, now: Timestamp) -> Result<bool> {
    const SQL: &str = "UPDATE workspace_evaluations SET state = $2, problem = $3, ended_at = $4 \
        WHERE id = $1 AND state IN ('waiting', 'running')";
    let rows = on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(state.name()).bind(problem).bind(now);
        update.execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(rows == 1)
}
