//! A table of a connection's catalogue.

use super::{
    answer::Page,
    connections::rows,
    seen, sheet,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::{
        catalog::{self, CatalogTable, ColumnSettings},
        connections::OpenConnection,
        customers,
        organizations::members::{Reads, Worker},
    },
    flows::management::{
        catalog::{self as manage, TableSettings},
        catalog_uses::{Part, uses},
        table_trial,
    },
    ground::{
        error::{Code, Error, Kind, Result},
        problems::Problems,
        web::Answer,
    },
};
use axum::response::{IntoResponse, Response};
use inlay_console::{
    Draft, Section,
    pages::{
        connections::Rows,
        tables::{self as views, ColumnRow, Table, Trial},
    },
};
use inlay_contract::ids::{ProjectUserId, TableId};
use inlay_query::{RowAccess, RuleTrial};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};

/// The maximum number of rows in a test.
const ROWS_SHOWN: usize = 20;

/// The connection and the table of the path.
pub(super) async fn opened<R: Reads>(visit: &Visit<R>) -> Result<(Arc<OpenConnection>, TableId)> {
    let project = visit.project()?.id;
    let open = manage::opened(visit.app(), &visit.member, project, visit.person.id("connection")?).await?;
    let id = visit.person.id("table")?;
    manage::table(&open, id)?;
    Ok((open, id))
}

/// `GET …/tables/{table}`
pub async fn show(visit: Visit) -> Page {
    let (open, id) = opened(&visit).await?;
    let draft = draft_of(manage::table(&open, id)?);
    draw(&visit, &open, id, draft, Found::default()).await
}

fn draft_of(table: &CatalogTable) -> Draft {
    let (access, rule) = match rows(&table.rows) {
        Rows::All => ("all", String::new()),
        Rows::Rule(rule) => ("rule", rule),
        Rows::Nothing => ("nothing", String::new()),
    };
    let mut draft = Draft::of([("access", access)])
        .with("seen", seen(table))
        .with("rowRule", rule)
        .with("label", table.label.clone().unwrap_or_default())
        .with("description", table.description.clone().unwrap_or_default())
        .with("synonyms", table.synonyms.join(", "));
    for (name, column) in &table.columns {
        let field = |part: &str| format!("column.{name}.{part}");
        draft = draft.with(&field("label"), column.label.clone().unwrap_or_default());
        draft = draft.with(&field("description"), column.description.clone().unwrap_or_default());
        draft = draft.with(&field("synonyms"), column.synonyms.join(", "));
        draft = draft.with(&field("references"), column.references.clone().unwrap_or_default());
        draft = draft.with(&field("terms"), catalog::terms::write(&column.terms));
        draft = draft.with(&field("hidden"), if column.hidden { "on" } else { "" });
    }
    draft
}

/// The results of checking a draft that was not saved.
#[derive(Default)]
struct Found {
    /// The rows that a user would see.
    trial: Option<Result<Trial, String>>,
    /// The objects that use the table or columns of it.
    losing: Vec<String>,
    /// The properties of the rule that nobody has.
    unknown: Vec<String>,
}

async fn draw<R: Reads>(visit: &Visit<R>, open: &OpenConnection, id: TableId, draft: Draft, found: Found) -> Page {
    let app = visit.app();
    let table = manage::table(open, id)?;
    let project = visit.project()?.id;
    let may_change = visit.is::<Worker>();
    let users = super::people::offered(visit).await?;
    let uses = if may_change { uses(app, &visit.member, project, open, table, Part::Table).await? } else { Vec::new() };
    // What was refused says so at its field.
    let unknown =
        if draft.is_refused() { Vec::new() } else { manage::unknown_properties(app, &visit.member, open, table).await? };
    let page = Table {
        project: project.to_string(),
        connection: open.source.id.to_string(),
        connection_name: open.source.name.clone(),
        id: id.to_string(),
        name: table.name.clone(),
        columns: column_rows(visit, open, table).await?,
        users,
        trial: found.trial,
        losing: found.losing,
        despite_unknown: found.unknown,
        warnings: unknown.into_iter().map(|one| one.told).collect(),
        uses,
        may_change,
    };
    visit.page(&page.name, Section::Connections, || views::show(&page, &draft)).await
}

