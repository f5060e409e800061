//! The service's clock. Times are whole milliseconds, so that both stores hold equal values.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::time::Duration;

/// Milliseconds since 1970 UTC. In JSON: ISO 8601, UTC, milliseconds, `Z` (docs/spec/contract.md, section 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Now.
    pub fn now() -> Self {
        Self(Utc::now().timestamp_millis())
    }

    /// A later time.
    #[must_use]
    pub fn plus(self, span: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
    }

    /// An earlier time.
    #[must_use]
    pub fn minus(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Whole seconds since 1970, as JWT claims hold them.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// From whole seconds since 1970.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds * 1000)
    }

    /// The time as a UTC date and time.
    pub fn to_utc(self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_utc().to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let time = DateTime::parse_from_rfc3339(&text).map_err(D::Error::custom)?;
        Ok(Self(time.timestamp_millis()))
    }
}

impl utoipa::PartialSchema for Timestamp {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
        let format = SchemaFormat::KnownFormat(KnownFormat::DateTime);
        let told = "ISO 8601, UTC, milliseconds, `Z`.";
        ObjectBuilder::new().schema_type(Type::String).format(Some(format)).description(Some(told)).into()
    }
}

impl utoipa::ToSchema for Timestamp {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_as_utc_with_milliseconds() {
        assert_eq!(Timestamp(1_700_000_000_120).to_string(), "2023-11-14T22:13:20.120Z");
        assert_eq!(Timestamp(-1).seconds(), -1);
        let written = serde_json::to_string(&Timestamp(1_700_000_000_120)).expect("JSON");
        assert_eq!(serde_json::from_str::<Timestamp>(&written).expect("a time"), Timestamp(1_700_000_000_120));
    }
}
