//! What a question means: which numbers of which rows, for each of what. Fields are places in what is known of the data. `asking`
//! makes a query of the semantic model of it.

use crate::{
    language::{cues::Aggregate, grain::Grain, span::Span, unit::Unit},
    scope::Comparison,
    world::{FieldId, TableId, Way},
};
use inlay_contract::chart::definition::ChartType;
use serde_json::Value;

/// A field as it is reached from the rows that are gathered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub field: FieldId,
    pub way: Way,
}

/// A number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Num {
    /// How many rows.
    Count,
    /// A measure or metric of the semantic model.
    Declared(usize),
    /// An amount of money that two columns make.
    Money(usize),
    /// How many different values.
    Distinct(Place),
    Of(Aggregate, Place),
    /// The number of the rows that meet conditions.
    Matching(Box<Num>, Vec<Condition>),
    /// What part of the number is that of the rows that meet conditions.
    Part(Box<Num>, Vec<Condition>),
    /// What part of one number another is: no-shows of bookings.
    Out(Box<Num>, Box<Num>),
    /// What part of all groups' number each group's is.
    OfTotal(Box<Num>),
    /// One number for each of another: revenue per order.
    Per(Box<Num>, Box<Num>),
    /// How many rows each step of a number's range has. The number is the only group.
    Spread(Place),
    /// How many rows each period has on average, or the mean of its sums.
    PerPeriod(Place, Grain, Option<Place>),
    /// The sum up to each period.
    Running(Box<Num>),
    /// The mean over so many periods up to each.
    Moving(Box<Num>, u16),
    /// The number in another unit: minutes in hours. So many of its own are one of the other.
    InUnit(Box<Num>, Unit, f64),
    /// How much the number changed between two periods, as a part of the first.
    Growth(Box<Num>, Place, [Span; 2]),
}

/// What rows are split by.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub place: Place,
    pub grain: Option<Grain>,
}

/// What rows must meet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Condition {
    /// One of these values, or none of them.
    In { place: Place, values: Vec<Value>, negated: bool },
    /// A number beside another. `word` is the term that says so.
    Number { place: Place, comparison: Comparison, value: f64, word: Option<String> },
    /// A flag that is set, or is not.
    Flag { place: Place, set: bool },
    /// Has a value, or has none.
    Present { place: Place, present: bool },
    /// In one of these spans of time.
    Spans { place: Place, spans: Vec<Span> },
    /// On these days of the week, 0 is Monday.
    Days { place: Place, days: Vec<u8>, negated: bool },
    /// In these hours of the day, the last exclusive.
    Hours { place: Place, from: u8, to: u8 },
}

impl Condition {
    /// What it is about.
    pub const fn place(&self) -> &Place {
        match self {
            Self::In { place, .. }
            | Self::Number { place, .. }
            | Self::Flag { place, .. }
            | Self::Present { place, .. }
            | Self::Spans { place, .. }
            | Self::Days { place, .. }
            | Self::Hours { place, .. } => place,
        }
    }
}

/// A question's meaning.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Meaning {
    /// The table whose rows are gathered.
    pub fact: TableId,
    pub numbers: Vec<Num>,
    pub groups: Vec<Group>,
    pub conditions: Vec<Condition>,
    /// What the first number of a group must be.
    pub having: Vec<(Comparison, f64)>,
    /// Whether the greatest come first; the groups' own order when missing.
    pub descending: Option<bool>,
    pub limit: Option<u32>,
    /// The limit counts within each value of the first group.
    pub of_each: bool,
    /// The rows themselves, in the order of a field.
    pub rows: Option<Option<FieldId>>,
    /// Things without any row of the fact: products that were never sold. The table whose rows lack them.
    pub lacking: Option<TableId>,
    /// Which of those rows count.
    pub lacking_where: Vec<Condition>,
    pub chart: Option<ChartType>,
}

impl Meaning {
    /// Nothing yet of the rows of a table.
    pub const fn of(fact: TableId) -> Self {
        Self {
            fact,
            numbers: Vec::new(),
            groups: Vec::new(),
            conditions: Vec::new(),
            having: Vec::new(),
            descending: None,
            limit: None,
            of_each: false,
            rows: None,
            lacking: None,
            lacking_where: Vec::new(),
            chart: None,
        }
    }
}
