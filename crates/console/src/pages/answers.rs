//! Questions and answers of a workspace: what users asked without a good answer, and the answers that a member has verified.

mod measuring;
mod synonym;

pub use measuring::Measuring;
pub use synonym::{AskedAgain, Naming};

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// Open questions that ask the same.
#[derive(Clone, Debug)]
pub struct OpenRow {
    /// What they ask, without what does not change its meaning.
    pub asked: String,
    /// One of them, as it was asked.
    pub question: String,
    /// The key by which the form is opened with it.
    pub key: String,
    /// How many there are.
    pub times: i64,
    /// How many were declined.
    pub declined: i64,
    /// How many answers were rated as bad.
    pub rated: i64,
    /// The time of the last one.
    pub last_at: String,
}

/// A verified answer.
#[derive(Clone, Debug)]
pub struct AnswerRow {
    /// Its id.
    pub id: String,
    /// The question.
    pub question: String,
    /// Its query, as the form takes it.
    pub query: String,
    /// Who verified it, as users read it.
    pub by: String,
    /// The email address of its owner. `None` for a former member.
    pub owner: Option<String>,
    /// When its query was checked last.
    pub checked_at: String,
    /// Why its query cannot be used.
    pub problem: Option<String>,
}

/// The page.
#[derive(Clone, Debug)]
pub struct Answers {
    /// The project's address.
    pub project: String,
    /// The workspace's address.
    pub workspace: String,
    /// The workspace's name.
    pub name: String,
    /// The address of its tables.
    pub tables: String,
    /// The open questions, those asked most often first.
    pub open: Vec<OpenRow>,
    /// The maximum number of open questions in the list.
    pub most_open: i64,
    /// The verified answers.
    pub answers: Vec<AnswerRow>,
    /// Whether the form is open for a question or an answer of the page.
    pub is_opened: bool,
    /// The form for a synonym.
    pub naming: Naming,
    /// The form for a measure.
    pub measuring: Measuring,
    /// The answer to a question that was asked again.
    pub again: Option<AskedAgain>,
}

/// Draws the page with its form.
#[must_use]
pub fn draw(page: &Answers, draft: &Draft) -> Html {
    let own = format!("{}/answers", page.workspace);
    let head = parts::head("Questions and answers", Some((page.workspace.clone(), page.name.as_str())), ());
    view! { {head}{page.again.as_ref().map(AskedAgain::draw)}{open(page, &own)}{verified(page, &own, draft)} }.html()
}

fn open(page: &Answers, own: &str) -> Html {
    if page.open.is_empty() {
        let told = "No open question. Questions that get no answer, and answers that users rate as bad, are listed here.";
        return parts::part("Open questions", "", view! { {forms(page, own)}{parts::empty(told, None)} });
    }
    let row = |one: &OpenRow| {
        let badges = [(one.declined, "warn", "declined"), (one.rated, "bad", "rated as bad")];
        let badges = badges.into_iter().filter(|(count, ..)| *count > 0).map(|(count, kind, word)| {
            view! { {parts::badge(kind, &format!("{count} {word}"))}" " }
        });
        let verify = format!("{own}?open={}#verify", one.key);
        let synonym = format!("{own}?name={}#synonym", one.key);
        let measure = format!("{own}?measure={}#measure", one.key);
        let name = format!("Deal with {}", one.question);
        let actions = view! {
            <div class="row-actions many" role="group" aria-label=name>
                <a class="button" href=synonym>"Add synonym"</a>
                <a class="button" href=measure>"Add measure"</a>
                <a class="button" href=verify>"Verify an answer"</a>
                {Form::new(format!("{own}/ask"), "Ask again").quiet().button(&[("asked", &one.asked)])}
                {Form::new(format!("{own}/dismiss"), "Dismiss").quiet().button(&[("asked", &one.asked)])}
            </div>
        };
        vec![
            parts::text(one.question.clone()),
            parts::text(one.times.to_string()),
            badges.collect_view().html(),
            parts::time(&one.last_at),
            actions.html(),
        ]
    };
    let rows: Vec<_> = page.open.iter().map(row).collect();
    let is_cut = i64::try_from(rows.len()).is_ok_and(|count| count >= page.most_open);
    let cut = is_cut.then(|| {
        let told = format!("The list shows the {} that were asked most often.", page.most_open);
        view! { <p class="muted">{told}</p> }
    });
    let help = view! {
        <p class="muted">
            "Is a word only another name of something in the data? Add it as a synonym. Is a number missing? Add it as a measure, or to the "
            {parts::link(format!("{}/semantic-model", page.project), "semantic model")}
            " if it is made of other numbers. Is a "{parts::link(page.tables.clone(), "table")}
            " missing? List it. Otherwise verify an answer: a query for exactly this question."
        </p>
    };
    let table = parts::figures("Open questions", &["Question", "Asked", "Why", "Last", ""], &["Asked"], rows);
    let told = "Questions that got no answer, and answers that users rated as bad. Each is deleted with its chat.";
    parts::part("Open questions", told, view! { {help}{forms(page, own)}{table}{cut} })
}

