//! Queries of a project's semantic model: which connection they concern, what they answer, and the model as a viewer sees it
//! (docs/model.md).

use crate::{
    concepts::{
        access::HostOrViewer,
        connections::{self, OpenConnection},
        dashboards::data,
        projects::{self, Project},
    },
    ground::{
        error::{Error, Result},
        remembered::{Kept, Remembered},
        state::App,
        store::version::Scope,
    },
};
use inlay_contract::{
    data::ColumnType,
    ids::{OrganizationId, ProjectId},
    model::{ModelAnswer, ModelColumn, ModelQuery},
};
use inlay_query::{Answered, Compiled, NoMeaning, Query, SecurityContext, Today, compile};
use std::sync::Arc;

/// The models of a project's connections.
pub struct ProjectModel {
    organization: OrganizationId,
    connections: Vec<Arc<OpenConnection>>,
}

impl Kept for ProjectModel {
    const MOST: u64 = 1_000;

    fn scopes(&self) -> Vec<Scope> {
        vec![self.organization.into()]
    }
}

/// What is asked, and how.
#[derive(Debug)]
pub struct Asked {
    /// The query.
    pub query: ModelQuery,
    /// The connection, where measures and tables do not tell it.
    pub connection: Option<String>,
    /// IANA time zone in which days begin. Defaults to the project's.
    pub timezone: Option<String>,
    /// Whether the database is queried even if a result is cached.
    pub refresh: bool,
}

/// A project within a caller's reach.
///
/// # Errors
/// 404 `PROJECT_NOT_FOUND`.
pub async fn project_of(app: &App, caller: &HostOrViewer, id: ProjectId) -> Result<Arc<Project>> {
    let project = projects::by_id(app, id).await?;
    project.filter(|project| caller.reach().holds(project.organization, id)).ok_or_else(projects::unknown)
}

/// The models of a project's connections. Tables that nobody sees rows of are left out.
///
/// # Errors
/// The store is unavailable.
pub async fn models_of(app: &App, project: &Project) -> Result<Arc<ProjectModel>> {
    let known = app.part::<Remembered<ProjectId, ProjectModel>>();
    let read = || async {
        let ids = connections::ids(&mut app.db.read().await?.conn(), project.id).await?;
        let mut connections = Vec::new();
        for id in ids {
            connections.push(connections::open(app, id).await?);
        }
        Ok(Some(ProjectModel { organization: project.organization, connections }))
    };
    known.get(app, project.id, read).await?.ok_or_else(projects::unknown)
}

impl ProjectModel {
    /// The connections whose tables declare something.
    pub fn declared(&self) -> impl Iterator<Item = &OpenConnection> {
        self.connections.iter().map(AsRef::as_ref).filter(|open| !open.model.tables.is_empty())
    }

    /// A query's SQL, with the connection that answers it: the one that is named, or the first in which it has a meaning.
    ///
    /// # Errors
    /// 400 with the field that has no meaning.
    fn compiled(&self, asked: &Asked, today: Today) -> Result<(&OpenConnection, Compiled)> {
        let mut refused: Option<NoMeaning> = None;
        for open in self.declared() {
            if asked.connection.as_ref().is_some_and(|name| *name != open.source.name) {
                continue;
            }
            match compile(open.source.kind, &open.model, &asked.query, today.day) {
                Ok(compiled) => return Ok((open, compiled)),
                // Of several refusals the one that comes furthest knows most of the query.
                Err(problem) => {
                    let knows = |problem: &NoMeaning| !problem.why.starts_with("there is no ");
                    if refused.as_ref().is_none_or(|known| !knows(known) && knows(&problem)) {
                        refused = Some(problem);
                    }
                }
            }
        }
        Err(match (refused, &asked.connection) {
            (Some(NoMeaning { at, why }), _) => Error::invalid(&at, why),
            (None, Some(_)) => {
                Error::invalid("connection", "must name a connection of this project whose tables declare a model")
            }
            (None, None) => Error::invalid(
                "measures",
                "cannot be answered: no table of this project declares measures; declare them in the console or the project file (docs/model.md)",
            ),
        })
    }
}

/// Answers a query as the caller may see the rows. A host's key has no properties, so it sees tables without row rules alone.
///
/// # Errors
/// 404 for a project out of reach, 400 for a query that has no meaning, 401 when the viewer is deleted; 422, 503 or 504 when the
/// database refuses or does not answer.
pub async fn answer(app: &App, caller: &HostOrViewer, project: ProjectId, asked: &Asked) -> Result<(ModelAnswer, Answered)> {
    let project = project_of(app, caller, project).await?;
    let today = data::today(asked.timezone.as_deref(), &project);
    let models = models_of(app, &project).await?;
    let (open, compiled) = models.compiled(asked, today)?;
    let context = match caller {
        HostOrViewer::Viewer(viewer) => viewer.security_context(app).await?,
        HostOrViewer::Host(_) => SecurityContext::default(),
    };
    let query = |sql: &str| Query { refresh: asked.refresh, ..Query::compiled(sql, today) };
    let found = rows(app, open, &context, &query(&compiled.sql)).await?;
    let totals = match &compiled.totals {
        Some(sql) => rows(app, open, &context, &query(sql)).await?.table().rows.first().cloned(),
        None => None,
    };
    Ok((answered(&compiled, &found, totals), found))
}

/// The rows of a compiled query.
///
/// # Errors
/// 422, 503 or 504 when the database refuses or does not answer.
pub async fn rows(app: &App, open: &OpenConnection, context: &SecurityContext, query: &Query) -> Result<Answered> {
    Ok(data::ask(app, &open.source, &open.catalog, context, query).await?)
}

fn answered(compiled: &Compiled, rows: &Answered, totals: Option<Vec<serde_json::Value>>) -> ModelAnswer {
    let table = rows.table();
    let kind = |at: usize| table.columns.get(at).map_or(ColumnType::Json, |column| column.kind);
    let columns = compiled.columns.iter().enumerate().map(|(at, column)| ModelColumn {
        name: column.name.clone(),
        kind: kind(at),
        role: column.role,
        label: column.label.clone(),
        format: column.format.clone(),
    });
    let groups = compiled.columns.len() - totals.as_ref().map_or(compiled.columns.len(), Vec::len);
    let totals = totals.map(|numbers| std::iter::repeat_n(serde_json::Value::Null, groups).chain(numbers).collect());
    let shown = compiled.most.unwrap_or(usize::MAX);
    ModelAnswer {
        columns: columns.collect(),
        rows: table.rows.iter().take(shown).cloned().collect(),
        totals,
        sentence: compiled.sentence.clone(),
        truncated: table.truncated || table.rows.len() > shown,
        cached: rows.cached(),
        duration_ms: rows.duration_ms(),
    }
}
