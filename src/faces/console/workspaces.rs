//! Workspaces of a project.

use super::{
    answer::{self, Page},
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::{
        organizations::members::{Reads, Worker},
        workspaces::{Example, LatestVersion, Version, WorkspaceSettings},
    },
    flows::{
        evaluation::{self, Evaluation, State},
        management::workspaces::{self, Move},
    },
    ground::{
        error::{Code, Error, Result},
        problems::Problems,
    },
};
use inlay_assistant::WrittenQuery;
use inlay_console::{
    Draft, Section,
    pages::{
        evaluations::{self as evaluation_views, Came, EvaluationRow, Evaluations},
        workspaces::{self as views, Forms, VersionRow, WorkspacePage, WorkspaceRow},
    },
};
use inlay_contract::ids::{AgentId, WorkspaceId};

/// Empty example rows below the existing ones.
const MORE_EXAMPLES: usize = 2;
/// The maximum number of examples in a form.
const MOST_EXAMPLES: usize = 50;

/// `GET /console/projects/{project}/workspaces`
pub async fn list(visit: Visit) -> Page {
    let project = visit.project()?.id;
    let row = |one: LatestVersion| WorkspaceRow {
        id: one.id.to_string(),
        name: one.name,
        version: one.version,
        production: one.production,
    };
    let rows: Vec<_> = workspaces::list(visit.app(), &visit.member, project).await?.into_iter().map(row).collect();
    visit.page("Workspaces", Section::Workspaces, || views::list(&project.to_string(), &rows, visit.is::<Worker>())).await
}

/// `GET …/workspaces/new`
pub async fn show_new(visit: Visit<Worker>) -> Page {
    draw(&visit, None, Forms::default()).await
}

type Found = (LatestVersion, Vec<Version>);

async fn found<R: Reads>(visit: &Visit<R>) -> Result<Found> {
    let id: WorkspaceId = visit.person.id("workspace")?;
    workspaces::find(visit.app(), &visit.member, visit.project()?.id, id).await
}

/// `GET …/workspaces/{workspace}`. With `?only=evaluations` only those, for the page's script.
pub async fn show(visit: Visit) -> Page {
    let found = found(&visit).await?;
    if visit.person.query("only") == "evaluations" {
        let all = evaluation::list(visit.app(), &visit.member, visit.project()?.id, found.0.id).await?;
        let evaluations = evaluations(&visit, found.0.id, all);
        return Ok(answer::piece(&visit.person.csrf, || evaluation_views::list(&evaluations))?);
    }
    draw(&visit, Some(&found), forms(&found)).await
}

/// The values of the page's forms.
fn forms(found: &Found) -> Forms {
    let name = Draft::of([("name", found.0.name.clone())]).with("seen", &found.0.name);
    let agent = agent_of(&found.0);
    let agent = Draft::of([("agentId", agent.clone())]).with("seen", agent);
    Forms { settings: draft_of(&found.0), name, agent, evaluation: Draft::default() }
}

fn agent_of(latest: &LatestVersion) -> String {
    latest.agent.map(|agent| agent.to_string()).unwrap_or_default()
}

fn draft_of(latest: &LatestVersion) -> Draft {
    let settings = &latest.settings;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let examples = settings.examples.iter().enumerate().flat_map(|(number, example)| {
        let field = |part: &str| format!("example.{number}.{part}");
        [(field("question"), example.question.clone()), (field("query"), example.query.text())]
    });
    Draft::of(examples)
        .with("connection", latest.connection.to_string())
        .with("seen", latest.version.to_string())
        .with("tables", settings.tables.clone().unwrap_or_default().join("\n"))
        .with("questions", settings.example_questions.join("\n"))
        .with("instructions", text(&settings.instructions))
        .with("modelOnly", if settings.model_only { "on" } else { "" })
        .with("assistantName", text(&settings.placeholders.assistant_name))
        .with("inputPlaceholder", text(&settings.placeholders.input_placeholder))
        .with("userName", text(&settings.placeholders.user_name))
        .with("thinkingPlaceholder", text(&settings.placeholders.thinking_placeholder))
        .with("disclaimerText", text(&settings.placeholders.disclaimer_text))
}

