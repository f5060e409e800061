//! Checks of a project file before anything is opened or written: duplicate names, missing references, positions off the grid.
//! Every problem names its line and field. What is already in the project in the same form is accepted, so that every export
//! can be applied.

use super::{
    FileProblem,
    model::{ApplicationSection, DashboardSection, FilterSection, Name, OwnSection, ProjectFile},
};
use crate::concepts::{projects, workspaces::MOST_STARTERS};
use inlay_contract::{
    chart::definition::{ChartDefinition, ChartType},
    filter::{Control, is_default_time},
    refresh,
};
use inlay_query::SourceKindExt;
use std::collections::BTreeSet;

const MOST_CONNECTIONS: u32 = inlay_query::SourceLimits::MOST_CONNECTIONS;
const MOST_STALE_SECONDS: u32 = inlay_query::SourceLimits::MOST_STALE_SECONDS;

/// All problems of a file by itself. `before` is the existing project, if there is one.
pub fn problems(file: &ProjectFile, before: Option<&ProjectFile>) -> Vec<FileProblem> {
    let mut check = Check { before, found: Vec::new() };
    check.project(file);
    check.catalogue(file);
    check.workspaces(file);
    check.connections(file);
    check.charts(file);
    for (number, application) in file.applications.iter().enumerate() {
        check.application(file, number, application);
    }
    check.found
}

struct Check<'a> {
    before: Option<&'a ProjectFile>,
    found: Vec<FileProblem>,
}

fn at(name: &Name, field: impl Into<String>, message: impl Into<String>) -> FileProblem {
    FileProblem { line: name.referenced.line(), field: field.into(), message: message.into() }
}

/// Whether a file lists a table of a connection.
fn lists(file: &ProjectFile, connection: &str, table: &str) -> bool {
    file.tables.iter().any(|section| section.table.value == table && section.connection.value == connection)
}

/// Whether `connection.table.column` names a column that project users may see, or `connection.time` the default time of a table.
fn is_visible(file: &ProjectFile, path: &str) -> bool {
    file.tables.iter().any(|table| {
        if table.time.is_some() && is_default_time(path, &table.connection.value) {
            return true;
        }
        let prefix = format!("{}.{}.", table.connection.value, table.table.value);
        path.strip_prefix(&prefix)
            .is_some_and(|column| !column.is_empty() && table.columns.get(column).is_none_or(|settings| !settings.hidden))
    })
}

/// Whether the existing project has the same filter on a dashboard.
fn filters_by(
    file: &ProjectFile,
    application: &ApplicationSection,
    dashboard: &DashboardSection,
    filter: &FilterSection,
) -> bool {
    let applications = file.applications.iter().filter(|one| one.name.value == application.name.value);
    let dashboards = applications.flat_map(|one| &one.dashboards).filter(|one| one.name.value == dashboard.name.value);
    let mut filters = dashboards.flat_map(|one| &one.filters);
    filters.any(|one| one.key.value == filter.key.value && one.column.value == filter.column.value)
}

