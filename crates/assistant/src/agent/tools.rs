//! The tools that a model can call, and their results.

use super::{Agent, prompt, query_schema};
use crate::{
    Assumed,
    assistant::Request,
    conversation::{Chart, ToolResult},
    data::ModelRows,
    markdown::Strainer,
    model::{Call, Tool},
    proof,
    scope::Scope,
    transcript::Transcript,
};
use inlay_contract::{
    chart::{
        self,
        definition::{ChartDefinition, Encoding},
        options::ChartOptions,
    },
    data::ChartData,
    model::ModelQuery,
    theme::ChartTheme,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The most characters of a cell that a model reads.
const CELL: usize = 200;
/// The longest SQL that a model may send, in bytes.
const LONGEST_SQL: usize = 20_000;
/// The most charts of an answer.
const CHARTS: usize = 6;

/// The most bytes of one chart option.
const LONGEST_OPTION: usize = 2_000;

const OPTIONS: &[&str] = &[
    "format",
    "formats",
    "labels",
    "stacked",
    "horizontal",
    "smooth",
    "sort",
    "limit",
    "others",
    "xTitle",
    "yTitle",
    "goal",
    "valueLabels",
    "lowerIsBetter",
    "signed",
    "lines",
    "right",
    "total",
    "min",
    "max",
];

const KINDS: &[&str] = &[
    "number",
    "line",
    "area",
    "bar",
    "combo",
    "radar",
    "pie",
    "donut",
    "treemap",
    "sunburst",
    "funnel",
    "scatter",
    "bubble",
    "heatmap",
    "calendar",
    "gauge",
    "sankey",
    "boxplot",
    "histogram",
    "waterfall",
    "map",
    "table",
    "pivot",
];

/// The tools of an answer.
pub(super) fn tools(request: &Request) -> Vec<Tool> {
    let Scope { model, model_only, .. } = &request.scope;
    let sql = (!model_only).then(|| json!({"type": "string", "description": "One SELECT statement"}));
    let query = model.as_ref().map(query_schema::query);
    let mut tools = vec![Tool {
        name: "look_at_catalog",
        description: "The columns of a table, its dimensions, and the most frequent values of its text columns.",
        parameters: json!({"type": "object", "properties": {"table": {"type": "string"}}, "required": ["table"]}),
    }];
    if let Some(query) = &query {
        tools.push(Tool {
            name: "query_model",
            description: "Answers a query of the semantic model with the viewer's rows: measures for each of some dimensions. Returns the first rows of \
                the result, and in words what was worked out.",
            parameters: json!({"type": "object", "properties": {"query": query}, "required": ["query"]}),
        });
    }
    if let Some(sql) = &sql {
        tools.push(Tool {
            name: "run_sql",
            description: "Runs a SELECT over the viewer's rows and returns the first rows of the result.",
            parameters: json!({"type": "object", "properties": {"sql": sql}, "required": ["sql"]}),
        });
    }
    tools.push(generate_chart(query, sql));
    if !request.charts.is_empty() {
        tools.push(Tool {
            name: "read_chart",
            description: "The rows of a chart on the viewer's screen, with the filters that are set now.",
            parameters: json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}),
        });
    }
    tools
}

/// The tool that draws: of a query of the semantic model, of SQL, or of either.
fn generate_chart(query: Option<Value>, sql: Option<Value>) -> Tool {
    let mut parameters = json!({"type": "object", "properties": {
        "title": {"type": "string"}, "type": {"type": "string", "enum": KINDS},
        "encoding": {"type": "object"}, "options": {"type": "object"}}, "required": ["title", "type", "encoding"]});
    for (name, schema) in [("query", query), ("sql", sql)] {
        if let Some(schema) = schema {
            parameters["properties"][name] = schema;
        }
    }
    Tool {
        name: "generateChart",
        description: "Draws a chart for the viewer from one query. encoding names columns of its result: line, area, bar, combo, radar {x, y: [..], \
            series?}; pie, donut, treemap, funnel {label, value}; number {value, compare?}; scatter, bubble {x, y: [..], size?}; heatmap {x, y, value}; \
            calendar {date, value}; map {latitude, longitude, value, label}; histogram {x}; table {columns}; pivot {rows, columns, value}.",
        parameters,
    }
}

/// The step that the viewer sees while a tool runs.
pub(super) fn step(tool: &str) -> &'static str {
    match tool {
        "look_at_catalog" => "Looking at the data",
        "run_sql" | "query_model" => "Reading the rows",
        "generateChart" => "Drawing a chart",
        "read_chart" => "Looking at the dashboard",
        _ => "Working",
    }
}

