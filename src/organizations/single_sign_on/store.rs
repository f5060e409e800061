//! Providers for single sign-on in the store. Their secrets are sealed.

use super::{Provider, ways::Way};
use crate::{
    error::{Error, Result},
    on,
    store::{Conn, seal::Sealer},
    time::Timestamp,
};
use inlay_contract::ids::{MemberId, OrganizationId};
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

type Row = (Uuid, OrganizationId, String, String, Vec<u8>, bool);

fn provider((id, organization, issuer, client, sealed, trusts_addresses): Row, sealer: &Sealer) -> Result<Provider> {
    let secret = String::from_utf8(sealer.open(id, &sealed)?).map_err(Error::internal)?;
    Ok(Provider { id, organization, issuer, client, secret: SecretString::from(secret), trusts_addresses })
}

/// A provider by its id.
///
/// # Errors
/// The store is away, or the secret does not open.
pub async fn find(conn: &mut Conn<'_>, sealer: &Sealer, id: Uuid) -> Result<Option<Provider>> {
    const SQL: &str =
        "SELECT id, organization_id, issuer, client_id, sealed_secret, trusts_addresses FROM sign_in_providers WHERE id = $1";
    let found = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).fetch_optional(c).await)?;
    found.map(|row| provider(row, sealer)).transpose()
}

/// The providers of an organization, oldest first.
///
/// # Errors
/// The store is away, or a secret does not open.
pub async fn of_organization(conn: &mut Conn<'_>, sealer: &Sealer, organization: OrganizationId) -> Result<Vec<Provider>> {
    const SQL: &str = "SELECT id, organization_id, issuer, client_id, sealed_secret, trusts_addresses FROM sign_in_providers \
        WHERE organization_id = $1 ORDER BY created_at, id";
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(organization).fetch_all(c).await)?;
    rows.into_iter().map(|row| provider(row, sealer)).collect()
}

/// Stores a provider.
///
/// # Errors
/// The store is away.
pub async fn insert(conn: &mut Conn<'_>, sealer: &Sealer, provider: &Provider) -> Result<()> {
    const SQL: &str = "INSERT INTO sign_in_providers (id, organization_id, issuer, client_id, sealed_secret, created_at, \
        trusts_addresses) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let sealed = sealer.seal(provider.id, provider.secret.expose_secret().as_bytes())?;
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(provider.id).bind(provider.organization).bind(&provider.issuer);
        let insert = insert.bind(&provider.client).bind(sealed).bind(Timestamp::now()).bind(provider.trusts_addresses);
        insert.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Keeps which of a provider's people a member is, unless something is kept of either; whether what is kept says the same.
///
/// # Errors
/// The store is away.
pub async fn bind(conn: &mut Conn<'_>, provider: Uuid, member: MemberId, subject: &str) -> Result<bool> {
    const KEEP: &str =
        "INSERT INTO sign_in_subjects (provider_id, member_id, subject) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    const FIND: &str = "SELECT subject FROM sign_in_subjects WHERE provider_id = $1 AND member_id = $2";
    on!(conn, |c| sqlx::query(KEEP).bind(provider).bind(member).bind(subject).execute(c).await.map(drop))?;
    let kept: Option<String> = on!(conn, |c| sqlx::query_scalar(FIND).bind(provider).bind(member).fetch_optional(c).await)?;
    Ok(kept.as_deref() == Some(subject))
}

macro_rules! ways {
    ($rest:literal) => {
        concat!(
            "SELECT p.id, o.name, p.issuer FROM sign_in_providers p JOIN organizations o ON o.id = p.organization_id ",
            $rest
        )
    };
}

fn way((provider, organization, issuer): (Uuid, String, String)) -> Way {
    Way { provider, organization, issuer }
}

/// Whether there is any provider.
///
/// # Errors
/// The store is away.
pub async fn any(conn: &mut Conn<'_>) -> Result<bool> {
    const SQL: &str = "SELECT id FROM sign_in_providers LIMIT 1";
    let found: Option<Uuid> = on!(conn, |c| sqlx::query_scalar(SQL).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// The way in by a provider.
///
/// # Errors
/// The store is away.
pub(super) async fn way_by(conn: &mut Conn<'_>, provider: Uuid) -> Result<Option<Way>> {
    const SQL: &str = ways!("WHERE p.id = $1");
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(provider).fetch_optional(c).await)?.map(way))
}

/// The ways into the organization of a short name, oldest first.
///
/// # Errors
/// The store is away.
pub(super) async fn ways_under(conn: &mut Conn<'_>, short_name: &str) -> Result<Vec<Way>> {
    const SQL: &str = ways!("WHERE o.short_name = $1 ORDER BY p.created_at, p.id");
    let rows: Vec<(Uuid, String, String)> = on!(conn, |c| sqlx::query_as(SQL).bind(short_name).fetch_all(c).await)?;
    Ok(rows.into_iter().map(way).collect())
}

/// The ways into an organization, oldest first.
///
/// # Errors
/// The store is away.
pub(super) async fn ways_into(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<Way>> {
    const SQL: &str = ways!("WHERE o.id = $1 ORDER BY p.created_at, p.id");
    let rows: Vec<(Uuid, String, String)> = on!(conn, |c| sqlx::query_as(SQL).bind(organization).fetch_all(c).await)?;
    Ok(rows.into_iter().map(way).collect())
}

/// The ways into the organizations that whoever has an email address is a member of or invited to, by the organizations' names.
///
/// # Errors
/// The store is away.
pub(super) async fn ways_of_address(conn: &mut Conn<'_>, email: &str) -> Result<Vec<Way>> {
    const SQL: &str = ways!(
        "WHERE o.id IN (SELECT m.organization_id FROM members m JOIN accounts a ON a.id = m.account_id WHERE a.email = $1) \
         OR o.id IN (SELECT l.organization_id FROM console_links l WHERE l.email = $1 AND l.role IS NOT NULL \
         AND l.expires_at > $2) ORDER BY o.name, p.created_at, p.id"
    );
    let rows: Vec<(Uuid, String, String)> =
        on!(conn, |c| sqlx::query_as(SQL).bind(email).bind(Timestamp::now()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(way).collect())
}

/// The short name of an organization.
///
/// # Errors
/// The store is away.
pub(super) async fn short_name(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Option<String>> {
    const SQL: &str = "SELECT short_name FROM organizations WHERE id = $1";
    let found = on!(conn, |c| sqlx::query_scalar::<_, Option<String>>(SQL).bind(organization).fetch_optional(c).await)?;
    Ok(found.flatten())
}

/// Writes the short name of an organization; false when another one has it.
///
/// # Errors
/// The store is away.
pub(super) async fn set_short_name(conn: &mut Conn<'_>, organization: OrganizationId, name: Option<&str>) -> Result<bool> {
    const SQL: &str = "UPDATE organizations SET short_name = $2 WHERE id = $1";
    match on!(conn, |c| sqlx::query(SQL).bind(organization).bind(name).execute(c).await.map(drop)) {
        Err(sqlx::Error::Database(problem)) if problem.is_unique_violation() => Ok(false),
        other => Ok(other.map(|()| true)?),
    }
}

/// Removes a provider.
///
/// # Errors
/// The store is away.
pub async fn delete(conn: &mut Conn<'_>, id: Uuid) -> Result<()> {
    const SQL: &str = "DELETE FROM sign_in_providers WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}
