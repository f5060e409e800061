//! Filters: their values on the wire, relative periods, and the filters of a dashboard (docs/spec/contract.md, sections 6, 8
//! and 10).

use chrono::{Datelike, Days, Months, NaiveDate};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value, json};
use std::{fmt, str::FromStr};

/// The prefix of a dashboard filter's parameter: `filter_<key>`.
pub const CONTROLLED: &str = "filter_";
/// The prefix of a column filter's parameter (omnibar): `f_<connection>.<table>.<column>`.
pub const OMNIBAR: &str = "f_";

/// Whether a parameter is a filter: `filter_…` or `f_…`.
#[must_use]
pub fn is_parameter(name: &str) -> bool {
    name.starts_with(CONTROLLED) || name.starts_with(OMNIBAR)
}

/// A single value.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// Text. Dates are text, too.
    Text(String),
    /// A number.
    Number(serde_json::Number),
    /// True or false.
    Boolean(bool),
}

impl Scalar {
    /// Its JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Text(text) => Value::String(text.clone()),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Boolean(on) => Value::Bool(*on),
        }
    }

    fn from_json(value: Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text)),
            Value::Number(number) => Some(Self::Number(number)),
            Value::Bool(on) => Some(Self::Boolean(on)),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

/// A filter's value.
#[derive(Clone, Debug, PartialEq)]
pub enum FilterValue {
    /// Any of these values. A scalar is a list of one. An empty list matches nothing.
    AnyOf(Vec<Scalar>),
    /// A range. At least one end is given.
    Range {
        /// The lower end, inclusive.
        from: Option<Scalar>,
        /// The upper end, exclusive.
        to: Option<Scalar>,
    },
    /// A period relative to today.
    Relative(Period),
}

/// A value that is not a valid filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a filter is a value, a list of values, {{\"from\",\"to\"}} or {{\"relative\":\"last_7_days\"}}")]
pub struct InvalidFilter;

impl FilterValue {
    /// Whether there is anything to compare with: a value of the list, or an end of the range. In an editor, a condition without one is
    /// not finished.
    #[must_use]
    pub const fn has_value(&self) -> bool {
        match self {
            Self::AnyOf(values) => !values.is_empty(),
            Self::Range { from, to } => from.is_some() || to.is_some(),
            Self::Relative(_) => true,
        }
    }

    /// Parses the JSON of a filter's value.
    pub fn from_json(value: Value) -> Result<Self, InvalidFilter> {
        match value {
            Value::Array(values) => {
                values.into_iter().map(Scalar::from_json).collect::<Option<_>>().map(Self::AnyOf).ok_or(InvalidFilter)
            }
            Value::Object(fields) => Self::from_object(fields),
            scalar => Scalar::from_json(scalar).map(|one| Self::AnyOf(vec![one])).ok_or(InvalidFilter),
        }
    }

    /// Parses a parameter's value. `filter_<key>` takes JSON; `f_<connection>.<table>.<column>` takes JSON or a bare string.
    /// `None` if the name is not a filter's or the value is not valid.
    #[must_use]
    pub fn from_parameter(name: &str, text: &str) -> Option<Self> {
        if !is_parameter(name) {
            return None;
        }
        match serde_json::from_slice(text.as_bytes()) {
            Ok(json) => Self::from_json(json).ok(),
            Err(_) if name.starts_with(OMNIBAR) => Some(Self::AnyOf(vec![Scalar::Text(text.to_owned())])),
            Err(_) => None,
        }
    }

    fn from_object(mut fields: Map<String, Value>) -> Result<Self, InvalidFilter> {
        if let Some(period) = fields.remove("relative") {
            let period = period.as_str().and_then(|text| text.parse().ok());
            return period.filter(|_| fields.is_empty()).map(Self::Relative).ok_or(InvalidFilter);
        }
        let mut end = |name: &str| match fields.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => Scalar::from_json(value).map(Some).ok_or(InvalidFilter),
        };
        let (from, to) = (end("from")?, end("to")?);
        if !fields.is_empty() || (from.is_none() && to.is_none()) {
            return Err(InvalidFilter);
        }
        Ok(Self::Range { from, to })
    }

    /// Its JSON. A single scalar is written without a list.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::AnyOf(values) if values.len() == 1 => values[0].to_json(),
            Self::AnyOf(values) => values.iter().map(Scalar::to_json).collect(),
            Self::Range { from, to } => {
                let end = |name: &str, end: &Option<Scalar>| end.as_ref().map(|end| (name.to_owned(), end.to_json()));
                Value::Object([end("from", from), end("to", to)].into_iter().flatten().collect())
            }
            Self::Relative(period) => json!({ "relative": period.to_string() }),
        }
    }
}

