//! The address in a connection's form: whole in one field, or in a field for each part.

use crate::{
    faces::console::submission::Typed,
    flows::management::connections::{GivenAddress, shown_parts},
};
use inlay_console::Draft;
use inlay_query::{AddressParts, Source, SourceKind, SourceKindExt, UnknownKind};

/// The fields of the parts that hold text, without the password.
const TEXTS: [&str; 8] = ["host", "port", "database", "user", "path", "catalog", "schema", "parameters"];

/// Whether the form has fields for the parts. Scripts of hosts send the whole address alone.
fn has_parts(typed: &Typed) -> bool {
    typed.sent("host").is_some()
}

fn whole(typed: &Typed) -> Option<&str> {
    typed.given("url")
}

/// The kind of database. A pasted address decides, if its scheme names exactly one other kind.
///
/// # Errors
/// The chosen kind is not known.
pub(super) fn kind(typed: &Typed) -> Result<SourceKind, UnknownKind> {
    let chosen: SourceKind = typed.get("kind").parse()?;
    let Some(url) = whole(typed).filter(|_| has_parts(typed)) else { return Ok(chosen) };
    let fits = |kind: &SourceKind| kind.is_built_in() && kind.address_prefixes().iter().any(|prefix| url.starts_with(prefix));
    let mut others = SourceKind::ALL.into_iter().filter(fits);
    Ok(match (fits(&chosen), others.next(), others.next()) {
        (false, Some(other), None) => other,
        _ => chosen,
    })
}

/// The address. A whole one wins over its parts.
pub(super) fn given(typed: &Typed) -> GivenAddress {
    if whole(typed).is_some() || !has_parts(typed) {
        return GivenAddress::Whole(whole(typed).map(str::to_owned));
    }
    let text = |name: &str| typed.get(name).to_owned();
    GivenAddress::Parts(Box::new(AddressParts {
        host: text("host"),
        port: text("port"),
        database: text("database"),
        user: text("user"),
        password: typed.exact("password").to_owned(),
        encrypted: typed.ticked("encrypted"),
        path: text("path"),
        catalog: text("catalog"),
        schema: text("schema"),
        parameters: text("parameters"),
    }))
}

/// Fills the form with the parts of a connection's address, without the password.
pub(super) fn stored(draft: Draft, source: &Source) -> Draft {
    let parts = shown_parts(source);
    let encrypted = if parts.encrypted { "on" } else { "" };
    draft
        .with("host", parts.host)
        .with("port", parts.port)
        .with("database", parts.database)
        .with("user", parts.user)
        .with("encrypted", encrypted)
        .with("path", parts.path)
        .with("catalog", parts.catalog)
        .with("schema", parts.schema)
        .with("parameters", parts.parameters)
}

/// The form after an error. A whole address is never sent back, so neither are its parts.
pub(super) fn again(mut draft: Draft, typed: &Typed, old: Option<&Source>) -> Draft {
    if has_parts(typed) && whole(typed).is_none() {
        return draft;
    }
    for name in TEXTS.into_iter().chain(["encrypted"]) {
        draft.forget(name);
    }
    match old {
        Some(old) => stored(draft, old),
        None => draft,
    }
}
