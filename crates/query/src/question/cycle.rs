//! What comes round again: days of the week and hours.

use crate::dialect::Dialect;
use inlay_contract::chart::question::Cycle;

/// The days of the week, as answers name them.
pub const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// The part of a week or day that a moment falls into, as answers show it. Null for none.
pub(crate) fn name(dialect: &dyn Dialect, cycle: Cycle, moment: &str) -> String {
    match cycle {
        Cycle::Hour => dialect.hour_name(moment),
        Cycle::Weekday => {
            let days: String = WEEKDAYS.iter().enumerate().map(|(place, day)| format!(" when {place} then '{day}'")).collect();
            format!("case {}{days} end", dialect.weekday(moment))
        }
        Cycle::PartOfWeek => {
            let day = dialect.weekday(moment);
            format!("case when {day} < 5 then 'Weekday' when {day} >= 5 then 'Weekend' end")
        }
    }
}

/// The same, as conditions compare it: the hour is a number.
pub(crate) fn compared(dialect: &dyn Dialect, cycle: Cycle, moment: &str) -> String {
    if cycle == Cycle::Hour { dialect.hour(moment) } else { name(dialect, cycle, moment) }
}

/// The place in its week of a day that [`name`] made.
pub(crate) fn place_of_weekday(name: &str) -> String {
    let days: String = WEEKDAYS.iter().enumerate().map(|(place, day)| format!(" when '{day}' then {place}")).collect();
    format!("case {name}{days} end")
}
