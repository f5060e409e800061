//! Sorting a table by a click on its header. Pure.

use crate::browser::language::lower_case;
use serde_json::Value;
use std::cmp::Ordering;

/// The order and the page of a table, for when it is drawn again with newer rows.
pub type TablePlace = (Option<Sorting>, usize);

/// By which column a table is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sorting {
    /// The column's position.
    pub column: usize,
    /// Highest first.
    pub descending: bool,
}

impl Sorting {
    /// The sorting after a click on a header: one direction, then the other, then the original order. Numbers begin with the highest,
    /// which people look for.
    #[must_use]
    pub fn clicked(current: Option<Self>, column: usize, is_number: bool) -> Option<Self> {
        match current {
            Some(sorting) if sorting.column == column && sorting.descending == is_number => {
                Some(Self { column, descending: !is_number })
            }
            Some(sorting) if sorting.column == column => None,
            _ => Some(Self { column, descending: is_number }),
        }
    }

    /// The value of `aria-sort` for a column.
    #[must_use]
    pub fn aria(current: Option<Self>, column: usize) -> &'static str {
        match current {
            Some(sorting) if sorting.column == column && sorting.descending => "descending",
            Some(sorting) if sorting.column == column => "ascending",
            _ => "none",
        }
    }
}

/// The order of the rows: their positions. Rows that are equal keep their order; nulls come last either way.
#[must_use]
pub fn order(rows: &[Vec<Value>], sorting: Option<Sorting>) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..rows.len()).collect();
    if let Some(Sorting { column, descending }) = sorting {
        let value = |position: usize| rows[position].get(column).unwrap_or(&Value::Null);
        let lower: Vec<String> =
            (0..rows.len()).map(|position| value(position).as_str().map_or_else(String::new, lower_case)).collect();
        positions.sort_by(|a, b| compare((value(*a), &lower[*a]), (value(*b), &lower[*b]), descending));
    }
    positions
}

/// The order of two values, each with its text in lower case.
fn compare((a, lower_a): (&Value, &str), (b, lower_b): (&Value, &str), descending: bool) -> Ordering {
    let ascending = match (a, b) {
        (Value::Null, Value::Null) => return Ordering::Equal,
        (Value::Null, _) => return Ordering::Greater,
        (_, Value::Null) => return Ordering::Less,
        (Value::Number(a), Value::Number(b)) => {
            let number = |n: &serde_json::Number| n.as_f64().unwrap_or(f64::NAN);
            number(a).total_cmp(&number(b))
        }
        (Value::String(a), Value::String(b)) => lower_a.cmp(lower_b).then_with(|| a.cmp(b)),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (a, b) => a.to_string().cmp(&b.to_string()),
    };
    if descending { ascending.reverse() } else { ascending }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sorted(values: Vec<Value>, descending: bool) -> Vec<usize> {
        let rows: Vec<_> = values.into_iter().map(|value| vec![value]).collect();
        order(&rows, Some(Sorting { column: 0, descending }))
    }

    #[test]
    fn numbers_sort_by_size_and_nulls_stay_last() {
        assert_eq!(sorted(vec![json!(10), json!(null), json!(9.5), json!(-1)], false), [3, 2, 0, 1]);
        assert_eq!(sorted(vec![json!(10), json!(null), json!(9.5), json!(-1)], true), [0, 2, 3, 1]);
    }

    #[test]
    fn text_sorts_without_regard_to_case_and_equal_rows_keep_their_order() {
        assert_eq!(sorted(vec![json!("b"), json!("A"), json!("b")], false), [1, 0, 2]);
        assert_eq!(sorted(vec![json!("b"), json!("A"), json!("b")], true), [0, 2, 1]);
    }

    #[test]
    fn clicks_cycle_through_the_three_orders() {
        for (is_number, orders) in [(false, ["ascending", "descending"]), (true, ["descending", "ascending"])] {
            let first = Sorting::clicked(None, 2, is_number);
            let second = Sorting::clicked(first, 2, is_number);
            assert_eq!([first, second].map(|sorting| Sorting::aria(sorting, 2)), orders);
            assert_eq!(Sorting::clicked(second, 2, is_number), None);
            assert_eq!(Sorting::aria(Sorting::clicked(second, 1, is_number), 1), orders[0]);
        }
    }

    #[test]
    fn a_column_that_rows_lack_sorts_nothing() {
        assert_eq!(order(&[vec![json!(2)], vec![json!(1)]], Some(Sorting { column: 5, descending: true })), [0, 1]);
    }
}
