//! Signing keys and revocations in the store.

use super::{
    keyring::{Generated, KEPT_AFTER_RETIREMENT, SigningKey, generate},
    revocation::{Revocations, SubjectKind},
};
use crate::{
    ground::{
        error::Result,
        store::{
            Conn, Db,
            rows::{self, columns, inserts, row, sql},
            seal::Sealer,
            version,
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{OrganizationId, ProjectId};
use uuid::Uuid;

row! {
    /// A key that signs tokens. Its private part is encrypted.
    pub(crate) struct SigningKeyRow in "signing_keys" {
        id: Uuid,
        public_key: Vec<u8>,
        sealed_private_key: Vec<u8>,
        created_at: Timestamp,
        retired_at: Option<Timestamp>,
    }
}

row! {
    /// When the tokens of a subject were revoked.
    pub(crate) struct RevocationRow in "revocations" { subject_kind: String, subject_id: Uuid, cutoff: Timestamp }
}

/// The valid keys, oldest first. The first start creates one.
pub async fn signing_keys(db: &Db, sealer: &Sealer) -> Result<Vec<SigningKey>> {
    let keys = read_keys(&mut db.read().await?.conn(), sealer).await?;
    if keys.iter().any(|key| key.retired_at.is_none()) {
        return Ok(keys);
    }
    let mut tx = db.write().await?;
    // The lock of the version's row: of nodes that start together one creates the key, and the version tells the others.
    version::bump(&mut tx.conn()).await?;
    let keys = read_keys(&mut tx.conn(), sealer).await?;
    if keys.iter().any(|key| key.retired_at.is_none()) {
        tx.roll_back().await?;
        return Ok(keys);
    }
    insert_key(&mut tx.conn(), sealer, &generate()?).await?;
    let keys = read_keys(&mut tx.conn(), sealer).await?;
    tx.commit().await?;
    Ok(keys)
}

/// Creates a new signing key. The others verify until their tokens have expired.
pub async fn rotate(conn: &mut Conn<'_>, sealer: &Sealer) -> Result<Uuid> {
    const RETIRE: &str = "UPDATE signing_keys SET retired_at = $1 WHERE retired_at IS NULL";
    let key = generate()?;
    // First, so that of two rotations the second waits here and then retires the key of the first.
    version::bump(conn).await?;
    on!(conn, |c| sqlx::query(RETIRE).bind(Timestamp::now()).execute(c).await.map(drop))?;
    insert_key(conn, sealer, &key).await?;
    Ok(key.id)
}

async fn insert_key(conn: &mut Conn<'_>, sealer: &Sealer, key: &Generated) -> Result<()> {
    let row = SigningKeyRow {
        id: key.id,
        public_key: key.public.clone(),
        sealed_private_key: sealer.seal(key.id, &key.private)?,
        created_at: Timestamp::now(),
        retired_at: None,
    };
    Ok(rows::insert(conn, row).await?)
}

async fn read_keys(conn: &mut Conn<'_>, sealer: &Sealer) -> Result<Vec<SigningKey>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(SigningKeyRow),
        " FROM signing_keys WHERE retired_at IS NULL OR retired_at > $1 ORDER BY created_at, id"
    );
    let oldest = Timestamp(Timestamp::now().0 - i64::try_from(KEPT_AFTER_RETIREMENT.as_millis()).unwrap_or(i64::MAX));
    let rows = on!(conn, |c| sqlx::query_as::<_, SigningKeyRow>(SQL).bind(oldest).fetch_all(c).await)?;
    let opened = |row: SigningKeyRow| {
        let private = sealer.open(row.id, &row.sealed_private_key)?;
        Ok(SigningKey::new(row.id, &row.public_key, &private, row.retired_at))
    };
    rows.into_iter().map(opened).collect()
}

/// Revokes every token of a subject that was issued until now.
pub async fn cut_off(conn: &mut Conn<'_>, kind: SubjectKind, subject: Uuid) -> Result<()> {
    const SQL: &str =
        sql!(inserts!(RevocationRow), " ON CONFLICT (subject_kind, subject_id) DO UPDATE SET cutoff = excluded.cutoff");
    let row = RevocationRow { subject_kind: kind.name().to_owned(), subject_id: subject, cutoff: Timestamp::now() };
    on!(conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    version::bump(conn).await
}

/// The organization, project and name of a subject of revocations.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Belonging {
    /// The organization.
    pub organization_id: OrganizationId,
    /// The project.
    pub project_id: ProjectId,
    /// Its name.
    pub name: String,
}

/// The organization and project of a user, customer or project, if it exists. A user is a project user or a tenant. API keys belong to no project.
pub async fn find(conn: &mut Conn<'_>, kind: SubjectKind, id: Uuid) -> Result<Option<Belonging>> {
    const USER: &str = "SELECT p.organization_id, p.id AS project_id, u.name FROM projects p \
        JOIN project_users u ON u.project_id = p.id WHERE u.id = $1 \
        UNION ALL SELECT p.organization_id, p.id, t.display_name FROM projects p \
        JOIN tenants t ON t.project_id = p.id WHERE t.id = $1";
    const CUSTOMER: &str = "SELECT p.organization_id, p.id AS project_id, c.name FROM projects p \
        JOIN customers c ON c.project_id = p.id WHERE c.id = $1";
    const PROJECT: &str = "SELECT organization_id, id AS project_id, name FROM projects WHERE id = $1";
    let sql = match kind {
        SubjectKind::Key => return Ok(None),
        SubjectKind::User => USER,
        SubjectKind::Customer => CUSTOMER,
        SubjectKind::Project => PROJECT,
    };
    Ok(on!(conn, |c| sqlx::query_as(sql).bind(id).fetch_optional(c).await)?)
}

/// Every revocation that can still matter.
pub async fn revocations(db: &Db) -> Result<Revocations> {
    const SQL: &str = sql!("SELECT ", columns!(RevocationRow), " FROM revocations");
    let mut lease = db.read().await?;
    let rows = on!(&mut lease.conn(), |c| sqlx::query_as::<_, RevocationRow>(SQL).fetch_all(c).await)?;
    let cutoff = |row: RevocationRow| Some(((SubjectKind::named(&row.subject_kind)?, row.subject_id), row.cutoff));
    Ok(rows.into_iter().filter_map(cutoff).collect())
}
