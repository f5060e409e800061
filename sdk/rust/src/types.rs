//! What calls take and give.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Who signs in, and for how long.
#[derive(Clone, Debug, Serialize)]
pub struct SignIn {
    #[serde(rename = "organization")]
    customer: Customer,
    user: User,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiration: Option<Lifetime>,
}

impl SignIn {
    /// A sign-in for an hour.
    #[must_use]
    pub fn new(customer: Customer, user: User) -> Self {
        Self { customer, user, expiration: None }
    }

    /// How long the token lives.
    #[must_use]
    pub fn lifetime(mut self, lifetime: Lifetime) -> Self {
        self.expiration = Some(lifetime);
        self
    }
}

/// A customer of the host; made when its external id is new.
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
    /// By the host's own id; one constant where there are no customers.
    #[must_use]
    pub fn new(external_id: impl Into<String>) -> Self {
        Self { external_id: external_id.into(), name: None, properties: Map::new() }
    }

    /// Its name. Left out, the stored one stays.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// What row rules read as `{{organization.<key>}}`; null takes it away, and what is left out stays.
    #[must_use]
    pub fn property(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.properties.insert(key.into(), value.into());
        self
    }
}

/// A user of the customer; made when the external id is new.
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
    /// By the host's own id, unique within the customer. Their role stays as it is.
    #[must_use]
    pub fn new(external_id: impl Into<String>) -> Self {
        let external_id = external_id.into();
        Self { external_id, name: None, properties: Map::new(), role: RoleOfUser::Keep, default_role: None }
    }

    /// Their name. Left out, the stored one stays.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// What row rules read as `{{user.<key>}}`; null takes it away, and what is left out stays.
    #[must_use]
    pub fn property(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.properties.insert(key.into(), value.into());
        self
    }

    /// Their role from now on.
    #[must_use]
    pub fn role(mut self, role: RoleOfUser) -> Self {
        self.role = role;
        self
    }

    /// The role of a user whom this sign-in makes, when their role is kept.
    #[must_use]
    pub fn default_role(mut self, role: Uuid) -> Self {
        self.default_role = Some(role);
        self
    }
}

/// What a sign-in does to a user's role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoleOfUser {
    /// It stays; a new user has none.
    #[default]
    Keep,
    /// The user has none, and only looks.
    Remove,
    /// The user has this one.
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

/// How long a token lives.
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

/// What a sign-in answers. Only the token and its end are for the browser.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// For the iframe of this user.
    pub token: String,
    /// When it ends.
    pub expires_at: DateTime<Utc>,
    /// The user.
    pub project_user_id: Uuid,
    /// The customer.
    pub project_organization_id: Uuid,
    /// Whether this call made the user.
    pub user_created: bool,
    /// Whether this call made the customer.
    pub organization_created: bool,
}

/// A role of a project.
#[derive(Clone, Debug, Deserialize)]
pub struct Role {
    /// What [`RoleOfUser::Set`] takes.
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
    /// What an iframe's address takes.
    pub application_id: Uuid,
    /// Its name.
    pub name: String,
    /// The dashboard that opens first.
    pub default_dashboard_id: Option<Uuid>,
}

/// A dashboard in a list.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dashboard {
    /// What an iframe's address takes.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// `template` (shared) or `dashboard` (in a user's space).
    pub kind: String,
    /// Whose space it is in.
    pub owner_project_user_id: Option<Uuid>,
    /// Whether it opens first.
    pub is_default: bool,
}

/// A chart's rows.
#[derive(Clone, Debug, Deserialize)]
pub struct ChartData {
    /// In the query's order.
    pub columns: Vec<Column>,
    /// Each as long as `columns`.
    pub rows: Vec<Vec<Value>>,
    /// Whether a limit cut them.
    pub truncated: bool,
}

/// A column of a chart's rows.
#[derive(Clone, Debug, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What its values are.
    #[serde(rename = "type")]
    pub kind: String,
}
