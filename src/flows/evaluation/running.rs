//! Runs an evaluation. Each result is stored before the next question is asked, so that a node that takes an evaluation over
//! continues where the other one stopped. Before and after each question it checks again that the member who started it may
//! still work with projects and that the user's rows are unchanged. A model's usage always counts, whatever happens to the
//! rest.

use super::{Example, Miss, Run, State, examples, store};
use crate::{
    concepts::{
        access::Viewer,
        chat::{self, DataScope, OpenWorkspace, ViewerLocale},
        language_models::{self, Answerer, Asking},
        organizations::members::{self, Member, Worker},
        workspaces,
    },
    flows::management::people,
    ground::{
        audit::{self, Actor, Deed, Who},
        error::{Code, Error, Kind as Trouble, Result},
        jobs::{self, Handler, Job, JobKind, Outcome, Places},
        state::App,
        store::Tx,
        time::Timestamp,
        web::origin::Origin,
    },
};
use async_trait::async_trait;
use inlay_assistant::{
    Data, Scope,
    evaluation::{Asked, Item, Reason, Score, Setting, evaluate},
};
use std::{sync::Arc, time::Duration};
use tokio::sync::watch;

/// How many evaluations all nodes together run at once.
const AT_ONCE: i64 = 4;
/// How many nodes may start one before it is given up.
const MOST_ATTEMPTS: i64 = 3;
/// The timeout of a question.
const PATIENCE: Duration = Duration::from_secs(120);
/// The maximum duration of an evaluation.
const LONGEST: Duration = Duration::from_secs(3600);
/// How often it checks, during an answer, whether the evaluation should continue.
const LOOK_EVERY: Duration = Duration::from_secs(1);

const INTERRUPTED: &str = "The evaluation was interrupted too often. Start it again.";

/// The handler for evaluations.
#[derive(Debug)]
pub struct Evaluating;

#[async_trait]
impl Handler for Evaluating {
    fn kind(&self) -> JobKind {
        JobKind::Evaluation
    }

    fn places(&self, _: &App) -> Places {
        Places::half(AT_ONCE)
    }

    async fn plan(&self, _: &App) -> Result<()> {
        // Evaluations are added with their jobs.
        Ok(())
    }

    async fn attempt(&self, app: &App, job: &Job) -> Result<Outcome> {
        attempt(app, job).await
    }

    async fn give_up(&self, app: &App, job: &Job, _: &str) -> Result<()> {
        let mut tx = app.db.write().await?;
        store::end(&mut tx.conn(), job.subject, State::Interrupted, Some(INTERRUPTED), Timestamp::now()).await?;
        tx.commit().await
    }
}

/// Why an evaluation stops.
enum End {
    /// It was cancelled, or another node has taken it over.
    Gone,
    /// It fails, for a reason that members may read.
    Failed(String),
    /// A temporary error: it continues later.
    Passing(Error),
}

impl From<Error> for End {
    fn from(problem: Error) -> Self {
        match (problem.kind(), problem.code) {
            (Trouble::Internal, _) | (_, Code::StoreUnavailable) => Self::Passing(problem),
            (_, code) => Self::Failed(told(code, problem.message)),
        }
    }
}

/// The reason for a member. Some of the chat's messages for viewers are replaced.
fn told(code: Code, message: String) -> String {
    match code {
        Code::TokenRevoked | Code::InvalidToken => "The user's access was revoked during the evaluation.".to_owned(),
        Code::AccessChanged => "The rows that the user may see changed during the evaluation. Start it again.".to_owned(),
        _ => message,
    }
}

async fn attempt(app: &App, job: &Job) -> Result<Outcome> {
    let run = store::find(&mut app.db.read().await?.conn(), job.subject).await?;
    let Some(run) = run.filter(|run| run.state.is_under_way()) else { return Ok(Outcome::Done) };
    let mut running = Running { app, job, run };
    let (state, problem) = match job.attempt {
        ..=MOST_ATTEMPTS => match running.go().await {
            Ok(()) | Err(End::Gone) => return Ok(Outcome::Done),
            Err(End::Passing(problem)) => return Err(problem),
            Err(End::Failed(problem)) => (State::Failed, problem),
        },
        _ => (State::Interrupted, INTERRUPTED.to_owned()),
    };
    running.stop(state, &problem).await
}

/// An evaluation in progress.
struct Running<'a> {
    app: &'a App,
    job: &'a Job,
    run: Run,
}

