//! `GET` and `POST …/favorites`, `DELETE …/favorites/{favoriteId}`.

use super::WorkspacePath;
use crate::{
    concepts::{
        access::{Authorized, Viewer},
        chat::{
            OpenWorkspace, ViewerLocale,
            pins::{self, Pin, PinCollection, Source},
        },
    },
    ground::{
        error::{Result, refusals},
        paging,
        state::App,
        time::Timestamp,
        web::{
            Answer, Path,
            body::{BodyObject, Position, body},
            paging::PageQuery,
        },
    },
};
use axum::extract::State;
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{MessageId, PinId, WorkspaceId},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A favourite of a workspace.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct FavoritePath {
    workspace_id: WorkspaceId,
    favorite_id: PinId,
}

/// The caller's own favourites, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Favorites {
    favorites: Vec<Favorite>,
    /// `after` of the next part. Missing at the end of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A chart that the user saved. `chartConfig` is what the answer's `generateChart` returned.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Favorite {
    favorite_id: PinId,
    message_id: MessageId,
    result: i64,
    #[schema(value_type = serde_json::Map<String, Value>)]
    chart_config: ChartDefinition,
    created_at: Timestamp,
}

impl From<Pin> for Favorite {
    fn from(pin: Pin) -> Self {
        let Pin { id, message, result, definition, created_at, .. } = pin;
        Self { favorite_id: id, message_id: message, result, chart_config: definition, created_at }
    }
}

/// The list in cursors.
const LIST: &str = "favorites";

/// Lists the caller's own favourites.
#[utoipa::path(
    get,
    path = "/v2/api/workspaces/{workspaceId}/favorites",
    tag = "Chat",
    params(WorkspacePath, PageQuery),
    security(("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = Favorites),
        (status = "default", description = refusals![MissingCredentials, NotFound]),
    ),
)]
pub async fn list_favorites(
    State(app): State<App>,
    Path(path): Path<WorkspacePath>,
    Authorized { caller, body, .. }: Authorized<Viewer>,
) -> Result<Answer<Favorites>> {
    let page = PageQuery::read(&body, &app.settings.limits)?;
    let after: Option<(i64, PinId)> = page.after(LIST)?;
    let pins = pins::list(&app, &caller, path.workspace_id, PinCollection::Favorites).await?;
    let is_behind = |pin: &Pin| after.is_none_or(|after| (pin.position, pin.id) < after);
    let part = paging::part_of(pins, page.most(), is_behind, |last| (last.position, last.id));
    let (favorites, next) = part.answer(LIST, Favorite::from)?;
    Ok(Answer(Favorites { favorites, next }))
}

body! {
    /// A chart to add to the favourites.
    struct FavoriteBody {
        /// The id of the answer.
        message_id: MessageId,
        /// The index of the chart in the answer's results, from 0.
        result: Position,
    }
}

/// Adds a chart of one of the caller's own answers to the favourites.
#[utoipa::path(
    post,
    path = "/v2/api/workspaces/{workspaceId}/favorites",
    tag = "Chat",
    params(WorkspacePath),
    request_body = FavoriteBody,
    security(("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = Favorite),
        (status = "default", description = refusals![MissingCredentials, NotFound, WorkspaceNotPublished]),
    ),
)]
pub async fn add_favorite(
    State(app): State<App>,
    Path(path): Path<WorkspacePath>,
    Authorized { caller, body, .. }: Authorized<Viewer>,
) -> Result<Answer<Favorite>> {
    let FavoriteBody { message_id: message, result: Position(result) } = FavoriteBody::of(&body, &app.settings.limits)?;
    let open_workspace = OpenWorkspace::open(&app, &caller, path.workspace_id, &ViewerLocale::default()).await?;
    let pin = pins::add(&app, &caller, &open_workspace, PinCollection::Favorites, Source { message, result }).await?;
    Ok(Answer(pin.into()))
}

/// A deleted favourite.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemovedFavorite {
    favorite_id: PinId,
}

/// Deletes one of the caller's own favourites.
#[utoipa::path(
    delete,
    path = "/v2/api/workspaces/{workspaceId}/favorites/{favoriteId}",
    tag = "Chat",
    params(FavoritePath),
    security(("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = RemovedFavorite),
        (status = "default", description = refusals![MissingCredentials, NotFound]),
    ),
)]
pub async fn remove_favorite(
    State(app): State<App>,
    Path(path): Path<FavoritePath>,
    Authorized { caller, .. }: Authorized<Viewer>,
) -> Result<Answer<RemovedFavorite>> {
    pins::remove(&app, &caller, path.workspace_id, path.favorite_id).await?;
    Ok(Answer(RemovedFavorite { favorite_id: path.favorite_id }))
}
