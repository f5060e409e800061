//! The context of a chart: its definition, rows and theme, with the functions that read cells. All chart families use it.

use super::{
    definition::ChartDefinition,
    options::{ChartOptions, Missing},
    problem::ChartProblem,
};
use crate::{
    calendar::{self, Grain},
    data::{ChartData, ColumnType},
    format::{MISSING, NumberFormat, locale::Locale},
    theme::ChartTheme,
};
use serde_json::Value;
use std::cmp::Ordering;

/// Names from data are cut to this many characters. Tooltips show them so; labels are cut further, to their room.
const LONGEST_NAME: usize = 240;

/// The context of a chart.
pub(super) struct Frame<'a> {
    pub(super) definition: &'a ChartDefinition,
    pub(super) data: &'a ChartData,
    pub(super) options: ChartOptions,
    pub(super) theme: &'a ChartTheme,
    pub(super) locale: Locale,
}

/// A column of an encoding's part.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnRef<'a> {
    pub(super) part: &'static str,
    pub(super) name: &'a str,
    pub(super) kind: ColumnType,
    index: usize,
}

impl<'a> Frame<'a> {
    /// The column of an optional part.
    pub(super) fn optional(&self, part: &'static str, name: Option<&'a str>) -> Result<Option<ColumnRef<'a>>, ChartProblem> {
        let Some(name) = name else { return Ok(None) };
        let index = self.data.position(name).ok_or_else(|| ChartProblem::MissingColumn { part, column: name.to_owned() })?;
        Ok(Some(ColumnRef { part, name, kind: self.data.columns[index].kind, index }))
    }

    /// The column of a required part.
    pub(super) fn column(&self, part: &'static str, name: Option<&'a str>) -> Result<ColumnRef<'a>, ChartProblem> {
        self.optional(part, name)?.ok_or(ChartProblem::MissingPart(part))
    }

    /// The columns of a part that takes several.
    pub(super) fn columns(&self, part: &'static str, names: &'a [String]) -> Result<Vec<ColumnRef<'a>>, ChartProblem> {
        if names.is_empty() {
            return Err(ChartProblem::MissingPart(part));
        }
        names.iter().map(|name| self.column(part, Some(name))).collect()
    }

    /// The cells of a column, one per row. A row that is too short has null.
    pub(super) fn cells(&self, column: ColumnRef<'_>) -> impl Iterator<Item = &'a Value> + use<'a> {
        let index = column.index;
        self.data.rows.iter().map(move |row| row.get(index).unwrap_or(&Value::Null))
    }

    /// A column's texts.
    pub(super) fn texts(&self, column: ColumnRef<'_>) -> Vec<String> {
        self.cells(column).map(text).collect()
    }

    /// The numbers of a column. An error if it has values but no numbers.
    pub(super) fn numbers(&self, column: ColumnRef<'_>) -> Result<Vec<Option<f64>>, ChartProblem> {
        let numbers: Vec<Option<f64>> = self.cells(column).map(number).collect();
        if numbers.iter().all(Option::is_none) && self.cells(column).any(|cell| !cell.is_null()) {
            return Err(ChartProblem::NotNumeric { part: column.part, column: column.name.to_owned() });
        }
        Ok(numbers)
    }

    /// The moments of a column, if all its values are dates.
    pub(super) fn moments(&self, column: ColumnRef<'_>) -> Option<Vec<Option<i64>>> {
        if matches!(column.kind, ColumnType::Number | ColumnType::Boolean | ColumnType::Json) {
            return None;
        }
        let moments: Option<Vec<Option<i64>>> =
            self.cells(column).map(|cell| if cell.is_null() { Some(None) } else { moment(cell).map(Some) }).collect();
        moments.filter(|moments| moments.iter().any(Option::is_some))
    }

    /// How periods without rows are shown. An answer that was cut does not tell which have none.
    pub(super) fn missing(&self) -> Option<&Missing> {
        self.options.missing.as_ref().filter(|_| !self.data.truncated)
    }

    /// Whether what is beyond a limit is combined into one category or series. An answer that was cut does not tell how much that is.
    pub(super) fn shows_the_rest(&self) -> bool {
        self.options.others != Some(false) && !self.data.truncated
    }

    /// The label of a column.
    pub(super) fn title(&self, column: &str) -> String {
        self.options.labels.get(column).map_or_else(|| humane(column), |label| clean(label))
    }

    /// The number format of a column.
    pub(super) fn format(&self, column: &str) -> NumberFormat {
        self.options.formats.get(column).unwrap_or(&self.options.format).clone()
    }
}

