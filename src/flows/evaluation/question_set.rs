//! Asks a written set of questions of a workspace as one user, and compares each answer's rows with those of SQL that was written by hand.

use crate::{
    concepts::{
        access::viewer::security_context_of,
        chat::{DataScope, DataScopeParts, Rows, ViewerLocale},
        language_models::{self, Answerer},
        projects,
        workspaces::{self, Workspace},
    },
    ground::{
        error::{Error, Result},
        state::App,
    },
};
use inlay_assistant::evaluation::{self, QuestionSet, Reason, Score, Setting};
use inlay_contract::ids::{ProjectUserId, WorkspaceId};
use std::sync::Arc;

/// The inputs of a trial.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Its version. Defaults to the one in production.
    pub version: Option<i64>,
    /// The user whose rows are used.
    pub user: ProjectUserId,
    /// Whether the built-in analyst answers even if there is a language model.
    pub by_analyst: bool,
}

/// The result of a trial.
#[derive(Debug)]
pub struct Judged {
    /// The workspace.
    pub workspace: Workspace,
    /// Its version.
    pub version: i64,
    /// The model that answered. `None` for the built-in analyst.
    pub model: Option<String>,
    /// The score of the questions.
    pub score: Score,
    /// The score of held-out questions, if there are any.
    pub held_out: Option<Score>,
    /// The total cost, if the model has prices.
    pub cost: Option<f64>,
}

/// Asks a set of questions. The model's usage counts against no budget, because the operator runs it.
///
/// # Errors
/// 404 for an unknown workspace, version or user; 409 without a version in production; the error of a query of the set or of
/// the catalogue that fails.
pub async fn judge(app: &App, trial: Trial, set: &QuestionSet) -> Result<Judged> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let workspace = workspaces::find(conn, trial.workspace).await?.ok_or_else(|| Error::not_found("Workspace"))?;
    let version = match trial.version {
        Some(number) => {
            let found =
                workspaces::list_versions(conn, workspace.id).await?.into_iter().find(|version| version.number == number);
            found.ok_or_else(|| Error::not_found("Version"))?
        }
        None => workspaces::production(conn, workspace.id).await?.ok_or_else(crate::concepts::workspaces::unpublished)?,
    };
    let model = match trial.by_analyst {
        true => None,
        false => language_models::of_project(conn, &app.sealer, workspace.organization, workspace.project).await?,
    };
    drop(lease);
    let project = projects::by_id(app, workspace.project).await?.ok_or_else(|| Error::not_found("Project"))?;
    let context = security_context_of(app, workspace.project, trial.user).await?.ok_or_else(|| Error::not_found("User"))?;
    let parts = DataScopeParts {
        name: workspace.name.clone(),
        project: &project,
        connection: version.connection,
        settings: version.settings,
        context,
        viewer_locale: &ViewerLocale::default(),
    };
    let data_scope = Arc::new(DataScope::open(app, parts).await?.of_workspace(workspace.id));
    let scope = match &set.scope {
        Some(scope) => scope.clone(),
        None => data_scope.assistant_scope(app).await?,
    };
    let prices = model.as_ref().and_then(|model| model.settings.prices);
    let name = model.as_ref().map(|model| model.settings.model.clone());
    let setting = Setting { scope, today: set.today, model: model.map(|model| model.settings), patience: None, stop: None };
    let asked = async |questions: &[evaluation::Asked]| {
        let data = Arc::new(Rows::new(app.clone(), Arc::clone(&data_scope)));
        let score = evaluation::evaluate(&app.part::<Answerer>().assistant, questions, &setting, data).await;
        score.map_err(|stopped| match stopped.reason {
            Reason::Example(problem) => Error::invalid("questions", problem.message),
            Reason::TooLong | Reason::Stopped => crate::flows::evaluation::too_long(),
        })
    };
    let score = asked(&set.questions).await?;
    let held_out = if set.held_out.is_empty() { None } else { Some(asked(&set.held_out).await?) };
    let mut tokens = score.tokens;
    tokens += held_out.as_ref().map(|score| score.tokens).unwrap_or_default();
    let cost = prices.map(|prices| tokens.cost(prices));
    Ok(Judged { workspace, version: version.number, model: name, score, held_out, cost })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        concepts::{
            chat::testing::{Act, Script},
            language_models::Budgets,
        },
        testing::{ACME, World, on_both_stores},
    };

    const SET: &str = "
