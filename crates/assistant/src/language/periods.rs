//! Finds periods and times of day in a question.

use super::{
    grain::Grain,
    span::Spoken,
    tokens::{Token, TokenKind},
    words::{is_slip, stem},
};

const MONTHS: [(&str, &str); 12] = [
    ("january", "jan"),
    ("february", "feb"),
    ("march", "mar"),
    ("april", "apr"),
    ("may", "may"),
    ("june", "jun"),
    ("july", "jul"),
    ("august", "aug"),
    ("september", "sep"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec"),
];

/// A part of the day in hours. The end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HoursOfDay {
    pub from: u8,
    pub to: u8,
}

/// A cursor over tokens. Each method returns what it read and how many tokens it used.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a>(pub &'a [Token]);

pub(super) type Read<T> = Option<(T, usize)>;

impl Words<'_> {
    pub(super) fn text(&self, at: usize) -> &str {
        self.0.get(at).map_or("", |token| token.text.as_str())
    }

    pub(super) fn is(&self, at: usize, words: &[&str]) -> bool {
        words.contains(&self.text(at))
    }

    pub(super) fn number(&self, at: usize) -> Option<u32> {
        match self.0.get(at)?.kind {
            TokenKind::Number(value) if value.fract() == 0.0 && (0.0..=100_000.0).contains(&value) => Some(value as u32),
            TokenKind::Word => small_number(self.text(at)),
            _ => None,
        }
    }

    fn year(&self, at: usize) -> Option<i32> {
        let TokenKind::Number(_) = self.0.get(at)?.kind else { return None };
        self.text(at).parse().ok().filter(|year| (1900..=2100).contains(year))
    }

    /// A year behind a month or quarter, also in two digits: "q1 98".
    fn year_behind(&self, at: usize) -> Option<i32> {
        let short = || {
            let text = self.text(at);
            let year = text.parse::<i32>().ok().filter(|_| text.len() == 2 && self.0[at].kind != TokenKind::Word)?;
            Some(if year < 50 { 2000 + year } else { 1900 + year })
        };
        self.year(at).or_else(short)
    }

    fn month(&self, at: usize) -> Option<u32> {
        let token = self.0.get(at).filter(|token| token.kind == TokenKind::Word)?;
        let text = token.text.as_str();
        let place =
            MONTHS.iter().position(|(long, short)| text == *long || text == *short || (*short == "sep" && text == "sept"));
        let place = place.or_else(|| MONTHS.iter().position(|(long, _)| long.len() > 5 && is_slip(text, long)));
        place.map(|place| place as u32 + 1)
    }

    pub(super) fn grain(&self, at: usize) -> Option<Grain> {
        Some(match stem(self.text(at)).as_str() {
            "day" => Grain::Day,
            "week" => Grain::Week,
            "month" => Grain::Month,
            "quarter" => Grain::Quarter,
            "year" | "season" => Grain::Year,
            _ => return None,
        })
    }

    /// A period with its prepositions, starting at the first token.
    pub(crate) fn period(&self) -> Read<Spoken> {
        let behind = |skip: usize| Words(self.0.get(skip..).unwrap_or_default());
        let skip = usize::from(self.is(0, &["in", "on", "during", "for", "of", "at", "the", "through", "within"]));
        let skip = skip + usize::from(skip > 0 && self.is(skip, &["the"]));
        if let Some(found) = self.relation() {
            return Some(found);
        }
        // "2013 to 2016"
        if let (Some(from), Some(to)) = (self.year(0), self.year(2))
            && self.is(1, &["to", "until", "till", "through", "thru"])
            && from < to
        {
            return Some((Spoken::Range(Box::new(Spoken::Year(from)), Box::new(Spoken::Year(to))), 3));
        }
        if let Some((spoken, took)) = behind(skip).point(skip > 0) {
            // "1 to 15 February": a range without "from".
            if behind(skip + took).is(0, &["to", "until", "till", "through", "thru"])
                && !spoken.is_relative()
                && let Some((end, more)) = behind(skip + took + 1).point(true)
            {
                return Some((Spoken::Range(Box::new(spoken), Box::new(end)), skip + took + 1 + more));
            }
            return Some((spoken, skip + took));
        }
        None
    }

    /// "since …", "before …", "between … and …".
    fn relation(&self) -> Read<Spoken> {
        let behind = |skip: usize| Words(self.0.get(skip..).unwrap_or_default());
        let wrap = |skip: usize, make: fn(Box<Spoken>) -> Spoken| {
            let skip = skip + usize::from(self.is(skip, &["the"]));
            let (spoken, took) = behind(skip).point(true)?;
            Some((make(Box::new(spoken)), skip + took))
        };
        match self.text(0) {
            "since" => wrap(1, Spoken::Since),
            "after" => wrap(1, Spoken::After),
            "before" => wrap(1, Spoken::Before),
            "until" | "till" => wrap(1, Spoken::Until),
            "up" if self.is(1, &["to", "until"]) => wrap(2, Spoken::Until),
            "starting" | "beginning" => wrap(1 + usize::from(self.is(1, &["in", "on", "from", "with"])), Spoken::Since),
            "from" | "between" => {
                let (from, took) = behind(1).point(true)?;
                let joined = 1 + took;
                if self.is(joined, &["to", "and", "until", "till", "through", "thru"])
                    && let Some((to, more)) = behind(joined + 1).point(true)
                {
                    return Some((Spoken::Range(Box::new(from), Box::new(to)), joined + 1 + more));
                }
                if self.is(joined, &["on", "onwards", "onward"]) {
                    return Some((Spoken::Since(Box::new(from)), joined + 1));
                }
                // "the flights from March"
                Some((from, joined))
            }
            _ => None,
        }
    }

    /// One period. A bare year needs a preposition.
    fn point(&self, introduced: bool) -> Read<Spoken> {
        if let Some(week) = self.week_of_month() {
            return Some(week);
        }
        if let TokenKind::Day(day) = self.0.first()?.kind {
            return Some((Spoken::Day(day), 1));
        }
        let part = || self.in_month(introduced).or_else(|| self.quarter()).map(|part| self.of_year(part));
        self.today().or_else(|| self.recent()).or_else(|| self.unit()).or_else(part).or_else(|| {
            let year = self.year(0).filter(|_| introduced)?;
            Some((Spoken::Year(year), 1))
        })
    }

    /// "July last year", "Q3 of this year".
    fn of_year(&self, (part, took): (Spoken, usize)) -> (Spoken, usize) {
        let has_year =
            !matches!(part, Spoken::DayOfMonth(..) | Spoken::Month(_, None) | Spoken::Quarter(_, None) | Spoken::Half(_, None));
        let of = took + usize::from(self.is(took, &["of", "in"]));
        let steps = match self.text(of) {
            "this" | "current" => 0,
            "last" | "previous" | "prior" => -1,
            _ => return (part, took),
        };
        if has_year || !self.is(of + 1, &["year"]) {
            return (part, took);
        }
        (Spoken::OfYear(Box::new(part), steps), of + 2)
    }

    /// "the first week of June": its first seven days.
    fn week_of_month(&self) -> Read<Spoken> {
        let week = ["first", "second", "third", "fourth", "last"].iter().position(|name| *name == self.text(0))?;
        let month = (self.is(1, &["week"]) && self.is(2, &["of", "in"])).then(|| self.month(3)).flatten()?;
        Some((Spoken::WeekOfMonth(week as u32 + 1, month), 4))
    }

    fn today(&self) -> Read<Spoken> {
        Some(match self.text(0) {
            "today" | "todays" => (Spoken::FromToday(0), 1),
            "yesterday" | "yesterdays" => (Spoken::FromToday(-1), 1),
            "tomorrow" | "tomorrows" => (Spoken::FromToday(1), 1),
            "ytd" => (Spoken::Around(Grain::Year, 0), 1),
            "mtd" => (Spoken::Around(Grain::Month, 0), 1),
            "year" | "month" if self.is(1, &["to"]) && self.is(2, &["date"]) => (Spoken::Around(self.grain(0)?, 0), 3),
            "so" if self.is(1, &["far"]) && self.is(2, &["this"]) => (Spoken::Around(self.grain(3)?, 0), 4),
            "all" if self.is(1, &["of"]) => {
                return Words(self.0.get(2..)?).in_month(true).map(|(spoken, took)| (spoken, took + 2));
            }
            _ => return None,
        })
    }

    /// "last month", "the last 7 days", "this week", "next quarter", "3 weeks ago".
    fn unit(&self) -> Read<Spoken> {
        let back = match self.text(0) {
            "last" | "past" | "previous" | "preceding" | "prior" => -1,
            "this" | "current" => 0,
            "next" | "coming" | "following" => 1,
            _ => {
                let count = self.number(0)?;
                let grain = self.grain(1)?;
                let ago = self.is(2, &["ago"]).then(|| i32::try_from(count).ok()).flatten()?;
                return Some((Spoken::Around(grain, -ago), 3));
            }
        };
        if let Some(grain) = self.grain(1) {
            return Some((Spoken::Around(grain, back), 2));
        }
        let (count, grain) = (self.number(1)?, self.grain(2)?);
        (back == -1 && count > 0).then_some((Spoken::Last(count, grain), 3))
    }

    /// "February", "Feb 14", "14 February 2001", "February 14th, 2001", "March 2001".
    fn in_month(&self, introduced: bool) -> Read<Spoken> {
        if let Some(month) = self.month(0) {
            let is_year = |at: usize| self.year(at).is_some() || self.number(at).is_some_and(|year| (32..100).contains(&year));
            if let Some(day) = self.number(1).filter(|day| (1..=31).contains(day) && !is_year(1)) {
                let mut took = 2 + usize::from(self.is(2, &["st", "nd", "rd", "th"]));
                took += usize::from(self.is(took, &[","]) && self.year(took + 1).is_some());
                // Up to 12 people mean days: nobody has rows of so long ago.
                if took == 2 && day > 12 && self.text(1).len() == 2 && self.year(took).is_none() {
                    return Some((Spoken::MonthOrDay(month, day), took));
                }
                return Some(self.with_year(day, month, took));
            }
            let of = usize::from(self.is(1, &["of", ","]));
            if let Some(year) = self.year_behind(1 + of).filter(|_| of == 0 || self.year(1 + of).is_some()) {
                return Some((Spoken::Month(month, Some(year)), 2 + of));
            }
            // "may" alone is a verb; "may and june" are months.
            let beside = self.is(1, &["and", "or", "vs", "versus", "to", "through"]) && self.month(2).is_some();
            return (introduced || beside || self.text(0) != "may" || self.0[0].is_name)
                .then_some((Spoken::Month(month, None), 1));
        }
        let day = self.number(0).filter(|day| (1..=31).contains(day) && matches!(self.0[0].kind, TokenKind::Number(_)))?;
        let mut took = 1 + usize::from(self.is(1, &["st", "nd", "rd", "th"]));
        took += usize::from(self.is(took, &["of"]));
        let month = self.month(took)?;
        Some(self.with_year(day, month, took + 1))
    }

    fn with_year(&self, day: u32, month: u32, took: usize) -> (Spoken, usize) {
        let dated = self.year(took).and_then(|year| chrono::NaiveDate::from_ymd_opt(year, month, day));
        match dated {
            Some(date) => (Spoken::Day(date), took + 1),
            None => (Spoken::DayOfMonth(day, month), took),
        }
    }

    /// "Q1", "the second quarter of 2001", "first half".
    fn quarter(&self) -> Read<Spoken> {
        let named = |text: &str| {
            let place = ["q1", "q2", "q3", "q4"].iter().position(|name| *name == text)?;
            Some(place as u32 + 1)
        };
        let year = |took: usize| {
            let of = usize::from(self.is(took, &["of", "in"]));
            self.year_behind(took + of).map_or((None, took), |year| (Some(year), took + of + 1))
        };
        if let Some(quarter) = named(self.text(0)) {
            let (year, took) = year(1);
            return Some((Spoken::Quarter(quarter, year), took));
        }
        if self.is(0, &["quarter"])
            && let Some(quarter) = self.number(1).filter(|quarter| (1..=4).contains(quarter))
        {
            let (year, took) = year(2);
            return Some((Spoken::Quarter(quarter, year), took));
        }
        let ordinal = ["first", "second", "third", "fourth"].iter().position(|name| *name == self.text(0))? as u32 + 1;
        let (year, took) = year(2);
        match self.text(1) {
            "quarter" => Some((Spoken::Quarter(ordinal, year), took)),
            "half" if ordinal < 3 => Some((Spoken::Half(ordinal, year), took)),
            _ => None,
        }
    }

    /// "before 8 am", "after 18 h", "between 6 and 9 am", "in the morning".
    pub(crate) fn hours(&self) -> Read<HoursOfDay> {
        let named = usize::from(self.is(0, &["in"])) + usize::from(self.is(1, &["the"]));
        let part = match self.text(named) {
            "morning" if named == 2 => Some((5, 12)),
            "afternoon" if named == 2 => Some((12, 18)),
            "evening" if named == 2 => Some((18, 22)),
            _ => None,
        };
        if let Some((from, to)) = part {
            return Some((HoursOfDay { from, to }, named + 1));
        }
        let (at, hour, more) = match self.text(0) {
            "before" | "until" | "after" | "since" | "at" | "from" => {
                self.hour(1).map(|(hour, took)| (self.text(0), hour, took))?
            }
            "between" => {
                let first = self.number(1).filter(|hour| *hour < 24)?;
                let first_took = 1 + usize::from(self.is(2, &["am", "pm"]));
                let first = u8::try_from(first).ok()? + if self.is(2, &["pm"]) { 12 } else { 0 };
                let (second, took) = self.is(1 + first_took, &["and"]).then(|| self.hour(2 + first_took)).flatten()?;
                return (first < second).then_some((HoursOfDay { from: first, to: second }, 2 + first_took + took));
            }
            _ => return None,
        };
        let hours = match at {
            "before" | "until" => HoursOfDay { from: 0, to: hour },
            "at" => HoursOfDay { from: hour, to: hour + 1 },
            _ => HoursOfDay { from: hour, to: 24 },
        };
        (hours.from < hours.to).then_some((hours, 1 + more))
    }

    /// An hour with "am", "pm", "h" or minutes.
    fn hour(&self, at: usize) -> Read<u8> {
        if self.is(at, &["noon", "midday"]) {
            return Some((12, 1));
        }
        let hour = u8::try_from(self.number(at).filter(|hour| *hour <= 24)?).ok()?;
        match self.text(at + 1) {
            "am" if hour <= 12 => Some((hour % 12, 2)),
            "pm" if hour <= 12 => Some((hour % 12 + 12, 2)),
            "h" => Some((hour, 2)),
            "o" | "oclock" => Some((hour, 2)),
            _ => None,
        }
    }
}

