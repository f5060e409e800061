//! Customers and users for members' lists, in the store.

use super::{ListedCustomer, ListedUser, Place};
use crate::{
    concepts::customers::{CustomerRow, ProjectUserRow, properties::Properties},
    ground::{
        error::Result,
        paging::Side,
        store::{
            Conn,
            rows::{columns, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{CustomerId, ProjectId, ProjectUserId, RoleId};
use inlay_query::{Holder, PropertyPath};
use serde_json::Value;
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

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
        role_id: Option<RoleId>,
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

const CUSTOMERS: &str = sql!(
    "SELECT ",
    columns!(ListedCustomerRow as c),
    ", (SELECT COUNT(*) FROM project_users u WHERE u.customer_id = c.id) AS users FROM customers c "
);

impl From<CountedCustomer> for ListedCustomer {
    fn from(CountedCustomer { customer, users }: CountedCustomer) -> Self {
        let ListedCustomerRow { id, external_id, name, created_at } = customer;
        Self { id, external_id, name, users, created_at }
    }
}

/// The customers of a project, by name.
pub async fn customers(conn: &mut Conn<'_>, project: ProjectId, most: i64) -> Result<Vec<ListedCustomer>> {
    const SQL: &str = sql!(CUSTOMERS, "WHERE c.project_id = $1 ORDER BY c.name, c.id LIMIT $2");
    let rows = on!(conn, |c| sqlx::query_as::<_, CountedCustomer>(SQL).bind(project).bind(most).fetch_all(c).await)?;
    Ok(rows.into_iter().map(ListedCustomer::from).collect())
}

/// The begin of a list, where no place is named.
fn place_of(side: Option<&Side<Place>>) -> (bool, Place) {
    match side {
        None => (false, (String::new(), Uuid::nil())),
        Some(Side::After(place)) => (false, place.clone()),
        Some(Side::Before(place)) => (true, place.clone()),
    }
}

/// Customers on one side of a place, by name.
pub async fn customers_beside(
    conn: &mut Conn<'_>,
    project: ProjectId,
    side: Option<&Side<Place>>,
    most: i64,
) -> Result<Vec<ListedCustomer>> {
    const AFTER: &str = sql!(CUSTOMERS, "WHERE c.project_id = $1 AND (c.name, c.id) > ($3, $4) ORDER BY c.name, c.id LIMIT $2");
    const BEFORE: &str =
        sql!(CUSTOMERS, "WHERE c.project_id = $1 AND (c.name, c.id) < ($3, $4) ORDER BY c.name DESC, c.id DESC LIMIT $2");
    let (backwards, (name, id)) = place_of(side);
    let sql = if backwards { BEFORE } else { AFTER };
    let mut rows = on!(conn, |c| {
        let query = sqlx::query_as::<_, CountedCustomer>(sql).bind(project).bind(most);
        query.bind(&name).bind(id).fetch_all(c).await
    })?;
    if backwards {
        rows.reverse();
    }
    Ok(rows.into_iter().map(ListedCustomer::from).collect())
}

/// Whether a project has more customers or users than a search for parts of names reads.
pub async fn has_beyond(conn: &mut Conn<'_>, project: ProjectId, read: i64) -> Result<bool> {
    const SQL: &str = "SELECT CASE WHEN EXISTS (SELECT 1 FROM customers WHERE project_id = $1 ORDER BY name, id LIMIT 1 OFFSET $2) \
        OR EXISTS (SELECT 1 FROM project_users WHERE project_id = $1 ORDER BY updated_at DESC, id DESC LIMIT 1 OFFSET $2) THEN 1 ELSE 0 END";
    let found: i32 = on!(conn, |c| sqlx::query_scalar(SQL).bind(project).bind(read).fetch_one(c).await)?;
    Ok(found == 1)
}

/// The rows of a project whose name or external id begins with a text (from $2 to $3, by index), and those among its first or
/// newest that contain it ($4).
macro_rules! holding {
    ($table:literal, $order:literal, $collate:literal) => {
        concat!(
            "IN (SELECT id FROM (SELECT id FROM ",
            $table,
            " WHERE project_id = $1 AND LOWER(name)",
            $collate,
            " >= $2 AND LOWER(name)",
            $collate,
            " < $3 LIMIT $5) names UNION SELECT id FROM (SELECT id FROM ",
            $table,
            " WHERE project_id = $1 AND LOWER(external_id)",
            $collate,
            " >= $2 AND LOWER(external_id)",
            $collate,
            " < $3 LIMIT $5) ids UNION SELECT id FROM (SELECT id, name, external_id FROM ",
            $table,
            " WHERE project_id = $1 ORDER BY ",
            $order,
            " LIMIT 10000) known WHERE LOWER(name) LIKE $4 OR LOWER(external_id) LIKE $4)"
        )
    };
}

/// The same for SQLite, whose texts are compared byte by byte, and for PostgreSQL, which is told to.
macro_rules! on_either {
    ($before:expr, $table:literal, $order:literal, $after:literal) => {
        [sql!($before, holding!($table, $order, ""), $after), sql!($before, holding!($table, $order, " COLLATE \"C\""), $after)]
    };
}

const fn of_store(conn: &Conn<'_>, [sqlite, postgres]: [&'static str; 2]) -> &'static str {
    if matches!(conn, Conn::Sqlite(_)) { sqlite } else { postgres }
}

/// A text to look for.
struct Sought {
    from: String,
    to: String,
    pattern: String,
}

impl Sought {
    fn of(text: &str) -> Self {
        let from = text.trim().to_lowercase();
        let pattern = format!("%{}%", from.replace(['%', '_', '\\'], ""));
        Self { to: format!("{from}{}", char::MAX), from, pattern }
    }
}

/// The customers of a project whose name or external id contains a text, by name. In a project of more than 10,000, those
/// further back are found by the beginning of either.
pub async fn customers_named(conn: &mut Conn<'_>, project: ProjectId, text: &str, most: i64) -> Result<Vec<ListedCustomer>> {
    const SQL: [&str; 2] =
        on_either!(sql!(CUSTOMERS, "WHERE c.id "), "customers", "name, id", " ORDER BY c.name, c.id LIMIT $5");
    let (sql, Sought { from, to, pattern }) = (of_store(conn, SQL), Sought::of(text));
    let rows = on!(conn, |c| {
        let query = sqlx::query_as::<_, CountedCustomer>(sql).bind(project).bind(&from).bind(&to);
        query.bind(&pattern).bind(most).fetch_all(c).await
    })?;
    Ok(rows.into_iter().map(ListedCustomer::from).collect())
}

impl From<FoundUser> for ListedUser {
    fn from(FoundUser { user, customer, role }: FoundUser) -> Self {
        let ListedUserRow { id, external_id, name, role_id, updated_at, seen_at } = user;
        Self { id, external_id, name, customer, role_id, role, updated_at, seen_at }
    }
}

const USERS: &str = sql!(
    "SELECT ",
    columns!(ListedUserRow as u),
    ", c.name AS customer, r.name AS role FROM project_users u \
    LEFT JOIN customers c ON c.id = u.customer_id LEFT JOIN roles r ON r.id = u.role_id"
);

/// Whose users a list by name has.
#[derive(Clone, Copy, Debug)]
pub enum Of {
    /// A customer's.
    Customer(CustomerId),
    /// Those with a role.
    Role(RoleId),
}

/// The users with a value in this column behind a place, and before it.
macro_rules! beside {
    ($column:literal) => {
        [
            sql!(USERS, " WHERE ", $column, " = $1 AND (u.name, u.id) > ($3, $4) ORDER BY u.name, u.id LIMIT $2"),
            sql!(USERS, " WHERE ", $column, " = $1 AND (u.name, u.id) < ($3, $4) ORDER BY u.name DESC, u.id DESC LIMIT $2"),
        ]
    };
}

/// The users of a customer, or with a role, on one side of a place, by name.
pub async fn users_beside(conn: &mut Conn<'_>, of: Of, side: Option<&Side<Place>>, most: i64) -> Result<Vec<ListedUser>> {
    const OF_CUSTOMER: [&str; 2] = beside!("u.customer_id");
    const OF_ROLE: [&str; 2] = beside!("u.role_id");
    let ([after, before], of) = match of {
        Of::Customer(customer) => (OF_CUSTOMER, customer.0),
        Of::Role(role) => (OF_ROLE, role.0),
    };
    let (backwards, (name, id)) = place_of(side);
    let sql = if backwards { before } else { after };
    let mut rows = on!(conn, |c| {
        let query = sqlx::query_as::<_, FoundUser>(sql).bind(of).bind(most);
        query.bind(&name).bind(id).fetch_all(c).await
    })?;
    if backwards {
        rows.reverse();
    }
    Ok(rows.into_iter().map(ListedUser::from).collect())
}

/// The users with a role whose name or external id contains a text, newest first. Of more than 10,000, the first by name are read.
pub async fn users_with_role_named(conn: &mut Conn<'_>, role: RoleId, text: &str, most: i64) -> Result<Vec<ListedUser>> {
    const SQL: &str = sql!(
        USERS,
        " WHERE u.id IN (SELECT id FROM (SELECT id, name, external_id FROM project_users WHERE role_id = $1 \
        ORDER BY name, id LIMIT 10000) known WHERE LOWER(name) LIKE $2 OR LOWER(external_id) LIKE $2) \
        ORDER BY u.updated_at DESC, u.id DESC LIMIT $3"
    );
    let Sought { pattern, .. } = Sought::of(text);
    let rows = on!(conn, |c| {
        let query = sqlx::query_as::<_, FoundUser>(SQL).bind(role).bind(&pattern).bind(most);
        query.fetch_all(c).await
    })?;
    Ok(rows.into_iter().map(ListedUser::from).collect())
}

/// The users of a project, most recently changed first.
pub async fn newest_users(conn: &mut Conn<'_>, project: ProjectId, most: i64) -> Result<Vec<ListedUser>> {
    const SQL: &str = sql!(USERS, " WHERE u.project_id = $1 ORDER BY u.updated_at DESC, u.id DESC LIMIT $2");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundUser>(SQL).bind(project).bind(most).fetch_all(c).await)?;
    Ok(rows.into_iter().map(ListedUser::from).collect())
}

/// The users of a project, or of one customer, whose name or external id contains a text, newest first. Where there are more
/// than 10,000, older ones of a project are found by the beginning of either.
pub async fn users_named(
    conn: &mut Conn<'_>,
    project: ProjectId,
    customer: Option<CustomerId>,
    text: &str,
    most: i64,
) -> Result<Vec<ListedUser>> {
    const ALL: [&str; 2] = on_either!(
        sql!(USERS, " WHERE u.id "),
        "project_users",
        "updated_at DESC, id DESC",
        " ORDER BY u.updated_at DESC, u.id DESC LIMIT $5"
    );
    const OF_ONE: &str = sql!(
        USERS,
        " WHERE u.id IN (SELECT id FROM (SELECT id, name, external_id FROM project_users WHERE customer_id = $4 AND project_id = $1 \
        ORDER BY name, id LIMIT 10000) known WHERE LOWER(name) LIKE $2 OR LOWER(external_id) LIKE $2) \
        ORDER BY u.updated_at DESC, u.id DESC LIMIT $3"
    );
    let (sql, Sought { from, to, pattern }) = (of_store(conn, ALL), Sought::of(text));
    let rows = match customer {
        None => {
            on!(conn, |c| {
                let query = sqlx::query_as::<_, FoundUser>(sql).bind(project).bind(&from).bind(&to);
                query.bind(&pattern).bind(most).fetch_all(c).await
            })
        }
        Some(id) => {
            on!(conn, |c| {
                let query = sqlx::query_as::<_, FoundUser>(OF_ONE).bind(project).bind(&pattern).bind(most);
                query.bind(id).fetch_all(c).await
            })
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

/// The properties of the first customers of a project by name, or of its most recently changed users.
pub async fn some_properties(conn: &mut Conn<'_>, project: ProjectId, holder: Holder, most: i64) -> Result<Vec<Properties>> {
    const OF_CUSTOMERS: &str = "SELECT properties FROM customers WHERE project_id = $1 ORDER BY name, id LIMIT $2";
    const OF_USERS: &str =
        "SELECT properties FROM project_users WHERE project_id = $1 ORDER BY updated_at DESC, id DESC LIMIT $2";
    let sql = match holder {
        Holder::Organization => OF_CUSTOMERS,
        Holder::User => OF_USERS,
    };
    let rows: Vec<Json<Properties>> = on!(conn, |c| sqlx::query_scalar(sql).bind(project).bind(most).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|Json(properties)| properties).collect())
}

/// Whether any of the first 10,000 customers of a project by name, or of its most recently changed users, has a property.
pub async fn has_property(conn: &mut Conn<'_>, project: ProjectId, path: &PropertyPath) -> Result<bool> {
    const OF_CUSTOMERS: &str = "SELECT CASE WHEN EXISTS (SELECT 1 FROM (SELECT CAST(properties AS TEXT) AS held FROM customers \
        WHERE project_id = $1 ORDER BY name, id LIMIT 10000) known WHERE held <> REPLACE(held, $2, '')) THEN 1 ELSE 0 END";
    const OF_USERS: &str = "SELECT CASE WHEN EXISTS (SELECT 1 FROM (SELECT CAST(properties AS TEXT) AS held FROM project_users \
        WHERE project_id = $1 ORDER BY updated_at DESC, id DESC LIMIT 10000) known WHERE held <> REPLACE(held, $2, '')) THEN 1 ELSE 0 END";
    let sql = match path.holder {
        Holder::Organization => OF_CUSTOMERS,
        Holder::User => OF_USERS,
    };
    // As both stores write a key. Quotes within a text are escaped, so that no value looks like one.
    let key = Value::from(path.key.as_str()).to_string();
    let written = format!("{key}:");
    let found: i32 = on!(conn, |c| sqlx::query_scalar(sql).bind(project).bind(&written).fetch_one(c).await)?;
    Ok(found == 1)
}
