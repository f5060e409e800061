//! Signs a user in: creates or updates the customer and the user, then issues a token (docs/spec/service.md, "embed-token"). A
//! repeated call that changes nothing reads one row and writes none.

use crate::{
    concepts::{
        access::OrganizationKey,
        customers::{
            self, Customer, Pair, ProjectUser, Sought,
            properties::{Properties, merge},
            users::rename,
        },
        organizations::members::{Member, Works},
        projects::{self, Project},
        roles,
        tokens::{self, Audience, Issued, Subject, revocation::Granted},
        usage::Usage,
    },
    ground::{
        audit::{self, Actor, Deed},
        error::Result,
        state::App,
        store::{Conn, version},
        time::Timestamp,
    },
};
use inlay_contract::{
    field::Field,
    ids::{ApiKeyId, CustomerId, ProjectId, ProjectUserId, RoleId},
    lifetime::Lifetime,
    permissions::Permissions,
};

/// A sign-in request.
#[derive(Debug)]
pub struct SignIn {
    /// The project.
    pub project: ProjectId,
    /// The customer.
    pub customer: IdentityInput,
    /// The user.
    pub user: IdentityInput,
    /// Set on every call that sends it. Null removes the role.
    pub role: Field<RoleId>,
    /// The role of a user whom this call creates, when `role` is absent.
    pub default_role: Option<RoleId>,
    /// The token's lifetime.
    pub lifetime: Lifetime,
}

/// A customer or user in a sign-in request.
#[derive(Debug)]
pub struct IdentityInput {
    /// The host's own id.
    pub external_id: String,
    /// The name, if it was sent. Otherwise the stored one stays.
    pub name: Option<String>,
    /// Properties to merge.
    pub properties: Properties,
}

/// The result of a sign-in.
#[derive(Debug)]
pub struct SignedIn {
    /// The token.
    pub issued: Issued,
    /// The user.
    pub user: ProjectUserId,
    /// The customer.
    pub customer: CustomerId,
    /// Whether this call created the user.
    pub user_created: bool,
    /// Whether this call created the customer.
    pub customer_created: bool,
}

/// Signs a user in.
///
/// # Errors
///
/// 404 for a project or role that does not exist here.
pub async fn sign_in(app: &App, key: &OrganizationKey, actor: &Actor, request: &SignIn) -> Result<SignedIn> {
    let project = projects::of_organization(app, key.organization, request.project).await?;
    let saved = ensured(app, actor, &project, request).await?;
    let now = tokens::now_at(app, saved.version);
    let issued = issue(app, Some(key.key), &project, &saved.user, request.lifetime, now).await?;
    app.part::<Usage>().signed_in(project.id, saved.customer.id);
    Ok(SignedIn {
        issued,
        user: saved.user.id,
        customer: saved.customer.id,
        user_created: saved.user_created,
        customer_created: saved.customer_created,
    })
}

/// The prefix of the external ids of test users and their customers, so that they cannot equal a host's own ids.
const TRIAL: &str = "inlay-test:";

/// Creates a test user for an embed, or changes one: as [`sign_in`] does, with the member as actor and without a token.
///
/// # Errors
///
/// 404 for a project or role that does not exist here.
pub async fn try_out(app: &App, by: &Member<impl Works>, mut request: SignIn) -> Result<ProjectUserId> {
    let project = projects::of_organization(app, by.organization, request.project).await?;
    for named in [&mut request.customer, &mut request.user] {
        named.external_id = format!("{TRIAL}{}", named.external_id);
    }
    Ok(ensured(app, &by.actor(), &project, &request).await?.user.id)
}

/// The customer and the user of a request, created or updated as it says.
async fn ensured(app: &App, actor: &Actor, project: &Project, request: &SignIn) -> Result<Saved> {
    if let Field::Value(role) = request.role {
        roles::of_project(app, project.id, role).await?;
    }
    let (customer, user) = (request.customer.external_id.clone(), request.user.external_id.clone());
    let found = customers::lookups::find(app, Sought { project: project.id, customer, user }).await?;
    let is_new = found.as_ref().is_none_or(|pair| pair.user.is_none());
    match found.and_then(|pair| unchanged(request, pair)) {
        Some(saved) => Ok(saved),
        None => {
            // Before the transaction: callers that each hold a connection of the store and wait for a second one would stop each other.
            let role = if is_new { first_role(app, project.id, request).await? } else { None };
            save(app, actor, project, request, role).await
        }
    }
}

/// The role of a user whom the request creates.
///
/// # Errors
/// 404 for a default role that the project does not have.
async fn first_role(app: &App, project: ProjectId, request: &SignIn) -> Result<Option<RoleId>> {
    Ok(match (request.role, request.default_role) {
        (Field::Value(role), _) => Some(role),
        (Field::Absent, Some(role)) => Some(roles::of_project(app, project, role).await?.id),
        (Field::Null, _) | (Field::Absent, None) => None,
    })
}

struct Saved {
    customer: Customer,
    user: ProjectUser,
    customer_created: bool,
    user_created: bool,
    /// The configuration's version when they were read or written.
    version: i64,
}

/// The stored pair, if the request changes nothing.
fn unchanged(request: &SignIn, Pair { mut customer, user, version }: Pair) -> Option<Saved> {
    let mut user = user?;
    let changed = change_customer(&request.customer, &mut customer) || change_user(request, &mut user);
    (!changed).then_some(Saved { customer, user, customer_created: false, user_created: false, version })
}

