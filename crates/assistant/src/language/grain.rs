//! Periods that times are split into.

/// Periods that time is split into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Grain {
    Day,
    Week,
    Month,
    Quarter,
    Year,
    /// Monday to Sunday, all weeks together.
    Weekday,
    /// Of the day, all days together.
    Hour,
    /// Weekdays beside weekends.
    PartOfWeek,
    /// As fine as the period is worth.
    Fitting,
}

impl Grain {
    /// As a sentence says it.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
            Self::Weekday => "weekday",
            Self::Hour => "hour",
            Self::PartOfWeek => "part of the week",
            Self::Fitting => "period",
        }
    }

    /// Whether it runs along the calendar; weekdays and hours come round again.
    pub(crate) const fn is_calendar(self) -> bool {
        !matches!(self, Self::Weekday | Self::Hour | Self::PartOfWeek)
    }
}
