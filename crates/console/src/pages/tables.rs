//! A table of a catalogue: what people call it, which columns are hidden, which rows each viewer sees, tried as somebody.

use crate::ui::{
    cell::Cell,
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    numbers::grouped,
    parts,
    sheet::Sheet,
};
use leptos::prelude::*;

/// A column.
#[derive(Clone, Debug)]
pub struct ColumnRow {
    /// Its name.
    pub name: String,
    /// Its type; none when the source has no such column now.
    pub kind: Option<String>,
}

/// What a chosen user sees.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Who.
    pub user: String,
    /// The rule with their values filled in; none where every row is open.
    pub rule: Option<String>,
    /// How many rows they see.
    pub count: u64,
    /// The first of them.
    pub sheet: Sheet,
}

/// The page.
#[derive(Clone, Debug)]
pub struct Table {
    /// The project.
    pub project: String,
    /// The connection's id.
    pub connection: String,
    /// The connection's name.
    pub connection_name: String,
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its columns; none when the source cannot be reached.
    pub columns: Option<Vec<ColumnRow>>,
    /// The users to try as: id and name.
    pub users: Vec<(String, String)>,
    /// What reads it.
    pub uses: Vec<String>,
    /// What a trial brought.
    pub trial: Option<Result<Trial, String>>,
    /// What would lose the table or columns of it by what is typed.
    pub losing: Vec<String>,
    /// Whether the reader may change it.
    pub may_change: bool,
}

impl Table {
    fn at(&self, rest: &str) -> String {
        format!("/console/projects/{}/connections/{}/tables/{}{rest}", self.project, self.connection, self.id)
    }
}

/// Draws it.
#[must_use]
pub fn show(page: &Table, draft: &Draft) -> Html {
    let back = format!("/console/projects/{}/connections/{}", page.project, page.connection);
    let settings = if page.may_change { form(page, draft) } else { reading(draft) };
    let remove = page.may_change.then(|| {
        let told = if page.uses.is_empty() {
            "No object uses it. Nothing in the database changes.".to_owned()
        } else {
            format!("It is used by {}, which then fail. Nothing in the database changes.", page.uses.join(", "))
        };
        let told = view! { <p>{told}</p> };
        let form = Form::new(page.at("/remove"), "Remove table").asking(
            "remove",
            &format!("Remove {} from the catalogue?", page.name),
            told,
        );
        parts::part("Remove", "", form)
    });
    view! {
        {parts::head(&page.name, Some((back, page.connection_name.as_str())), ())}
        {settings}
        {remove}
    }
    .html()
}

fn form(page: &Table, draft: &Draft) -> Html {
    let access = [
        ("nothing", "No rows: the table is closed"),
        ("rule", "The rows that a rule allows"),
        ("all", "All rows, for every project user"),
    ];
    let access = access.map(|(value, label)| (value.to_owned(), label.to_owned())).to_vec();
    let rule = Field::new("rowRule", "Row rule", Control::Code(2))
        .optional()
        .like("tenant_id = {{organization.tenant_id}}")
        .hint("A condition over this table's columns. {{organization.key}} and {{user.key}} are properties that your server sends when it signs the user in.")
        .checked_at(page.at("/check"));
    let losing = (!page.losing.is_empty()).then(|| {
        view! { <input type="hidden" name="despiteUses" value=page.losing.join("\n") />{parts::names(&page.losing)} }
    });
    let fields = view! {
        {losing}
        {Field::new("access", "Project users see", Control::Choice(access)).draw(draft)}
        {rule.draw(draft)}
        {trial(page, draft)}
        {Field::text("label", "Label").optional().hint("The name that users know.").draw(draft)}
        {Field::new("description", "Description", Control::Area(2)).optional().hint("What the table contains; the chat reads it.").draw(draft)}
        {Field::text("synonyms", "Other names").optional().hint("Separated by commas, for the chat.").draw(draft)}
        {columns(page, draft)}
        {words(page, draft)}
    };
    parts::part("Rows and names", "", Form::new(page.at(""), "Save").draw(draft, fields))
}

