//! Numbers and dates as people read them. The browser's chart labels come from the same rules (`frontend/charts/format.js`),
//! which the tests of `inlay-render` hold against these, so that server and browser never differ by a letter.

mod digits;
pub mod locale;

use crate::calendar::{self, DAY, Grain};
use chrono::{Datelike, NaiveDateTime, Timelike};
use digits::{decimal_text, rounded};
use locale::Locale;
use serde::{Deserialize, Serialize};

/// What stands where there is no value.
pub const MISSING: &str = "–";
/// U+2212, as wide as a plus.
const MINUS: char = '−';
/// Keeps a unit on its number's line.
const NO_BREAK_SPACE: char = '\u{a0}';

/// What kind of number it is.
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

/// How a number is written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NumberFormat {
    /// The kind of number.
    #[serde(default)]
    pub style: NumberStyle,
    /// ISO 4217 code, for the style `currency`; dollars when missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// What is counted (`min`, `mi`, `%`): stands behind the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Exactly so many digits after the decimal sign; as many as matter when missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimals: Option<u8>,
    /// The least number that is shortened (12.3K); set by axes and labels, where room is short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compact_from: Option<f64>,
}

/// A number's text with what stands round the digits apart, for big numbers whose unit is set smaller.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberParts {
    /// The minus and a currency's sign.
    pub prefix: String,
    /// The digits.
    pub digits: String,
    /// The short name of a power of ten, percent, currency, unit.
    pub suffix: String,
}

impl NumberParts {
    /// All in one.
    #[must_use]
    pub fn text(&self) -> String {
        [self.prefix.as_str(), &self.digits, &self.suffix].concat()
    }
}

impl NumberFormat {
    /// The format where room is short: on axes and beside marks.
    #[must_use]
    pub fn compact_from(&self, least: f64) -> Self {
        Self { compact_from: Some(least), ..self.clone() }
    }
}

/// A number's text.
#[must_use]
pub fn number(value: f64, format: &NumberFormat, locale: &Locale) -> String {
    parts(value, format, locale).text()
}

/// A number's text in parts.
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

/// The digits over the greatest named power of ten, and that power's name.
fn shorten(amount: f64, format: &NumberFormat, locale: &Locale) -> Option<(String, &'static str)> {
    let (least, most) = format.decimals.map_or((0, 1), |digits| (digits, digits));
    // CLDR leaves four digits together before a power's name.
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

/// Two digits after the decimal sign, more for small fractions so that two digits of them are seen.
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
            // A code of letters never touches the digits.
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

/// How much a date's text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DateForm {
    /// Under an axis, among neighbours that say the rest: `Jan`, and the year in place of January.
    Axis,
    /// Under an axis that stays within one year: `Jan`, `Feb`.
    Year,
    /// Alone: `January 2001`.
    Words,
}

/// The text of a period that starts at a moment.
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
