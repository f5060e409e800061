//! Token lifetimes (docs/spec/service.md, "Embed token" and "Limits").

use std::{fmt, str::FromStr, time::Duration};

/// The lifetime of a token: one of nine values. The default is `1h`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lifetime {
    /// `5m`
    FiveMinutes,
    /// `15m`
    QuarterHour,
    /// `30m`
    HalfHour,
    /// `1h`
    #[default]
    Hour,
    /// `2h`
    TwoHours,
    /// `6h`
    SixHours,
    /// `12h`
    HalfDay,
    /// `24h`
    Day,
    /// `7d`
    Week,
}

/// A text that is not a lifetime.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be one of 5m, 15m, 30m, 1h, 2h, 6h, 12h, 24h, 7d")]
pub struct UnknownLifetime;

impl Lifetime {
    /// Every lifetime, shortest first.
    pub const ALL: [Self; 9] = [
        Self::FiveMinutes,
        Self::QuarterHour,
        Self::HalfHour,
        Self::Hour,
        Self::TwoHours,
        Self::SixHours,
        Self::HalfDay,
        Self::Day,
        Self::Week,
    ];

    /// Its text on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FiveMinutes => "5m",
            Self::QuarterHour => "15m",
            Self::HalfHour => "30m",
            Self::Hour => "1h",
            Self::TwoHours => "2h",
            Self::SixHours => "6h",
            Self::HalfDay => "12h",
            Self::Day => "24h",
            Self::Week => "7d",
        }
    }

    /// Its duration.
    pub const fn duration(self) -> Duration {
        const MINUTE: u64 = 60;
        const HOUR: u64 = 60 * MINUTE;
        Duration::from_secs(match self {
            Self::FiveMinutes => 5 * MINUTE,
            Self::QuarterHour => 15 * MINUTE,
            Self::HalfHour => 30 * MINUTE,
            Self::Hour => HOUR,
            Self::TwoHours => 2 * HOUR,
            Self::SixHours => 6 * HOUR,
            Self::HalfDay => 12 * HOUR,
            Self::Day => 24 * HOUR,
            Self::Week => 7 * 24 * HOUR,
        })
    }
}

impl FromStr for Lifetime {
    type Err = UnknownLifetime;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|lifetime| lifetime.as_str() == text).ok_or(UnknownLifetime)
    }
}

impl fmt::Display for Lifetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Lifetime {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::{ObjectBuilder, Type};
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("How long the token lives."))
            .enum_values(Some(Self::ALL.map(Self::as_str)))
            .default(Some(Self::default().as_str().into()))
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Lifetime {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip_and_grow() {
        for pair in Lifetime::ALL.windows(2) {
            assert!(pair[0].duration() < pair[1].duration());
        }
        for lifetime in Lifetime::ALL {
            assert_eq!(lifetime.as_str().parse(), Ok(lifetime));
        }
        assert_eq!(Lifetime::default().duration(), Duration::from_secs(3600));
    }

    #[test]
    fn near_misses_are_unknown() {
        for text in ["", "1H", " 1h", "60m", "3600", "10m", "3d"] {
            assert_eq!(text.parse::<Lifetime>(), Err(UnknownLifetime), "{text:?}");
        }
    }
}
