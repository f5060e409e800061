//! Identity providers in the store.

use super::{IdentityProvider, KeySource, keys::KeySet};
use crate::{
    concepts::organizations::MemberRole,
    ground::{
        error::{Error, Result},
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{IdentityProviderId, MemberId, OrganizationId};
use serde_json::Value;
use sqlx::{FromRow, types::Json};
use url::Url;

row! {
    /// An identity provider.
    pub(crate) struct IdentityProviderRow in "identity_providers" {
        id: IdentityProviderId,
        organization_id: OrganizationId,
        issuer: String,
        audience: String,
        keys_url: Option<String>,
        keys: Option<Json<Value>>,
        created_at: Timestamp,
        trusts_addresses: bool,
    }
}

row! {
    struct ListedProviderRow of IdentityProviderRow {
        id: IdentityProviderId,
        issuer: String,
        audience: String,
        keys_url: Option<String>,
        trusts_addresses: bool,
    }
}

#[derive(FromRow)]
struct FoundMember {
    id: MemberId,
    role: String,
}

impl TryFrom<IdentityProviderRow> for IdentityProvider {
    type Error = Error;

    fn try_from(row: IdentityProviderRow) -> Result<Self> {
        let keys = match (row.keys_url, row.keys) {
            (Some(url), _) => KeySource::Address(url.parse().map_err(Error::internal)?),
            (None, Some(Json(keys))) => KeySource::Inline(KeySet::read(&keys).map_err(Error::internal)?),
            (None, None) => return Err(Error::internal("an identity provider has neither keys nor their URL")),
        };
        let trusts_addresses = row.trusts_addresses;
        Ok(Self { id: row.id, issuer: row.issuer, audience: row.audience, keys, trusts_addresses })
    }
}

/// The columns of a new provider: either the URL of its keys or the keys themselves.
#[derive(Debug)]
pub struct NewProvider<'a> {
    /// The value of `iss` in its tokens.
    pub issuer: &'a str,
    /// The required value of `aud` in its tokens.
    pub audience: &'a str,
    /// The URL of its keys.
    pub keys_url: Option<&'a Url>,
    /// Its keys.
    pub keys: Option<&'a Value>,
    /// Whether its users cannot choose their names.
    pub trusts_addresses: bool,
}

/// Creates a provider, or replaces the keys of the one with the same issuer and audience. Returns its id.
pub async fn put(conn: &mut Conn<'_>, organization: OrganizationId, provider: &NewProvider<'_>) -> Result<IdentityProviderId> {
    const SQL: &str = sql!(
        inserts!(IdentityProviderRow),
        " ON CONFLICT (organization_id, issuer, audience) DO UPDATE SET \
        keys_url = excluded.keys_url, keys = excluded.keys, trusts_addresses = excluded.trusts_addresses RETURNING id"
    );
    let row = IdentityProviderRow {
        id: IdentityProviderId::generate(),
        organization_id: organization,
        issuer: provider.issuer.to_owned(),
        audience: provider.audience.to_owned(),
        keys_url: provider.keys_url.map(Url::to_string),
        keys: provider.keys.cloned().map(Json),
        created_at: Timestamp::now(),
        trusts_addresses: provider.trusts_addresses,
    };
    Ok(on!(conn, |c| rows::query_scalar(SQL, row).fetch_one(c).await)?)
}

/// The providers of an organization with this issuer.
pub async fn of_issuer(conn: &mut Conn<'_>, organization: OrganizationId, issuer: &str) -> Result<Vec<IdentityProvider>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(IdentityProviderRow),
        " FROM identity_providers WHERE organization_id = $1 AND issuer = $2 ORDER BY created_at, id"
    );
    let rows = on!(conn, |c| {
        let find = sqlx::query_as::<_, IdentityProviderRow>(SQL).bind(organization).bind(issuer);
        find.fetch_all(c).await
    })?;
    rows.into_iter().map(IdentityProvider::try_from).collect()
}

/// The providers of all organizations with this issuer, at most so many.
pub async fn of_issuer_anywhere(conn: &mut Conn<'_>, issuer: &str, most: usize) -> Result<Vec<IdentityProvider>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(IdentityProviderRow),
        " FROM identity_providers WHERE issuer = $1 ORDER BY created_at, id LIMIT $2"
    );
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = on!(conn, |c| {
        let find = sqlx::query_as::<_, IdentityProviderRow>(SQL).bind(issuer).bind(most);
        find.fetch_all(c).await
    })?;
    rows.into_iter().map(IdentityProvider::try_from).collect()
}

/// The member of an organization with this email address or member id.
pub async fn find_member(
    conn: &mut Conn<'_>,
    organization: OrganizationId,
    name: &str,
) -> Result<Option<(MemberId, MemberRole)>> {
    const SQL: &str = "SELECT m.id, m.role FROM members m JOIN accounts a ON a.id = m.account_id \
        WHERE m.organization_id = $1 AND (a.email = $2 OR m.id = $3)";
    let id = name.parse().unwrap_or(MemberId(uuid::Uuid::nil()));
    let found = on!(conn, |c| {
        sqlx::query_as::<_, FoundMember>(SQL).bind(organization).bind(name).bind(id).fetch_optional(c).await
    })?;
    found.map(|member| Ok((member.id, member.role.parse().map_err(Error::internal)?))).transpose()
}

/// The providers of an organization, oldest first.
pub async fn of_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<super::manage::ListedProvider>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(ListedProviderRow),
        " FROM identity_providers WHERE organization_id = $1 ORDER BY created_at, id"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, ListedProviderRow>(SQL).bind(organization).fetch_all(c).await)?;
    let listed = |ListedProviderRow { id, issuer, audience, keys_url, trusts_addresses }: ListedProviderRow| {
        super::manage::ListedProvider { id, issuer, audience, keys_url, trusts_addresses }
    };
    Ok(rows.into_iter().map(listed).collect())
}

/// The providers of all organizations whose keys are fetched.
pub async fn fetched(conn: &mut Conn<'_>) -> Result<Vec<IdentityProvider>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(IdentityProviderRow),
        " FROM identity_providers WHERE keys_url IS NOT NULL ORDER BY issuer, id"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, IdentityProviderRow>(SQL).fetch_all(c).await)?;
    rows.into_iter().map(IdentityProvider::try_from).collect()
}

/// Deletes a provider.
pub async fn delete(conn: &mut Conn<'_>, id: IdentityProviderId) -> Result<()> {
    const SQL: &str = "DELETE FROM identity_providers WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}
