//! Units of numbers.

/// The unit of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Unit {
    Second,
    Minute,
    Hour,
    Mile,
    Kilometre,
    Kilogram,
    Dollar,
    Euro,
    /// The hundredth part of either.
    Cent,
}

impl Unit {
    pub(crate) const fn is_money(self) -> bool {
        matches!(self, Self::Dollar | Self::Euro | Self::Cent)
    }

    /// How many of `other` are in one of these, if both measure the same quantity.
    pub(crate) fn in_unit(self, other: Self) -> Option<f64> {
        let seconds = |unit| match unit {
            Self::Second => Some(1.0),
            Self::Minute => Some(60.0),
            Self::Hour => Some(3600.0),
            _ => None,
        };
        match (self, other) {
            _ if self == other => Some(1.0),
            (Self::Dollar | Self::Euro, Self::Cent) => Some(100.0),
            (Self::Cent, Self::Dollar | Self::Euro) => Some(0.01),
            _ => Some(seconds(self)? / seconds(other)?),
        }
    }

    /// Its name, in the plural.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Second => "seconds",
            Self::Minute => "minutes",
            Self::Hour => "hours",
            Self::Mile => "miles",
            Self::Kilometre => "kilometres",
            Self::Kilogram => "kilograms",
            Self::Dollar => "dollars",
            Self::Euro => "euros",
            Self::Cent => "cents",
        }
    }

    /// The sign after a number.
    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Second => "s",
            Self::Minute => "min",
            Self::Hour => "h",
            Self::Mile => "mi",
            Self::Kilometre => "km",
            Self::Kilogram => "kg",
            Self::Dollar => "$",
            Self::Euro => "€",
            Self::Cent => "¢",
        }
    }
}
