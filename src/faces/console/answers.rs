//! Questions and answers of a workspace.

use super::{
    answer::Page,
    model_forms,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::{chat::OpenQuestion, organizations::members::Worker, verified_answers::VerifiedAnswer},
    flows::{
        evaluation,
        management::{
            model_changes::{self, Change, To},
            other_names::{self, Nameable, OtherName},
            people,
        },
        verified_answers::{self, Listed, SHOWN, Wanted},
    },
    ground::error::{Code, Error, Kind, Result},
};
use inlay_console::{
    Draft, Section,
    pages::answers::{self as views, AnswerRow, Answers, AskedAgain, Measuring, Naming, OpenRow},
};
use inlay_contract::ids::WorkspaceId;
use inlay_query::RowAccess;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use uuid::Uuid;

/// The first bytes of a hash that name an open question in the page's addresses, which must not hold a user's words.
const KEY: usize = 8;

fn key(asked: &str) -> String {
    Sha256::digest(asked).iter().take(KEY).map(|byte| format!("{byte:02x}")).collect()
}

async fn listed(visit: &Visit<Worker>) -> Result<Listed> {
    verified_answers::list(visit.app(), &visit.member, visit.project()?.id, visit.person.id("workspace")?).await
}

/// What the page shows beside its lists.
#[derive(Default)]
struct Shown {
    /// The form for a verified answer, if it is open.
    verified: Option<Draft>,
    /// The form for a synonym, if it is open.
    synonym: Option<Draft>,
    /// The form for a measure, if it is open.
    measure: Option<Draft>,
    /// The answer to a question that was asked again.
    again: Option<AskedAgain>,
}

/// `GET …/workspaces/{workspace}/answers`. With `?open` or `?answer` the form holds that question or answer; with `?name` or
/// `?measure` the form for a synonym or a measure is open for that question.
pub async fn show(visit: Visit<Worker>) -> Page {
    let listed = listed(&visit).await?;
    let opened_for = |parameter: &str| {
        let key = visit.person.query(parameter);
        asked_by(&listed, key).map(|_| Draft::of([("for", key)]))
    };
    let (synonym, measure) = (opened_for("name"), opened_for("measure").map(model_forms::new_measure));
    draw(&visit, &listed, Shown { verified: opened(&visit, &listed), synonym, measure, again: None }).await
}

/// The open question with this key.
fn asked_by<'l>(listed: &'l Listed, wanted: &str) -> Option<&'l OpenQuestion> {
    listed.open.iter().find(|one| key(&one.asked) == wanted)
}

/// The values of the form that the address asks for. `None` if it asks for none, or for one that is gone.
fn opened(visit: &Visit<Worker>, listed: &Listed) -> Option<Draft> {
    let (open, answer) = (visit.person.query("open"), visit.person.query("answer"));
    if let Some(found) = listed.answers.iter().find(|one| one.id.to_string() == answer) {
        let query = found.query.text();
        return Some(Draft::of([("question", &found.question), ("query", &query), ("by", &found.verified_by)]));
    }
    let found = asked_by(listed, open)?;
    Some(Draft::of([("question", found.question.clone())]))
}

/// The question that a form was opened for.
fn opened_for(listed: &Listed, draft: &Draft) -> String {
    asked_by(listed, draft.value("for")).map(|one| one.question.clone()).unwrap_or_default()
}

fn naming(listed: &Listed, all: &[Nameable], draft: Option<Draft>) -> Naming {
    let is_open = draft.is_some();
    let draft = draft.unwrap_or_default();
    Naming {
        question: opened_for(listed, &draft),
        choices: all.iter().map(|one| (one.key.clone(), one.label.clone().unwrap_or_default())).collect(),
        draft,
        is_open,
    }
}

fn measuring(listed: &Listed, all: &[Nameable], draft: Option<Draft>) -> Measuring {
    let is_open = draft.is_some();
    let draft = draft.unwrap_or_else(|| model_forms::new_measure(Draft::default()));
    let labelled = |name: &str, label: Option<&String>| match label {
        Some(label) => format!("{label} ({name})"),
        None => name.to_owned(),
    };
    let tables = all.iter().filter_map(|one| Some((one.table()?.to_owned(), labelled(one.table()?, one.label.as_ref()))));
    let mut columns = BTreeMap::<&str, Vec<&str>>::new();
    for (table, column) in all.iter().filter_map(Nameable::column) {
        columns.entry(column).or_default().push(table);
    }
    Measuring {
        question: opened_for(listed, &draft),
        tables: tables.collect(),
        columns: columns.into_iter().map(|(name, tables)| (name.to_owned(), Some(tables.join(", ")))).collect(),
        draft,
        is_open,
    }
}

