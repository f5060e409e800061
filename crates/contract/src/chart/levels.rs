//! Treemaps and sunbursts.

use super::{
    colours,
    definition::{ChartType, Names},
    frame::{Frame, number, text},
    problem::ChartProblem,
    style,
};
use serde_json::{Map, Value, json};

/// The most branches of a node. Smaller ones are left out.
const MOST_BRANCHES: usize = 100;

/// A name with its value and its parts.
#[derive(Default)]
struct Node {
    name: String,
    value: f64,
    children: Vec<Node>,
}

impl Node {
    fn add(&mut self, path: &[String], value: f64) {
        self.value += value;
        let Some((name, rest)) = path.split_first() else { return };
        let place = self.children.iter().position(|child| child.name == *name).unwrap_or_else(|| {
            self.children.push(Self { name: name.clone(), ..Self::default() });
            self.children.len() - 1
        });
        self.children[place].add(rest, value);
    }

    fn sort(&mut self) {
        self.children.sort_by(|one, two| two.value.total_cmp(&one.value));
        self.children.truncate(MOST_BRANCHES);
        self.children.iter_mut().for_each(Self::sort);
    }

    /// The node for ECharts, in its branch's colour. Each level is slightly paler.
    fn value(&self, frame: &Frame<'_>, colour: &str, depth: u32) -> Value {
        let own = colours::faded(frame, colour, f64::from(depth.min(2)) * 0.14);
        let mut node = Map::new();
        node.insert("name".into(), json!(self.name));
        node.insert("value".into(), json!(self.value));
        node.insert("label".into(), json!({"color": colours::text_on(&own)}));
        // A branch is drawn as a frame around its parts, with its name on top.
        node.insert(
            "itemStyle".into(),
            if frame.definition.kind == ChartType::Treemap {
                json!({"color": own, "borderColor": own})
            } else {
                json!({"color": own})
            },
        );
        node.insert("upperLabel".into(), json!({"color": colours::text_on(&own)}));
        if !self.children.is_empty() {
            let children: Vec<Value> = self.children.iter().map(|child| child.value(frame, colour, depth + 1)).collect();
            node.insert("children".into(), json!(children));
        }
        Value::Object(node)
    }
}

/// The option of a treemap or sunburst.
pub(super) fn option(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let encoding = &frame.definition.encoding;
    let labels = frame.columns("label", encoding.label.as_ref().map_or(&[], Names::as_slice))?;
    let value = frame.column("value", encoding.value.as_deref())?;
    frame.numbers(value)?;
    let format = frame.format(value.name);
    let mut root = Node::default();
    for (row, value) in frame.cells(value).map(number).enumerate() {
        let path: Vec<String> =
            labels.iter().map(|label| frame.cells(*label).nth(row).map_or_else(String::new, text)).collect();
        if let Some(value) = value.filter(|value| *value > 0.0) {
            root.add(&path, value);
        }
    }
    root.sort();
    let names: Vec<String> = root.children.iter().map(|child| child.name.clone()).collect();
    let colours = branch_colours(frame, &root.children, &names);
    let data: Vec<Value> = root.children.iter().zip(&colours).map(|(child, colour)| child.value(frame, colour, 0)).collect();
    let tip =
        json!({"kind": "item", "title": "path", "rows": [{"label": frame.title(value.name), "at": null, "format": format}]});
    let series = match frame.definition.kind {
        ChartType::Sunburst => sunburst(frame, data),
        _ => treemap(frame, data, labels.len()),
    };
    Ok(style::with(frame, json!({"series": [series], "tooltip": style::tooltip(frame, "item", "none", tip)})))
}

/// The colours of branches: by name if there are few, otherwise shades of one colour, the largest darkest.
fn branch_colours(frame: &Frame<'_>, branches: &[Node], names: &[String]) -> Vec<String> {
    if branches.len() <= 10 {
        return colours::of_names(frame, names);
    }
    let most = branches.first().map_or(1.0, |branch| branch.value);
    branches
        .iter()
        .map(|branch| colours::faded(frame, &frame.theme.accent, 0.72 * (1.0 - (branch.value / most).sqrt())))
        .collect()
}

fn treemap(frame: &Frame<'_>, data: Vec<Value>, levels: usize) -> Value {
    let mut steps = vec![json!({"itemStyle": {"gapWidth": 3, "borderWidth": 0, "borderColor": frame.theme.raised}})];
    let inner = json!({"itemStyle": {"gapWidth": 1, "borderWidth": 1},
        "upperLabel": {"show": true, "height": 20, "fontSize": 12, "fontWeight": 600, "padding": [0, 4]}});
    steps.extend((1..levels).map(|_| inner.clone()));
    json!({"id": "series:0", "type": "treemap", "left": 0, "right": 0, "top": 0, "bottom": 0, "roam": false, "nodeClick": false,
        "breadcrumb": {"show": false}, "data": data, "levels": steps, "itemStyle": {"borderRadius": 2},
        "label": {"show": true, "fontSize": 12, "position": "insideTopLeft", "padding": [2, 2], "overflow": "truncate"},
        "upperLabel": {"show": false}, "emphasis": {"disabled": true}})
}

fn sunburst(frame: &Frame<'_>, data: Vec<Value>) -> Value {
    json!({"id": "series:0", "type": "sunburst", "radius": ["22%", "96%"], "nodeClick": false, "sort": null, "data": data,
        "itemStyle": {"borderColor": frame.theme.raised, "borderWidth": 1.5, "borderRadius": 2},
        "label": {"show": true, "fontSize": 12, "rotate": "radial", "minAngle": 16, "overflow": "truncate", "width": 64},
        "emphasis": {"focus": "ancestor"}, "blur": {"itemStyle": {"opacity": 0.5}}})
}
