//! A customer with one of its users: all that a repeated sign-in reads.

use super::CustomerRow;
use crate::{
    concepts::customers::{Customer, ProjectUser, properties::Properties},
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{columns, sql},
            version,
        },
        time::Timestamp,
    },
};
use inlay_contract::ids::{ProjectId, ProjectUserId, RoleId};
use sqlx::{FromRow, types::Json};

/// A customer with one of its users.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The customer.
    pub customer: Customer,
    /// The user, if the customer has one with this id.
    pub user: Option<ProjectUser>,
    /// The configuration's version when they were read.
    pub version: i64,
}

/// A pair that a sign-in names, by the host's own ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sought {
    /// The project.
    pub project: ProjectId,
    /// The customer.
    pub customer: String,
    /// The user.
    pub user: String,
}

#[derive(FromRow)]
struct FoundPair {
    #[sqlx(flatten)]
    customer: CustomerRow,
    user_id: Option<ProjectUserId>,
    user_name: Option<String>,
    user_properties: Option<Json<Properties>>,
    user_role: Option<RoleId>,
    user_created_at: Option<Timestamp>,
    user_updated_at: Option<Timestamp>,
    configuration: i64,
}

/// One of several pairs, by its place in the question.
#[derive(FromRow)]
struct PlacedPair {
    place: i64,
    #[sqlx(flatten)]
    pair: FoundPair,
}

impl FoundPair {
    /// The customer, and its user if the row has one.
    fn apart(self, external_id: String) -> Pair {
        let version = self.configuration;
        let (project, customer) = (self.customer.project_id, Customer::from(self.customer));
        let user = || {
            Some(ProjectUser {
                id: self.user_id?,
                external_id,
                name: self.user_name?,
                properties: self.user_properties?.0,
                user_role_id: self.user_role,
                project_organization_id: Some(customer.id),
                created_at: self.user_created_at?,
                updated_at: self.user_updated_at?,
                project,
            })
        };
        let user = user();
        Pair { customer, user, version }
    }
}

const COLUMNS: &str = sql!(
    columns!(CustomerRow as c),
    ", u.id AS user_id, u.name AS user_name, u.properties AS user_properties, u.role_id AS user_role, \
    u.created_at AS user_created_at, u.updated_at AS user_updated_at, ",
    version::NUMBER,
    " AS configuration"
);

/// A pair, in one query.
pub async fn find_pair(conn: &mut Conn<'_>, sought: &Sought) -> Result<Option<Pair>> {
    const SQL: &str = sql!(
        "SELECT ",
        COLUMNS,
        " FROM customers c LEFT JOIN project_users u ON u.customer_id = c.id AND u.external_id = $3 \
        WHERE c.project_id = $1 AND c.external_id = $2"
    );
    let found = crate::on!(conn, |c| {
        let query = sqlx::query_as::<_, FoundPair>(SQL).bind(sought.project).bind(&sought.customer).bind(&sought.user);
        query.fetch_optional(c).await
    })?;
    Ok(found.map(|pair| pair.apart(sought.user.clone())))
}

/// Several pairs in one query, each where it was asked for. In the embedded store: one query after the other.
pub async fn find_pairs(conn: &mut Conn<'_>, sought: &[Sought]) -> Result<Vec<Option<Pair>>> {
    const SQL: &str = sql!(
        "SELECT q.place, ",
        COLUMNS,
        " FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS q (project, customer, person, place) \
        JOIN customers c ON c.project_id = q.project AND c.external_id = q.customer \
        LEFT JOIN project_users u ON u.customer_id = c.id AND u.external_id = q.person"
    );
    let mut found = vec![None; sought.len()];
    let Conn::Postgres(served) = conn else {
        for (one, sought) in found.iter_mut().zip(sought) {
            *one = find_pair(conn, sought).await?;
        }
        return Ok(found);
    };
    let projects: Vec<_> = sought.iter().map(|one| one.project.0).collect();
    let customers: Vec<_> = sought.iter().map(|one| one.customer.as_str()).collect();
    let users: Vec<_> = sought.iter().map(|one| one.user.as_str()).collect();
    let query = sqlx::query_as::<_, PlacedPair>(SQL).bind(projects).bind(customers).bind(users);
    let rows = served.limit().keep(query.fetch_all(&mut *served.connection)).await?;
    for PlacedPair { place, pair } in rows {
        let place = usize::try_from(place - 1).unwrap_or(usize::MAX);
        if let (Some(one), Some(asked)) = (found.get_mut(place), sought.get(place)) {
            *one = Some(pair.apart(asked.user.clone()));
        }
    }
    Ok(found)
}
