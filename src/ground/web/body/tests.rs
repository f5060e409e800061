//! A body is read and described consistently.

use super::*;
use crate::ground::config::limits::CHAT_MESSAGE_CHARACTERS;
use inlay_contract::{
    field::Field,
    ids::{ProjectId, RoleId, TenantId},
    permissions::RolePermissions,
};
use serde_json::json;
use utoipa::{PartialSchema, ToSchema};

fn limits() -> Limits {
    Limits::in_tests()
}

fn object(value: Value) -> Body {
    value.as_object().expect("an object").clone()
}

/// The invalid fields of a body, and the message.
fn refused<T: BodyObject>(body: Value) -> (Value, String) {
    let Err(error) = T::of(&object(body), &limits()) else { panic!("nothing was refused") };
    (json!(error.details), error.message)
}

#[test]
fn only_objects_within_the_depth_are_read() {
    let limits = Limits { max_json_depth: 3, ..limits() };
    let parse = |bytes: &[u8]| judge(bytes, &limits).and_then(|_| parse(bytes));
    assert!(parse(br#"{"a":[{"b":"]]]]"}]}"#).is_ok());
    for bad in [&br#"{"a":[[[1]]]}"#[..], b"[]", b"", b"{", b"null", br#"{"a":1}}"#, b"\xff"] {
        assert!(parse(bad).is_err(), "{}", String::from_utf8_lossy(bad));
    }
    // They are told by their paths.
    for read in [&br#"{"a":"\u0000"}"#[..], br#"{"a":[{"\u0000":1}]}"#, br#"{"a":"\\u0000"}"#] {
        assert!(parse(read).is_ok(), "{}", String::from_utf8_lossy(read));
    }
}

body! {
    /// Somebody within.
    struct Inner {
        /// Their id.
        external_id: Text,
        /// Their role.
        role_id: Field<RoleId>,
    }
}

body! {
    /// Everything that a body can hold.
    struct Sample as "tests.Sample" {
        /// A project.
        project_id: ProjectId,
        /// An object whose own fields must be there.
        user: Inner,
        /// An object that must be there.
        whole: Whole<Inner>,
        /// A name.
        name: Option<Text<3>>,
        /// A title.
        title: Written<3>,
        /// Flags.
        permissions: RolePermissions,
        /// Once each.
        tenant_ids: List<Once<TenantId>, 0, 2>,
        /// A number.
        kind as "type": Option<Integer<1>>,
        /// A place.
        place: Position,
        /// On unless said otherwise.
        replace: Switch<true>,
        /// Nobody's.
        _old_name: Ignored,
    }
}

const ID: &str = "01890000-0000-7000-8000-000000000000";

fn good() -> Value {
    json!({
        "projectId": ID, "user": {"externalId": "ada", "roleId": null}, "whole": {"externalId": "bob"}, "name": "abc", "title": " ",
        "permissions": {"addChart": true}, "tenantIds": [ID], "type": 1, "oldName": 5,
    })
}

fn with(changes: Value) -> Value {
    let mut body = object(good());
    body.extend(object(changes));
    Value::Object(body)
}

#[tokio::test]
async fn a_body_that_never_ends_is_given_up() {
    let begins = futures::stream::iter([Ok::<_, std::io::Error>("{")]);
    let endless = RawBody::from_stream(futures::StreamExt::chain(begins, futures::stream::pending()));
    let budget = Budget::new("test", 1 << 20);
    let taking = |within| Taking { uncounted: None, budget: &budget, within };
    let refused = bytes(endless, 100, taking(Duration::from_millis(50))).await.expect_err("it never ends");
    assert_eq!((refused.code, budget.used()), (Code::ValidationFailed, 0));
    let whole = bytes(RawBody::from("{}"), 2, taking(OF_CALLERS)).await.expect("in time");
    assert_eq!(whole.map(|(bytes, _)| bytes).as_deref(), Some(&b"{}"[..]));
    assert!(bytes(RawBody::from("{ }"), 2, taking(OF_CALLERS)).await.expect("in time").is_none());
}

/// A body of which nothing more arrives, and what was read of it.
fn stuck(begin: &'static str) -> RawBody {
    let begins = futures::stream::iter([Ok::<_, std::io::Error>(begin)]);
    RawBody::from_stream(StreamExt::chain(begins, futures::stream::pending()))
}

fn json_headers(length: Option<&str>) -> HeaderMap {
    let named = length.map(|length| (CONTENT_LENGTH, length.parse().expect("a header")));
    HeaderMap::from_iter(named.into_iter().chain([(CONTENT_TYPE, "application/json".parse().expect("a header"))]))
}

#[tokio::test]
async fn a_body_that_says_that_it_is_too_large_is_not_waited_for() {
    let budget = Budget::new("test", 1 << 20);
    let taking = Taking { uncounted: None, budget: &budget, within: OF_CALLERS };
    for length in ["10737418240", "1048577"] {
        let (headers, limits) = (json_headers(Some(length)), limits());
        let read = read(&headers, stuck("{"), &limits, taking);
        let refused = timeout(Duration::from_millis(500), read).await.expect("at once").expect_err("too large");
        assert_eq!(refused.code, Code::BodyTooLarge);
    }
    let (headers, limits) = (HeaderMap::new(), limits());
    let read = read(&headers, stuck("{"), &limits, taking);
    let refused = timeout(Duration::from_millis(500), read).await.expect("at once").expect_err("no JSON");
    assert_eq!(refused.code, Code::UnsupportedMediaType);
}

#[tokio::test]
async fn bodies_under_way_share_their_memory() {
    let budget = Budget::new("test", 100 << 10);
    let taking = || Taking { uncounted: None, budget: &budget, within: OF_CALLERS };
    let body = |size: usize| RawBody::from(json!({"text": "x".repeat(size)}).to_string());
    let (headers, limits) = (json_headers(None), limits());
    let first = read(&headers, body(60 << 10), &limits, taking()).await.expect("room");
    assert!(budget.used() >= 60 << 10, "{}", budget.used());
    let refused = read(&headers, body(60 << 10), &limits, taking()).await.expect_err("no room");
    assert_eq!((refused.code.status(), refused.retry_seconds()), (503, Some(2)));
    drop(first);
    assert_eq!(budget.used(), 0);
    read(&headers, body(60 << 10), &limits, taking()).await.expect("room again");
}

#[tokio::test]
async fn values_are_counted_before_they_are_made() {
    let budget = Budget::new("test", 64 << 20);
    let taking = || Taking { uncounted: None, budget: &budget, within: OF_CALLERS };
    let (headers, limits) = (json_headers(None), limits());
    let zeros = |many: usize| RawBody::from(format!("{{\"a\":[{}0]}}", "0,".repeat(many)));
    let refused = read(&headers, zeros(520_000), &limits, taking()).await.expect_err("too many");
    assert_eq!(refused.code, Code::ValidationFailed);
    assert!(refused.message.contains("100000 values"), "{}", refused.message);
    let sent = read(&headers, zeros(90_000), &limits, taking()).await.expect("read");
    assert!(budget.used() >= 90_000 * size_of::<Value>(), "{}", budget.used());
    drop(sent);
    let commas = json!({"text": ",".repeat(200_000)}).to_string();
    read(&headers, RawBody::from(commas), &limits, taking()).await.expect("commas in a text are no values");
}

#[test]
fn a_good_body_is_read() {
    let Sample { user, whole, name, title, tenant_ids, kind, place, replace, permissions, project_id, .. } =
        Sample::of(&object(good()), &limits()).expect("read");
    assert_eq!((project_id.to_string().as_str(), user.external_id.0.as_str(), user.role_id), (ID, "ada", Field::Null));
    assert_eq!((whole.0.external_id.0.as_str(), whole.0.role_id), ("bob", Field::Absent));
    assert_eq!((name.map(|name| name.0).as_deref(), title.0), (Some("abc"), None));
    assert_eq!((tenant_ids.0.len(), kind.map(|kind| kind.0), place.0, replace.0), (1, Some(1), 0, true));
    assert_eq!(permissions, [(inlay_contract::permissions::Flag::AddChart, true)].into_iter().collect());
}

#[test]
fn every_bad_field_is_told() {
    let (details, first) = refused::<Sample>(json!({
        "projectId": "x", "user": {"externalId": ""}, "whole": 5, "name": "abcd", "title": "abcd",
        "permissions": {"addChart": 1, "root": true}, "tenantIds": [ID, ID], "type": 0, "place": -1, "replace": "yes",
    }));
    assert_eq!(first, "`projectId` must be a UUID");
    let expected = json!({
        "projectId": "must be a UUID",
        "user.externalId": "must not be empty",
        "whole": "must be an object",
        "name": "must have at most 3 characters",
        "title": "must have at most 3 characters",
        "permissions.addChart": "must be true or false",
        "permissions.root": "is not a permission flag",
        "tenantIds[1]": "appears twice",
        "type": "must be an integer of at least 1",
        "place": "must be an integer of at least 0",
        "replace": "must be true or false",
    });
    assert_eq!(details, expected);
}

#[test]
fn what_is_missing_is_told_where_it_belongs() {
    for empty in [json!({}), json!({"user": null, "whole": null, "permissions": null, "tenantIds": null})] {
        let (details, _) = refused::<Sample>(empty);
        let required = ["projectId", "user.externalId", "whole", "permissions", "tenantIds"];
        assert_eq!(details, Value::Object(required.map(|path| (path.to_owned(), json!("is required"))).into_iter().collect()));
    }
    let (details, _) = refused::<Sample>(with(json!({"user": [], "permissions": [], "tenantIds": {}})));
    let expected = json!({"user": "must be an object", "permissions": "must be an object", "tenantIds": "must be a list of at most 2 items"});
    assert_eq!(details, expected);
}

#[test]
fn a_body_is_described_as_it_is_read() {
    let described = json!(Sample::schema());
    let id = |about: &str, name: &str| json!({"$ref": format!("#/components/schemas/{name}"), "description": about});
    let expected = json!({
        "type": "object",
        "description": "Everything that a body can hold.",
        "required": ["projectId", "user", "whole", "permissions", "tenantIds"],
        "properties": {
            "projectId": id("A project.", "ProjectId"),
            "user": id("An object whose own fields must be there.", "Inner"),
            "whole": id("An object that must be there.", "Inner"),
            "name": {"type": ["string", "null"], "description": "A name.", "minLength": 1, "maxLength": 3},
            "title": {"type": ["string", "null"], "description": "A title.", "maxLength": 3},
            "permissions": id("Flags.", "Permissions"),
            "tenantIds": {"type": "array", "items": {"$ref": "#/components/schemas/TenantId"}, "description": "Once each.", "maxItems": 2},
            "type": {"type": ["integer", "null"], "format": "int64", "description": "A number.", "minimum": 1},
            "place": {"type": ["integer", "null"], "format": "int32", "description": "A place.", "default": 0, "minimum": 0},
            "replace": {"type": ["boolean", "null"], "description": "On unless said otherwise.", "default": true},
            "oldName": {"description": "Nobody's."},
        },
    });
    assert_eq!(described, expected);
    let mut components = Components::new();
    Sample::schemas(&mut components);
    let names: Vec<&str> = components.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(Sample::name(), "tests.Sample");
    assert!(["ProjectId", "Inner", "RoleId", "Permissions", "TenantId"].iter().all(|name| names.contains(name)), "{names:?}");
    assert_eq!(
        json!(Inner::schema())["properties"]["roleId"]["oneOf"],
        json!([{"$ref": "#/components/schemas/RoleId", "description": "Their role."}, {"type": "null"}])
    );
}

/// One body in two versions that differ only in a limit.
macro_rules! sized {
    ($body:ident, $length:literal, $most:literal) => {
        body! {
            /// Something with limits.
            struct $body {
                /// A name.
                _name as "name": Text<$length>,
                /// Some texts.
                _texts as "texts": List<FreeText, 1, $most>,
            }
        }
    };
}
sized!(Small, 2, 1);
sized!(Large, 4, 3);

#[test]
fn a_limit_moves_the_reader_and_the_description_together() {
    fn at_its_limits<T: BodyObject + PartialSchema>(length: usize, most: usize) {
        let body = |length: usize, items: usize| json!({"name": "é".repeat(length), "texts": vec!["x"; items]});
        assert!(T::of(&object(body(length, most)), &limits()).is_ok());
        let told =
            json!({"name": format!("must have at most {length} characters"), "texts": format!("must have 1 to {most} items")});
        assert_eq!(refused::<T>(body(length + 1, most + 1)).0, told);
        let described = &json!(T::schema())["properties"];
        assert_eq!((&described["name"]["maxLength"], &described["texts"]["maxItems"]), (&json!(length), &json!(most)));
    }
    at_its_limits::<Small>(2, 1);
    at_its_limits::<Large>(4, 3);
}

#[test]
fn lists_of_charts_have_the_operators_limit() {
    body! {
        /// Charts.
        struct Picked {
            /// Some charts.
            charts: Charts<ProjectId>,
        }
    }
    let few = Limits { max_charts: 2, ..limits() };
    let error = Picked::of(&object(json!({"charts": [ID, ID, ID]})), &few).err().expect("too many");
    assert_eq!(error.message, "`charts` must have 1 to 2 items");
    assert_eq!(Picked::of(&object(json!({"charts": [ID, ID]})), &few).expect("read").charts.0.len(), 2);
    assert_eq!(
        refused::<Picked>(json!({"charts": [ID, 5, null]})).0,
        json!({"charts[1]": "must be a UUID", "charts[2]": "must be a UUID"})
    );
    assert_eq!(limits().chat_message_characters, CHAT_MESSAGE_CHARACTERS);
}
