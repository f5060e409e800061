//! Whether a query fits a chart type, and what to change if it does not. Pure.

use super::kinds::{Columns, Steps};
use inlay_contract::chart::{definition::ChartType, question::Grain};
use std::fmt;

/// What a chart is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The groups that the values are computed for.
    Groups,
    /// The values.
    Values,
}

/// Why a query does not fit a type. Displayed as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// Nothing is chosen.
    Blank,
    /// No SQL is written.
    Unwritten,
    /// The query has so many groups or values less than the type needs.
    Lacks(Side, usize),
    /// The query has so many groups or values more than the type takes.
    Exceeds(Side, usize),
    /// A number is grouped by something else than periods.
    NoTrend,
    /// A calendar is grouped by other periods than days.
    NotByDay,
}

/// The least and most groups and values of a type.
#[must_use]
pub const fn takes(kind: ChartType) -> ((usize, usize), (usize, usize)) {
    match kind {
        ChartType::Number => ((0, 1), (1, 1)),
        ChartType::Gauge => ((0, 0), (1, 1)),
        ChartType::Line | ChartType::Area | ChartType::Bar | ChartType::Radar => ((1, 2), (1, 8)),
        ChartType::Combo => ((1, 1), (2, 8)),
        ChartType::Pie | ChartType::Donut | ChartType::Funnel | ChartType::Calendar | ChartType::Waterfall | ChartType::Map => {
            ((1, 1), (1, 1))
        }
        ChartType::Treemap | ChartType::Sunburst => ((1, 4), (1, 1)),
        ChartType::Scatter => ((1, 2), (2, 2)),
        ChartType::Bubble => ((1, 2), (3, 3)),
        ChartType::Heatmap | ChartType::Sankey | ChartType::Pivot => ((2, 2), (1, 1)),
        ChartType::Boxplot => ((2, 2), (0, 0)),
        ChartType::Histogram => ((1, 1), (0, 0)),
        ChartType::Table => ((0, 12), (0, 12)),
        ChartType::Text => ((0, 0), (0, 0)),
    }
}

/// Why a query does not fit a type. `None` if it fits.
#[must_use]
pub fn misfit(kind: ChartType, columns: &Columns) -> Option<Misfit> {
    if kind == ChartType::Text {
        return None;
    }
    if columns.all().next().is_none() {
        return Some(Misfit::Blank);
    }
    // A combo draws the earlier period as its second value.
    let earlier = if kind == ChartType::Combo { columns.previous.len() } else { 0 };
    let (groups, values) = takes(kind);
    let sides = [(Side::Groups, groups, columns.groups.len()), (Side::Values, values, columns.values.len() + earlier)];
    let lacking = sides.iter().find(|(_, (least, _), count)| count < least);
    let exceeding = || sides.iter().find(|(_, (_, most), count)| count > most);
    match (lacking, columns.first) {
        (Some((side, (least, _), count)), _) => Some(Misfit::Lacks(*side, least - count)),
        // With a group, a number shows the newest period and draws the others as its trend.
        (None, Some(Steps::Values | Steps::Cycle)) if kind == ChartType::Number => Some(Misfit::NoTrend),
        // Values as they are may be days.
        (None, Some(first)) if kind == ChartType::Calendar && !matches!(first, Steps::Periods(Grain::Day) | Steps::Values) => {
            Some(Misfit::NotByDay)
        }
        _ => exceeding().map(|(side, (_, most), count)| Misfit::Exceeds(*side, count - most)),
    }
}