#[derive(Deserialize)]
struct Look {
    table: String,
}

#[derive(Deserialize)]
struct Run {
    sql: String,
}

#[derive(Deserialize)]
struct Ask {
    query: Value,
}

#[derive(Deserialize)]
struct Read {
    id: String,
}

#[derive(Deserialize)]
struct Draw {
    title: String,
    #[serde(rename = "type")]
    kind: Value,
    #[serde(default)]
    query: Option<Value>,
    #[serde(default)]
    sql: Option<String>,
    #[serde(default)]
    encoding: Value,
    #[serde(default)]
    options: Map<String, Value>,
}

impl Agent<'_> {
    /// Runs a tool. The result or the error is text for the model.
    pub(super) async fn run(&mut self, call: &Call, transcript: &mut Transcript) -> Result<String, String> {
        match call.name.as_str() {
            "look_at_catalog" => self.look(&arguments::<Look>(call)?.table).await,
            "query_model" => {
                let ModelRows { rows, sentence, .. } = self.query_model(&read_query(arguments::<Ask>(call)?.query)?).await?;
                let mut told = shown(&rows, self.limits.rows, self.limits.row_bytes);
                told["says"] = json!(sentence);
                Ok(told.to_string())
            }
            "run_sql" => {
                let data = self.query(&arguments::<Run>(call)?.sql).await?;
                Ok(shown(&data, self.limits.rows, self.limits.row_bytes).to_string())
            }
            "generateChart" => self.draw(arguments(call)?, transcript).await,
            "read_chart" => {
                let id = arguments::<Read>(call)?.id;
                let chart =
                    self.request.charts.iter().find(|chart| chart.id == id).ok_or("No chart on the screen has that id.")?;
                Ok(shown(&chart.data, self.limits.rows, self.limits.row_bytes).to_string())
            }
            _ => Err("No tool has that name.".to_owned()),
        }
    }

    async fn look(&self, name: &str) -> Result<String, String> {
        let table = self
            .request
            .scope
            .tables
            .iter()
            .find(|table| table.name == name)
            .ok_or("No table in the catalogue has that name.")?;
        let mut shown = prompt::table(table);
        let tables = self.request.scope.model.iter().flat_map(|model| &model.tables);
        if let Some(table) = tables.into_iter().find(|table| table.name == name) {
            shown["dimensions"] = json!(table.dimensions);
        }
        let texts = table.columns.iter().filter(|column| column.kind == inlay_contract::data::ColumnType::Text).take(8);
        for column in texts {
            if let Ok(values) = self.data.values(name, &column.name).await {
                let values: Vec<Value> = values.iter().take(12).map(cut).collect();
                shown["frequentValues"][&column.name] = Value::Array(values);
            }
        }
        Ok(shown.to_string())
    }

    async fn query(&mut self, sql: &str) -> Result<ChartData, String> {
        self.may_ask()?;
        let answer = if self.request.scope.model_only {
            Err("SQL is not allowed here. Use query_model.".to_owned())
        } else if sql.len() > LONGEST_SQL {
            Err("The statement is too long.".to_owned())
        } else {
            self.data.query(sql).await.map_err(|problem| format!("The query was refused: {}", problem.message))
        };
        self.failed_queries += usize::from(answer.is_err());
        answer
    }

    async fn query_model(&mut self, query: &ModelQuery) -> Result<ModelRows, String> {
        self.may_ask()?;
        let answer = if self.request.scope.model.is_none() {
            Err("There is no semantic model here.".to_owned())
        } else {
            self.data
                .query_model(query, &Assumed::default())
                .await
                .map_err(|problem| format!("The query was refused: {}", problem.message))
        };
        self.failed_queries += usize::from(answer.is_err());
        answer
    }

    /// Refuses further queries after several that were refused.
    fn may_ask(&self) -> Result<(), String> {
        if self.failed_queries >= self.limits.failed_queries {
            return Err("Too many queries were refused. Answer with what you have.".to_owned());
        }
        Ok(())
    }

    async fn draw(&mut self, draw: Draw, transcript: &mut Transcript) -> Result<String, String> {
        if transcript.results.len() >= CHARTS {
            return Err("This answer has the maximum number of charts.".to_owned());
        }
        let kind = KINDS.iter().any(|kind| draw.kind == *kind).then(|| serde_json::from_value(draw.kind).ok()).flatten();
        let kind = kind.ok_or("There is no chart of that type.")?;
        let encoding = Encoding::deserialize(draw.encoding).map_err(|error| format!("The encoding cannot be read: {error}"))?;
        let title = plain(&draw.title);
        let options = known_options(draw.options);
        let definition = ChartDefinition { title, kind, encoding, options, sql_override: None, cache_seconds: None };
        let (definition, data, proof) = match (draw.query, draw.sql) {
            (Some(query), None) => {
                let query = read_query(query)?;
                let ModelRows { rows, sentence, .. } = self.query_model(&query).await?;
                (definition.asking_model(Some(&query)), rows, proof::of_query(&query, &sentence, &self.request.scope))
            }
            (None, Some(sql)) => {
                let data = self.query(&sql).await?;
                (ChartDefinition { sql_override: Some(sql), ..definition }, data, proof::of_written_sql())
            }
            _ => return Err("A chart needs one query: `query` of the semantic model or `sql`.".to_owned()),
        };
        check(&definition, &data)?;
        let seen = shown(&data, self.limits.rows.min(20), self.limits.row_bytes / 2);
        transcript.draw(ToolResult::chart(&Chart { chart_config: definition, data, proof: Some(proof) })).await;
        Ok(json!({"drawn": true, "data": seen}).to_string())
    }
}

