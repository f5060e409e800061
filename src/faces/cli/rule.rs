//! `inlay rule`

use super::{Failure, named_project::NamedProject, output::Output};
use crate::{
    concepts::{connections, customers, projects},
    faces::server,
    flows::management::table_trial,
    ground::config::Settings,
};
use clap::{Args, Subcommand};
use serde_json::json;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Show what a table's row rule does for one user: the rule with their values, the first rows, the count
    Test(Arguments),
}

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    named: NamedProject,
    /// The connection's name
    #[arg(long)]
    connection: String,
    /// The table, as the project file names it
    #[arg(long)]
    table: String,
    /// The customer's external id
    #[arg(long)]
    customer: String,
    /// The user's external id
    #[arg(long)]
    user: String,
    /// Maximum number of rows
    #[arg(long, default_value_t = 10)]
    rows: usize,
}

pub async fn run(settings: Settings, command: Command, output: Output) -> Result<(), Failure> {
    let Command::Test(arguments) = command;
    let app = server::prepare(settings).await?;
    let (connection, user) = {
        let mut lease = app.db.read().await?;
        let conn = &mut lease.conn();
        let project = projects::find_by_name(conn, arguments.named.organization, &arguments.named.project).await?;
        let project = project.ok_or("the organization has no project with this name")?;
        let connection = connections::find_by_name(conn, project, &arguments.connection).await?;
        let customer = customers::find_customer(conn, project, &arguments.customer).await?;
        let customer = customer.ok_or("the project has no customer with this external id")?;
        let user = customers::find_user_of_customer(conn, customer.id, &arguments.user).await?;
        let user = user.ok_or("the customer has no user with this external id")?;
        (connection.ok_or("the project has no connection with this name")?, user.id)
    };
    let open = connections::open(&app, connection).await?;
    let table = open.tables.iter().find(|table| table.name == arguments.table);
    let table = table.ok_or("the connection's catalogue has no table with this name")?;
    let trial = table_trial::test_as(&app, &open, table, user, arguments.rows).await;
    let trial = trial.map_err(|problem| problem.context.unwrap_or(problem.message))?;
    let answer = json!({
        "rule": trial.rule, "count": trial.count, "columns": trial.rows.columns, "rows": trial.rows.rows,
    });
    output.print(&answer, || {
        let rule = trial.rule.as_deref().unwrap_or("rows: all");
        let names: Vec<_> = trial.rows.columns.iter().map(|column| column.name.as_str()).collect();
        let rows = trial.rows.rows.iter().map(|row| format!("\n{}", serde_json::Value::from(row.clone())));
        format!("{rule}\n{} rows; the first of them:\n{}{}", trial.count, names.join(", "), rows.collect::<String>())
    })
}
