//! A table of a catalogue: labels, hidden columns, and the row rule with a test as a user.

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
    /// Its type. `None` if the source has no such column any more.
    pub kind: Option<String>,
}

/// The result of a test as a user.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The user.
    pub user: String,
    /// The rule with the user's values. `None` if all rows are open.
    pub rule: Option<String>,
    /// How many rows the user sees.
    pub count: u64,
    /// The first rows.
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
    /// Its columns. `None` if the source is not reachable.
    pub columns: Option<Vec<ColumnRow>>,
    /// The users to try as: id and name.
    pub users: Vec<(String, String)>,
    /// The charts and filters that use it.
    pub uses: Vec<String>,
    /// The result of a test.
    pub trial: Option<Result<Trial, String>>,
    /// What would break by the typed changes.
    pub losing: Vec<String>,
    /// The properties of the typed rule that nobody has. The form repeats them when it is sent again.
    pub despite_unknown: Vec<String>,
    /// What is to be said about the stored rule.
    pub warnings: Vec<String>,
    /// Whether the member may change it.
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
    let model = page.may_change.then(|| view! { <a class="button" href=page.at("/model")>"Semantic model"</a> });
    view! {
        {parts::head(&page.name, Some((back, page.connection_name.as_str())), model)}
        {page.warnings.iter().cloned().map(parts::warning).collect_view()}
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
    let unknown = (!page.despite_unknown.is_empty()).then(|| {
        view! { <input type="hidden" name="despiteUnknown" value=page.despite_unknown.join("\n") /> }
    });
    let fields = view! {
        {losing}{unknown}
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

/// The column settings for the chat.
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
            cell("terms", "Words for values", "late, delayed >= 15; America = USA"),
        ]
    };
    let rows = columns.iter().map(row).collect();
    let open = columns.iter().any(wrong);
    Some(
        view! {
            <details class="more" open=open>
                <summary>"What the chat knows of columns"</summary>
                <p class="muted">
                    "Separate other names with commas. Values from: the column of another table whose values these are. "
                    "Words for values: late, delayed >= 15 / lateness; America = USA. The word after / names the share of such rows."
                </p>
                {parts::table("What the chat knows of columns", &["Column", "Other names", "Values from", "Words for values"], rows)}
            </details>
        }
        .html(),
    )
}

/// A test of the unsaved rule as a user.
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
