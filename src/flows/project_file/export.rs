//! Writing a project as a file. Secrets are left out: a URL that may hold a password becomes a `${VARIABLE}`.

use super::model::{
    AllRows, ApplicationSection, ChartSection, ConnectionSection, DashboardSection, DatabaseAuthSection, FilterSection, Name,
    OwnSection, ProjectFile, ProjectSection, RoleSection, TableSection, TileSection, WorkspaceSection,
};
use crate::{
    concepts::{
        applications::{self, Application},
        catalog,
        charts::{self, Chart},
        connections, dashboards, isolation, key_checks, projects, roles, workspaces,
    },
    ground::{
        error::{Error, Result},
        store::{Conn, Db, seal::Sealer},
    },
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ChartId, ConnectionId, DashboardId, OrganizationId, ProjectId},
    model::ModelQuery,
};
use inlay_query::{DatabaseAuth, RowAccess, Source, SourceKindExt};
use serde_saphyr::{Location, Spanned};
use std::collections::BTreeMap;

pub(super) fn name(text: impl Into<String>) -> Name {
    spanned(text.into())
}

fn spanned<T>(value: T) -> Spanned<T> {
    Spanned { value, referenced: Location::UNKNOWN, defined: Location::UNKNOWN }
}

pub(super) fn all_spanned<T>(parts: BTreeMap<String, T>) -> BTreeMap<String, Spanned<T>> {
    parts.into_iter().map(|(name, part)| (name, spanned(part))).collect()
}

/// The project with this name as a file. Users' dashboards are left out.
///
/// # Errors
///
/// 404 when the organization has no such project.
pub async fn export(db: &Db, sealer: &Sealer, organization: OrganizationId, project_name: &str) -> Result<ProjectFile> {
    let mut lease = db.read().await?;
    let conn = &mut lease.conn();
    let id = projects::find_by_name(conn, organization, project_name).await?;
    written(conn, sealer, id.ok_or_else(|| Error::not_found("Project"))?).await
}

/// A project by its id as a file, as the transaction sees it.
///
/// # Errors
///
/// 404 when there is no such project.
pub(super) async fn written(conn: &mut Conn<'_>, sealer: &Sealer, id: ProjectId) -> Result<ProjectFile> {
    let project = projects::find(conn, id).await?.ok_or_else(|| Error::not_found("Project"))?;
    let sources = connections::list(conn, sealer, id).await?;
    let library = charts::list_of_file(conn, id).await?;
    let mut file = ProjectFile {
        version: spanned(1),
        project: ProjectSection {
            name: name(project.name),
            allowed_origins: project.allowed_origins.into_iter().map(name).collect(),
            timezone: Some(name(project.timezone)),
            locale: Some(name(project.locale)),
            isolation_check: isolation::choice(conn, id).await?.map(|choice| choice.allowed),
            key_check: key_checks::choice(conn, id).await?.map(|choice| choice.allowed),
        },
        connections: sources.iter().map(connection).collect(),
        tables: Vec::new(),
        metrics: all_spanned(project.metrics),
        roles: roles::list_of_project(conn, id)
            .await?
            .into_iter()
            .map(|role| RoleSection { name: name(role.name), permissions: role.permissions })
            .collect(),
        charts: library.iter().map(|one| chart(one, &sources)).collect(),
        workspaces: Vec::new(),
        applications: Vec::new(),
    };
    for source in &sources {
        let tables = catalog::of_connection(conn, source.id).await?;
        file.tables.extend(tables.into_iter().map(|one| table(one, source)));
    }
    let known = workspaces::latest_versions(conn, id).await?;
    for one in &known {
        file.workspaces.push(WorkspaceSection {
            name: name(&one.name),
            connection: name(connection_name(&sources, one.connection)),
            agent_id: one.agent,
            publish: one.production == Some(one.version),
            example_questions: one.settings.example_questions.clone(),
            instructions: one.settings.instructions.clone(),
            tables: one.settings.tables.as_ref().map(|names| names.iter().map(name).collect()),
            placeholders: one.settings.placeholders.clone(),
            examples: one.settings.examples.clone(),
            model_only: one.settings.model_only,
        });
    }
    for application in applications::of_project(conn, id).await? {
        let workspace = known.iter().find(|one| Some(one.id) == application.workspace).map(|one| name(&one.name));
        let dashboards = dashboard_sections(conn, &application, &library, &sources).await?;
        file.applications.push(ApplicationSection {
            name: name(application.name),
            workspace,
            theme: application.theme,
            dashboards,
        });
    }
    Ok(file)
}

fn connection_name(sources: &[Source], id: ConnectionId) -> String {
    sources.iter().find(|source| source.id == id).map(|source| source.name.clone()).unwrap_or_default()
}

