//! A sentence about an answer's rows: the maximum, the total, the change.

use super::{
    picture,
    sentences::{cell, period, singular, small},
};
use crate::{
    language::{cues::Aggregate, grain::Grain, words::is_plural},
    markdown::escaped,
    reading::{Condition, Meaning, Num},
    world::{World, number},
};
use inlay_contract::{
    data::ChartData,
    format::{self, NumberFormat, locale::Locale},
};
use serde_json::Value;

/// The sentence for an answer. The first columns of the rows are those of the groups.
pub(super) fn finding(meaning: &Meaning, world: &World, data: &ChartData, width: usize, locale: &str) -> String {
    let rows = small(&world.tables[meaning.fact].label);
    if data.rows.is_empty() || is_nothing(meaning, data) {
        return nothing(meaning, world, &rows);
    }
    let listed =
        meaning.rows.is_some() || meaning.numbers.is_empty() || meaning.lacking.is_some() && !meaning.groups.is_empty();
    let mut text = if listed {
        match data.rows.len() {
            1 => "Here it is.".to_owned(),
            count => format!("Here are {count} of them."),
        }
    } else {
        let teller = Teller { meaning, world, data, width, locale: Locale::of(locale) };
        match meaning.groups.as_slice() {
            [] => teller.alone(&rows),
            [only] if only.grain.is_some_and(Grain::is_calendar) && meaning.limit.is_none() => {
                teller.series(only.grain.unwrap_or(Grain::Day))
            }
            groups
                if groups.len() == 1
                    || groups.iter().all(|group| group.grain.is_none() && group.place.way == groups[0].place.way) =>
            {
                teller.ranking()
            }
            _ => teller.peak(),
        }
    };
    if data.truncated {
        text += " There are more rows; these are the first.";
    }
    text
}

/// Whether the answer is a single row without a value or with a count of 0.
fn is_nothing(meaning: &Meaning, data: &ChartData) -> bool {
    let first = data.rows.first().and_then(|row| row.first());
    meaning.groups.is_empty()
        && meaning.rows.is_none()
        && match first {
            None | Some(Value::Null) => true,
            Some(value) => {
                matches!(meaning.numbers.first(), Some(Num::Count)) && number(value).is_some_and(|count| count < 0.5)
            }
        }
}

/// The sentence for no rows. It names the days that the data covers, if that may be the reason.
fn nothing(meaning: &Meaning, world: &World, rows: &str) -> String {
    let asked = meaning.conditions.iter().find_map(|condition| match condition {
        Condition::Spans { place, .. } => world.fields[place.field].days,
        _ => None,
    });
    match asked {
        Some((first, last)) => {
            let day = |day: &chrono::NaiveDate| day.format("%-d %B %Y").to_string();
            format!("No {rows} match. Your data covers {} to {}.", day(&first), day(&last))
        }
        None => format!("No {rows} match."),
    }
}

/// A day, or what else is no number.
fn moment(value: &Value) -> String {
    let text = cell(value);
    let day = text.get(..10).and_then(|day| day.parse::<chrono::NaiveDate>().ok());
    day.map_or_else(|| escaped(&text), |day| day.format("%-d %B %Y").to_string())
}

struct Teller<'a> {
    meaning: &'a Meaning,
    world: &'a World,
    data: &'a ChartData,
    width: usize,
    locale: Locale,
}

