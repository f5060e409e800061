//! Compares every row struct with its table: the same columns, each of them written and read back.

use super::{
    Conn,
    rows::{self, Bind, Columns},
};
use crate::{
    concepts::{
        applications, catalog, charts,
        chat::{self, pins},
        connections::{self, answers},
        customers, dashboards, identity_providers, language_models,
        organizations::{self, links, sessions, sign_in},
        projects,
        reports::{self, runs},
        roles, tenants, tokens, usage, webhooks, workspaces,
    },
    flows::v1_migration,
    ground::{audit, jobs, tidy},
    on,
    testing::{
        on_both_stores,
        rows::{Schema, fill, run, schema, texts, without_references},
    },
};
use sqlx::{AssertSqlSafe, FromRow};
use sqlx_postgres::{PgRow, Postgres};
use sqlx_sqlite::{Sqlite, SqliteRow};
use std::collections::BTreeMap;

/// Tables without a row struct: each is one row of numbers that statements change, never read or written as a whole.
const COUNTERS: [&str; 3] = ["configuration_version", "job_turn", "store_state"];

macro_rules! rows {
    ($($row:path),+ $(,)?) => {
        /// The columns that the rows declare, by table.
        fn declared() -> BTreeMap<&'static str, Vec<&'static str>> {
            [$((<$row as Columns>::TABLE, <$row as Columns>::NAMES.to_vec())),+].into()
        }

        /// Writes and reads every row through its struct.
        async fn bring_through(conn: &mut Conn<'_>, schema: &Schema) {
            $(Box::pin(bring_one_through::<$row>(conn, schema)).await;)+
        }
    };
}

rows! {
    crate::concepts::access::RateCountRow,
    answers::AnswerRow,
    applications::ApplicationRow,
    audit::store::AuditEventRow,
    catalog::CatalogTableRow,
    charts::ChartRow,
    charts::ChartVersionRow,
    pins::PinRow,
    chat::AnswerSlotRow,
    chat::MessageRow,
    chat::OpenQuestionRow,
    chat::ThreadRow,
    connections::ConnectionRow,
    customers::CustomerRow,
    customers::ProjectUserRow,
    dashboards::DashboardChartRow,
    dashboards::DashboardRow,
    dashboards::DefaultDashboardRow,
    identity_providers::IdentityProviderRow,
    crate::concepts::isolation::IsolationProjectRow,
    crate::concepts::isolation::IsolationRunRow,
    crate::concepts::key_checks::KeyCheckRow,
    jobs::store::JobQueueRow,
    jobs::store::JobRow,
    v1_migration::V1WriteRow,
    language_models::ChatUsageRow,
    language_models::EvaluationUsageRow,
    language_models::ModelRow,
    language_models::ProjectEvaluationUsageRow,
    links::LinkRow,
    sessions::SessionRow,
    sign_in::AttemptRow,
    crate::concepts::single_sign_on::ProviderRow,
    crate::concepts::single_sign_on::SubjectRow,
    organizations::AccountRow,
    organizations::ApiKeyRow,
    organizations::MemberRow,
    organizations::OrganizationRow,
    projects::ProjectRow,
    runs::DeliveryRow,
    runs::MailCountRow,
    runs::RunRow,
    runs::UnsubscribedRow,
    reports::ReportRow,
    roles::RoleRow,
    crate::concepts::saved_views::SavedViewRow,
    tenants::TenantRow,
    tokens::RevocationRow,
    tokens::SigningKeyRow,
    tidy::TidyRow,
    super::version::ChangeRow,
    usage::UsageDayRow,
    webhooks::DeliveryRow,
    webhooks::WebhookRow,
    crate::flows::evaluation::EvaluationRow,
    crate::concepts::verified_answers::VerifiedAnswerRow,
    workspaces::WorkspaceRow,
    workspaces::WorkspaceVersionRow,
}

/// Fills every column by plain SQL, reads the row, writes it again, and compares both rows column by column.
async fn bring_one_through<R>(conn: &mut Conn<'_>, schema: &Schema)
where
    R: Bind<Sqlite> + Bind<Postgres> + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin,
{
    let table = R::TABLE;
    run(conn, format!("DELETE FROM {table}")).await;
    fill(conn, schema, table, &[]).await;
    let filled = texts(conn, schema, table, "TRUE").await;
    let sql = format!("SELECT {} FROM {table}", R::COLUMNS);
    let read = on!(&mut *conn, |c| sqlx::query_as::<_, R>(AssertSqlSafe(sql)).fetch_one(c).await);
    let row = read.unwrap_or_else(|problem| panic!("{table} is read: {problem}"));
    run(conn, format!("DELETE FROM {table}")).await;
    rows::insert(conn, row).await.unwrap_or_else(|problem| panic!("{table} is written: {problem}"));
    assert_eq!(texts(conn, schema, table, "TRUE").await, filled, "{table}");
}

on_both_stores! {
    async fn every_table_has_the_columns_that_its_row_declares(world) {
        let schema = schema(&mut world.app.db.read().await.expect("a connection").conn()).await;
        let mut declared = declared();
        for (table, columns) in &schema {
            let mut columns: Vec<&str> = columns.iter().map(|column| column.column_name.as_str()).collect();
            let mut named = declared.remove(table.as_str()).unwrap_or_default();
            if COUNTERS.contains(&table.as_str()) {
                assert!(named.is_empty(), "{table} has a row");
                continue;
            }
            columns.sort_unstable();
            named.sort_unstable();
            assert_eq!(named, columns, "{table}: what its row declares, and what it has");
        }
        assert!(declared.is_empty(), "rows without a table: {declared:?}");
    }

    async fn every_column_is_written_and_read_back(world) {
        let mut tx = world.app.db.write().await.expect("a transaction");
        without_references(&mut tx).await;
        let schema = schema(&mut tx.conn()).await;
        bring_through(&mut tx.conn(), &schema).await;
        tx.roll_back().await.expect("rolled back");
    }
}
