//! Language models: which one answers for an organization or one of its projects, and how much it may take. Without one, and
//! when a day's budget is used up, the built-in analyst answers.

pub mod manage;
pub mod reach;
pub mod store;

#[cfg(test)]
mod tests;

use crate::{access::Viewer, error::Result, state::App};
use chrono::Utc;
use inlay_assistant::{ModelSettings, Prices, Usage};
use inlay_contract::ids::{CustomerId, OrganizationId, ProjectId, ProjectUserId};
use serde::{Deserialize, Serialize};
use url::Url;

/// What answers may take on a day of UTC: tokens, read and written, and money in the currency of the model's prices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Budgets {
    /// Of one user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_tokens: Option<u64>,
    /// Of all users of one customer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_tokens: Option<u64>,
    /// Of everybody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Of everybody, in money.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// The model of an organization or project. `Debug` shows nothing of its key.
#[derive(Clone, Debug)]
pub struct Model {
    /// How it is reached.
    pub settings: ModelSettings,
    /// How much it may take.
    pub budgets: Budgets,
}

/// What was taken on a day.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taken {
    /// Tokens, read and written.
    pub tokens: u64,
    /// In the currency of the model's prices.
    pub cost: f64,
}

/// Whose use is meant.
#[derive(Clone, Copy, Debug)]
pub enum Whose {
    /// One user's.
    User(ProjectUserId),
    /// That of a customer's users.
    Customer(CustomerId),
    /// An organization's: its users' and its own.
    Organization(OrganizationId),
}

/// An organization that asks in one of its projects, in no user's name.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// The organization.
    pub organization: OrganizationId,
    /// Its project.
    pub project: ProjectId,
}

/// Whether a model's address has the form of one. It is kept and shown as it is, so that nothing in it may be a secret.
///
/// # Errors
/// What is wrong with it; completes «the address …».
pub fn is_address(url: &Url) -> std::result::Result<(), String> {
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("begins with https:// or http://".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
        return Err("holds more than a place; the key has its own field".to_owned());
    }
    Ok(())
}

/// Who answers a question.
#[derive(Debug)]
pub struct Choice {
    /// The model; none for the built-in analyst.
    pub model: Option<ModelSettings>,
    /// Whether there is a model whose budget is used up.
    pub spent: bool,
}

/// Who answers a viewer's question.
///
/// # Errors
///
/// The model's key does not open.
pub async fn choose(app: &App, viewer: &Viewer) -> Result<Choice> {
    chosen(app, viewer.organization, viewer.project, Some(viewer)).await
}

/// Who answers what an organization itself asks in a project: no user's budget is meant.
///
/// # Errors
/// As [`choose`].
pub async fn choose_for_organization(app: &App, organization: OrganizationId, project: ProjectId) -> Result<Choice> {
    chosen(app, organization, project, None).await
}

async fn chosen(app: &App, organization: OrganizationId, project: ProjectId, viewer: Option<&Viewer>) -> Result<Choice> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let Some(model) = store::of_project(conn, &app.sealer, organization, project).await? else {
        return Ok(Choice { model: None, spent: false });
    };
    let Budgets { user_tokens, customer_tokens, tokens, cost } = model.budgets;
    let mut spent = false;
    let limits = [
        (user_tokens, None, viewer.map(|viewer| Whose::User(viewer.user))),
        (customer_tokens, None, viewer.and_then(|viewer| viewer.customer).map(Whose::Customer)),
        (tokens, cost, Some(Whose::Organization(organization))),
    ];
    for (tokens, cost, whose) in limits {
        if let Some(whose) = whose.filter(|_| tokens.is_some() || cost.is_some()) {
            let taken = store::taken(conn, whose, &today()).await?;
            spent |= tokens.is_some_and(|most| taken.tokens >= most) || cost.is_some_and(|most| taken.cost >= most);
        }
    }
    Ok(Choice { model: (!spent).then_some(model.settings), spent })
}

/// Counts what a viewer's question took.
pub async fn count(app: &App, viewer: &Viewer, used: Usage, prices: Option<Prices>) -> Result<()> {
    let mut tx = app.db.write().await?;
    let cost = prices.map(|prices| used.cost(prices)).unwrap_or_default();
    store::count(&mut tx.conn(), viewer, &today(), used, cost).await?;
    tx.commit().await
}

/// Counts what an evaluation took: so many questions, and what they cost. It is its project's, and no user's.
pub async fn count_evaluation(app: &App, by: Asking, questions: i64, used: Usage, prices: Option<Prices>) -> Result<()> {
    let mut tx = app.db.write().await?;
    let cost = prices.map(|prices| used.cost(prices)).unwrap_or_default();
    store::count_evaluation(&mut tx.conn(), by, &today(), questions, used, cost).await?;
    tx.commit().await
}

fn today() -> String {
    Utc::now().date_naive().to_string()
}
