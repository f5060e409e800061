//! Formats digits: rounds half away from zero on the exact value, groups thousands, writes the decimal separator. JavaScript's
//! `toFixed` rounds the same way, unlike Rust's own formatting (half to even).

use super::locale::Locale;

/// From this number on, scientific notation is used.
const TOO_LONG: f64 = 1e21;

/// Formats a non-negative number with at least `least` and at most `most` decimals.
pub(super) fn decimal_text(amount: f64, least: u8, most: u8, locale: &Locale) -> String {
    if amount >= TOO_LONG {
        return format!("{amount:.1e}").replace('.', locale.decimal);
    }
    let fixed = fixed(amount, most.min(12));
    let (whole, fraction) = fixed.split_once('.').unwrap_or((&fixed, ""));
    let kept = fraction.trim_end_matches('0').len().max(usize::from(least).min(fraction.len()));
    let mut text = if amount >= locale.group_from { grouped(whole, locale.group) } else { whole.to_owned() };
    if kept > 0 {
        text.push_str(locale.decimal);
        text.push_str(&fraction[..kept]);
    }
    text
}

/// The value of `decimal_text`'s result.
pub(super) fn rounded(amount: f64, digits: u8) -> f64 {
    fixed(amount, digits).parse().unwrap_or(amount)
}

/// `toFixed`: the exact decimal value of the float, rounded half up.
fn fixed(amount: f64, digits: u8) -> String {
    // Forty digits are enough for every tie at up to twelve decimals.
    let exact = format!("{amount:.40}");
    let cut = exact.find('.').unwrap_or(exact.len()) + 1 + usize::from(digits);
    let up = exact.as_bytes().get(cut).is_some_and(|next| *next >= b'5');
    let mut kept: Vec<u8> = exact.as_bytes()[..cut.min(exact.len())].to_vec();
    if up {
        let mut carry = true;
        for byte in kept.iter_mut().rev().filter(|byte| byte.is_ascii_digit()) {
            if *byte == b'9' {
                *byte = b'0';
            } else {
                *byte += 1;
                carry = false;
                break;
            }
        }
        if carry {
            kept.insert(0, b'1');
        }
    }
    let text = String::from_utf8(kept).unwrap_or_default();
    text.trim_end_matches('.').to_owned()
}

fn grouped(whole: &str, separator: &str) -> String {
    let mut text = String::with_capacity(whole.len() * 2);
    for (at, digit) in whole.char_indices() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    text
}
