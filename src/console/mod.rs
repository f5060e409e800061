//! The management console: routes, sessions, forms. What a page looks like is in `inlay_console`, what a form changes is in
//! the concept that it changes; here the two meet.

mod account;
pub mod answer;
mod applications;
mod around;
mod audit;
mod charts;
mod connections;
pub mod cookie;
mod dashboards;
mod defaults;
mod developer;
mod embed;
mod entry;
mod file;
mod members;
mod migration;
mod model;
mod offered;
mod people;
pub mod problems;
mod projects;
mod removal;
mod reports;
mod roles;
mod routes;
mod sheet;
mod sign_on;
mod state;
pub mod submission;
mod tables;
mod upload;
mod usage;
pub mod visit;
mod workspaces;

#[cfg(test)]
mod tests;

pub use routes::routes;
pub use state::ConsoleState;

use crate::{
    audit::{self as audit_log, Deed},
    error::{Code, Error, Result},
    organizations::{
        members::{Reads, Works},
        secret, setup,
    },
    state::App,
};
use inlay_contract::ids::{ProjectId, ProjectUserId, TableId};
use std::{fmt::Debug, io::Write};
use visit::Visit;

/// Tells whoever started the process how to become the first owner, as long as there is none. On standard error, beside the
/// log: the code is a secret.
pub async fn announce(app: &App) -> Result<()> {
    if let Some(code) = setup::offer(app).await? {
        let text = format!("\n  Nobody owns this Inlay yet. Set it up at {}/console/setup?code={code}\n\n", app.base_url);
        // Without standard error there is nobody to tell.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
    Ok(())
}

/// What something looked like when a form was drawn, so that a form that others have overtaken is noticed.
fn seen(thing: &impl Debug) -> String {
    secret::derived("seen", &format!("{thing:?}")).chars().take(32).collect()
}

/// Refuses a form whose thing somebody else has changed since it was drawn.
///
/// # Errors
/// 409 `CHANGED_MEANWHILE`; sent again, the form overwrites.
fn unchanged(seen: &str, now: &str) -> Result<()> {
    if seen == now {
        return Ok(());
    }
    let told = "Somebody else has changed this since you opened it. What you typed is kept: compare it in another tab, then save again to overwrite.";
    Err(Error::new(Code::ChangedMeanwhile, told))
}

/// Tells the audit log that a member looked at rows as somebody.
async fn audit_trial<R: Reads + Works>(
    visit: &Visit<R>,
    project: ProjectId,
    table: TableId,
    name: &str,
    user: ProjectUserId,
) -> Result<()> {
    let mut tx = visit.app().db.write().await?;
    let deed = Deed::new("table.testedAs", table.0).in_project(project).named(name).with("userId", user.to_string());
    audit_log::record(&mut tx.conn(), &visit.member.actor(), deed).await?;
    tx.commit().await
}

/// The origin of one of our own addresses.
fn origin_of(address: &str) -> String {
    url::Url::parse(address).map(|url| url.origin().ascii_serialization()).unwrap_or_default()
}
