//! `POST /v2/api/projects/{projectId}/query` and `GET …/model` (docs/model.md).

mod body;

use self::body::ModelQueryBody;
use crate::{
    concepts::access::{Authorized, HostOrViewer},
    flows::model_query,
    ground::{
        error::{Result, refusals},
        state::App,
        web::{Answer, Path, body::BodyObject, rows},
    },
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use inlay_contract::{
    format::NumberFormat,
    ids::ProjectId,
    model::{Aggregate, Measure, Metric, ModelAnswer},
};
use inlay_query::ModelTable;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A project.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct ProjectPath {
    project_id: ProjectId,
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
    let database_auth = sent.take_database_auth();
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
#[serde(rename_all = "camelCase")]
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
    /// Whether less of it is better. Missing where it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    lower_is_better: bool,
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
            lower_is_better: measure.lower_is_better,
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
            lower_is_better: metric.lower_is_better,
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
