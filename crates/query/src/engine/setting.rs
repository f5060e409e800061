//! The database setting that receives the `dbAuthToken`.

use crate::{
    error::QueryError,
    property::SecurityContext,
    source::{DatabaseAuth, Source},
};
use serde_json::Value;

/// The setting's name and value. If a connection declares a setting, queries need a matching token.
pub(super) fn of(source: &Source, viewer: &SecurityContext) -> Result<Option<(String, String)>, QueryError> {
    let Some(auth) = &source.database_auth else { return Ok(None) };
    if !auth.fits(source.kind) {
        return Err(QueryError::failed("this connection's databaseAuth does not name a custom setting of its database"));
    }
    let missing = || QueryError::failed("the connection uses databaseAuth, but the request has no dbAuthToken");
    let token = viewer.database_auth_token.as_deref().filter(|token| !token.is_empty()).ok_or_else(missing)?;
    if let DatabaseAuth::Equals { property, .. } = auth {
        let equal = match viewer.property(property) {
            Some(Value::String(text)) => text == token,
            Some(Value::Number(number)) => number.to_string() == token,
            _ => false,
        };
        if !equal {
            return Err(QueryError::failed(format!("dbAuthToken does not equal the property {property}")));
        }
    }
    Ok(Some((auth.setting().to_owned(), token.to_owned())))
}
