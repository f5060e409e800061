//! `POST /v1/api/chart/save-from-chat`.

use crate::{
    concepts::access::{Authorized, TenantOrHost, credential::CredentialSources},
    flows::save_from_chat::{ConnectionHint, SavedChart, WorkspaceRef, may_save, save},
    ground::{
        config::limits::Limits,
        error::{Result, refusals},
        state::App,
        web::{
            Answer, Body,
            body::{
                BodyField, BodyObject, Components, FromValue, Json, Reader, Text, Uncounted, Whole, Written, anything, body,
                nullable, simple,
            },
        },
    },
};
use axum::extract::State;
use inlay_contract::{
    chart::{
        definition::{ChartDefinition, ChartType, Encoding},
        options::ChartOptions,
    },
    ids::{AgentId, ChartId, ConnectionId, WorkspaceId},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{Deprecated, RefOr, Schema, Type},
};

/// The maximum length of a stored thumbnail, in bytes of its URL.
const LARGEST_THUMBNAIL: usize = 1024 * 1024;
/// How large a thumbnail may be sent. A larger one than can be stored is dropped, and the chart is saved.
const LARGEST_SENT_THUMBNAIL: usize = 4 * LARGEST_THUMBNAIL;

/// The header, or `apiKey` in the body, beside a thumbnail that does not count toward the body's size.
#[derive(Debug)]
pub struct BesideThumbnail;

impl CredentialSources for BesideThumbnail {
    const BODY: bool = true;
    const QUERY: bool = false;
    const UNCOUNTED: Option<Uncounted> = Some(Uncounted { field: "thumbnail", most: LARGEST_SENT_THUMBNAIL });
}

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
        /// A picture of it: a `data:image/` URL of at most 1 MiB. Anything else is dropped, and the chart is saved without a picture.
        thumbnail: Thumbnail,
        /// The connection. It takes precedence over the workspace's and must belong to the same project. One of `connectionId`,
        /// `workspaceId` and `agentId` is required.
        _connection_id: Option<ConnectionId>,
        /// The workspace: the chart gets its project, and the connection of its production version.
        _workspace_id: Option<WorkspaceId>,
        /// Deprecated: the `agentId` of the workspace that replaces a v1 agent. Ignored when `workspaceId` is given.
        _agent_id: FormerAgent,
    }
}

body! {
    /// The chart's query and how it is drawn. Other fields are ignored.
    struct ChartConfig {
        /// The chart type.
        kind as "type": Json<ChartType>,
        /// Its title on the page.
        title: Written<512>,
        /// Which column is used for which axis, mark or label. Other keys are ignored.
        encoding: Option<KnownEncoding>,
        /// Number formats, stacking, units, colours.
        options: Option<Options>,
        /// Its query. Without `sqlOverride` and `sql` the chart shows no data on a dashboard.
        sql_override: Written,
    }
}

