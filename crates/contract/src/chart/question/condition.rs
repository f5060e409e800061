//! Which rows a question counts.

use crate::filter::FilterValue;
use serde::{Deserialize, Serialize};

/// Which rows count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct QuestionCondition {
    /// The column.
    pub column: String,
    /// The key that leads to the column's table; none for the question's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// What it must be: a value, a list of values, a range, a relative period, or one of the forms of [`Wanted`].
    #[cfg_attr(feature = "openapi", schema(value_type = serde_json::Value))]
    pub value: Wanted,
}

/// What a column's value must be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Wanted {
    /// What a filter keeps.
    Filter(FilterValue),
    /// None of these values. Rows without a value count.
    Not {
        /// The values.
        not: FilterValue,
    },
    /// What one of these filters keeps.
    Either {
        /// The filters.
        either: Vec<FilterValue>,
    },
    /// A number beside another.
    Compared {
        /// How the value stands to `than`.
        comparison: Comparison,
        /// The other number.
        than: f64,
    },
    /// A moment on these days of the week.
    Weekdays {
        /// 0 is Monday.
        weekdays: Vec<u8>,
        /// On the other days instead.
        #[serde(default)]
        negated: bool,
    },
    /// A moment in these hours of the day.
    Hours {
        /// The first hour, 0 to 23.
        from_hour: u8,
        /// The hour after the last, 1 to 24.
        to_hour: u8,
    },
    /// A text, whatever the case of its letters.
    Words {
        /// The whole text, in lower case.
        words: Vec<String>,
        /// How it begins, in lower case: letters and digits alone.
        #[serde(default)]
        beginnings: Vec<String>,
    },
}

/// How a value compares with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Comparison {
    #[serde(rename = "<")]
    Below,
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = "=")]
    Equal,
    #[serde(rename = "<>")]
    NotEqual,
    #[serde(rename = ">=")]
    AtLeast,
    #[serde(rename = ">")]
    Above,
}

impl QuestionCondition {
    /// A condition on a column of the question's own table.
    #[must_use]
    pub const fn of(column: String, value: FilterValue) -> Self {
        Self { column, via: None, value: Wanted::Filter(value) }
    }

    /// The filter that does the same to the question's own table, with its value as a bound parameter.
    #[must_use]
    pub const fn filter(&self) -> Option<&FilterValue> {
        match (&self.value, &self.via) {
            (Wanted::Filter(value), None) => Some(value),
            _ => None,
        }
    }
}

impl Comparison {
    /// All.
    pub const ALL: [Self; 6] = [Self::Below, Self::AtMost, Self::Equal, Self::NotEqual, Self::AtLeast, Self::Above];

    /// Its sign, the same in JSON and in SQL.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Below => "<",
            Self::AtMost => "<=",
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::AtLeast => ">=",
            Self::Above => ">",
        }
    }

    /// As a sentence says it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Below => "below",
            Self::AtMost => "at most",
            Self::Equal => "exactly",
            Self::NotEqual => "other than",
            Self::AtLeast => "at least",
            Self::Above => "over",
        }
    }

    /// The same seen from below: "more than 10 minutes early" is a delay below -10.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Below => Self::Above,
            Self::AtMost => Self::AtLeast,
            Self::AtLeast => Self::AtMost,
            Self::Above => Self::Below,
            same => same,
        }
    }

    /// Whether it asks for small values.
    #[must_use]
    pub const fn is_upper_bound(self) -> bool {
        matches!(self, Self::Below | Self::AtMost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(value: Value) -> Option<QuestionCondition> {
        serde_json::from_value(json!({"column": "c", "value": value})).ok()
    }

    #[test]
    fn each_form_is_read_back_as_it_is_written() {
        for value in [
            json!("a"),
            json!([1, 2]),
            json!({"from": "2024-01-01", "to": "2024-02-01"}),
            json!({"relative": "last_7_days"}),
            json!({"not": ["a", "b"]}),
            json!({"either": [{"from": 1, "to": 2}, {"from": 5}]}),
            json!({"comparison": "<>", "than": 1.5}),
            json!({"weekdays": [5, 6], "negated": true}),
            json!({"fromHour": 8, "toHour": 12}),
            json!({"words": ["new york"], "beginnings": ["new"]}),
        ] {
            let condition = read(value.clone()).unwrap_or_else(|| panic!("{value} is a condition"));
            assert_eq!(serde_json::to_value(&condition).expect("JSON"), json!({"column": "c", "value": value}));
        }
    }

    #[test]
    fn other_forms_are_no_condition() {
        for value in
            [json!(null), json!({"not": null}), json!({"weekdays": [1], "hours": [2]}), json!({"comparison": "~", "than": 1})]
        {
            assert_eq!(read(value.clone()), None, "{value}");
        }
    }

    #[test]
    fn a_filter_is_of_the_questions_own_table() {
        let own = read(json!("a")).expect("a condition");
        assert!(own.filter().is_some());
        assert_eq!(QuestionCondition { via: Some("key".to_owned()), ..own }.filter(), None);
        assert_eq!(read(json!({"not": "a"})).expect("a condition").filter(), None);
    }
}
