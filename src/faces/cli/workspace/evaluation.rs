//! `inlay workspace evaluate`

use crate::{
    concepts::{customers, workspaces},
    faces::{
        cli::{Failure, output::Output},
        server,
    },
    flows::evaluation::question_set::{Judged, Trial, judge},
    ground::{config::Settings, state::App},
};
use clap::Args;
use inlay_assistant::evaluation::{QuestionSet, Score};
use inlay_contract::ids::{ProjectUserId, WorkspaceId};
use serde_json::{Value, json};
use std::{fmt::Write, path::PathBuf};

#[derive(Args, Debug)]
pub(in crate::faces::cli) struct Arguments {
    /// The workspace's id
    id: WorkspaceId,
    /// The question set, a YAML file (see docs/workspaces.md)
    #[arg(long)]
    questions: PathBuf,
    /// The customer's external id
    #[arg(long)]
    customer: String,
    /// The user's external id
    #[arg(long)]
    user: String,
    /// The version's number [default: the one in production]
    #[arg(long)]
    number: Option<i64>,
    /// Use the built-in analyst, even if a language model is set
    #[arg(long)]
    analyst: bool,
    /// Fail if the percentage of right answers is lower
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    at_least: Option<u8>,
}

pub async fn run(settings: Settings, arguments: Arguments, output: Output) -> Result<(), Failure> {
    let Arguments { id, questions, customer, user, number, analyst, at_least } = arguments;
    let text = std::fs::read_to_string(&questions).map_err(|fault| format!("{}: {fault}", questions.display()))?;
    let set: QuestionSet = serde_saphyr::from_str(&text).map_err(|fault| format!("{}: {fault}", questions.display()))?;
    let app = server::prepare(settings).await?;
    let user = find_user(&app, id, &customer, &user).await?;
    let trial = Trial { workspace: id, version: number, user, by_analyst: analyst };
    let found = judge(&app, trial, &set).await.map_err(|problem| problem.context.unwrap_or(problem.message))?;
    output.print(&answer(&found), || told(&found))?;
    let share = found.score.share() * 100.0;
    match at_least {
        Some(least) if share < f64::from(least) => {
            Err(format!("{share:.1} % of the answers are right, fewer than {least} %").into())
        }
        Some(_) | None => Ok(()),
    }
}

async fn find_user(app: &App, workspace: WorkspaceId, customer: &str, user: &str) -> Result<ProjectUserId, Failure> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let workspace = workspaces::find(conn, workspace).await?.ok_or_else(|| super::missing(workspace))?;
    let customer = customers::find_customer(conn, workspace.project, customer).await?;
    let customer = customer.ok_or("the workspace's project has no customer with this external id")?;
    let user = customers::find_user_of_customer(conn, customer.id, user).await?;
    Ok(user.ok_or("the customer has no user with this external id")?.id)
}

fn answer(found: &Judged) -> Value {
    let score = |score: &Score| {
        let wrong = score.wrong.iter().map(|miss| json!({ "ask": miss.ask, "why": miss.why, "answer": miss.answer }));
        json!({
            "right": score.right, "of": score.of, "share": score.share(), "wrong": wrong.collect::<Value>(),
            "tokens": score.tokens,
        })
    };
    json!({
        "workspaceId": found.workspace.id, "version": found.version, "model": found.model, "cost": found.cost,
        "questions": score(&found.score), "heldOut": found.held_out.as_ref().map(score),
    })
}

fn told(found: &Judged) -> String {
    let who = found.model.as_deref().unwrap_or("the built-in analyst");
    let mut text = format!("{}, version {}, answered by {who}", found.workspace.name, found.version);
    tell_score(&mut text, "questions", &found.score);
    if let Some(held_out) = &found.held_out {
        tell_score(&mut text, "held out", held_out);
    }
    if let Some(cost) = found.cost {
        let _ = write!(text, "\ncost: {cost:.4}");
    }
    text
}

fn tell_score(text: &mut String, name: &str, score: &Score) {
    let _ = write!(text, "\n{name}: {} of {} right ({:.1} %)", score.right, score.of, score.share() * 100.0);
    if score.tokens.total() > 0 {
        let _ = write!(text, ", {} tokens", score.tokens.total());
    }
    for miss in &score.wrong {
        let _ = write!(text, "\n  {}\n    {}", miss.ask, miss.why.replace('\n', " "));
    }
}