fn change_customer(sent: &IdentityInput, customer: &mut Customer) -> bool {
    let renamed = rename(&mut customer.name, sent.name.as_deref());
    merge(&mut customer.properties, &sent.properties) || renamed
}

fn change_user(request: &SignIn, user: &mut ProjectUser) -> bool {
    let renamed = rename(&mut user.name, request.user.name.as_deref());
    let merged = merge(&mut user.properties, &request.user.properties);
    let role = match request.role {
        Field::Absent => user.user_role_id,
        Field::Null => None,
        Field::Value(role) => Some(role),
    };
    let moved = std::mem::replace(&mut user.user_role_id, role) != role;
    renamed || merged || moved
}

/// Creates or changes in one transaction; simultaneous calls for one customer run one after the other.
async fn save(app: &App, actor: &Actor, project: &Project, request: &SignIn, role: Option<RoleId>) -> Result<Saved> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let version = version::number(conn).await?;
    let new = new_customer(&request.customer);
    let customer_created = customers::insert_customer(conn, project.id, &new).await?;
    // Other writers of this customer and of the user, `PUT users` included, wait from here on.
    let locked = customers::locked_customer(conn, project.id, &new.external_id).await?;
    let mut customer = locked.ok_or_else(projects::unknown)?;
    let customer_changed = change_customer(&request.customer, &mut customer);
    if customer_changed {
        customers::update_customer(conn, &customer).await?;
    }
    let (user, user_created, user_changed) = ensured_user(conn, &customer, project.id, request, role).await?;
    if customer_created || customer_changed {
        let action = if customer_created { "projectOrganization.created" } else { "projectOrganization.changed" };
        audit::record(conn, actor, Deed::new(action, customer.id.0).in_project(project.id).named(&customer.name)).await?;
    }
    if user_created || user_changed {
        let action = if user_created { "projectUser.created" } else { "projectUser.changed" };
        audit::record(conn, actor, Deed::new(action, user.id.0).in_project(project.id).named(&user.name)).await?;
    }
    tx.commit().await?;
    Ok(Saved { customer, user, customer_created, user_created, version })
}

/// The user, whether this call created them, and whether it changed them.
async fn ensured_user(
    conn: &mut Conn<'_>,
    customer: &Customer,
    project: ProjectId,
    request: &SignIn,
    role: Option<RoleId>,
) -> Result<(ProjectUser, bool, bool)> {
    let known = customers::locked_user_of_customer(conn, customer.id, &request.user.external_id).await?;
    let mut user = match known {
        Some(user) => user,
        None => match create_user(conn, project, customer.id, request, role).await? {
            Some(user) => return Ok((user, true, false)),
            // `register-user` has created them since.
            None => {
                let made = customers::locked_user_of_customer(conn, customer.id, &request.user.external_id).await?;
                made.ok_or_else(projects::unknown)?
            }
        },
    };
    let changed = save_user(conn, request, &mut user).await?;
    Ok((user, false, changed))
}

/// Writes differences. Returns whether there were any.
async fn save_user(conn: &mut Conn<'_>, request: &SignIn, user: &mut ProjectUser) -> Result<bool> {
    let changed = change_user(request, user);
    if changed {
        user.updated_at = Timestamp::now().max(Timestamp(user.updated_at.0 + 1));
        customers::update_user(conn, user).await?;
    }
    Ok(changed)
}

fn new_customer(sent: &IdentityInput) -> Customer {
    let mut properties = Properties::new();
    merge(&mut properties, &sent.properties);
    Customer {
        id: CustomerId::generate(),
        external_id: sent.external_id.clone(),
        name: sent.name.clone().unwrap_or_else(|| sent.external_id.clone()),
        properties,
    }
}

/// `None` when the customer has a user with this external id.
async fn create_user(
    conn: &mut Conn<'_>,
    project: ProjectId,
    customer: CustomerId,
    request: &SignIn,
    role: Option<RoleId>,
) -> Result<Option<ProjectUser>> {
    let now = Timestamp::now();
    let mut user = ProjectUser {
        id: ProjectUserId::generate(),
        external_id: request.user.external_id.clone(),
        name: request.user.name.clone().unwrap_or_else(|| request.user.external_id.clone()),
        properties: Properties::new(),
        user_role_id: role,
        project_organization_id: Some(customer),
        created_at: now,
        updated_at: now,
        project,
    };
    merge(&mut user.properties, &request.user.properties);
    Ok(customers::insert_user(conn, &user).await?.then_some(user))
}

/// Issues a token for a user, with their role's current permissions.
pub async fn issue(
    app: &App,
    key: Option<ApiKeyId>,
    project: &Project,
    user: &ProjectUser,
    lifetime: Lifetime,
    now: Granted,
) -> Result<Issued> {
    let role = roles::of_user(app, user.project, user.user_role_id).await?;
    let subject = Subject {
        id: user.id.0,
        audience: Audience::Embed,
        organization: project.organization,
        project: project.id,
        customer: user.project_organization_id,
        role: role.as_ref().map(|role| role.id),
        permissions: role.map_or_else(Permissions::without_role, |role| role.permissions.resolve()),
        key,
        member: None,
        edits: None,
    };
    tokens::issue(&tokens::known(app).keyring, &app.base_url, &subject, lifetime, now)
}