/// Saves a chart from the chat to the chart library. This needs no permission.
///
/// SQL of a project user or tenant must be a query that a chart can run.
#[utoipa::path(
    post,
    path = "/v1/api/chart/save-from-chat",
    tag = "Charts",
    request_body = SaveFromChatBody,
    security(("apiKey" = []), ("memberToken" = []), ("tenantToken" = []), ("userToken" = []), ()),
    responses(
        (status = 200, body = SavedFromChat),
        (status = "default", description = refusals![NotFound, QueryFailed]),
    ),
)]
pub async fn save_from_chat(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Authorized<TenantOrHost, BesideThumbnail>,
) -> Result<Answer<SavedFromChat>> {
    may_save(&app, &actor, &caller).await?;
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
    Ok(SavedChart { name, definition, thumbnail: sent.thumbnail.0, connection: ConnectionHint { connection, workspace } })
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

/// The workspace. `agentId` counts only without `workspaceId`.
fn workspace(body: &Body, reader: &mut Reader<'_>) -> Option<WorkspaceRef> {
    if body.get("workspaceId").is_some_and(|id| !id.is_null()) {
        return reader.field::<Option<WorkspaceId>>(body, "", "workspaceId").flatten().map(WorkspaceRef::Id);
    }
    reader.field::<Option<AgentId>>(body, "", "agentId").flatten().map(WorkspaceRef::Agent)
}

/// The id of a v1 agent. The handler reads it only when the workspace is missing.
struct FormerAgent;

impl BodyField for FormerAgent {
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

/// An encoding without the keys that this service does not know, which other versions of the chat send.
struct KnownEncoding(Encoding);

impl FromValue for KnownEncoding {
    fn from_value(value: &Value) -> Result<Self, String> {
        let mut parts = Map::from_value(value)?;
        parts.retain(|part, _| Encoding::PARTS.contains(&part.as_str()));
        Encoding::deserialize(parts).map(Self).map_err(|problem| format!("cannot be read: {problem}"))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        let mut schema = Encoding::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            object.additional_properties = None;
            object.description = Some(about.to_owned());
        }
        schema
    }

    fn components(components: &mut Components) {
        Encoding::schemas(components);
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

/// A picture as a data URL, of any format: it is only ever shown as an image, where nothing in it can run. `None` for anything else.
struct Thumbnail(Option<String>);

impl BodyField for Thumbnail {
    const REQUIRED: bool = false;

    fn read(sent: &Value, _: &str, _: &mut Reader<'_>) -> Option<Self> {
        Some(Self(sent.as_str().filter(|url| is_picture(url)).map(str::to_owned)))
    }

    fn missing(_: &str, _: &mut Reader<'_>) -> Option<Self> {
        Some(Self(None))
    }

    fn describe(about: &str) -> RefOr<Schema> {
        anything(about)
    }
}

fn is_picture(url: &str) -> bool {
    let (kind, data) = url.split_once(',').unwrap_or_default();
    let image = kind.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("data:image/")) && kind.len() > 11;
    image && !data.is_empty() && url.len() <= LARGEST_THUMBNAIL
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kept(thumbnail: &Value) -> Option<String> {
        let body = json!({ "chartConfig": {"title": "x", "type": "bar"}, "connectionId": uuid::Uuid::now_v7(), "thumbnail": thumbnail });
        read(body.as_object().expect("an object"), &Limits::in_tests()).expect("saved").thumbnail
    }

    #[test]
    fn a_thumbnail_is_any_image_and_nothing_else() {
        let sized = |length: usize| format!("data:image/png;base64,{}", "A".repeat(length - 22));
        let largest = sized(LARGEST_THUMBNAIL);
        for good in [
            "data:image/png;base64,iVBORw0KGgo=",
            "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg'/>",
            "DATA:IMAGE/JPEG;base64,/9j/4A==",
            "data:image/avif,x",
            largest.as_str(),
        ] {
            assert_eq!(kept(&json!(good)).as_deref(), Some(good));
        }
        for dropped in [
            json!(sized(LARGEST_THUMBNAIL + 1)),
            json!("data:text/html;base64,iVBORw0KGgo="),
            json!("data:image/png;base64"),
            json!("data:image/png;base64,"),
            json!("data:image/,x"),
            json!("https://example.test/a.png"),
            json!("javascript:alert(1)//data:image/png,"),
            json!("ü".repeat(20)),
            json!(""),
            json!(null),
            json!(5),
            json!({"url": "data:image/png,x"}),
        ] {
            assert_eq!(kept(&dropped), None, "{dropped}");
        }
    }

    #[test]
    fn an_encoding_loses_the_keys_that_nobody_knows() {
        let config = json!({"title": "x", "type": "bar", "encoding": {"x": "a", "y": ["b"], "z": "c", "tooltip": {"deep": []}, "size": null}});
        let read = read_config(config).expect("read").definition.encoding;
        assert_eq!(json!(read), json!({"x": "a", "y": ["b"]}));
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
            (json!({"title": "x", "type": "bar", "encoding": ["x"]}), "chartConfig.encoding"),
            (json!({"title": "x", "type": "bar", "options": []}), "chartConfig.options"),
            (json!({"title": "x", "type": "bar", "sqlOverride": 5}), "chartConfig.sqlOverride"),
        ] {
            let details = read_config(config.clone()).expect_err("refused").details.expect("details");
            assert!(details.contains_key(field), "{config}: {details:?}");
        }
    }
}
