//! Language models: which one answers for an organization or a project, and its budgets. Without a model, and when a day's
//! budget is used up, the built-in analyst answers.

mod answerer;
pub mod manage;
pub mod reach;
mod store;

#[cfg(test)]
mod tests;

pub use answerer::Answerer;
#[cfg(test)]
pub(crate) use store::{ChatUsageRow, EvaluationUsageRow, ModelRow, ProjectEvaluationUsageRow, own, taken};
pub use store::{TIDY, money, of_project, put, remove};

use crate::{
    concepts::access::Viewer,
    ground::{error::Result, state::App},
};
use chrono::Utc;
use inlay_assistant::{ModelSettings, Prices, Usage};
use inlay_contract::ids::{CustomerId, OrganizationId, ProjectId, ProjectUserId};
use serde::{Deserialize, Serialize};
use url::Url;

/// The budgets of a day (UTC): tokens, input and output, and cost in the currency of the model's prices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Budgets {
    /// For one user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_tokens: Option<u64>,
    /// For all users of one customer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_tokens: Option<u64>,
    /// For all users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// For all users, as cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// The model of an organization or project. `Debug` omits its key.
#[derive(Clone, Debug)]
pub struct Model {
    /// How to call it.
    pub settings: ModelSettings,
    /// Its daily budgets.
    pub budgets: Budgets,
}

/// The usage of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taken {
    /// Tokens, input and output.
    pub tokens: u64,
    /// In the currency of the model's prices.
    pub cost: f64,
}

/// The user, customer or organization of a usage.
#[derive(Clone, Copy, Debug)]
pub enum Whose {
    /// One user.
    User(ProjectUserId),
    /// A customer's users.
    Customer(CustomerId),
    /// An organization: its users and its evaluations.
    Organization(OrganizationId),
}

/// An organization that asks questions in one of its projects, not for a user.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// The organization.
    pub organization: OrganizationId,
    /// Its project.
    pub project: ProjectId,
}

/// Checks a model's URL. It is stored and shown as it is, so it must not hold a secret.
///
/// # Errors
/// The problem; it completes «the address …».
pub fn is_address(url: &Url) -> std::result::Result<(), String> {
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("must begin with https:// or http://".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
        return Err("must not contain a user name, password or query; the key has its own field".to_owned());
    }
    Ok(())
}

/// Who answers a question.
#[derive(Debug)]
pub struct Choice {
    /// The model. `None` for the built-in analyst.
    pub model: Option<ModelSettings>,
    /// Whether there is a model whose budget is used up.
    pub spent: bool,
}

/// Who answers a viewer's question.
pub async fn choose(app: &App, viewer: &Viewer) -> Result<Choice> {
    chosen(app, viewer.organization, viewer.project, Some(viewer)).await
}

/// Who answers an organization's own questions in a project, for which no user's budget counts.
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

/// Counts the usage of a viewer's question.
pub async fn count(app: &App, viewer: &Viewer, used: Usage, prices: Option<Prices>) -> Result<()> {
    let mut tx = app.db.write().await?;
    let cost = prices.map(|prices| used.cost(prices)).unwrap_or_default();
    store::count(&mut tx.conn(), viewer, &today(), used, cost).await?;
    tx.commit().await
}

/// Counts the usage of an evaluation, for its project and not for a user.
pub async fn count_evaluation(app: &App, by: Asking, questions: i64, used: Usage, prices: Option<Prices>) -> Result<()> {
    let mut tx = app.db.write().await?;
    let cost = prices.map(|prices| used.cost(prices)).unwrap_or_default();
    store::count_evaluation(&mut tx.conn(), by, &today(), questions, used, cost).await?;
    tx.commit().await
}

fn today() -> String {
    Utc::now().date_naive().to_string()
}
