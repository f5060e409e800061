//! The rows behind the number of a number chart.

use super::prepared::PreparedChart;
use inlay_contract::chart::{definition::ChartType, number};
use inlay_query::Shape;

/// The rows that a number chart's number is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberRows {
    /// Those of the result row that it is read from.
    OfItsRow,
    /// Those of all result rows.
    Whole,
}

impl NumberRows {
    /// The rows behind the number of a chart whose query has this shape. `None` if they cannot be listed, and for other charts.
    pub fn of(prepared: &PreparedChart, shape: &Shape) -> Option<Self> {
        let encoding = &prepared.definition.encoding;
        let value = encoding.value.as_deref().filter(|_| prepared.definition.kind == ChartType::Number)?;
        if prepared.meant().is_some_and(|meant| meant.is_total(value)) {
            return Some(Self::Whole);
        }
        let is_alone = shape.groups.is_empty();
        // SQL that compares may read an earlier period, whose rows are not behind the number.
        let may_read_earlier = is_alone && encoding.compare.is_some() && !prepared.is_by_meaning();
        let is_listable = (is_alone || number::is_of_its_row(encoding)) && shape.behind(|_| true).is_some();
        (is_listable && !may_read_earlier).then_some(Self::OfItsRow)
    }
}