fn read_query(query: Value) -> Result<ModelQuery, String> {
    if query.to_string().len() > LONGEST_SQL {
        return Err("The query is too long.".to_owned());
    }
    // Totals are no rows of a chart.
    let query = ModelQuery::deserialize(query).map_err(|error| format!("The query cannot be read: {error}."))?;
    Ok(ModelQuery { totals: false, ..query })
}

/// Checks whether the rows can be drawn as this chart.
fn check(definition: &ChartDefinition, data: &ChartData) -> Result<(), String> {
    let encoding = serde_json::to_value(&definition.encoding).unwrap_or_default();
    let parts =
        encoding.as_object().into_iter().flatten().filter(|(part, _)| !matches!(part.as_str(), "max" | "bins" | "markdown"));
    for (part, names) in parts {
        let names = names.as_array().map_or_else(|| vec![names], |names| names.iter().collect());
        if let Some(missing) = names.into_iter().filter_map(Value::as_str).find(|name| data.position(name).is_none()) {
            let columns: Vec<&str> = data.columns.iter().map(|column| column.name.as_str()).collect();
            let columns = columns.join(", ");
            return Err(format!(
                "encoding.{part} names `{missing}`, which is not a column of the result. Its columns: {columns}."
            ));
        }
    }
    ChartOptions::read(&definition.options).map_err(|problem| problem.to_string())?;
    if definition.kind.is_html() || data.rows.is_empty() {
        return Ok(());
    }
    chart::option(definition, data, &ChartTheme::default(), "en").map(drop).map_err(|problem| problem.to_string())
}

fn arguments<T: for<'de> Deserialize<'de>>(call: &Call) -> Result<T, String> {
    serde_json::from_str(&call.arguments).map_err(|_| "The arguments are not valid JSON for this tool.".to_owned())
}

/// Reduces a title to one line of text without links.
fn plain(title: &str) -> String {
    let line: String = title.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(120).collect();
    let mut strainer = Strainer::default();
    let strained = strainer.push(&line) + &strainer.flush();
    strained.trim().to_owned()
}

/// Keeps the known options of charts and drops all others.
fn known_options(options: Map<String, Value>) -> Map<String, Value> {
    let small = |value: &Value| value.to_string().len() <= LONGEST_OPTION;
    options.into_iter().filter(|(name, value)| OPTIONS.contains(&name.as_str()) && small(value)).collect()
}

/// Rows as a model reads them, limited in number and size.
pub(super) fn shown(data: &ChartData, rows: usize, bytes: usize) -> Value {
    let columns: Vec<&str> = data.columns.iter().map(|column| column.name.as_str()).collect();
    let mut kept: Vec<Vec<Value>> = Vec::new();
    let mut size = 0;
    for row in data.rows.iter().take(rows) {
        let row: Vec<Value> = row.iter().map(cut).collect();
        size += row.iter().map(|cell| cell.to_string().len() + 1).sum::<usize>();
        if size > bytes {
            break;
        }
        kept.push(row);
    }
    json!({"columns": columns, "rows": kept, "rowCount": data.rows.len(), "complete": kept.len() == data.rows.len() && !data.truncated})
}

/// Shortens a cell.
fn cut(cell: &Value) -> Value {
    let text = match cell {
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => cell.to_string(),
        _ => return cell.clone(),
    };
    if text.chars().count() > CELL {
        Value::String(text.chars().take(CELL).collect::<String>() + "…")
    } else {
        Value::String(text)
    }
}
