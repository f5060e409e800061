//! The language model of workspaces: an organization's, or a project's own.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    numbers::grouped,
    parts,
};
use leptos::prelude::*;

/// The result of a test.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The model's response.
    pub text: String,
    /// Input and output tokens.
    pub tokens: u64,
    /// The duration in milliseconds.
    pub milliseconds: u128,
}

/// The page.
#[derive(Clone, Debug)]
pub struct ModelPage {
    /// The path that it posts to.
    pub own: String,
    /// The link back, for a project's model.
    pub back: Option<(String, String)>,
    /// The name of the configured model.
    pub set: Option<String>,
    /// Whether it has a key.
    pub has_key: bool,
    /// The organization's model, which a project without its own uses.
    pub inherited: Option<String>,
    /// Today's usage of the organization: tokens and cost.
    pub taken: (u64, f64),
    /// The result of a test.
    pub tried: Option<Tried>,
    /// Whether the member may change it.
    pub may_change: bool,
}

/// Draws it.
#[must_use]
pub fn show(page: &ModelPage, draft: &Draft) -> Html {
    let back = page.back.as_ref().map(|(address, name)| (address.clone(), name.as_str()));
    let answers = match (&page.set, &page.inherited) {
        (Some(name), _) => name.clone(),
        (None, Some(name)) => format!("{name}, the organization's"),
        (None, None) => "The built-in analyst".to_owned(),
    };
    let (tokens, cost) = page.taken;
    let tried = page.tried.as_ref().map(tried);
    let form = page.may_change.then(|| form(page, draft));
    let remove = page.set.as_ref().filter(|_| page.may_change).map(|name| {
        let told = view! { <p>"This deletes its key. From the next question on, the built-in analyst or the organization's model answers."</p> };
        let form = Form::new(format!("{}/remove", page.own), "Remove model");
        parts::part("Remove", "", form.asking("remove", &format!("Remove {name}?"), told))
    });
    view! {
        {parts::head("Language model", back, ())}
        <p class="muted">"The model answers questions in workspaces. It reads the question, the tables in scope and rows that this user may see, and nothing of other users. Without a model, or when the daily budget is used up, the built-in analyst answers."</p>
        {parts::facts(vec![
            ("Current model", parts::text(answers)),
            ("Tokens today (UTC)", parts::text(grouped(tokens))),
            ("Cost today", parts::text(format!("{cost:.2}"))),
        ])}
        {tried}
        {form}
        {remove}
    }
    .html()
}

fn tried(tried: &Tried) -> Html {
    view! {
        <div class="notice" role="status" data-result="">
            <p><strong>"The model responds. "</strong>{format!("{} ms, {} tokens. Nothing is saved yet.", tried.milliseconds, tried.tokens)}</p>
            <blockquote>{tried.text.clone()}</blockquote>
        </div>
    }
    .html()
}

fn form(page: &ModelPage, draft: &Draft) -> Html {
    let providers = [("openai", "OpenAI and compatible servers (Azure, vLLM, Ollama, …)"), ("anthropic", "Anthropic")];
    let providers = providers.map(|(value, label)| (value.to_owned(), label.to_owned())).to_vec();
    let key = Field::new("key", "Key", Control::Input("password")).optional();
    let key = if page.has_key {
        key.hint("A key is stored, encrypted. Leave this empty to keep it. Another address or provider needs the key again.")
    } else {
        key.hint("Stored encrypted and never shown again. Leave it empty for a server without keys.")
    };
    let whole = |name: &str, label: &str| Field::new(name, label, Control::Input("number")).optional();
    let money = |name: &str, label: &str| Field::text(name, label).optional();
    let fields = view! {
        {Field::new("provider", "Protocol", Control::Choice(providers)).draw(draft)}
        {Field::text("address", "Address").optional().like("https://models.example.com/v1/").hint("Default: the provider's own.").draw(draft)}
        {Field::text("model", "Model").like("large").hint("The model's name at this address.").draw(draft)}
        {key.draw(draft)}
        <fieldset class="group">
            <legend>"Daily budgets (UTC)"</legend>
            <p class="muted">"Input and output tokens. Empty means no limit."</p>
            <div class="pair">
                {whole("userTokens", "One user").draw(draft)}
                {whole("customerTokens", "One customer").draw(draft)}
                {whole("tokens", "All users").draw(draft)}
                {money("cost", "Cost, all users").like("25.00").draw(draft)}
            </div>
        </fieldset>
        <fieldset class="group">
            <legend>"Prices of a million tokens"</legend>
            <div class="pair">
                {money("inputPrice", "Read").like("2.50").draw(draft)}
                {money("outputPrice", "Written").like("10.00").draw(draft)}
            </div>
        </fieldset>
        <div class="try">
            <button class="button" name="try" value="on">"Try"</button>
            <span class="muted">"Asks the model for one sentence, with the settings as typed."</span>
        </div>
    };
    parts::part("Settings", "", Form::new(page.own.clone(), "Save").draw(draft, fields))
}
