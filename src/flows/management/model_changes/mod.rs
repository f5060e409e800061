//! Changes of a project's semantic model by members: a table's part of it, measures and metrics. They pass the checks of a project
//! file, and what they break is told first.

mod change;
mod columns;
mod probing;

pub use change::{Change, ColumnPart, TablePart, To};

use super::{catalog_uses, model_uses::ModelQueries};
use crate::{
    concepts::{
        catalog,
        organizations::members::{Member, Reads, Works},
        projects, verified_answers,
    },
    flows::{
        catalogues::Catalogues,
        model_checks::{Connected, Described, Flaw, flaws},
    },
    ground::{
        audit::{self, Deed},
        error::{Code, Error, Result},
        problems::Problems,
        state::App,
        store::{Conn, version},
    },
};
use inlay_contract::ids::ProjectId;
use inlay_query::QueryError;
use serde_json::json;

/// The tables and metrics of a project as the store has them now.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn read(app: &App, by: &Member<impl Reads>, project: ProjectId) -> Result<Catalogues> {
    projects::of_organization(app, by.organization, project).await?;
    Catalogues::read(&mut app.db.read().await?.conn(), &app.sealer, project).await
}

/// The tables and metrics as a change would make them, if it is valid. Saves nothing.
///
/// # Errors
/// 404 when there is no such table, measure or metric; 400 with each invalid field, as a path in the changed object.
pub async fn drafted(app: &App, by: &Member<impl Works>, project: ProjectId, change: &Change) -> Result<Catalogues> {
    checked(app, by, project, change).await.map(|(after, _)| after)
}

/// The same, with the columns of the changed table.
async fn checked(app: &App, by: &Member<impl Works>, project: ProjectId, change: &Change) -> Result<(Catalogues, Described)> {
    let before = read(app, by, project).await?;
    let after = change.applied(&before)?;
    let described = described(app, &before, change).await;
    refuse(change, &after, &described)?;
    let mut problems = Problems::default();
    columns::unreadable(change, &before, &after, &described, &mut problems);
    columns::unknown(change, &before, &described, &mut problems);
    if problems.is_empty() {
        probing::probe(app, &before, &after, change, &mut problems).await;
    }
    problems.finish()?;
    Ok((after, described))
}

/// The columns of the changed table, unless its database does not respond or they do not matter.
async fn described(app: &App, catalogues: &Catalogues, change: &Change) -> Described {
    let Some((source, table)) = change.table(catalogues).filter(|_| !change.removes()) else { return Described::new() };
    let columns = match app.engine.describe(source, &table.name).await {
        Ok(columns) => columns,
        Err(QueryError::SourceUnavailable(_) | QueryError::Refused(_) | QueryError::Timeout(_)) => return Described::new(),
        // The database has no such table any more.
        Err(_) => Vec::new(),
    };
    let name = (source.name.clone(), table.name.clone());
    Described::from([(name, columns.into_iter().map(|column| column.name).collect())])
}

fn flaws_of(catalogues: &Catalogues, described: &Described) -> Vec<Flaw> {
    let connected =
        catalogues.connections.iter().map(|(source, tables)| Connected { name: &source.name, kind: source.kind, tables });
    flaws(&connected.collect::<Vec<_>>(), &catalogues.metrics, described)
}

/// Refuses a change whose own object is wrong.
fn refuse(change: &Change, after: &Catalogues, described: &Described) -> Result<()> {
    let mut problems = Problems::default();
    for flaw in flaws_of(after, described) {
        if let Some(field) = change.field(after, &flaw) {
            problems.add(&field, flaw.why);
        }
    }
    problems.finish()
}

/// What a change breaks, as text for people: other parts of the model, charts, and filters of dashboards, each with the reason.
///
/// # Errors
/// 404 when there is no such table, measure or metric.
pub async fn breaks(app: &App, by: &Member<impl Reads>, project: ProjectId, change: &Change) -> Result<Vec<String>> {
    let before = read(app, by, project).await?;
    let after = change.applied(&before)?;
    broken(&mut app.db.read().await?.conn(), project, change, (&before, &after), &Described::new()).await
}

