//! Which rows of an answer are kept, and their order.

use super::{
    metrics::name_of,
    reference::{Case, Cell},
};
use inlay_contract::{
    chart::question::{Comparison, Cycle},
    model::{ModelGroup, ModelQuery},
};

impl Case<'_> {
    /// The names of the answer's columns.
    fn names(&self) -> Vec<String> {
        let groups = self.query.dimensions.iter().map(ModelGroup::column);
        let measures: Vec<String> = self.asked.iter().enumerate().map(|(at, how)| name_of(at, how)).collect();
        let earlier = measures.iter().filter(|_| self.query.compare.is_some());
        let earlier: Vec<String> = earlier.map(|name| format!("{name}{}", ModelQuery::PREVIOUS)).collect();
        groups.chain(measures).chain(earlier).collect()
    }

    pub(super) fn is_kept(&self, row: &[Option<Cell>]) -> bool {
        let names = self.names();
        self.query.having.iter().all(|having| {
            let at = names.iter().position(|name| *name == having.measure).expect("a measure");
            let Some(Cell::Number(number)) = row[at] else { return false };
            match having.comparison {
                Comparison::Below => number < having.than,
                Comparison::AtMost => number <= having.than,
                Comparison::Equal => (number - having.than).abs() < 1e-9,
                Comparison::NotEqual => (number - having.than).abs() >= 1e-9,
                Comparison::AtLeast => number >= having.than,
                Comparison::Above => number > having.than,
            }
        })
    }

    pub(super) fn order(&self, one: &[Option<Cell>], other: &[Option<Cell>]) -> std::cmp::Ordering {
        let names = self.names();
        let asked = self.query.sort.iter().map(|sort| (sort.by.clone(), sort.descending));
        let rest = names[..self.query.dimensions.len()].iter().map(|name| (name.clone(), false));
        for (name, descending) in asked.chain(rest) {
            let at = names.iter().position(|own| *own == name).expect("a column");
            let by = match (&one[at], &other[at]) {
                (None, None) => std::cmp::Ordering::Equal,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(_), None) => std::cmp::Ordering::Less,
                (Some(Cell::Number(a)), Some(Cell::Number(b))) => a.total_cmp(b),
                (Some(Cell::Text(a)), Some(Cell::Text(b))) => a.cmp(b),
                _ => panic!("a column of two kinds"),
            };
            let is_weekday = self.query.dimensions.get(at).is_some_and(|group| group.cycle == Some(Cycle::Weekday));
            let by = if is_weekday { place_of(&one[at]).cmp(&place_of(&other[at])) } else { by };
            let missing = one[at].is_none() || other[at].is_none();
            let by = if descending && !missing { by.reverse() } else { by };
            if by.is_ne() {
                return by;
            }
        }
        std::cmp::Ordering::Equal
    }
}

/// The place of a day in its week; none behind all.
fn place_of(cell: &Option<Cell>) -> usize {
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    days.iter().position(|day| matches!(cell, Some(Cell::Text(text)) if text == day)).unwrap_or(days.len())
}
