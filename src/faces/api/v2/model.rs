//! `POST /v2/api/projects/{projectId}/query` and `GET …/model` (docs/model.md).

use crate::{
    concepts::access::{Authorized, HostOrViewer},
    flows::model_query::{self, Asked},
    ground::{
        error::{Result, refusals},
        state::App,
        web::{
            Answer, Path,
            body::{BodyObject, FreeText, FromValue, Integer, Json, List, Text, anything, body, simple},
            rows,
        },
    },
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use inlay_contract::{
    chart::question::{Comparison, Cycle, Grain},
    filter::FilterValue,
    format::NumberFormat,
    ids::ProjectId,
    model::{Aggregate, Compare, Measure, Metric, ModelAnswer, ModelFilter, ModelGroup, ModelHaving, ModelOrder, ModelQuery},
};
use inlay_query::ModelTable;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::{
    IntoParams, ToSchema,
    openapi::{RefOr, Schema, Type},
};

/// A project.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct ProjectPath {
    project_id: ProjectId,
}

/// The values that a filter keeps.
#[derive(Debug)]
struct Wanted(FilterValue);

impl FromValue for Wanted {
    fn from_value(value: &Value) -> std::result::Result<Self, String> {
        FilterValue::from_json(value.clone()).map(Self).map_err(|problem| format!("is not valid: {problem}"))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        anything(about)
    }
}

/// A number.
#[derive(Debug)]
struct Number(f64);

impl FromValue for Number {
    fn from_value(value: &Value) -> std::result::Result<Self, String> {
        value.as_f64().filter(|number| number.is_finite()).map(Self).ok_or_else(|| "must be a number".to_owned())
    }

    fn schema(about: &str) -> RefOr<Schema> {
        simple(Type::Number, about).into()
    }
}

/// Metrics by name.
#[derive(Debug)]
struct Metrics(BTreeMap<String, Metric>);

impl FromValue for Metrics {
    fn from_value(value: &Value) -> std::result::Result<Self, String> {
        serde_json::from_value(value.clone()).map(Self).map_err(|problem| format!("must hold metrics by name: {problem}"))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        simple(Type::Object, about).into()
    }
}

body! {
    /// A query of the model.
    struct ModelQueryBody {
        /// Names of measures and metrics. Without any, the different values of the dimensions are answered.
        measures: Option<List<Text, 0, 100>>,
        /// Metrics of this query alone, by name, as in the project file: `ratio`, `formula`, `running`, `toDate`, `moving`, `total` or `share`.
        metrics: Option<Metrics>,
        /// What the measures are taken for each of.
        dimensions: Option<List<ModelGroupBody, 0, 100>>,
        /// Which rows count. All filters must hold.
        filters: Option<List<ModelFilterBody, 0, 100>>,
        /// Which rows of the answer are kept.
        having: Option<List<ModelHavingBody, 0, 100>>,
        /// The order of the answer; that of the dimensions when left out. Rows without a value come last.
        sort: Option<List<ModelOrderBody, 0, 100>>,
        /// The most rows, 1 to 50,000; 1,000 when left out.
        limit: Option<Integer<1>>,
        /// `previous` or `year`: adds each measure of an earlier period as `<measure>_previous`. The query must filter the time.
        compare: Option<Json<Compare>>,
        /// Whether to add the measures over all rows together.
        totals: Option<bool>,
        /// The connection, where measures and tables of several have the same names.
        connection: Option<Text>,
        /// IANA time zone in which days begin. Defaults to the project's.
        timezone: Option<FreeText>,
        /// Whether to query the database even if a result is cached.
        refresh: Option<bool>,
        /// Token for a database's own row policies.
        db_auth_token: Option<FreeText>,
    }
}

body! {
    /// A dimension of a query.
    struct ModelGroupBody {
        /// `table.dimension`, or `time` for the default time dimension of each measure's table.
        name: Text,
        /// The columns that lead from the measures' table to the dimension's, joined by dots. Needed where several ways do.
        via: Option<Text>,
        /// The period that days are gathered into.
        grain: Option<Json<Grain>>,
        /// `weekday`, `hour` or `partOfWeek`: the part of a week or day that moments fall into, all weeks or days together. Not with `grain`.
        cycle: Option<Json<Cycle>>,
        /// The name of its column in the answer. When left out: the dimension's name, with `_<grain>` or `_<cycle>` behind it.
        alias as "as": Option<Text<60>>,
    }
}