async fn draw<R: Reads>(visit: &Visit<R>, found: Option<&Found>, forms: Forms) -> Page {
    let (app, project) = (visit.app(), visit.project()?.id);
    let sources = crate::flows::management::connections::list(app, &visit.member, project).await?;
    let (mut evaluated, mut users, mut uses) = (Vec::new(), Vec::new(), None);
    if let Some((latest, _)) = found {
        uses = Some(workspaces::uses(app, &visit.member, project, latest.id).await?);
        evaluated = evaluation::list(app, &visit.member, project, latest.id).await?;
        users = super::people::offered(visit).await?;
    }
    let typed = (0..MOST_EXAMPLES).rev().find(|number| !forms.settings.value(&format!("example.{number}.question")).is_empty());
    let version = |one: &Version, production: Option<i64>| VersionRow {
        number: one.number,
        published: one.published,
        production: production == Some(one.number),
        fell_by: evaluation::fall(&evaluated, one.number, production).map(|points| points.round() as i64),
    };
    let versions = found.map(|(latest, all)| all.iter().rev().map(|one| version(one, latest.production)).collect());
    let page = WorkspacePage {
        project: project.to_string(),
        id: found.map(|(latest, _)| latest.id.to_string()),
        name: found.map(|(latest, _)| latest.name.clone()).unwrap_or_default(),
        versions: versions.unwrap_or_default(),
        connections: sources.into_iter().map(|source| (source.id.to_string(), source.name)).collect(),
        examples: typed.map_or(0, |last| last + 1) + MORE_EXAMPLES,
        evaluations: found.map(|(latest, _)| evaluations(visit, latest.id, evaluated)),
        users,
        applications: uses.as_ref().map(|uses| uses.applications.clone()).unwrap_or_default(),
        conversations: uses.map_or(0, |uses| uses.conversations),
        may_change: visit.is::<Worker>(),
    };
    let title = if page.name.is_empty() { "New workspace" } else { &page.name };
    visit.page(title, Section::Workspaces, || views::show(&page, &forms)).await
}

fn evaluations<R: Reads>(visit: &Visit<R>, id: WorkspaceId, all: Vec<Evaluation>) -> Evaluations {
    Evaluations {
        own: visit.at(&format!("workspaces/{id}")),
        rows: evaluation::changes(&all).into_iter().zip(all).map(evaluation_row).collect(),
        may_change: visit.is::<Worker>(),
    }
}

fn evaluation_row((change, one): (Option<f64>, Evaluation)) -> EvaluationRow {
    let came = match one.state {
        State::Waiting => Came::Waiting,
        State::Running => Came::Running,
        State::Done => Came::Done,
        State::Failed => Came::Failed(one.problem.unwrap_or_default()),
        State::Interrupted => Came::Interrupted(one.problem.unwrap_or_default()),
        State::Cancelled => Came::Cancelled,
    };
    EvaluationRow {
        id: one.id.to_string(),
        version: one.version,
        came,
        answered_by: one.answered_by,
        asked: one.tally.asked,
        right: one.tally.right,
        of: one.of,
        change: change.map(|points| points.round() as i64),
        misses: one.tally.misses.into_iter().map(|miss| (miss.question, miss.why)).collect(),
        wanted_by: one.wanted_by,
        user: one.user,
        at: one.at.to_string(),
    }
}

/// The examples of a form. A row without a question is skipped.
fn examples(typed: &Typed) -> Result<Vec<Example>> {
    let mut problems = Problems::default();
    let mut examples = Vec::new();
    for number in 0..MOST_EXAMPLES {
        let field = |part: &str| format!("example.{number}.{part}");
        let (question, query) = (typed.get(&field("question")), typed.get(&field("query")).trim());
        if question.is_empty() {
            continue;
        }
        let read = if query.is_empty() { Err("is required with the question".to_owned()) } else { WrittenQuery::read(query) };
        match read {
            Ok(query) => examples.push(Example { question: question.to_owned(), query }),
            Err(why) => problems.add(&field("query"), why),
        }
    }
    problems.finish()?;
    Ok(examples)
}

