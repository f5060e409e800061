//! What a file can be found wrong with before anything is opened or written: names twice, references to nothing, places off
//! the grid. Every problem names its line and field.

use super::{
    Problem,
    model::{ApplicationSection, DashboardSection, Name, ProjectFile, TableSection},
};
use crate::{projects, workspaces::MOST_STARTERS};
use inlay_contract::chart::definition::ChartType;
use std::collections::BTreeSet;

const MOST_CONNECTIONS: u32 = 200;

/// Everything that is wrong with a file by itself.
pub fn problems(file: &ProjectFile) -> Vec<Problem> {
    let mut check = Check::default();
    check.project(file);
    check.catalogue(file);
    check.charts(file);
    for (number, application) in file.applications.iter().enumerate() {
        check.application(file, number, application);
    }
    check.0
}

#[derive(Default)]
struct Check(Vec<Problem>);

fn at(name: &Name, field: impl Into<String>, message: impl Into<String>) -> Problem {
    Problem { line: name.referenced.line(), field: field.into(), message: message.into() }
}

impl Check {
    fn project(&mut self, file: &ProjectFile) {
        if file.version.value != 1 {
            let message = format!("is {}; this version of Inlay reads 1", file.version.value);
            self.0.push(Problem { line: file.version.referenced.line(), field: "version".to_owned(), message });
        }
        let project = &file.project;
        self.name(&project.name, "project.name");
        for (number, origin) in project.allowed_origins.iter().enumerate() {
            if let Err(problem) = projects::is_origin(&origin.value) {
                self.0.push(at(origin, format!("project.allowedOrigins[{number}]"), problem));
            }
        }
        if let Some(zone) = &project.timezone
            && let Err(problem) = projects::is_timezone(&zone.value)
        {
            self.0.push(at(zone, "project.timezone", problem));
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
                self.0.push(at(
                    &table.table,
                    format!("tables[{number}].table"),
                    format!("`{}` is listed twice", table.table.value),
                ));
            }
            if let Some(rule) = table.row_rule.as_ref().filter(|_| table.rows.is_some()) {
                self.0.push(at(rule, format!("tables[{number}].rowRule"), "stands beside `rows: all`; keep one of the two"));
            }
        }
        for (number, workspace) in file.workspaces.iter().enumerate() {
            self.connection(file, &workspace.connection, &format!("workspaces[{number}].connection"));
            if workspace.example_questions.len() > MOST_STARTERS {
                let field = format!("workspaces[{number}].exampleQuestions");
                self.0.push(at(&workspace.name, field, format!("holds more than {MOST_STARTERS} questions")));
            }
            for (at_table, table) in workspace.tables.iter().flatten().enumerate() {
                let listed = |section: &TableSection| {
                    section.table.value == table.value && section.connection.value == workspace.connection.value
                };
                if !file.tables.iter().any(listed) {
                    let message = format!("`{}` is no table of the connection in this file's `tables`", table.value);
                    self.0.push(at(table, format!("workspaces[{number}].tables[{at_table}]"), message));
                }
            }
        }
        for (number, connection) in file.connections.iter().enumerate() {
            if connection.max_connections.is_some_and(|most| !(1..=MOST_CONNECTIONS).contains(&most)) {
                let message = format!("is from 1 to {MOST_CONNECTIONS}");
                self.0.push(at(&connection.name, format!("connections[{number}].maxConnections"), message));
            }
            if !connection.kind.is_built_in() {
                let message = format!(
                    "`{}` is left out of this build of Inlay; build it with the cargo feature of that name",
                    connection.kind
                );
                self.0.push(at(&connection.name, format!("connections[{number}].kind"), message));
            }
            let Some(auth) = &connection.database_auth else { continue };
            if connection.kind.is_file() {
                let message = "needs a database with settings; a file has none, so no query would ever run";
                self.0.push(at(&auth.setting, format!("connections[{number}].databaseAuth"), message));
            }
            if auth.equals.is_some() == auth.verified_by_database {
                let message = "needs either `equals` or `verifiedByDatabase: true`";
                self.0.push(at(&auth.setting, format!("connections[{number}].databaseAuth"), message));
            }
        }
    }

    fn charts(&mut self, file: &ProjectFile) {
        self.unique("charts", "name", file.charts.iter().map(|chart| &chart.name));
        for (number, chart) in file.charts.iter().enumerate() {
            self.connection(file, &chart.connection, &format!("charts[{number}].connection"));
            if chart.sql.is_none() && chart.kind != ChartType::Text {
                self.0.push(at(&chart.name, format!("charts[{number}].sql"), "is required for every type but `text`"));
            }
        }
    }

    fn application(&mut self, file: &ProjectFile, number: usize, application: &ApplicationSection) {
        let path = format!("applications[{number}]");
        let workspace = application.workspace.as_ref();
        if let Some(name) = workspace.filter(|name| file.workspaces.iter().all(|known| known.name.value != name.value)) {
            self.0.push(at(name, format!("{path}.workspace"), format!("there is no workspace called `{}`", name.value)));
        }
        let dashboards = format!("{path}.dashboards");
        self.unique(&dashboards, "name", application.dashboards.iter().map(|dashboard| &dashboard.name));
        let mut defaults = application.dashboards.iter().filter(|dashboard| dashboard.default).skip(1);
        if let Some(second) = defaults.next() {
            self.0.push(at(&second.name, format!("{dashboards}.default"), "is true on two dashboards; one opens first"));
        }
        for (number, dashboard) in application.dashboards.iter().enumerate() {
            self.dashboard(file, &format!("{dashboards}[{number}]"), dashboard);
        }
    }

    fn dashboard(&mut self, file: &ProjectFile, path: &str, dashboard: &DashboardSection) {
        self.unique(&format!("{path}.filters"), "key", dashboard.filters.iter().map(|filter| &filter.key));
        for (number, filter) in dashboard.filters.iter().enumerate() {
            let known = file.tables.iter().any(|table| {
                let prefix = format!("{}.{}.", table.connection.value, table.table.value);
                filter.column.value.strip_prefix(&prefix).is_some_and(|column| {
                    !column.is_empty() && table.columns.get(column).is_none_or(|settings| !settings.hidden)
                })
            });
            if !known {
                let message = format!(
                    "`{}` names no visible column; write connection.table.column of a listed table",
                    filter.column.value
                );
                self.0.push(at(&filter.column, format!("{path}.filters[{number}].column"), message));
            }
        }
        for (number, tile) in dashboard.charts.iter().enumerate() {
            let path = format!("{path}.charts[{number}]");
            if file.charts.iter().all(|chart| chart.name.value != tile.chart.value) {
                self.0.push(at(
                    &tile.chart,
                    format!("{path}.chart"),
                    format!("there is no chart called `{}`", tile.chart.value),
                ));
            }
            if let Err(message) = tile.place().fits() {
                self.0.push(at(&tile.chart, path, message));
            }
        }
    }

    fn connection(&mut self, file: &ProjectFile, name: &Name, field: &str) {
        if file.connections.iter().all(|connection| connection.name.value != name.value) {
            self.0.push(at(name, field, format!("there is no connection called `{}`", name.value)));
        }
    }

    fn unique<'n>(&mut self, list: &str, field: &str, names: impl Iterator<Item = &'n Name>) {
        let mut seen = BTreeSet::new();
        for (number, name) in names.enumerate() {
            let path = format!("{list}[{number}].{field}");
            self.name(name, &path);
            if !seen.insert(&name.value) {
                self.0.push(at(name, path, format!("`{}` stands twice in {list}", name.value)));
            }
        }
    }

    fn name(&mut self, name: &Name, field: &str) {
        if let Err(problem) = projects::is_name(&name.value) {
            self.0.push(at(name, field, problem));
        }
    }
}
