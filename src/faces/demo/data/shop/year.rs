//! How business goes from day to day: growth, seasons, weekdays, sales.

use super::catalogue::Shop;
use chrono::{Datelike, Days, NaiveDate, Weekday};

/// The days that are generated, at least: two years and a month, so that the last 52 weeks have the 52 before them.
const DAYS: u64 = 760;
/// The business of the first day, compared with the last.
const FIRST: f64 = 0.66;
/// The days before the newest at which a campaign on social media began, and its length.
const CAMPAIGN: (i64, i64) = (41, 7);

/// The first day: a Monday, so that the first week is whole.
pub(super) fn first_day(newest: NaiveDate) -> NaiveDate {
    let day = newest - Days::new(DAYS);
    day - Days::new(day.weekday().num_days_from_monday().into())
}

/// How good a day is for a shop, where 1 is an ordinary day at the end of the recorded time.
pub(super) fn level(shop: &Shop, day: NaiveDate, newest: NaiveDate) -> f64 {
    let weekday = shop.weekdays[day.weekday().num_days_from_monday() as usize];
    growth(day, newest) * season(shop, day) * weekday * sale(day).map_or(1.0, |(busier, _)| busier)
}

/// How far the shops have grown.
pub(super) fn growth(day: NaiveDate, newest: NaiveDate) -> f64 {
    let progress = 1.0 - (newest - day).num_days() as f64 / (newest - first_day(newest)).num_days() as f64;
    (1.0 - FIRST).mul_add(progress, FIRST)
}

/// The season's factor, which goes steadily from the middle of one month to that of the next.
fn season(shop: &Shop, day: NaiveDate) -> f64 {
    let month = day.month0() as usize;
    let from_middle = (f64::from(day.day()) - 0.5) / f64::from(day.num_days_in_month()) - 0.5;
    let neighbour = if from_middle < 0.0 { (month + 11) % 12 } else { (month + 1) % 12 };
    let part = from_middle.abs();
    shop.seasons[month].mul_add(1.0 - part, shop.seasons[neighbour] * part)
}

/// The sale of a day, if there is one: how much busier it is, and the discount.
pub(super) fn sale(day: NaiveDate) -> Option<(f64, f64)> {
    if black_friday(day.year()).is_some_and(|friday| (0..4).contains(&(day - friday).num_days())) {
        return Some((2.1, 0.2));
    }
    match (day.month(), day.day()) {
        (1, 3..=16) | (7, 5..=18) => Some((1.25, 0.15)),
        _ => None,
    }
}

/// The day after the fourth Thursday of November.
fn black_friday(year: i32) -> Option<NaiveDate> {
    NaiveDate::from_weekday_of_month_opt(year, 11, Weekday::Thu, 4).map(|thursday| thursday + Days::new(1))
}

/// Whether the campaign on social media runs.
pub(super) fn is_campaign(day: NaiveDate, newest: NaiveDate) -> bool {
    let (began, length) = CAMPAIGN;
    (began - length + 1..=began).contains(&(newest - day).num_days())
}

#[cfg(test)]
mod tests {
    use super::{super::catalogue::SHOPS, *};

    fn day(year: i32, month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(year, month, day).unwrap()
    }

    #[test]
    fn the_first_day_is_a_monday_and_two_periods_of_52_weeks_ago() {
        for after in 0..14 {
            let newest = day(2026, 11, 20) + Days::new(after);
            let first = first_day(newest);
            assert_eq!(first.weekday(), Weekday::Mon);
            assert!((newest - first).num_days() >= 2 * 364);
        }
    }

    #[test]
    fn sales_are_on_their_days() {
        assert_eq!(sale(day(2026, 11, 27)), Some((2.1, 0.2)));
        assert_eq!(sale(day(2026, 11, 30)), Some((2.1, 0.2)));
        assert_eq!(sale(day(2026, 12, 1)), None);
        assert_eq!(sale(day(2026, 7, 5)), Some((1.25, 0.15)));
    }

    #[test]
    fn seasons_have_no_steps() {
        for shop in &SHOPS {
            let change = |month: usize| (shop.seasons[month] - shop.seasons[(month + 1) % 12]).abs();
            // A month has 28 days or more.
            let steepest = (0..12).map(change).fold(0.0, f64::max) / 28.0 + 1e-9;
            for after in 0..365 {
                let (one, next) = (day(2025, 1, 1) + Days::new(after), day(2025, 1, 2) + Days::new(after));
                assert!((season(shop, one) - season(shop, next)).abs() < steepest, "{} {one}", shop.id);
            }
        }
    }
}
