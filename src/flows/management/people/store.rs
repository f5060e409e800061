//! Customers and users for members' lists, in the store.

use super::{ListedCustomer, ListedUser};
use crate::{
    concepts::customers::{CustomerRow, ProjectUserRow},
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{columns, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{CustomerId, ProjectId, ProjectUserId};
use sqlx::FromRow;

row! {
    struct ListedCustomerRow of CustomerRow { id: CustomerId, external_id: String, name: String, created_at: Timestamp }
}

#[derive(FromRow)]
struct CountedCustomer {
    #[sqlx(flatten)]
    customer: ListedCustomerRow,
    users: i64,
}

row! {
    struct ListedUserRow of ProjectUserRow {
        id: ProjectUserId,
        external_id: String,
        name: String,
        updated_at: Timestamp,
        seen_at: Option<Timestamp>,
    }
}

#[derive(FromRow)]
struct FoundUser {
    #[sqlx(flatten)]
    user: ListedUserRow,
    customer: Option<String>,
    role: Option<String>,
}

/// The customers of a project whose name or external id contains a text, by name.
pub async fn customers(conn: &mut Conn<'_>, project: ProjectId, text: &str, most: i64) -> Result<Vec<ListedCustomer>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(ListedCustomerRow as c),
        ", (SELECT COUNT(*) FROM project_users u WHERE u.customer_id = c.id) AS users FROM customers c \
        WHERE c.project_id = $1 AND (LOWER(c.name) LIKE $2 OR LOWER(c.external_id) LIKE $2) ORDER BY c.name, c.id LIMIT $3"
    );
    let pattern = holding(text);
    let rows = on!(conn, |c| {
        sqlx::query_as::<_, CountedCustomer>(SQL).bind(project).bind(&pattern).bind(most).fetch_all(c).await
    })?;
    let listed = |CountedCustomer { customer, users }: CountedCustomer| {
        let ListedCustomerRow { id, external_id, name, created_at } = customer;
        ListedCustomer { id, external_id, name, users, created_at }
    };
    Ok(rows.into_iter().map(listed).collect())
}

/// A `LIKE` pattern for texts that contain this one.
fn holding(text: &str) -> String {
    format!("%{}%", text.trim().to_lowercase().replace(['%', '_', '\\'], ""))
}

impl From<FoundUser> for ListedUser {
    fn from(FoundUser { user, customer, role }: FoundUser) -> Self {
        let ListedUserRow { id, external_id, name, updated_at, seen_at } = user;
        Self { id, external_id, name, customer, role, updated_at, seen_at }
    }
}

const USERS: &str = sql!(
    "SELECT ",
    columns!(ListedUserRow as u),
    ", c.name AS customer, r.name AS role FROM project_users u \
    LEFT JOIN customers c ON c.id = u.customer_id LEFT JOIN roles r ON r.id = u.role_id"
);

/// The users of a customer, by name.
pub async fn users_of(conn: &mut Conn<'_>, customer: CustomerId, most: i64) -> Result<Vec<ListedUser>> {
    const SQL: &str = sql!(USERS, " WHERE u.customer_id = $1 ORDER BY u.name, u.id LIMIT $2");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundUser>(SQL).bind(customer).bind(most).fetch_all(c).await)?;
    Ok(rows.into_iter().map(ListedUser::from).collect())
}

/// The users of a project, most recently changed first.
pub async fn newest_users(conn: &mut Conn<'_>, project: ProjectId, most: i64) -> Result<Vec<ListedUser>> {
    const SQL: &str = sql!(USERS, " WHERE u.project_id = $1 ORDER BY u.updated_at DESC, u.id DESC LIMIT $2");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundUser>(SQL).bind(project).bind(most).fetch_all(c).await)?;
    Ok(rows.into_iter().map(ListedUser::from).collect())
}

/// The users of a project, or of one customer, whose name or external id contains a text, newest first.
pub async fn users_named(
    conn: &mut Conn<'_>,
    project: ProjectId,
    customer: Option<CustomerId>,
    text: &str,
    most: i64,
) -> Result<Vec<ListedUser>> {
    const ALL: &str = sql!(
        USERS,
        " WHERE u.project_id = $1 AND (LOWER(u.name) LIKE $2 OR LOWER(u.external_id) LIKE $2) \
         ORDER BY u.updated_at DESC, u.id DESC LIMIT $3"
    );
    const OF_ONE: &str = sql!(
        USERS,
        " WHERE u.project_id = $1 AND (LOWER(u.name) LIKE $2 OR LOWER(u.external_id) LIKE $2) AND u.customer_id = $4 \
         ORDER BY u.updated_at DESC, u.id DESC LIMIT $3"
    );
    let pattern = holding(text);
    let rows = match customer {
        None => {
            on!(conn, |c| sqlx::query_as::<_, FoundUser>(ALL).bind(project).bind(&pattern).bind(most).fetch_all(c).await)
        }
        Some(id) => {
            on!(conn, |c| sqlx::query_as::<_, FoundUser>(OF_ONE)
                .bind(project)
                .bind(&pattern)
                .bind(most)
                .bind(id)
                .fetch_all(c)
                .await)
        }
    }?;
    Ok(rows.into_iter().map(ListedUser::from).collect())
}

/// When a user last opened a dashboard.
pub async fn seen_at(conn: &mut Conn<'_>, id: ProjectUserId) -> Result<Option<Timestamp>> {
    const SQL: &str = "SELECT seen_at FROM project_users WHERE id = $1";
    let found: Option<Option<Timestamp>> = on!(conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_optional(c).await)?;
    Ok(found.flatten())
}
