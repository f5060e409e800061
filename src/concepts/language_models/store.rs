//! Models and their usage in the store. Keys of models are encrypted.

mod tidy;

pub use tidy::TIDY;

use super::{Asking, Budgets, Model, Taken, Whose};
use crate::{
    concepts::access::Viewer,
    ground::{
        error::{Error, Result},
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql, values},
            seal::Sealer,
        },
        time::Timestamp,
    },
    on,
};
use inlay_assistant::{ModelSettings, Prices, Usage};
use inlay_contract::ids::{CustomerId, ModelId, OrganizationId, ProjectId, ProjectUserId};
use secrecy::{ExposeSecret, SecretString};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

/// Costs are stored as millionths, so that sums are exact.
const UNIT: f64 = 1_000_000.0;

/// The amount for a sum of millionths.
pub fn money(millionths: i64) -> f64 {
    millionths as f64 / UNIT
}

row! {
    /// The model of an organization or of one of its projects. Its key is encrypted.
    pub(crate) struct ModelRow in "language_models" {
        id: ModelId,
        organization_id: OrganizationId,
        project_id: Option<ProjectId>,
        provider: String,
        address: Option<String>,
        model: String,
        sealed_key: Vec<u8>,
        prices: Option<Json<Prices>>,
        budgets: Json<Budgets>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

row! {
    /// The usage of a user's questions on a day.
    pub(crate) struct ChatUsageRow in "chat_usage" {
        user_id: ProjectUserId,
        day: String,
        organization_id: OrganizationId,
        customer_id: Option<CustomerId>,
        questions: i64,
        input_tokens: i64,
        output_tokens: i64,
        cost: i64,
    }
}

row! {
    /// The usage of a project's evaluations on a day.
    pub(crate) struct ProjectEvaluationUsageRow in "project_evaluation_usage" {
        project_id: ProjectId,
        day: String,
        organization_id: OrganizationId,
        questions: i64,
        input_tokens: i64,
        output_tokens: i64,
        cost: i64,
    }
}

row! {
    /// Usage that counts only for an organization.
    pub(crate) struct EvaluationUsageRow in "evaluation_usage" {
        organization_id: OrganizationId,
        day: String,
        input_tokens: i64,
        output_tokens: i64,
        cost: i64,
    }
}

#[derive(FromRow)]
struct Sum {
    tokens: i64,
    cost: i64,
}

fn model(row: ModelRow, sealer: &Sealer) -> Result<Model> {
    let key = String::from_utf8(sealer.open(row.id.0, &row.sealed_key)?).map_err(Error::internal)?;
    let settings = ModelSettings {
        provider: row.provider.parse().map_err(Error::internal)?,
        address: row.address.map(|address| address.parse()).transpose().map_err(Error::internal)?,
        model: row.model,
        key: SecretString::from(key),
        prices: row.prices.map(|Json(prices)| prices),
    };
    Ok(Model { settings, budgets: row.budgets.0 })
}

const OF_ORGANIZATION: &str = sql!("SELECT ", columns!(ModelRow), " FROM language_models WHERE organization_id = $1");

/// The model that answers in a project: its own, otherwise its organization's.
pub async fn of_project(
    conn: &mut Conn<'_>,
    sealer: &Sealer,
    organization: OrganizationId,
    project: ProjectId,
) -> Result<Option<Model>> {
    const SQL: &str = sql!(
        OF_ORGANIZATION,
        " AND (project_id = $2 OR project_id IS NULL) ORDER BY CASE WHEN project_id IS NULL THEN 1 ELSE 0 END LIMIT 1"
    );
    let found = on!(conn, |c| sqlx::query_as::<_, ModelRow>(SQL).bind(organization).bind(project).fetch_optional(c).await)?;
    found.map(|row| model(row, sealer)).transpose()
}

/// The own model of an organization or of one of its projects.
pub async fn own(
    conn: &mut Conn<'_>,
    sealer: &Sealer,
    organization: OrganizationId,
    project: Option<ProjectId>,
) -> Result<Option<Model>> {
    const OWN: &str = sql!(OF_ORGANIZATION, " AND project_id IS NULL");
    const OF_PROJECT: &str = sql!(OF_ORGANIZATION, " AND project_id = $2");
    let found = match project {
        None => on!(conn, |c| sqlx::query_as::<_, ModelRow>(OWN).bind(organization).fetch_optional(c).await),
        Some(project) => {
            on!(conn, |c| sqlx::query_as::<_, ModelRow>(OF_PROJECT).bind(organization).bind(project).fetch_optional(c).await)
        }
    }?;
    found.map(|row| model(row, sealer)).transpose()
}

/// Sets the model of an organization or of one of its projects, replacing the earlier one. Returns its id.
pub async fn put(
    conn: &mut Conn<'_>,
    sealer: &Sealer,
    organization: OrganizationId,
    project: Option<ProjectId>,
    model: &Model,
) -> Result<ModelId> {
    remove(conn, organization, project).await?;
    let (id, now) = (ModelId::generate(), Timestamp::now());
    let Model { settings, budgets } = model;
    let row = ModelRow {
        id,
        organization_id: organization,
        project_id: project,
        provider: settings.provider.name().to_owned(),
        address: settings.address.as_ref().map(ToString::to_string),
        model: settings.model.clone(),
        sealed_key: sealer.seal(id.0, settings.key.expose_secret().as_bytes())?,
        prices: settings.prices.map(Json),
        budgets: Json(*budgets),
        created_at: now,
        updated_at: now,
    };
    rows::insert(conn, row).await?;
    Ok(id)
}

/// Removes the model of an organization or project. Returns its id, if there was one.
pub async fn remove(conn: &mut Conn<'_>, organization: OrganizationId, project: Option<ProjectId>) -> Result<Option<ModelId>> {
    const OWN: &str = "DELETE FROM language_models WHERE organization_id = $1 AND project_id IS NULL RETURNING id";
    const OF_PROJECT: &str = "DELETE FROM language_models WHERE organization_id = $1 AND project_id = $2 RETURNING id";
    Ok(match project {
        None => on!(conn, |c| sqlx::query_scalar(OWN).bind(organization).fetch_optional(c).await),
        Some(project) => {
            on!(conn, |c| sqlx::query_scalar(OF_PROJECT).bind(organization).bind(project).fetch_optional(c).await)
        }
    }?)
}

/// The usage of a day (`2026-01-31`, UTC).
pub async fn taken(conn: &mut Conn<'_>, whose: Whose, day: &str) -> Result<Taken> {
    macro_rules! sum {
        ($column:literal) => {
            concat!(
                "SELECT CAST(COALESCE(SUM(input_tokens + output_tokens), 0) AS BIGINT) AS tokens, ",
                "CAST(COALESCE(SUM(cost), 0) AS BIGINT) AS cost FROM chat_usage WHERE ",
                $column,
                " = $1 AND day = $2"
            )
        };
    }
    const TOGETHER: &str = "SELECT CAST(COALESCE(SUM(tokens), 0) AS BIGINT) AS tokens, CAST(COALESCE(SUM(cost), 0) AS BIGINT) AS cost FROM ( \
        SELECT input_tokens + output_tokens AS tokens, cost FROM chat_usage WHERE organization_id = $1 AND day = $2 UNION ALL \
        SELECT input_tokens + output_tokens, cost FROM project_evaluation_usage WHERE organization_id = $1 AND day = $2 UNION ALL \
        SELECT input_tokens + output_tokens, cost FROM evaluation_usage WHERE organization_id = $1 AND day = $2) AS used";
    let (sql, id): (&'static str, Uuid) = match whose {
        Whose::User(user) => (sum!("user_id"), user.0),
        Whose::Customer(customer) => (sum!("customer_id"), customer.0),
        Whose::Organization(organization) => (TOGETHER, organization.0),
    };
    let Sum { tokens, cost } = on!(conn, |c| sqlx::query_as(sql).bind(id).bind(day).fetch_one(c).await)?;
    Ok(Taken { tokens: u64::try_from(tokens).unwrap_or_default(), cost: cost as f64 / UNIT })
}

/// Adds a question's usage to its user's day, or only to the organization's if the user was deleted in the meantime.
pub async fn count(conn: &mut Conn<'_>, viewer: &Viewer, day: &str, used: Usage, cost: f64) -> Result<()> {
    const SQL: &str = sql!(
        "INSERT INTO chat_usage (",
        columns!(ChatUsageRow),
        ") SELECT ",
        values!(ChatUsageRow),
        " WHERE EXISTS (SELECT 1 FROM project_users WHERE id = $1) ON CONFLICT (user_id, day) DO UPDATE SET \
        questions = chat_usage.questions + excluded.questions, input_tokens = chat_usage.input_tokens + excluded.input_tokens, \
        output_tokens = chat_usage.output_tokens + excluded.output_tokens, cost = chat_usage.cost + excluded.cost"
    );
    let (read, written, cost) = kept(used, cost);
    let row = ChatUsageRow {
        user_id: viewer.user,
        day: day.to_owned(),
        organization_id: viewer.organization,
        customer_id: viewer.customer,
        questions: 1,
        input_tokens: read,
        output_tokens: written,
        cost,
    };
    let counted = on!(&mut *conn, |c| rows::query(SQL, row).execute(c).await.map(|done| done.rows_affected()))?;
    if counted > 0 { Ok(()) } else { count_organization(conn, viewer.organization, day, (read, written, cost)).await }
}

/// Adds an evaluation's usage to its project's day, which counts for its organization too. If the project was deleted in the
/// meantime: only to the organization's.
pub async fn count_evaluation(
    conn: &mut Conn<'_>,
    Asking { organization, project }: Asking,
    day: &str,
    questions: i64,
    used: Usage,
    cost: f64,
) -> Result<()> {
    const SQL: &str = sql!(
        "INSERT INTO project_evaluation_usage (",
        columns!(ProjectEvaluationUsageRow),
        ") SELECT ",
        values!(ProjectEvaluationUsageRow),
        " WHERE EXISTS (SELECT 1 FROM projects WHERE id = $1) ON CONFLICT (project_id, day) DO UPDATE SET \
        questions = project_evaluation_usage.questions + excluded.questions, \
        input_tokens = project_evaluation_usage.input_tokens + excluded.input_tokens, \
        output_tokens = project_evaluation_usage.output_tokens + excluded.output_tokens, \
        cost = project_evaluation_usage.cost + excluded.cost"
    );
    let (read, written, cost) = kept(used, cost);
    let row = ProjectEvaluationUsageRow {
        project_id: project,
        day: day.to_owned(),
        organization_id: organization,
        questions,
        input_tokens: read,
        output_tokens: written,
        cost,
    };
    let counted = on!(&mut *conn, |c| rows::query(SQL, row).execute(c).await.map(|done| done.rows_affected()))?;
    if counted > 0 { Ok(()) } else { count_organization(conn, organization, day, (read, written, cost)).await }
}

/// Adds input and output tokens and cost to an organization's day.
async fn count_organization(
    conn: &mut Conn<'_>,
    organization: OrganizationId,
    day: &str,
    (read, written, cost): (i64, i64, i64),
) -> Result<()> {
    const SQL: &str = sql!(
        inserts!(EvaluationUsageRow),
        " ON CONFLICT (organization_id, day) DO UPDATE SET \
        input_tokens = evaluation_usage.input_tokens + excluded.input_tokens, \
        output_tokens = evaluation_usage.output_tokens + excluded.output_tokens, cost = evaluation_usage.cost + excluded.cost"
    );
    let row = EvaluationUsageRow {
        organization_id: organization,
        day: day.to_owned(),
        input_tokens: read,
        output_tokens: written,
        cost,
    };
    on!(conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    Ok(())
}

/// Input and output tokens and cost, as they are stored.
fn kept(used: Usage, cost: f64) -> (i64, i64, i64) {
    let whole = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
    // No question costs 2^63 millionths; the cast saturates there.
    let cost = (cost * UNIT).ceil() as i64;
    (whole(used.input_tokens), whole(used.output_tokens), cost)
}