impl Teller<'_> {
    fn written(&self, value: f64, measure: usize) -> String {
        let measure = self.meaning.numbers.get(measure);
        let format = measure.and_then(|measure| picture::format(measure, self.world)).unwrap_or_default();
        let format: NumberFormat = serde_json::from_value(format).unwrap_or_default();
        format::number(value, &format, &self.locale)
    }

    fn alone(&self, rows: &str) -> String {
        let Some(row) = self.data.rows.first() else { return String::new() };
        let written = |at: usize, value: &Value| number(value).map_or_else(|| moment(value), |value| self.written(value, at));
        let values: Vec<String> = row.iter().enumerate().map(|(at, value)| written(at, value)).collect();
        match (self.counted(rows), values.as_slice()) {
            (Some(rows), [one]) if one == "1" => format!("There is **1 {}**.", singular(&rows)),
            (Some(rows), [count]) => format!("There are **{count} {rows}**."),
            _ => format!("It is **{}**.", values.join("** and **")),
        }
    }

    /// What the only number counts, in the plural. A measure that counts rows is called like what it counts, or not like it at all.
    fn counted(&self, rows: &str) -> Option<String> {
        match self.meaning.numbers.as_slice() {
            [Num::Count] => Some(rows.to_owned()),
            [Num::Declared(at)] if self.world.numbers[*at].counts_rows() => {
                let label = small(&self.world.numbers[*at].label);
                let says_number = label.split(' ').any(|word| matches!(word, "number" | "count" | "total" | "of"));
                (!says_number && is_plural(label.split(' ').next_back()?)).then_some(label)
            }
            _ => None,
        }
    }

    /// The name of a row: its dimensions' values.
    fn name(&self, row: &[Value]) -> String {
        let shown = if picture::names_alone(self.meaning, self.world, self.data) { 1 } else { self.width };
        let parts = row.iter().zip(&self.meaning.groups).take(shown).map(|(value, group)| match group.grain {
            Some(grain) => period(value, grain),
            None => escaped(&cell(value)),
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    fn values(&self) -> Vec<(&[Value], f64)> {
        let at = self.width;
        self.data.rows.iter().filter_map(|row| Some((row.as_slice(), number(row.get(at)?)?))).collect()
    }

    fn adds_up(&self) -> bool {
        matches!(self.meaning.numbers.first(), Some(Num::Count | Num::Money(_) | Num::Of(Aggregate::Sum, _)))
    }

    /// A time series: its first and last value, its peak.
    fn series(&self, grain: Grain) -> String {
        let values = self.values();
        let (Some(first), Some(last)) = (values.first(), values.last()) else { return String::new() };
        let top = values.iter().fold(first, |top, here| if here.1 > top.1 { here } else { top });
        let low = values.iter().fold(first, |low, here| if here.1 < low.1 { here } else { low });
        let name = |row: &[Value]| row.first().map(|value| period(value, grain)).unwrap_or_default();
        if values.len() == 1 {
            return format!("{}: **{}**.", name(first.0), self.written(first.1, 0));
        }
        let change =
            if first.1.abs() > f64::EPSILON && self.adds_up() && matches!(grain, Grain::Month | Grain::Quarter | Grain::Year) {
                let change = (last.1 - first.1) / first.1.abs() * 100.0;
                format!(" ({}{:.0} %)", if change < 0.0 { "−" } else { "+" }, change.abs())
            } else {
                String::new()
            };
        let mut text = format!(
            "From **{}** ({}) to **{}** ({}){change}; the highest is {} ({}), the lowest {} ({}).",
            self.written(first.1, 0),
            name(first.0),
            self.written(last.1, 0),
            name(last.0),
            self.written(top.1, 0),
            name(top.0),
            self.written(low.1, 0),
            name(low.0)
        );
        if self.adds_up() {
            let total: f64 = values.iter().map(|(_, value)| value).sum();
            text += &format!(" {} in all.", self.written(total, 0));
        }
        text
    }

    /// Groups: the first, its share, the next ones.
    fn ranking(&self) -> String {
        let mut values = self.values();
        if values.is_empty() {
            return self.moments();
        }
        let down = self.meaning.descending != Some(false);
        values.sort_by(|a, b| if down { b.1.total_cmp(&a.1) } else { a.1.total_cmp(&b.1) });
        let (row, value) = values[0];
        if values.len() == 1 {
            return format!("{}: **{}**.", self.name(row), self.written(value, 0));
        }
        let mut text =
            format!("{} is {} with **{}**", self.name(row), if down { "first" } else { "last" }, self.written(value, 0));
        let total: f64 = values.iter().map(|(_, value)| value).sum();
        let complete = self.meaning.limit.is_none() && self.meaning.having.is_empty() && !self.data.truncated;
        if self.adds_up() && complete && total > 0.0 {
            text += &format!(" ({:.1} % of {})", value / total * 100.0, self.written(total, 0));
        }
        let next: Vec<String> = values[1..]
            .iter()
            .take(2)
            .map(|(row, value)| format!("{} ({})", self.name(row), self.written(*value, 0)))
            .collect();
        text += &format!(", then {}", next.join(" and "));
        if complete && values.len() > 3 {
            text += &format!("; {} in all", values.len());
        }
        text + "."
    }

    /// Groups with a day each, as the query orders them.
    fn moments(&self) -> String {
        let told =
            self.data.rows.iter().take(3).filter_map(|row| Some(format!("{} ({})", self.name(row), moment(row.last()?))));
        let told: Vec<String> = told.collect();
        if told.is_empty() { String::new() } else { format!("{}.", told.join(", ")) }
    }

    /// Several dimensions: the greatest cell.
    fn peak(&self) -> String {
        let values = self.values();
        let Some(top) = values.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else { return String::new() };
        format!("The highest is **{}** ({}).", self.written(top.1, 0), self.name(top.0))
    }
}