/// The settings of a form, on top of those of the newest version, which the form does not show completely.
fn settings(typed: &Typed, old: Option<&WorkspaceSettings>) -> Result<WorkspaceSettings> {
    let mut settings = old.cloned().unwrap_or_default();
    let given = |name: &str| typed.given(name).map(str::to_owned);
    settings.example_questions = typed.lines("questions");
    settings.tables = Some(typed.lines("tables")).filter(|tables| !tables.is_empty());
    settings.instructions = given("instructions");
    settings.placeholders.assistant_name = given("assistantName");
    settings.placeholders.input_placeholder = given("inputPlaceholder");
    settings.placeholders.user_name = given("userName");
    settings.placeholders.thinking_placeholder = given("thinkingPlaceholder");
    settings.placeholders.disclaimer_text = given("disclaimerText");
    settings.examples = examples(typed)?;
    settings.model_only = typed.ticked("modelOnly");
    Ok(settings)
}

async fn save(visit: &Visit<Worker>, typed: &Typed, found: Option<&Found>) -> Page {
    let project = visit.project()?.id;
    let name = found.map_or_else(|| typed.get("name").to_owned(), |(latest, _)| latest.name.clone());
    let now = found.map(|(latest, _)| latest.version.to_string()).unwrap_or_default();
    let saved = async {
        super::unchanged(typed.get("seen"), &now)?;
        let connection = typed.get("connection").parse().map_err(|_| Error::invalid("connection", "is required"))?;
        let settings = settings(typed, found.map(|(latest, _)| &latest.settings))?;
        workspaces::draft(visit.app(), &visit.member, project, found.map(|(latest, _)| latest.id), &name, connection, &settings)
            .await
    };
    match saved.await {
        Ok(id) => {
            Ok(visit.done(&visit.at(&format!("workspaces/{id}")), "Saved as a draft. Publish it, then put it into production."))
        }
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            let held = found.map(forms).unwrap_or_default();
            Ok(with_status(draw(visit, found, Forms { settings: draft.with("seen", now), ..held }).await?, status))
        }
    }
}

/// `POST …/workspaces`
pub async fn create(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    save(&visit, &typed, None).await
}

/// `POST …/workspaces/{workspace}`
pub async fn change(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let found = found(&visit).await?;
    save(&visit, &typed, Some(&found)).await
}

/// `POST …/workspaces/{workspace}/name`
pub async fn rename(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let found = found(&visit).await?;
    let (project, id) = (visit.project()?.id, found.0.id);
    let renamed = async {
        super::unchanged(typed.get("seen"), &found.0.name)?;
        workspaces::rename(visit.app(), &visit.member, project, id, typed.get("name")).await
    };
    match renamed.await {
        Ok(()) => Ok(visit.done(&visit.at(&format!("workspaces/{id}")), "Renamed.")),
        Err(problem) => {
            let (status, name) = typed.refused(problem)?;
            let name = name.with("seen", &found.0.name);
            Ok(with_status(draw(&visit, Some(&found), Forms { name, ..forms(&found) }).await?, status))
        }
    }
}

/// `POST …/workspaces/{workspace}/agent`
pub async fn set_agent(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let found = found(&visit).await?;
    let (project, id, now) = (visit.project()?.id, found.0.id, agent_of(&found.0));
    let set = async {
        super::unchanged(typed.get("seen"), &now)?;
        let agent = typed.given("agentId").map(str::parse::<AgentId>).transpose();
        let agent = agent.map_err(|_| Error::invalid("agentId", "must be a UUID"))?;
        workspaces::set_agent(visit.app(), &visit.member, project, id, agent).await
    };
    match set.await {
        Ok(()) => Ok(visit.done(&visit.at(&format!("workspaces/{id}")), "Agent saved.")),
        Err(problem) => {
            let (status, agent) = typed.refused(problem)?;
            let agent = agent.with("seen", now);
            Ok(with_status(draw(&visit, Some(&found), Forms { agent, ..forms(&found) }).await?, status))
        }
    }
}

