//! The viewer of a query, and the properties that rules read.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};
use std::{fmt, str::FromStr};

/// The owner of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// The customer: `{{organization.…}}`.
    Organization,
    /// The user: `{{user.…}}`.
    User,
}

/// A property's path: `organization.tenant_id`. Everything after the first dot is the key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PropertyPath {
    /// Its owner.
    pub holder: Holder,
    /// Its key.
    pub key: String,
}

/// A text that is not a property's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a property is written organization.<key> or user.<key>")]
pub struct InvalidPath;

impl FromStr for PropertyPath {
    type Err = InvalidPath;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (holder, key) = text.trim().split_once('.').ok_or(InvalidPath)?;
        let holder = match holder {
            "organization" => Holder::Organization,
            "user" => Holder::User,
            _ => return Err(InvalidPath),
        };
        if key.is_empty() || key.contains(['{', '}']) {
            return Err(InvalidPath);
        }
        Ok(Self { holder, key: key.to_owned() })
    }
}

impl fmt::Display for PropertyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holder = match self.holder {
            Holder::Organization => "organization",
            Holder::User => "user",
        };
        write!(f, "{holder}.{}", self.key)
    }
}

impl Serialize for PropertyPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PropertyPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The viewer of a query. An API key has neither kind of properties: tables with a rule fail, open tables work.
#[derive(Clone, Default, PartialEq)]
pub struct SecurityContext {
    /// The customer's properties. `None` if the viewer has no customer.
    pub organization: Option<Map<String, Value>>,
    /// The user's properties. `None` for an API key.
    pub user: Option<Map<String, Value>>,
    /// The `dbAuthToken`: a secret.
    pub database_auth_token: Option<String>,
    /// Whose share of a source's places their queries take: their customer's. It decides when a query runs, and never what it returns.
    pub share: u128,
}

impl SecurityContext {
    /// Whether it has no properties at all.
    pub(crate) const fn is_nobody(&self) -> bool {
        self.organization.is_none() && self.user.is_none()
    }

    /// The value of a property. Null counts as missing.
    pub(crate) fn property(&self, path: &PropertyPath) -> Option<&Value> {
        let properties = match path.holder {
            Holder::Organization => self.organization.as_ref(),
            Holder::User => self.user.as_ref(),
        };
        properties?.get(&path.key).filter(|value| !value.is_null())
    }
}

impl fmt::Debug for SecurityContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = |map: &Option<Map<String, Value>>| map.as_ref().map(|map| map.keys().cloned().collect::<Vec<_>>());
        f.debug_struct("SecurityContext")
            .field("organization", &keys(&self.organization))
            .field("user", &keys(&self.user))
            .field("database_auth_token", &self.database_auth_token.as_ref().map(|_| "…"))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_are_read_and_written_back() {
        for text in ["organization.airport", "user.sales region", "organization.a.b"] {
            assert_eq!(text.parse::<PropertyPath>().map(|path| path.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "airport", "organization.", "organisation.x", "User.x", "user.{x}"] {
            assert_eq!(text.parse::<PropertyPath>(), Err(InvalidPath), "{text}");
        }
    }

    #[test]
    fn a_null_property_is_missing_and_the_holder_counts() {
        let viewer = SecurityContext {
            organization: json!({"a": null, "b": "null"}).as_object().cloned(),
            user: None,
            database_auth_token: Some("secret".into()),
            share: 0,
        };
        let property = |text: &str| viewer.property(&text.parse().expect("a path")).cloned();
        assert_eq!(property("organization.a"), None);
        assert_eq!(property("organization.b"), Some(json!("null")));
        assert_eq!(property("user.b"), None);
        assert!(!format!("{viewer:?}").contains("secret"));
    }
}