/// Numbers as words.
pub(crate) fn small_number(word: &str) -> Option<u32> {
    const NAMES: [&str; 13] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let tens =
        [("fifteen", 15), ("twenty", 20), ("thirty", 30), ("forty", 40), ("fifty", 50), ("hundred", 100), ("thousand", 1000)];
    let small = NAMES.iter().position(|name| *name == word).map(|place| place as u32);
    small.or_else(|| tens.iter().find(|(name, _)| *name == word).map(|(_, value)| *value))
}

#[cfg(test)]
mod tests {
    use super::{super::tokens::tokens, *};

    fn period(text: &str) -> Option<(Spoken, usize)> {
        Words(&tokens(text)).period()
    }

    #[test]
    fn periods_are_read_with_their_prepositions() {
        let month = |month| Box::new(Spoken::Month(month, None));
        for (text, spoken) in [
            ("in march", Spoken::Month(3, None)),
            ("March 2001", Spoken::Month(3, Some(2001))),
            ("last month", Spoken::Around(Grain::Month, -1)),
            ("in the last 7 days", Spoken::Last(7, Grain::Day)),
            ("past two weeks", Spoken::Last(2, Grain::Week)),
            ("this week", Spoken::Around(Grain::Week, 0)),
            ("3 months ago", Spoken::Around(Grain::Month, -3)),
            ("so far this year", Spoken::Around(Grain::Year, 0)),
            ("Q1", Spoken::Quarter(1, None)),
            ("in the second quarter of 2001", Spoken::Quarter(2, Some(2001))),
            ("on 14 February 2001", Spoken::Day("2001-02-14".parse().unwrap())),
            ("February 14th, 2001", Spoken::Day("2001-02-14".parse().unwrap())),
            ("Feb 14", Spoken::MonthOrDay(2, 14)),
            ("in 2001", Spoken::Year(2001)),
            ("from January to March", Spoken::Range(month(1), month(3))),
            ("between January and March", Spoken::Range(month(1), month(3))),
            ("since March", Spoken::Since(month(3))),
            ("before March", Spoken::Before(month(3))),
            ("in the first week of June", Spoken::WeekOfMonth(1, 6)),
            ("yesterday", Spoken::FromToday(-1)),
            ("febuary", Spoken::Month(2, None)),
        ] {
            assert_eq!(period(text).map(|found| found.0), Some(spoken), "{text}");
        }
        for text in ["2001", "from ATL", "top 5", "march5x", "the flights", "7 days"] {
            assert_eq!(period(text), None, "{text}");
        }
    }

    #[test]
    fn times_of_day_are_hours() {
        let hours = |text: &str| Words(&tokens(text)).hours().map(|(hours, _)| (hours.from, hours.to));
        assert_eq!(hours("before 8 am"), Some((0, 8)));
        assert_eq!(hours("after 6pm"), Some((18, 24)));
        assert_eq!(hours("between 6 and 9 am"), Some((6, 9)));
        assert_eq!(hours("in the morning"), Some((5, 12)));
        assert_eq!(hours("before 8"), None);
    }
}
