//! A role's permissions in the API description.

use super::{Flag, RolePermissions, Unset};

impl utoipa::PartialSchema for RolePermissions {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::{ObjectBuilder, Type, schema::AdditionalProperties};
        let flag = |flag: Flag| {
            let unset = match flag.unset() {
                Unset::On => "on",
                Unset::Off => "off",
                Unset::OnIfEditing => "on when the role grants editing",
            };
            let grants = if flag.grants_editing() { " Grants editing." } else { "" };
            let told = format!("{}{grants} Unset it is {unset}.", flag.meaning());
            ObjectBuilder::new().schema_type(Type::Boolean).description(Some(told))
        };
        let described = "Permission flags. A role without a flag that grants editing, or with `readOnly`, is view-only.";
        let empty = ObjectBuilder::new()
            .description(Some(described))
            .additional_properties(Some(AdditionalProperties::FreeForm(false)));
        Flag::ALL.into_iter().fold(empty, |object, named| object.property(named.name(), flag(named))).into()
    }
}

impl utoipa::ToSchema for RolePermissions {
    fn name() -> std::borrow::Cow<'static, str> {
        "Permissions".into()
    }
}
