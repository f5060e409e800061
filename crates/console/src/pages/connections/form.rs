//! The form of a connection: its address in one field for each part, or pasted as a whole.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
};
use leptos::prelude::*;

const SERVERS: &str = "postgres mysql clickhouse trino";
const FILES: &str = "sqlite duckdb";

/// The default ports, by kind.
const PORTS: [(&str, &str); 4] = [("postgres", "5432"), ("mysql", "3306"), ("clickhouse", "8123"), ("trino", "8080")];

/// The kinds of databases in a form.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    /// Those to choose from: value and label.
    pub offered: Vec<(String, String)>,
    /// The kinds of files that cannot be connected until the operator names folders: `SQLite and DuckDB`.
    pub closed: Option<String>,
}

impl Kinds {
    fn field(&self) -> Field {
        let field = Field::new("kind", "Database", Control::Choice(self.offered.clone()));
        match &self.closed {
            None => field,
            Some(names) => field.hint(format!(
                "Files of {names} cannot be connected here. The operator of this installation must first name their folders in INLAY_SQLITE_FOLDERS."
            )),
        }
    }
}

/// What a connection's form needs beside its values.
pub struct ConnectionForm<'a> {
    /// The URL that it is sent to.
    pub action: String,
    /// The label of its button.
    pub submit: &'a str,
    /// The URL to cancel.
    pub cancel: String,
    /// The kinds of databases.
    pub kinds: &'a Kinds,
    /// For a stored connection: whether its address has a password.
    pub keeps_password: Option<bool>,
}

impl ConnectionForm<'_> {
    /// Draws it.
    #[must_use]
    pub fn draw(self, draft: &Draft) -> Html {
        let is_stored = self.keeps_password.is_some();
        let name = Field::text("name", "Name").like("warehouse");
        let name = if is_stored {
            name.hint("Dashboards' filters and reports follow a new name. Addresses in your own pages (f_…) do not.")
        } else {
            name
        };
        let address = Field::new("url", "Address", Control::Input("password")).at_times();
        let address = if is_stored {
            address.hint("Paste a whole address here to replace the fields below.")
        } else {
            address.hint("Paste a whole address, for example postgres://user:password@host:5432/database, or fill in the fields below. It is stored encrypted.")
        };
        let fields = view! {
            {name.draw(draft)}
            {self.kinds.field().draw(draft)}
            {address.draw(draft)}
            {parts(self.keeps_password.unwrap_or_default(), draft)}
            {limits(draft)}
        };
        Form::new(self.action, self.submit).or(self.cancel).draw(draft, fields)
    }
}

/// Shown for these kinds of databases. Without the page's script, all are shown.
fn only(kinds: &'static str, field: Html) -> Html {
    view! { <div data-kinds=kinds>{field}</div> }.html()
}

/// The fields of an address. The page's script shows those of the chosen kind, and fills them in from a pasted address.
fn parts(keeps_password: bool, draft: &Draft) -> Html {
    let port = PORTS.iter().find(|(kind, _)| *kind == draft.value("kind")).map_or(PORTS[0].1, |(_, port)| *port);
    let ports = PORTS.map(|(kind, port)| format!("{kind}={port}")).join(" ");
    let optional = |name: &str, label: &str| Field::text(name, label).at_times();
    let password = Field::new("password", "Password", Control::Input("password")).at_times();
    let password = if keeps_password { password.hint("Leave empty to keep it.") } else { password };
    let encrypted = Field::new("encrypted", "Encrypt the connection", Control::Tick)
        .hint("Without it, PostgreSQL and MySQL encrypt only if the server offers it; ClickHouse and Trino do not.");
    view! {
        <fieldset class="group address" data-address-parts="" data-ports=ports>
            <legend>"The address in parts"</legend>
            <p class="unseen" role="status" data-filled=""></p>
            <div class="host-and-port" data-kinds=SERVERS>
                {optional("host", "Host").like("db.example.com").draw(draft)}
                {optional("port", "Port").like(port).draw(draft)}
            </div>
            {only("postgres mysql clickhouse", optional("database", "Database name").draw(draft))}
            {only("trino", optional("catalog", "Catalog").draw(draft))}
            {only("trino", optional("schema", "Schema").draw(draft))}
            {only(SERVERS, optional("user", "User").draw(draft))}
            {only(SERVERS, password.draw(draft))}
            {only(SERVERS, encrypted.draw(draft))}
            {only(FILES, optional("path", "Path").like("/data/shop.db").hint("For a file: its absolute path on the server.").draw(draft))}
            {only("postgres mysql sqlite", more(draft))}
        </fieldset>
    }
    .html()
}