/// The grain of moments, which may be in any order.
pub(super) fn grain(moments: impl Iterator<Item = i64>) -> Grain {
    let mut moments: Vec<i64> = moments.collect();
    moments.sort_unstable();
    moments.dedup();
    Grain::of(&moments)
}

/// A cell as a moment.
pub(super) fn moment(cell: &Value) -> Option<i64> {
    cell.as_str().and_then(calendar::parse)
}

/// A cell as a number. Decimals may be text, which keeps their digits.
pub(super) fn number(cell: &Value) -> Option<f64> {
    match cell {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
    .filter(|number| number.is_finite())
}

/// A cell as a name.
pub(super) fn text(cell: &Value) -> String {
    match cell {
        Value::Null => MISSING.to_owned(),
        Value::Bool(value) => if *value { "Yes" } else { "No" }.to_owned(),
        Value::String(text) if text.trim().is_empty() => MISSING.to_owned(),
        Value::String(text) => clean(text),
        other => clean(&other.to_string()),
    }
}

/// Reduces text to one line without control characters, cut to a displayable length.
pub(super) fn clean(text: &str) -> String {
    cut(text, LONGEST_NAME)
}

/// Reduces text to one line without control characters, cut to this many characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    let mut line: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(most).collect();
    if text.chars().nth(most).is_some() {
        line.push('…');
    }
    line
}

/// `average_delay` → `Average delay`.
fn humane(column: &str) -> String {
    let words = clean(&column.replace('_', " "));
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The natural order of names: numbers by size, then other names by letters, with the numbers in them by size (`Terminal 2` before
/// `Terminal 10`).
pub(super) fn by_name(one: &str, two: &str) -> Ordering {
    let number = |name: &str| name.parse::<f64>().ok().filter(|number| number.is_finite());
    match (number(one), number(two)) {
        (Some(one), Some(two)) => one.total_cmp(&two),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => natural(&one.to_lowercase(), &two.to_lowercase()),
    }
    .then_with(|| one.cmp(two))
}

fn natural(mut one: &str, mut two: &str) -> Ordering {
    while let (Some(first), Some(second)) = (one.chars().next(), two.chars().next()) {
        let order = if first.is_ascii_digit() && second.is_ascii_digit() {
            let digits = |text: &str| text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
            let ((left, rest), (right, other)) = (one.split_at(digits(one)), two.split_at(digits(two)));
            (one, two) = (rest, other);
            let (left, right) = (left.trim_start_matches('0'), right.trim_start_matches('0'));
            left.len().cmp(&right.len()).then_with(|| left.cmp(right))
        } else {
            (one, two) = (&one[first.len_utf8()..], &two[second.len_utf8()..]);
            first.cmp(&second)
        };
        if order.is_ne() {
            return order;
        }
    }
    one.len().cmp(&two.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_in_names_are_ordered_by_size() {
        let mut names =
            ["Terminal 10", "terminal 2", "–", "Terminal 2b", "10", "9", "Terminal 02", "1e3", "Terminal", "20", "1f", "nan"];
        names.sort_by(|one, two| by_name(one, two));
        assert_eq!(
            names,
            ["9", "10", "20", "1e3", "1f", "nan", "Terminal", "Terminal 02", "terminal 2", "Terminal 2b", "Terminal 10", "–"]
        );
    }

    proptest! {
        #[test]
        fn the_order_of_names_is_total(names in proptest::collection::vec("[a-b0-9. é-]{0,5}", 3)) {
            let [one, two, three] = [&names[0], &names[1], &names[2]];
            prop_assert_eq!(by_name(one, two), by_name(two, one).reverse());
            prop_assert_eq!(by_name(one, two).is_eq(), one == two);
            if by_name(one, two).is_lt() && by_name(two, three).is_lt() {
                prop_assert!(by_name(one, three).is_lt());
            }
        }
    }
}
