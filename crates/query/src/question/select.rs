//! One question's SELECT.

use super::{MOST_JOINS, MOST_PARTS, MOST_ROWS, ROWS, refused, spelling::Spelling};
use crate::{error::QueryError, source::SourceKind};
use inlay_contract::chart::question::{Aggregate, Cycle, Dimension, Join, Measure, Order, Part, Question};

/// The most groups of an answer that is cut within groups.
const GROUPS: u32 = 5_000;

/// A SELECT in the making.
pub(super) struct Select<'a> {
    pub question: &'a Question,
    pub spelling: Spelling,
    /// The joins that are needed, in the order of their aliases.
    joins: Vec<&'a Join>,
}

/// An expression and its name in the answer.
pub(super) struct Column {
    pub expression: String,
    /// As it was asked for.
    pub name: String,
    /// Between quotes.
    pub quoted: String,
}

impl Column {
    pub(super) fn item(&self) -> String {
        format!("{} as {}", self.expression, self.quoted)
    }
}

impl<'a> Select<'a> {
    pub(super) fn of(kind: SourceKind, question: &'a Question) -> Self {
        Self { question, spelling: Spelling::of(kind), joins: Vec::new() }
    }

    pub(super) fn sql(mut self) -> Result<String, QueryError> {
        let question = self.question;
        let columns = question.measures.len() + question.dimensions.len();
        let conditions = question.filters.len() + question.measures.iter().map(|one| one.filters.len()).sum::<usize>();
        if columns.max(conditions).max(question.then.len()) > MOST_PARTS || question.joins.len() > MOST_JOINS {
            return refused("a question has too many columns, conditions, orders or joins");
        }
        let names = question.columns();
        let repeated = names.iter().enumerate().any(|(at, name)| names[..at].contains(name));
        if names.is_empty() || repeated {
            return refused("a question asks for no column, or twice for one");
        }
        let conditions = self.conditions(&question.filters)?;
        let mut dimensions = Vec::new();
        for one in &question.dimensions {
            let expression = self.dimension(one)?;
            dimensions.push(self.named(one.name(), expression)?);
        }
        let middle = question.measures.iter().find(|one| one.aggregate == Aggregate::Median);
        if let Some(middle) = middle.filter(|_| self.spelling.dialect.median("").is_none()) {
            return self.by_rank(middle, &dimensions, conditions);
        }
        let mut measures = Vec::new();
        for one in &question.measures {
            let expression = self.measure(one)?;
            measures.push(self.named(one.name(), expression)?);
        }
        let items: Vec<String> = dimensions.iter().chain(&measures).map(Column::item).collect();
        let is_grouped = !dimensions.is_empty() && !measures.is_empty();
        // Orders may need joins, so they come before FROM is written.
        let order = self.order(is_grouped)?;
        let mut sql = format!("select {}\nfrom {}", items.join(", "), self.from()?);
        push_where(&mut sql, &conditions);
        if dimensions.is_empty() {
            return Ok(sql);
        }
        if is_grouped {
            sql += &grouped(dimensions.len());
            sql += &self.having(&measures[0].expression)?;
            if question.of_each {
                return self.of_each(&sql, &dimensions, &measures);
            }
        }
        Ok(format!("{sql}{order}\nlimit {}", self.limit()))
    }

    pub(super) fn named(&self, name: String, expression: String) -> Result<Column, QueryError> {
        Ok(Column { expression, quoted: self.spelling.name(&name)?, name })
    }

    /// The question's table and those that its keys lead to.
    pub(super) fn from(&self) -> Result<String, QueryError> {
        let mut from = format!("{} t", self.spelling.table(&self.question.table)?);
        for (place, join) in self.joins.iter().enumerate() {
            let (table, to, key) =
                (self.spelling.table(&join.table)?, self.spelling.name(&join.column)?, self.spelling.name(&join.key)?);
            from += &format!("\nleft join {table} l{place} on l{place}.{to} = t.{key}");
        }
        Ok(from)
    }

    /// A column of the question's table, or of the one that a key leads to.
    pub(super) fn column(&mut self, column: &str, via: Option<&str>) -> Result<String, QueryError> {
        let name = self.spelling.name(column)?;
        let Some(key) = via else { return Ok(format!("t.{name}")) };
        let known = self.joins.iter().position(|join| join.key == key);
        let at = match known {
            Some(at) => at,
            None => {
                let Some(join) = self.question.joins.iter().find(|join| join.key == key) else {
                    return refused("a question reads a column by a key that leads nowhere");
                };
                self.joins.push(join);
                self.joins.len() - 1
            }
        };
        Ok(format!("l{at}.{name}"))
    }

    fn dimension(&mut self, one: &Dimension) -> Result<String, QueryError> {
        let column = self.column(&one.column, one.via.as_deref())?;
        let dialect = self.spelling.dialect;
        match (one.grain, one.cycle, one.step) {
            (None, None, None) => Ok(column),
            (Some(grain), None, None) => Ok(dialect.period(grain, &column)),
            (None, Some(cycle), None) => Ok(super::cycle_name(dialect, cycle, &column)),
            (None, None, Some(step)) if step > 0 => Ok(dialect.stepped(&column, &self.spelling.number(step as f64 / 1000.0)?)),
            _ => refused("a question gathers a column in more than one way, or in steps of no width"),
        }
    }

