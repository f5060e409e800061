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
        paging,
        state::App,
        web::{
            Answer, Path,
            body::{BodyObject, Components, FreeText, FromValue, body, reference, referenced, simple},
            paging::PageQuery,
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

/// A list of webhooks.
#[derive(Debug, Serialize, ToSchema)]
pub struct Webhooks {
    webhooks: Vec<Webhook>,
    /// `after` of the next part. Missing at the end of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A created webhook.
#[derive(Debug, Serialize, ToSchema)]
pub struct MadeWebhook {
    webhook: Webhook,
    /// The secret that signs its messages. It is shown only once.
    secret: String,
}

/// A changed webhook.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangedWebhook {
    webhook: Webhook,
}

/// A deleted webhook.
#[derive(Debug, Serialize, ToSchema)]
pub struct RemovedWebhook {
    id: WebhookId,
}

/// The test message of a webhook.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TriedWebhook {
    /// The id of the message in the list of deliveries.
    delivery_id: Uuid,
}

/// A list of messages.
#[derive(Debug, Serialize, ToSchema)]
pub struct Deliveries {
    deliveries: Vec<Delivery>,
    /// `after` of the next part. Missing at the end of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

body! {
    /// A webhook to create.
    struct WebhookBody {
        /// The URL that receives the messages: https, on the internet.
        url: Url,
        /// The events to send.
        events: Events,
    }
}

body! {
    /// Changes of a webhook. Missing fields stay.
    struct WebhookChangeBody {
        /// The URL that receives the messages: https, on the internet.
        url: Option<Url>,
        /// The events to send.
        events: Option<Events>,
        /// Whether messages are sent.
        active: Option<bool>,
    }
}

/// A URL. The function that stores it checks it.
struct Url(String);

impl FromValue for Url {
    fn from_value(value: &Value) -> Result<Self, String> {
        FreeText::from_value(value).map(|text| Self(text.0))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        simple(Type::String, about).min_length(Some(1)).max_length(Some(address::LONGEST)).into()
    }
}

/// The events of a body. The function that stores them refuses an empty list.
struct Events(Vec<EventKind>);

impl FromValue for Events {
    fn from_value(value: &Value) -> Result<Self, String> {
        let choices = || EventKind::CHOICES.map(EventKind::name).join(", ");
        let named = |value: &Value| {
            let event = value.as_str().and_then(EventKind::named);
            event.ok_or_else(|| format!("must contain only {}", choices()))
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

/// The lists in cursors.
const WEBHOOKS: &str = "webhooks";
const DELIVERIES: &str = "deliveries";

/// Lists a project's webhooks, oldest first.
#[utoipa::path(
    get,
    path = "/v2/api/projects/{projectId}/webhooks",
    tag = "Webhooks",
    params(ProjectPath, PageQuery),
    security(("apiKey" = []), ("memberToken" = [])),
    responses((status = 200, body = Webhooks), (status = "default", description = refusals![ProjectNotFound])),
)]
pub async fn list_webhooks(
    State(app): State<App>,
    Path(path): Path<ProjectPath>,
    Authorized { caller, body, .. }: Authorized<Host>,
) -> Result<Answer<Webhooks>> {
    let page = PageQuery::read(&body, &app.settings.limits)?;
    let after: Option<WebhookId> = page.after(WEBHOOKS)?;
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    let all = manage::list(&app, project.id).await?;
    let part = paging::part_of(all, page.most(), |one| after.is_none_or(|after| one.id > after), |last| last.id);
    let (webhooks, next) = part.answer(WEBHOOKS, |webhook| webhook)?;
    Ok(Answer(Webhooks { webhooks, next }))
}

/// Creates a webhook.
///
/// Its messages are signed as the Standard Webhooks specification defines.
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

/// Changes a webhook's URL, its events, or whether messages are sent.
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

/// Deletes a webhook with its messages.
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

/// Sends a `webhook.test` message to a webhook, even if it is inactive.
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

/// Lists a webhook's messages and their state, newest first.
///
/// At most 100 at a time, unless `limit` says otherwise.
#[utoipa::path(
    get,
    path = "/v2/api/projects/{projectId}/webhooks/{webhookId}/deliveries",
    tag = "Webhooks",
    params(WebhookPath, PageQuery),
    security(("apiKey" = []), ("memberToken" = [])),
    responses((status = 200, body = Deliveries), (status = "default", description = refusals![ProjectNotFound, NotFound])),
)]
pub async fn list_deliveries(
    State(app): State<App>,
    Path(path): Path<WebhookPath>,
    Authorized { caller, body, .. }: Authorized<Host>,
) -> Result<Answer<Deliveries>> {
    let page = PageQuery::read(&body, &app.settings.limits)?;
    let after = page.after(DELIVERIES)?;
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    let part = manage::deliveries(&app, project.id, path.webhook_id, after, page.most_or(manage::SHOWN)).await?;
    let (deliveries, next) = part.answer(DELIVERIES, |delivery| delivery)?;
    Ok(Answer(Deliveries { deliveries, next }))
}
