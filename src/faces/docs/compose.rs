//! Composes the API description from the handlers' descriptions. A handler names its own error codes. Everything that follows
//! from its credentials, its body and the envelope is added here.

use super::codes::codes;
use crate::ground::error::Code;
use inlay_contract::envelope::Failure;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use utoipa::OpenApi;

/// The version of the API (docs/spec/service.md, "Versioning").
const VERSION: &str = "1.5.0";

/// Codes that every operation can return.
const ALWAYS: [Code; 5] =
    [Code::ValidationFailed, Code::RateLimited, Code::Internal, Code::StoreUnavailable, Code::Unavailable];
/// Codes that operations with a body can return.
const WITH_BODY: [Code; 2] = [Code::BodyTooLarge, Code::UnsupportedMediaType];

#[derive(OpenApi)]
#[openapi(components(schemas(Failure)))]
struct Shared;

/// The whole document.
pub fn compose(mut routes: utoipa::openapi::OpenApi) -> Value {
    routes.merge(Shared::openapi());
    let mut document = json!(routes);
    document["info"] = json!({ "title": "Inlay", "version": VERSION, "description": include_str!("introduction.md") });
    document["tags"] = json!(TAGS.map(|(name, description)| json!({ "name": name, "description": description })));
    let schemes = SCHEMES.map(|(name, short, told)| (name.to_owned(), scheme(name, short, told)));
    document["components"]["securitySchemes"] = Value::Object(Map::from_iter(schemes));
    document["components"]["headers"] = json!({
        "RequestId": {
            "description": "Identifies the request in the service's log. A valid id that the caller sends is kept.",
            "schema": { "type": "string" },
        },
        "RetryAfter": { "description": "Seconds to wait before the next attempt.", "schema": { "type": "integer", "minimum": 1 } },
    });
    let mut paths = document["paths"].take();
    let items = paths.as_object_mut().into_iter().flatten();
    for (path, method, operation) in items.flat_map(|(path, item)| operations(path, item)) {
        finish(&mut document["components"], path, method, operation);
    }
    document["paths"] = paths;
    document
}

fn operations<'d>(path: &'d str, item: &'d mut Value) -> impl Iterator<Item = (&'d str, &'d str, &'d mut Value)> {
    item.as_object_mut().into_iter().flatten().map(move |(method, operation)| (path, method.as_str(), operation))
}

/// The groups of operations, in the order of the page.
const TAGS: [(&str, &str); 10] = [
    ("Sign-in", "Your backend signs a user in and passes the token to the iframe."),
    ("Customers and users", "Register and change customers (project organizations) and project users without a sign-in."),
    (
        "Roles",
        "Named sets of permission flags. A token holds the flags at the time of its issue; writes check the role's current flags.",
    ),
    ("Applications and dashboards", "v2: applications, their dashboards, and the charts on them."),
    ("Semantic model", "v2: queries by measures and dimensions that the project declares."),
    ("Charts", "The chart library."),
    (
        "Chat",
        "Workspaces: questions in words, answered from the user's own rows. Threads and favourites belong to the caller; those of other users are not found.",
    ),
    ("Webhooks", "Sends a project's events to your server. Messages follow the Standard Webhooks specification."),
    ("v1 dashboards", "For v1 integrations. Once the migration is finalized, writes return 410 and name the v2 call."),
    ("Tenants and migration", "v1 tenants, and their migration to v2."),
];

/// Kinds of credentials: name, short description, explanation.
const SCHEMES: [(&str, &str, &str); 5] = [
    ("apiKey", "an API key", "Keep it on your server. A user-scoped key needs `organizationId`."),
    ("apiKeyInQuery", "an API key as `apiKey` in the query", "Only for the list of roles."),
    ("memberToken", "a member's JWT", "From the organization's identity provider. Needs `organizationId`."),
    ("userToken", "a project user's token", "From embed-token or user-token."),
    ("tenantToken", "a tenant's token", "From register-tenant."),
];

/// A security scheme. `x-short` is its short description on the page.
fn scheme(name: &str, short: &str, told: &str) -> Value {
    let mut scheme = match name {
        "apiKeyInQuery" => json!({ "type": "apiKey", "in": "query", "name": "apiKey" }),
        _ => json!({ "type": "http", "scheme": "bearer" }),
    };
    scheme["description"] = json!(told);
    scheme["x-short"] = json!(short);
    scheme
}