impl Serialize for FilterValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FilterValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_json(Value::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// A calendar unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Monday to Sunday.
    Week,
    /// A calendar month.
    Month,
    /// A calendar quarter.
    Quarter,
    /// A calendar year.
    Year,
}

/// A period relative to today.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Period {
    /// `today`
    Today,
    /// `yesterday`
    Yesterday,
    /// `last_N_days`: today and the N−1 days before.
    LastDays(u32),
    /// `last_N_weeks`: the N × 7 days up to today.
    LastWeeks(u32),
    /// `last_N_months`: from the day after the same day N months ago to today.
    LastMonths(u32),
    /// `this_week`, …: the whole unit that contains today.
    This(Unit),
    /// `previous_week`, …: the whole unit before the current one.
    Previous(Unit),
}

/// The highest N of `last_N_…`.
const MOST: u32 = 1200;

impl Period {
    /// The days of the period: its first day, and the first day after it.
    #[must_use]
    pub fn days(self, today: NaiveDate) -> (NaiveDate, NaiveDate) {
        let tomorrow = today + Days::new(1);
        match self {
            Self::Today => (today, tomorrow),
            Self::Yesterday => (today - Days::new(1), today),
            Self::LastDays(count) => (tomorrow - Days::new(count.into()), tomorrow),
            Self::LastWeeks(count) => (tomorrow - Days::new(7 * u64::from(count)), tomorrow),
            Self::LastMonths(count) => (tomorrow - Months::new(count), tomorrow),
            Self::This(unit) => {
                let first = unit.first_day(today);
                (first, unit.next(first))
            }
            Self::Previous(unit) => {
                let end = unit.first_day(today);
                (unit.first_day(end - Days::new(1)), end)
            }
        }
    }
}

impl Unit {
    const ALL: [Self; 4] = [Self::Week, Self::Month, Self::Quarter, Self::Year];

    const fn name(self) -> &'static str {
        match self {
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }

    fn first_day(self, day: NaiveDate) -> NaiveDate {
        let back = match self {
            Self::Week => return day - Days::new(day.weekday().num_days_from_monday().into()),
            Self::Month => 0,
            Self::Quarter => day.month0() % 3,
            Self::Year => day.month0(),
        };
        let first_of_month = day - Days::new(day.day0().into());
        first_of_month - Months::new(back)
    }

    fn next(self, first: NaiveDate) -> NaiveDate {
        match self {
            Self::Week => first + Days::new(7),
            Self::Month => first + Months::new(1),
            Self::Quarter => first + Months::new(3),
            Self::Year => first + Months::new(12),
        }
    }
}

impl FromStr for Period {
    type Err = InvalidFilter;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unit = |name: &str| Unit::ALL.into_iter().find(|unit| unit.name() == name);
        let period = match text {
            "today" => Some(Self::Today),
            "yesterday" => Some(Self::Yesterday),
            _ => match text.split_once('_') {
                Some(("this", name)) => unit(name).map(Self::This),
                Some(("previous", name)) => unit(name).map(Self::Previous),
                Some(("last", rest)) => rest.split_once('_').and_then(|(count, name)| {
                    let count = count.parse().ok().filter(|count| (1..=MOST).contains(count))?;
                    match name {
                        "days" => Some(Self::LastDays(count)),
                        "weeks" => Some(Self::LastWeeks(count)),
                        "months" => Some(Self::LastMonths(count)),
                        _ => None,
                    }
                }),
                _ => None,
            },
        };
        period.ok_or(InvalidFilter)
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Today => f.write_str("today"),
            Self::Yesterday => f.write_str("yesterday"),
            Self::LastDays(count) => write!(f, "last_{count}_days"),
            Self::LastWeeks(count) => write!(f, "last_{count}_weeks"),
            Self::LastMonths(count) => write!(f, "last_{count}_months"),
            Self::This(unit) => write!(f, "this_{}", unit.name()),
            Self::Previous(unit) => write!(f, "previous_{}", unit.name()),
        }
    }
}

