//! Medians where the database has no function for them.

use super::{
    refused,
    select::{Column, Select, grouped, push_where},
};
use crate::error::QueryError;
use inlay_contract::chart::question::{Aggregate, Measure};

impl Select<'_> {
    /// The mean of the middle values, by their places in order. Other measures come along as windows. Rows without a value of the
    /// median's column do not count.
    pub(super) fn by_rank(
        mut self,
        middle: &Measure,
        dimensions: &[Column],
        mut conditions: Vec<String>,
    ) -> Result<String, QueryError> {
        let question = self.question;
        let Some(column) = middle.column.as_ref().filter(|_| is_plain(middle)) else {
            return refused("this database works out the median of all values of a column alone");
        };
        let value = self.column(column, middle.via.as_deref())?;
        let split: Vec<&str> = dimensions.iter().map(|one| one.expression.as_str()).collect();
        let partition = if split.is_empty() { String::new() } else { format!("partition by {}", split.join(", ")) };
        let mut inner: Vec<String> = dimensions.iter().map(Column::item).collect();
        let mut outer: Vec<String> = dimensions.iter().map(|one| one.quoted.clone()).collect();
        inner.push(format!(
            "{value} as middle, row_number() over ({partition} order by {value}) as place, count(*) over ({partition}) as of_all"
        ));
        let mut measures = Vec::new();
        for (at, measure) in question.measures.iter().enumerate() {
            let is_window = is_plain(measure) && !matches!(measure.aggregate, Aggregate::Median | Aggregate::Distinct);
            let expression = match (measure.aggregate, &measure.column) {
                (Aggregate::Median, same) if is_plain(measure) && *same == middle.column && measure.via == middle.via => {
                    "avg(middle)".to_owned()
                }
                (Aggregate::Count, None) if is_window => "min(of_all)".to_owned(),
                (_, Some(_)) if is_window => {
                    inner.push(format!("{} over ({partition}) as beside_{at}", self.measure(measure)?));
                    format!("min(beside_{at})")
                }
                _ => return refused("this database works out a median beside no such number"),
            };
            measures.push(self.named(measure.name(), expression)?);
        }
        outer.extend(measures.iter().map(Column::item));
        conditions.push(format!("{value} is not null"));
        let mut rows = format!("select {}\nfrom {}", inner.join(", "), self.from()?);
        push_where(&mut rows, &conditions);
        let dialect = self.spelling.dialect;
        let halves = [dialect.half("of_all + 1"), dialect.half("of_all + 2")];
        let mut sql = format!("select {}\nfrom ({rows}) ranked\nwhere place in ({})", outer.join(", "), halves.join(", "));
        if !dimensions.is_empty() {
            sql += &grouped(dimensions.len());
            sql += &self.having(&measures[0].expression)?;
            if question.of_each {
                return self.of_each(&sql, dimensions, &measures);
            }
            let orders: Vec<String> = self
                .orders()?
                .into_iter()
                .map(|(at, descending)| format!("{}{}", at + 1, if descending { " desc" } else { "" }))
                .collect();
            sql += &format!("\norder by {}\nlimit {}", orders.join(", "), self.limit());
        }
        Ok(sql)
    }
}

/// Whether a measure is a column's number and nothing made of it.
fn is_plain(measure: &Measure) -> bool {
    measure.filters.is_empty() && measure.part.is_none() && measure.per.is_none()
}
