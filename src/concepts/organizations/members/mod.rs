//! Members of an organization, and their rights in the management console. A function that members call takes a [`Member`] of
//! the rank that it needs, so the compiler checks the right.

pub(in crate::concepts::organizations) mod store;

#[cfg(test)]
mod tests;

pub use store::{find_membership, lock_organization, of_account, of_organization};

use super::{MemberRole, links};
use crate::ground::{
    audit::{self, Actor, Deed, Who},
    error::{Code, Error, Result},
    remembered::{Kept, Remembered},
    state::App,
    store::version::Scope,
    time::Timestamp,
    web::origin::Origin,
};
use inlay_contract::ids::{AccountId, MemberId, OrganizationId};
use std::{marker::PhantomData, sync::Arc};

/// The rights of a rank: reads everything except secrets.
pub trait Reads: Clone + Send + Sync + 'static {
    /// The lowest role with this rank.
    const LEAST: MemberRole;
}

/// Also works with projects.
pub trait Works: Reads {}

/// Also administers the organization: members, keys, identity providers, signing keys.
pub trait Administers: Works {}

/// Also manages owners.
pub trait Owns: Administers {}

macro_rules! ranks {
    ($($(#[$doc:meta])* $name:ident $least:ident: $($does:ident)*),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Reads for $name {
            const LEAST: MemberRole = MemberRole::$least;
        }

        $(impl $does for $name {})*
    )+};
}

ranks! {
    /// Any member.
    Reader Viewer:,
    /// A member, admin or owner.
    Worker Member: Works,
    /// An admin or owner.
    Admin Admin: Works Administers,
    /// An owner.
    Owner Owner: Works Administers Owns,
}

/// A signed-in member of at least this rank.
#[derive(Clone, Debug)]
pub struct Member<R> {
    /// Their membership.
    pub id: MemberId,
    /// The person.
    pub account: AccountId,
    /// The organization.
    pub organization: OrganizationId,
    /// Their email address.
    pub email: String,
    /// Their role.
    pub role: MemberRole,
    /// The origin of the request.
    pub origin: Origin,
    /// Whether they signed in through this organization's own provider, and so act for nothing else.
    pub confined: bool,
    rank: PhantomData<R>,
}

impl<R: Reads> Member<R> {
    /// The member of a signed-in person's membership.
    ///
    /// # Errors
    /// 403 `MEMBER_NOT_PERMITTED` when their role is below the rank.
    pub fn new(membership: &Membership, origin: Origin) -> Result<Self> {
        if membership.role.rank() < R::LEAST.rank() {
            return Err(not_permitted(R::LEAST, membership.role));
        }
        let Membership { id, account, organization, email, role, .. } = membership.clone();
        Ok(Self { id, account, organization, email, role, origin, confined: false, rank: PhantomData })
    }

    /// The same member with another rank.
    ///
    /// # Errors
    /// 403 when their role is below it.
    pub fn of<S: Reads>(other: &Member<S>) -> Result<Self> {
        let Member { id, account, organization, email, role, origin, confined, .. } = other.clone();
        if role.rank() < R::LEAST.rank() {
            return Err(not_permitted(R::LEAST, role));
        }
        Ok(Self { id, account, organization, email, role, origin, confined, rank: PhantomData })
    }

    /// The actor for the audit log.
    pub fn actor(&self) -> Actor {
        Actor { who: Who::Member(self.id), organization: self.organization, origin: self.origin.clone() }
    }
}

fn not_permitted(least: MemberRole, role: MemberRole) -> Error {
    let told = format!("This needs the role {} of the organization; yours is {}.", least.name(), role.name());
    Error::new(Code::MemberNotPermitted, told)
}

/// A person's membership of an organization.
#[derive(Clone, Debug)]
pub struct Membership {
    /// Its id.
    pub id: MemberId,
    /// The person.
    pub account: AccountId,
    /// The organization.
    pub organization: OrganizationId,
    /// The organization's name.
    pub organization_name: String,
    /// The person's email address.
    pub email: String,
    /// Their role.
    pub role: MemberRole,
    /// Whether they can sign in with a password.
    pub has_password: bool,
    /// When it began.
    pub created_at: Timestamp,
}

impl Kept for Membership {
    const MOST: u64 = 1_000;

    fn scopes(&self) -> Vec<Scope> {
        vec![self.organization.into(), self.account.into()]
    }
}

