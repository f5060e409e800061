//! Members and invitations.

use super::{
    answer::Page,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::organizations::{
        MemberRole,
        links::{
            self, Link,
            mail::{self, Purpose},
        },
        members::{self, Admin, Member, Membership, Reads},
    },
    ground::error::{Code, Error, Kind, Result},
};
use inlay_console::{
    Draft, Section,
    pages::members::{Change, InvitationRow, MemberRow, Members, show as view},
};
use inlay_contract::ids::MemberId;

/// `GET /console/organizations/{organization}/members`
pub async fn show(visit: Visit) -> Page {
    draw(&visit, Shown::default()).await
}

/// The page's content beside the members.
#[derive(Default)]
struct Shown {
    /// The invitation form's values.
    draft: Draft,
    /// A new link.
    made: Option<(String, String)>,
    /// A rejected change of a member.
    change: Option<Change>,
}

async fn draw<R: Reads>(visit: &Visit<R>, Shown { draft, made, change }: Shown) -> Page {
    let reader = &visit.member;
    let administers = visit.is::<Admin>();
    let owner = reader.role == MemberRole::Owner;
    let members = members::list(visit.app(), reader).await?;
    let row = |member: Membership| MemberRow {
        id: member.id.to_string(),
        may_change: administers && member.id != reader.id && (owner || member.role != MemberRole::Owner),
        email: member.email,
        role: member.role.name().to_owned(),
        has_password: member.has_password,
        created_at: member.created_at.to_string(),
    };
    let invitation = |link: Link| InvitationRow {
        email: link.email,
        role: link.role.map_or("", MemberRole::name).to_owned(),
        expires_at: link.expires_at.to_string(),
    };
    let invitations = match Member::<Admin>::of(reader) {
        Ok(admin) => links::invitations(visit.app(), &admin).await?.into_iter().map(invitation).collect(),
        Err(_) => Vec::new(),
    };
    let offered = MemberRole::ALL.into_iter().filter(|role| administers && (owner || *role != MemberRole::Owner));
    let page = Members {
        organization: reader.organization.to_string(),
        members: members.into_iter().map(row).collect(),
        invitations,
        roles: offered.map(|role| role.name().to_owned()).collect(),
        made,
        change,
    };
    visit.page("Members", Section::Members, || view(&page, &draft)).await
}

fn role(typed: &Typed) -> Result<MemberRole> {
    typed.get("role").parse().map_err(|problem: String| Error::invalid("role", problem))
}

/// `POST …/members/invite`
pub async fn invite(Submission { visit, typed }: Submission<Visit<Admin>>) -> Page {
    let made = async {
        let role = role(&typed)?;
        links::invite(visit.app(), &visit.member, typed.get("email"), role).await
    };
    match made.await {
        Ok(token) => {
            let name = visit.person.membership(visit.member.organization)?.organization_name.clone();
            hand_over(&visit, typed.get("email"), &Purpose::Invitation(name), &token).await
        }
        Err(problem) => refused(&visit, &typed, problem).await,
    }
}

/// Mails a link to its recipient. Shows it once when no mail can be sent.
async fn hand_over(visit: &Visit<Admin>, email: &str, purpose: &Purpose, token: &str) -> Page {
    if mail::send(visit.app(), email, purpose, token).await {
        return Ok(visit.done(&visit.at("members"), &format!("A mail with the link has been sent to {email}.")));
    }
    let link = mail::address(visit.app(), purpose, token);
    draw(visit, Shown { made: Some((email.to_owned(), link)), ..Shown::default() }).await
}

async fn refused(visit: &Visit<Admin>, typed: &Typed, problem: Error) -> Page {
    let (status, draft) = typed.refused(problem)?;
    Ok(with_status(draw(visit, Shown { draft, ..Shown::default() }).await?, status))
}

/// `POST …/members/withdraw`
pub async fn withdraw(Submission { visit, typed }: Submission<Visit<Admin>>) -> Page {
    links::withdraw(visit.app(), &visit.member, typed.get("email")).await?;
    Ok(visit.done(&visit.at("members"), "Invitation withdrawn."))
}

/// `POST …/members/{member}/role`
pub async fn set_role(Submission { visit, typed }: Submission<Visit<Admin>>) -> Page {
    let id: MemberId = visit.person.id("member")?;
    let changed = async {
        let role = role(&typed)?;
        members::set_role(visit.app(), &visit.member, id, seen(&typed, id)?, role).await
    };
    match changed.await {
        Ok(()) => Ok(visit.done(&visit.at("members"), "Role changed.")),
        Err(problem) => refused_for(&visit, &typed, id, problem).await,
    }
}

/// `POST …/members/{member}/remove`
pub async fn remove(Submission { visit, typed }: Submission<Visit<Admin>>) -> Page {
    let id: MemberId = visit.person.id("member")?;
    let removed = async { members::remove(visit.app(), &visit.member, id, seen(&typed, id)?).await };
    match removed.await {
        Ok(()) => Ok(visit.done(&visit.at("members"), "Member removed.")),
        Err(problem) => refused_for(&visit, &typed, id, problem).await,
    }
}

/// The member's role when the form was rendered.
fn seen(typed: &Typed, id: MemberId) -> Result<MemberRole> {
    typed.get("seen").parse().map_err(|problem: String| Error::invalid("seen", problem).with_context(id.to_string()))
}

/// The members as they are now, with the rejected change of one of them.
async fn refused_for(visit: &Visit<Admin>, typed: &Typed, id: MemberId, problem: Error) -> Page {
    let gone = Error::new(Code::MemberGone, "This member was removed since you opened the page.");
    let problem = if problem.kind() == Kind::NotFound { gone } else { problem };
    let (status, draft) = typed.refused(problem)?;
    let change = Change { member: id.to_string(), role: typed.get("role").to_owned(), told: draft.message.unwrap_or_default() };
    Ok(with_status(draw(visit, Shown { change: Some(change), ..Shown::default() }).await?, status))
}

/// `POST …/members/{member}/new-password`
pub async fn new_password(Submission { visit, .. }: Submission<Visit<Admin>>) -> Page {
    let id: MemberId = visit.person.id("member")?;
    match links::new_password(visit.app(), &visit.member, id).await {
        Ok(token) => {
            let all = members::list(visit.app(), &visit.member).await?;
            let email = all.into_iter().find(|member| member.id == id).map(|member| member.email).unwrap_or_default();
            hand_over(&visit, &email, &Purpose::NewPassword, &token).await
        }
        Err(problem) => refused_for(&visit, &Typed::default(), id, problem).await,
    }
}
