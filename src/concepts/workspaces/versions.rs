//! From draft to production and back.

use super::{Version, store};
use crate::ground::{
    error::{Code, Error, Result},
    store::Conn,
};
use inlay_contract::ids::WorkspaceId;

/// Publishes a version, the newest when none is named: it may be promoted from then on. Its number.
///
/// # Errors
/// 404 when there is no such version.
pub async fn publish(conn: &mut Conn<'_>, id: WorkspaceId, number: Option<i64>) -> Result<i64> {
    store::lock(conn, id).await?;
    let version = find(conn, id, number).await?;
    store::publish(conn, id, version.number).await?;
    Ok(version.number)
}

/// Puts a published version into production, the newest published one when none is named. Its number.
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

/// Puts the published version before the one in production back into its place. Its number.
///
/// # Errors
/// 409 when nothing is in production, or nothing published stands before it.
pub async fn roll_back(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<i64> {
    store::lock(conn, id).await?;
    let none = || Error::new(Code::NoEarlierVersion, "No published version stands before the one in production.");
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