/// The forms that add to the catalogue and to the semantic model.
fn forms(page: &Answers, own: &str) -> Html {
    view! { <div class="adders">{page.naming.draw(own)}{page.measuring.draw(own)}</div> }.html()
}

fn verified(page: &Answers, own: &str, draft: &Draft) -> Html {
    let told = "A question that equals one of these, but for case, punctuation and polite words, is answered by its query, before the analyst or a language model. \
        Each viewer sees the rows of their own rules. A language model also reads the closest ones as examples.";
    let row = |one: &AnswerRow| {
        let state = match &one.problem {
            None => parts::badge("good", "In use"),
            Some(why) => view! { {parts::badge("bad", "Not in use")}<br /><span class="muted">{why.clone()}</span> }.html(),
        };
        let owner = one.owner.clone().unwrap_or_else(|| "a former member".to_owned());
        let by = view! { {one.by.clone()}<br /><span class="muted">{owner}</span> }.html();
        let query = view! {
            {one.question.clone()}
            <details class="more"><summary>"Query"</summary><pre tabindex="0">{one.query.clone()}</pre></details>
        };
        let removal = Form::new(format!("{own}/{}/remove", one.id), "Delete").asking(
            &one.id,
            "Delete this verified answer?",
            view! { <p>"The question is then answered as any other."</p> },
        );
        let actions = view! {
            <div class="row-actions" role="group" aria-label=format!("Change {}", one.question)>
                <a class="button" href=format!("{own}?answer={}#verify", one.id)>"Change"</a>
                {removal}
            </div>
        };
        vec![query.html(), by, state, parts::time(&one.checked_at), actions.html()]
    };
    let rows: Vec<_> = page.answers.iter().map(row).collect();
    let table = if rows.is_empty() {
        parts::empty("No verified answer yet.", None)
    } else {
        parts::table("Verified answers", &["Question", "Verified by", "State", "Checked", ""], rows)
    };
    let query_hint = "SQL, or a query of the semantic model as JSON: {\"measures\": [\"revenue\"], \"dimensions\": [{\"name\": \"orders.region\"}]}. \
        It is checked now, each night, and when its tables or the model change.";
    let fields = view! {
        {Field::text("question", "Question").like("How many orders per region?").hint("As your users ask it.").draw(draft)}
        {Field::new("query", "Query", Control::Code(6)).hint(query_hint).draw(draft)}
        {Field::text("by", "Verified by").like("Finance team").hint("Users read this name above the answer.").draw(draft)}
    };
    let form = Form::new(own.to_owned(), "Save verified answer").or(own.to_owned()).draw(draft, fields);
    let is_open = draft.is_refused() || page.is_opened;
    let adding = view! { <div id="verify">{parts::adding("Verify an answer", true, is_open, form)}</div> };
    parts::part("Verified answers", told, view! { {adding}{table} })
}