/// The columns of the source, followed by those that the settings name and the source lacks. `None` when the source is unreachable.
pub(super) async fn column_rows<R: Reads>(
    visit: &Visit<R>,
    open: &OpenConnection,
    table: &CatalogTable,
) -> Result<Option<Vec<ColumnRow>>> {
    let columns = match manage::columns(visit.app(), open, &table.name).await {
        Ok(Some(columns)) => columns,
        Ok(None) => return Ok(None),
        Err(gone) if gone.kind() == Kind::Invalid => Vec::new(),
        Err(problem) => return Err(problem),
    };
    let kind = |kind| serde_json::to_value(kind).ok().and_then(|kind: Value| kind.as_str().map(str::to_owned));
    let mut rows: Vec<_> = columns
        .into_iter()
        .map(|column| ColumnRow { kind: Some(kind(column.kind).unwrap_or_default()), name: column.name })
        .collect();
    for name in table.columns.keys() {
        if rows.iter().all(|row| row.name != *name) {
            rows.push(ColumnRow { name: name.clone(), kind: None });
        }
    }
    Ok(Some(rows))
}

fn settings(typed: &Typed, old: &CatalogTable) -> Result<TableSettings> {
    let given = |name: &str| typed.given(name).map(str::to_owned);
    let names = typed.names().filter_map(|name| name.strip_prefix("column.")?.strip_suffix(".label"));
    let mut problems = Problems::default();
    let mut column = |name: &str| {
        let field = |part: &str| format!("column.{name}.{part}");
        let old = old.columns.get(name).cloned().unwrap_or_default();
        let terms = match typed.sent(&field("terms")) {
            // Terms that do not fit on one line stay as they are unless the field was edited.
            Some(text) if text != catalog::terms::write(&old.terms) => catalog::terms::read(text),
            _ => Ok(old.terms),
        };
        problems.note(&field("terms"), terms.as_ref().map(drop).map_err(Clone::clone));
        ColumnSettings {
            label: given(&field("label")),
            description: given(&field("description")),
            synonyms: typed.sent(&field("synonyms")).map_or(old.synonyms, catalog::terms::words),
            terms: terms.unwrap_or_default(),
            references: typed.sent(&field("references")).map_or(old.references, |_| given(&field("references"))),
            hidden: typed.ticked(&field("hidden")),
        }
    };
    let columns: BTreeMap<_, _> = names.map(|name| (name.to_owned(), column(name))).collect();
    let rows = match typed.get("access") {
        "all" => RowAccess::All,
        "rule" => RowAccess::Rule(typed.get("rowRule").to_owned()),
        _ => RowAccess::Nothing,
    };
    problems.finish()?;
    let synonyms = catalog::terms::words(typed.get("synonyms"));
    Ok(TableSettings {
        label: given("label"),
        description: given("description"),
        synonyms,
        rows,
        columns,
        despite_uses: typed.lines("despiteUses"),
        despite_unknown: typed.lines("despiteUnknown"),
    })
}