/// The members of an organization, by email address.
pub async fn list(app: &App, by: &Member<impl Reads>) -> Result<Vec<Membership>> {
    store::of_organization(&mut app.db.read().await?.conn(), by.organization).await
}

/// A member.
pub async fn find(app: &App, id: MemberId) -> Result<Option<Arc<Membership>>> {
    app.part::<Remembered<MemberId, Membership>>()
        .get(app, id, async || store::find_membership(&mut app.db.read().await?.conn(), id).await)
        .await
}

/// Refuses a member's token once the member may no longer work with projects.
///
/// # Errors
/// 403 `MEMBER_NOT_PERMITTED` for a lower role, or without a membership.
pub async fn require_work(app: &App, organization: OrganizationId, id: MemberId) -> Result<()> {
    let members = store::of_organization(&mut app.db.read().await?.conn(), organization).await?;
    let role = members.into_iter().find(|member| member.id == id).map_or(MemberRole::Viewer, |member| member.role);
    if role.rank() < Worker::LEAST.rank() { Err(not_permitted(Worker::LEAST, role)) } else { Ok(()) }
}

/// Changes a member's role. `seen` is the role that the caller saw.
///
/// # Errors
/// 404 for a member of another organization, 403 where only an owner may, 409 `LAST_OWNER`, and `CHANGED_MEANWHILE` when the
/// member has neither of the two roles.
pub async fn set_role(
    app: &App,
    by: &Member<impl Administers>,
    id: MemberId,
    seen: MemberRole,
    role: MemberRole,
) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let member = found(conn, by, id).await?;
    may_touch(by, member.role, role)?;
    if member.role == role {
        return Ok(());
    }
    unchanged(&member, seen)?;
    if member.role == MemberRole::Owner {
        not_the_last_owner(conn, by.organization).await?;
    }
    store::set_role(conn, id, role).await?;
    if role.rank() < member.role.rank() {
        links::forget(conn, &member).await?;
    }
    let deed = Deed::new("member.roleChanged", id.0).named(&member.email).with("role", role.name());
    audit::record(conn, &by.actor(), deed).await?;
    tx.commit().await?;
    app.refresh().await
}

/// Removes a member. Their API keys no longer work in the organization. `seen` is the role that the caller saw.
pub async fn remove(app: &App, by: &Member<impl Administers>, id: MemberId, seen: MemberRole) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let member = found(conn, by, id).await?;
    may_touch(by, member.role, MemberRole::Viewer)?;
    unchanged(&member, seen)?;
    if member.role == MemberRole::Owner {
        not_the_last_owner(conn, by.organization).await?;
    }
    store::remove(conn, id).await?;
    links::forget(conn, &member).await?;
    audit::record(conn, &by.actor(), Deed::new("member.removed", id.0).named(&member.email)).await?;
    tx.commit().await?;
    app.refresh().await
}

async fn found(conn: &mut crate::ground::store::Conn<'_>, by: &Member<impl Reads>, id: MemberId) -> Result<Membership> {
    store::lock_organization(conn, by.organization).await?;
    let members = store::of_organization(conn, by.organization).await?;
    members.into_iter().find(|member| member.id == id).ok_or_else(|| Error::not_found("Member"))
}

/// Refuses a change when the member's role is not the one that the caller saw.
fn unchanged(member: &Membership, seen: MemberRole) -> Result<()> {
    if member.role == seen {
        return Ok(());
    }
    let told = format!(
        "{} is now {}: the role was changed since you opened this page. Nothing was saved. Submit again to continue.",
        member.email,
        member.role.name()
    );
    Err(Error::new(Code::ChangedMeanwhile, told))
}

/// Only an owner may create, change or remove owners.
///
/// # Errors
/// 403 `OWNER_REQUIRED`.
pub fn may_touch(by: &Member<impl Administers>, from: MemberRole, to: MemberRole) -> Result<()> {
    let concerns_owner = from == MemberRole::Owner || to == MemberRole::Owner;
    if concerns_owner && by.role != MemberRole::Owner {
        return Err(Error::new(Code::OwnerRequired, "Only an owner can add, change or remove owners."));
    }
    Ok(())
}

async fn not_the_last_owner(conn: &mut crate::ground::store::Conn<'_>, organization: OrganizationId) -> Result<()> {
    let members = store::of_organization(conn, organization).await?;
    if members.iter().filter(|member| member.role == MemberRole::Owner).count() > 1 {
        return Ok(());
    }
    Err(Error::new(Code::LastOwner, "This is the organization's only owner. Make another member an owner first."))
}
