//! Providers for single sign-on in the store. Their secrets are sealed.

use super::Provider;
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

/// Removes a provider.
///
/// # Errors
/// The store is away.
pub async fn delete(conn: &mut Conn<'_>, id: Uuid) -> Result<()> {
    const SQL: &str = "DELETE FROM sign_in_providers WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}
