//! A chart's query as the chart builder asks it: which numbers, of which rows, for each of what. The server writes the SQL,
//! so a question names columns and never holds SQL; its values reach the database as bound parameters.

use crate::filter::FilterValue;
use serde::{Deserialize, Serialize};

/// What a chart built by hand asks of one table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Question {
    /// The table, as the catalogue names it.
    pub table: String,
    /// The numbers; none for a list of rows.
    #[serde(default)]
    pub measures: Vec<Measure>,
    /// What they are taken for each of, in order; the columns of a list of rows.
    #[serde(default)]
    pub dimensions: Vec<Dimension>,
    /// Which rows count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<Condition>,
    /// The order; that of the first dimension when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<Order>,
    /// So many rows of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// A number taken of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Measure {
    /// How.
    pub aggregate: Aggregate,
    /// Of which column; none for the count of rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
}

/// How rows become a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Aggregate {
    /// How many there are.
    Count,
    /// How many different values.
    Distinct,
    /// The sum.
    Sum,
    /// The mean.
    Average,
    /// The least.
    Least,
    /// The greatest.
    Greatest,
}

/// What numbers are taken for each of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Dimension {
    /// The column.
    pub column: String,
    /// The period that its days are gathered into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grain: Option<Grain>,
}

/// A period of the calendar. Weeks begin on Monday.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// Which rows count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Condition {
    /// The column.
    pub column: String,
    /// What it must be: a value, a list of values, a range or a relative period.
    #[cfg_attr(feature = "openapi", schema(value_type = serde_json::Value))]
    pub value: FilterValue,
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
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Count, Self::Distinct, Self::Sum, Self::Average, Self::Least, Self::Greatest];

    /// What it is called.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Count => "Count",
            Self::Distinct => "Different values",
            Self::Sum => "Sum",
            Self::Average => "Average",
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

impl Measure {
    /// The name of its column in the answer.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.column {
            None => self.aggregate.prefix().to_owned(),
            Some(column) => format!("{}_{column}", self.aggregate.prefix()),
        }
    }
}

impl Dimension {
    /// The name of its column in the answer.
    #[must_use]
    pub fn name(&self) -> String {
        match self.grain {
            None => self.column.clone(),
            Some(grain) => format!("{}_{}", self.column, grain.name()),
        }
    }
}

impl Question {
    /// The columns that it takes numbers and names of.
    pub fn named(&self) -> impl Iterator<Item = &str> {
        let dimensions = self.dimensions.iter().map(|one| one.column.as_str());
        dimensions.chain(self.measures.iter().filter_map(|one| one.column.as_deref()))
    }

    /// The names of the answer's columns, in order.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        self.dimensions.iter().map(Dimension::name).chain(self.measures.iter().map(Measure::name)).collect()
    }
}
