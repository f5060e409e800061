//! The queries for what is behind a mark: rows, or the chart's measures by another column, in an order, and how many there are.

use super::Shape;
use crate::name::quote;
use inlay_contract::model::ModelOrder;

/// What is listed of the rows behind a mark.
#[derive(Clone, Copy, Debug)]
pub enum Listing<'a> {
    /// The rows, with some columns of the first relation.
    Rows(&'a [String]),
    /// The rows, with all columns of the first relation.
    All,
    /// The chart's measures by a column of the first relation. Without an order, the greatest first measure comes first.
    By(&'a str),
}

impl Shape {
    /// A query for what is listed, up to the limit. An order by a column that is not listed is ignored, except with
    /// [`Listing::All`], whose columns the caller knows. Missing values come last. What is alike by the order comes by its own value, rows
    /// by `ties`: columns of the first relation that the caller knows, such as its key.
    #[must_use]
    pub fn list(&self, listing: Listing<'_>, order: Option<&ModelOrder>, ties: &[String], limit: u32) -> String {
        let (columns, groups) = match listing {
            Listing::Rows(columns) => (columns.iter().map(|column| self.named(column)).collect(), String::new()),
            Listing::All => (vec![format!("{}.*", self.relation())], String::new()),
            Listing::By(column) => {
                let measures = self.shown_measures().into_iter();
                let measures = measures.map(|(name, sql)| format!("{sql} AS {}", quote(self.kind, &name)));
                let columns = std::iter::once(self.named(column)).chain(measures).collect();
                (columns, format!("GROUP BY {} ", self.column(column)))
            }
        };
        let first = || match listing {
            Listing::By(_) => self.shown_measures().first().map(|(_, measure)| sorted(measure, true)),
            Listing::Rows(_) | Listing::All => None,
        };
        let order = order.and_then(|order| self.ordered(listing, order)).or_else(first);
        let order = order.map(|order| self.ordering(order, listing, ties)).unwrap_or_default();
        self.select(&columns.join(", "), &format!("{groups}{order}LIMIT {limit}"))
    }

    /// A query for how many rows or values [`Self::list`] would have without its limit: one row with one number.
    #[must_use]
    pub fn count(&self, listing: Listing<'_>) -> String {
        let counted = match listing {
            Listing::Rows(_) | Listing::All => "count(*)".to_owned(),
            Listing::By(column) => {
                let column = self.column(column);
                format!("count(DISTINCT {column}) + max(CASE WHEN {column} IS NULL THEN 1 ELSE 0 END)")
            }
        };
        self.select(&format!("{counted} AS {}", quote(self.kind, "counted")), "LIMIT 1")
    }

    /// A query for the rows behind the chart, with some columns of its first relation.
    #[must_use]
    pub fn rows(&self, columns: &[String], limit: u32) -> String {
        self.list(Listing::Rows(columns), None, &[], limit)
    }

    /// A query for the rows behind the chart, with all columns of its first relation.
    #[must_use]
    pub fn all(&self, limit: u32) -> String {
        self.list(Listing::All, None, &[], limit)
    }

    /// A query for the chart's measures by another column of its first relation.
    #[must_use]
    pub fn by(&self, column: &str, limit: u32) -> String {
        self.list(Listing::By(column), None, &[], limit)
    }

    /// `ORDER BY …`
    fn ordering(&self, first: String, listing: Listing<'_>, ties: &[String]) -> String {
        let ties: Vec<&str> = match listing {
            Listing::By(column) => vec![column],
            Listing::Rows(_) | Listing::All => ties.iter().map(String::as_str).collect(),
        };
        let then = ties.into_iter().map(|column| sorted(&self.column(column), false));
        // A column that orders already is not named again.
        let terms: Vec<String> =
            std::iter::once(first.clone()).chain(then.filter(|term| !first.starts_with(term.as_str()))).collect();
        format!("ORDER BY {} ", terms.join(", "))
    }

    /// The term of an order, if its column is listed.
    fn ordered(&self, listing: Listing<'_>, order: &ModelOrder) -> Option<String> {
        let by = &order.by;
        let value = match listing {
            Listing::Rows(columns) => columns.contains(by).then(|| self.column(by)),
            Listing::All => Some(self.column(by)),
            Listing::By(column) if column == by => Some(self.column(by)),
            Listing::By(_) => self.shown_measures().into_iter().find(|(name, _)| name == by).map(|(_, sql)| sql),
        }?;
        Some(sorted(&value, order.descending))
    }

    /// The measures that a list shows: the chart's own, or the number of rows.
    fn shown_measures(&self) -> Vec<(String, String)> {
        if self.measures.is_empty() { vec![("count".to_owned(), "count(*)".to_owned())] } else { self.measures.clone() }
    }

    fn relation(&self) -> String {
        quote(self.kind, &self.first.1)
    }

    fn column(&self, column: &str) -> String {
        format!("{}.{}", self.relation(), quote(self.kind, column))
    }

    fn named(&self, column: &str) -> String {
        format!("{} AS {}", self.column(column), quote(self.kind, column))
    }
}

/// The terms of an order by a value, with missing values last on every database.
fn sorted(value: &str, descending: bool) -> String {
    let direction = if descending { " DESC" } else { "" };
    format!("({value}) IS NULL, ({value}){direction}")
}
