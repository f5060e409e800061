//! Cadences that people pick, and the five fields of cron that they stand for. Pure.

/// How often.
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
    /// As cron says.
    Cron,
}

impl Every {
    /// Each, as it is picked: name and label.
    pub const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Hour, "hour", "Every hour"),
        (Self::Day, "day", "Every day"),
        (Self::Workday, "workday", "Monday to Friday"),
        (Self::Week, "week", "Every week"),
        (Self::Month, "month", "Every month"),
        (Self::Cron, "cron", "Cron expression"),
    ];

    /// The one of a name.
    pub fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|(_, known, _)| *known == name).map_or(Self::Cron, |(every, ..)| every)
    }
}

/// Days of the week, as cron names them and people do.
pub const WEEKDAYS: [(&str, &str); 7] = [
    ("MON", "Monday"),
    ("TUE", "Tuesday"),
    ("WED", "Wednesday"),
    ("THU", "Thursday"),
    ("FRI", "Friday"),
    ("SAT", "Saturday"),
    ("SUN", "Sunday"),
];

/// The days of a month that every month has, and its last one.
pub fn days() -> impl Iterator<Item = (String, String)> {
    let numbered = (1..=28).map(|day: u8| (day.to_string(), format!("Day {day}")));
    numbered.chain(std::iter::once(("L".to_owned(), "Last day".to_owned())))
}

/// A cadence as it is picked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// How often.
    pub every: Every,
    /// At what time: `08:00`.
    pub time: String,
    /// On which day of the week, where that matters.
    pub weekday: String,
    /// On which day of the month, where that matters.
    pub day: String,
}

impl Picked {
    /// The cadence that a cron text stands for; one that nobody can pick is the text itself.
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

    /// Its cron text; none where the text itself is written.
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
