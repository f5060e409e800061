//! `inlay doctor`: looks at everything that a node needs, and says what is wrong and what to do. It changes nothing, and no check takes
//! longer than it may. What it prints holds no secret.

mod keys;
mod machine;
mod network;
mod sources;
mod storage;

#[cfg(test)]
mod tests;

use super::{Failure, output::Output};
use crate::{
    concepts::connections,
    faces::background,
    ground::{
        config::Settings,
        state::App,
        store::{Db, migrating::Standing, seal::Sealer},
    },
};
use clap::Args;
use inlay_render::Renderer;
use serde::Serialize;
use std::{fmt::Write, future::Future, time::Duration};
use tokio::time::timeout;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Seconds that each check may take
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=60))]
    seconds: u64,
}

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum State {
    Ok,
    Warning,
    Problem,
}

/// What a check found.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    check: &'static str,
    /// What was looked at, where a check looks at several things.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    state: State,
    found: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Finding {
    fn of(check: &'static str, state: State, found: impl Into<String>, advice: Option<&str>) -> Self {
        Self { check, subject: None, state, found: found.into(), advice: advice.map(str::to_owned) }
    }

    fn ok(check: &'static str, found: impl Into<String>) -> Self {
        Self::of(check, State::Ok, found, None)
    }

    fn warning(check: &'static str, found: impl Into<String>, advice: &str) -> Self {
        Self::of(check, State::Warning, found, Some(advice))
    }

    fn problem(check: &'static str, found: impl Into<String>, advice: &str) -> Self {
        Self::of(check, State::Problem, found, Some(advice))
    }

    fn about(self, subject: impl Into<String>) -> Self {
        Self { subject: Some(subject.into()), ..self }
    }

    fn line(&self) -> String {
        let state = match self.state {
            State::Ok => "ok",
            State::Warning => "warning",
            State::Problem => "PROBLEM",
        };
        let subject = self.subject.as_ref().map(|subject| format!("{subject}: ")).unwrap_or_default();
        let advice = self.advice.as_ref().map(|advice| format!("\n{:27}{advice}", "")).unwrap_or_default();
        format!("{state:<9}{:<18}{subject}{}{advice}", self.check, self.found)
    }
}

/// What a check finds, or that it found nothing in time.
async fn within(limit: Duration, check: &'static str, work: impl Future<Output = Finding>) -> Finding {
    let late = |_| {
        let found = format!("no answer within {} s", limit.as_secs_f64());
        Finding::problem(
            check,
            found,
            "Look at the network between this machine and what is checked, or allow more by --seconds.",
        )
    };
    timeout(limit, work).await.unwrap_or_else(late)
}

pub async fn run(settings: Settings, arguments: &Arguments, output: Output) -> Result<(), Failure> {
    let findings = examine(&settings, Duration::from_secs(arguments.seconds)).await;
    let count = |state| findings.iter().filter(|finding| finding.state == state).count();
    let (problems, warnings) = (count(State::Problem), count(State::Warning));
    let report = serde_json::json!({ "problems": problems, "warnings": warnings, "checks": findings });
    output.print(&report, || {
        let lines = findings.iter().fold(String::new(), |mut text, finding| {
            let _ = writeln!(text, "{}", finding.line());
            text
        });
        format!("{lines}problems: {problems}, warnings: {warnings}")
    })?;
    if problems > 0 {
        return Err(format!(
            "{problems} of {} checks found a problem. Do what is said beside each, then run it again",
            findings.len()
        )
        .into());
    }
    Ok(())
}

/// All checks. Those that need the store are left out when it cannot be used, which is then a problem by itself.
async fn examine(settings: &Settings, limit: Duration) -> Vec<Finding> {
    let mut found = machine::check(settings);
    let (stored, opened) = storage::open(settings, limit).await;
    found.extend(stored);
    found.push(within(limit, "mail", network::mail(&settings.mail)).await);
    let Some((db, sealer, standing)) = opened else { return found };
    found.extend(storage::check(&db, settings, standing, limit).await);
    if standing == Standing::Fitting {
        let sealing = within(limit, "sealing key", keys::sealing(&db, &sealer)).await;
        // A store without signing keys has never served. The first node creates one; this command creates nothing.
        let opens = sealing.state == State::Ok;
        found.push(sealing);
        if opens {
            found.extend(with_state(settings, &db, &sealer, limit).await);
        }
    }
    db.close().await;
    found
}

/// The checks that need what a node keeps in memory.
async fn with_state(settings: &Settings, db: &Db, sealer: &Sealer, limit: Duration) -> Vec<Finding> {
    let engine = connections::engine(settings, db, sealer);
    let made = App::new(db.clone(), sealer.clone(), settings.clone(), engine, Renderer::start(), background::configured());
    let app = match timeout(limit, made).await {
        Ok(Ok(app)) => app,
        Ok(Err(problem)) => return vec![keys::unread(&problem)],
        Err(_) => return vec![Finding::problem("configuration", "not read in time", "See what the store's checks say.")],
    };
    let mut found = vec![keys::signing(&app)];
    found.extend(network::providers(&app, limit).await);
    found.extend(sources::check(&app, limit).await);
    found.extend(network::public_addresses(&app, limit).await);
    found
}
