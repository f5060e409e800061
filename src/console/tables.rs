//! A table of a connection's catalogue.

use super::{
    answer::Page,
    connections::rows,
    seen,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    catalog::{
        self, CatalogTable,
        manage::{self, TableSettings},
    },
    connections::OpenConnection,
    customers,
    error::{Error, Kind, Result},
    organizations::members::{Reads, Worker},
    web::Answer,
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

/// The most rows that a trial shows.
const ROWS_SHOWN: usize = 20;

/// The most users that can be chosen for a trial.
const USERS_OFFERED: i64 = 200;

async fn opened<R: Reads>(visit: &Visit<R>) -> Result<(Arc<OpenConnection>, TableId)> {
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
    draw(&visit, &open, id, draft, Draft::default(), None).await
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
        draft = draft.with(&field("hidden"), if column.hidden { "on" } else { "" });
    }
    draft
}

async fn draw<R: Reads>(
    visit: &Visit<R>,
    open: &OpenConnection,
    id: TableId,
    draft: Draft,
    chosen: Draft,
    trial: Option<Result<Trial, String>>,
) -> Page {
    let app = visit.app();
    let table = manage::table(open, id)?;
    let project = visit.project()?.id;
    let users = customers::people::newest(app, &visit.member, project, USERS_OFFERED).await?;
    let page = Table {
        project: project.to_string(),
        connection: open.source.id.to_string(),
        connection_name: open.source.name.clone(),
        id: id.to_string(),
        name: table.name.clone(),
        columns: column_rows(visit, open, table).await?,
        users: users.into_iter().map(super::people::named).collect(),
        trial,
        uses: manage::uses(app, &visit.member, project, open, table).await?,
        may_change: visit.is::<Worker>(),
    };
    visit.page(&page.name, Section::Connections, || views::show(&page, &draft, &chosen)).await
}

/// The columns that the source has, and those that settings name and it lacks.
async fn column_rows<R: Reads>(
    visit: &Visit<R>,
    open: &OpenConnection,
    table: &CatalogTable,
) -> Result<Option<Vec<ColumnRow>>> {
    let columns = match manage::columns(visit.app(), open, &table.name).await {
        Ok(Some(columns)) => columns,
        Ok(None) => return Ok(None),
        Err(gone) if gone.kind == Kind::Invalid => Vec::new(),
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

fn settings(typed: &Typed) -> TableSettings {
    let given = |name: &str| typed.given(name).map(str::to_owned);
    let names = typed.names().filter_map(|name| name.strip_prefix("column.")?.strip_suffix(".label"));
    let column = |name: &str| {
        let field = |part: &str| format!("column.{name}.{part}");
        (given(&field("label")), given(&field("description")), typed.ticked(&field("hidden")))
    };
    let columns: BTreeMap<_, _> = names.map(|name| (name.to_owned(), column(name))).collect();
    let rows = match typed.get("access") {
        "all" => RowAccess::All,
        "rule" => RowAccess::Rule(typed.get("rowRule").to_owned()),
        _ => RowAccess::Nothing,
    };
    let synonyms = typed.get("synonyms").split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    TableSettings { label: given("label"), description: given("description"), synonyms, rows, columns }
}

/// `POST …/tables/{table}`
pub async fn change(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (open, id) = opened(&visit).await?;
    let project = visit.project()?.id;
    let now = seen(manage::table(&open, id)?);
    let saved = async {
        super::unchanged(typed.get("seen"), &now)?;
        manage::change(visit.app(), &visit.member, project, open.source.id, id, settings(&typed)).await
    };
    match saved.await {
        Ok(()) => Ok(visit.done(&visit.at(&format!("connections/{}/tables/{id}", open.source.id)), "Saved.")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw(&visit, &open, id, draft.with("seen", now), Draft::default(), None).await?, status))
        }
    }
}

/// `POST …/tables/{table}/check`: what is wrong with a rule while it is typed.
pub async fn check(Submission { visit, typed }: Submission<Visit<Worker>>) -> Result<Response, super::answer::Refused> {
    let (open, id) = opened(&visit).await?;
    let table = manage::table(&open, id)?;
    let rule = typed.get("value");
    let problem = if rule.is_empty() { None } else { manage::check_rule(visit.app(), &open, &table.name, rule).await?.err() };
    Ok(Answer(json!({ "problem": problem })).into_response())
}

/// `POST …/tables/{table}/test`
pub async fn test(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (open, id) = opened(&visit).await?;
    let table = manage::table(&open, id)?;
    let project = visit.project()?.id;
    let user: ProjectUserId = typed.get("user").parse().map_err(|_| Error::not_found("Project user"))?;
    let person = customers::users::of_project(visit.app(), project, user).await?;
    let trial = match catalog::test_as(visit.app(), open.source.id, &table.name, user, ROWS_SHOWN).await {
        Ok(trial) => Ok(shown(person.name, trial)),
        // The operator may read what viewers may not: which property is missing, what the source refused.
        Err(problem) => Err(problem.context.unwrap_or(problem.message)),
    };
    super::audit_trial(&visit, project, id, &table.name, user).await?;
    let draft = draft_of(table);
    draw(&visit, &open, id, draft, typed.draft(), Some(trial)).await
}

fn shown(user: String, trial: RuleTrial) -> Trial {
    let cell = |value: &Value| match value {
        Value::Null => "—".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Trial {
        user,
        rule: trial.rule,
        count: trial.count,
        columns: trial.rows.columns.iter().map(|column| column.name.clone()).collect(),
        rows: trial.rows.rows.iter().map(|row| row.iter().map(cell).collect()).collect(),
    }
}

/// `POST …/tables/{table}/remove`
pub async fn remove(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let (open, id) = opened(&visit).await?;
    manage::remove(visit.app(), &visit.member, visit.project()?.id, open.source.id, id).await?;
    Ok(visit.done(&visit.at(&format!("connections/{}", open.source.id)), "Table removed from the catalogue."))
}
