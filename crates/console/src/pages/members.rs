//! An organization's members and invitations.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// A member in the list.
#[derive(Clone, Debug)]
pub struct MemberRow {
    /// Their id.
    pub id: String,
    /// Their email address.
    pub email: String,
    /// Their role.
    pub role: String,
    /// Whether they can sign in by password.
    pub has_password: bool,
    /// When they joined.
    pub created_at: String,
    /// Whether the member may change them.
    pub may_change: bool,
}

/// A pending invitation.
#[derive(Clone, Debug)]
pub struct InvitationRow {
    /// The invited email address.
    pub email: String,
    /// The role.
    pub role: String,
    /// When it expires.
    pub expires_at: String,
}

/// A change that was refused because others have changed the member.
#[derive(Clone, Debug)]
pub struct Change {
    /// The member's id.
    pub member: String,
    /// The chosen role. Empty if none was chosen.
    pub role: String,
    /// Why it was refused.
    pub told: String,
}

/// The page.
#[derive(Clone, Debug)]
pub struct Members {
    /// The organization.
    pub organization: String,
    /// Its members.
    pub members: Vec<MemberRow>,
    /// Its invitations. `None` if the member may not invite.
    pub invitations: Vec<InvitationRow>,
    /// The roles that the member can assign. May be empty.
    pub roles: Vec<String>,
    /// A link that was just created: email address and URL.
    pub made: Option<(String, String)>,
    /// A refused change.
    pub change: Option<Change>,
}

const ROLES: [(&str, &str); 4] = [
    ("owner", "Owner: everything"),
    ("admin", "Admin: members, keys, everything in projects"),
    ("member", "Member: everything in projects"),
    ("viewer", "Viewer: reads only"),
];

/// The label of a role.
fn called(role: &str) -> String {
    let label = ROLES.iter().find(|(name, _)| *name == role).map_or(role, |(_, label)| label);
    label.split(':').next().unwrap_or(label).to_owned()
}

/// Draws it.
#[must_use]
pub fn show(page: &Members, draft: &Draft) -> Html {
    let at = |rest: &str| format!("/console/organizations/{}/members{rest}", page.organization);
    let made = page.made.as_ref().map(|(email, link)| {
        parts::secret("Link created.", &format!("Send it to {email}. It works once and is not shown again."), link)
    });
    let rows = page.members.iter().map(|member| row(page, member)).collect();
    let invite = (!page.roles.is_empty()).then(|| {
        let fields = view! {
            {Field::new("email", "Email address", Control::Input("email")).draw(draft)}
            {Field::new("role", "Role", Control::Choice(choices(&page.roles))).draw(draft)}
        };
        let form = view! {
            <p class="muted">"An invitation is a link that works once, within 7 days."</p>
            {Form::new(at("/invite"), "Create invitation").draw(draft, fields)}
        };
        parts::adding("Invite", true, draft.is_refused(), form)
    });
    let open = (!page.invitations.is_empty()).then(|| {
        let row = |one: &InvitationRow| {
            vec![
                parts::text(one.email.clone()),
                parts::text(called(&one.role)),
                parts::time(&one.expires_at),
                Form::new(at("/withdraw"), "Withdraw").quiet().button(&[("email", &one.email)]),
            ]
        };
        let rows = page.invitations.iter().map(row).collect();
        parts::part("Open invitations", "", parts::table("Open invitations", &["For", "Role", "Valid until", ""], rows))
    });
    view! {
        {parts::head("Members", None, ())}
        {made}
        {page.change.as_ref().map(|change| parts::refused(&change.told))}
        {invite}
        {parts::table("Members", &["Member", "Role", "Since", ""], rows)}
        {open}
    }
    .html()
}

fn choices(roles: &[String]) -> Vec<(String, String)> {
    let offered = ROLES.iter().rev().filter(|(name, _)| roles.iter().any(|role| role == name));
    offered.map(|(name, label)| ((*name).to_owned(), (*label).to_owned())).collect()
}

fn row(page: &Members, member: &MemberRow) -> Vec<Html> {
    let at = |rest: &str| format!("/console/organizations/{}/members/{}{rest}", page.organization, member.id);
    let waiting = (!member.has_password).then(|| parts::badge("", "No password"));
    let name = view! { {member.email.clone()}" "{waiting} }.html();
    if !member.may_change {
        return vec![name, parts::text(called(&member.role)), parts::time(&member.created_at), ().html()];
    }
    let change = page.change.as_ref().filter(|change| change.member == member.id && !change.role.is_empty());
    let chosen = change.map_or(&member.role, |change| &change.role);
    let overtaken = (*chosen != member.role).then(|| parts::badge("", &format!("Now {}", called(&member.role))));
    let roles = choices(&page.roles).into_iter().map(|(value, label)| {
        let selected = value == *chosen;
        view! { <option value=value selected=selected>{label}</option> }
    });
    let roles = roles.collect_view();
    let label = format!("Role of {}", member.email);
    let role = view! {
        <form method="post" action=at("/role") class="inline">
            {crate::ui::form::csrf()}
            <input type="hidden" name="seen" value=member.role.clone() />
            <select name="role" aria-label=label>{roles}</select>
            <button class="button">"Change"</button>
            {overtaken}
        </form>
    };
    let told = view! { <p>{format!("{} loses access at once, and their API keys no longer work for this organization.", member.email)}</p> };
    let actions = view! {
        <div class="row-actions">
            {Form::new(at("/new-password"), "New password link").quiet().button(&[])}
            {Form::new(at("/remove"), "Remove").hiding("seen", &member.role).asking(&member.id, &format!("Remove {}?", member.email), told)}
        </div>
    };
    vec![name, role.html(), parts::time(&member.created_at), actions.html()]
}