fn more(draft: &Draft) -> Html {
    let open = draft.problem("parameters").is_some() || !draft.value("parameters").is_empty();
    view! {
        <details class="more" open=open>
            <summary>"More options"</summary>
            {Field::text("parameters", "Parameters").at_times().like("name=value&name=value")
                .hint("Further parameters of the address, as in its query.").draw(draft)}
        </details>
    }
    .html()
}

fn limits(draft: &Draft) -> Html {
    let auths = [
        ("none", "Nothing"),
        ("equals", "The viewer's token, if it equals one of their properties"),
        ("verified", "The viewer's token unchanged: the database verifies it"),
    ];
    let auths = auths.map(|(value, label)| (value.to_owned(), label.to_owned())).to_vec();
    view! {
        <details class="more" open=draft.problem("authSetting").is_some()>
            <summary>"Limits and the database's own row security"</summary>
            {Field::new("cacheSeconds", "Cache time in seconds", Control::Input("number")).optional()
                .hint("0 queries the database each time.").draw(draft)}
            {Field::new("staleSeconds", "Oldest rows while the database does not answer, in seconds", Control::Input("number")).optional()
                .hint("Charts then show the last rows, and when they were read. Empty or 0 shows an error.").draw(draft)}
            {Field::new("maxConnections", "Maximum connections of each node", Control::Input("number")).optional().draw(draft)}
            {Field::new("auth", "Value for the database", Control::Choice(auths)).draw(draft)}
            {Field::text("authSetting", "Database setting").optional().like("app.tenant_id").draw(draft)}
            {Field::text("authProperty", "Property").optional().like("organization.tenant_id").draw(draft)}
        </details>
    }
    .html()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(keeps_password: Option<bool>, draft: &Draft) -> String {
        drawn_with(None, keeps_password, draft)
    }

    fn drawn_with(closed: Option<&str>, keeps_password: Option<bool>, draft: &Draft) -> String {
        let offered = vec![("postgres".to_owned(), "PostgreSQL".to_owned()), ("mysql".to_owned(), "MySQL".to_owned())];
        let kinds = Kinds { offered, closed: closed.map(str::to_owned) };
        let (action, cancel) = ("/connections".to_owned(), "/".to_owned());
        ConnectionForm { action, submit: "Save", cancel, kinds: &kinds, keeps_password }.draw(draft).to_html()
    }

    #[test]
    fn connections_have_a_field_for_each_part_and_one_for_the_whole_address() {
        let page = drawn(None, &Draft::of([("kind", "mysql"), ("host", "db.example"), ("encrypted", "on")]));
        for told in
            ["name=\"url\"", "value=\"db.example\"", "placeholder=\"3306\"", "name=\"encrypted\"", "data-kinds=\"trino\""]
        {
            assert!(page.contains(told), "{told}: {page}");
        }
        assert!(!page.contains("Leave empty to keep it.") && !page.contains(" hidden"), "{page}");
        assert!(drawn(Some(true), &Draft::default()).contains("Leave empty to keep it."));
        assert!(!drawn(Some(false), &Draft::default()).contains("Leave empty to keep it."));
    }

    #[test]
    fn kinds_that_are_closed_are_named_with_the_setting_that_opens_them() {
        let page = drawn_with(Some("SQLite and DuckDB"), None, &Draft::default());
        assert!(
            page.contains("Files of SQLite and DuckDB cannot be connected here.") && page.contains("INLAY_SQLITE_FOLDERS"),
            "{page}"
        );
        assert!(!drawn(None, &Draft::default()).contains("INLAY_SQLITE_FOLDERS"));
    }
}
