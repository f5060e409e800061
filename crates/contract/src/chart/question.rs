//! A question about one table and the tables that its keys lead to: which numbers, of which rows, for each of what. The chart builder
//! and the assistant ask so. A question names columns and never holds SQL; the server writes the SQL.

mod condition;

pub use condition::{Comparison, QuestionCondition, Wanted};

use serde::{Deserialize, Serialize};

/// What is asked of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Question {
    /// The table, as the catalogue names it.
    pub table: String,
    /// The tables that its keys lead to. A row whose key leads nowhere counts without their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joins: Vec<Join>,
    /// The numbers; none for a list of rows.
    #[serde(default)]
    pub measures: Vec<Measure>,
    /// What they are taken for each of, in order; the columns of a list of rows.
    #[serde(default)]
    pub dimensions: Vec<Dimension>,
    /// Which rows count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<QuestionCondition>,
    /// What the first number of a group must be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub having: Option<Bound>,
    /// The order; that of the first dimension when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<Order>,
    /// The order of rows that are alike in `sort`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Order>,
    /// So many rows of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// The limit counts within each value of the first dimension: the top 3 of each month.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_each: bool,
}

/// A table that a key leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Join {
    /// The key, a column of the question's table. The join is called by it.
    pub key: String,
    /// The other table, as the catalogue names it.
    pub table: String,
    /// The other table's column that holds the key.
    pub column: String,
}

/// A bound of a number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Bound {
    /// How the number compares with `than`.
    pub comparison: Comparison,
    /// The other number.
    pub than: f64,
}

/// A number taken of rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Measure {
    /// How.
    pub aggregate: Aggregate,
    /// Of which column; none for the count of rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The key that leads to the column's table; none for the question's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// Which of the group's rows count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<QuestionCondition>,
    /// What it is a part of, as a fraction of 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// For each of the periods that have rows, on average.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per: Option<Dimension>,
    /// The name of its column in the answer; made of its parts when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// How rows become a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Aggregate {
    /// How many there are.
    #[default]
    Count,
    /// How many different values.
    Distinct,
    /// The sum.
    Sum,
    /// The mean.
    Average,
    /// The middle value.
    Median,
    /// The least.
    Least,
    /// The greatest.
    Greatest,
}

/// What a number is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Part {
    /// The rows that count, of all rows of their group.
    Group,
    /// The group's number, of all groups' together.
    Total,
}

/// What numbers are taken for each of: the values of a column, or what one of `grain`, `cycle` and `step` makes of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Dimension {
    /// The column.
    pub column: String,
    /// The key that leads to the column's table; none for the question's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// The period that its days are gathered into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grain: Option<Grain>,
    /// The part of a week or a day that its moments fall into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Cycle>,
    /// The width of the steps that its numbers are gathered into, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
    /// The name of its column in the answer; made of its parts when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// What comes round again, all weeks or days together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Cycle {
    /// `Mon` to `Sun`.
    Weekday,
    /// The hour of the day: `00` to `23`.
    Hour,
    /// `Weekday` or `Weekend`.
    PartOfWeek,
}

/// A period of the calendar, longer ones after shorter ones. Weeks begin on Monday.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Grain {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

/// The order of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Order {
    /// The name of a column of the answer.
    pub by: String,
    /// The greatest first.
    #[serde(default)]
    pub descending: bool,
}

impl Aggregate {
    /// Those that the chart builder offers.
    pub const OFFERED: [Self; 6] = [Self::Count, Self::Distinct, Self::Sum, Self::Average, Self::Least, Self::Greatest];

    /// What it is called.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Count => "Count",
            Self::Distinct => "Different values",
            Self::Sum => "Sum",
            Self::Average => "Average",
            Self::Median => "Median",
            Self::Least => "Least",
            Self::Greatest => "Greatest",
        }
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Distinct => "distinct",
            Self::Sum => "sum",
            Self::Average => "average",
            Self::Median => "median",
            Self::Least => "least",
            Self::Greatest => "greatest",
        }
    }
}

impl Grain {
    /// All of them, from the shortest.
    pub const ALL: [Self; 5] = [Self::Day, Self::Week, Self::Month, Self::Quarter, Self::Year];

    /// What it is called, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }
}

