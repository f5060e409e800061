//! `See as…`: a measure or metric of the semantic model as a chosen user sees it, with its newest months and the rows behind it.

use super::catalog::columns;
use crate::{
    concepts::{access, connections::OpenConnection},
    flows::model_query,
    ground::{
        error::{Error, Result},
        state::App,
    },
};
use inlay_contract::{
    chart::question::Grain,
    data::ChartData,
    ids::ProjectUserId,
    model::{ModelGroup, ModelOrder, ModelQuery},
};
use inlay_query::{Compiled, Model, Query, SecurityContext, SourceKindExt, Today, compile, shape};

/// The number of months.
const MONTHS: u32 = 12;
/// The number of rows behind a number.
const ROWS: u32 = 20;

/// What a user sees of a number. The operator may read what viewers may not: the missing property, the source's error.
#[derive(Clone, Debug)]
pub struct NumberTrial {
    /// What is computed, as a sentence. `None` for a number that has no meaning without periods.
    pub sentence: Option<String>,
    /// The number over all rows of the user, in one row and column; or why there is none.
    pub whole: Result<ChartData, String>,
    /// The newest months and their numbers, if the number can be computed by month.
    pub months: Option<Result<ChartData, String>>,
    /// The first rows behind the number. `None` if they are not the rows of one table.
    pub behind: Option<Result<ChartData, String>>,
}

/// Whose data is asked for, by which definitions, and when.
struct Asking<'a> {
    app: &'a App,
    connection: &'a OpenConnection,
    model: &'a Model,
    context: SecurityContext,
    today: Today,
}

/// A measure or metric as a project user sees it now, by the definitions of a model: the connection's own, or one that is not saved.
///
/// # Errors
/// 404 when the connection's project has no such user.
pub async fn see_as(
    app: &App,
    connection: &OpenConnection,
    model: &Model,
    number: &str,
    user: ProjectUserId,
    today: Today,
) -> Result<NumberTrial> {
    let context = access::security_context_of(app, connection.project, user).await?;
    let context = context.ok_or_else(|| Error::not_found("Project user"))?;
    let asking = Asking { app, connection, model, context, today };
    let query = ModelQuery { measures: vec![number.to_owned()], ..ModelQuery::default() };
    let (sentence, mut whole, behind) = match asking.compiled(&query) {
        Err(why) => (None, Err(why), None),
        Ok(compiled) => {
            let whole = asking.rows(&compiled.sql).await;
            let behind = match &compiled.behind {
                Some(sql) => asking.behind(sql).await,
                None => None,
            };
            (Some(compiled.sentence), whole, behind)
        }
    };
    // A number without a default time, or one that cannot be computed by month, has no months.
    let months = match asking.compiled(&by_month(query)) {
        Ok(compiled) => Some(asking.rows(&compiled.sql).await.map(|rows| labelled(rows, &compiled))),
        Err(_) => None,
    };
    if sentence.is_none() && months.is_some() {
        whole = Err("This number is computed along periods: see the months below.".to_owned());
    }
    Ok(NumberTrial { sentence, whole, months, behind })
}

/// The newest months of a query's numbers, the newest first, by the default time of each table.
fn by_month(query: ModelQuery) -> ModelQuery {
    let month = ModelGroup { grain: Some(Grain::Month), ..ModelGroup::of("time") };
    let newest_first = ModelOrder { by: month.column(), descending: true };
    ModelQuery { dimensions: vec![month], sort: vec![newest_first], limit: Some(MONTHS), ..query }
}

/// Rows with the labels of their columns in place of the names.
fn labelled(mut rows: ChartData, compiled: &Compiled) -> ChartData {
    for (column, described) in rows.columns.iter_mut().zip(&compiled.columns) {
        column.name.clone_from(&described.label);
    }
    rows
}

impl Asking<'_> {
    fn compiled(&self, query: &ModelQuery) -> Result<Compiled, String> {
        compile(self.connection.source.kind, self.model, query, self.today.day).map_err(|problem| problem.why)
    }

    async fn rows(&self, sql: &str) -> Result<ChartData, String> {
        let answer = model_query::rows(self.app, self.connection, &self.context, &Query::compiled(sql, self.today)).await;
        answer.map(|rows| rows.into_data()).map_err(|problem| problem.context.unwrap_or(problem.message))
    }

    /// The first rows of the table that a query gathers, with its visible columns.
    async fn behind(&self, sql: &str) -> Option<Result<ChartData, String>> {
        let OpenConnection { source, catalog, .. } = self.connection;
        let shape = shape(source.kind, sql, catalog).ok().flatten()?;
        let rows = shape.behind(|_| true)?;
        let table = self.connection.tables.iter().find(|table| Some(table.name.as_str()) == rows.table())?;
        let known = match columns(self.app, self.connection, &table.name).await {
            Ok(known) => known?,
            Err(problem) => return Some(Err(problem.message)),
        };
        let hidden = |name: &str| table.columns.iter().any(|(own, about)| about.hidden && source.kind.same_name(own, name));
        let visible: Vec<String> = known.into_iter().map(|column| column.name).filter(|name| !hidden(name)).collect();
        Some(self.rows(&rows.rows(&visible, ROWS)).await)
    }
}