impl Check<'_> {
    fn project(&mut self, file: &ProjectFile) {
        if file.version.value != 1 {
            let message = format!("is {}, but this version of Inlay only reads version 1", file.version.value);
            self.found.push(FileProblem { line: file.version.referenced.line(), field: "version".to_owned(), message });
        }
        let project = &file.project;
        self.name(&project.name, "project.name");
        for (number, origin) in project.allowed_origins.iter().enumerate() {
            if let Err(problem) = projects::is_origin(&origin.value) {
                self.found.push(at(origin, format!("project.allowedOrigins[{number}]"), problem));
            }
        }
        if let Some(zone) = &project.timezone
            && let Err(problem) = projects::is_timezone(&zone.value)
        {
            self.found.push(at(zone, "project.timezone", problem));
        }
    }

    fn catalogue(&mut self, file: &ProjectFile) {
        self.unique("connections", "name", file.connections.iter().map(|connection| &connection.name));
        self.unique("roles", "name", file.roles.iter().map(|role| &role.name));
        self.unique("workspaces", "name", file.workspaces.iter().map(|workspace| &workspace.name));
        self.unique("applications", "name", file.applications.iter().map(|application| &application.name));
        let mut seen = BTreeSet::new();
        for (number, table) in file.tables.iter().enumerate() {
            self.connection(file, &table.connection, &format!("tables[{number}].connection"));
            if !seen.insert((&table.connection.value, &table.table.value)) {
                self.found.push(at(
                    &table.table,
                    format!("tables[{number}].table"),
                    format!("`{}` is listed twice", table.table.value),
                ));
            }
            if let Some(rule) = table.row_rule.as_ref().filter(|_| table.rows.is_some()) {
                self.found.push(at(
                    rule,
                    format!("tables[{number}].rowRule"),
                    "cannot be combined with `rows: all`; keep one of the two",
                ));
            }
            for (column, settings) in &table.columns {
                for (place, term) in settings.terms.iter().enumerate().filter(|(_, term)| !term.is_whole()) {
                    let why = if term.phrases.is_empty() && term.rates.is_empty() {
                        "has neither `phrases` nor `rates`; write the words that people use"
                    } else {
                        "compares a text; use `=` or `<>`, or write a number for other comparisons"
                    };
                    self.found.push(at(&table.table, format!("tables[{number}].columns.{column}.terms[{place}]"), why));
                }
            }
        }
    }

    fn workspaces(&mut self, file: &ProjectFile) {
        let mut agents = BTreeSet::new();
        for (number, workspace) in file.workspaces.iter().enumerate() {
            if workspace.agent_id.is_some_and(|agent| !agents.insert(agent)) {
                let message = "is the agent of another workspace in this file";
                self.found.push(at(&workspace.name, format!("workspaces[{number}].agentId"), message));
            }
            self.connection(file, &workspace.connection, &format!("workspaces[{number}].connection"));
            if workspace.example_questions.len() > MOST_STARTERS {
                let field = format!("workspaces[{number}].exampleQuestions");
                self.found.push(at(&workspace.name, field, format!("has more than {MOST_STARTERS} questions")));
            }
            for (at_table, table) in workspace.tables.iter().flatten().enumerate() {
                let connection = &workspace.connection.value;
                let stood = self.before.is_some_and(|before| {
                    let mut known = before.workspaces.iter().filter(|one| one.name.value == workspace.name.value);
                    !lists(before, connection, &table.value)
                        && known.any(|one| one.tables.iter().flatten().any(|known| known.value == table.value))
                });
                if !stood && !lists(file, connection, &table.value) {
                    let message = format!("`{}` is not listed for this connection in the file's `tables`", table.value);
                    self.found.push(at(table, format!("workspaces[{number}].tables[{at_table}]"), message));
                }
            }
        }
    }

    fn connections(&mut self, file: &ProjectFile) {
        for (number, connection) in file.connections.iter().enumerate() {
            if connection.max_connections.is_some_and(|most| !(1..=MOST_CONNECTIONS).contains(&most)) {
                let message = format!("must be from 1 to {MOST_CONNECTIONS}");
                self.found.push(at(&connection.name, format!("connections[{number}].maxConnections"), message));
            }
            if connection.stale_seconds.is_some_and(|seconds| seconds > MOST_STALE_SECONDS) {
                let message = format!("must be from 0 to {MOST_STALE_SECONDS}");
                self.found.push(at(&connection.name, format!("connections[{number}].staleSeconds"), message));
            }
            if !connection.kind.is_built_in() {
                let message = format!(
                    "`{}` is not part of this build of Inlay; build it with the cargo feature of the same name",
                    connection.kind
                );
                self.found.push(at(&connection.name, format!("connections[{number}].kind"), message));
            }
            let Some(auth) = &connection.database_auth else { continue };
            if connection.kind.is_file() {
                let message = "requires a database server; an SQLite file has no such settings, so no query would run";
                self.found.push(at(&auth.setting, format!("connections[{number}].databaseAuth"), message));
            }
            if auth.equals.is_some() == auth.verified_by_database {
                let message = "requires either `equals` or `verifiedByDatabase: true`";
                self.found.push(at(&auth.setting, format!("connections[{number}].databaseAuth"), message));
            }
        }
    }

    fn charts(&mut self, file: &ProjectFile) {
        self.unique("charts", "name", file.charts.iter().map(|chart| &chart.name));
        for (number, chart) in file.charts.iter().enumerate() {
            self.connection(file, &chart.connection, &format!("charts[{number}].connection"));
            let path = format!("charts[{number}]");
            self.query(&path, &chart.name, &chart.definition(), chart.query.is_some());
        }
    }

    fn application(&mut self, file: &ProjectFile, number: usize, application: &ApplicationSection) {
        let path = format!("applications[{number}]");
        let workspace = application.workspace.as_ref();
        if let Some(name) = workspace.filter(|name| file.workspaces.iter().all(|known| known.name.value != name.value)) {
            self.found.push(at(name, format!("{path}.workspace"), format!("there is no workspace named `{}`", name.value)));
        }
        let dashboards = format!("{path}.dashboards");
        self.unique(&dashboards, "name", application.dashboards.iter().map(|dashboard| &dashboard.name));
        let mut defaults = application.dashboards.iter().filter(|dashboard| dashboard.default).skip(1);
        if let Some(second) = defaults.next() {
            self.found.push(at(
                &second.name,
                format!("{dashboards}.default"),
                "is true for two dashboards; only one can be the default",
            ));
        }
        for (number, dashboard) in application.dashboards.iter().enumerate() {
            self.dashboard(file, &format!("{dashboards}[{number}]"), application, dashboard);
        }
    }

    fn dashboard(&mut self, file: &ProjectFile, path: &str, application: &ApplicationSection, dashboard: &DashboardSection) {
        if let Some(Err(problem)) = dashboard.refresh.map(refresh::check) {
            self.found.push(at(&dashboard.name, format!("{path}.refresh"), problem));
        }
        self.unique(&format!("{path}.filters"), "key", dashboard.filters.iter().map(|filter| &filter.key));
        for (number, filter) in dashboard.filters.iter().enumerate() {
            let column = &filter.column.value;
            let stood = self
                .before
                .is_some_and(|before| !is_visible(before, column) && filters_by(before, application, dashboard, filter));
            if !stood && !is_visible(file, column) {
                let message = format!(
                    "`{}` is not a visible column of a listed table; write connection.table.column",
                    filter.column.value
                );
                self.found.push(at(&filter.column, format!("{path}.filters[{number}].column"), message));
            }
            let is_time = file.connections.iter().any(|one| is_default_time(column, &one.name.value));
            if is_time && filter.control != Control::DateRange {
                let message = "must be date-range: the filter is on the default time".to_owned();
                self.found.push(at(&filter.column, format!("{path}.filters[{number}].control"), message));
            }
        }
        for (number, tile) in dashboard.charts.iter().enumerate() {
            let path = format!("{path}.charts[{number}]");
            match &tile.own {
                Some(own) => self.own(file, &path, &tile.chart, own),
                None => self.chart(file, &tile.chart, format!("{path}.chart")),
            }
            if let Err(message) = tile.place().fits() {
                self.found.push(at(&tile.chart, path, message));
            }
        }
    }

    fn own(&mut self, file: &ProjectFile, path: &str, name: &Name, own: &OwnSection) {
        self.connection(file, &own.connection, &format!("{path}.own.connection"));
        if let Some(of) = &own.of {
            self.chart(file, of, format!("{path}.own.of"));
        }
        self.query(&format!("{path}.own"), name, &own.definition(&name.value), own.query.is_some());
    }

    /// A chart asks one thing; only a text asks nothing.
    fn query(&mut self, path: &str, name: &Name, definition: &ChartDefinition, by_meaning: bool) {
        if definition.kind != ChartType::Text && !definition.has_query() {
            let message = "is required for every type but `text`, unless there is a `query`";
            self.found.push(at(name, format!("{path}.sql"), message));
        }
        if by_meaning && (definition.sql_override.is_some() || definition.question().is_some()) {
            let message = "stands beside another query; a chart has one of `sql`, `query` and `options.question`";
            self.found.push(at(name, format!("{path}.query"), message));
        }
    }

    fn chart(&mut self, file: &ProjectFile, name: &Name, field: String) {
        if file.charts.iter().all(|chart| chart.name.value != name.value) {
            self.found.push(at(name, field, format!("there is no chart named `{}`", name.value)));
        }
    }

    fn connection(&mut self, file: &ProjectFile, name: &Name, field: &str) {
        if file.connections.iter().all(|connection| connection.name.value != name.value) {
            self.found.push(at(name, field, format!("there is no connection named `{}`", name.value)));
        }
    }

    fn unique<'n>(&mut self, list: &str, field: &str, names: impl Iterator<Item = &'n Name>) {
        let mut seen = BTreeSet::new();
        for (number, name) in names.enumerate() {
            let path = format!("{list}[{number}].{field}");
            self.name(name, &path);
            if !seen.insert(&name.value) {
                self.found.push(at(name, path, format!("`{}` appears twice in {list}", name.value)));
            }
        }
    }

    fn name(&mut self, name: &Name, field: &str) {
        if let Err(problem) = crate::ground::checks::is_name(&name.value) {
            self.found.push(at(name, field, problem));
        }
    }
}
