//! A field that can be absent, null or a value, where the difference matters (`userRoleId`).

use serde::{Deserialize, Deserializer};

/// A field of a request body. Use with `#[serde(default)]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Field<T> {
    /// Absent: keep the stored value.
    #[default]
    Absent,
    /// Null: remove the stored value.
    Null,
    /// A new value.
    Value(T),
}

impl<T> Field<T> {
    /// The value, if there is one.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Whether the field is absent.
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<T>::deserialize(deserializer).map(|given| given.map_or(Self::Null, Self::Value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Body {
        #[serde(default)]
        role: Field<u8>,
    }

    fn role(json: &str) -> Field<u8> {
        serde_json::from_str::<Body>(json).expect("valid body").role
    }

    #[test]
    fn absent_null_and_value_differ() {
        assert_eq!(role("{}"), Field::Absent);
        assert_eq!(role(r#"{"role":null}"#), Field::Null);
        assert_eq!(role(r#"{"role":3}"#), Field::Value(3));
    }
}
