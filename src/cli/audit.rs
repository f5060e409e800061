//! `inlay audit`

use super::{Failure, output::Output};
use crate::{
    audit::{
        Event,
        store::{Wanted, newest},
    },
    config::Settings,
    organizations,
    time::Timestamp,
};
use chrono::{DateTime, Utc};
use clap::Args;
use inlay_contract::ids::OrganizationId;
use serde_json::json;
use uuid::Uuid;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The organization's id
    #[arg(long)]
    organization: OrganizationId,
    /// From this time on, as in 2026-01-31T00:00:00Z
    #[arg(long)]
    since: Option<DateTime<Utc>>,
    /// Of this action (`userRole.created`) or kind of resource (`userRole`)
    #[arg(long)]
    action: Option<String>,
    /// Of this resource
    #[arg(long)]
    resource: Option<Uuid>,
    /// At most so many, the newest
    #[arg(long, default_value_t = 1_000)]
    limit: u32,
}

pub(super) async fn run(settings: &Settings, arguments: Arguments, output: Output) -> Result<(), Failure> {
    let (db, _) = settings.open_store().await?;
    let mut lease = db.read().await?;
    let conn = &mut lease.conn();
    organizations::store::find(conn, arguments.organization).await?;
    let wanted = Wanted {
        organization: arguments.organization,
        since: Timestamp(arguments.since.map_or(0, |since| since.timestamp_millis())),
        action: arguments.action,
        resource: arguments.resource,
        most: i64::from(arguments.limit),
    };
    let events = newest(conn, &wanted).await?;
    output.print(&json!({ "events": events }), || events.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn line(event: &Event) -> String {
    let actor = event.actor_id.map_or_else(|| event.actor_kind.clone(), |id| format!("{} {id}", event.actor_kind));
    let name = event.resource_name.as_deref().map(|name| format!(" {name:?}")).unwrap_or_default();
    let from = event.address.as_deref().map(|address| format!(" from {address}")).unwrap_or_default();
    format!("{}  {}  {}{name}  by {actor}{from}", event.at, event.action, event.resource_id)
}
