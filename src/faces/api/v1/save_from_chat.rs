//! `POST /v1/api/chart/save-from-chat`.

use crate::{
    concepts::access::{Authorized, TenantOrHost, credential::HeaderOrBody},
    flows::save_from_chat::{ConnectionHint, SavedChart, save},
    ground::{
        config::limits::Limits,
        error::{Result, refusals},
        state::App,
        web::{
            Answer, Body,
            body::{BodyField, BodyObject, FromValue, Json, Reader, Text, Whole, Written, body, nullable, simple},
        },
    },
};
use axum::extract::State;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use inlay_contract::{
    chart::{
        definition::{ChartDefinition, ChartType, Encoding},
        options::ChartOptions,
    },
    ids::{ChartId, ConnectionId, WorkspaceId},
};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::{
    ToSchema,
    openapi::{Deprecated, RefOr, Schema, Type},
};

/// The maximum length of a thumbnail as it is sent, in bytes.
const LARGEST_THUMBNAIL: usize = 256 * 1024;

/// The response of save-from-chat.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedFromChat {
    chart_id: ChartId,
    chart_version: i64,
    name: String,
}

body! {
    /// A chart from the chat.
    struct SaveFromChatBody {
        /// The config as the chat's `generateChart` returned it.
        chart_config: Whole<ChartConfig>,
        /// Its query, used when `chartConfig.sqlOverride` is absent.
        sql: Written,
        /// Its name. Defaults to the config's title.
        _name: Option<Text>,
        /// A PNG, JPEG or WebP picture as a data URL.
        thumbnail: Option<Thumbnail>,
        /// The connection. It takes precedence over the workspace's and must belong to the same project. One of `connectionId`, `workspaceId` and
        /// `agentId` is required.
        _connection_id: Option<ConnectionId>,
        /// The workspace: the chart gets its project, and the connection of its production version.
        _workspace_id: Option<WorkspaceId>,
        /// Deprecated name of `workspaceId`. Ignored when `workspaceId` is given.
        _agent_id: FormerName,
    }
}

body! {
    /// The chart's query and how it is drawn. Other fields are ignored.
    struct ChartConfig {
        /// The chart type.
        kind as "type": Json<ChartType>,
        /// Its title on the page.
        title: Written<512>,
        /// Which column is used for which axis, mark or label.
        encoding: Option<Json<Encoding>>,
        /// Number formats, stacking, units, colours.
        options: Option<Options>,
        /// Its query. Without `sqlOverride` and `sql` the chart shows no data on a dashboard.
        sql_override: Written,
    }
}

/// Saves a chart from the chat to the chart library.
///
/// A project user or tenant needs `createChartSQL` to save SQL that is not from an answer to them.
#[utoipa::path(
    post,
    path = "/v1/api/chart/save-from-chat",
    tag = "Charts",
    request_body = SaveFromChatBody,
    security(("apiKey" = []), ("memberToken" = []), ("tenantToken" = []), ("userToken" = []), ()),
    responses(
        (status = 200, body = SavedFromChat),
        (status = "default", description = refusals![PermissionDenied, NotFound, QueryFailed]),
    ),
)]
pub async fn save_from_chat(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Authorized<TenantOrHost, HeaderOrBody>,
) -> Result<Answer<SavedFromChat>> {
    let saved = read(&body, &app.settings.limits)?;
    let chart = save(&app, &actor, &caller, saved).await?;
    Ok(Answer(SavedFromChat { chart_id: chart.id, chart_version: chart.version, name: chart.name }))
}

fn read(body: &Body, limits: &Limits) -> Result<SavedChart> {
    let mut reader = Reader::new(limits);
    let sent = SaveFromChatBody::fields(body, "", &mut reader);
    let name = name(body, &mut reader);
    let workspace = workspace(body, &mut reader);
    let connection = reader.field::<Option<ConnectionId>>(body, "", "connectionId").flatten();
    if connection.is_none() && workspace.is_none() {
        reader.problem(
            "connectionId",
            "is required unless `workspaceId` names a workspace whose production version has a connection",
        );
    }
    let (sent, name) = reader.finish(sent.zip(name))?;
    let ChartConfig { kind: Json(kind), title, encoding, options, sql_override } = sent.chart_config.0;
    let definition = ChartDefinition {
        title: title.0.unwrap_or_else(|| name.clone()),
        kind,
        sql_override: sql_override.0.or(sent.sql.0),
        encoding: encoding.map(|encoding| encoding.0).unwrap_or_default(),
        options: options.map(|options| options.0).unwrap_or_default(),
        cache_seconds: None,
    };
    let thumbnail = sent.thumbnail.map(|picture| picture.0);
    Ok(SavedChart { name, definition, thumbnail, connection: ConnectionHint { connection, workspace } })
}

/// The chart's name, or its config's title.
fn name(body: &Body, reader: &mut Reader<'_>) -> Option<String> {
    if let Some(Text(name)) = reader.field::<Option<Text>>(body, "", "name").flatten() {
        return Some(name);
    }
    let config = body.get("chartConfig")?.as_object()?;
    let title = reader.field::<Written<512>>(config, "chartConfig", "title").and_then(|title| title.0);
    if title.is_none() {
        reader.problem("name", "is required when `chartConfig` has no title");
    }
    title
}

/// The workspace. `agentId`, its deprecated name, counts only without `workspaceId`.
fn workspace(body: &Body, reader: &mut Reader<'_>) -> Option<WorkspaceId> {
    let is_named = body.get("workspaceId").is_some_and(|id| !id.is_null());
    reader.field::<Option<WorkspaceId>>(body, "", if is_named { "workspaceId" } else { "agentId" }).flatten()
}

