//! Models and their use in the store. Keys of models are sealed.

use super::{Asking, Budgets, Model, Taken, Whose};
use crate::{
    access::Viewer,
    error::{Error, Result},
    on,
    store::{Conn, seal::Sealer},
    time::Timestamp,
};
use inlay_assistant::{ModelSettings, Prices, Usage};
use inlay_contract::ids::{ModelId, OrganizationId, ProjectId};
use secrecy::{ExposeSecret, SecretString};
use sqlx::types::Json;
use uuid::Uuid;

/// Millionths of a unit of money, so that sums are exact.
const UNIT: f64 = 1_000_000.0;

/// Money out of its millionths, as the store sums them.
pub fn money(millionths: i64) -> f64 {
    millionths as f64 / UNIT
}

type Row = (ModelId, String, Option<String>, String, Vec<u8>, Option<Json<Prices>>, Json<Budgets>);

fn model(row: Row, sealer: &Sealer) -> Result<Model> {
    let (id, provider, address, model, sealed, prices, Json(budgets)) = row;
    let key = String::from_utf8(sealer.open(id.0, &sealed)?).map_err(Error::internal)?;
    let settings = ModelSettings {
        provider: provider.parse().map_err(Error::internal)?,
        address: address.map(|address| address.parse()).transpose().map_err(Error::internal)?,
        model,
        key: SecretString::from(key),
        prices: prices.map(|Json(prices)| prices),
    };
    Ok(Model { settings, budgets })
}

/// The model that answers in a project: its own, or its organization's.
///
/// # Errors
/// The store is away, or the key does not open.
pub async fn of_project(
    conn: &mut Conn<'_>,
    sealer: &Sealer,
    organization: OrganizationId,
    project: ProjectId,
) -> Result<Option<Model>> {
    const SQL: &str = "SELECT id, provider, address, model, sealed_key, prices, budgets FROM models \
        WHERE organization_id = $1 AND (project_id = $2 OR project_id IS NULL) \
        ORDER BY CASE WHEN project_id IS NULL THEN 1 ELSE 0 END LIMIT 1";
    let found = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(organization).bind(project).fetch_optional(c).await)?;
    found.map(|row| model(row, sealer)).transpose()
}

/// The model that an organization, or one of its projects, has of its own.
///
/// # Errors
/// The store is away, or the key does not open.
pub async fn own(
    conn: &mut Conn<'_>,
    sealer: &Sealer,
    organization: OrganizationId,
    project: Option<ProjectId>,
) -> Result<Option<Model>> {
    const OWN: &str = "SELECT id, provider, address, model, sealed_key, prices, budgets FROM models \
        WHERE organization_id = $1 AND project_id IS NULL";
    const OF_PROJECT: &str = "SELECT id, provider, address, model, sealed_key, prices, budgets FROM models \
        WHERE organization_id = $1 AND project_id = $2";
    let found = match project {
        None => on!(conn, |c| sqlx::query_as::<_, Row>(OWN).bind(organization).fetch_optional(c).await),
        Some(project) => {
            on!(conn, |c| sqlx::query_as::<_, Row>(OF_PROJECT).bind(organization).bind(project).fetch_optional(c).await)
        }
    }?;
    found.map(|row| model(row, sealer)).transpose()
}

/// Gives an organization, or one of its projects, its model, in place of the one that it had; the model's id.
///
/// # Errors
/// The store is away.
pub async fn put(
    conn: &mut Conn<'_>,
    sealer: &Sealer,
    organization: OrganizationId,
    project: Option<ProjectId>,
    model: &Model,
) -> Result<ModelId> {
    const SQL: &str = "INSERT INTO models (id, organization_id, project_id, provider, address, model, sealed_key, prices, \
        budgets, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)";
    remove(conn, organization, project).await?;
    let id = ModelId::generate();
    let Model { settings, budgets } = model;
    let sealed = sealer.seal(id.0, settings.key.expose_secret().as_bytes())?;
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(id).bind(organization).bind(project).bind(settings.provider.name());
        let insert = insert.bind(settings.address.as_ref().map(url::Url::as_str)).bind(&settings.model).bind(sealed);
        let insert = insert.bind(settings.prices.map(Json)).bind(Json(budgets)).bind(Timestamp::now());
        insert.execute(c).await.map(drop)
    })?;
    Ok(id)
}

/// Takes the model from an organization or project; its id, if there was one.
///
/// # Errors
/// The store is away.
pub async fn remove(conn: &mut Conn<'_>, organization: OrganizationId, project: Option<ProjectId>) -> Result<Option<ModelId>> {
    const OWN: &str = "DELETE FROM models WHERE organization_id = $1 AND project_id IS NULL RETURNING id";
    const OF_PROJECT: &str = "DELETE FROM models WHERE organization_id = $1 AND project_id = $2 RETURNING id";
    Ok(match project {
        None => on!(conn, |c| sqlx::query_scalar(OWN).bind(organization).fetch_optional(c).await),
        Some(project) => {
            on!(conn, |c| sqlx::query_scalar(OF_PROJECT).bind(organization).bind(project).fetch_optional(c).await)
        }
    }?)
}