async fn draw(visit: &Visit<Worker>, listed: &Listed, shown: Shown) -> Page {
    let Shown { verified, synonym, measure, again } = shown;
    let (project, connection) = (visit.project()?.id, listed.workspace.connection);
    let nameable = other_names::nameable(visit.app(), &visit.member, project, connection).await?;
    let page = Answers {
        project: visit.at(""),
        workspace: visit.at(&format!("workspaces/{}", listed.workspace.id)),
        name: listed.workspace.name.clone(),
        tables: visit.at(&format!("connections/{}", listed.workspace.connection)),
        open: listed.open.iter().map(open_row).collect(),
        most_open: SHOWN,
        answers: listed.answers.iter().map(answer_row).collect(),
        is_opened: verified.is_some(),
        naming: naming(listed, &nameable, synonym),
        measuring: measuring(listed, &nameable, measure),
        again,
    };
    let draft = verified.unwrap_or_default();
    visit.page("Questions and answers", Section::Workspaces, || views::draw(&page, &draft)).await
}

fn open_row(one: &OpenQuestion) -> OpenRow {
    OpenRow {
        asked: one.asked.clone(),
        question: one.question.clone(),
        key: key(&one.asked),
        times: one.times,
        declined: one.declined,
        rated: one.rated,
        last_at: one.last_at.to_string(),
    }
}

fn answer_row(one: &VerifiedAnswer) -> AnswerRow {
    AnswerRow {
        id: one.id.to_string(),
        question: one.question.clone(),
        query: one.query.text(),
        by: one.verified_by.clone(),
        owner: one.owner.clone(),
        checked_at: one.checked_at.to_string(),
        problem: one.problem.clone(),
    }
}

fn wanted(typed: &Typed) -> Wanted<'_> {
    Wanted { question: typed.get("question"), query: typed.get("query"), by: typed.get("by") }
}

/// `POST …/workspaces/{workspace}/answers`
pub async fn verify(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (project, id) = (visit.project()?.id, visit.person.id::<WorkspaceId>("workspace")?);
    match verified_answers::verify(visit.app(), &visit.member, project, id, wanted(&typed)).await {
        Ok(()) => {
            let again = evaluation::again(visit.app(), &visit.member, project, id).await?;
            let told = match again {
                Some(version) => format!("Saved. Version {version} is being evaluated again."),
                None => "Saved.".to_owned(),
            };
            Ok(visit.done(&visit.at(&format!("workspaces/{id}/answers")), &told))
        }
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            let shown = Shown { verified: Some(draft), ..Shown::default() };
            Ok(with_status(draw(&visit, &listed(&visit).await?, shown).await?, status))
        }
    }
}

/// `POST …/workspaces/{workspace}/answers/synonym`: another name, saved where the form of its table or number saves it.
pub async fn name(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (listed, project) = (listed(&visit).await?, visit.project()?.id);
    let wanted = OtherName { word: typed.get("word"), of: typed.get("of"), value: typed.get("value") };
    match other_names::add(visit.app(), &visit.member, project, listed.workspace.connection, wanted).await {
        Ok(()) => {
            let OtherName { word, of, value } = wanted;
            let meaning = if value.is_empty() { of.to_owned() } else { format!("{value} of {of}") };
            let told = format!("Saved: {word} means {meaning}. Ask the question again to see its answer.");
            Ok(visit.done(&visit.at(&format!("workspaces/{}/answers", listed.workspace.id)), &told))
        }
        Err(problem) => {
            let (status, draft) = typed.refused(at_its_fields(problem))?;
            let shown = Shown { synonym: Some(draft), ..Shown::default() };
            Ok(with_status(draw(&visit, &listed, shown).await?, status))
        }
    }
}