body! {
    /// A condition on a dimension.
    struct ModelFilterBody {
        /// `table.dimension`, or `time`.
        dimension: Text,
        /// The way to it, as in `dimensions`.
        via: Option<Text>,
        /// Compares the part of a week or day instead: `Mon` to `Sun`, `Weekday` or `Weekend`, or the hour as a number from 0 to 23.
        cycle: Option<Json<Cycle>>,
        /// A scalar, a list (any of), `{"from","to"}` or `{"relative":"last_7_days"}`.
        value: Wanted,
        /// Counts the relative period from the newest of the rows that pass all other filters, and not from today.
        newest: Option<bool>,
        /// Keeps all other rows instead, those without a value among them.
        not: Option<bool>,
    }
}

body! {
    /// A condition on a measure of the answer.
    struct ModelHavingBody {
        /// The measure.
        measure: Text,
        /// How it compares with `than`.
        comparison: Json<Comparison>,
        /// The number.
        than: Number,
    }
}

body! {
    /// An order of the answer.
    struct ModelOrderBody {
        /// A column of the answer.
        by: Text,
        /// The greatest first.
        descending: Option<bool>,
    }
}

impl ModelQueryBody {
    fn asked(self) -> Asked {
        fn all<T, const MOST: usize>(list: Option<List<T, 0, MOST>>) -> Vec<T> {
            list.map(|List(items)| items).unwrap_or_default()
        }
        let group = |one: ModelGroupBody| ModelGroup {
            name: one.name.0,
            via: one.via.map(|via| via.0),
            grain: one.grain.map(|grain| grain.0),
            cycle: one.cycle.map(|cycle| cycle.0),
            alias: one.alias.map(|alias| alias.0),
        };
        let filter = |one: ModelFilterBody| ModelFilter {
            dimension: one.dimension.0,
            via: one.via.map(|via| via.0),
            cycle: one.cycle.map(|cycle| cycle.0),
            value: one.value.0,
            newest: one.newest.unwrap_or_default(),
            not: one.not.unwrap_or_default(),
        };
        let having =
            |one: ModelHavingBody| ModelHaving { measure: one.measure.0, comparison: one.comparison.0, than: one.than.0 };
        let order = |one: ModelOrderBody| ModelOrder { by: one.by.0, descending: one.descending.unwrap_or_default() };
        let query = ModelQuery {
            measures: all(self.measures).into_iter().map(|Text(name)| name).collect(),
            metrics: self.metrics.map(|metrics| metrics.0).unwrap_or_default(),
            aggregates: BTreeMap::new(),
            dimensions: all(self.dimensions).into_iter().map(group).collect(),
            filters: all(self.filters).into_iter().map(filter).collect(),
            having: all(self.having).into_iter().map(having).collect(),
            sort: all(self.sort).into_iter().map(order).collect(),
            top: None,
            limit: self.limit.map(|Integer(limit)| u32::try_from(limit).unwrap_or(u32::MAX)),
            compare: self.compare.map(|compare| compare.0),
            totals: self.totals.unwrap_or_default(),
            ..ModelQuery::default()
        };
        Asked {
            query,
            connection: self.connection.map(|name| name.0),
            timezone: self.timezone.map(|zone| zone.0),
            refresh: self.refresh.unwrap_or_default(),
        }
    }
}

/// Answers a query of the project's semantic model with the rows that the caller may see.
#[utoipa::path(
    post,
    path = "/v2/api/projects/{projectId}/query",
    tag = "Semantic model",
    params(ProjectPath),
    request_body = ModelQueryBody,
    security(("apiKey" = []), ("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = ModelAnswer),
        (status = "default", description = refusals![ProjectNotFound, QueryFailed, RowRuleUnresolved, SourceUnavailable, QueryTimeout]),
    ),
)]
pub async fn query_model(
    State(app): State<App>,
    Path(path): Path<ProjectPath>,
    Authorized { caller, body, .. }: Authorized<HostOrViewer>,
) -> Result<Response> {
    let mut sent = ModelQueryBody::of(&body, &app.settings.limits)?;
    let database_auth = sent.db_auth_token.take().map(|token| token.0);
    let caller = match caller {
        HostOrViewer::Viewer(viewer) => HostOrViewer::Viewer(Box::new(viewer.with_database_auth(database_auth))),
        host @ HostOrViewer::Host(_) => host,
    };
    let (answer, rows) = model_query::answer(&app, &caller, path.project_id, &sent.asked()).await?;
    // The rows keep their room until they are sent.
    Ok(rows::in_pieces(Answer(answer).into_response(), rows))
}

