//! Questions and answers of a workspace.

use super::{
    answer::Page,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::{chat::OpenQuestion, organizations::members::Worker, verified_answers::VerifiedAnswer},
    flows::{
        evaluation,
        verified_answers::{self, Listed, SHOWN, Wanted},
    },
    ground::error::{Kind, Result},
};
use inlay_console::{
    Draft, Section,
    pages::answers::{self as views, AnswerRow, Answers, OpenRow},
};
use inlay_contract::ids::WorkspaceId;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The first bytes of a hash that name an open question in the page's addresses, which must not hold a user's words.
const KEY: usize = 8;

fn key(asked: &str) -> String {
    Sha256::digest(asked).iter().take(KEY).map(|byte| format!("{byte:02x}")).collect()
}

async fn listed(visit: &Visit<Worker>) -> Result<Listed> {
    verified_answers::list(visit.app(), &visit.member, visit.project()?.id, visit.person.id("workspace")?).await
}

/// `GET …/workspaces/{workspace}/answers`. With `?open` or `?answer` the form holds that question or answer.
pub async fn show(visit: Visit<Worker>) -> Page {
    let listed = listed(&visit).await?;
    let draft = opened(&visit, &listed);
    draw(&visit, &listed, &draft.clone().unwrap_or_default(), draft.is_some()).await
}

/// The values of the form that the address asks for. `None` if it asks for none, or for one that is gone.
fn opened(visit: &Visit<Worker>, listed: &Listed) -> Option<Draft> {
    let (open, answer) = (visit.person.query("open"), visit.person.query("answer"));
    if let Some(found) = listed.answers.iter().find(|one| one.id.to_string() == answer) {
        let query = found.query.text();
        return Some(Draft::of([("question", &found.question), ("query", &query), ("by", &found.verified_by)]));
    }
    let found = listed.open.iter().find(|one| key(&one.asked) == open)?;
    Some(Draft::of([("question", found.question.clone())]))
}

async fn draw(visit: &Visit<Worker>, listed: &Listed, draft: &Draft, is_opened: bool) -> Page {
    let page = Answers {
        project: visit.at(""),
        workspace: visit.at(&format!("workspaces/{}", listed.workspace.id)),
        name: listed.workspace.name.clone(),
        tables: visit.at(&format!("connections/{}", listed.workspace.connection)),
        open: listed.open.iter().map(open_row).collect(),
        most_open: SHOWN,
        answers: listed.answers.iter().map(answer_row).collect(),
        is_opened,
    };
    visit.page("Questions and answers", Section::Workspaces, || views::draw(&page, draft)).await
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
            Ok(with_status(draw(&visit, &listed(&visit).await?, &draft, true).await?, status))
        }
    }
}

/// `POST …/workspaces/{workspace}/answers/dismiss`
pub async fn dismiss(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (project, id) = (visit.project()?.id, visit.person.id::<WorkspaceId>("workspace")?);
    let closed = verified_answers::dismiss(visit.app(), &visit.member, project, id, typed.get("asked")).await?;
    let told = if closed == 0 { "This question has already been dealt with." } else { "Dismissed." };
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