fn columns(page: &Table, draft: &Draft) -> Html {
    let Some(columns) = &page.columns else {
        return parts::warning("The database does not respond, so its columns cannot be shown. Their settings are kept.");
    };
    let row = |column: &ColumnRow| {
        let name = |part: &str| format!("column.{}.{part}", column.name);
        let kind = column.kind.clone().map_or_else(|| parts::badge("bad", "Gone"), parts::muted);
        let input = |part: &str, what: &str| Cell::text(name(part), format!("{what} of {}", column.name)).draw(draft);
        let hidden = view! {
            <input type="checkbox" name=name("hidden") value="on" checked=draft.ticked(&name("hidden"))
                aria-label=format!("Hide {}", column.name) />
        };
        vec![
            parts::code(column.name.clone()),
            kind,
            input("label", "Label"),
            input("description", "Description"),
            hidden.html(),
        ]
    };
    let rows = columns.iter().map(row).collect();
    view! {
        <h3>"Columns"</h3>
        {parts::table("Columns", &["Column", "Type", "Label", "Description", "Hidden"], rows)}
    }
    .html()
}

fn reading(draft: &Draft) -> Html {
    let rule = if draft.value("rowRule").is_empty() { draft.value("access") } else { draft.value("rowRule") };
    parts::facts(vec![
        ("Project users see", parts::code(rule.to_owned())),
        ("Label", parts::text(draft.value("label").to_owned())),
        ("Description", parts::text(draft.value("description").to_owned())),
    ])
}

/// What the chat knows of columns beside their labels.
fn words(page: &Table, draft: &Draft) -> Option<Html> {
    let columns = page.columns.as_ref()?;
    let wrong = |column: &ColumnRow| {
        ["terms", "references"].iter().any(|part| draft.problem(&format!("column.{}.{part}", column.name)).is_some())
    };
    let row = |column: &ColumnRow| {
        let cell = |part: &str, what: &str, example: &'static str| {
            Cell::text(format!("column.{}.{part}", column.name), format!("{what} of {}", column.name)).like(example).draw(draft)
        };
        vec![
            parts::code(column.name.clone()),
            cell("synonyms", "Other names", "turnover, sales"),
            cell("references", "Values from", "customers.id"),
            cell("terms", "Words for values", "late, delayed >= 15"),
        ]
    };
    let rows = columns.iter().map(row).collect();
    let open = columns.iter().any(wrong);
    Some(
        view! {
            <details class="more" open=open>
                <summary>"What the chat knows of columns"</summary>
                <p class="muted">
                    "Other names are separated by commas. Values from: the column of another table whose values these are. "
                    "Words for values: late, delayed >= 15 / lateness; early < 0 (after the stroke: what the share of such rows is called)."
                </p>
                {parts::table("What the chat knows of columns", &["Column", "Other names", "Values from", "Words for values"], rows)}
            </details>
        }
        .html(),
    )
}

/// What somebody would see, before it is saved.
fn trial(page: &Table, draft: &Draft) -> Html {
    if page.users.is_empty() {
        return parts::muted("You can test the rule here once a user has signed in.");
    }
    let mut users = vec![(String::new(), "Choose a user".to_owned())];
    users.extend(page.users.iter().cloned());
    let users = Field::new("user", "Test as…", Control::Choice(users)).at_times();
    let result = page.trial.as_ref().map(|trial| match trial {
        Err(problem) => parts::refused(problem),
        Ok(trial) => result(trial),
    });
    view! {
        <div class="try">
            {users.hint("Queries the database now and shows what this user would see with the rule as typed. Nothing is saved.").draw(draft)}
            <button class="button" name="test" value="on">"Test"</button>
        </div>
        {result}
    }
    .html()
}

fn result(trial: &Trial) -> Html {
    let rule = trial.rule.clone().map_or_else(|| parts::text("Every row"), parts::code);
    let shown = trial.sheet.rows.len();
    let told = if trial.count > shown as u64 {
        format!("The first {shown} of {} rows.", grouped(trial.count))
    } else {
        format!("All {shown} rows.")
    };
    view! {
        <div data-result="">
            {parts::facts(vec![
                ("User", parts::text(trial.user.clone())),
                ("Rule", rule),
                ("Rows", parts::text(grouped(trial.count))),
            ])}
            {trial.sheet.draw("Rows")}
            <p class="muted">{told}</p>
        </div>
    }
    .html()
}
