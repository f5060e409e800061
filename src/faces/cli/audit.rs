//! `inlay audit`

use super::{Failure, output::Output};
use crate::{
    concepts::organizations,
    ground::{
        audit::{
            Event,
            store::{Doer, Thing, Wanted, newest},
        },
        config::Settings,
        time::Timestamp,
    },
};
use chrono::{DateTime, Utc};
use clap::Args;
use inlay_contract::ids::{OrganizationId, ProjectId};
use serde_json::json;
use uuid::Uuid;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The organization's id
    #[arg(long)]
    organization: OrganizationId,
    /// Events from this time on, for example 2026-01-31T00:00:00Z
    #[arg(long)]
    since: Option<DateTime<Utc>>,
    /// Events before this time
    #[arg(long)]
    until: Option<DateTime<Utc>>,
    /// Events whose action contains this text: `userRole.created`, or `role`
    #[arg(long)]
    action: Option<String>,
    /// Events of this resource, by its id
    #[arg(long)]
    resource: Option<Uuid>,
    /// Events by this actor: part of a member's email address or of an API key's name, a user's external id, or a tenant's key
    #[arg(long)]
    who: Option<String>,
    /// Events in this project
    #[arg(long)]
    project: Option<ProjectId>,
    /// Maximum number of events, the newest
    #[arg(long, default_value_t = 1_000)]
    limit: u32,
}

pub async fn run(settings: &Settings, arguments: Arguments, output: Output) -> Result<(), Failure> {
    let (db, _) = settings.open_store().await?;
    let mut lease = db.read().await?;
    let conn = &mut lease.conn();
    organizations::find(conn, arguments.organization).await?;
    let time = |given: Option<DateTime<Utc>>, none| Timestamp(given.map_or(none, |at| at.timestamp_millis()));
    let wanted = Wanted {
        since: time(arguments.since, 0),
        until: time(arguments.until, i64::MAX),
        action: arguments.action,
        resource: arguments.resource.map(Thing::Id),
        who: arguments.who.map(Doer::Named),
        project: arguments.project,
        ..Wanted::of(arguments.organization, i64::from(arguments.limit))
    };
    let events = newest(conn, &wanted).await?;
    output.print(&json!({ "events": events }), || events.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn line(event: &Event) -> String {
    let called = event.actor_name.clone().or_else(|| event.actor_id.map(|id| id.to_string()));
    let actor = called.map_or_else(|| event.actor_kind.clone(), |name| format!("{} {name}", event.actor_kind));
    let name = event.resource_name.as_deref().map(|name| format!(" {name:?}")).unwrap_or_default();
    let from = event.address.as_deref().map(|address| format!(" from {address}")).unwrap_or_default();
    format!("{}  {}  {}{name}  by {actor}{from}", event.at, event.action, event.resource_id)
}
