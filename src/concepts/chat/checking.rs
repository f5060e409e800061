//! Whether a verified query still has a meaning, without a viewer.

use super::{data_scope::in_scope, modelled::model_in_scope};
use crate::{
    concepts::{connections::OpenConnection, workspaces::WorkspaceSettings},
    ground::state::App,
};
use chrono::NaiveDate;
use inlay_assistant::WrittenQuery;
use inlay_query::{Probed, compile};

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// The query runs.
    Runs,
    /// It cannot run: a sentence for members.
    Refused(String),
    /// The database did not answer.
    Unasked,
}

/// Checks a query on the tables that a workspace's settings cover. The database is asked for no row.
pub async fn check_query(
    app: &App,
    connection: &OpenConnection,
    settings: &WorkspaceSettings,
    query: &WrittenQuery,
    day: NaiveDate,
) -> Checked {
    let sql = match query {
        WrittenQuery::Sql(sql) => sql.clone(),
        WrittenQuery::Model(query) => {
            match compile(connection.source.kind, &model_in_scope(connection, settings), query, day) {
                Ok(compiled) => compiled.sql,
                Err(why) => return Checked::Refused(format!("{why}.")),
            }
        }
    };
    match app.engine.probe(&connection.source, &in_scope(connection, settings), &sql).await {
        Probed::Gives(_) => Checked::Runs,
        Probed::Refused(why) => Checked::Refused(why),
        Probed::Unasked => Checked::Unasked,
    }
}