impl Cycle {
    /// All.
    pub const ALL: [Self; 3] = [Self::Weekday, Self::Hour, Self::PartOfWeek];

    /// What it is called, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Weekday => "weekday",
            Self::Hour => "hour",
            Self::PartOfWeek => "part of the week",
        }
    }

    /// What it is called in the name of a column.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Weekday => "weekday",
            Self::Hour => "hour",
            Self::PartOfWeek => "part_of_week",
        }
    }
}

impl Measure {
    /// The count of rows.
    #[must_use]
    pub fn count() -> Self {
        Self::default()
    }

    /// A column's number.
    #[must_use]
    pub fn of(aggregate: Aggregate, column: impl Into<String>) -> Self {
        Self { aggregate, column: Some(column.into()), ..Self::default() }
    }

    /// The name of its column in the answer.
    #[must_use]
    pub fn name(&self) -> String {
        match (&self.name, &self.column) {
            (Some(name), _) => name.clone(),
            (None, None) => self.aggregate.prefix().to_owned(),
            (None, Some(column)) => format!("{}_{column}", self.aggregate.prefix()),
        }
    }
}

impl Dimension {
    /// The values of a column of the question's own table.
    #[must_use]
    pub fn of(column: impl Into<String>) -> Self {
        Self { column: column.into(), ..Self::default() }
    }

    /// The name of its column in the answer.
    #[must_use]
    pub fn name(&self) -> String {
        match (&self.name, self.grain) {
            (Some(name), _) => name.clone(),
            (None, Some(grain)) => format!("{}_{}", self.column, grain.name()),
            (None, None) => self.column.clone(),
        }
    }
}

impl Question {
    /// The columns that it reads, each with its table. A column of a join that is missing has none and is left out.
    #[must_use]
    pub fn named(&self) -> Vec<(&str, &str)> {
        let mut places: Vec<(Option<&str>, &str)> =
            self.dimensions.iter().map(|one| (one.via.as_deref(), one.column.as_str())).collect();
        for one in &self.measures {
            places.extend(one.column.as_deref().map(|column| (one.via.as_deref(), column)));
            places.extend(one.per.as_ref().map(|per| (per.via.as_deref(), per.column.as_str())));
        }
        let conditions = self.filters.iter().chain(self.measures.iter().flat_map(|one| &one.filters));
        places.extend(conditions.map(|one| (one.via.as_deref(), one.column.as_str())));
        let table = |via: Option<&str>| match via {
            None => Some(self.table.as_str()),
            Some(key) => self.joins.iter().find(|join| join.key == key).map(|join| join.table.as_str()),
        };
        let keys = self.joins.iter().flat_map(|join| [(&*self.table, &*join.key), (&*join.table, &*join.column)]);
        places.into_iter().filter_map(|(via, column)| Some((table(via)?, column))).chain(keys).collect()
    }

    /// The names of the answer's columns, in order.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        self.dimensions.iter().map(Dimension::name).chain(self.measures.iter().map(Measure::name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_built_question_keeps_its_form() {
        let json = json!({"table": "orders", "measures": [{"aggregate": "sum", "column": "amount"}],
            "dimensions": [{"column": "day", "grain": "month"}], "filters": [{"column": "region", "value": "north"}],
            "sort": {"by": "day_month", "descending": true}, "limit": 5});
        let question: Question = serde_json::from_value(json.clone()).expect("a question");
        assert_eq!(serde_json::to_value(&question).expect("JSON"), json);
        assert_eq!(question.columns(), ["day_month", "sum_amount"]);
    }

    #[test]
    fn columns_are_named_with_their_tables() {
        let question: Question = serde_json::from_value(json!({"table": "orders",
            "joins": [{"key": "customer_id", "table": "customers", "column": "id"}],
            "dimensions": [{"column": "country", "via": "customer_id"}, {"column": "x", "via": "nothing"}],
            "measures": [{"aggregate": "count", "filters": [{"column": "status", "value": {"not": "open"}}],
                "per": {"column": "day", "grain": "month"}}]}))
        .expect("a question");
        assert_eq!(
            question.named(),
            [("customers", "country"), ("orders", "day"), ("orders", "status"), ("orders", "customer_id"), ("customers", "id")]
        );
    }
}