/// `POST …/workspaces/{workspace}/answers/measure`: a measure, saved where the form of the semantic model saves it.
pub async fn measure(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (listed, project) = (listed(&visit).await?, visit.project()?.id);
    let (name, connection) = (typed.get("name"), listed.workspace.connection);
    let saved = async {
        let known = model_changes::read(visit.app(), &visit.member, project).await?;
        let tables = known.connections.iter().filter(|(source, _)| source.id == connection).flat_map(|(_, tables)| tables);
        let table = tables.into_iter().find(|table| table.name == typed.get("table"));
        let table = table.ok_or_else(|| Error::invalid("table", "is not a listed table"))?;
        let change = Change::Measure(connection, table.id, name.to_owned(), To::New(model_forms::read_new_measure(&typed)?));
        model_changes::save(visit.app(), &visit.member, project, &change, &[]).await?;
        Ok(table.rows == RowAccess::Nothing)
    };
    match saved.await {
        Ok(closed) => {
            let next = if closed {
                "Users see it once you set who sees which rows of its table"
            } else {
                "Ask the question again to see its answer"
            };
            let told = format!("Saved: {name}. {next}.");
            Ok(visit.done(&visit.at(&format!("workspaces/{}/answers", listed.workspace.id)), &told))
        }
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            let shown = Shown { measure: Some(draft), ..Shown::default() };
            Ok(with_status(draw(&visit, &listed, shown).await?, status))
        }
    }
}

/// An error at the fields of the form for a synonym. What the form of a table would say at a field of its own is said at what the
/// word should name.
fn at_its_fields(problem: Error) -> Error {
    let field = |name: String| if matches!(name.as_str(), "word" | "value") { name } else { "of".to_owned() };
    let details = problem.details.map(|details| details.into_iter().map(|(name, told)| (field(name), told)).collect());
    Error { details: details.map(Box::new), ..problem }
}

/// `POST …/workspaces/{workspace}/answers/ask`: asks an open question again as the newest user.
pub async fn ask(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (listed, project) = (listed(&visit).await?, visit.project()?.id);
    let id = listed.workspace.id;
    let answers = visit.at(&format!("workspaces/{id}/answers"));
    let Some(open) = listed.open.iter().find(|one| one.asked == typed.get("asked")) else {
        return Ok(visit.done(&answers, "This question is already closed."));
    };
    let Some(user) = people::newest(visit.app(), &visit.member, project, 1).await?.pop() else {
        return Ok(visit.done(&answers, "No user has signed in yet. Ask again after the first sign-in."));
    };
    let asked = match verified_answers::ask_again(visit.app(), &visit.member, project, id, &open.question, user.id).await {
        Err(problem) if problem.code == Code::RateLimited => return Ok(visit.done(&answers, &problem.message)),
        asked => asked?,
    };
    let verified_answers::AskedAgain { text, charts, declined } = asked;
    let again = AskedAgain { question: open.question.clone(), user: user.name, text, charts, declined };
    draw(&visit, &listed, Shown { again: Some(again), ..Shown::default() }).await
}

/// `POST …/workspaces/{workspace}/answers/dismiss`
pub async fn dismiss(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (project, id) = (visit.project()?.id, visit.person.id::<WorkspaceId>("workspace")?);
    let closed = verified_answers::dismiss(visit.app(), &visit.member, project, id, typed.get("asked")).await?;
    let told = if closed == 0 { "This question is already closed." } else { "Dismissed." };
    Ok(visit.done(&visit.at(&format!("workspaces/{id}/answers")), told))
}

/// The message for a verified answer that is already deleted.
const GONE: &str = "This verified answer has already been deleted.";

/// `POST …/workspaces/{workspace}/answers/{answer}/remove`
pub async fn remove(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let (project, id) = (visit.project()?.id, visit.person.id::<WorkspaceId>("workspace")?);
    let removal = async {
        let answer = visit.person.id::<Uuid>("answer")?;
        verified_answers::remove(visit.app(), &visit.member, project, id, answer).await
    };
    match removal.await {
        Ok(()) => Ok(visit.done(&visit.at(&format!("workspaces/{id}/answers")), "Verified answer deleted.")),
        // Either the answer is gone, or the workspace with it.
        Err(problem) if problem.kind() == Kind::NotFound => match listed(&visit).await {
            Ok(_) => Ok(visit.done(&visit.at(&format!("workspaces/{id}/answers")), GONE)),
            Err(problem) => visit.removed("workspaces", Err(problem), "", GONE),
        },
        Err(problem) => Err(problem.into()),
    }
}
