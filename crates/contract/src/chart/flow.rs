//! Sankey diagrams.

use super::{
    colours,
    frame::{Frame, number, text},
    problem::ChartProblem,
    style,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The default limit of links.
const LINKS: usize = 60;
/// An invisible character that distinguishes a target from a source of the same name, where the links would form a cycle.
const APART: char = '\u{200b}';

/// The option of a Sankey diagram.
pub(super) fn option(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let encoding = &frame.definition.encoding;
    let source = frame.column("source", encoding.source.as_deref())?;
    let target = frame.column("target", encoding.target.as_deref())?;
    let value = frame.column("value", encoding.value.as_deref())?;
    frame.numbers(value)?;
    let mut sums: BTreeMap<(String, String), f64> = BTreeMap::new();
    let ends = frame.cells(source).map(text).zip(frame.cells(target).map(text));
    for (ends, value) in ends.zip(frame.cells(value).map(number)) {
        if let Some(value) = value.filter(|value| *value > 0.0) {
            *sums.entry(ends).or_default() += value;
        }
    }
    let mut links: Vec<((String, String), f64)> = sums.into_iter().collect();
    links.sort_by(|one, two| two.1.total_cmp(&one.1));
    links.truncate(frame.options.limit.unwrap_or(LINKS));
    if runs_in_a_circle(&links) {
        for ((_, target), _) in &mut links {
            target.push(APART);
        }
    }
    let mut names: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for name in links.iter().flat_map(|((source, target), _)| [source, target]) {
        if seen.insert(name) {
            names.push(name.clone());
        }
    }
    let shown: Vec<String> = names.iter().map(|name| name.trim_end_matches(APART).to_owned()).collect();
    let mut distinct = shown.clone();
    distinct.sort();
    distinct.dedup();
    let colours = colours::of_names(frame, &distinct);
    let colour = |name: &String| distinct.binary_search(name).map_or("", |at| colours[at].as_str());
    let nodes: Vec<Value> =
        names.iter().zip(&shown).map(|(name, shown)| json!({"name": name, "itemStyle": {"color": colour(shown)}})).collect();
    let data: Vec<Value> =
        links.iter().map(|((source, target), value)| json!({"source": source, "target": target, "value": value})).collect();
    let tip = json!({"kind": "item", "title": null, "rows": [{"label": null, "at": null, "format": frame.format(value.name)}]});
    Ok(style::with(
        frame,
        json!({"series": [{"id": "series:0", "type": "sankey", "left": 0, "right": 0, "top": 4, "bottom": 4, "nodeWidth": 10, "nodeGap": 10,
            "draggable": false, "data": nodes, "links": data, "itemStyle": {"borderWidth": 0, "borderRadius": 2},
            "lineStyle": {"color": "source", "opacity": 0.25, "curveness": 0.5},
            "label": {"color": frame.theme.text, "fontSize": 12, "distance": 6},
            "emphasis": {"focus": "adjacency", "lineStyle": {"opacity": 0.5}}, "blur": {"itemStyle": {"opacity": 0.3}, "lineStyle": {"opacity": 0.08}}}],
            "$ends": steps(&links), "tooltip": style::tooltip(frame, "item", "none", tip)}),
    ))
}

/// The number of links on the longest way through them: the gaps between the columns of nodes. The links form no cycle.
fn steps(links: &[((String, String), f64)]) -> usize {
    let mut depths: BTreeMap<&str, usize> = BTreeMap::new();
    loop {
        let mut is_deeper = false;
        for ((source, target), _) in links {
            let depth = depths.get(source.as_str()).copied().unwrap_or(0) + 1;
            let known = depths.entry(target).or_default();
            if depth > *known {
                *known = depth;
                is_deeper = true;
            }
        }
        if !is_deeper {
            return depths.into_values().max().unwrap_or(1);
        }
    }
}

/// Whether the links form a cycle. ECharts only draws graphs without one.
fn runs_in_a_circle(links: &[((String, String), f64)]) -> bool {
    let mut entering: BTreeMap<&str, usize> = BTreeMap::new();
    for ((source, target), _) in links {
        entering.entry(source).or_default();
        *entering.entry(target).or_default() += 1;
    }
    let mut free: Vec<&str> = entering.iter().filter(|(_, count)| **count == 0).map(|(name, _)| *name).collect();
    let mut visited = 0;
    while let Some(name) = free.pop() {
        visited += 1;
        for ((source, target), _) in links {
            if source == name
                && let Some(count) = entering.get_mut(target.as_str())
            {
                *count -= 1;
                if *count == 0 {
                    free.push(target);
                }
            }
        }
    }
    visited < entering.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(ends: &[(&str, &str)]) -> Vec<((String, String), f64)> {
        ends.iter().map(|(source, target)| (((*source).to_owned(), (*target).to_owned()), 1.0)).collect()
    }

    #[test]
    fn the_longest_way_is_counted() {
        assert_eq!(steps(&links(&[("b", "c"), ("a", "b"), ("a", "c"), ("c", "d")])), 3);
        assert_eq!(steps(&links(&[("a", "b"), ("a", "c")])), 1);
        assert_eq!(steps(&[]), 1);
    }

    #[test]
    fn circles_are_found() {
        assert!(runs_in_a_circle(&links(&[("ATL", "LAX"), ("LAX", "ATL")])));
        assert!(runs_in_a_circle(&links(&[("ATL", "ATL")])));
        assert!(!runs_in_a_circle(&links(&[("ATL", "LAX"), ("LAX", "SFO"), ("ATL", "SFO")])));
    }
}
