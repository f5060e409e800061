//! The audit log of an organization.

use super::{answer::Page, visit::Visit};
use crate::{
    audit::{
        Event,
        store::{Wanted, newest},
    },
    error::{Error, Result},
    organizations::{keys, members},
    time::Timestamp,
};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use chrono::{NaiveDate, NaiveTime};
use inlay_console::{
    Section,
    pages::audit::{EventRow, Search, show as view},
};
use std::collections::HashMap;
use uuid::Uuid;

/// The most lines of the page.
const SHOWN: i64 = 200;
/// The most lines of an export.
const EXPORTED: i64 = 100_000;

fn search(visit: &Visit) -> Search {
    let query = |name: &str| visit.person.query(name).trim().to_owned();
    Search { action: query("action"), resource: query("resource"), since: query("since") }
}

async fn events(visit: &Visit, search: &Search, most: i64) -> Result<Vec<Event>> {
    let resource = match search.resource.as_str() {
        "" => None,
        // What is no id is nobody's.
        text => Some(text.parse().unwrap_or(Uuid::nil())),
    };
    let since = search.since.parse::<NaiveDate>().ok().map(|day| day.and_time(NaiveTime::MIN).and_utc().timestamp_millis());
    let wanted = Wanted {
        organization: visit.member.organization,
        since: Timestamp(since.unwrap_or_default()),
        action: Some(search.action.clone()).filter(|action| !action.is_empty()),
        resource,
        most,
    };
    newest(&mut visit.app().db.read().await?.conn(), &wanted).await
}

/// What ids of actors are called.
async fn names(visit: &Visit) -> Result<HashMap<Uuid, String>> {
    let members = members::list(visit.app(), &visit.member).await?;
    let keys = keys::list(visit.app(), &visit.member).await?;
    let members = members.into_iter().map(|member| (member.id.0, member.email));
    let keys = keys.into_iter().map(|key| (key.id.0, format!("API key {}", key.label.unwrap_or_else(|| key.id.to_string()))));
    Ok(members.chain(keys).collect())
}

fn actor(event: &Event, names: &HashMap<Uuid, String>) -> String {
    let known = event.actor_id.and_then(|id| names.get(&id).cloned());
    known.unwrap_or_else(|| match (event.actor_kind.as_str(), event.actor_id) {
        ("operator", _) => "Command line".to_owned(),
        (kind, Some(id)) => format!("{kind} {id}"),
        (kind, None) => kind.to_owned(),
    })
}

/// `GET /console/organizations/{organization}/audit`
pub async fn show(visit: Visit) -> Page {
    let search = search(&visit);
    let names = names(&visit).await?;
    let row = |event: Event| EventRow {
        at: event.at.to_string(),
        actor: actor(&event, &names),
        action: event.action,
        resource: event.resource_name.unwrap_or_default(),
        resource_id: event.resource_id.to_string(),
        details: serde_json::to_string(&event.details).unwrap_or_default(),
        address: event.address.unwrap_or_default(),
    };
    let rows: Vec<_> = events(&visit, &search, SHOWN).await?.into_iter().map(row).collect();
    let organization = visit.member.organization.to_string();
    let most = usize::try_from(SHOWN).unwrap_or_default();
    visit.page("Audit log", Section::Audit, || view(&organization, &search, &rows, most)).await
}

/// `GET …/audit/export`: the same lines as CSV.
pub async fn export(visit: Visit) -> Result<Response, super::answer::Refused> {
    let search = search(&visit);
    let names = names(&visit).await?;
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = [
        "at",
        "actor",
        "actorKind",
        "actorId",
        "action",
        "projectId",
        "resourceId",
        "resourceName",
        "details",
        "address",
        "requestId",
    ];
    writer.write_record(head).map_err(Error::internal)?;
    for event in events(&visit, &search, EXPORTED).await? {
        let text = |text: Option<String>| text.unwrap_or_default();
        let record = [
            event.at.to_string(),
            actor(&event, &names),
            event.actor_kind,
            text(event.actor_id.map(|id| id.to_string())),
            event.action,
            text(event.project_id.map(|id| id.to_string())),
            event.resource_id.to_string(),
            text(event.resource_name),
            serde_json::to_string(&event.details).unwrap_or_default(),
            text(event.address),
            text(event.request_id),
        ];
        writer.write_record(record.map(harmless)).map_err(Error::internal)?;
    }
    let bytes = writer.into_inner().map_err(Error::internal)?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"audit-log.csv\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, bytes).into_response())
}

/// A cell that no spreadsheet takes for a formula.
fn harmless(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{cell}") } else { cell }
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn no_cell_is_a_formula() {
        assert_eq!(harmless("=1+1".to_owned()), "'=1+1");
        assert_eq!(harmless("Analyst".to_owned()), "Analyst");
    }
}
