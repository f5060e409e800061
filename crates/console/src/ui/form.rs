//! Forms: one column, with a label above each control and its error beside it.

use super::{
    draft::{Csrf, Draft},
    html::{Html, IntoHtml, area_text},
};
use leptos::prelude::*;

/// The control of a field.
#[derive(Clone, Debug)]
pub enum Control {
    /// One line: the `type` of an `input`.
    Input(&'static str),
    /// Several lines of text.
    Area(u8),
    /// Several lines of code.
    Code(u8),
    /// One of several: value and label.
    Choice(Vec<(String, String)>),
    /// A checkbox.
    Tick,
    /// A file with one of these types, as `accept` takes them. The form must use [`Form::with_files`].
    File(&'static str),
}

/// A field of a form.
#[derive(Clone, Debug)]
pub struct Field {
    name: String,
    label: String,
    control: Control,
    hint: Option<String>,
    placeholder: Option<&'static str>,
    autocomplete: Option<&'static str>,
    required: bool,
    marked: bool,
    check: Option<String>,
    id: Option<&'static str>,
    list: Option<&'static str>,
    colour: Option<&'static str>,
}

impl Field {
    /// A required field.
    #[must_use]
    pub fn new(name: &str, label: &str, control: Control) -> Self {
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            control,
            hint: None,
            placeholder: None,
            autocomplete: None,
            required: true,
            marked: true,
            check: None,
            id: None,
            list: None,
            colour: None,
        }
    }

    /// One line of text.
    #[must_use]
    pub fn text(name: &str, label: &str) -> Self {
        Self::new(name, label, Control::Input("text"))
    }

    /// Sets the id, if two forms of a page have a field with the same name.
    #[must_use]
    pub const fn named(mut self, id: &'static str) -> Self {
        self.id = Some(id);
        self
    }

    /// Suggests values: the id of a `datalist`.
    #[must_use]
    pub const fn among(mut self, list: &'static str) -> Self {
        self.list = Some(list);
        self
    }

    /// Holds a colour, or one per line. The page's script adds the browser's colour picker. An empty field uses the colour of
    /// the preview's custom property `instead`.
    #[must_use]
    pub const fn coloured(mut self, instead: &'static str) -> Self {
        self.colour = Some(instead);
        self
    }

    /// Makes it optional.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// Makes it optional for some of the form's actions. It is not labelled as optional.
    #[must_use]
    pub fn at_times(mut self) -> Self {
        self.marked = false;
        self.optional()
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a placeholder.
    #[must_use]
    pub const fn like(mut self, example: &'static str) -> Self {
        self.placeholder = Some(example);
        self
    }

    /// Sets the `autocomplete` token.
    #[must_use]
    pub const fn filled_with(mut self, token: &'static str) -> Self {
        self.autocomplete = Some(token);
        self
    }

    /// Sets the URL that checks the value while it is typed.
    #[must_use]
    pub fn checked_at(mut self, address: String) -> Self {
        self.check = Some(address);
        self
    }

    /// Draws it with its value and error from a draft.
    #[must_use]
    pub fn draw(self, draft: &Draft) -> Html {
        let id =
            format!("field-{}", self.id.unwrap_or(&self.name).replace(|letter: char| !letter.is_ascii_alphanumeric(), "-"));
        let problem = draft.problem(&self.name).map(str::to_owned);
        let told = format!("{id}-told");
        let invalid = problem.is_some().then_some("true");
        let class = if problem.is_some() { "field wrong" } else { "field" };
        let optional = (!self.required && self.marked && !matches!(self.control, Control::Tick))
            .then(|| view! { <small>"optional"</small> });
        let below = view! {
            <p id=told.clone() class="told">
                {self.hint.clone().map(|hint| view! { <span class="hint">{hint}</span> })}
                <span class="problem" data-problem="">{problem}</span>
            </p>
        };
        let control = self.control(draft, &id, told, invalid);
        if matches!(self.control, Control::Tick) {
            return view! { <div class=format!("{class} tick")>{control}<label for=id>{self.label}</label>{below}</div> }
                .html();
        }
        view! { <div class=class><div class="name"><label for=id>{self.label}</label>{optional}</div>{control}{below}</div> }
            .html()
    }

    fn control(&self, draft: &Draft, id: &str, told: String, invalid: Option<&'static str>) -> Html {
        let (id, name, value) = (id.to_owned(), self.name.clone(), draft.value(&self.name).to_owned());
        let (required, check) = (self.required, self.check.clone());
        match &self.control {
            Control::Input(kind) => view! {
                <input id=id name=name type=*kind value=value required=required placeholder=self.placeholder list=self.list data-check=check data-colour=self.colour
                    autocomplete=self.autocomplete.unwrap_or("off") aria-describedby=told aria-invalid=invalid />
            }
            .html(),
            Control::Area(rows) | Control::Code(rows) => {
                let code = matches!(self.control, Control::Code(_)).then_some("code");
                view! {
                    <textarea id=id name=name rows=rows.to_string() required=required placeholder=self.placeholder class=code
                        spellcheck=code.map(|_| "false") data-check=check data-colours=self.colour aria-describedby=told aria-invalid=invalid>{area_text(&value)}</textarea>
                }
                .html()
            }
            Control::Choice(options) => {
                let options = options.iter().cloned().map(|(option, label)| {
                    let selected = option == value;
                    view! { <option value=option selected=selected>{label}</option> }
                });
                let options = options.collect_view();
                view! { <select id=id name=name required=required aria-describedby=told aria-invalid=invalid>{options}</select> }
                    .html()
            }
            Control::File(accept) => view! {
                <input id=id name=name type="file" accept=*accept required=required aria-describedby=told aria-invalid=invalid />
            }
            .html(),
            Control::Tick => view! {
                <input id=id name=name type="checkbox" value="on" checked=draft.ticked(&self.name) aria-describedby=told
                    aria-invalid=invalid />
            }
            .html(),
        }
    }
}

/// A form.
#[derive(Clone, Debug)]
pub struct Form {
    action: String,
    submit: String,
    class: &'static str,
    cancel: Option<String>,
    hidden: Vec<(&'static str, String)>,
    files: Option<(usize, String)>,
}

impl Form {
    /// A form that posts to a URL. `submit` is the label of its button.
    #[must_use]
    pub fn new(action: impl Into<String>, submit: &str) -> Self {
        Self {
            action: action.into(),
            submit: submit.to_owned(),
            class: "primary",
            cancel: None,
            hidden: Vec::new(),
            files: None,
        }
    }

    /// Puts the button in a row beside the fields, without emphasis.
    #[must_use]
    pub const fn quiet(mut self) -> Self {
        self.class = "";
        self
    }

    /// Marks the action as destructive.
    #[must_use]
    pub const fn destructive(mut self) -> Self {
        self.class = "danger";
        self
    }

    /// Adds a link to cancel.
    #[must_use]
    pub fn or(mut self, address: impl Into<String>) -> Self {
        self.cancel = Some(address.into());
        self
    }

    /// Allows files: at most this many bytes with all fields, and the error for more.
    #[must_use]
    pub fn with_files(mut self, most: usize, too_large: &str) -> Self {
        self.files = Some((most, too_large.to_owned()));
        self
    }

    /// Adds a hidden value to a form that is drawn with `asking`.
    #[must_use]
    pub fn hiding(mut self, name: &'static str, value: &str) -> Self {
        self.hidden.push((name, value.to_owned()));
        self
    }

    /// Draws it with its fields.
    #[must_use]
    pub fn draw(self, draft: &Draft, fields: impl IntoHtml) -> Html {
        self.around(draft, fields.html())
    }

    fn around(self, draft: &Draft, fields: Html) -> Html {
        let message = draft.is_refused().then(|| {
            let told = draft.message.clone().unwrap_or_else(|| "Correct the marked fields, then save again.".to_owned());
            view! { <p class="refused" role="alert" tabindex="-1">{told}</p> }
        });
        let cancel = self.cancel.map(|address| view! { <a class="button" href=address>"Cancel"</a> });
        let coding = self.files.is_some().then_some("multipart/form-data");
        let (most, too_large) = self.files.map(|(most, told)| (most.to_string(), told)).unzip();
        view! {
            <form method="post" action=self.action class="form" enctype=coding data-most=most data-too-large=too_large>
                {csrf()}
                {seen(draft)}
                // Enter in a field presses the form's first button, whichever other buttons are among the fields.
                <button class="unseen" tabindex="-1" aria-hidden="true">{self.submit.clone()}</button>
                {message}
                {fields}
                <div class="actions">
                    <button class=format!("button {}", self.class)>{self.submit}</button>
                    {cancel}
                </div>
            </form>
        }
        .html()
    }

    /// Draws only its button.
    #[must_use]
    pub fn button(self, hidden: &[(&str, &str)]) -> Html {
        let hidden = hidden
            .iter()
            .map(|(name, value)| view! { <input type="hidden" name=(*name).to_owned() value=(*value).to_owned() /> })
            .collect_view();
        view! {
            <form method="post" action=self.action class="inline">
                {csrf()}{hidden}
                <button class=format!("button {}", self.class)>{self.submit}</button>
            </form>
        }
        .html()
    }

    /// Draws a button that opens a confirmation.
    #[must_use]
    pub fn asking(self, id: &str, question: &str, told: impl IntoHtml) -> Html {
        self.asking_first(id, question, told.html())
    }

    fn asking_first(self, id: &str, question: &str, told: Html) -> Html {
        let name = self.submit.clone();
        let dialog = format!("ask-{id}");
        let hidden =
            self.hidden.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value /> }).collect_view();
        view! {
            <details class="ask" data-dialog="">
                <summary class="button danger">{name}</summary>
                <div class="ask-box" role="group" id=dialog aria-label=question.to_owned()>
                    <h3>{question.to_owned()}</h3>
                    {told}
                    <form method="post" action=self.action class="inline">
                        {csrf()}{hidden}
                        <button class="button danger solid">{self.submit}</button>
                    </form>
                </div>
            </details>
        }
        .html()
    }
}

/// The hidden field that detects concurrent changes.
fn seen(draft: &Draft) -> Option<Html> {
    let seen = draft.value("seen").to_owned();
    (!seen.is_empty()).then(|| view! { <input type="hidden" name="seen" value=seen /> }.html())
}

/// The hidden field with the CSRF token.
#[must_use]
pub fn csrf() -> Html {
    let token = use_context::<Csrf>().map(|csrf| csrf.0).unwrap_or_default();
    view! { <input type="hidden" name="csrf" value=token /> }.html()
}
