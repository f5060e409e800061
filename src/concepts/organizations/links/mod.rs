//! Single-use links: invitations, and password links. The store holds only the hash of a link's token.

pub mod mail;
pub(in crate::concepts::organizations) mod store;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use store::LinkRow;
pub use store::TIDY;

use super::{
    MemberRole,
    members::{self, Admin, Administers, Member, Membership},
    secret::{self, Secret},
    sessions,
    sign_in::{self, normalized},
};
use crate::{
    concepts::organizations::{self, passwords::Passwords},
    ground::{
        audit::{self, Actor, Deed, Who},
        error::{Code, Error, Kind, Result},
        state::App,
        store::Conn,
        time::Timestamp,
        web::origin::Origin,
    },
};
use inlay_contract::ids::{AccountId, MemberId, OrganizationId};
use std::time::Duration;

/// How long an invitation is valid.
const INVITATION_LASTS: Duration = Duration::from_secs(7 * 24 * 3600);
/// How long a password link is valid.
const RESET_LASTS: Duration = Duration::from_secs(24 * 3600);

/// A link.
#[derive(Clone, Debug)]
pub struct Link {
    /// The hash of its token.
    pub id: Vec<u8>,
    /// The organization.
    pub organization: OrganizationId,
    /// Its recipient's email address.
    pub email: String,
    /// The role of an invitation. `None` for a password link.
    pub role: Option<MemberRole>,
    /// The member who created it.
    pub made_by: Option<MemberId>,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// Invites a person. Returns the link's token.
///
/// # Errors
/// 400 for an invalid email address, 403 where only an owner may, 409 `MEMBER_ALREADY`.
pub async fn invite(app: &App, by: &Member<impl Administers>, email: &str, role: MemberRole) -> Result<String> {
    let email = normalized(email);
    if !is_address(&email) {
        return Err(Error::invalid("email", "is not a valid email address"));
    }
    members::may_touch(by, role, role)?;
    let secret = Secret::generate()?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    members::store::lock_organization(conn, by.organization).await?;
    if members::store::of_organization(conn, by.organization).await?.iter().any(|member| member.email == email) {
        return Err(Error::new(Code::MemberAlready, format!("{email} is already a member.")));
    }
    store::forget_for(conn, by.organization, &email).await?;
    let link = Link {
        id: secret.hash,
        organization: by.organization,
        email,
        role: Some(role),
        made_by: Some(by.id),
        expires_at: Timestamp::now().plus(INVITATION_LASTS),
    };
    store::insert(conn, &link).await?;
    let deed = Deed::new("member.invited", by.organization.0).named(&link.email).with("role", role.name());
    audit::record(conn, &by.actor(), deed).await?;
    tx.commit().await?;
    Ok(secret.text)
}

/// Creates a link with which a member sets a new password. Returns its token.
///
/// # Errors
/// 404 for a member of another organization, 403 for an owner by an admin, 409 `MEMBER_ELSEWHERE` when they are a member of
/// other organizations too, whose access this one must not change.
pub async fn new_password(app: &App, by: &Member<impl Administers>, id: MemberId) -> Result<String> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    members::store::lock_organization(conn, by.organization).await?;
    let all = members::store::of_organization(conn, by.organization).await?;
    let member = all.into_iter().find(|member| member.id == id).ok_or_else(|| Error::not_found("Member"))?;
    members::may_touch(by, member.role, member.role)?;
    if members::store::of_account(conn, member.account).await?.len() > 1 {
        let told = "This person also belongs to other organizations, so this organization cannot change their password.";
        return Err(Error::new(Code::MemberElsewhere, told));
    }
    let token = reset_link(conn, by.organization, &member.email, Some(by.id)).await?;
    audit::record(conn, &by.actor(), Deed::new("member.passwordLinkMade", id.0).named(&member.email)).await?;
    tx.commit().await?;
    Ok(token)
}

/// Creates a password link for the operator of the service. Returns its token.
pub async fn reset_link(
    conn: &mut Conn<'_>,
    organization: OrganizationId,
    email: &str,
    made_by: Option<MemberId>,
) -> Result<String> {
    let secret = Secret::generate()?;
    let link = Link {
        id: secret.hash,
        organization,
        email: email.to_owned(),
        role: None,
        made_by,
        expires_at: Timestamp::now().plus(RESET_LASTS),
    };
    store::forget_for(conn, organization, email).await?;
    store::insert(conn, &link).await?;
    Ok(secret.text)
}

