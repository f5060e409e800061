//! Customers and users, managed by members: lists, revoking tokens, previews.

mod of_role;
mod properties;
mod store;

#[cfg(test)]
mod tests;

pub use of_role::{FoundForRole, Moved, assign, search_for_role, take_out, with_role};
pub use properties::{UnknownProperty, unknown_properties};

use crate::{
    concepts::{
        customers::{self, Customer, ProjectUser, users},
        dashboards::{Dashboard, Owner},
        organizations::members::{Member, Reads, Works},
        projects, roles,
        tokens::{self, Audience, Issued, Subject, revocation::SubjectKind},
    },
    ground::{
        audit::{self, Deed},
        error::{Error, Result},
        paging::Side,
        state::App,
        time::Timestamp,
    },
};
use inlay_contract::{
    ids::{CustomerId, ProjectId, ProjectUserId, RoleId},
    lifetime::Lifetime,
    permissions::{Flag, Permissions, RolePermissions},
};
use uuid::Uuid;

/// How long a preview token is valid.
const VIEW_LASTS: Lifetime = Lifetime::FiveMinutes;

/// A customer in the list.
#[derive(Clone, Debug)]
pub struct ListedCustomer {
    /// Its id.
    pub id: CustomerId,
    /// The host's own id for it.
    pub external_id: String,
    /// Its name.
    pub name: String,
    /// The number of its users.
    pub users: i64,
    /// When it was created.
    pub created_at: Timestamp,
}

/// A user in the list.
#[derive(Clone, Debug)]
pub struct ListedUser {
    /// Their id.
    pub id: ProjectUserId,
    /// The host's own id for them.
    pub external_id: String,
    /// Their name.
    pub name: String,
    /// The name of their customer.
    pub customer: Option<String>,
    /// The id of their role.
    pub role_id: Option<RoleId>,
    /// The name of their role.
    pub role: Option<String>,
    /// When they were last changed.
    pub updated_at: Timestamp,
    /// When they last opened a dashboard.
    pub seen_at: Option<Timestamp>,
}

/// The place of a customer or user in a list by name: the name, and the id.
pub type Place = (String, Uuid);

/// How many customers by name, and how many users by their last change, a search for a part of a name reads. Beyond them the
/// beginning of a name or id is found. The store's statements have the same number.
pub const SEARCHED: i64 = 10_000;

/// The customers of a project on one side of a place, by name.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn list(
    app: &App,
    by: &Member<impl Reads>,
    project: ProjectId,
    side: Option<&Side<Place>>,
    most: i64,
) -> Result<Vec<ListedCustomer>> {
    projects::of_organization(app, by.organization, project).await?;
    store::customers_beside(&mut app.db.read().await?.conn(), project, side, most).await
}

/// Whether a project has more customers, or more users, than this.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn has_beyond(app: &App, by: &Member<impl Reads>, project: ProjectId, read: i64) -> Result<bool> {
    projects::of_organization(app, by.organization, project).await?;
    store::has_beyond(&mut app.db.read().await?.conn(), project, read).await
}

/// The customers of a project whose name or external id contains a text, by name.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn search(
    app: &App,
    by: &Member<impl Reads>,
    project: ProjectId,
    text: &str,
    most: i64,
) -> Result<Vec<ListedCustomer>> {
    projects::of_organization(app, by.organization, project).await?;
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    if text.trim().is_empty() {
        return store::customers(conn, project, most).await;
    }
    store::customers_named(conn, project, text, most).await
}

/// A customer of a project.
///
/// # Errors
/// 404 when the project has no such customer.
pub async fn customer(app: &App, by: &Member<impl Reads>, project: ProjectId, id: CustomerId) -> Result<Customer> {
    projects::of_organization(app, by.organization, project).await?;
    let found = customers::find_customer_by_id(&mut app.db.read().await?.conn(), project, id).await?;
    found.ok_or_else(|| Error::not_found("Customer"))
}

/// The users of a customer on one side of a place, by name.
///
/// # Errors
/// 404 when the project has no such customer.
pub async fn of_customer(
    app: &App,
    by: &Member<impl Reads>,
    project: ProjectId,
    id: CustomerId,
    side: Option<&Side<Place>>,
    most: i64,
) -> Result<Vec<ListedUser>> {
    customer(app, by, project, id).await?;
    store::users_beside(&mut app.db.read().await?.conn(), store::Of::Customer(id), side, most).await
}

/// The users of a project, most recently changed first.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn newest(app: &App, by: &Member<impl Reads>, project: ProjectId, most: i64) -> Result<Vec<ListedUser>> {
    projects::of_organization(app, by.organization, project).await?;
    store::newest_users(&mut app.db.read().await?.conn(), project, most).await
}

/// The users of a project, or of one of its customers, whose name or external id contains a text, most recently changed first.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn search_users(
    app: &App,
    by: &Member<impl Reads>,
    project: ProjectId,
    customer: Option<CustomerId>,
    text: &str,
    most: i64,
) -> Result<Vec<ListedUser>> {
    projects::of_organization(app, by.organization, project).await?;
    store::users_named(&mut app.db.read().await?.conn(), project, customer, text, most).await
}

