//! The SQL of a question that the chart builder asks. Names are quoted, so that whatever they hold stays a name; the question's
//! values are not in the SQL: they become filters, bound as parameters.

use crate::{
    dialect::dialect,
    error::QueryError,
    name::{quote, quote_table},
    source::SourceKind,
};
use inlay_contract::chart::question::{Aggregate, Dimension, Measure, Order, Question};

/// Rows of an answer where a question does not say how many.
const ROWS: u32 = 1_000;
/// The most rows that a question may ask for.
const MOST_ROWS: u32 = 50_000;

/// The SQL of a question without its conditions. It is checked like any other when it runs.
///
/// # Errors
/// The question asks for nothing, twice for the same column, or for an order by a column that it does not have.
pub fn question_sql(kind: SourceKind, question: &Question) -> Result<String, QueryError> {
    let names = question.columns();
    let repeated = names.iter().enumerate().any(|(at, name)| names[..at].contains(name));
    if names.is_empty() || repeated || question.table.is_empty() {
        return Err(QueryError::failed("a question asks for no column, or twice for one"));
    }
    let dimensions = question.dimensions.iter().map(|one| (dimension(kind, one), one.name()));
    let measures = question.measures.iter().map(|one| (measure(kind, one), one.name()));
    let columns: Vec<String> =
        dimensions.chain(measures).map(|(sql, name)| format!("{sql} AS {}", quote(kind, &name))).collect();
    let mut sql = format!("SELECT {} FROM {}", columns.join(", "), quote_table(kind, &question.table));
    if !question.measures.is_empty() && !question.dimensions.is_empty() {
        let groups: Vec<String> = question.dimensions.iter().map(|one| dimension(kind, one)).collect();
        sql.push_str(&format!(" GROUP BY {}", groups.join(", ")));
    }
    if let Some(Order { by, descending }) = order(question, &names)? {
        let direction = if descending { "DESC" } else { "ASC" };
        let position = names.iter().position(|name| *name == by).map_or(1, |position| position + 1);
        sql.push_str(&format!(" ORDER BY {position} {direction}"));
    }
    let limit = question.limit.unwrap_or(ROWS).clamp(1, MOST_ROWS);
    Ok(format!("{sql} LIMIT {limit}"))
}

/// The order asked for; else periods as they pass, names by their first number.
fn order(question: &Question, names: &[String]) -> Result<Option<Order>, QueryError> {
    if let Some(order) = &question.sort {
        let known = names.contains(&order.by);
        return if known {
            Ok(Some(order.clone()))
        } else {
            Err(QueryError::failed("a question's order is by no column of it"))
        };
    }
    Ok(match (question.dimensions.first(), question.measures.first()) {
        (Some(first), Some(measure)) if first.grain.is_none() => Some(Order { by: measure.name(), descending: true }),
        (Some(first), Some(_)) => Some(Order { by: first.name(), descending: false }),
        _ => None,
    })
}

fn measure(kind: SourceKind, Measure { aggregate, column }: &Measure) -> String {
    let column = column.as_ref().map_or_else(|| "*".to_owned(), |column| quote(kind, column));
    match aggregate {
        Aggregate::Count => format!("count({column})"),
        Aggregate::Distinct => format!("count(DISTINCT {column})"),
        Aggregate::Sum => format!("sum({column})"),
        Aggregate::Average => format!("avg({column})"),
        Aggregate::Least => format!("min({column})"),
        Aggregate::Greatest => format!("max({column})"),
    }
}

/// A column, or the first day of the period that holds its day.
fn dimension(kind: SourceKind, Dimension { column, grain }: &Dimension) -> String {
    let column = quote(kind, column);
    grain.map_or_else(|| column.clone(), |grain| dialect(kind).period(grain, &column))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sql(question: serde_json::Value) -> Result<String, QueryError> {
        question_sql(SourceKind::Sqlite, &serde_json::from_value(question).expect("a question"))
    }

    #[test]
    fn a_question_becomes_one_grouped_query() {
        let asked = sql(json!({"table": "orders", "dimensions": [{"column": "day", "grain": "month"}, {"column": "region"}],
            "measures": [{"aggregate": "count"}, {"aggregate": "sum", "column": "amount"}], "limit": 20}));
        assert_eq!(
            asked.expect("SQL"),
            "SELECT strftime('%Y-%m-01', \"day\") AS \"day_month\", \"region\" AS \"region\", count(*) AS \"count\", \
             sum(\"amount\") AS \"sum_amount\" FROM \"orders\" GROUP BY strftime('%Y-%m-01', \"day\"), \"region\" \
             ORDER BY 1 ASC LIMIT 20"
        );
    }

    #[test]
    fn names_stay_names_whatever_they_hold() {
        let asked = sql(json!({"table": "main.o\" where 1=1 --", "dimensions": [{"column": "a\"b"}]})).expect("SQL");
        assert_eq!(asked, "SELECT \"a\"\"b\" AS \"a\"\"b\" FROM \"main\".\"o\"\" where 1=1 --\" LIMIT 1000");
    }

    #[test]
    fn names_come_by_their_number_and_an_order_is_by_a_column_of_the_answer() {
        let question = json!({"table": "t", "dimensions": [{"column": "a"}], "measures": [{"aggregate": "count"}]});
        assert!(sql(question.clone()).expect("SQL").ends_with("ORDER BY 2 DESC LIMIT 1000"));
        let mut ordered = question.clone();
        ordered["sort"] = json!({"by": "a"});
        assert!(sql(ordered).expect("SQL").ends_with("ORDER BY 1 ASC LIMIT 1000"));
        let mut wrong = question;
        wrong["sort"] = json!({"by": "1; drop table t"});
        assert!(sql(wrong).is_err());
    }

    #[test]
    fn a_question_without_columns_or_with_one_twice_is_none() {
        assert!(sql(json!({"table": "t"})).is_err());
        assert!(sql(json!({"table": "t", "dimensions": [{"column": "a"}, {"column": "a"}]})).is_err());
    }
}
