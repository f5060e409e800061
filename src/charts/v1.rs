//! `POST /v1/api/chart/save-from-chat`.

use super::save::{ConnectionHint, SavedChart, save};
use crate::{
    access::{Authorized, TenantOrHost, credential::HeaderOrBody},
    error::{Result, refusals},
    state::App,
    web::{
        Answer, Body, Fields,
        fields::{FreeText, FromField, Text},
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
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// The largest thumbnail, as it is sent.
const LARGEST_THUMBNAIL: usize = 256 * 1024;

/// What save-from-chat answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedFromChat {
    chart_id: ChartId,
    chart_version: i64,
    name: String,
}

/// A chart that the chat made.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct SaveFromChatBody {
    /// The config as the chat's `generateChart` returned it.
    chart_config: ChartConfig,
    /// The connection; it comes before the workspace's and must be of its project. One of `connectionId`, `workspaceId` and `agentId` is needed.
    connection_id: Option<ConnectionId>,
    /// Its query when `chartConfig.sqlOverride` is absent.
    sql: Option<String>,
    /// Links the chart to the workspace's project and to the connection of its production version.
    workspace_id: Option<WorkspaceId>,
    /// The workspace's id under its deprecated name; not even read when `workspaceId` is given.
    #[schema(deprecated)]
    agent_id: Option<String>,
    /// Its name; the config's title when it is left out.
    #[schema(min_length = 1, max_length = 512)]
    name: Option<String>,
    /// A PNG, JPEG or WebP picture as a data URL.
    #[schema(max_length = 262_144, pattern = "^data:image/(png|jpeg|webp);base64,")]
    thumbnail: Option<String>,
}

/// What is queried and how it is drawn. Other fields are ignored.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct ChartConfig {
    /// Its name on the page.
    #[schema(max_length = 512)]
    title: Option<String>,
    /// How it is drawn.
    r#type: ChartType,
    /// Its query. Without it and `sql` the chart shows no data on a dashboard.
    sql_override: Option<String>,
    /// Which column plays which part.
    encoding: Option<Encoding>,
    /// Number formats, stacking, units, colours.
    options: Option<Map<String, Value>>,
}

/// Saves a chart that the chat made to the chart library. A project user or tenant saves other SQL than that of their own answers
/// only with `createChartSQL`.
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
    let saved = read(&body)?;
    let chart = save(&app, &actor, &caller, saved).await?;
    Ok(Answer(SavedFromChat { chart_id: chart.id, chart_version: chart.version, name: chart.name }))
}

fn read(body: &Body) -> Result<SavedChart> {
    let mut fields = Fields::of(body);
    let config = fields.required::<Map<String, Value>>("chartConfig");
    let kind = config.is_some().then(|| fields.required::<Part<ChartType>>("chartConfig.type")).flatten();
    let title = fields.optional::<FreeText>("chartConfig.title").and_then(written);
    let title = title.and_then(|_| fields.optional::<Text>("chartConfig.title")).map(|title| title.0);
    let encoding = fields.optional::<Part<Encoding>>("chartConfig.encoding").map(|part| part.0).unwrap_or_default();
    let options = fields.optional::<Options>("chartConfig.options").map(|options| options.0).unwrap_or_default();
    let own_sql = fields.optional::<FreeText>("chartConfig.sqlOverride").and_then(written);
    let sql = fields.optional::<FreeText>("sql").and_then(written);
    let name = fields.optional::<Text>("name").map(|name| name.0).or_else(|| title.clone());
    if name.is_none() && config.is_some() {
        fields.problem("name", "is required when `chartConfig` has no title");
    }
    let thumbnail = fields.optional::<Thumbnail>("thumbnail").map(|picture| picture.0);
    let connection = fields.optional("connectionId");
    let workspace = workspace(&mut fields);
    if connection.is_none() && workspace.is_none() {
        fields.problem("connectionId", "is required, or a `workspaceId` whose production version has a connection");
    }
    let (Part(kind), name) = fields.finish_with(kind.zip(name))?;
    let title = title.unwrap_or_else(|| name.clone());
    let definition = ChartDefinition { title, kind, sql_override: own_sql.or(sql), encoding, options, cache_seconds: None };
    Ok(SavedChart { name, definition, thumbnail, connection: ConnectionHint { connection, workspace } })
}

/// A text that says something.
fn written(text: FreeText) -> Option<String> {
    Some(text.0).filter(|text| !text.trim().is_empty())
}

/// The workspace; `agentId`, its deprecated name, counts only without one.
fn workspace(fields: &mut Fields<'_>) -> Option<WorkspaceId> {
    match fields.nullable::<Value>("workspaceId").value() {
        Some(_) => fields.optional("workspaceId"),
        None => fields.optional("agentId"),
    }
}

/// A part of a chart's definition.
struct Part<T>(T);

impl<T: DeserializeOwned> FromField for Part<T> {
    fn from_field(value: &Value) -> Result<Self, String> {
        T::deserialize(value).map(Self).map_err(|problem| format!("cannot be read: {problem}"))
    }
}

/// Options that every page can read.
struct Options(Map<String, Value>);

impl FromField for Options {
    fn from_field(value: &Value) -> Result<Self, String> {
        let options = Map::from_field(value)?;
        ChartOptions::read(&options).map_err(|problem| format!("cannot be read: {problem}"))?;
        Ok(Self(options))
    }
}

/// A picture as a data URL: a kind that browsers draw and that holds no script, and really of that kind.
struct Thumbnail(String);

impl FromField for Thumbnail {
    fn from_field(value: &Value) -> Result<Self, String> {
        let url = value.as_str().ok_or("must be a string")?;
        if url.len() > LARGEST_THUMBNAIL {
            return Err(format!("must have at most {LARGEST_THUMBNAIL} bytes"));
        }
        let kinds = [("png", &b"\x89PNG\r\n\x1a\n"[..]), ("jpeg", b"\xff\xd8\xff"), ("webp", b"RIFF")];
        let data = |(kind, start): (&str, &[u8])| {
            let bytes = STANDARD.decode(url.strip_prefix("data:image/")?.strip_prefix(kind)?.strip_prefix(";base64,")?).ok()?;
            bytes.starts_with(start).then_some(())
        };
        kinds.into_iter().find_map(data).ok_or("must be a PNG, JPEG or WebP picture as `data:image/…;base64,…`")?;
        Ok(Self(url.to_owned()))
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
            assert!(Thumbnail::from_field(&good).is_ok(), "{good}");
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
            assert!(Thumbnail::from_field(&bad).is_err(), "{bad}");
        }
    }

    fn read_config(config: Value) -> Result<SavedChart> {
        let body = json!({ "chartConfig": config, "connectionId": uuid::Uuid::now_v7(), "sql": "select 2" });
        read(body.as_object().expect("an object"))
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