/// `POST …/tables/{table}`: saves it, or tests it as a user without saving.
pub async fn change(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (open, id) = opened(&visit).await?;
    if typed.ticked("test") {
        return test(&visit, &typed, &open, id).await;
    }
    let project = visit.project()?.id;
    let table = manage::table(&open, id)?;
    let now = seen(table);
    let saved = async {
        super::unchanged(typed.get("seen"), &now)?;
        let settings = settings(&typed, table)?;
        manage::change(visit.app(), &visit.member, project, open.source.id, id, settings).await
    };
    match saved.await {
        Ok(()) => Ok(visit.done(&visit.at(&format!("connections/{}/tables/{id}", open.source.id)), "Saved.")),
        Err(problem) => {
            let losing = losing(&problem);
            let unknown = unknown(&problem).unwrap_or_else(|| typed.lines("despiteUnknown"));
            let (status, draft) = typed.refused(problem)?;
            let found = Found { losing, unknown, ..Found::default() };
            Ok(with_status(draw(&visit, &open, id, draft.with("seen", now), found).await?, status))
        }
    }
}

/// The uses that an error lists.
pub(super) fn losing(problem: &Error) -> Vec<String> {
    listed(problem, Code::StillUsed, "uses").unwrap_or_default()
}

/// The properties that nobody has, if that is the error.
fn unknown(problem: &Error) -> Option<Vec<String>> {
    listed(problem, Code::PropertyUnknown, "unknown")
}

/// A list of texts in the details of an error with this code.
fn listed(problem: &Error, code: Code, name: &str) -> Option<Vec<String>> {
    let details = problem.details.as_ref().filter(|_| problem.code == code)?;
    Some(details.get(name)?.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

/// `POST …/tables/{table}/check`: checks a rule while it is typed.
pub async fn check(Submission { visit, typed }: Submission<Visit<Worker>>) -> Result<Response, super::answer::Refused> {
    let (open, id) = opened(&visit).await?;
    let table = manage::table(&open, id)?;
    let rule = typed.get("value");
    let problem = if rule.is_empty() { None } else { manage::check_rule(visit.app(), &open, &table.name, rule).await?.err() };
    Ok(Answer(json!({ "problem": problem })).into_response())
}

/// The rows that a user would see with the typed settings. Saves nothing and keeps what was typed.
async fn test(visit: &Visit<Worker>, typed: &Typed, open: &OpenConnection, id: TableId) -> Page {
    let (table, project) = (manage::table(open, id)?, visit.project()?.id);
    let tried = async {
        let user = typed.get("user").parse::<ProjectUserId>();
        let user = user.map_err(|_| Error::invalid("user", "is required because rows depend on the user"))?;
        let person = customers::users::of_project(visit.app(), project, user).await?;
        let table = manage::drafted(visit.app(), open, table, &settings(typed, table)?).await?;
        super::audit_trial(visit, project, id, &table.name, user).await?;
        if table.rows == RowAccess::Nothing {
            return Ok(Err("The table is closed: project users see none of its rows.".to_owned()));
        }
        let trial = table_trial::test_as(visit.app(), open, &table, user, ROWS_SHOWN).await;
        // The operator may read what viewers may not: the missing property, the source's error.
        Ok::<_, Error>(match trial {
            Ok(trial) => Ok(shown(person.name, trial)),
            Err(problem) => Err(problem.context.unwrap_or(problem.message)),
        })
    };
    match tried.await {
        Ok(trial) => draw(visit, open, id, typed.draft(), Found { trial: Some(trial), ..Found::default() }).await,
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw(visit, open, id, draft, Found::default()).await?, status))
        }
    }
}

fn shown(user: String, trial: RuleTrial) -> Trial {
    let RuleTrial { rule, count, rows } = trial;
    Trial { user, rule, count, sheet: sheet::of(&rows, ROWS_SHOWN) }
}

/// `POST …/tables/{table}/remove`
pub async fn remove(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let connection = match super::connections::found(&visit).await {
        Ok(source) => source.id,
        Err(problem) => return visit.removed("connections", Err(problem), "", super::connections::GONE),
    };
    let removal = async {
        let id = visit.person.id("table")?;
        manage::remove(visit.app(), &visit.member, visit.project()?.id, connection, id).await
    };
    let before = "This table has already been removed from the catalogue.";
    visit.removed(&format!("connections/{connection}"), removal.await, "Table removed from the catalogue.", before)
}
