//! Fills a store with project users, a hundred to a customer, for `make bench`:
//!   `fill_users STORE PROJECT COUNT`
//! Creates users `grown-0` … until there are COUNT. Existing ones stay.

use inlay::ground::store::{Db, connect};
use std::{env, error::Error};
use uuid::Uuid;

const CUSTOMERS: &str = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < $2) \
    INSERT INTO customers (id, project_id, external_id, name, properties, created_at, updated_at) \
    SELECT randomblob(16), $1, 'grown-' || i, 'Grown ' || i, '{}', 0, 0 FROM n WHERE true ON CONFLICT DO NOTHING";

const USERS: &str = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < $2) \
    INSERT INTO project_users (id, project_id, customer_id, external_id, name, properties, created_at, updated_at) \
    SELECT randomblob(16), $1, c.id, 'grown-' || i, 'Grown ' || i, '{}', 0, 0 FROM n \
    JOIN customers c ON c.project_id = $1 AND c.external_id = 'grown-' || (i / 100) WHERE true ON CONFLICT DO NOTHING";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [store, project, count] = arguments.as_slice() else { return Err("usage: fill_users STORE PROJECT COUNT".into()) };
    let (project, count): (Uuid, i64) = (project.parse()?, count.parse()?);
    let Db::Sqlite { writer, .. } = connect::open(store, connect::Opening::default()).await? else {
        return Err("only the embedded store is filled".into());
    };
    sqlx::query(CUSTOMERS).bind(project).bind((count - 1) / 100).execute(&writer).await?;
    sqlx::query(USERS).bind(project).bind(count - 1).execute(&writer).await?;
    Ok(())
}
