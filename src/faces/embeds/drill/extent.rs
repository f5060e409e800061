//! How much there is behind a mark, of which a part is listed.

use crate::ground::error::Result;
use inlay_contract::{
    data::ChartData,
    format::{self, NumberFormat, locale::Locale},
    model::ModelOrder,
};
use inlay_query::{Answered, Listing};
use serde_json::Value;
use std::time::Duration;

/// How long a list waits for the number of all rows.
const COUNT_WAIT: Duration = Duration::from_secs(1);

/// How many rows or values are listed, and of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    listed: usize,
    all: All,
}

/// How many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum All {
    Listed,
    Counted(u64),
    /// More, but the database did not count them in time.
    Uncounted,
}

impl Extent {
    /// The extent of a list of at most so many rows. `count` asks how many there are; it is only asked for a list that is full.
    pub(super) async fn of(listed: &ChartData, most: u32, count: impl Future<Output = Result<Answered>>) -> Self {
        let rows = listed.rows.len();
        if rows < most as usize && !listed.truncated {
            return Self { listed: rows, all: All::Listed };
        }
        let answer = tokio::time::timeout(COUNT_WAIT, count).await;
        let all = match answer.ok().and_then(Result::ok).and_then(|answer| number(answer.table())) {
            Some(all) if all > rows as u64 => All::Counted(all),
            Some(_) if !listed.truncated => All::Listed,
            _ => All::Uncounted,
        };
        Self { listed: rows, all }
    }

    /// Whether more rows exist than are listed.
    pub(super) fn is_cut(self) -> bool {
        self.all != All::Listed
    }

    /// `1,000 of 12,345 rows, sorted by Amount, descending`. The order is named where it decides which rows are listed.
    pub(super) fn words(self, values: bool, order: Option<(&str, bool)>, locale: &str) -> String {
        let locale = Locale::of(locale);
        let number = |count: u64| format::number(count as f64, &NumberFormat::default(), &locale);
        let (one, many) = if values { ("value", "values") } else { ("row", "rows") };
        let listed = number(self.listed as u64);
        let count = match self.all {
            All::Listed if self.listed == 1 => return format!("{listed} {one}"),
            All::Listed => return format!("{listed} {many}"),
            All::Counted(all) => format!("{listed} of {} {many}", number(all)),
            All::Uncounted => format!("The first {listed} {many}"),
        };
        match order {
            None => count,
            Some((label, true)) => format!("{count}, sorted by {label}, descending"),
            Some((label, false)) => format!("{count}, sorted by {label}, ascending"),
        }
    }
}

/// The number of a query for one.
fn number(counted: &ChartData) -> Option<u64> {
    match counted.rows.first()?.first()? {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// The label of the column by which a list is sorted, and whether it descends. Values are sorted by their first number unless asked
/// otherwise.
pub(super) fn sorted_by<'a>(
    listing: Listing<'_>,
    order: Option<&ModelOrder>,
    data: &ChartData,
    labels: &'a [String],
) -> Option<(&'a str, bool)> {
    let asked = order.and_then(|order| Some((data.position(&order.by)?, order.descending)));
    let own = matches!(listing, Listing::By(_)).then_some((1, true));
    let (at, descending) = asked.or(own)?;
    Some((labels.get(at)?, descending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::error::{Code, Error};
    use serde_json::json;

    fn data(rows: Vec<Value>) -> ChartData {
        ChartData { rows: rows.into_iter().map(|value| vec![value]).collect(), ..ChartData::default() }
    }

    async fn said(listed: usize, count: Result<Value>, order: Option<(&str, bool)>) -> (String, bool) {
        let count = async { count.map(|count| Answered::new(data(vec![count]))) };
        let extent = Extent::of(&data(vec![json!(1); listed]), 3, count).await;
        (extent.words(false, order, "en"), extent.is_cut())
    }

    #[tokio::test]
    async fn a_list_says_of_how_many_rows_it_is_and_in_which_order() {
        let order = Some(("Amount", true));
        let uncounted = || Err(Error::new(Code::QueryTimeout, "Late."));
        assert_eq!(said(1, uncounted(), order).await, ("1 row".to_owned(), false));
        assert_eq!(said(2, uncounted(), order).await, ("2 rows".to_owned(), false), "a list that is not full counts nothing");
        assert_eq!(said(3, Ok(json!(3)), order).await, ("3 rows".to_owned(), false));
        assert_eq!(said(3, Ok(json!(12_345)), None).await, ("3 of 12,345 rows".to_owned(), true));
        let sorted = "3 of 12,345 rows, sorted by Amount, descending";
        assert_eq!(said(3, Ok(json!("12345")), order).await, (sorted.to_owned(), true), "some databases count in texts");
        let up = Some(("Amount", false));
        assert_eq!(said(3, uncounted(), up).await, ("The first 3 rows, sorted by Amount, ascending".to_owned(), true));
    }

    #[test]
    fn values_come_by_their_first_number_unless_asked_otherwise() {
        let column =
            |name: &str| inlay_contract::data::Column { name: name.to_owned(), kind: inlay_contract::data::ColumnType::Text };
        let data = ChartData { columns: vec![column("day"), column("n")], ..ChartData::default() };
        let labels = ["Day".to_owned(), "Orders".to_owned()];
        let by_day = ModelOrder { by: "day".to_owned(), descending: false };
        assert_eq!(sorted_by(Listing::By("day"), None, &data, &labels), Some(("Orders", true)));
        assert_eq!(sorted_by(Listing::By("day"), Some(&by_day), &data, &labels), Some(("Day", false)));
        assert_eq!(sorted_by(Listing::All, None, &data, &labels), None);
    }
}