/// The control of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Control {
    /// A combobox of the column's values. Several can be chosen.
    Select,
    /// Two date inputs and a select of relative periods.
    DateRange,
    /// Two number inputs.
    NumberRange,
    /// A text input: matches rows whose column equals it.
    Text,
}

/// Whether a filter's column path is `<connection>.time`: the default time of the table of each measure.
#[must_use]
pub fn is_default_time(path: &str, connection: &str) -> bool {
    path.strip_prefix(connection) == Some(".time")
}

/// A filter of a dashboard, as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FilterDefinition {
    /// Its key, unique on the dashboard. Its parameter is `filter_<key>`.
    pub key: String,
    /// Its label.
    pub label: String,
    /// `<connection>.<table>.<column>`, or `<connection>.time` for the default time of each measure's table.
    pub column: String,
    /// Its control.
    pub control: Control,
    /// Its value if the address sets none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<FilterValue>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(json: Value) -> Result<FilterValue, InvalidFilter> {
        FilterValue::from_json(json)
    }

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    #[test]
    fn bare_text_is_a_value_of_columns_alone() {
        let read = |name: &str, text: &str| FilterValue::from_parameter(name, text).map(|value| value.to_json());
        assert_eq!(read("f_a.b.c", "LAX"), Some(json!("LAX")));
        assert_eq!(read("filter_x", "\"LAX\""), Some(json!("LAX")));
        assert_eq!((read("filter_x", "LAX"), read("f_a.b.c", "{}"), read("other", "1")), (None, None, None));
    }

    #[test]
    fn each_form_is_read_and_written_back() {
        for json in [
            json!("ATL"),
            json!(5),
            json!(true),
            json!(["ATL", "LAX"]),
            json!([]),
            json!({"from": "2001-01-01"}),
            json!({"from": 1, "to": 2}),
            json!({"to": "x"}),
            json!({"relative": "last_7_days"}),
        ] {
            assert_eq!(value(json.clone()).map(|value| value.to_json()), Ok(json));
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for json in [
            json!(null),
            json!([null]),
            json!([["x"]]),
            json!({}),
            json!({"from": null}),
            json!({"from": {}}),
            json!({"since": 1}),
            json!({"from": 1, "x": 2}),
            json!({"relative": "last_0_days"}),
            json!({"relative": "last_week"}),
            json!({"relative": "next_7_days"}),
            json!({"relative": 7}),
            json!({"relative": "today", "from": 1}),
        ] {
            assert_eq!(value(json.clone()), Err(InvalidFilter), "{json}");
        }
    }

    #[test]
    fn periods_hold_the_days_that_the_contract_names() {
        // A Wednesday.
        let today = day("2024-02-28");
        for (text, first, end) in [
            ("today", "2024-02-28", "2024-02-29"),
            ("yesterday", "2024-02-27", "2024-02-28"),
            ("last_7_days", "2024-02-22", "2024-02-29"),
            ("last_2_weeks", "2024-02-15", "2024-02-29"),
            ("last_3_months", "2023-11-29", "2024-02-29"),
            ("this_week", "2024-02-26", "2024-03-04"),
            ("this_month", "2024-02-01", "2024-03-01"),
            ("this_quarter", "2024-01-01", "2024-04-01"),
            ("this_year", "2024-01-01", "2025-01-01"),
            ("previous_week", "2024-02-19", "2024-02-26"),
            ("previous_month", "2024-01-01", "2024-02-01"),
            ("previous_quarter", "2023-10-01", "2024-01-01"),
            ("previous_year", "2023-01-01", "2024-01-01"),
        ] {
            let period: Period = text.parse().expect(text);
            assert_eq!(period.days(today), (day(first), day(end)), "{text}");
            assert_eq!(period.to_string(), text);
        }
    }
}
