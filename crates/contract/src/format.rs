//! Formats numbers and dates. The chart labels in the browser use the same rules (`frontend/charts/format.js`). The tests of
//! `inlay-render` compare both, so that server and browser produce identical text.

mod digits;
pub mod locale;

use crate::calendar::{self, DAY, Grain};
use chrono::{Datelike, NaiveDateTime, Timelike};
use digits::{decimal_text, rounded};
use locale::Locale;
use serde::{Deserialize, Serialize};

/// The text of a missing value.
pub const MISSING: &str = "–";
/// U+2212, which is as wide as a plus sign.
const MINUS: char = '−';
/// Keeps a unit on the line of its number.
const NO_BREAK_SPACE: char = '\u{a0}';

/// The style of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NumberStyle {
    /// 1,234.5
    #[default]
    Number,
    /// 12.3K
    Compact,
    /// 12.3% of a fraction, 0.123.
    Percent,
    /// $1,234.50
    Currency,
}

/// The format of a number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NumberFormat {
    /// The style.
    #[serde(default)]
    pub style: NumberStyle,
    /// ISO 4217 code, for the style `currency`. Dollars if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The unit (`min`, `mi`, `%`). It follows the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The exact number of decimals. If missing, only significant ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimals: Option<u8>,
    /// The smallest number that is shortened (12.3K). Set for axes and labels, which have little space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compact_from: Option<f64>,
}

/// A formatted number in parts, for big numbers with a smaller unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberParts {
    /// The minus sign and the currency symbol.
    pub prefix: String,
    /// The digits.
    pub digits: String,
    /// The abbreviation, percent sign, currency symbol or unit.
    pub suffix: String,
}

impl NumberParts {
    /// The whole text.
    #[must_use]
    pub fn text(&self) -> String {
        [self.prefix.as_str(), &self.digits, &self.suffix].concat()
    }
}

impl NumberFormat {
    /// The format for axes and labels, which have little space.
    #[must_use]
    pub fn compact_from(&self, least: f64) -> Self {
        Self { compact_from: Some(least), ..self.clone() }
    }
}

/// Formats a number.
#[must_use]
pub fn number(value: f64, format: &NumberFormat, locale: &Locale) -> String {
    parts(value, format, locale).text()
}

/// Formats a number in parts.
#[must_use]
pub fn parts(value: f64, format: &NumberFormat, locale: &Locale) -> NumberParts {
    if !value.is_finite() {
        return NumberParts { digits: MISSING.to_owned(), ..NumberParts::default() };
    }
    let amount = if format.style == NumberStyle::Percent { value.abs() * 100.0 } else { value.abs() };
    let least = format.compact_from.or((format.style == NumberStyle::Compact).then_some(10_000.0));
    let short = least.filter(|least| amount >= *least && format.style != NumberStyle::Percent);
    let (digits, power) = match short.and_then(|_| shorten(amount, format, locale)) {
        Some(shortened) => shortened,
        None => (full(amount, format, locale), ""),
    };
    let zero = !digits.bytes().any(|byte| byte.is_ascii_digit() && byte != b'0');
    let mut parts = NumberParts { digits, suffix: power.to_owned(), ..NumberParts::default() };
    if value < 0.0 && !zero {
        parts.prefix.push(MINUS);
    }
    surround(&mut parts, format, locale);
    parts
}

/// The digits of a shortened number and its abbreviation.
fn shorten(amount: f64, format: &NumberFormat, locale: &Locale) -> Option<(String, &'static str)> {
    let (least, most) = format.decimals.map_or((0, 1), |digits| (digits, digits));
    // CLDR does not group four digits before an abbreviation.
    let locale = &Locale { group_from: 10_000.0, ..*locale };
    let mut powers = locale.compact.iter().enumerate().filter(|(_, (power, _))| amount >= 10f64.powi(*power));
    let (at, (power, name)) = powers.next_back()?;
    let over = amount / 10f64.powi(*power);
    // 999,950 rounds to 1,000K, which is 1M.
    match locale.compact.get(at + 1) {
        Some((next, next_name)) if rounded(over, most) >= 10f64.powi(next - power) => {
            Some((decimal_text(1.0, least, most, locale), next_name))
        }
        _ => Some((decimal_text(over, least, most, locale), name)),
    }
}

fn full(amount: f64, format: &NumberFormat, locale: &Locale) -> String {
    let (least, most) = match (format.decimals, format.style) {
        (Some(digits), _) => (digits, digits),
        (None, NumberStyle::Percent) => (0, 1),
        (None, NumberStyle::Currency) if amount.fract() == 0.0 => (0, 0),
        (None, NumberStyle::Currency) => (2, 2),
        (None, _) => (0, significant(amount)),
    };
    decimal_text(amount, least, most, locale)
}

