//! The first owner. While no organization has an owner, the holder of the setup code that this process printed to standard
//! error can become it. Only the code's hash is kept, and only in memory.

use super::{MemberRole, members, secret, sessions, sign_in::normalized};
use crate::{
    concepts::organizations::{links::is_address, passwords::Passwords, store},
    ground::{
        audit::{self, Actor, Deed, Who},
        error::{Code, Error, Result},
        state::App,
        store::version,
        web::origin::Origin,
    },
};
use inlay_contract::ids::AccountId;
use std::fmt;

/// The setup form. `Debug` omits code and password.
#[derive(Clone)]
pub struct FirstOwner<'a> {
    /// The code.
    pub code: &'a str,
    /// The name of the organization.
    pub organization: &'a str,
    /// Their email address.
    pub email: &'a str,
    /// Their password.
    pub password: &'a str,
}

impl fmt::Debug for FirstOwner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FirstOwner")
            .field("organization", &self.organization)
            .field("email", &self.email)
            .finish_non_exhaustive()
    }
}

/// Whether there is no owner yet.
pub async fn is_open(app: &App) -> Result<bool> {
    Ok(!members::store::any_owner(&mut app.db.read().await?.conn()).await?)
}

/// Generates a setup code for this process if there is no owner yet. It replaces an earlier one.
pub async fn offer(app: &App) -> Result<Option<String>> {
    if !is_open(app).await? {
        return Ok(None);
    }
    let code: String = secret::Secret::generate()?.text.chars().take(24).collect();
    app.part::<Passwords>().put_code(&code);
    Ok(Some(code))
}

/// Creates the organization and its owner, and signs them in. Returns the secret for the cookie.
///
/// # Errors
/// 400 for an invalid field, 409 `SET_UP_ALREADY` when there is an owner.
pub async fn make_owner(app: &App, first: &FirstOwner<'_>, origin: &Origin, agent: Option<&str>) -> Result<String> {
    if !is_open(app).await? {
        return Err(taken());
    }
    let (name, email) = (first.organization.trim(), normalized(first.email));
    if !app.part::<Passwords>().is_code(first.code.trim()) {
        return Err(Error::invalid("code", "is not the code that Inlay printed at its last start"));
    }
    if name.is_empty() || name.chars().count() > 200 {
        return Err(Error::invalid("organization", "must have 1 to 200 characters"));
    }
    if !is_address(&email) {
        return Err(Error::invalid("email", "is not a valid email address"));
    }
    let hash = app.part::<Passwords>().hash(first.password).await?;
    let account = insert(app, name, &email, &hash, origin).await?;
    app.part::<Passwords>().spend_code();
    app.refresh().await?;
    sessions::begin(app, account, origin, agent).await
}

async fn insert(app: &App, name: &str, email: &str, hash: &str, origin: &Origin) -> Result<AccountId> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    // Of two concurrent setups, the second waits here and then finds an owner.
    version::bump(conn, &[]).await?;
    if members::store::any_owner(conn).await? {
        return Err(taken());
    }
    let organization = store::create(conn, name).await?;
    let member = store::put_member(conn, organization, email, MemberRole::Owner, Some(hash)).await?;
    let actor = Actor { who: Who::Member(member), organization, origin: origin.clone() };
    audit::record(conn, &actor, Deed::new("organization.created", organization.0).named(name)).await?;
    let account = store::account_of_member(conn, organization, email).await?;
    tx.commit().await?;
    Ok(account)
}

fn taken() -> Error {
    Error::new(Code::SetUpAlready, "An owner already exists. Sign in, or ask the owner for an invitation.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_no_secret() {
        let first = FirstOwner { code: "s3cret", organization: "Acme", email: "ada@example.test", password: "s3cret" };
        let shown = format!("{first:?}");
        assert!(shown.contains("Acme") && !shown.contains("s3cret"), "{shown}");
    }
}
