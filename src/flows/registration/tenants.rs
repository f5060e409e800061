//! Registers a tenant: the same key is the same tenant. Before the migration is finalized the response holds a tenant token,
//! afterwards a project user's.

use crate::{
    concepts::{
        access::Host,
        customers::{self, properties::Properties},
        organizations,
        projects::Project,
        tenants::{self, Tenant, mapping, twins},
        tokens::{self, Audience, Issued, Subject},
    },
    flows::sign_in,
    ground::{
        audit::{self, Actor, Deed},
        error::{Error, Result},
        state::App,
        store::Conn,
    },
};
use inlay_contract::{ids::TenantId, lifetime::Lifetime, permissions::RolePermissions};
use serde_json::{Map, Value};

/// The input of a registration.
#[derive(Debug)]
pub struct Registration {
    /// Its key.
    pub key: String,
    /// Its name. If missing, the stored one stays; a new tenant gets its key as name.
    pub name: Option<String>,
    /// The filters of its rows.
    pub prefilters: Properties,
    /// Its users' permissions. If missing, the stored ones stay.
    pub permissions: Option<RolePermissions>,
    /// The host's own data about it. If missing, the stored data stays.
    pub metadata: Option<Map<String, Value>>,
    /// The token's lifetime.
    pub lifetime: Lifetime,
}

impl Registration {
    /// Applies the registration to a tenant. Returns whether anything differs.
    fn apply(&self, tenant: &mut Tenant) -> bool {
        let before = tenant.clone();
        if let Some(name) = &self.name {
            tenant.name.clone_from(name);
        }
        tenant.prefilters.clone_from(&self.prefilters);
        // Null means no value, as in every property.
        tenant.prefilters.retain(|_, value| !value.is_null());
        if let Some(permissions) = &self.permissions {
            tenant.permissions.clone_from(permissions);
        }
        if let Some(metadata) = &self.metadata {
            tenant.metadata.clone_from(metadata);
        }
        *tenant != before
    }

    fn new_tenant(&self, project: &Project) -> Tenant {
        let mut tenant = Tenant {
            id: TenantId::generate(),
            project: project.id,
            key: self.key.clone(),
            name: self.key.clone(),
            prefilters: Properties::new(),
            permissions: RolePermissions::default(),
            metadata: Map::new(),
            user: None,
            role: None,
            role_kept: false,
        };
        self.apply(&mut tenant);
        tenant
    }
}

/// Registers a tenant and issues a token for it. Writes nothing if nothing changes.
pub async fn register(
    app: &App,
    host: &Host,
    actor: &Actor,
    project: &Project,
    registration: &Registration,
) -> Result<(TenantId, Issued)> {
    let (known, finalized) = {
        let mut lease = app.db.read().await?;
        let conn = &mut lease.conn();
        let known = tenants::find_by_key(conn, project.id, &registration.key).await?;
        (known, organizations::find(conn, project.organization).await?.migration_finalized)
    };
    let settled = known.filter(|tenant| {
        let changed = registration.apply(&mut tenant.clone());
        !changed && (tenant.user.is_some() || !finalized)
    });
    let (tenant, finalized) = match settled {
        Some(tenant) => (tenant, finalized),
        None => save(app, actor, project, registration).await?,
    };
    let issued = issue(app, host, project, &tenant, finalized, registration.lifetime).await?;
    Ok((tenant.id, issued))
}

/// The tenant as it is stored now, and whether the migration is finalized: it may have been while this waited.
async fn save(app: &App, actor: &Actor, project: &Project, registration: &Registration) -> Result<(Tenant, bool)> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let finalized = organizations::find_held(conn, project.organization).await?.migration_finalized;
    let mut new = registration.new_tenant(project);
    new.role = twins::role_of_twins(conn, project.organization, project.id, &new.permissions).await?;
    let made = tenants::insert(conn, &new).await?;
    let stored = crate::concepts::tenants::locked(conn, project.id, &registration.key).await?;
    let mut tenant = stored.ok_or_else(|| Error::internal("a tenant disappeared within the transaction that created it"))?;
    let changed = change(conn, project, registration, &mut tenant, finalized).await?;
    if made || changed {
        let action = if made { "tenant.registered" } else { "tenant.changed" };
        audit::record(conn, actor, Deed::new(action, tenant.id.0).in_project(project.id).named(&tenant.name)).await?;
    }
    if finalized && tenant.user.is_none() {
        let mapped = mapping::map(conn, actor, &tenant).await?;
        tenant.user = Some((mapped.user, mapped.customer));
    }
    tx.commit().await?;
    Ok((tenant, finalized))
}

/// Writes differences. Returns whether there were any.
async fn change(
    conn: &mut Conn<'_>,
    project: &Project,
    registration: &Registration,
    tenant: &mut Tenant,
    finalized: bool,
) -> Result<bool> {
    let before = tenant.clone();
    if !registration.apply(tenant) {
        return Ok(false);
    }
    // Other permissions mean another role. Once the migration is finalized, roles are only set on users.
    let moved = tenant.permissions.in_v1() != before.permissions.in_v1() && !finalized;
    if moved {
        tenant.role_kept = tenant.role_kept || twins::role_is_hosts(conn, tenant.id).await?;
        tenant.role = twins::role_of_twins(conn, project.organization, project.id, &tenant.permissions).await?;
    }
    tenants::update(conn, tenant).await?;
    if let Some(owners) = tenant.user {
        mapping::carry_over(conn, tenant, &before.prefilters, owners).await?;
        if moved && !tenant.role_kept {
            customers::set_role(conn, tenant.project, owners.0, tenant.role).await?;
        }
    }
    Ok(true)
}

async fn issue(
    app: &App,
    host: &Host,
    project: &Project,
    tenant: &Tenant,
    finalized: bool,
    lifetime: Lifetime,
) -> Result<Issued> {
    if let Some((user, _)) = tenant.user.filter(|_| finalized) {
        let user = customers::users::of_project(app, project.id, user).await?;
        let now = tokens::now(app).await?;
        return sign_in::issue(app, host.key(), project, &user, lifetime, now).await;
    }
    let subject = Subject {
        id: tenant.id.0,
        audience: Audience::Tenant,
        organization: project.organization,
        project: project.id,
        customer: None,
        role: None,
        permissions: tenant.permissions.in_v1(),
        key: host.key(),
        member: None,
        edits: None,
    };
    let now = tokens::now(app).await?;
    tokens::issue(&tokens::known(app).keyring, &app.base_url, &subject, lifetime, now)
}