/// A field under its former name. The handler reads it only when the new one is missing.
struct FormerName;

impl BodyField for FormerName {
    const REQUIRED: bool = false;

    fn read(_: &Value, _: &str, _: &mut Reader<'_>) -> Option<Self> {
        Some(Self)
    }

    fn missing(_: &str, _: &mut Reader<'_>) -> Option<Self> {
        Some(Self)
    }

    fn describe(about: &str) -> RefOr<Schema> {
        nullable(simple(Type::String, about).deprecated(Some(Deprecated::True)).into())
    }
}

/// Chart options that every page can read.
struct Options(Map<String, Value>);

impl FromValue for Options {
    fn from_value(value: &Value) -> Result<Self, String> {
        let options = Map::from_value(value)?;
        ChartOptions::read(&options).map_err(|problem| format!("cannot be read: {problem}"))?;
        Ok(Self(options))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        <Map<String, Value> as FromValue>::schema(about)
    }
}

/// A picture as a data URL, of a format that browsers draw and that cannot hold a script. The bytes are checked to be of that format.
struct Thumbnail(String);

impl FromValue for Thumbnail {
    fn from_value(value: &Value) -> Result<Self, String> {
        let url = value.as_str().ok_or("must be a string")?;
        if url.len() > LARGEST_THUMBNAIL {
            return Err(format!("must have at most {LARGEST_THUMBNAIL} bytes"));
        }
        let kinds = [("png", &b"\x89PNG\r\n\x1a\n"[..]), ("jpeg", b"\xff\xd8\xff"), ("webp", b"RIFF")];
        let data = |(kind, start): (&str, &[u8])| {
            let bytes = STANDARD.decode(url.strip_prefix("data:image/")?.strip_prefix(kind)?.strip_prefix(";base64,")?).ok()?;
            bytes.starts_with(start).then_some(())
        };
        kinds.into_iter().find_map(data).ok_or("must be a PNG, JPEG or WebP image as `data:image/…;base64,…`")?;
        Ok(Self(url.to_owned()))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        let text = simple(Type::String, about).max_length(Some(LARGEST_THUMBNAIL));
        text.pattern(Some("^data:image/(png|jpeg|webp);base64,")).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn thumbnails_are_pictures_without_scripts() {
        let url = |kind: &str, bytes: &[u8]| json!(format!("data:image/{kind};base64,{}", STANDARD.encode(bytes)));
        let png = b"\x89PNG\r\n\x1a\n....";
        for good in [url("png", png), url("jpeg", b"\xff\xd8\xff\xe0.."), url("webp", b"RIFF....WEBP")] {
            assert!(Thumbnail::from_value(&good).is_ok(), "{good}");
        }
        let large = [&png[..], &vec![0; LARGEST_THUMBNAIL]].concat();
        for bad in [
            url("svg+xml", b"<svg onload=alert(1)>"),
            url("png", b"<svg onload=alert(1)>"),
            url("png", b""),
            url("png", &large),
            json!("data:image/png;base64,***"),
            json!("data:text/html;base64,iVBORw0KGgo="),
            json!("https://example.test/a.png"),
            json!("javascript:alert(1)"),
            json!(""),
            json!(5),
        ] {
            assert!(Thumbnail::from_value(&bad).is_err(), "{bad}");
        }
    }

    fn read_config(config: Value) -> Result<SavedChart> {
        let body = json!({ "chartConfig": config, "connectionId": uuid::Uuid::now_v7(), "sql": "select 2" });
        read(body.as_object().expect("an object"), &Limits::in_tests())
    }

    #[test]
    fn sql_override_wins_and_the_title_names() {
        let saved =
            read_config(json!({"title": "Rates", "type": "bar", "sqlOverride": "select 1", "model": "x"})).expect("read");
        assert_eq!((saved.name.as_str(), saved.definition.sql_override.as_deref()), ("Rates", Some("select 1")));
        for empty in [json!(null), json!(""), json!("  ")] {
            let saved = read_config(json!({"title": "Rates", "type": "bar", "sqlOverride": empty})).expect("read");
            assert_eq!(saved.definition.sql_override.as_deref(), Some("select 2"));
        }
    }

    #[test]
    fn every_bad_part_is_told_by_its_path() {
        for (config, field) in [
            (json!(null), "chartConfig"),
            (json!([]), "chartConfig"),
            (json!({"title": "x"}), "chartConfig.type"),
            (json!({"title": "x", "type": "pie chart"}), "chartConfig.type"),
            (json!({"title": "", "type": "bar"}), "name"),
            (json!({"title": 5, "type": "bar"}), "chartConfig.title"),
            (json!({"title": "x".repeat(513), "type": "bar"}), "chartConfig.title"),
            (json!({"type": "bar"}), "name"),
            (json!({"title": "x", "type": "bar", "encoding": {"x": 5}}), "chartConfig.encoding"),
            (json!({"title": "x", "type": "bar", "encoding": {"z": "a"}}), "chartConfig.encoding"),
            (json!({"title": "x", "type": "bar", "options": []}), "chartConfig.options"),
            (json!({"title": "x", "type": "bar", "sqlOverride": 5}), "chartConfig.sqlOverride"),
        ] {
            let details = read_config(config.clone()).expect_err("refused").details.expect("details");
            assert!(details.contains_key(field), "{config}: {details:?}");
        }
    }
}
