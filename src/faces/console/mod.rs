//! The management console: routes, sessions, forms. `inlay_console` renders its pages, and each concept's own module makes the changes.

mod account;
pub mod answer;
mod answers;
mod applications;
mod audit;
mod authentication;
mod charts;
mod connections;
pub mod cookie;
mod dashboards;
mod defaults;
mod developer;
mod embed;
mod error_page_shell;
pub mod error_pages;
mod file;
mod health;
mod isolation;
mod key_check;
mod members;
mod migration;
mod model;
mod model_forms;
mod number_trials;
mod people;
mod projects;
mod removal;
mod reports;
mod roles;
mod routes;
mod semantic_model;
mod sheet;
mod single_sign_on;
pub mod submission;
mod table_choices;
mod tables;
mod turning;
mod upload;
mod usage;
pub mod visit;
mod workspaces;

#[cfg(test)]
pub(super) mod tests;

pub use routes::routes;

use crate::{
    concepts::organizations::{
        members::{Reads, Works},
        secret, setup,
    },
    ground::{
        audit::{self as audit_log, Deed},
        error::{Code, Error, Result},
        state::App,
    },
};
use inlay_contract::ids::{ProjectId, ProjectUserId, TableId};
use std::{fmt::Debug, io::Write};
use visit::Visit;

/// Tells the person who started the process how to become the first owner, while there is none. Printed to standard error and
/// not to the log, because the code is secret.
pub async fn announce(app: &App) -> Result<()> {
    if let Some(code) = setup::offer(app).await? {
        let text = format!("\n  This Inlay has no owner yet. Set it up at {}/console/setup?code={code}\n\n", app.base_url);
        // Nobody reads it when standard error is closed.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
    Ok(())
}

/// A fingerprint of an object, to detect changes since a form was rendered.
fn seen(thing: &impl Debug) -> String {
    secret::derived("seen", &format!("{thing:?}")).chars().take(32).collect()
}

/// Rejects a form whose object was changed since the form was rendered.
///
/// # Errors
/// 409 `CHANGED_MEANWHILE`. Sending the form again overwrites the change.
fn unchanged(seen: &str, now: &str) -> Result<()> {
    if seen == now {
        return Ok(());
    }
    let told = "This was changed since you opened it. Your entries are kept: compare them in another tab, then save again to overwrite.";
    Err(Error::new(Code::ChangedMeanwhile, told))
}

/// Writes to the audit log that a member read rows as a user.
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

/// The origin of one of the service's own addresses.
fn origin_of(address: &str) -> String {
    url::Url::parse(address).map(|url| url.origin().ascii_serialization()).unwrap_or_default()
}