/// Completes an operation.
fn finish(components: &mut Value, path: &str, method: &str, operation: &mut Value) {
    operation["operationId"] = json!(camel_case(operation["operationId"].as_str().unwrap_or_default()));
    let requirements = operation["security"].as_array().cloned().unwrap_or_default();
    let schemes: BTreeSet<&str> =
        requirements.iter().filter_map(Value::as_object).flat_map(Map::keys).map(String::as_str).collect();
    // An empty requirement means `apiKey` in the body, which no OpenAPI scheme can express.
    let in_body = requirements.iter().any(|requirement| requirement.as_object().is_some_and(Map::is_empty));
    let body = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str().map(str::to_owned);
    if operation["requestBody"].is_null() {
        if let Some(operation) = operation.as_object_mut() {
            operation.remove("requestBody");
        }
        let parameter = json!({ "name": "organizationId", "in": "query", "required": false, "schema": { "type": "string", "format": "uuid" },
            "description": ORGANIZATION });
        match operation["parameters"].as_array_mut() {
            Some(parameters) => parameters.push(parameter),
            None => operation["parameters"] = json!([parameter]),
        }
    }
    if let Some(properties) = body.as_deref().and_then(|name| component(components, name)?.get_mut("properties")) {
        if in_body {
            properties["apiKey"] = json!({ "type": ["string", "null"], "minLength": 1,
                "description": "An API key, as an alternative to the `Authorization` header." });
        }
        let id = json!({ "$ref": "#/components/schemas/OrganizationId", "description": ORGANIZATION });
        properties["organizationId"] = json!({ "oneOf": [id, { "type": "null" }] });
    }
    let mut named: BTreeSet<Code> = ALWAYS.into_iter().chain(of_schemes(&schemes, path)).collect();
    named.extend(WITH_BODY.into_iter().filter(|_| matches!(method, "post" | "put" | "patch")));
    named.extend((schemes.contains("userToken") && method != "get").then_some(Code::ViewingAs));
    respond(operation, named);
}

const ORGANIZATION: &str = "The organization, never a customer. Required with a user-scoped key or an identity provider's JWT; an \
                            organization-bound key ignores it.";

fn component<'d>(components: &'d mut Value, reference: &str) -> Option<&'d mut Value> {
    components["schemas"].get_mut(reference.strip_prefix("#/components/schemas/")?)
}

/// The errors of these credentials.
fn of_schemes(schemes: &BTreeSet<&str>, path: &str) -> Vec<Code> {
    let mut named = Vec::new();
    for scheme in schemes {
        let codes: &[Code] = match *scheme {
            "apiKey" => &[Code::InvalidApiKey, Code::OrganizationIdRequired, Code::KeyOwnerNotPermitted],
            "memberToken" => &[Code::InvalidToken, Code::TokenExpired, Code::NotAMember, Code::IdentityProviderUnavailable],
            "userToken" => &[Code::InvalidToken, Code::TokenExpired, Code::TokenRevoked],
            "tenantToken" if path.starts_with("/v2/") => &[Code::TenantNotMigrated],
            _ => &[],
        };
        named.extend(codes);
    }
    // Where only a key is accepted, a missing credential is an invalid key.
    named.extend((schemes.len() > 1).then_some(Code::MissingCredentials));
    named
}

/// Wraps the responses in the envelope: the success around its data, and each error status around its codes.
fn respond(operation: &mut Value, common: BTreeSet<Code>) {
    let told = operation["responses"].take();
    let own = told["default"]["description"].as_str().unwrap_or_default().split_whitespace().filter_map(Code::named);
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    let named: BTreeSet<Code> = common.into_iter().chain(own).collect();
    for code in codes().filter(|code| named.contains(code)) {
        by_status.entry(code.status()).or_default().push(code);
    }
    let done = match &told["200"]["content"] {
        // A stream has no envelope: its schema is that of each event.
        stream if stream.get(EVENT_STREAM).is_some() => events(&stream[EVENT_STREAM]["schema"]),
        content => success(&content["application/json"]["schema"]),
    };
    let mut responses = Map::from_iter([("200".to_owned(), done)]);
    responses.extend(by_status.into_iter().map(|(status, codes)| (status.to_string(), failure(status, &codes))));
    operation["responses"] = Value::Object(responses);
}

fn success(data: &Value) -> Value {
    json!({
        "description": "Success.",
        "headers": { "x-request-id": { "$ref": "#/components/headers/RequestId" } },
        "content": { "application/json": { "schema": {
            "type": "object",
            "required": ["status", "data"],
            "properties": { "status": { "type": "string", "enum": ["success"] }, "data": data },
        } } },
    })
}

/// The media type of streamed responses.
pub const EVENT_STREAM: &str = "text/event-stream";

fn events(event: &Value) -> Value {
    json!({
        "description": "Server-sent events; the schema is that of each `data:` line.",
        "headers": { "x-request-id": { "$ref": "#/components/headers/RequestId" } },
        "content": { EVENT_STREAM: { "schema": event } },
    })
}

fn failure(status: u16, codes: &[Code]) -> Value {
    let names: Vec<_> = codes.iter().map(|code| code.as_str()).collect();
    let lines: Vec<_> = codes.iter().map(|code| format!("`{code}`: {}", code.meaning())).collect();
    let mut headers = json!({ "x-request-id": { "$ref": "#/components/headers/RequestId" } });
    if matches!(status, 429 | 503) {
        headers["Retry-After"] = json!({ "$ref": "#/components/headers/RetryAfter" });
    }
    json!({
        "description": lines.join("\n"),
        "headers": headers,
        "content": { "application/json": { "schema": { "allOf": [
            { "$ref": "#/components/schemas/Failure" },
            { "type": "object", "properties": { "error": { "type": "object", "properties": { "code": { "enum": names } } } } },
        ] } } },
    })
}

/// `snake_case` → `camelCase`.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| {
        let (initial, rest) = word.split_at(word.len().min(1));
        text + &initial.to_uppercase() + rest
    })
}
