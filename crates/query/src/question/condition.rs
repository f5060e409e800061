//! A question's conditions.

use super::{refused, select::Select};
use crate::error::QueryError;
use inlay_contract::{
    chart::question::{QuestionCondition, Wanted},
    filter::FilterValue,
};

impl Select<'_> {
    /// All conditions, none left out.
    pub(super) fn conditions(&mut self, conditions: &[QuestionCondition]) -> Result<Vec<String>, QueryError> {
        conditions.iter().map(|condition| self.condition(condition)).collect()
    }

    fn condition(&mut self, QuestionCondition { column, via, value }: &QuestionCondition) -> Result<String, QueryError> {
        let column = self.column(column, via.as_deref())?;
        match value {
            Wanted::Filter(value) => self.kept(&column, value),
            Wanted::Not { not } => self.left_out(&column, not),
            Wanted::Either { either } => {
                let each: Vec<String> = either.iter().map(|value| self.kept(&column, value)).collect::<Result<_, _>>()?;
                match each.len() {
                    0 => refused("a condition of a question names no value"),
                    1 => Ok(each.concat()),
                    _ => Ok(format!("({})", each.join(" or "))),
                }
            }
            Wanted::Compared { comparison, than } => {
                Ok(format!("{column} {} {}", comparison.sign(), self.spelling.number(*than)?))
            }
            Wanted::Weekdays { weekdays, negated } => {
                if weekdays.is_empty() {
                    return refused("a condition of a question names no day");
                }
                let days: Vec<String> = weekdays.iter().map(u8::to_string).collect();
                let not = if *negated { "not " } else { "" };
                Ok(format!("{} {not}in ({})", self.spelling.dialect.weekday(&column), days.join(", ")))
            }
            Wanted::Hours { from_hour, to_hour } => {
                let hour = self.spelling.dialect.hour(&column);
                Ok(format!("{hour} >= {from_hour} and {hour} < {to_hour}"))
            }
            Wanted::Words { words, beginnings } => self.words(&column, words, beginnings),
        }
    }

    /// What a filter keeps.
    fn kept(&self, column: &str, value: &FilterValue) -> Result<String, QueryError> {
        match value {
            FilterValue::AnyOf(_) => {
                let values = self.values(value)?;
                Ok(match values.as_slice() {
                    [value] => format!("{column} = {value}"),
                    values => format!("{column} in ({})", values.join(", ")),
                })
            }
            FilterValue::Range { from, to } => {
                let ends = from.iter().map(|end| (">=", end)).chain(to.iter().map(|end| ("<", end)));
                let ends: Vec<String> = ends
                    .map(|(sign, end)| Ok(format!("{column} {sign} {}", self.spelling.end(end)?)))
                    .collect::<Result<_, QueryError>>()?;
                if ends.is_empty() { refused("a range of a question has no end") } else { Ok(ends.join(" and ")) }
            }
            // It depends on the viewer's day, which is bound.
            FilterValue::Relative(_) => refused("a relative period is written for the question's own table alone"),
        }
    }

    /// What is none of a filter's values. Rows without a value are kept.
    fn left_out(&self, column: &str, value: &FilterValue) -> Result<String, QueryError> {
        let values = self.values(value)?;
        Ok(match values.as_slice() {
            [value] => format!("({column} <> {value} or {column} is null)"),
            values => format!("({column} not in ({}) or {column} is null)", values.join(", ")),
        })
    }

    fn values(&self, value: &FilterValue) -> Result<Vec<String>, QueryError> {
        match value {
            FilterValue::AnyOf(values) if !values.is_empty() => {
                values.iter().map(|value| self.spelling.literal(value)).collect()
            }
            _ => refused("a condition of a question names no value"),
        }
    }

    /// Texts and their beginnings; those that cannot be written are found in no row.
    fn words(&self, column: &str, words: &[String], beginnings: &[String]) -> Result<String, QueryError> {
        let words: Vec<String> = words.iter().filter_map(|text| self.spelling.text(text).ok()).collect();
        // `%` and `_` would mean something.
        let plain = beginnings.iter().filter(|text| text.chars().all(char::is_alphanumeric));
        let patterns = plain.filter_map(|text| self.spelling.text(&format!("{text}%")).ok());
        let mut ways: Vec<String> = patterns.map(|pattern| format!("lower({column}) like {pattern}")).collect();
        if !words.is_empty() {
            ways.insert(0, format!("lower({column}) in ({})", words.join(", ")));
        }
        if ways.is_empty() {
            refused("a condition of a question names no word")
        } else {
            Ok(format!("({})", ways.join(" or ")))
        }
    }
}