today: 2024-06-15
questions:
  - { ask: How many orders?, sql: select count(*) from orders }
  - chain:
      - { ask: total amount, sql: select sum(amount) from orders }
      - { ask: by region, sql: \"select region, sum(amount) from orders group by 1\" }
  - { ask: Who painted the office?, declined: true }
  - { ask: How many rates?, sql: select 77, note: wrong on purpose }
held-out:
  - { ask: orders by region, sql: \"select region, count(*) from orders group by 1\" }
";

    async fn trial(world: &World) -> Trial {
        let data = world.sign_in_as(ACME, "ada", None).await;
        let user = data["projectUserId"].as_str().expect("an id").parse().expect("an id");
        Trial { workspace: world.applied.workspaces["Ask"], version: None, user, by_analyst: false }
    }

    on_both_stores! {
        async fn the_analyst_is_judged_by_the_rows_of_the_user_who_asks(world) {
            let set: QuestionSet = serde_saphyr::from_str(SET).expect("a set");
            let found = judge(&world.app, trial(&world).await, &set).await.expect("judged");
            assert_eq!((found.score.right, found.score.of), (4, 5), "{:?}", found.score.wrong);
            assert_eq!(found.score.wrong[0].ask, "How many rates?");
            let held_out = found.held_out.expect("held out");
            assert_eq!((held_out.right, held_out.of, held_out.share()), (1, 1, 1.0));
            assert_eq!((found.version, found.model, found.cost), (1, None, None));
        }

        async fn a_model_is_judged_unless_the_analyst_is_asked_for(world) {
            let set: QuestionSet = serde_saphyr::from_str(SET).expect("a set");
            let script = Script::play(&world, vec![Act::Say("I do not know.")], Budgets::default()).await;
            let trial = trial(&world).await;
            let found = judge(&world.app, trial, &set).await.expect("judged");
            // It declines everything, so questions that must be declined are right.
            assert_eq!((found.model.as_deref(), found.score.right, found.score.of), (Some("scripted"), 1, 5));
            assert!(found.score.tokens.total() > 0);
            script.asked.lock().expect("a lock").clear();
            let found = judge(&world.app, Trial { by_analyst: true, ..trial }, &set).await.expect("judged");
            assert_eq!((found.model, found.score.right, script.asked.lock().expect("a lock").len()), (None, 4, 0));
        }

        async fn what_is_not_there_or_does_not_run_is_told(world) {
            let set: QuestionSet = serde_saphyr::from_str(SET).expect("a set");
            let trial = trial(&world).await;
            let code = async |trial, set: &QuestionSet| judge(&world.app, trial, set).await.expect_err("refused").code.as_str();
            assert_eq!(code(Trial { workspace: WorkspaceId::generate(), ..trial }, &set).await, "NOT_FOUND");
            assert_eq!(code(Trial { version: Some(9), ..trial }, &set).await, "NOT_FOUND");
            assert_eq!(code(Trial { user: ProjectUserId::generate(), ..trial }, &set).await, "NOT_FOUND");
            let bad = SET.replace("select count(*) from orders }", "select note from notes }");
            let bad: QuestionSet = serde_saphyr::from_str(&bad).expect("a set");
            let problem = judge(&world.app, trial, &bad).await.expect_err("refused");
            assert!(problem.message.contains("How many orders?"), "{}", problem.message);
            let draft = World::project_file().replace("publish: true", "publish: false, instructions: Be brief");
            world.apply(&draft).await.expect("applied");
            assert_eq!(code(trial, &set).await, "WORKSPACE_NOT_PUBLISHED");
            // … but a draft can be tested before it is published.
            assert_eq!(judge(&world.app, Trial { version: Some(2), ..trial }, &set).await.expect("judged").version, 2);
        }
    }
}