impl Side {
    const fn one(self) -> &'static str {
        match self {
            Self::Groups => "group",
            Self::Values => "value",
        }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blank => f.write_str("Choose what to show."),
            Self::Unwritten => f.write_str("Write a query."),
            Self::Lacks(side, 1) => write!(f, "Add one more {} to draw this chart.", side.one()),
            Self::Lacks(side, count) => write!(f, "Add {count} more {}s to draw this chart.", side.one()),
            Self::Exceeds(side, 1) => write!(f, "Remove one {} to draw this chart.", side.one()),
            Self::Exceeds(side, count) => write!(f, "Remove {count} {}s to draw this chart.", side.one()),
            Self::NoTrend => f.write_str("A number draws its trend over time. Group it by a period, or remove the group."),
            Self::NotByDay => f.write_str("A calendar shows days. Group it by day."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::{chart::question::Question, model::ModelQuery};
    use serde_json::json;

    fn columns(groups: usize, values: usize) -> Columns {
        let name = |letter: char| move |at: usize| format!("{letter}{at}");
        Columns {
            groups: (0..groups).map(name('g')).collect(),
            values: (0..values).map(name('v')).collect(),
            first: (groups > 0).then_some(Steps::Values),
            ..Columns::default()
        }
    }

    fn told(kind: ChartType, columns: &Columns) -> String {
        misfit(kind, columns).map(|misfit| misfit.to_string()).unwrap_or_default()
    }

    #[test]
    fn what_is_missing_or_too_much_is_named() {
        for (kind, groups, values, wanted) in [
            (ChartType::Bar, 1, 1, ""),
            (ChartType::Bar, 0, 0, "Choose what to show."),
            (ChartType::Heatmap, 1, 1, "Add one more group to draw this chart."),
            (ChartType::Bubble, 1, 1, "Add 2 more values to draw this chart."),
            (ChartType::Pie, 3, 1, "Remove 2 groups to draw this chart."),
            (ChartType::Gauge, 1, 1, "Remove one group to draw this chart."),
            (ChartType::Histogram, 1, 1, "Remove one value to draw this chart."),
            (ChartType::Scatter, 3, 1, "Add one more value to draw this chart."),
            (ChartType::Text, 0, 0, ""),
        ] {
            assert_eq!(told(kind, &columns(groups, values)), wanted, "{kind:?} {groups} {values}");
        }
    }

    #[test]
    fn a_number_has_a_trend_over_time_alone() {
        let of = |group: serde_json::Value| {
            let query = json!({"measures": ["flights"], "dimensions": [group]});
            Columns::from(&serde_json::from_value::<ModelQuery>(query).expect("a query"))
        };
        let no_trend = "A number draws its trend over time. Group it by a period, or remove the group.";
        assert_eq!(told(ChartType::Number, &of(json!({"name": "time", "grain": "week"}))), "");
        assert_eq!(told(ChartType::Number, &of(json!({"name": "flights.destination"}))), no_trend);
        assert_eq!(told(ChartType::Number, &of(json!({"name": "time", "cycle": "weekday"}))), no_trend);
        assert_eq!(told(ChartType::Number, &columns(0, 1)), "");
        let question = json!({"table": "flights", "measures": [{"aggregate": "count"}], "dimensions": [{"column": "day", "grain": "month"}]});
        let question: Question = serde_json::from_value(question).expect("a question");
        assert_eq!(told(ChartType::Number, &Columns::from(&question)), "");
    }

    #[test]
    fn a_calendar_has_a_square_for_each_day() {
        let by = |first| Columns { first: Some(first), ..columns(1, 1) };
        assert_eq!(told(ChartType::Calendar, &by(Steps::Periods(Grain::Day))), "");
        assert_eq!(told(ChartType::Calendar, &by(Steps::Values)), "", "the values may be days");
        for first in [Steps::Periods(Grain::Month), Steps::Cycle] {
            assert_eq!(told(ChartType::Calendar, &by(first)), "A calendar shows days. Group it by day.");
        }
    }

    #[test]
    fn the_earlier_period_is_a_value_of_a_combo() {
        let with = Columns { previous: vec!["v0_previous".into()], ..columns(1, 1) };
        assert_eq!(misfit(ChartType::Combo, &with), None);
        assert_eq!(misfit(ChartType::Combo, &columns(1, 1)), Some(Misfit::Lacks(Side::Values, 1)));
    }
}