/// Creates a password link that the account's owner requested. Returns its token, which may only be mailed to them.
pub async fn forgotten(app: &App, email: &str, origin: &Origin) -> Result<Option<String>> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let Some(account) = sign_in::store::account(conn, email).await? else { return Ok(None) };
    let Some(place) = members::store::of_account(conn, account.id).await?.into_iter().next() else { return Ok(None) };
    let token = reset_link(conn, place.organization, email, None).await?;
    let actor = Actor { who: Who::Member(place.id), organization: place.organization, origin: origin.clone() };
    audit::record(conn, &actor, Deed::new("member.passwordLinkMade", place.id.0).named(email)).await?;
    tx.commit().await?;
    Ok(Some(token))
}

/// The valid invitations of an organization.
pub async fn invitations(app: &App, by: &Member<impl Administers>) -> Result<Vec<Link>> {
    let now = Timestamp::now();
    let all = store::of_organization(&mut app.db.read().await?.conn(), by.organization).await?;
    Ok(all.into_iter().filter(|link| link.role.is_some() && link.expires_at > now).collect())
}

/// Withdraws an invitation.
pub async fn withdraw(app: &App, by: &Member<impl Administers>, email: &str) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    store::forget_for(conn, by.organization, email).await?;
    audit::record(conn, &by.actor(), Deed::new("member.invitationWithdrawn", by.organization.0).named(email)).await?;
    tx.commit().await
}

/// The link with a token, if it is still valid.
///
/// # Errors
/// 404 when it is not valid.
pub async fn open(app: &App, token: &str) -> Result<Link> {
    let found = store::find(&mut app.db.read().await?.conn(), &secret::hash(token)).await?;
    found.filter(|link| link.expires_at > Timestamp::now()).ok_or_else(spent)
}

fn spent() -> Error {
    Error::new(Code::LinkSpent, "This link has been used, withdrawn or has expired. Ask for a new one.")
}

/// Whether the link's recipient already has a password.
pub async fn is_known(app: &App, link: &Link) -> Result<bool> {
    let account = sign_in::store::account(&mut app.db.read().await?.conn(), &link.email).await?;
    Ok(account.is_some_and(|account| account.password_hash.is_some()))
}

/// Uses a link and signs its holder in. An invitation joins with a first password, or with the existing one; a password link
/// sets the password and ends every session. Returns the secret for the cookie.
///
/// # Errors
/// 404 for a used link, or one whose creator may not create it any more; 400 for a short or wrong password; 409
/// `FIRST_PASSWORD_ELSEWHERE` for a member of another organization who has no password yet.
pub async fn accept(app: &App, token: &str, given: &str, origin: &Origin, agent: Option<&str>) -> Result<String> {
    let link = open(app, token).await?;
    let hash = if link.role.is_some() && is_known(app, &link).await? {
        // The holder of an invitation is not necessarily the account's owner.
        match sign_in::proved(app, &link.email, given, origin, None).await {
            Err(refused) if refused.kind() == Kind::Unauthenticated => {
                return Err(Error::invalid("password", "is not your password"));
            }
            other => other.map(|_| None)?,
        }
    } else {
        Some(app.part::<Passwords>().hash(given).await?)
    };
    let account = spend(app, &link, hash.as_deref(), origin).await?;
    app.refresh().await?;
    sessions::begin(app, account, origin, agent).await
}

async fn spend(app: &App, link: &Link, hash: Option<&str>, origin: &Origin) -> Result<AccountId> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    // From here on, the roles cannot change until the transaction ends.
    members::store::lock_organization(conn, link.organization).await?;
    // Of two concurrent uses, the second finds the link gone.
    if !store::spend(conn, &link.id).await? {
        return Err(spent());
    }
    let (member, action) = match link.role {
        Some(role) => (join(conn, link, role, hash).await?, "member.joined"),
        None => (set_password(conn, link, hash).await?, "member.passwordChanged"),
    };
    let actor = Actor { who: Who::Member(member), organization: link.organization, origin: origin.clone() };
    audit::record(conn, &actor, Deed::new(action, member.0).named(&link.email)).await?;
    let account = organizations::store::account_of_member(conn, link.organization, &link.email).await?;
    tx.commit().await?;
    Ok(account)
}

