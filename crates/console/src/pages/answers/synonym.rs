//! The form for a synonym in the list of open questions, and the answer to a question that was asked again.

use crate::ui::{
    draft::Draft,
    form::{Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// The id of the list of what can have another name.
const LIST: &str = "nameable";

/// The form for a synonym.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    /// Its values.
    pub draft: Draft,
    /// The question that it was opened for. Empty if it was opened for none.
    pub question: String,
    /// Whether it is open.
    pub is_open: bool,
    /// What can have another name: how the form names it, and its label.
    pub choices: Vec<(String, String)>,
}

impl Naming {
    /// Draws it.
    pub(super) fn draw(&self, own: &str) -> Html {
        let Self { draft, question, is_open, choices } = self;
        let asked = (!question.is_empty()).then(|| view! { <p>"The question: "<strong>{question.clone()}</strong></p> });
        let options = choices.iter().map(|(key, label)| view! { <option value=key.clone()>{label.clone()}</option> });
        let options = options.collect_view();
        let value = Field::text("value", "Value")
            .optional()
            .like("USA")
            .hint("For a column: the word means this value of it, as America means USA.");
        let fields = view! {
            {asked}
            <input type="hidden" name="for" value=draft.value("for").to_owned() />
            {Field::text("word", "Word").like("turnover").hint("As your users write it.").draw(draft)}
            {Field::text("of", "Another name of").among(LIST).like("measure revenue")
                .hint("A table, column, dimension, measure or metric. Type to search the list.").draw(draft)}
            <datalist id=LIST>{options}</datalist>
            {value.draw(draft)}
        };
        let form = Form::new(format!("{own}/synonym"), "Save synonym").or(own.to_owned()).draw(draft, fields);
        let is_open = *is_open || draft.is_refused();
        view! { <div id="synonym">{parts::adding("Add synonym", false, is_open, form)}</div> }.html()
    }
}

/// The answer to a question that was asked again.
#[derive(Clone, Debug)]
pub struct AskedAgain {
    /// The question.
    pub question: String,
    /// The name of the user as whom it was asked.
    pub user: String,
    /// The text of the answer.
    pub text: String,
    /// The number of its charts.
    pub charts: usize,
    /// Whether it still got no answer.
    pub declined: bool,
}

impl AskedAgain {
    /// Draws it.
    pub(super) fn draw(&self) -> Html {
        let Self { question, user, text, charts, declined } = self;
        let (kind, state) = if *declined { ("warn", "No answer") } else { ("good", "Answered") };
        let charts = match charts {
            0 => None,
            count => Some(parts::muted(parts::counted(i64::try_from(*count).unwrap_or(i64::MAX), "chart"))),
        };
        let paragraphs = text.split("\n\n").filter(|part| !part.trim().is_empty());
        let paragraphs = paragraphs.map(|part| view! { <p>{part.to_owned()}</p> }).collect_view();
        let told = format!(
            "Asked as {user}, whose row rules apply. The question stays in the list until you verify an answer or dismiss it."
        );
        let body = view! {
            <div data-result="">
                <p><strong>{question.clone()}</strong>" "{parts::badge(kind, state)}" "{charts}</p>
                {paragraphs}
            </div>
        };
        parts::part("Asked again", &told, body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(draw: impl FnOnce() -> Html) -> String {
        let owner = Owner::new();
        let html = owner.with(|| draw().to_html());
        owner.cleanup();
        html
    }

    #[test]
    fn the_form_offers_what_can_have_another_name() {
        let choices = vec![("measure revenue".to_owned(), "Revenue".to_owned())];
        let closed = drawn(|| Naming { choices: choices.clone(), ..Naming::default() }.draw("/answers"));
        assert!(
            closed.contains("<option value=\"measure revenue\">Revenue</option>") && !closed.contains("<details open"),
            "{closed}"
        );
        assert!(closed.contains("list=\"nameable\"") && closed.contains("action=\"/answers/synonym\""), "{closed}");
        let mut draft = Draft::of([("word", "turnover")]);
        draft.refuse("of", "is not in the list");
        let refused =
            drawn(|| Naming { draft, question: "Best turnover?".to_owned(), choices, ..Naming::default() }.draw("/answers"));
        assert!(
            refused.contains("<details open") && refused.contains("is not in the list") && refused.contains("Best turnover?"),
            "{refused}"
        );
    }

    #[test]
    fn an_answer_says_whether_it_is_one() {
        let again = |declined| AskedAgain {
            question: "Best turnover?".to_owned(),
            user: "ada".to_owned(),
            text: "North has the most.\n\n<b>".to_owned(),
            charts: 1,
            declined,
        };
        let answered = drawn(|| again(false).draw());
        for part in [">Answered<", "1 chart", "<p>North has the most.</p>", "&lt;b&gt;", "Asked as ada"] {
            assert!(answered.contains(part), "{part}: {answered}");
        }
        assert!(drawn(|| again(true).draw()).contains(">No answer<"));
    }
}