/// The number of significant decimals: two, or more for small fractions.
fn significant(amount: f64) -> u8 {
    let (mut digits, mut threshold) = (2, 0.1);
    while amount > 0.0 && amount < threshold && digits < 8 {
        digits += 1;
        threshold /= 10.0;
    }
    digits
}

fn surround(parts: &mut NumberParts, format: &NumberFormat, locale: &Locale) {
    match format.style {
        NumberStyle::Percent => {
            parts.suffix.push_str(locale.percent_gap);
            parts.suffix.push('%');
        }
        NumberStyle::Currency => {
            let sign = currency_sign(format.currency.as_deref().unwrap_or("USD"));
            // A currency code is always separated from the digits.
            let gap = if sign.ends_with(|last: char| last.is_ascii_alphabetic()) { "\u{a0}" } else { locale.currency_gap };
            if locale.currency_first {
                parts.prefix.push_str(sign);
                parts.prefix.push_str(gap);
            } else {
                parts.suffix.push_str(gap);
                parts.suffix.push_str(sign);
            }
        }
        NumberStyle::Number | NumberStyle::Compact => {}
    }
    if let Some(unit) = format.unit.as_deref().filter(|unit| !unit.is_empty()) {
        if !unit.starts_with(['%', '°', '′', '″']) {
            parts.suffix.push(NO_BREAK_SPACE);
        }
        parts.suffix.push_str(unit);
    }
}

fn currency_sign(code: &str) -> &str {
    match code {
        "USD" => "$",
        "EUR" => "€",
        "GBP" => "£",
        "JPY" | "CNY" => "¥",
        "INR" => "₹",
        "KRW" => "₩",
        "UAH" => "₴",
        "TRY" => "₺",
        "BRL" => "R$",
        other => other,
    }
}

/// The length of a date's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DateForm {
    /// On an axis, among other labels: `Jan`, with the year in place of January.
    Axis,
    /// On an axis within one year: `Jan`, `Feb`.
    Year,
    /// On its own: `January 2001`.
    Words,
}

/// Formats the start of a period.
#[must_use]
pub fn date(moment: i64, grain: Grain, form: DateForm, locale: &Locale) -> String {
    let civil = calendar::civil(moment);
    match (grain, form) {
        (Grain::Year, _) => civil.year().to_string(),
        (Grain::Quarter, DateForm::Year) => format!("Q{}", civil.month().div_ceil(3)),
        (Grain::Quarter, _) => format!("Q{} {}", civil.month().div_ceil(3), civil.year()),
        (Grain::Month, DateForm::Words) => fill(locale.month, civil, locale),
        (Grain::Month, DateForm::Axis) if civil.month() == 1 => civil.year().to_string(),
        (Grain::Month, _) => locale.short_month(civil.month()).to_owned(),
        (Grain::Week, DateForm::Words) => {
            let last = calendar::civil(moment + 6 * DAY);
            format!("{} – {}", fill(locale.date, civil, locale), fill(locale.date, last, locale))
        }
        (Grain::Day, DateForm::Words) => fill(locale.date, civil, locale),
        (Grain::Minute, DateForm::Words) => {
            format!("{}, {}", fill(locale.date, civil, locale), clock(civil, false, locale))
        }
        (Grain::Minute, _) if (civil.hour(), civil.minute()) != (0, 0) => clock(civil, true, locale),
        (Grain::Minute | Grain::Day | Grain::Week, _) => fill(locale.day, civil, locale),
    }
}

fn clock(civil: NaiveDateTime, short: bool, locale: &Locale) -> String {
    if !locale.twelve_hours {
        return format!("{:02}:{:02}", civil.hour(), civil.minute());
    }
    let (hour, half) = ((civil.hour() + 11) % 12 + 1, if civil.hour() < 12 { "AM" } else { "PM" });
    if short && civil.minute() == 0 {
        return format!("{hour} {half}");
    }
    format!("{hour}:{:02} {half}", civil.minute())
}

fn fill(pattern: &str, civil: NaiveDateTime, locale: &Locale) -> String {
    pattern
        .replace("{d}", &civil.day().to_string())
        .replace("{n}", &civil.month().to_string())
        .replace("{s}", locale.short_month(civil.month()))
        .replace("{l}", locale.long_month(civil.month()))
        .replace("{y}", &civil.year().to_string())
}

#[cfg(test)]
#[path = "format/tests.rs"]
mod tests;
