//! `/v2/api/projects/{projectId}/webhooks`

use crate::{
    concepts::{
        access::{Authorized, Host},
        projects,
        webhooks::{
            Delivery, EventKind, Webhook, address,
            manage::{self, Change},
        },
    },
    ground::{
        error::{Result, refusals},
        state::App,
        web::{
            Answer, Path,
            body::{BodyObject, Components, FreeText, FromValue, body, reference, referenced, simple},
        },
    },
};
use axum::extract::State;
use inlay_contract::ids::{ProjectId, WebhookId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    IntoParams, ToSchema,
    openapi::{RefOr, Schema, Type, schema::ArrayBuilder},
};
use uuid::Uuid;

/// A project.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct ProjectPath {
    project_id: ProjectId,
}

/// A webhook of a project.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct WebhookPath {
    project_id: ProjectId,
    webhook_id: WebhookId,
}

/// What the list answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct Webhooks {
    webhooks: Vec<Webhook>,
}

/// What making a webhook answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct MadeWebhook {
    webhook: Webhook,
    /// What its messages are signed with; shown this once.
    secret: String,
}

/// What changing a webhook answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangedWebhook {
    webhook: Webhook,
}

/// What removing a webhook answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct RemovedWebhook {
    id: WebhookId,
}

/// What a try answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TriedWebhook {
    /// The message, which the list of deliveries shows.
    delivery_id: Uuid,
}

/// What the history answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct Deliveries {
    deliveries: Vec<Delivery>,
}

body! {
    /// A webhook to make.
    struct WebhookBody {
        /// Where messages go: https, on the internet.
        url: Url,
        /// What is told.
        events: Events,
    }
}

body! {
    /// What changes; what is left out stays.
    struct WebhookChangeBody {
        /// Where messages go: https, on the internet.
        url: Option<Url>,
        /// What is told.
        events: Option<Events>,
        /// Whether anything is told.
        active: Option<bool>,
    }
}

/// An address; whether it can be one is told by whoever uses it.
struct Url(String);

impl FromValue for Url {
    fn from_value(value: &Value) -> Result<Self, String> {
        FreeText::from_value(value).map(|text| Self(text.0))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        simple(Type::String, about).min_length(Some(1)).max_length(Some(address::LONGEST)).into()
    }
}

/// The events of a body; that there are some is told by whoever uses them.
struct Events(Vec<EventKind>);

impl FromValue for Events {
    fn from_value(value: &Value) -> Result<Self, String> {
        let choices = || EventKind::CHOICES.map(EventKind::name).join(", ");
        let named = |value: &Value| {
            let event = value.as_str().and_then(EventKind::named);
            event.ok_or_else(|| format!("must hold nothing but {}", choices()))
        };
        let items = value.as_array().ok_or_else(|| "must be a list".to_owned())?;
        items.iter().map(named).collect::<Result<_, _>>().map(Self)
    }

    fn schema(about: &str) -> RefOr<Schema> {
        ArrayBuilder::new().items(reference::<EventKind>("")).description(Some(about)).min_items(Some(1)).into()
    }

    fn components(components: &mut Components) {
        referenced::<EventKind>(components);
    }
}

/// Lists a project's webhooks, oldest first.
#[utoipa::path(
    get,
    path = "/v2/api/projects/{projectId}/webhooks",
    tag = "Webhooks",
    params(ProjectPath),
    security(("apiKey" = []), ("memberToken" = [])),
    responses((status = 200, body = Webhooks), (status = "default", description = refusals![ProjectNotFound])),
)]
pub async fn list_webhooks(
    State(app): State<App>,
    Path(path): Path<ProjectPath>,
    Authorized { caller, .. }: Authorized<Host>,
) -> Result<Answer<Webhooks>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    Ok(Answer(Webhooks { webhooks: manage::list(&app, project.id).await? }))
}

