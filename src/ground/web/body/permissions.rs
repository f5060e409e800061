//! Permission flags in a body: strict in the roles API, tolerant where v1's hosts send them.

use super::{
    BodyField, Components, Reader,
    field::{reference, referenced},
};
use inlay_contract::permissions::{Flag, RolePermissions};
use serde_json::{Map, Value};
use std::borrow::Cow;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr, Schema, Type,
        schema::{ObjectBuilder, SchemaType},
    },
};

/// A role's permission flags. Each invalid one is reported by its own path.
impl BodyField for RolePermissions {
    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        flags(object(sent, path, reader)?.iter(), path, reader)
    }

    fn describe(about: &str) -> RefOr<Schema> {
        reference::<Self>(about)
    }

    fn components(components: &mut Components) {
        referenced::<Self>(components);
    }
}

/// The permissions object of v1's component. Keys that are no flag, and flags that are null, are ignored
/// (docs/spec/contract.md, D1): the component knew more keys than a role has.
#[derive(Debug)]
pub struct V1Permissions(pub RolePermissions);

impl BodyField for V1Permissions {
    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        let known = object(sent, path, reader)?.iter().filter(|(name, on)| Flag::named(name).is_some() && !on.is_null());
        flags(known, path, reader).map(Self)
    }

    fn describe(about: &str) -> RefOr<Schema> {
        reference::<Self>(about)
    }

    fn components(components: &mut Components) {
        referenced::<Self>(components);
    }
}

impl PartialSchema for V1Permissions {
    fn schema() -> RefOr<Schema> {
        let flag = || ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::Boolean, Type::Null]));
        let told = "The permissions object of v1's component. An unset flag is off. Other keys, and null, are ignored.";
        let empty = ObjectBuilder::new().description(Some(told));
        Flag::ALL.into_iter().fold(empty, |object, named| object.property(named.name(), flag())).into()
    }
}

impl ToSchema for V1Permissions {
    fn name() -> Cow<'static, str> {
        "v1.Permissions".into()
    }
}

fn object<'v>(sent: &'v Value, path: &str, reader: &mut Reader<'_>) -> Option<&'v Map<String, Value>> {
    if !sent.is_object() {
        reader.problem(path, "must be an object");
    }
    sent.as_object()
}

/// The flags of these entries.
fn flags<'v>(
    sent: impl Iterator<Item = (&'v String, &'v Value)>,
    path: &str,
    reader: &mut Reader<'_>,
) -> Option<RolePermissions> {
    let (mut permissions, mut good) = (RolePermissions::default(), true);
    for (name, value) in sent {
        let problem = match (Flag::named(name), value.as_bool()) {
            (Some(flag), Some(on)) => {
                permissions.set(flag, on);
                continue;
            }
            (Some(_), None) => "must be true or false",
            (None, _) => "is not a permission flag",
        };
        reader.problem(&format!("{path}.{name}"), problem);
        good = false;
    }
    good.then_some(permissions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::config::limits::Limits;
    use serde_json::json;

    /// What a reader keeps of an object, or the fields that it refuses.
    fn read<T: BodyField>(sent: &Value, kept: impl Fn(T) -> RolePermissions) -> Result<Value, Vec<String>> {
        let limits = Limits::in_tests();
        let mut reader = Reader::new(&limits);
        let read = T::read(sent, "p", &mut reader).map(|read| json!(kept(read)));
        reader.finish(read).map_err(|refused| refused.details.expect("details").keys().cloned().collect())
    }

    #[test]
    fn v1_knew_more_keys_and_roles_know_none_beside_their_flags() {
        let all: Map<String, Value> = Flag::ALL.into_iter().map(|flag| (flag.name().to_owned(), json!(true))).collect();
        for (sent, v1, role) in [
            (json!({}), Ok(json!({})), Ok(json!({}))),
            (json!({"addChart": true}), Ok(json!({"addChart": true})), Ok(json!({"addChart": true}))),
            (json!(all), Ok(json!(all)), Ok(json!(all))),
            (json!({"addChart": false, "editDashboardName": true}), Ok(json!({"addChart": false})), Err("p.editDashboardName")),
            (json!({"root": {"deep": [1]}, "": null}), Ok(json!({})), Err("p.root")),
            (json!({"AddChart": true}), Ok(json!({})), Err("p.AddChart")),
            (json!({"addChart": null, "readOnly": true}), Ok(json!({"readOnly": true})), Err("p.addChart")),
            (json!({"addChart": "true"}), Err("p.addChart"), Err("p.addChart")),
            (json!({"addChart": 1}), Err("p.addChart"), Err("p.addChart")),
            (json!([]), Err("p"), Err("p")),
            (json!("addChart"), Err("p"), Err("p")),
        ] {
            let agrees = |found: Result<Value, Vec<String>>, wanted: Result<Value, &str>| match (&found, wanted) {
                (Ok(kept), Ok(wanted)) => assert_eq!(*kept, wanted, "{sent}"),
                (Err(fields), Err(field)) => assert!(fields.iter().any(|told| told == field), "{sent}: {fields:?}"),
                (_, wanted) => panic!("{sent}: {found:?} instead of {wanted:?}"),
            };
            agrees(read::<V1Permissions>(&sent, |read| read.0), v1);
            agrees(read::<RolePermissions>(&sent, |read| read), role);
        }
    }
}
