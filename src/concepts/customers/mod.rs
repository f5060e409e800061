//! Customers of the host product (project organizations) and their users (project users).

mod ensure;
pub mod lookups;
pub mod properties;
mod store;
pub mod users;
pub mod v1;

#[cfg(test)]
mod defaults_tests;
#[cfg(test)]
mod races_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod users_tests;

pub use ensure::{NewUser, ensure, ensure_user, merge_properties};

pub(crate) use store::{CustomerRow, ProjectUserRow};
pub use store::{
    Pair, Sought, find_customer, find_customer_by_id, find_user_of_customer, insert_customer, insert_user, lock_user,
    locked_customer, locked_user_of_customer, properties_of, set_role, update_customer, update_user,
};

use crate::ground::time::Timestamp;
use inlay_contract::ids::{CustomerId, ProjectId, ProjectUserId, RoleId};
use properties::Properties;
use serde::Serialize;
use utoipa::ToSchema;

/// A customer.
#[derive(Clone, Debug, PartialEq)]
pub struct Customer {
    /// Its id.
    pub id: CustomerId,
    /// The host's own id for it.
    pub external_id: String,
    /// Its name.
    pub name: String,
    /// Properties that row rules read as `{{organization.<key>}}`.
    pub properties: Properties,
}

/// A project user, as the API shows it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectUser {
    /// Its id.
    pub id: ProjectUserId,
    /// The host's own id for them.
    pub external_id: String,
    /// Their name.
    pub name: String,
    /// Properties that row rules read as `{{user.<key>}}`.
    #[schema(value_type = Object)]
    pub properties: Properties,
    /// Their role, if any.
    #[schema(required = true)]
    pub user_role_id: Option<RoleId>,
    /// Their customer, if any.
    #[schema(required = true)]
    pub project_organization_id: Option<CustomerId>,
    /// When they were created.
    pub created_at: Timestamp,
    /// When they were last changed.
    pub updated_at: Timestamp,
    /// The project that they belong to.
    #[serde(skip)]
    pub project: ProjectId,
}