/// Makes a webhook. Its messages are signed as the Standard Webhooks specification says.
#[utoipa::path(
    post,
    path = "/v2/api/projects/{projectId}/webhooks",
    tag = "Webhooks",
    params(ProjectPath),
    request_body = WebhookBody,
    security(("apiKey" = []), ("memberToken" = [])),
    responses(
        (status = 200, body = MadeWebhook),
        (status = "default", description = refusals![ProjectNotFound, WebhookLimit]),
    ),
)]
pub async fn create_webhook(
    State(app): State<App>,
    Path(path): Path<ProjectPath>,
    Authorized { caller, actor, body, .. }: Authorized<Host>,
) -> Result<Answer<MadeWebhook>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    let WebhookBody { url, events } = WebhookBody::of(&body, &app.settings.limits)?;
    let (webhook, secret) = manage::create(&app, &actor, project.id, &url.0, events.0).await?;
    Ok(Answer(MadeWebhook { webhook, secret }))
}

/// Changes a webhook's address, its events, or whether anything is told.
#[utoipa::path(
    patch,
    path = "/v2/api/projects/{projectId}/webhooks/{webhookId}",
    tag = "Webhooks",
    params(WebhookPath),
    request_body = WebhookChangeBody,
    security(("apiKey" = []), ("memberToken" = [])),
    responses((status = 200, body = ChangedWebhook), (status = "default", description = refusals![ProjectNotFound, NotFound])),
)]
pub async fn change_webhook(
    State(app): State<App>,
    Path(path): Path<WebhookPath>,
    Authorized { caller, actor, body, .. }: Authorized<Host>,
) -> Result<Answer<ChangedWebhook>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    let WebhookChangeBody { url, events, active } = WebhookChangeBody::of(&body, &app.settings.limits)?;
    let change = Change { url: url.map(|url| url.0), events: events.map(|events| events.0), active };
    Ok(Answer(ChangedWebhook { webhook: manage::change(&app, &actor, project.id, path.webhook_id, change).await? }))
}

/// Removes a webhook with its messages.
#[utoipa::path(
    delete,
    path = "/v2/api/projects/{projectId}/webhooks/{webhookId}",
    tag = "Webhooks",
    params(WebhookPath),
    security(("apiKey" = []), ("memberToken" = [])),
    responses((status = 200, body = RemovedWebhook), (status = "default", description = refusals![ProjectNotFound, NotFound])),
)]
pub async fn delete_webhook(
    State(app): State<App>,
    Path(path): Path<WebhookPath>,
    Authorized { caller, actor, .. }: Authorized<Host>,
) -> Result<Answer<RemovedWebhook>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    manage::remove(&app, &actor, project.id, path.webhook_id).await?;
    Ok(Answer(RemovedWebhook { id: path.webhook_id }))
}

/// Sends a webhook a `webhook.test`, whether it is active or not.
#[utoipa::path(
    post,
    path = "/v2/api/projects/{projectId}/webhooks/{webhookId}/test",
    tag = "Webhooks",
    params(WebhookPath),
    request_body = NothingBody,
    security(("apiKey" = []), ("memberToken" = [])),
    responses((status = 200, body = TriedWebhook), (status = "default", description = refusals![ProjectNotFound, NotFound])),
)]
pub async fn test_webhook(
    State(app): State<App>,
    Path(path): Path<WebhookPath>,
    Authorized { caller, .. }: Authorized<Host>,
) -> Result<Answer<TriedWebhook>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    Ok(Answer(TriedWebhook { delivery_id: manage::test(&app, project.id, path.webhook_id).await? }))
}

/// An empty object.
#[derive(ToSchema)]
struct NothingBody {}

/// Lists a webhook's newest messages and what became of them.
#[utoipa::path(
    get,
    path = "/v2/api/projects/{projectId}/webhooks/{webhookId}/deliveries",
    tag = "Webhooks",
    params(WebhookPath),
    security(("apiKey" = []), ("memberToken" = [])),
    responses((status = 200, body = Deliveries), (status = "default", description = refusals![ProjectNotFound, NotFound])),
)]
pub async fn list_deliveries(
    State(app): State<App>,
    Path(path): Path<WebhookPath>,
    Authorized { caller, .. }: Authorized<Host>,
) -> Result<Answer<Deliveries>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    Ok(Answer(Deliveries { deliveries: manage::deliveries(&app, project.id, path.webhook_id).await? }))
}
