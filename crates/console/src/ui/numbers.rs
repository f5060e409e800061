//! Number formats: thousands separators, a true minus sign, units.

use super::{html::Html, parts};

/// A whole number with thousands separators: `10,464`.
#[must_use]
pub fn grouped(number: u64) -> String {
    apart(&number.to_string())
}

/// A count in a table cell. Zero is muted.
#[must_use]
pub fn count(count: i64) -> Html {
    if count == 0 { parts::muted("0") } else { parts::text(whole(count)) }
}

/// The same for a `usize`.
#[must_use]
pub fn amount(number: usize) -> Html {
    count(i64::try_from(number).unwrap_or(i64::MAX))
}

/// A signed whole number.
#[must_use]
pub fn whole(number: i64) -> String {
    let sign = if number < 0 { "−" } else { "" };
    format!("{sign}{}", grouped(number.unsigned_abs()))
}

/// Inserts thousands separators.
fn apart(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number as the database wrote it: its sign, integer digits and decimals.
struct Written<'t> {
    negative: bool,
    digits: &'t str,
    fraction: &'t str,
}

impl Written<'_> {
    fn may_be_year(&self) -> bool {
        let year = self.digits.parse().is_ok_and(|year: u32| (1500..2200).contains(&year));
        year && self.fraction.is_empty() && !self.negative
    }
}

fn written(text: &str) -> Option<Written<'_>> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let (digits, fraction) = text.split_once('.').unwrap_or((text, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fraction = fraction.trim_end_matches('0');
    (!digits.is_empty() && all_digits(digits) && all_digits(fraction)).then_some(Written { negative, digits, fraction })
}

/// The format of a column of numbers, so that its digits align.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether thousands are separated.
    grouped: bool,
    /// The number of decimals.
    decimals: usize,
}

impl Style {
    /// The format for a column. Thousands are separated if the numbers are amounts, but not for ids and years.
    #[must_use]
    pub fn of<'t>(column: &str, cells: impl Iterator<Item = &'t str>) -> Self {
        const MOST_DECIMALS: usize = 4;
        let lower = column.to_lowercase();
        let names = lower == "id" || lower.ends_with("_id") || column.ends_with("Id") || column.ends_with("ID");
        let numbers: Vec<_> = cells.filter_map(written).collect();
        let years = numbers.iter().all(Written::may_be_year);
        let decimals = numbers.iter().map(|one| one.fraction.len()).max().unwrap_or_default();
        Self {
            grouped: !names && !years,
            // More decimals are measurements: padding them with zeros would claim a precision that they do not have.
            decimals: if decimals > MOST_DECIMALS { 0 } else { decimals },
        }
    }

    /// Formats a number with a true minus sign. Text that is not a number is unchanged.
    #[must_use]
    pub fn write(self, text: &str) -> String {
        let Some(Written { negative, digits, fraction }) = written(text) else { return text.to_owned() };
        let sign = if negative { "−" } else { "" };
        let digits = if self.grouped { apart(digits) } else { digits.to_owned() };
        let point = if fraction.is_empty() && self.decimals == 0 { "" } else { "." };
        format!("{sign}{digits}{point}{fraction:0<width$}", width = self.decimals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (10_464, "10,464"), (12_345_678, "12,345,678")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!((whole(-12_000), whole(7)), ("−12,000".to_owned(), "7".to_owned()));
    }

    fn column(name: &str, cells: &[&str]) -> Vec<String> {
        let style = Style::of(name, cells.iter().copied());
        cells.iter().map(|cell| style.write(cell)).collect()
    }

    #[test]
    fn a_column_s_digits_stand_below_each_other() {
        assert_eq!(column("amount", &["10464", "-1.5", "3.0", "—"]), ["10,464.0", "−1.5", "3.0", "—"]);
        assert_eq!(column("share", &["0.25", "1"]), ["0.25", "1.00"]);
        assert_eq!(column("pieces", &["3.0", "12"]), ["3", "12"]);
        assert_eq!(column("measured", &["0.123456789", "2"]), ["0.123456789", "2"]);
        assert_eq!(column("amount", &["1234567.875"]), ["1,234,567.875"]);
    }

    #[test]
    fn what_is_no_plain_number_stays() {
        for text in ["1e21", "12:30", "", "-", ".", "1.2.3"] {
            assert_eq!(column("odd", &[text]), [text]);
        }
    }

    #[test]
    fn ids_and_years_are_no_quantities() {
        for (name, written) in [("id", "10464"), ("order_id", "10464"), ("customerId", "10464"), ("paid", "10,464")] {
            assert_eq!(column(name, &["7", "10464"]).last().map(String::as_str), Some(written), "{name}");
        }
        assert_eq!(column("year", &["2024", "—", "1999"]), ["2024", "—", "1999"]);
        assert_eq!(column("distance", &["2024", "406"]), ["2,024", "406"]);
    }
}
