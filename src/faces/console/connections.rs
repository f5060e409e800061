//! Connections of a project.

mod address;

use super::{
    answer::Page,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::{
        catalog, connections,
        organizations::members::{Reads, Worker},
    },
    flows::management::{
        connections::{self as manage, ConnectionSettings, Saved, has_password, shown, shown_parts},
        table_renaming::Followed,
    },
    ground::{
        error::{Code, Error, Result},
        problems::Problems,
    },
};
use inlay_console::{
    Draft, Section,
    pages::connections::{self as views, Connection, ConnectionRow, Kinds, Rows, TableRow},
};
use inlay_contract::ids::ConnectionId;
use inlay_query::{DatabaseAuth, RowAccess, Source, SourceKind, SourceKindExt, SourceLimits};

/// The kinds of databases.
const KINDS: [(SourceKind, &str); 6] = [
    (SourceKind::Postgres, "PostgreSQL and compatible databases"),
    (SourceKind::Mysql, "MySQL, MariaDB and compatible databases"),
    (SourceKind::Clickhouse, "ClickHouse"),
    (SourceKind::Trino, "Trino"),
    (SourceKind::Sqlite, "SQLite, a file on the server"),
    (SourceKind::Duckdb, "DuckDB, a file or a folder on the server"),
];

/// The kinds to choose from. Files are among them if the operator has named their folders, or if the connection is one.
fn kinds(visit: &Visit<impl Reads>, own: Option<SourceKind>) -> Kinds {
    let takes_files = manage::takes_files(visit.app());
    let built_in = KINDS.iter().filter(|(kind, _)| kind.is_built_in());
    let (offered, closed): (Vec<_>, Vec<_>) =
        built_in.partition(|(kind, _)| !kind.is_file() || takes_files || own == Some(*kind));
    // `SQLite, a file on the server`
    let names: Vec<&str> = closed.iter().filter_map(|(_, label)| label.split(',').next()).collect();
    Kinds {
        offered: offered.into_iter().map(|(kind, label)| (kind.name().to_owned(), (*label).to_owned())).collect(),
        closed: (!names.is_empty()).then(|| names.join(" and ")),
    }
}

/// `GET /console/projects/{project}/connections`
pub async fn list(visit: Visit) -> Page {
    let app = visit.app();
    let mut rows = Vec::new();
    for source in manage::list(app, &visit.member, visit.project()?.id).await? {
        let tables = connections::open(app, source.id).await?.tables.len();
        let (id, address) = (source.id.to_string(), shown(&source));
        rows.push(ConnectionRow { id, name: source.name, kind: source.kind.name().to_owned(), address, tables });
    }
    let project = visit.project()?.id.to_string();
    visit.page("Connections", Section::Connections, || views::list(&project, &rows, visit.is::<Worker>())).await
}

/// `GET …/connections/new`
pub async fn show_new(visit: Visit<Worker>) -> Page {
    draw_new(&visit, Draft::of([("kind", "postgres"), ("auth", "none")])).await
}

async fn draw_new(visit: &Visit<Worker>, draft: Draft) -> Page {
    let project = visit.project()?.id.to_string();
    visit.page("Connect a database", Section::Connections, || views::new(&project, &kinds(visit, None), &draft)).await
}

