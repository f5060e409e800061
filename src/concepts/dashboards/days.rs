//! The days for which there is data, for a date range filter that leaves a dashboard without rows.

use super::choices;
use crate::{
    concepts::connections::OpenConnection,
    ground::{
        error::{Error, Result},
        state::App,
    },
};
use chrono::{Days, NaiveDate};
use inlay_contract::{
    calendar,
    filter::{FilterValue, Scalar},
};
use inlay_query::{Freshness, SecurityContext, Today};
use serde_json::Value;

/// The most tables whose default times are asked for one filter.
const MOST_TABLES: usize = 5;
/// The days offered in place of a period that never ends or never begins.
const OPEN: i64 = 30;

/// The first and the last day of a range, both part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first day.
    pub first: NaiveDate,
    /// The last day.
    pub last: NaiveDate,
}

impl Span {
    fn of(first: &Value, last: &Value) -> Option<Self> {
        let day = |value: &Value| Some(calendar::civil(calendar::parse(value.as_str()?)?).date());
        Some(Self { first: day(first)?, last: day(last)? })
    }

    fn joined(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), last: self.last.max(other.last) }
    }

    /// The period of the data to show in place of a period that lies outside of it: as long as that, at the nearer end. `None` if the
    /// period reaches into the data, so that something else leaves no rows.
    #[must_use]
    pub fn instead_of(self, period: &FilterValue, today: NaiveDate) -> Option<Self> {
        let (from, to) = asked(period, today)?;
        if to.is_some_and(|to| to <= self.first) {
            let last = self.first + Days::new(length(from, to) - 1);
            return Some(Self { last: last.min(self.last), ..self });
        }
        if from.is_some_and(|from| from > self.last) {
            let first = self.last - Days::new(length(from, to) - 1);
            return Some(Self { first: first.max(self.first), ..self });
        }
        None
    }

    /// The filter on these days.
    #[must_use]
    pub fn filter(self) -> FilterValue {
        let day = |day: NaiveDate| Some(Scalar::Text(day.to_string()));
        FilterValue::Range { from: day(self.first), to: day(self.last + Days::new(1)) }
    }
}

/// Whether a filter's value may be a period.
#[must_use]
pub fn is_period(value: &FilterValue) -> bool {
    match value {
        FilterValue::Relative(_) => true,
        FilterValue::Range { from, to } => [from, to].into_iter().flatten().all(|end| matches!(end, Scalar::Text(_))),
        FilterValue::AnyOf(_) => false,
    }
}

/// The first day of a period, and the first day after it. `None` for a value that is no period.
fn asked(period: &FilterValue, today: NaiveDate) -> Option<(Option<NaiveDate>, Option<NaiveDate>)> {
    let day = |end: &Option<Scalar>| match end {
        Some(Scalar::Text(text)) => Some(Some(calendar::civil(calendar::parse(text)?).date())),
        Some(_) => None,
        None => Some(None),
    };
    match period {
        FilterValue::Relative(period) => {
            let (from, to) = period.days(today);
            Some((Some(from), Some(to)))
        }
        FilterValue::Range { from, to } => Some((day(from)?, day(to)?)),
        FilterValue::AnyOf(_) => None,
    }
}

/// How many days a period has, at least one.
fn length(from: Option<NaiveDate>, to: Option<NaiveDate>) -> u64 {
    let days = from.zip(to).map_or(OPEN, |(from, to)| (to - from).num_days());
    u64::try_from(days).unwrap_or_default().max(1)
}

/// The days that a filter's column, dimension or default time has in the viewer's rows. `None` if the connection has no such column, or no
/// row has a day.
///
/// # Errors
/// Those of a query.
pub async fn of_filter(
    app: &App,
    connection: &OpenConnection,
    viewer: &SecurityContext,
    path: &str,
    asked: (Today, Freshness),
) -> Result<Option<Span>> {
    if let Some((table, dimension)) = connection.dimension(path) {
        let Some((least, greatest)) = choices::ends_of_dimension(app, connection, viewer, (table, dimension), asked).await?
        else {
            return Ok(None);
        };
        return Ok(Span::of(&least, &greatest));
    }
    let mut span: Option<Span> = None;
    for (table, column) in columns(connection, path) {
        let ends = app.engine.ends(&connection.source, &connection.catalog, viewer, &table, &column, asked);
        let (least, greatest) = ends.await.map_err(Error::from)?;
        let Some(found) = Span::of(&least, &greatest) else { continue };
        span = Some(span.map_or(found, |span| span.joined(found)));
    }
    Ok(span)
}

/// The columns that a path stands for: one, or the default time of each table that has one.
fn columns(connection: &OpenConnection, path: &str) -> Vec<(String, String)> {
    if connection.is_time(path) {
        let tables = connection.model.tables.iter();
        let times = tables.filter_map(|(name, table)| Some((name.clone(), table.model.time.clone()?)));
        return times.take(MOST_TABLES).collect();
    }
    connection.column(path).map(|(table, column)| (table.name.clone(), column.to_owned())).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn instead(period: Value) -> Option<(String, String)> {
        let data = Span { first: day("2001-01-01"), last: day("2001-06-30") };
        let period = FilterValue::from_json(period).expect("a filter");
        let Span { first, last } = data.instead_of(&period, day("2026-11-26"))?;
        Some((first.to_string(), last.to_string()))
    }

    fn days(first: &str, last: &str) -> Option<(String, String)> {
        Some((first.to_owned(), last.to_owned()))
    }

    #[test]
    fn a_period_outside_of_the_data_leads_to_its_nearer_end() {
        assert_eq!(instead(json!({"relative": "last_30_days"})), days("2001-06-01", "2001-06-30"));
        assert_eq!(instead(json!({"relative": "yesterday"})), days("2001-06-30", "2001-06-30"));
        assert_eq!(instead(json!({"relative": "last_12_months"})), days("2001-01-01", "2001-06-30"));
        assert_eq!(instead(json!({"from": "2000-12-25", "to": "2001-01-01"})), days("2001-01-01", "2001-01-07"));
        assert_eq!(instead(json!({"from": "2001-07-01"})), days("2001-06-01", "2001-06-30"));
        assert_eq!(instead(json!({"to": "2001-01-01T00:00:00"})), days("2001-01-01", "2001-01-30"));
        // The end before the beginning.
        assert_eq!(instead(json!({"from": "2020-02-01", "to": "2020-01-01"})), days("2001-06-30", "2001-06-30"));
    }

    #[test]
    fn a_period_with_data_is_not_at_fault() {
        for period in
            [json!({"from": "2001-06-30"}), json!({"to": "2001-01-02"}), json!({"from": "1999-01-01", "to": "2030-01-01"})]
        {
            assert_eq!(instead(period.clone()), None, "{period}");
        }
        for no_period in [json!("2001-01-01"), json!({"from": 5}), json!({"from": "soon"})] {
            assert_eq!(instead(no_period.clone()), None, "{no_period}");
        }
    }
}
