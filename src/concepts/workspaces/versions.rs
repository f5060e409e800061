//! Publishing, promoting and rolling back versions.

use super::{Version, store};
use crate::ground::{
    error::{Code, Error, Result},
    store::Conn,
};
use inlay_contract::ids::WorkspaceId;

/// Publishes a version, by default the newest, so that it can be promoted. Returns its number.
///
/// # Errors
/// 404 when there is no such version.
pub async fn publish(conn: &mut Conn<'_>, id: WorkspaceId, number: Option<i64>) -> Result<i64> {
    store::lock(conn, id).await?;
    let version = find(conn, id, number).await?;
    store::publish(conn, id, version.number).await?;
    Ok(version.number)
}

/// Promotes a published version to production, by default the newest published one. Returns its number.
///
/// # Errors
/// 404 when there is no such version, 409 `VERSION_NOT_PUBLISHED` when it is a draft.
pub async fn promote(conn: &mut Conn<'_>, id: WorkspaceId, number: Option<i64>) -> Result<i64> {
    store::lock(conn, id).await?;
    let version = match number {
        Some(number) => find(conn, id, Some(number)).await?,
        None => {
            let published = store::list_versions(conn, id).await?.into_iter().rev().find(|version| version.published);
            published.ok_or_else(draft)?
        }
    };
    if !version.published {
        return Err(draft());
    }
    store::promote(conn, id, Some(version.number)).await?;
    Ok(version.number)
}

/// Puts the previously published version back into production. Returns its number.
///
/// # Errors
/// 409 when nothing is in production, or no earlier version is published.
pub async fn roll_back(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<i64> {
    store::lock(conn, id).await?;
    let none = || Error::new(Code::NoEarlierVersion, "There is no published version before the one in production.");
    let current = store::production(conn, id).await?.ok_or_else(none)?;
    let versions = store::list_versions(conn, id).await?;
    let earlier = versions.into_iter().rev().find(|version| version.published && version.number < current.number);
    let number = earlier.ok_or_else(none)?.number;
    store::promote(conn, id, Some(number)).await?;
    Ok(number)
}

fn draft() -> Error {
    Error::new(Code::VersionNotPublished, "This version is a draft. Publish it first.")
}

async fn find(conn: &mut Conn<'_>, id: WorkspaceId, number: Option<i64>) -> Result<Version> {
    let versions = store::list_versions(conn, id).await?;
    let found = versions.into_iter().rev().find(|version| number.is_none_or(|number| number == version.number));
    found.ok_or_else(|| Error::not_found("Version"))
}
