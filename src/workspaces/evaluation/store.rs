//! Evaluations in the store.

use super::{Evaluation, Miss, Run, State, Tally};
use crate::{
    error::{Error, Result},
    on,
    store::Conn,
    time::Timestamp,
};
use inlay_contract::ids::{MemberId, OrganizationId, ProjectId, ProjectUserId, WorkspaceId};
use sqlx::types::Json;
use uuid::Uuid;

/// Adds an evaluation that waits for a node.
///
/// # Errors
/// The store is away, or the version is being evaluated.
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
    const SQL: &str = "INSERT INTO workspace_evaluations (id, workspace_id, version, state, answered_by, right_answers, asked, \
        questions, misses, member_id, user_id, created_at) VALUES ($1, $2, $3, $4, '', 0, 0, $5, $6, $7, $8, $9)";
    let of = i64::try_from(of).map_err(Error::internal)?;
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(id).bind(workspace).bind(version).bind(State::Waiting.name()).bind(of);
        let insert = insert.bind(Json(Vec::<Miss>::new())).bind(member).bind(user).bind(now);
        insert.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// The newest evaluations of a workspace, newest first.
///
/// # Errors
/// The store is away.
pub async fn list(conn: &mut Conn<'_>, workspace: WorkspaceId, most: i64) -> Result<Vec<Evaluation>> {
    const SQL: &str = "SELECT e.id, e.version, e.state, e.problem, e.answered_by, e.questions, e.asked, e.right_answers, e.misses, \
        a.email, u.name, e.created_at FROM workspace_evaluations e LEFT JOIN members m ON m.id = e.member_id \
        LEFT JOIN accounts a ON a.id = m.account_id LEFT JOIN project_users u ON u.id = e.user_id \
        WHERE e.workspace_id = $1 ORDER BY e.created_at DESC, e.id DESC LIMIT $2";
    type Row =
        (Uuid, i64, String, Option<String>, String, i64, i64, i64, Json<Vec<Miss>>, Option<String>, Option<String>, Timestamp);
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(workspace).bind(most).fetch_all(c).await)?;
    let evaluation = |row: Row| {
        let (id, version, state, problem, answered_by, of, asked, right, Json(misses), wanted_by, user, at) = row;
        let (state, tally) = (state.parse().map_err(Error::internal)?, Tally { asked, right, misses });
        Ok(Evaluation { id, version, state, problem, answered_by, of, tally, wanted_by, user, at })
    };
    rows.into_iter().map(evaluation).collect()
}

/// An evaluation by its id.
///
/// # Errors
/// The store is away.
pub async fn find(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Run>> {
    const SQL: &str = "SELECT p.organization_id, w.project_id, e.workspace_id, w.name, e.version, e.state, e.answered_by, e.asked, \
        e.right_answers, e.misses, e.member_id, e.user_id, e.started_at FROM workspace_evaluations e \
        JOIN workspaces w ON w.id = e.workspace_id JOIN projects p ON p.id = w.project_id WHERE e.id = $1";
    type Row = (
        OrganizationId,
        ProjectId,
        WorkspaceId,
        String,
        i64,
        String,
        String,
        i64,
        i64,
        Json<Vec<Miss>>,
        Option<MemberId>,
        Option<ProjectUserId>,
        Option<Timestamp>,
    );
    let run = |row: Row| {
        let (organization, project, workspace, name, version, state, answered_by, asked, right, rest, member, user, started_at) =
            row;
        let (state, tally) = (state.parse().map_err(Error::internal)?, Tally { asked, right, misses: rest.0 });
        Ok(Run { id, organization, project, workspace, name, version, state, answered_by, tally, member, user, started_at })
    };
    on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).fetch_optional(c).await)?.map(run).transpose()
}

/// Whether a version is being evaluated.
///
/// # Errors
/// The store is away.
pub async fn is_under_way(conn: &mut Conn<'_>, workspace: WorkspaceId, version: i64) -> Result<bool> {
    const SQL: &str = "SELECT COUNT(*) FROM workspace_evaluations WHERE workspace_id = $1 AND version = $2 \
        AND state IN ('waiting', 'running')";
    let found: i64 = on!(conn, |c| sqlx::query_scalar(SQL).bind(workspace).bind(version).fetch_one(c).await)?;
    Ok(found > 0)
}

/// How many evaluations of an organization are under way.
///
/// # Errors
/// The store is away.
pub async fn count_under_way(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM workspace_evaluations e JOIN workspaces w ON w.id = e.workspace_id \
        JOIN projects p ON p.id = w.project_id WHERE p.organization_id = $1 AND e.state IN ('waiting', 'running')";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(organization).fetch_one(c).await)?)
}

/// Notes that a node has begun, and who answers; false when it has ended before.
///
/// # Errors
/// The store is away.
pub async fn begin(conn: &mut Conn<'_>, id: Uuid, answered_by: &str, now: Timestamp) -> Result<bool> {
    const SQL: &str = "UPDATE workspace_evaluations SET state = 'running', answered_by = $2, started_at = $3 \
        WHERE id = $1 AND state = 'waiting'";
    let rows = on!(conn, |c| {
        sqlx::query(SQL).bind(id).bind(answered_by).bind(now).execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(rows == 1)
}

/// Notes what came of the questions so far; false when it has ended before.
///
/// # Errors
/// The store is away.
pub async fn go_on(conn: &mut Conn<'_>, id: Uuid, tally: &Tally) -> Result<bool> {
    const SQL: &str =
        "UPDATE workspace_evaluations SET asked = $2, right_answers = $3, misses = $4 WHERE id = $1 AND state = 'running'";
    let rows = on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(tally.asked).bind(tally.right).bind(Json(&tally.misses));
        update.execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(rows == 1)
}

/// Ends it; false when it has ended before.
///
/// # Errors
/// The store is away.
pub async fn end(conn: &mut Conn<'_>, id: Uuid, state: State, problem: Option<&str>, now: Timestamp) -> Result<bool> {
    const SQL: &str = "UPDATE workspace_evaluations SET state = $2, problem = $3, ended_at = $4 \
        WHERE id = $1 AND state IN ('waiting', 'running')";
    let rows = on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(state.name()).bind(problem).bind(now);
        update.execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(rows == 1)
}
