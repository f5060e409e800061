//! Signing keys and revocations in the store.

mod tidy;

pub use tidy::TIDY;

use super::{
    keyring::{KEPT_AFTER_RETIREMENT, SigningKey, generate},
    revocation::{Cutoff, Cutoffs, SubjectKind},
};
use crate::{
    ground::{
        error::{Code, Error, Result},
        store::{
            Conn, Db,
            rows::{self, columns, inserts, row, sql},
            seal::Sealer,
            version::{self, Scope},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{OrganizationId, ProjectId};
use std::time::Duration;
use uuid::Uuid;

/// How long a new key is published before it signs. Nodes look for changes within a second.
pub(super) const PUBLISHED_BEFORE: Duration = Duration::from_secs(5);

/// The least time between two rotations.
const LEAST_PAUSE: Duration = Duration::from_secs(3600);

/// The most keys that are valid at once: each is read by every node, and published.
const MOST_KEYS: usize = 10;

row! {
    /// A key that signs tokens. Its private part is encrypted.
    pub(crate) struct SigningKeyRow in "signing_keys" {
        id: Uuid,
        public_key: Vec<u8>,
        sealed_private_key: Vec<u8>,
        created_at: Timestamp,
        retired_at: Option<Timestamp>,
        signs_from: Option<Timestamp>,
    }
}

row! {
    /// When the tokens of a subject were revoked.
    pub(crate) struct RevocationRow in "revocations" {
        subject_kind: String,
        subject_id: Uuid,
        cutoff: Timestamp,
        number: Option<i64>,
        numbered_cutoff: Option<Timestamp>,
    }
}

/// How many keys there are. None is created.
///
/// # Errors
/// The secret key does not open them.
pub async fn count_signing_keys(db: &Db, sealer: &Sealer) -> Result<usize> {
    Ok(read_keys(&mut db.read().await?.conn(), sealer).await?.len())
}

/// The valid keys, oldest first. The first start creates one.
pub async fn signing_keys(db: &Db, sealer: &Sealer) -> Result<Vec<SigningKey>> {
    let keys = read_keys(&mut db.read().await?.conn(), sealer).await?;
    if keys.iter().any(|key| key.retired_at.is_none()) {
        return Ok(keys);
    }
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    // The lock of the version's row: of nodes that start together one creates the key, and the version tells the others.
    version::bump(conn, &[Scope::INSTALLATION]).await?;
    let keys = read_keys(conn, sealer).await?;
    if keys.iter().any(|key| key.retired_at.is_none()) {
        tx.roll_back().await?;
        return Ok(keys);
    }
    let now = version::clock(conn).await?;
    insert_key(conn, sealer, now, None).await?;
    let keys = read_keys(conn, sealer).await?;
    tx.commit().await?;
    Ok(keys)
}

/// Creates a new signing key. The others verify until their tokens have expired.
///
/// # Errors
/// 429 `RATE_LIMITED` when the key was rotated within the last hour, or as many keys are valid as there may be.
pub async fn rotate(conn: &mut Conn<'_>, sealer: &Sealer) -> Result<Uuid> {
    const RETIRED: &str = "SELECT retired_at FROM signing_keys WHERE retired_at > $1 ORDER BY retired_at";
    let now = version::clock(conn).await?;
    let oldest = now.minus(KEPT_AFTER_RETIREMENT);
    let retired: Vec<Timestamp> = on!(&mut *conn, |c| sqlx::query_scalar(RETIRED).bind(oldest).fetch_all(c).await)?;
    let last = retired.last().map(|last| last.plus(LEAST_PAUSE));
    let full =
        (retired.len() + 1 >= MOST_KEYS).then(|| retired.first().map(|first| first.plus(KEPT_AFTER_RETIREMENT))).flatten();
    match last.max(full).filter(|possible| *possible > now) {
        Some(possible) => {
            let told = format!(
                "The signing key can be rotated once an hour, and {MOST_KEYS} keys can be valid at once. Rotate it after {possible}."
            );
            let wait = Duration::from_millis(u64::try_from(possible.0 - now.0).unwrap_or_default());
            Err(Error::new(Code::RateLimited, told).with_retry_after(wait))
        }
        None => add_key(conn, sealer).await,
    }
}

/// Adds the key that signs next: every node publishes it before it signs.
pub(super) async fn add_key(conn: &mut Conn<'_>, sealer: &Sealer) -> Result<Uuid> {
    const RETIRE: &str = "UPDATE signing_keys SET retired_at = $1 WHERE retired_at IS NULL";
    // First, so that of two rotations the second waits here and then retires the key of the first.
    version::bump(conn, &[Scope::INSTALLATION]).await?;
    let now = version::clock(conn).await?;
    let signs_from = now.plus(PUBLISHED_BEFORE);
    on!(&mut *conn, |c| sqlx::query(RETIRE).bind(signs_from).execute(c).await.map(drop))?;
    insert_key(conn, sealer, now, Some(signs_from)).await
}

async fn insert_key(conn: &mut Conn<'_>, sealer: &Sealer, now: Timestamp, signs_from: Option<Timestamp>) -> Result<Uuid> {
    let key = generate()?;
    let row = SigningKeyRow {
        id: key.id,
        sealed_private_key: sealer.seal(key.id, &key.private)?,
        public_key: key.public,
        created_at: now,
        retired_at: None,
        signs_from,
    };
    rows::insert(conn, row).await?;
    Ok(key.id)
}

/// The valid keys, oldest first.
pub(super) async fn read_keys(conn: &mut Conn<'_>, sealer: &Sealer) -> Result<Vec<SigningKey>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(SigningKeyRow),
        " FROM signing_keys WHERE retired_at IS NULL OR retired_at > $1 ORDER BY created_at, id"
    );
    let oldest = version::clock(conn).await?.minus(KEPT_AFTER_RETIREMENT);
    let rows = on!(conn, |c| sqlx::query_as::<_, SigningKeyRow>(SQL).bind(oldest).fetch_all(c).await)?;
    let opened = |row: SigningKeyRow| {
        let private = sealer.open(row.id, &row.sealed_private_key)?;
        let key = SigningKey::new(row.id, &row.public_key, &private);
        Ok(SigningKey { signs_from: row.signs_from, retired_at: row.retired_at, ..key })
    };
    rows.into_iter().map(opened).collect()
}

/// Revokes every token of a subject that was issued until now. `scopes` are what changes with it.
pub async fn cut_off(conn: &mut Conn<'_>, kind: SubjectKind, subject: Uuid, scopes: &[Scope]) -> Result<()> {
    const SQL: &str = sql!(
        inserts!(RevocationRow),
        " ON CONFLICT (subject_kind, subject_id) DO UPDATE SET \
        cutoff = excluded.cutoff, number = excluded.number, numbered_cutoff = excluded.numbered_cutoff"
    );
    // First: other changes wait from here on, so that a later number is also a later time.
    let number = version::bump(conn, scopes).await?;
    let now = version::clock(conn).await?;
    // Nodes of the version before know a tenant as a user.
    let kinds: &[SubjectKind] = if kind == SubjectKind::Tenant { &[kind, SubjectKind::User] } else { &[kind] };
    for kind in kinds {
        let row = RevocationRow {
            subject_kind: kind.name().to_owned(),
            subject_id: subject,
            cutoff: now,
            number: Some(number),
            numbered_cutoff: Some(now),
        };
        on!(&mut *conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    }
    Ok(())
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

/// The organization and project of a user, tenant, customer or project, if it exists. API keys belong to no project.
pub async fn find(conn: &mut Conn<'_>, kind: SubjectKind, id: Uuid) -> Result<Option<Belonging>> {
    const USER: &str = "SELECT p.organization_id, p.id AS project_id, u.name FROM projects p \
        JOIN project_users u ON u.project_id = p.id WHERE u.id = $1";
    const TENANT: &str = "SELECT p.organization_id, p.id AS project_id, t.display_name AS name FROM projects p \
        JOIN tenants t ON t.project_id = p.id WHERE t.id = $1";
    const CUSTOMER: &str = "SELECT p.organization_id, p.id AS project_id, c.name FROM projects p \
        JOIN customers c ON c.project_id = p.id WHERE c.id = $1";
    const PROJECT: &str = "SELECT organization_id, id AS project_id, name FROM projects WHERE id = $1";
    let sql = match kind {
        SubjectKind::Key => return Ok(None),
        SubjectKind::User => USER,
        SubjectKind::Tenant => TENANT,
        SubjectKind::Customer => CUSTOMER,
        SubjectKind::Project => PROJECT,
    };
    Ok(on!(conn, |c| sqlx::query_as(sql).bind(id).fetch_optional(c).await)?)
}

/// The revocations after a number, or all.
pub async fn revocations(conn: &mut Conn<'_>, after: Option<i64>) -> Result<Cutoffs> {
    const ALL: &str = sql!("SELECT ", columns!(RevocationRow), " FROM revocations");
    const NEW: &str = sql!(ALL, " WHERE number > $1");
    let rows = match after {
        Some(after) => on!(conn, |c| sqlx::query_as::<_, RevocationRow>(NEW).bind(after).fetch_all(c).await)?,
        None => on!(conn, |c| sqlx::query_as::<_, RevocationRow>(ALL).fetch_all(c).await)?,
    };
    let cutoff = |row: RevocationRow| {
        let version = row.number.filter(|_| row.numbered_cutoff == Some(row.cutoff));
        Some(((SubjectKind::named(&row.subject_kind)?, row.subject_id), Cutoff { at: row.cutoff, version }))
    };
    Ok(rows.into_iter().filter_map(cutoff).collect())
}
