//! What a message means: what is measured, of what, split by what. Columns are places in what is known of the data, and conditions keep
//! the words that they were said in, so that the meaning can be said back and gone on from. `asking` puts it to the data.

pub(super) use crate::language::grain::Grain;
use crate::{language::span::Span, scope::Comparison};
use inlay_contract::chart::definition::ChartType;
pub(super) use inlay_contract::chart::question::Aggregate;
use serde_json::Value;

/// A column of a table, by their places in the knowledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ColumnRef {
    pub table: usize,
    pub column: usize,
}

/// A column as it is reached: of the rows' own table, or of one that a key leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ColumnPath {
    pub column: ColumnRef,
    /// The key in the rows' own table.
    pub via: Option<ColumnRef>,
}

impl ColumnPath {
    pub(super) const fn own(column: ColumnRef) -> Self {
        Self { column, via: None }
    }
}

/// A number of many values, as a sentence says it.
pub(super) const fn aggregate_words(aggregate: Aggregate) -> &'static str {
    match aggregate {
        Aggregate::Count => "number of",
        Aggregate::Distinct => "number of different",
        Aggregate::Sum => "total",
        Aggregate::Average => "average",
        Aggregate::Median => "median",
        Aggregate::Least => "lowest",
        Aggregate::Greatest => "highest",
    }
}

/// What is counted or measured.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Measure {
    /// Rows.
    Count,
    /// Rows that fulfil conditions, beside others that fulfil others.
    Matching(Vec<IntentCondition>),
    /// Different values.
    Distinct(ColumnPath),
    /// Values of a column.
    Of(Aggregate, ColumnPath),
    /// Which part of the rows fulfils conditions.
    Share(Vec<IntentCondition>),
    /// Which part of all each group is.
    OfTotal(Option<ColumnPath>),
    /// Rows of a period on average.
    PerPeriod(ColumnPath, Grain),
}

/// What rows are split by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Dimension {
    pub place: ColumnPath,
    /// For times.
    pub grain: Option<Grain>,
    /// Numbers in steps of this width, as thousandths.
    pub step: Option<u64>,
}

/// What rows must fulfil.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum IntentCondition {
    /// One of these values, or none of them.
    In { place: ColumnPath, values: Vec<Value>, negated: bool },
    /// A number beside another. `word` is the term of the trade that says so.
    Number { place: ColumnPath, comparison: Comparison, value: f64, word: Option<String> },
    /// A flag that is set, or is not.
    Flag { place: ColumnPath, set: bool },
    /// In one of these spans of time.
    Spans { place: ColumnPath, spans: Vec<Span> },
    /// On these days of the week, 0 is Monday.
    Days { place: ColumnPath, days: Vec<u8>, negated: bool },
    /// In these hours of the day, the last exclusive.
    Hours { place: ColumnPath, from: u8, to: u8 },
}

impl IntentCondition {
    /// What it is about.
    pub(super) const fn place(&self) -> ColumnPath {
        match self {
            Self::In { place, .. }
            | Self::Number { place, .. }
            | Self::Flag { place, .. }
            | Self::Spans { place, .. }
            | Self::Days { place, .. }
            | Self::Hours { place, .. } => *place,
        }
    }

    /// Whether a new condition takes this one's place in a follow-up.
    pub(super) fn is_replaced_by(&self, other: &Self) -> bool {
        match (self, other) {
            // Another period, not another month for the same days of the week.
            (Self::Spans { .. }, Self::Spans { .. })
            | (Self::Days { .. }, Self::Days { .. })
            | (Self::Hours { .. }, Self::Hours { .. }) => true,
            (Self::In { place, negated, .. }, Self::In { place: new, negated: now, .. }) => {
                negated == now
                    && (place == new || (place.via.is_some() && place.via == new.via) || place.via == Some(new.column))
            }
            (Self::Number { place, comparison, .. }, Self::Number { place: new, comparison: now, .. }) => {
                place == new && comparison.is_upper_bound() == now.is_upper_bound()
            }
            (Self::Flag { place, .. }, Self::Flag { place: new, .. }) => place == new,
            _ => false,
        }
    }
}

/// What a message means.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Intent {
    /// Whose rows.
    pub table: usize,
    pub measures: Vec<Measure>,
    pub dimensions: Vec<Dimension>,
    pub conditions: Vec<IntentCondition>,
    /// What the first measure of a group must be.
    pub having: Option<(Comparison, f64)>,
    /// Whether the greatest come first; the dimensions' own order when missing.
    pub descending: Option<bool>,
    pub limit: Option<usize>,
    /// The limit counts within each value of the first dimension: "the top 3 of each month".
    pub of_each: bool,
    pub chart: Option<ChartType>,
    /// Rows themselves, the greatest or smallest of this column first.
    pub rows_by: Option<Option<ColumnRef>>,
}

impl Intent {
    pub(super) const fn of(table: usize) -> Self {
        Self {
            table,
            measures: Vec::new(),
            dimensions: Vec::new(),
            conditions: Vec::new(),
            having: None,
            descending: None,
            limit: None,
            of_each: false,
            chart: None,
            rows_by: None,
        }
    }
}