    pub(super) fn measure(&mut self, one: &Measure) -> Result<String, QueryError> {
        let column = one.column.as_ref().map(|column| self.column(column, one.via.as_deref())).transpose()?;
        let filters = match one.filters.as_slice() {
            [] => None,
            filters => Some(self.conditions(filters)?.join(" and ")),
        };
        if one.part == Some(Part::Group) {
            return match (one.aggregate, column, filters, &one.per) {
                (Aggregate::Count, None, Some(filters), None) => Ok(format!("avg(case when {filters} then 1.0 else 0.0 end)")),
                _ => refused("a part of a group is that of the rows that fulfil conditions"),
            };
        }
        let number = self.aggregated(one.aggregate, column, filters)?;
        let adds_up = matches!(one.aggregate, Aggregate::Count | Aggregate::Sum);
        match (one.part, &one.per) {
            (None, None) => Ok(number),
            (Some(_), None) if adds_up => Ok(format!("{number} * 1.0 / sum({number}) over ()")),
            (None, Some(period)) if adds_up => {
                Ok(format!("{number} * 1.0 / nullif(count(distinct {}), 0)", self.dimension(period)?))
            }
            _ => refused("only counts and sums are parts of a total or spread over periods, and not both"),
        }
    }

    fn aggregated(&self, how: Aggregate, column: Option<String>, filters: Option<String>) -> Result<String, QueryError> {
        let of = match (column, filters) {
            (None, None) if how == Aggregate::Count => return Ok("count(*)".to_owned()),
            (None, Some(filters)) if how == Aggregate::Count => {
                return Ok(format!("sum(case when {filters} then 1 else 0 end)"));
            }
            (None, _) => return refused("a number of a question is of no column"),
            (Some(column), None) => column,
            (Some(column), Some(filters)) => format!("case when {filters} then {column} end"),
        };
        Ok(match how {
            Aggregate::Count => format!("count({of})"),
            Aggregate::Distinct => format!("count(distinct {of})"),
            Aggregate::Sum => format!("sum({of})"),
            Aggregate::Average => format!("avg({of})"),
            Aggregate::Median => match self.spelling.dialect.median(&of) {
                Some(median) => median,
                None => return refused("this database works out one column's median at a time"),
            },
            Aggregate::Least => format!("min({of})"),
            Aggregate::Greatest => format!("max({of})"),
        })
    }

    /// What the first number of a group must be.
    pub(super) fn having(&self, first: &str) -> Result<String, QueryError> {
        let Some(bound) = self.question.having else { return Ok(String::new()) };
        Ok(format!("\nhaving {first} {} {}", bound.comparison.sign(), self.spelling.number(bound.than)?))
    }

    /// The orders asked for, each as the place of its column; else periods as they pass, names by their first number.
    pub(super) fn orders(&self) -> Result<Vec<(usize, bool)>, QueryError> {
        let question = self.question;
        let usual = match (question.dimensions.first(), question.measures.first()) {
            _ if question.sort.is_some() => None,
            (Some(first), Some(measure)) if first.grain.is_none() => Some(Order { by: measure.name(), descending: true }),
            (Some(first), Some(_)) => Some(Order { by: first.name(), descending: false }),
            _ => None,
        };
        let names = question.columns();
        let place = |order: &Order| match names.iter().position(|name| *name == order.by) {
            Some(at) => Ok((at, order.descending)),
            None => refused("a question's order is by no column of it"),
        };
        question.sort.iter().chain(&usual).chain(&question.then).map(place).collect()
    }

    fn order(&mut self, is_grouped: bool) -> Result<String, QueryError> {
        let mut by = Vec::new();
        for (at, descending) in self.orders()? {
            // Days of the week have names, which are in no order.
            let weekday = self.question.dimensions.get(at).filter(|one| is_grouped && one.cycle == Some(Cycle::Weekday));
            let place = match weekday {
                Some(one) => {
                    let column = self.column(&one.column, one.via.as_deref())?;
                    format!("min({})", self.spelling.dialect.weekday(&column))
                }
                None => (at + 1).to_string(),
            };
            by.push(place + if descending { " desc" } else { "" });
        }
        Ok(if by.is_empty() { String::new() } else { format!("\norder by {}", by.join(", ")) })
    }

    pub(super) fn limit(&self) -> u32 {
        self.question.limit.unwrap_or(ROWS).clamp(1, MOST_ROWS)
    }

    /// The first groups of each value of the first dimension, by the first measure.
    pub(super) fn of_each(&self, groups: &str, dimensions: &[Column], measures: &[Column]) -> Result<String, QueryError> {
        let names: Vec<&str> = dimensions.iter().chain(measures).map(|column| column.quoted.as_str()).collect();
        let (first, measure) = (names[0], names[dimensions.len()]);
        let lowest = self.question.sort.as_ref().is_some_and(|order| order.by == measures[0].name && !order.descending);
        let end = if lowest { "" } else { " desc" };
        let all = names.join(", ");
        Ok(format!(
            "select {all}\nfrom (select {all}, row_number() over (partition by {first} order by {measure}{end}) as place\nfrom ({groups}) \
             grouped) ranked\nwhere place <= {}\norder by 1, {}{end}\nlimit {GROUPS}",
            self.limit(),
            dimensions.len() + 1
        ))
    }
}

pub(super) fn push_where(sql: &mut String, conditions: &[String]) {
    if !conditions.is_empty() {
        *sql += &format!("\nwhere {}", conditions.join(" and "));
    }
}

/// The groups of so many dimensions.
pub(super) fn grouped(dimensions: usize) -> String {
    let places: Vec<String> = (1..=dimensions).map(|place| place.to_string()).collect();
    format!("\ngroup by {}", places.join(", "))
}
