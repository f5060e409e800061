//! The types of requests and responses.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use uuid::Uuid;

/// A sign-in: who, and for how long.
#[derive(Clone, Debug, Serialize)]
pub struct SignIn {
    #[serde(rename = "organization")]
    customer: Customer,
    user: User,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiration: Option<Lifetime>,
}

impl SignIn {
    /// A sign-in for one hour.
    #[must_use]
    pub fn new(customer: Customer, user: User) -> Self {
        Self { customer, user, expiration: None }
    }

    /// Sets the token's lifetime.
    #[must_use]
    pub fn lifetime(mut self, lifetime: Lifetime) -> Self {
        self.expiration = Some(lifetime);
        self
    }
}

/// A customer of the host. Created if its external id is new.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Customer {
    external_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    properties: Map<String, Value>,
}

impl Customer {
    /// A customer with the host's own id. Use a constant if there are no customers.
    #[must_use]
    pub fn new(external_id: impl Into<String>) -> Self {
        Self { external_id: external_id.into(), name: None, properties: Map::new() }
    }

    /// Sets the name. Otherwise the stored one stays.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets a property for row rules, which read it as `{{organization.<key>}}`. Null removes it. Others stay.
    #[must_use]
    pub fn property(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.properties.insert(key.into(), value.into());
        self
    }
}

/// A user of the customer. Created if the external id is new.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    external_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    properties: Map<String, Value>,
    #[serde(rename = "userRoleId", skip_serializing_if = "RoleOfUser::is_kept")]
    role: RoleOfUser,
    #[serde(rename = "defaultUserRoleId", skip_serializing_if = "Option::is_none")]
    default_role: Option<Uuid>,
}

impl User {
    /// A user with the host's own id, unique within the customer. Keeps their role.
    #[must_use]
    pub fn new(external_id: impl Into<String>) -> Self {
        let external_id = external_id.into();
        Self { external_id, name: None, properties: Map::new(), role: RoleOfUser::Keep, default_role: None }
    }

    /// Sets the name. Otherwise the stored one stays.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets a property for row rules, which read it as `{{user.<key>}}`. Null removes it. Others stay.
    #[must_use]
    pub fn property(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.properties.insert(key.into(), value.into());
        self
    }

    /// Sets the role.
    #[must_use]
    pub fn role(mut self, role: RoleOfUser) -> Self {
        self.role = role;
        self
    }

    /// Sets the role of a new user. It has no effect on existing users.
    #[must_use]
    pub fn default_role(mut self, role: Uuid) -> Self {
        self.default_role = Some(role);
        self
    }
}

/// The effect of a sign-in on a user's role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoleOfUser {
    /// It stays. A new user has none.
    #[default]
    Keep,
    /// Removes it. The user is view-only.
    Remove,
    /// Sets this role.
    Set(Uuid),
}

impl RoleOfUser {
    fn is_kept(&self) -> bool {
        *self == Self::Keep
    }
}

impl Serialize for RoleOfUser {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Keep | Self::Remove => serializer.serialize_none(),
            Self::Set(role) => role.serialize(serializer),
        }
    }
}

/// The lifetime of a token.
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Lifetime {
    #[serde(rename = "5m")]
    FiveMinutes,
    #[serde(rename = "15m")]
    QuarterHour,
    #[serde(rename = "30m")]
    HalfHour,
    #[serde(rename = "1h")]
    Hour,
    #[serde(rename = "2h")]
    TwoHours,
    #[serde(rename = "6h")]
    SixHours,
    #[serde(rename = "12h")]
    TwelveHours,
    #[serde(rename = "24h")]
    Day,
    #[serde(rename = "7d")]
    Week,
}

/// The result of a sign-in. Only the token and its expiry are for the browser.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// The token for this user's iframe.
    pub token: String,
    /// When it expires.
    pub expires_at: DateTime<Utc>,
    /// The user.
    pub project_user_id: Uuid,
    /// The customer.
    pub project_organization_id: Uuid,
    /// Whether this call created the user.
    pub user_created: bool,
    /// Whether this call created the customer.
    pub organization_created: bool,
}

/// A role of a project.
#[derive(Clone, Debug, Deserialize)]
pub struct Role {
    /// The id for [`RoleOfUser::Set`].
    pub id: Uuid,
    /// Unique within the project.
    pub name: String,
    /// The role's permissions.
    pub permissions: BTreeMap<String, bool>,
}

/// An application.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Application {
    /// Its id, for an iframe's URL.
    pub application_id: Uuid,
    /// Its name.
    pub name: String,
    /// The default dashboard.
    pub default_dashboard_id: Option<Uuid>,
}

/// A dashboard in a list.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dashboard {
    /// Its id, for an iframe's URL.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// `template` (shared) or `dashboard` (a user's own).
    pub kind: String,
    /// The owner's space.
    pub owner_project_user_id: Option<Uuid>,
    /// Whether it is the default.
    pub is_default: bool,
}

/// A chart's rows.
#[derive(Clone, Debug, Deserialize)]
pub struct ChartData {
    /// The columns, in the query's order.
    pub columns: Vec<Column>,
    /// The rows. Each has one value per column.
    pub rows: Vec<Vec<Value>>,
    /// Whether the rows were cut at a limit.
    pub truncated: bool,
}

/// The answer to a query of the semantic model.
#[derive(Clone, Debug, Deserialize)]
pub struct ModelAnswer {
    /// The columns: dimensions, measures, measures of the earlier period.
    pub columns: Vec<ModelColumn>,
    /// The rows. Each has one value per column.
    pub rows: Vec<Vec<Value>>,
    /// The measures over all rows together, with nulls for dimensions; if asked for.
    pub totals: Option<Vec<Value>>,
    /// What was worked out, as a sentence.
    pub sentence: String,
    /// Whether the rows were cut at a limit.
    pub truncated: bool,
}

/// A column of an answer of the semantic model.
#[derive(Clone, Debug, Deserialize)]
pub struct ModelColumn {
    /// Its name.
    pub name: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub kind: String,
    /// `dimension`, `measure` or `previous`.
    pub role: String,
    /// What people read instead of the name.
    pub label: String,
}

/// A column of a chart's rows.
#[derive(Clone, Debug, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub kind: String,
}