fn settings(typed: &Typed) -> Result<ConnectionSettings> {
    let mut problems = Problems::default();
    let kind = address::kind(typed).map_err(|problem| problem.to_string());
    problems.note("kind", kind.as_ref().map(drop).map_err(Clone::clone));
    let mut number = |name: &str| {
        let read =
            typed.given(name).map(str::parse::<u32>).transpose().map_err(|_| "must be a whole number, 0 or more".to_owned());
        problems.note(name, read.as_ref().map(drop).map_err(Clone::clone));
        read.unwrap_or_default()
    };
    let limits = SourceLimits {
        cache_seconds: number("cacheSeconds"),
        max_connections: number("maxConnections"),
        stale_seconds: number("staleSeconds"),
    };
    let setting = typed.get("authSetting").to_owned();
    let auth = match typed.get("auth") {
        "equals" => match typed.get("authProperty").parse() {
            Ok(property) => Some(DatabaseAuth::Equals { setting, property }),
            Err(_) => {
                problems
                    .note("authProperty", Err("is not a property; write it as organization.<key> or user.<key>".to_owned()));
                None
            }
        },
        "verified" => Some(DatabaseAuth::VerifiedByDatabase { setting }),
        _ => None,
    };
    problems.finish()?;
    let kind = kind.map_err(|problem| Error::invalid("kind", problem))?;
    let (name, address) = (typed.get("name").to_owned(), address::given(typed));
    Ok(ConnectionSettings { name, kind, address, database_auth: auth, limits })
}

/// `POST …/connections`
pub async fn create(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let project = visit.project()?.id;
    let made = async { manage::save(visit.app(), &visit.member, project, None, settings(&typed)?).await };
    match made.await {
        Ok(Saved { id, .. }) => {
            Ok(visit.done(&visit.at(&format!("connections/{id}")), "Connected. Now list the tables that charts may query."))
        }
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw_new(&visit, address::again(draft, &typed, None)).await?, status))
        }
    }
}

/// `GET …/connections/{connection}`
pub async fn show(visit: Visit) -> Page {
    let source = found(&visit).await?;
    draw(&visit, &source, draft_of(&source), Draft::default(), None).await
}

/// The connection in the path.
///
/// # Errors
/// 404 when the project has none of its id.
pub async fn found<R: Reads>(visit: &Visit<R>) -> Result<Source> {
    manage::find(visit.app(), &visit.member, visit.project()?.id, visit.person.id("connection")?).await
}

fn draft_of(source: &Source) -> Draft {
    let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
    let draft = Draft::of([("name", source.name.clone()), ("kind", source.kind.name().to_owned())])
        .with("cacheSeconds", number(source.limits.cache_seconds))
        .with("maxConnections", number(source.limits.max_connections))
        .with("staleSeconds", number(source.limits.stale_seconds))
        .with("seen", version_of(source));
    let draft = address::stored(draft, source);
    match &source.database_auth {
        None => draft.with("auth", "none"),
        Some(DatabaseAuth::VerifiedByDatabase { setting }) => draft.with("auth", "verified").with("authSetting", setting),
        Some(DatabaseAuth::Equals { setting, property }) => {
            draft.with("auth", "equals").with("authSetting", setting).with("authProperty", property.to_string())
        }
    }
}

/// A fingerprint of a connection, to detect changes since a form was rendered. It omits the password.
fn version_of(source: &Source) -> String {
    super::seen(&(&source.name, source.kind, shown_parts(source), &source.limits, &source.database_auth))
}

/// A table's row access, for display.
pub fn rows(access: &RowAccess) -> Rows {
    match access {
        RowAccess::All => Rows::All,
        RowAccess::Rule(rule) => Rows::Rule(rule.clone()),
        RowAccess::Nothing => Rows::Nothing,
    }
}

async fn draw<R: Reads>(
    visit: &Visit<R>,
    source: &Source,
    draft: Draft,
    table: Draft,
    tested: Option<Result<Vec<String>, String>>,
) -> Page {
    let app = visit.app();
    let project = visit.project()?.id;
    let open = connections::open(app, source.id).await?;
    let row = |one: &catalog::CatalogTable| TableRow {
        id: one.id.to_string(),
        name: one.name.clone(),
        label: one.label.clone().unwrap_or_default(),
        rows: rows(&one.rows),
        hidden: one.columns.values().filter(|column| column.hidden).count(),
    };
    let page = Connection {
        project: project.to_string(),
        id: source.id.to_string(),
        name: source.name.clone(),
        keeps_password: has_password(source),
        tables: open.tables.iter().map(row).collect(),
        uses: manage::uses(app, &visit.member, project, source.id).await?,
        tested,
        kinds: kinds(visit, Some(source.kind)),
        may_change: visit.is::<Worker>(),
    };
    visit.page(&page.name, Section::Connections, || views::show(&page, &draft, &table)).await
}

