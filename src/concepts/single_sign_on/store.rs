//! Providers for single sign-on in the store. Their secrets are encrypted.

use super::{Provider, provider_lookup::SignInProvider};
use crate::{
    ground::{
        error::{Error, Result},
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
            seal::Sealer,
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{MemberId, OrganizationId};
use secrecy::{ExposeSecret, SecretString};
use sqlx::FromRow;
use uuid::Uuid;

row! {
    /// A provider for single sign-on. Its secret is encrypted.
    pub(crate) struct ProviderRow in "sign_in_providers" {
        id: Uuid,
        organization_id: OrganizationId,
        issuer: String,
        client_id: String,
        sealed_secret: Vec<u8>,
        created_at: Timestamp,
        trusts_addresses: bool,
    }
}

row! {
    /// A member's subject at a provider.
    pub(crate) struct SubjectRow in "sign_in_subjects" { provider_id: Uuid, member_id: MemberId, subject: String }
}

fn provider(row: ProviderRow, sealer: &Sealer) -> Result<Provider> {
    let secret = String::from_utf8(sealer.open(row.id, &row.sealed_secret)?).map_err(Error::internal)?;
    Ok(Provider {
        id: row.id,
        organization: row.organization_id,
        issuer: row.issuer,
        client: row.client_id,
        secret: SecretString::from(secret),
        trusts_addresses: row.trusts_addresses,
    })
}

/// A provider by its id.
pub async fn find(conn: &mut Conn<'_>, sealer: &Sealer, id: Uuid) -> Result<Option<Provider>> {
    const SQL: &str = sql!("SELECT ", columns!(ProviderRow), " FROM sign_in_providers WHERE id = $1");
    let found = on!(conn, |c| sqlx::query_as::<_, ProviderRow>(SQL).bind(id).fetch_optional(c).await)?;
    found.map(|row| provider(row, sealer)).transpose()
}

/// The providers of an organization, oldest first.
pub async fn of_organization(conn: &mut Conn<'_>, sealer: &Sealer, organization: OrganizationId) -> Result<Vec<Provider>> {
    const SQL: &str =
        sql!("SELECT ", columns!(ProviderRow), " FROM sign_in_providers WHERE organization_id = $1 ORDER BY created_at, id");
    let rows = on!(conn, |c| sqlx::query_as::<_, ProviderRow>(SQL).bind(organization).fetch_all(c).await)?;
    rows.into_iter().map(|row| provider(row, sealer)).collect()
}

/// Stores a provider.
pub async fn insert(conn: &mut Conn<'_>, sealer: &Sealer, provider: &Provider) -> Result<()> {
    let row = ProviderRow {
        id: provider.id,
        organization_id: provider.organization,
        issuer: provider.issuer.clone(),
        client_id: provider.client.clone(),
        sealed_secret: sealer.seal(provider.id, provider.secret.expose_secret().as_bytes())?,
        created_at: Timestamp::now(),
        trusts_addresses: provider.trusts_addresses,
    };
    Ok(rows::insert(conn, row).await?)
}

/// Stores a member's subject at a provider, unless there is one. Returns whether the stored one is the same.
pub async fn bind(conn: &mut Conn<'_>, provider: Uuid, member: MemberId, subject: &str) -> Result<bool> {
    const KEEP: &str = sql!(inserts!(SubjectRow), " ON CONFLICT DO NOTHING");
    const FIND: &str = "SELECT subject FROM sign_in_subjects WHERE provider_id = $1 AND member_id = $2";
    let row = SubjectRow { provider_id: provider, member_id: member, subject: subject.to_owned() };
    on!(conn, |c| rows::query(KEEP, row).execute(c).await.map(drop))?;
    let kept: Option<String> = on!(conn, |c| sqlx::query_scalar(FIND).bind(provider).bind(member).fetch_optional(c).await)?;
    Ok(kept.as_deref() == Some(subject))
}

#[derive(FromRow)]
struct FoundProvider {
    provider: Uuid,
    organization: String,
    issuer: String,
}

impl From<FoundProvider> for SignInProvider {
    fn from(FoundProvider { provider, organization, issuer }: FoundProvider) -> Self {
        Self { provider, organization, issuer }
    }
}

const WAYS: &str = "SELECT p.id AS provider, o.name AS organization, p.issuer FROM sign_in_providers p \
    JOIN organizations o ON o.id = p.organization_id";

/// Whether there is any provider.
pub async fn any(conn: &mut Conn<'_>) -> Result<bool> {
    const SQL: &str = "SELECT id FROM sign_in_providers LIMIT 1";
    let found: Option<Uuid> = on!(conn, |c| sqlx::query_scalar(SQL).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// The sign-in link of a provider.
pub(super) async fn provider_by(conn: &mut Conn<'_>, provider: Uuid) -> Result<Option<SignInProvider>> {
    const SQL: &str = sql!(WAYS, " WHERE p.id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, FoundProvider>(SQL).bind(provider).fetch_optional(c).await)?.map(SignInProvider::from))
}

/// The sign-in links of the organization with a short name, oldest first.
pub(super) async fn providers_under(conn: &mut Conn<'_>, short_name: &str) -> Result<Vec<SignInProvider>> {
    const SQL: &str = sql!(WAYS, " WHERE o.short_name = $1 ORDER BY p.created_at, p.id");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundProvider>(SQL).bind(short_name).fetch_all(c).await)?;
    Ok(rows.into_iter().map(SignInProvider::from).collect())
}

/// The sign-in links of an organization, oldest first.
pub(super) async fn providers_into(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<SignInProvider>> {
    const SQL: &str = sql!(WAYS, " WHERE o.id = $1 ORDER BY p.created_at, p.id");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundProvider>(SQL).bind(organization).fetch_all(c).await)?;
    Ok(rows.into_iter().map(SignInProvider::from).collect())
}

/// The sign-in links of the organizations that an email address is a member of or invited to, by the organizations' names.
pub(super) async fn providers_of_address(conn: &mut Conn<'_>, email: &str) -> Result<Vec<SignInProvider>> {
    const SQL: &str = sql!(
        WAYS,
        " WHERE o.id IN (SELECT m.organization_id FROM members m JOIN accounts a ON a.id = m.account_id WHERE a.email = $1) \
         OR o.id IN (SELECT l.organization_id FROM console_links l WHERE l.email = $1 AND l.role IS NOT NULL \
         AND l.expires_at > $2) ORDER BY o.name, p.created_at, p.id"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundProvider>(SQL).bind(email).bind(Timestamp::now()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(SignInProvider::from).collect())
}

/// The short name of an organization.
pub(super) async fn short_name(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Option<String>> {
    const SQL: &str = "SELECT short_name FROM organizations WHERE id = $1";
    let found = on!(conn, |c| sqlx::query_scalar::<_, Option<String>>(SQL).bind(organization).fetch_optional(c).await)?;
    Ok(found.flatten())
}

/// Updates the short name of an organization. Returns `false` when another one has it.
pub(super) async fn set_short_name(conn: &mut Conn<'_>, organization: OrganizationId, name: Option<&str>) -> Result<bool> {
    const SQL: &str = "UPDATE organizations SET short_name = $2 WHERE id = $1";
    match on!(conn, |c| sqlx::query(SQL).bind(organization).bind(name).execute(c).await.map(drop)) {
        Err(sqlx::Error::Database(problem)) if problem.is_unique_violation() => Ok(false),
        other => Ok(other.map(|()| true)?),
    }
}

/// Removes a provider.
pub async fn delete(conn: &mut Conn<'_>, id: Uuid) -> Result<()> {
    const SQL: &str = "DELETE FROM sign_in_providers WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}
