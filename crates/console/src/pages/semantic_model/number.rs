//! A measure or metric: what it means, what uses it, and what a chosen user sees of it.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
    sheet::Sheet,
};
use leptos::prelude::*;

/// The page.
#[derive(Clone, Debug)]
pub struct Number {
    /// The address of the model's page.
    pub model: String,
    /// Its own address.
    pub address: String,
    /// Its name.
    pub name: String,
    /// Its label.
    pub label: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Other names for it.
    pub synonyms: Vec<String>,
    /// The table whose rows it is computed of. `None` for a metric.
    pub table: Option<String>,
    /// How it is computed.
    pub formula: String,
    /// Metrics that are made of it.
    pub metrics: Vec<String>,
    /// Charts of the library and of shared dashboards that use it.
    pub charts: Vec<String>,
    /// The number of users' own charts that use it.
    pub of_users: usize,
    /// The users to see it as: id and name.
    pub users: Vec<(String, String)>,
    /// What the chosen user sees.
    pub trial: Option<Trial>,
    /// Whether the member may see it as a user.
    pub may_try: bool,
}

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

/// Draws it.
#[must_use]
pub fn number(page: &Number, draft: &Draft) -> Html {
    let title = page.label.as_deref().unwrap_or(&page.name);
    let mut facts = vec![("Name", parts::code(page.name.clone())), ("Computed as", parts::code(page.formula.clone()))];
    if let Some(table) = &page.table {
        facts.push(("Table", parts::code(table.clone())));
    }
    if let Some(description) = &page.description {
        facts.push(("Description", parts::text(description.clone())));
    }
    if !page.synonyms.is_empty() {
        facts.push(("Other names", parts::text(page.synonyms.join(", "))));
    }
    view! {
        {parts::head(title, Some((page.model.clone(), "Semantic model")), ())}
        {parts::part("Definition", "", parts::facts(facts))}
        {parts::part("Uses", "If you change the definition, all of these change. If you remove it, they fail.", uses(page))}
        {page.may_try.then(|| parts::part("See as", "", see_as(page, draft)))}
    }
    .html()
}

fn uses(page: &Number) -> Html {
    if page.charts.is_empty() && page.metrics.is_empty() && page.of_users == 0 {
        return parts::muted("No chart or metric uses it. Hosts can still query it by the API.");
    }
    let listed = |names: &[String]| if names.is_empty() { parts::muted("None") } else { parts::names(names) };
    parts::facts(vec![
        ("Charts", listed(&page.charts)),
        ("Charts of users", crate::ui::numbers::amount(page.of_users)),
        ("Metrics", listed(&page.metrics)),
    ])
}

fn see_as(page: &Number, draft: &Draft) -> Html {
    if page.users.is_empty() {
        return parts::muted("You can see it as a user once one has signed in.");
    }
    let mut users = vec![(String::new(), "Choose a user".to_owned())];
    users.extend(page.users.iter().cloned());
    let field = Field::new("user", "User", Control::Choice(users));
    let field = field.hint("Queries the database now, with the rows that this user may see. The audit log records it.");
    let form = Form::new(page.address.clone(), "Show").draw(draft, field.draw(draft));
    view! { {form}{page.trial.as_ref().map(trial)} }.html()
}

fn trial(trial: &Trial) -> Html {
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