/// A user of a project.
///
/// # Errors
/// 404 when the project has no such user.
pub async fn user(app: &App, by: &Member<impl Reads>, project: ProjectId, id: ProjectUserId) -> Result<ProjectUser> {
    projects::of_organization(app, by.organization, project).await?;
    users::of_project(app, project, id).await
}

/// When a user last opened a dashboard, as far as it is recorded.
///
/// # Errors
/// 404 when the project has no such user.
pub async fn seen_at(app: &App, by: &Member<impl Reads>, project: ProjectId, id: ProjectUserId) -> Result<Option<Timestamp>> {
    user(app, by, project, id).await?;
    store::seen_at(&mut app.db.read().await?.conn(), id).await
}

/// Revokes every token of a user that was issued until now.
///
/// # Errors
/// 404 when the project has no such user.
pub async fn revoke_user(app: &App, by: &Member<impl Works>, project: ProjectId, id: ProjectUserId) -> Result<()> {
    let user = user(app, by, project, id).await?;
    revoke(app, by, project, SubjectKind::User, id.0, &user.name).await
}

/// Revokes every token of a customer's users that was issued until now.
///
/// # Errors
/// 404 when the project has no such customer.
pub async fn revoke_customer(app: &App, by: &Member<impl Works>, project: ProjectId, id: CustomerId) -> Result<()> {
    let customer = customer(app, by, project, id).await?;
    revoke(app, by, project, SubjectKind::Customer, id.0, &customer.name).await
}

async fn revoke(app: &App, by: &Member<impl Works>, project: ProjectId, kind: SubjectKind, id: Uuid, name: &str) -> Result<()> {
    let mut tx = app.db.write().await?;
    tokens::revoke(&mut tx.conn(), &by.actor(), project, kind, id, name).await?;
    tx.commit().await?;
    app.refresh().await
}

/// Issues a preview token, with which a member sees exactly what a user sees: short-lived, marked with the member, and written
/// to the audit log.
///
/// # Errors
/// 404 when the project has no such user.
pub async fn view_as(app: &App, by: &Member<impl Works>, project: ProjectId, id: ProjectUserId) -> Result<Issued> {
    view_with(app, by, project, id, None).await
}

/// Issues a preview token as if the user had another role.
///
/// # Errors
/// 404 when the project has no such user or role.
pub async fn view_with(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: ProjectUserId,
    role: Option<RoleId>,
) -> Result<Issued> {
    let user = user(app, by, project, id).await?;
    let role = match role {
        Some(role) => Some(roles::of_project(app, project, role).await?),
        None => roles::of_user(app, user.project, user.user_role_id).await?,
    };
    let permissions = role.as_ref().map_or_else(Permissions::without_role, |role| role.permissions.resolve());
    let role = role.map(|role| role.id);
    let subject = Subject { role, ..subject(by, &user, permissions) };
    let deed = Deed::new("projectUser.viewedAs", id.0).in_project(project).named(&user.name);
    issue(app, by, &subject, deed).await
}

/// Issues a token with which a member edits a shared dashboard on its page, with a user's rows: short-lived, for this dashboard
/// only, and written to the audit log.
///
/// # Errors
/// 404 when the project has no such user.
pub async fn edit_shared(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: ProjectUserId,
    dashboard: &Dashboard,
) -> Result<Issued> {
    if dashboard.owner != Owner::Shared {
        return Err(Error::not_found("Dashboard"));
    }
    let user = user(app, by, project, id).await?;
    let tools = EDITING.into_iter().map(|flag| (flag, true)).collect::<RolePermissions>();
    let subject = Subject { edits: Some(dashboard.id), ..subject(by, &user, tools.resolve()) };
    let deed = Deed::new("dashboard.opened", dashboard.id.0).in_project(project).named(&dashboard.name);
    issue(app, by, &subject, deed.with("userId", id.to_string())).await
}

/// The editing permissions of a member on a shared dashboard's page.
const EDITING: [Flag; 7] = [
    Flag::AddChart,
    Flag::AddFilter,
    Flag::CreateChart,
    Flag::CreateChartSql,
    Flag::EditCharts,
    Flag::RemoveChart,
    Flag::DrillDown,
];

/// The subject of a preview token: the user, and the member who previews.
fn subject(by: &Member<impl Works>, user: &ProjectUser, permissions: Permissions) -> Subject {
    Subject {
        id: user.id.0,
        audience: Audience::Embed,
        organization: by.organization,
        project: user.project,
        customer: user.project_organization_id,
        role: None,
        permissions,
        key: None,
        member: Some(by.id),
        edits: None,
    }
}

async fn issue(app: &App, by: &Member<impl Works>, subject: &Subject, deed: Deed<'_>) -> Result<Issued> {
    let now = tokens::now(app).await?;
    let issued = tokens::issue(&tokens::known(app).keyring, &app.base_url, subject, VIEW_LASTS, now)?;
    let mut tx = app.db.write().await?;
    audit::record(&mut tx.conn(), &by.actor(), deed).await?;
    tx.commit().await?;
    Ok(issued)
}