/// `POST …/connections/{connection}`
pub async fn change(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let source = found(&visit).await?;
    let project = visit.project()?.id;
    let now = version_of(&source);
    let saved = async {
        super::unchanged(typed.get("seen"), &now)?;
        manage::save(visit.app(), &visit.member, project, Some(source.id), settings(&typed)?).await
    };
    match saved.await {
        Ok(Saved { id, followed }) => {
            let told = followed.map_or_else(|| "Saved.".to_owned(), |followed| renamed(&source.name, followed));
            Ok(visit.done(&visit.at(&format!("connections/{id}")), &told))
        }
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            let draft = address::again(draft, &typed, Some(&source)).with("seen", now);
            Ok(with_status(draw(&visit, &source, draft, Draft::default(), None).await?, status))
        }
    }
}

/// The notice after a connection was renamed.
fn renamed(old: &str, followed: Followed) -> String {
    let count = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    };
    let filters = count(followed.filters, "filter of a dashboard", "filters of dashboards");
    let reports = count(followed.reports, "report", "reports");
    format!(
        "Saved. {filters} and {reports} now use the new name. Change addresses in your own pages that contain f_{old}.… yourself."
    )
}

/// `POST …/connections/{connection}/test`
pub async fn test(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let source = found(&visit).await?;
    let tested = match manage::connect(visit.app(), &source).await {
        Err(problem) => Err(problem.message),
        Ok(()) => Ok(warnings(&visit, source.id).await?),
    };
    draw(&visit, &source, draft_of(&source), Draft::default(), Some(tested)).await
}

async fn warnings(visit: &Visit<Worker>, id: ConnectionId) -> Result<Vec<String>> {
    let all = manage::warnings(visit.app(), id).await?;
    let told = |table: Option<String>, message: String| match table {
        Some(table) => format!("Table {table}: {message}"),
        None => message,
    };
    Ok(all.into_iter().map(|warning| told(warning.table, warning.message)).collect())
}

/// The message for a connection that is already deleted.
pub const GONE: &str = "This connection has already been removed.";

/// `POST …/connections/{connection}/remove`
pub async fn remove(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let removal = async {
        let source = found(&visit).await?;
        manage::remove(visit.app(), &visit.member, visit.project()?.id, source.id).await
    };
    match removal.await {
        Err(used) if used.code == Code::ConnectionInUse => {
            let source = found(&visit).await?;
            let (status, refused) = typed.refused(used)?;
            let mut draft = draft_of(&source);
            draft.message = refused.message;
            Ok(with_status(draw(&visit, &source, draft, Draft::default(), None).await?, status))
        }
        removal => visit.removed("connections", removal, "Connection removed.", GONE),
    }
}

/// `POST …/connections/{connection}/tables`: lists one table by its name, or the selected ones.
pub async fn add_table(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let source = found(&visit).await?;
    let project = visit.project()?.id;
    let chosen: Vec<&str> = super::table_choices::chosen(&typed).collect();
    if typed.ticked("chosen") || !chosen.is_empty() {
        return super::table_choices::add(&visit, &source, &chosen).await;
    }
    match crate::flows::management::catalog::add(visit.app(), &visit.member, project, source.id, typed.get("table")).await {
        Ok(id) => {
            let address = visit.at(&format!("connections/{}/tables/{id}", source.id));
            Ok(visit.done(&address, "Table listed. It is closed until you set which rows each user sees."))
        }
        Err(problem) => {
            let (status, table) = typed.refused(problem)?;
            Ok(with_status(draw(&visit, &source, draft_of(&source), table, None).await?, status))
        }
    }
}