async fn join(conn: &mut Conn<'_>, link: &Link, role: MemberRole, hash: Option<&str>) -> Result<MemberId> {
    require_maker(conn, link, role, role).await?;
    let all = members::store::of_organization(conn, link.organization).await?;
    // A person who has become a member in another way keeps that role.
    if all.iter().any(|member| member.email == link.email) {
        return Err(spent());
    }
    let known = sign_in::store::account(conn, &link.email).await?;
    // A password that was set in the meantime is not overwritten.
    if hash.is_some() && known.is_some_and(|account| account.password_hash.is_some()) {
        return Err(spent());
    }
    let id = organizations::store::put_member(conn, link.organization, &link.email, role, hash).await?;
    let account = organizations::store::account_of_member(conn, link.organization, &link.email).await?;
    // The holder of an invitation is not necessarily the account's owner, and a first password would open all of the account's
    // organizations.
    if hash.is_some() && members::store::of_account(conn, account).await?.len() > 1 {
        let told = "This person is a member of another organization already and has no password yet. They choose one there \
            first, by a link that the other organization makes, and then join with it.";
        return Err(Error::new(Code::FirstPasswordElsewhere, told));
    }
    Ok(id)
}

/// Makes a person a member whom an organization's own provider identified, if they have an open invitation. A person with an
/// account must accept the invitation with their password.
///
/// # Errors
/// 403 `NOT_A_MEMBER` for a person who already has an account.
pub async fn join_vouched(
    conn: &mut Conn<'_>,
    organization: OrganizationId,
    email: &str,
    origin: &Origin,
) -> Result<Option<Membership>> {
    members::store::lock_organization(conn, organization).await?;
    let now = Timestamp::now();
    let all = store::of_organization(conn, organization).await?;
    let open = all.into_iter().filter(|link| link.email == email && link.expires_at > now);
    let Some((link, role)) = open.filter_map(|link| link.role.map(|role| (link, role))).next() else { return Ok(None) };
    if let Some(account) = sign_in::store::account(conn, email).await? {
        // Somebody else may have created the account with a password of theirs, or it may open other organizations.
        if account.password_hash.is_some() || !members::store::of_account(conn, account.id).await?.is_empty() {
            let told = "You are invited, and have an account of this address already: open the invitation and join by its password. \
                After that you come in this way, too.";
            return Err(Error::new(Code::NotAMember, told));
        }
    }
    if !store::spend(conn, &link.id).await? {
        return Ok(None);
    }
    let id = match join(conn, &link, role, None).await {
        // The invitation's creator may not invite any more.
        Err(problem) if problem.code == Code::LinkSpent => return Ok(None),
        other => other?,
    };
    let actor = Actor { who: Who::Member(id), organization, origin: origin.clone() };
    audit::record(conn, &actor, Deed::new("member.joined", id.0).named(email)).await?;
    members::store::find_membership(conn, id).await
}

async fn set_password(conn: &mut Conn<'_>, link: &Link, hash: Option<&str>) -> Result<MemberId> {
    let all = members::store::of_organization(conn, link.organization).await?;
    let member = all.into_iter().find(|member| member.email == link.email).ok_or_else(spent)?;
    require_maker(conn, link, member.role, member.role).await?;
    if link.made_by.is_some() && members::store::of_account(conn, member.account).await?.len() > 1 {
        return Err(spent());
    }
    if let Some(hash) = hash {
        sign_in::store::set_password(conn, member.account, hash).await?;
    }
    sessions::store::end_others(conn, member.account, &[]).await?;
    Ok(member.id)
}

/// Refuses a link whose creator could not create it any more. Links without a creator are the operator's.
async fn require_maker(conn: &mut Conn<'_>, link: &Link, from: MemberRole, to: MemberRole) -> Result<()> {
    let Some(id) = link.made_by else { return Ok(()) };
    let all = members::store::of_organization(conn, link.organization).await?;
    let maker = all.into_iter().find(|member| member.id == id).ok_or_else(spent)?;
    let maker = Member::<Admin>::new(&maker, Origin::default()).map_err(|_| spent())?;
    members::may_touch(&maker, from, to).map_err(|_| spent())
}

/// Deletes the links of a member who loses a role or leaves: those for them, and those that they created.
pub(super) async fn forget(conn: &mut Conn<'_>, member: &Membership) -> Result<()> {
    store::forget_for(conn, member.organization, &member.email).await?;
    store::forget_made_by(conn, member.id).await
}

/// Whether a text has the form of an email address.
pub fn is_address(text: &str) -> bool {
    let plain = !text.chars().any(|letter| letter.is_whitespace() || letter.is_control()) && text.chars().count() <= 254;
    plain && text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'))
}