async fn broken(
    conn: &mut Conn<'_>,
    project: ProjectId,
    change: &Change,
    (before, after): (&Catalogues, &Catalogues),
    described: &Described,
) -> Result<Vec<String>> {
    let known = flaws_of(before, described);
    let is_known = |flaw: &Flaw| known.iter().any(|known| (&known.table, &known.at) == (&flaw.table, &flaw.at));
    let others = flaws_of(after, described).into_iter().filter(|flaw| !is_known(flaw) && change.field(after, flaw).is_none());
    let mut all: Vec<String> = others.map(told).collect();
    for (source, _) in &after.connections {
        let (old, new) = (before.model(source.id), after.model(source.id));
        if old == new {
            continue;
        }
        let broken = ModelQueries::read(conn, project, source).await?.broken(&old, &new);
        all.extend(broken.into_iter().flat_map(|(why, charts)| charts.into_iter().map(move |chart| format!("{chart}: {why}"))));
    }
    if let (Some((source, old)), Some((_, new))) = (change.table(before), change.table(after)) {
        let lost = old.model.dimensions.keys().filter(|name| !new.model.dimensions.contains_key(*name));
        let lost: Vec<String> = lost.map(|name| format!("{}.{}.{name}", source.name, old.name)).collect();
        let (shared, own) = catalog_uses::filters(conn, project, |path| lost.iter().any(|one| one == path)).await?;
        all.extend(shared.into_iter().chain(own));
    }
    // A form repeats them line by line.
    Ok(all.into_iter().map(|one| one.split_whitespace().collect::<Vec<_>>().join(" ")).collect())
}

/// A flaw as text for people.
fn told(flaw: Flaw) -> String {
    let Flaw { table, at, why } = flaw;
    let Some((_, table)) = table else { return format!("metric {}: {why}", at.trim_start_matches("metrics.")) };
    match at.split_once('.') {
        Some(("measures", rest)) => format!("measure {}: {why}", rest.split('.').next().unwrap_or(rest)),
        Some(("columns", rest)) => format!("column {table}.{}: {why}", rest.trim_end_matches(".references")),
        Some(("dimensions", rest)) => format!("dimension {table}.{}: {why}", rest.trim_end_matches(".sql")),
        _ => format!("{at} of {table}: {why}"),
    }
}

/// Saves a change.
///
/// # Errors
/// 404 when there is no such table, measure or metric; 400 with each invalid field, as a path in the changed object; 409
/// `STILL_USED` with what it breaks, unless `despite` names all of that.
pub async fn save(app: &App, by: &Member<impl Works>, project: ProjectId, change: &Change, despite: &[String]) -> Result<()> {
    amend(app, by, project, |_| Ok(change.clone()), despite).await
}

/// Saves a change that is made from the project's tables and metrics, so that it keeps what another member changes meanwhile: `make` is
/// called once before the checks, and again with what the lock protects.
///
/// # Errors
/// Those of [`save`] and of `make`.
pub async fn amend(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    make: impl Fn(&Catalogues) -> Result<Change> + Send + Sync,
    despite: &[String],
) -> Result<()> {
    let (_, described) = checked(app, by, project, &make(&read(app, by, project).await?)?).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    projects::lock(conn, project).await?;
    // Applied to the model as it is under the lock: another member may have changed it since.
    let before = Catalogues::read(conn, &app.sealer, project).await?;
    let change = &make(&before)?;
    let after = change.applied(&before)?;
    refuse(change, &after, &described)?;
    let uses = broken(conn, project, change, (&before, &after), &described).await?;
    if !uses.iter().all(|one| despite.contains(one)) {
        return Err(still_used(change, &uses));
    }
    let deed = match (change, change.table(&after)) {
        (Change::Metric(name, _), _) => {
            projects::set_metrics(conn, project, &after.metrics).await?;
            Deed::new(change.action(), project.0).named(name)
        }
        (_, Some((source, table))) => {
            catalog::put(conn, source.id, table).await?;
            let deed = Deed::new(change.action(), table.id.0).named(&table.name);
            if let Change::Measure(_, _, name, _) = change { deed.with("measure", json!(name)) } else { deed }
        }
        (_, None) => return Err(Error::not_found("Table")),
    };
    audit::record(conn, &by.actor(), deed.in_project(project)).await?;
    verified_answers::recheck(conn, project).await?;
    version::bump(conn, &[by.organization.into()]).await?;
    tx.commit().await?;
    app.refresh().await
}

/// The error for a change that breaks something.
fn still_used(change: &Change, uses: &[String]) -> Error {
    let told = if change.removes() {
        "Not removed yet: the objects listed here fail without it. Remove it again to continue."
    } else {
        "Not saved yet: the objects listed here fail after this change. Save again to continue."
    };
    let details = serde_json::Map::from_iter([("uses".to_owned(), json!(uses))]);
    Error::new(Code::StillUsed, told).with_details(details)
}
