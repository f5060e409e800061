//! What a chosen user sees of a measure or metric: the value, the newest months and the rows behind it.

use crate::ui::{
    draft::Draft,
    form::{Control, Field},
    html::{Html, IntoHtml},
    parts,
    sheet::Sheet,
};
use leptos::prelude::*;

/// What a user sees.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The user.
    pub user: String,
    /// What is computed.
    pub sentence: Option<String>,
    /// The number over all rows of the user, or why there is none.
    pub whole: Result<String, String>,
    /// The newest months.
    pub months: Option<Result<Sheet, String>>,
    /// The first rows behind it.
    pub behind: Option<Result<Sheet, String>>,
}

/// The choice of a user.
pub(super) fn user(users: &[(String, String)], label: &str) -> Field {
    let mut choices = vec![(String::new(), "Choose a user".to_owned())];
    choices.extend(users.iter().cloned());
    Field::new("user", label, Control::Choice(choices))
}

/// A test of the typed definition, among the fields of its form.
pub(super) fn testing(users: &[(String, String)], found: Option<&Result<Trial, String>>, draft: &Draft) -> Html {
    if users.is_empty() {
        return parts::muted("You can test the definition here once a user has signed in.");
    }
    const TOLD: &str =
        "Queries the database now and shows what this user would see with the definition as typed. Nothing is saved.";
    let result = found.map(|found| match found {
        Err(why) => parts::refused(why),
        Ok(found) => trial(found),
    });
    view! {
        <div class="try">
            {user(users, "Test as…").at_times().hint(TOLD).draw(draft)}
            <button class="button" name="test" value="on">"Test"</button>
        </div>
        {result}
    }
    .html()
}

/// The result.
pub(super) fn trial(trial: &Trial) -> Html {
    let whole = match &trial.whole {
        Ok(number) => view! { <strong class="model-value">{number.clone()}</strong> }.html(),
        Err(why) => parts::muted(why.clone()),
    };
    let mut facts = vec![("User", parts::text(trial.user.clone())), ("Value", whole)];
    if let Some(sentence) = &trial.sentence {
        facts.push(("Computed", parts::text(sentence.clone())));
    }
    let sheet = |title: &'static str, told: Result<Sheet, String>| {
        let body = match told {
            Ok(sheet) if sheet.rows.is_empty() => parts::muted("This user sees no rows."),
            Ok(sheet) => sheet.draw(title),
            Err(why) => parts::refused(&why),
        };
        view! { <h3>{title}</h3>{body} }.html()
    };
    view! {
        <div data-result="">
            {parts::facts(facts)}
            {trial.months.clone().map(|months| sheet("The newest months", months))}
            {trial.behind.clone().map(|rows| sheet("The first rows behind it", rows))}
        </div>
    }
    .html()
}