fn connection(source: &Source) -> ConnectionSection {
    let url = if source.kind.is_file() { source.url.clone() } else { format!("${{{}}}", variable(&source.name)) };
    let database_auth = source.database_auth.as_ref().map(|auth| match auth {
        DatabaseAuth::Equals { setting, property } => DatabaseAuthSection {
            setting: name(setting),
            equals: Some(name(property.to_string())),
            verified_by_database: false,
        },
        DatabaseAuth::VerifiedByDatabase { setting } => {
            DatabaseAuthSection { setting: name(setting), equals: None, verified_by_database: true }
        }
    });
    ConnectionSection {
        name: name(&source.name),
        kind: source.kind,
        url: name(url),
        database_auth,
        cache_seconds: source.limits.cache_seconds,
        max_connections: source.limits.max_connections,
        stale_seconds: source.limits.stale_seconds,
    }
}

/// The environment variable for a connection's URL.
pub fn variable(connection: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' };
    format!("{}_URL", connection.chars().map(plain).collect::<String>())
}

fn table(table: catalog::CatalogTable, source: &Source) -> TableSection {
    let (row_rule, rows) = match table.rows {
        RowAccess::Rule(rule) => (Some(name(rule)), None),
        RowAccess::All => (None, Some(AllRows::All)),
        RowAccess::Nothing => (None, None),
    };
    TableSection {
        connection: name(&source.name),
        table: name(table.name),
        label: table.label,
        description: table.description,
        synonyms: table.synonyms,
        row_rule,
        rows,
        columns: table.columns,
        key: table.model.key,
        time: table.model.time,
        fiscal_year_start: table.model.fiscal_year_start,
        drill: table.model.drill,
        display: table.model.display,
        dimensions: all_spanned(table.model.dimensions),
        measures: all_spanned(table.model.measures),
    }
}

fn chart(chart: &Chart, sources: &[Source]) -> ChartSection {
    let mut definition = chart.definition.clone();
    ChartSection {
        query: taken_query(&mut definition),
        name: name(&chart.name),
        connection: name(connection_name(sources, chart.connection)),
        kind: definition.kind,
        sql: definition.sql_override.map(name),
        encoding: definition.encoding,
        options: definition.options,
        cache_seconds: definition.cache_seconds,
    }
}

/// The query of the semantic model, taken out of the options.
fn taken_query(definition: &mut ChartDefinition) -> Option<Spanned<ModelQuery>> {
    let query = definition.model_query()?;
    definition.options.shift_remove(ChartDefinition::QUERY);
    Some(spanned(query))
}

/// The definition of a chart on a dashboard, if it differs from the library chart with its name.
fn own(chart: &Chart, origin: Option<ChartId>, library: &[Chart], sources: &[Source]) -> Option<OwnSection> {
    let origin = library.iter().find(|one| Some(one.id) == origin);
    let said = library.iter().find(|one| one.name == chart.name).is_some_and(|one| {
        one.definition == chart.definition
            && one.connection == chart.connection
            && origin.is_none_or(|origin| origin.id == one.id)
    });
    if said {
        return None;
    }
    let mut definition = chart.definition.clone();
    Some(OwnSection {
        query: taken_query(&mut definition),
        of: origin.map(|origin| name(&origin.name)),
        title: Some(definition.title).filter(|title| *title != chart.name),
        connection: name(connection_name(sources, chart.connection)),
        kind: definition.kind,
        sql: definition.sql_override.map(name),
        encoding: definition.encoding,
        options: definition.options,
        cache_seconds: definition.cache_seconds,
    })
}

async fn dashboard_sections(
    conn: &mut Conn<'_>,
    application: &Application,
    library: &[Chart],
    sources: &[Source],
) -> Result<Vec<DashboardSection>> {
    let of_file: Vec<DashboardId> = dashboards::of_file(conn, application.id).await?.into_iter().map(|(_, id, _)| id).collect();
    let mut sections = Vec::new();
    for dashboard in dashboards::shared_of(conn, application.id).await? {
        if !of_file.contains(&dashboard.id) {
            continue;
        }
        let charts = dashboards::charts_on(conn, dashboard.id).await?;
        let origins = crate::concepts::charts::on_dashboard(conn, dashboard.id).await?;
        let origin = |id: ChartId| origins.iter().find(|(copy, _)| *copy == id).map(|(_, of)| *of);
        let tile = |placed: &dashboards::PlacedChart| TileSection {
            chart: name(&placed.chart.name),
            x: placed.place.x,
            y: placed.place.y,
            w: placed.place.w,
            h: placed.place.h,
            own: own(&placed.chart, origin(placed.chart.id), library, sources),
        };
        let filter = |filter: inlay_contract::filter::FilterDefinition| FilterSection {
            key: name(filter.key),
            label: filter.label,
            column: name(filter.column),
            control: filter.control,
            default: filter.default,
        };
        sections.push(DashboardSection {
            name: name(dashboard.name),
            default: application.default_dashboard == Some(dashboard.id),
            refresh: dashboard.refresh,
            filters: dashboard.filters.into_iter().map(filter).collect(),
            charts: charts.iter().map(tile).collect(),
        });
    }
    Ok(sections)
}