/// The message for a workspace that is already deleted.
const GONE: &str = "This workspace has already been deleted.";

/// `POST …/workspaces/{workspace}/remove`
pub async fn remove(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let removal =
        async { workspaces::remove(visit.app(), &visit.member, visit.project()?.id, visit.person.id("workspace")?).await };
    match removal.await {
        Err(used) if used.code == Code::WorkspaceInProduction => refused(&visit, &typed, &found(&visit).await?, used).await,
        removal => visit.removed("workspaces", removal, "Workspace deleted.", GONE),
    }
}

/// `POST …/workspaces/{workspace}/versions`
pub async fn advance(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let found = found(&visit).await?;
    let number = typed.get("number").parse::<i64>().unwrap_or_default();
    let (step, told) = match typed.get("step") {
        "publish" => (Move::Publish(number), format!("Version {number} is published.")),
        "promote" => return promote(visit, typed, found, number).await,
        "roll-back" => (Move::RollBack, "The previous version is in production.".to_owned()),
        "unpublish" => (Move::Unpublish, "The workspace is out of production.".to_owned()),
        _ => return Err(Error::invalid("step", "is not a known step").into()),
    };
    match workspaces::advance(visit.app(), &visit.member, visit.project()?.id, found.0.id, step).await {
        Ok(()) => Ok(visit.done(&visit.at(&format!("workspaces/{}", found.0.id)), &told)),
        Err(problem) => refused(&visit, &typed, &found, problem).await,
    }
}

/// Puts a version into production; one that answers worse only with `despite`.
async fn promote(visit: Visit<Worker>, typed: Typed, found: Found, number: i64) -> Page {
    let (app, project, id) = (visit.app(), visit.project()?.id, found.0.id);
    match evaluation::promote(app, &visit.member, project, id, number, typed.ticked("despite")).await {
        Ok(()) => Ok(visit.done(&visit.at(&format!("workspaces/{id}")), &format!("Version {number} is in production."))),
        Err(problem) => refused(&visit, &typed, &found, problem).await,
    }
}

/// The page with the reason why its version was not changed.
async fn refused(visit: &Visit<Worker>, typed: &Typed, found: &Found, problem: Error) -> Page {
    let (status, refused) = typed.refused(problem)?;
    let mut held = forms(found);
    held.settings.message = refused.message;
    Ok(with_status(draw(visit, Some(found), held).await?, status))
}

/// `POST …/workspaces/{workspace}/evaluate`
pub async fn evaluate(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let found = found(&visit).await?;
    let (app, project, id) = (visit.app(), visit.project()?.id, found.0.id);
    let started = async {
        let number = typed.get("number").parse().map_err(|_| Error::invalid("number", "is required"))?;
        let user =
            typed.get("user").parse().map_err(|_| Error::invalid("user", "is required because rows depend on the user"))?;
        evaluation::start(app, &visit.member, project, id, number, user).await?;
        Ok::<i64, Error>(number)
    };
    match started.await {
        Ok(number) => {
            let told = format!("Evaluation of version {number} started. You can leave this page.");
            Ok(visit.done(&visit.at(&format!("workspaces/{id}")), &told))
        }
        Err(problem) => {
            let (status, evaluation) = typed.refused(problem)?;
            Ok(with_status(draw(&visit, Some(&found), Forms { evaluation, ..forms(&found) }).await?, status))
        }
    }
}

/// `POST …/workspaces/{workspace}/evaluations/{evaluation}/cancel`
pub async fn cancel(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let id = match found(&visit).await {
        Ok(found) => found.0.id,
        Err(problem) => return visit.removed("workspaces", Err(problem), "", GONE),
    };
    let evaluation = visit.person.id("evaluation")?;
    let told = match evaluation::cancel(visit.app(), &visit.member, visit.project()?.id, id, evaluation).await {
        Ok(()) => "Evaluation cancelled.".to_owned(),
        Err(over) if over.code == Code::EvaluationOver => over.message,
        Err(problem) => return Err(problem.into()),
    };
    Ok(visit.done(&visit.at(&format!("workspaces/{id}")), &told))
}