/// The model as its users see it: names and texts, without SQL. Hidden columns and closed tables are absent.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeenModel {
    tables: Vec<SeenTable>,
    metrics: Vec<SeenMeasure>,
}

/// A table of the model.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeenTable {
    /// The connection.
    connection: String,
    /// The table's name in queries.
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// The dimension that `time` stands for beside this table's measures.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    dimensions: Vec<SeenDimension>,
    measures: Vec<SeenMeasure>,
}

/// A dimension of a table.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeenDimension {
    /// Its name in queries: `table.dimension`.
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    synonyms: Vec<String>,
    /// The table that its values lead to.
    #[serde(skip_serializing_if = "Option::is_none")]
    references: Option<String>,
}

/// A measure or a metric.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeenMeasure {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    synonyms: Vec<String>,
    /// How rows become the number. Missing at metrics.
    #[serde(skip_serializing_if = "Option::is_none")]
    aggregate: Option<Aggregate>,
    /// How its values are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<serde_json::Map<String, Value>>)]
    format: Option<NumberFormat>,
}

impl SeenMeasure {
    fn of_measure((name, measure): (&String, &Measure)) -> Self {
        Self {
            name: name.clone(),
            label: measure.label.clone(),
            description: measure.description.clone(),
            synonyms: measure.synonyms.clone(),
            aggregate: Some(measure.aggregate),
            format: measure.format.clone(),
        }
    }

    fn of_metric((name, metric): (&String, &Metric)) -> Self {
        Self {
            name: name.clone(),
            label: metric.label.clone(),
            description: metric.description.clone(),
            synonyms: metric.synonyms.clone(),
            aggregate: None,
            format: metric.format.clone(),
        }
    }
}

impl SeenTable {
    fn of(connection: &str, name: &str, table: &ModelTable) -> Self {
        let full = |dimension: &String| format!("{name}.{dimension}");
        let declared = table.model.dimensions.iter().map(|(dimension, about)| SeenDimension {
            name: full(dimension),
            label: about.label.clone(),
            description: about.description.clone(),
            synonyms: about.synonyms.clone(),
            references: None,
        });
        let columns = table.columns.iter().map(|(column, label)| SeenDimension {
            name: full(column),
            label: label.clone(),
            description: None,
            synonyms: Vec::new(),
            references: table.references.get(column).map(|reference| reference.table.clone()),
        });
        Self {
            connection: connection.to_owned(),
            name: name.to_owned(),
            label: table.label.clone(),
            time: table.model.time.as_ref().map(full),
            dimensions: declared.chain(columns).collect(),
            measures: table.model.measures.iter().map(SeenMeasure::of_measure).collect(),
        }
    }
}

/// Lists the tables, dimensions, measures and metrics of the project that queries may name.
#[utoipa::path(
    get,
    path = "/v2/api/projects/{projectId}/model",
    tag = "Semantic model",
    params(ProjectPath),
    security(("apiKey" = []), ("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = SeenModel),
        (status = "default", description = refusals![ProjectNotFound]),
    ),
)]
pub async fn see_model(
    State(app): State<App>,
    Path(path): Path<ProjectPath>,
    Authorized { caller, .. }: Authorized<HostOrViewer>,
) -> Result<Answer<SeenModel>> {
    let project = model_query::project_of(&app, &caller, path.project_id).await?;
    let models = model_query::models_of(&app, &project).await?;
    let tables = models
        .declared()
        .flat_map(|open| open.model.tables.iter().map(|(name, table)| SeenTable::of(&open.source.name, name, table)));
    Ok(Answer(SeenModel { tables: tables.collect(), metrics: project.metrics.iter().map(SeenMeasure::of_metric).collect() }))
}