/// The objects that its questions need.
struct Stage {
    examples: Vec<Example>,
    viewer: Viewer,
    data_scope: Arc<DataScope>,
    scope: Scope,
}

impl Running<'_> {
    async fn go(&mut self) -> Result<(), End> {
        let stage = self.stage().await?;
        let left = usize::try_from(self.run.tally.asked).unwrap_or(usize::MAX);
        for example in stage.examples.iter().skip(left) {
            let answer = self.answer(&stage, example).await?;
            self.still_stands(&stage).await?;
            self.note(answer).await?;
        }
        self.finish().await
    }

    /// The member who started it, if they may still work with projects.
    async fn still_wanted(&self) -> Result<Member<Worker>, End> {
        let gone = || End::Failed("The member who started it may no longer work with projects.".to_owned());
        let id = self.run.member.ok_or_else(gone)?;
        let found = members::find_membership(&mut self.app.db.read().await?.conn(), id).await?;
        let found = found.filter(|member| member.organization == self.run.organization).ok_or_else(gone)?;
        Member::new(&found, Origin::default()).map_err(|_| gone())
    }

    async fn stage(&self) -> Result<Stage, End> {
        let Self { app, run, .. } = self;
        let by = self.still_wanted().await?;
        let user = run.user.ok_or_else(|| End::Failed("The user whose rows it uses was deleted.".to_owned()))?;
        let (workspace, version) = {
            let mut lease = app.db.read().await?;
            let conn = &mut lease.conn();
            let workspace = workspaces::find(conn, run.workspace).await?.ok_or(End::Gone)?;
            let all = workspaces::list_versions(conn, run.workspace).await?;
            (workspace, all.into_iter().find(|version| version.number == run.version).ok_or(End::Gone)?)
        };
        let examples = examples(&version).to_vec();
        // A preview token: the member sees what the user sees, changes nothing, and the audit log gets an event.
        let viewer = Viewer::by_token(app, &people::view_as(app, &by, run.project, user).await?.token).await?;
        let data_scope =
            OpenWorkspace::of_version(app, &viewer, workspace, version, &ViewerLocale::default()).await?.data_scope;
        let scope = data_scope.assistant_scope(app).await?;
        Ok(Stage { examples, viewer, data_scope, scope })
    }

    /// Asks a question, with the same model or analyst as before.
    async fn answer(&mut self, stage: &Stage, example: &Example) -> Result<Score, End> {
        let model = self.model().await?;
        let (stop, stopped) = watch::channel(false);
        let Stage { viewer, data_scope, scope, .. } = stage;
        let (scope, today) = (scope.clone(), data_scope.today.day);
        let setting = Setting { scope, today, model, patience: Some(PATIENCE), stop: Some(stopped) };
        let asking = Asking { organization: self.run.organization, project: self.run.project };
        let rows = chat::rows(self.app, viewer, Arc::clone(data_scope));
        // A task of its own, so that its usage is counted even if this node loses the job.
        let mut work = tokio::spawn(ask_and_count(self.app.clone(), asking, example.clone(), setting, rows));
        let done = tokio::select! {
            done = &mut work => done,
            end = self.unwanted(stage) => {
                stop.send_replace(true);
                drop(work.await.map_err(Error::internal)??);
                return Err(end);
            }
        };
        match done.map_err(Error::internal)?? {
            Ok(score) => Ok(score),
            Err(Reason::Stopped) => Err(End::Gone),
            Err(Reason::TooLong) => {
                let why = format!("It took longer than {} seconds.", PATIENCE.as_secs());
                let miss = inlay_assistant::evaluation::Miss { ask: example.question.clone(), why, answer: String::new() };
                Ok(Score { of: 1, wrong: vec![miss], ..Score::default() })
            }
            Err(Reason::Example(problem)) => {
                self.still_wanted().await?;
                Err(End::Failed(told(problem.code, format!("An example's query cannot be used: {}", problem.message))))
            }
        }
    }

    /// Who answers: the organization's model or the analyst at the start, and no other until the end.
    async fn model(&mut self) -> Result<Option<inlay_assistant::ModelSettings>, End> {
        let choice = language_models::choose_for_organization(self.app, self.run.organization, self.run.project).await?;
        let name = choice.model.as_ref().map(|model| model.model.clone()).unwrap_or_default();
        if self.run.state == State::Waiting {
            let mut tx = self.held().await?;
            let now = Timestamp::now();
            if !store::begin(&mut tx.conn(), self.run.id, &name, now).await? {
                return Err(End::Gone);
            }
            tx.commit().await?;
            (self.run.state, self.run.answered_by, self.run.started_at) = (State::Running, name, Some(now));
        } else if name != self.run.answered_by {
            let told = if choice.spent {
                "The organization's budget for today is used up."
            } else {
                "The model was changed during the evaluation."
            };
            return Err(End::Failed(format!("{told} Start the evaluation again.")));
        }
        Ok(choice.model)
    }

    /// Completes when the answer in progress is no longer needed.
    async fn unwanted(&self, stage: &Stage) -> End {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            if self.run.started_at.is_some_and(|at| at.plus(LONGEST) < Timestamp::now()) {
                return End::Failed("It took longer than an hour.".to_owned());
            }
            match self.look(stage).await {
                // A short outage of the store is no reason to stop.
                Ok(()) | Err(End::Passing(_)) => {}
                Err(end) => return end,
            }
        }
    }

    async fn look(&self, stage: &Stage) -> Result<(), End> {
        let found = store::find(&mut self.app.db.read().await?.conn(), self.run.id).await?;
        if found.is_none_or(|run| run.state != State::Running) {
            return Err(End::Gone);
        }
        self.still_stands(stage).await
    }

    /// Whether the member and the user still have the same access.
    async fn still_stands(&self, stage: &Stage) -> Result<(), End> {
        self.still_wanted().await?;
        Ok(chat::still_sees(self.app, &stage.viewer, &stage.data_scope).await?)
    }

    /// Stores the result of a question.
    async fn note(&mut self, answer: Score) -> Result<(), End> {
        let whole = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let tally = &mut self.run.tally;
        tally.asked += whole(answer.of);
        tally.right += whole(answer.right);
        tally.misses.extend(answer.wrong.into_iter().map(|miss| Miss { question: miss.ask, why: miss.why }));
        let mut tx = self.held().await?;
        if !store::go_on(&mut tx.conn(), self.run.id, &self.run.tally).await? {
            return Err(End::Gone);
        }
        Ok(tx.commit().await?)
    }

    async fn finish(&self) -> Result<(), End> {
        let deed = self.deed("workspace.evaluated").with("right", self.run.tally.right).with("of", self.run.tally.asked);
        self.end(State::Done, None, deed).await
    }

    async fn stop(&self, state: State, problem: &str) -> Result<Outcome> {
        match self.end(state, Some(problem), self.deed("workspace.evaluationFailed").with("problem", problem)).await {
            Ok(()) | Err(End::Gone | End::Failed(_)) => Ok(Outcome::Done),
            Err(End::Passing(problem)) => Err(problem),
        }
    }

    fn deed(&self, action: &'static str) -> Deed<'_> {
        let Run { workspace, project, name, version, .. } = &self.run;
        Deed::new(action, workspace.0).in_project(*project).named(name).with("version", *version)
    }

    async fn end(&self, state: State, problem: Option<&str>, deed: Deed<'_>) -> Result<(), End> {
        let mut tx = self.held().await?;
        let conn = &mut tx.conn();
        if !store::end(conn, self.run.id, state, problem, Timestamp::now()).await? {
            return Err(End::Gone);
        }
        let who = self.run.member.map_or(Who::Operator, Who::Member);
        audit::record(conn, &Actor { who, organization: self.run.organization, origin: Origin::default() }, deed).await?;
        Ok(tx.commit().await?)
    }

    /// A transaction in which this node certainly holds the job.
    async fn held(&self) -> Result<Tx, End> {
        let mut tx = self.app.db.write().await?;
        if jobs::store::holds(&mut tx.conn(), self.job).await? { Ok(tx) } else { Err(End::Gone) }
    }
}

/// Asks a question and counts its usage, whatever the result.
async fn ask_and_count(
    app: App,
    asking: Asking,
    example: Example,
    setting: Setting,
    rows: Arc<dyn Data>,
) -> Result<Result<Score, Reason>> {
    let prices = setting.model.as_ref().and_then(|model| model.prices);
    let item = Item::of(example.question, example.query);
    let asked = evaluate(&app.part::<Answerer>().assistant, &[Asked::One(item)], &setting, rows).await;
    let (tokens, questions) = match &asked {
        Ok(score) => (score.tokens, 1),
        Err(stopped) => (stopped.tokens, i64::from(!matches!(stopped.reason, Reason::Example(_)))),
    };
    language_models::count_evaluation(&app, asking, questions, tokens, prices).await?;
    Ok(asked.map_err(|stopped| stopped.reason))
}