/// What was taken on a day (`2026-01-31`, UTC).
///
/// # Errors
/// The store is away.
pub async fn taken(conn: &mut Conn<'_>, whose: Whose, day: &str) -> Result<Taken> {
    macro_rules! sum {
        ($column:literal) => {
            concat!(
                "SELECT CAST(COALESCE(SUM(input_tokens + output_tokens), 0) AS BIGINT), ",
                "CAST(COALESCE(SUM(cost), 0) AS BIGINT) FROM chat_usage WHERE ",
                $column,
                " = $1 AND day = $2"
            )
        };
    }
    const OF_ORGANIZATION: &str = "SELECT CAST(COALESCE(SUM(tokens), 0) AS BIGINT), CAST(COALESCE(SUM(cost), 0) AS BIGINT) FROM ( \
        SELECT input_tokens + output_tokens AS tokens, cost FROM chat_usage WHERE organization_id = $1 AND day = $2 UNION ALL \
        SELECT input_tokens + output_tokens, cost FROM project_evaluation_usage WHERE organization_id = $1 AND day = $2 UNION ALL \
        SELECT input_tokens + output_tokens, cost FROM evaluation_usage WHERE organization_id = $1 AND day = $2) AS used";
    let (sql, id): (&'static str, Uuid) = match whose {
        Whose::User(user) => (sum!("user_id"), user.0),
        Whose::Customer(customer) => (sum!("customer_id"), customer.0),
        Whose::Organization(organization) => (OF_ORGANIZATION, organization.0),
    };
    let (tokens, cost): (i64, i64) = on!(conn, |c| sqlx::query_as(sql).bind(id).bind(day).fetch_one(c).await)?;
    Ok(Taken { tokens: u64::try_from(tokens).unwrap_or_default(), cost: cost as f64 / UNIT })
}

/// Adds what a question took to its user's day; to the organization's alone when the user is gone meanwhile.
///
/// # Errors
/// The store is away.
pub async fn count(conn: &mut Conn<'_>, viewer: &Viewer, day: &str, used: Usage, cost: f64) -> Result<()> {
    const SQL: &str = "INSERT INTO chat_usage (user_id, day, organization_id, customer_id, questions, input_tokens, \
        output_tokens, cost) SELECT $1, $2, $3, $4, 1, $5, $6, $7 WHERE EXISTS (SELECT 1 FROM project_users WHERE id = $1) \
        ON CONFLICT (user_id, day) DO UPDATE SET \
        questions = chat_usage.questions + 1, input_tokens = chat_usage.input_tokens + excluded.input_tokens, \
        output_tokens = chat_usage.output_tokens + excluded.output_tokens, cost = chat_usage.cost + excluded.cost";
    let (read, written, cost) = kept(used, cost);
    let counted = on!(&mut *conn, |c| {
        let insert = sqlx::query(SQL).bind(viewer.user).bind(day).bind(viewer.organization).bind(viewer.customer);
        insert.bind(read).bind(written).bind(cost).execute(c).await.map(|done| done.rows_affected())
    })?;
    if counted > 0 { Ok(()) } else { count_organization(conn, viewer.organization, day, (read, written, cost)).await }
}

/// Adds what an evaluation took to its project's day, and so to its organization's; to that alone when the project is gone
/// meanwhile.
///
/// # Errors
/// The store is away.
pub async fn count_evaluation(
    conn: &mut Conn<'_>,
    Asking { organization, project }: Asking,
    day: &str,
    questions: i64,
    used: Usage,
    cost: f64,
) -> Result<()> {
    const SQL: &str = "INSERT INTO project_evaluation_usage (project_id, day, organization_id, questions, input_tokens, \
        output_tokens, cost) SELECT $1, $2, $3, $4, $5, $6, $7 WHERE EXISTS (SELECT 1 FROM projects WHERE id = $1) \
        ON CONFLICT (project_id, day) DO UPDATE SET \
        questions = project_evaluation_usage.questions + excluded.questions, \
        input_tokens = project_evaluation_usage.input_tokens + excluded.input_tokens, \
        output_tokens = project_evaluation_usage.output_tokens + excluded.output_tokens, \
        cost = project_evaluation_usage.cost + excluded.cost";
    let (read, written, cost) = kept(used, cost);
    let counted = on!(&mut *conn, |c| {
        let insert = sqlx::query(SQL).bind(project).bind(day).bind(organization).bind(questions);
        insert.bind(read).bind(written).bind(cost).execute(c).await.map(|done| done.rows_affected())
    })?;
    if counted > 0 { Ok(()) } else { count_organization(conn, organization, day, (read, written, cost)).await }
}

/// Adds tokens read and written, and money, to an organization's day.
async fn count_organization(
    conn: &mut Conn<'_>,
    organization: OrganizationId,
    day: &str,
    (read, written, cost): (i64, i64, i64),
) -> Result<()> {
    const SQL: &str = "INSERT INTO evaluation_usage (organization_id, day, input_tokens, output_tokens, cost) \
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT (organization_id, day) DO UPDATE SET \
        input_tokens = evaluation_usage.input_tokens + excluded.input_tokens, \
        output_tokens = evaluation_usage.output_tokens + excluded.output_tokens, cost = evaluation_usage.cost + excluded.cost";
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(organization).bind(day).bind(read).bind(written).bind(cost);
        insert.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Tokens read and written, and money, as they are kept.
fn kept(used: Usage, cost: f64) -> (i64, i64, i64) {
    let whole = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
    // No question costs 2^63 millionths; a cast beyond them saturates.
    let cost = (cost * UNIT).ceil() as i64;
    (whole(used.input_tokens), whole(used.output_tokens), cost)
}
