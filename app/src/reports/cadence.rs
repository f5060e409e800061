//! The schedules that the form offers, and their cron expressions. Pure.

/// How often a report runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// Every hour, at a minute.
    Hour,
    /// Every day.
    Day,
    /// Monday to Friday.
    Workday,
    /// Once a week.
    Week,
    /// Once a month.
    Month,
    /// By a cron expression.
    Cron,
}

impl Every {
    /// All of them, with the value and the label of their option.
    pub const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Hour, "hour", "Every hour"),
        (Self::Day, "day", "Every day"),
        (Self::Workday, "workday", "Monday to Friday"),
        (Self::Week, "week", "Every week"),
        (Self::Month, "month", "Every month"),
        (Self::Cron, "cron", "Cron expression"),
    ];

    /// The schedule with this name.
    pub fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|(_, known, _)| *known == name).map_or(Self::Cron, |(every, ..)| every)
    }
}

/// The days of the week: cron's names and labels.
pub const WEEKDAYS: [(&str, &str); 7] = [
    ("MON", "Monday"),
    ("TUE", "Tuesday"),
    ("WED", "Wednesday"),
    ("THU", "Thursday"),
    ("FRI", "Friday"),
    ("SAT", "Saturday"),
    ("SUN", "Sunday"),
];

/// The days that every month has, and its last day.
pub fn days() -> impl Iterator<Item = (String, String)> {
    let numbered = (1..=28).map(|day: u8| (day.to_string(), format!("Day {day}")));
    numbered.chain(std::iter::once(("L".to_owned(), "Last day".to_owned())))
}

/// A schedule as the form shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// How often.
    pub every: Every,
    /// The time: `08:00`.
    pub time: String,
    /// The day of the week, for weekly schedules.
    pub weekday: String,
    /// The day of the month, for monthly schedules.
    pub day: String,
}

impl Picked {
    /// The schedule of a cron expression. `Every::Cron` if the form has no option for it.
    pub fn of(cron: &str) -> Self {
        let picked = |every| Self { every, time: "08:00".to_owned(), weekday: "MON".to_owned(), day: "1".to_owned() };
        let fields: Vec<&str> = cron.split_whitespace().collect();
        let [minute, hour, day, "*", weekday] = fields[..] else { return picked(Every::Cron) };
        let number = |text: &str, most: u8| text.parse::<u8>().ok().filter(|number| *number <= most);
        let Some(minute) = number(minute, 59) else { return picked(Every::Cron) };
        if (hour, day, weekday) == ("*", "*", "*") {
            return Self { time: format!("00:{minute:02}"), ..picked(Every::Hour) };
        }
        let Some(hour) = number(hour, 23) else { return picked(Every::Cron) };
        let timed = |every| Self { time: format!("{hour:02}:{minute:02}"), ..picked(every) };
        match (day, weekday) {
            ("*", "*") => timed(Every::Day),
            ("*", "MON-FRI") => timed(Every::Workday),
            ("*", weekday) if WEEKDAYS.iter().any(|(known, _)| *known == weekday) => {
                Self { weekday: weekday.to_owned(), ..timed(Every::Week) }
            }
            (day, "*") if days().any(|(known, _)| known == day) => Self { day: day.to_owned(), ..timed(Every::Month) },
            _ => picked(Every::Cron),
        }
    }

    /// The cron expression. `None` for `Every::Cron`, whose expression is in the draft.
    pub fn cron(&self) -> Option<String> {
        let (hour, minute) = self.time.split_once(':')?;
        let (hour, minute) = (hour.parse::<u8>().ok()?, minute.get(..2)?.parse::<u8>().ok()?);
        match self.every {
            Every::Hour => Some(format!("{minute} * * * *")),
            Every::Day => Some(format!("{minute} {hour} * * *")),
            Every::Workday => Some(format!("{minute} {hour} * * MON-FRI")),
            Every::Week => Some(format!("{minute} {hour} * * {}", self.weekday)),
            Every::Month => Some(format!("{minute} {hour} {} * *", self.day)),
            Every::Cron => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_picked_is_read_back_as_it_was() {
        for cron in ["5 * * * *", "0 8 * * *", "30 17 * * MON-FRI", "0 8 * * SUN", "15 6 28 * *", "59 23 L * *"] {
            let picked = Picked::of(cron);
            assert_eq!(picked.cron().as_deref(), Some(cron), "{picked:?}");
        }
    }

    #[test]
    fn what_nobody_can_pick_stays_text() {
        for cron in [
            "",
            "0 8 * *",
            "*/15 * * * *",
            "0 8,20 * * *",
            "0 8 29 * *",
            "0 8 1 * MON",
            "0 8 * 1 *",
            "61 8 * * *",
            "0 24 * * *",
        ] {
            let picked = Picked::of(cron);
            assert_eq!((picked.every, picked.cron()), (Every::Cron, None), "{cron}");
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        assert!(Every::ALL.iter().all(|(every, name, _)| Every::named(name) == *every));
        assert_eq!(days().count(), 29);
    }
}
