//! The audit log of an organization.

use super::{answer::Page, turning, visit::Visit};
use crate::{
    concepts::projects,
    ground::{
        audit::{
            Event,
            store::{Doer, SEARCHED, Thing, Wanted, newest},
        },
        error::{Error, Result},
        time::Timestamp,
    },
};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use chrono::{Days, NaiveDate, NaiveTime};
use inlay_console::{
    Section,
    pages::audit::{AuditPage, EventRow, Search, show as view},
};
use inlay_contract::ids::ProjectId;
use uuid::Uuid;

/// Events per page.
const SHOWN: i64 = 50;
/// The log in cursors.
const LIST: &str = "audit";
/// The maximum number of deleted projects in the filter.
const GONE: i64 = 200;
/// The maximum number of events in an export.
const EXPORTED: i64 = 100_000;
/// The name of the command line as an actor.
const OPERATOR: &str = "Command line";

fn search(visit: &Visit) -> Search {
    let query = |name: &str| visit.person.query(name).trim().to_owned();
    Search {
        who: query("who"),
        action: query("action"),
        resource: query("resource"),
        project: query("project"),
        since: query("since"),
        until: query("until"),
    }
}

/// The filter for a search.
fn wanted(visit: &Visit, search: &Search, most: i64) -> Wanted {
    let day = |text: &str| text.parse::<NaiveDate>().ok();
    let begin = |day: NaiveDate| Timestamp(day.and_time(NaiveTime::MIN).and_utc().timestamp_millis());
    let all = Wanted::of(visit.member.organization, most);
    let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let id = |text: &String| text.parse::<Uuid>().ok();
    Wanted {
        since: day(&search.since).map_or(all.since, begin),
        until: day(&search.until).and_then(|last| last.checked_add_days(Days::new(1))).map_or(all.until, begin),
        action: given(&search.action),
        resource: given(&search.resource).map(|text| id(&text).map_or(Thing::Named(text), Thing::Id)),
        who: given(&search.who).map(|text| {
            let operator = text.eq_ignore_ascii_case(OPERATOR);
            if operator { Doer::Operator } else { id(&text).map_or(Doer::Named(text), Doer::Id) }
        }),
        // Text that is not an id matches nothing.
        project: given(&search.project).map(|text| text.parse().unwrap_or(ProjectId(Uuid::nil()))),
        ..all
    }
}

fn actor(event: &Event) -> String {
    match (event.actor_kind.as_str(), &event.actor_name, event.actor_id) {
        ("operator", ..) => OPERATOR.to_owned(),
        ("member", Some(address), _) => address.clone(),
        (kind, Some(name), _) => format!("{} {name}", kind_of_actor(kind)),
        (kind, None, Some(id)) => format!("{} {id}", kind_of_actor(kind)),
        (kind, None, None) => kind_of_actor(kind).to_owned(),
    }
}

/// A kind of actor in words.
fn kind_of_actor(kind: &str) -> &str {
    match kind {
        "apiKey" => "API key",
        "member" => "Member",
        "projectUser" => "User",
        "tenant" => "Tenant",
        other => other,
    }
}

/// The organization's projects, followed by deleted ones that the log still mentions.
async fn named_projects(visit: &Visit) -> Result<Vec<(ProjectId, String)>> {
    let organization = visit.member.organization;
    let standing = projects::list(visit.app(), organization).await?.into_iter().map(|one| (one.id, one.name));
    let gone = crate::flows::project_removal::all_deleted(visit.app(), &visit.member, GONE).await?;
    Ok(standing.chain(gone.into_iter().map(|(id, name)| (id, format!("{name} (deleted)")))).collect())
}

/// `GET /console/organizations/{organization}/audit`
pub async fn show(visit: Visit) -> Page {
    let search = search(&visit);
    let from = turning::side(&visit, LIST)?;
    let projects = named_projects(&visit).await?;
    let wanted = Wanted { from, ..wanted(&visit, &search, SHOWN + 1) };
    let mut events = newest(&mut visit.app().db.read().await?.conn(), &wanted).await?;
    let turns = turning::turns(&visit, LIST, from.as_ref(), &mut events, SHOWN, |event| (event.at.0, event.id))?;
    let row = |event: Event| EventRow {
        at: event.at.to_string(),
        actor: actor(&event),
        project: projects.iter().find(|(id, _)| Some(*id) == event.project_id).map(|(_, name)| name.clone()),
        action: event.action,
        resource: event.resource_name.unwrap_or_default(),
        resource_id: event.resource_id.to_string(),
        details: serde_json::to_string(&event.details).unwrap_or_default(),
        address: event.address.unwrap_or_default(),
    };
    let page = AuditPage {
        organization: visit.member.organization.to_string(),
        projects: projects.iter().map(|(id, name)| (id.to_string(), name.clone())).collect(),
        turns,
        searched: SEARCHED,
        events: events.into_iter().map(row).collect(),
        search,
    };
    visit.page("Audit log", Section::Audit, || view(&page)).await
}

/// `GET …/audit/export`: the events of the same search as CSV.
pub async fn export(visit: Visit) -> Result<Response, super::answer::Refused> {
    let search = search(&visit);
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
    let wanted = wanted(&visit, &search, EXPORTED);
    for event in newest(&mut visit.app().db.read().await?.conn(), &wanted).await? {
        let text = |text: Option<String>| text.unwrap_or_default();
        let record = [
            event.at.to_string(),
            actor(&event),
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

/// A cell that no spreadsheet treats as a formula.
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
