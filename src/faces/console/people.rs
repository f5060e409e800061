//! Customers and users of a project.

use super::{
    answer::Page,
    submission::{Submission, with_status},
    turning,
    visit::Visit,
};
use crate::{
    concepts::{
        customers::{ProjectUser, users::Change},
        organizations::members::{Reads, Worker},
        roles,
        tokens::Issued,
    },
    flows::{
        management::people::{self, ListedCustomer, ListedUser, SEARCHED},
        registration,
    },
    ground::{
        error::{Error, Result},
        web::Answer,
    },
};
use axum::response::{IntoResponse, Response};
use inlay_console::{
    Draft, Section,
    pages::people::{self as views, CustomerPage, CustomerRow, Embed, ListPage, UserPage, UserRow, Viewing},
    ui::parts::Turns,
};
use inlay_contract::field::Field;
use serde_json::{Map, Value, json};

/// The maximum number of rows that a search finds, and of users in a choice.
pub(super) const MOST: i64 = 200;
/// Rows per page.
pub(super) const SHOWN: i64 = 100;
/// The customers of a project in cursors.
const CUSTOMERS: &str = "customers";
/// The users of a customer in cursors.
const USERS: &str = "customer users";

/// `GET /console/projects/{project}/customers`: the customers page by page, or the customers and users that match a search.
pub async fn list(visit: Visit) -> Page {
    let search = visit.person.query("q").trim().to_owned();
    let row = |one: ListedCustomer| CustomerRow {
        id: one.id.to_string(),
        external_id: one.external_id,
        name: one.name,
        users: one.users,
        created_at: one.created_at.to_string(),
    };
    let (app, project) = (visit.app(), visit.project()?.id);
    let by = &visit.member;
    let (mut turns, mut users, mut searched) = (Turns::default(), Vec::new(), None);
    let customers = if search.is_empty() {
        let side = turning::side(&visit, CUSTOMERS)?;
        let mut found = people::list(app, by, project, side.as_ref(), SHOWN + 1).await?;
        turns = turning::turns(&visit, CUSTOMERS, side.as_ref(), &mut found, SHOWN, |one| (one.name.clone(), one.id.0))?;
        found
    } else {
        users = people::search_users(app, by, project, None, &search, MOST).await?;
        searched = people::has_beyond(app, by, project, SEARCHED).await?.then_some(SEARCHED);
        people::search(app, by, project, &search, MOST).await?
    };
    let page = ListPage {
        project: project.to_string(),
        search,
        customers: customers.into_iter().map(row).collect(),
        users: users.into_iter().map(user_row).collect(),
        most: usize::try_from(MOST).unwrap_or_default(),
        turns,
        searched,
    };
    visit.page("Customers", Section::Customers, || views::list(&page)).await
}

/// A user in a list.
pub(super) fn user_row(one: ListedUser) -> UserRow {
    UserRow {
        id: one.id.to_string(),
        external_id: one.external_id,
        name: one.name,
        customer: one.customer,
        role: one.role,
        seen_at: one.seen_at.map(|at| at.to_string()),
    }
}

fn shown(properties: Map<String, Value>) -> String {
    serde_json::to_string_pretty(&Value::Object(properties)).unwrap_or_default()
}

/// `GET …/customers/{customer}`
pub async fn customer(visit: Visit) -> Page {
    let (app, project) = (visit.app(), visit.project()?.id);
    let customer = people::customer(app, &visit.member, project, visit.person.id("customer")?).await?;
    let side = turning::side(&visit, USERS)?;
    let mut users = people::of_customer(app, &visit.member, project, customer.id, side.as_ref(), SHOWN + 1).await?;
    let turns = turning::turns(&visit, USERS, side.as_ref(), &mut users, SHOWN, |one| (one.name.clone(), one.id.0))?;
    let page = CustomerPage {
        project: project.to_string(),
        id: customer.id.to_string(),
        external_id: customer.external_id,
        name: customer.name,
        properties: shown(customer.properties),
        users: users.into_iter().map(user_row).collect(),
        turns,
        may_change: visit.is::<Worker>(),
    };
    visit.page(&page.name, Section::Customers, || views::customer(&page)).await
}

/// `POST …/customers/{customer}/revoke`
pub async fn revoke_customer(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let id = visit.person.id("customer")?;
    people::revoke_customer(visit.app(), &visit.member, visit.project()?.id, id).await?;
    Ok(visit.done(&visit.at(&format!("customers/{id}")), "Tokens revoked."))
}

async fn found<R: Reads>(visit: &Visit<R>) -> Result<ProjectUser> {
    people::user(visit.app(), &visit.member, visit.project()?.id, visit.person.id("user")?).await
}

/// `GET …/users/{user}`
pub async fn user(visit: Visit) -> Page {
    let user = found(&visit).await?;
    let role = role_of(&user);
    draw(&visit, user, Draft::of([("role", role.clone())]).with("seen", super::seen(&role))).await
}

/// The id of a user's role; empty without one.
fn role_of(user: &ProjectUser) -> String {
    user.user_role_id.map(|id| id.to_string()).unwrap_or_default()
}

async fn draw<R: Reads>(visit: &Visit<R>, user: ProjectUser, draft: Draft) -> Page {
    let (app, project) = (visit.app(), visit.project()?.id);
    let customer = match user.project_organization_id {
        Some(id) => Some(people::customer(app, &visit.member, project, id).await?),
        None => None,
    };
    let roles = roles::list(app, project).await?;
    let page = UserPage {
        project: project.to_string(),
        id: user.id.to_string(),
        external_id: user.external_id,
        name: user.name,
        customer: customer.map(|customer| (customer.id.to_string(), customer.name)),
        properties: shown(user.properties),
        roles: roles.into_iter().map(|role| (role.id.to_string(), role.name)).collect(),
        created_at: user.created_at.to_string(),
        updated_at: user.updated_at.to_string(),
        seen_at: people::seen_at(app, &visit.member, project, user.id).await?.map(|at| at.to_string()),
        may_change: visit.is::<Worker>(),
    };
    visit.page(&page.name, Section::Customers, || views::user(&page, &draft)).await
}

/// `POST …/users/{user}`
pub async fn change_user(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let user = found(&visit).await?;
    let now = super::seen(&role_of(&user));
    let changed = async {
        super::unchanged(typed.get("seen"), &now)?;
        let role = match typed.given("role") {
            None => Field::Null,
            Some(id) => Field::Value(id.parse().map_err(|_| Error::invalid("role", "is not a role of this project"))?),
        };
        let change = Change { role, ..Change::default() };
        registration::users::change(visit.app(), &visit.member.actor(), user.project, user.id, &change).await
    };
    match changed.await {
        Ok(_) => Ok(visit.done(&visit.at(&format!("users/{}", user.id)), "Saved.")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw(&visit, user, draft.with("seen", now)).await?, status))
        }
    }
}

/// `POST …/users/{user}/revoke`
pub async fn revoke_user(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let id = visit.person.id("user")?;
    people::revoke_user(visit.app(), &visit.member, visit.project()?.id, id).await?;
    Ok(visit.done(&visit.at(&format!("users/{id}")), "Tokens revoked."))
}

/// `GET …/users/{user}/view`: a frame that shows what the user sees. [`token`] issues its token.
pub async fn view(visit: Visit<Worker>) -> Page {
    let user = found(&visit).await?;
    let app = visit.app();
    let embed = |(path, name): (String, String)| Embed { address: format!("{}{path}", app.embed_url), name };
    let embeds = super::embed::embeddable(&visit).await?.into_iter().map(embed).collect();
    let page = Viewing {
        project: user.project.to_string(),
        user: user.id.to_string(),
        name: user.name,
        embeds,
        origin: super::origin_of(&app.base_url),
    };
    let frames = super::origin_of(&app.embed_url);
    visit.framing(&page.name, Section::Customers, &frames, || views::viewing(&page)).await
}

/// `POST …/users/{user}/token`: issues a marked token for the frame, valid for five minutes, with the form's role if it names one.
pub async fn token(Submission { visit, typed }: Submission<Visit<Worker>>) -> Result<Response, super::answer::Refused> {
    let id = visit.person.id("user")?;
    let role = typed.given("role").map(str::parse).transpose().map_err(|_| Error::not_found("Role"))?;
    let issued = people::view_with(visit.app(), &visit.member, visit.project()?.id, id, role).await?;
    Ok(token_answer(&issued))
}

/// A response with a frame's token, which no cache may store.
pub fn token_answer(issued: &Issued) -> Response {
    let answer = Answer(json!({ "token": issued.token, "expiresAt": issued.expires_at.to_string() }));
    ([(axum::http::header::CACHE_CONTROL, "no-store")], answer).into_response()
}

/// The newest users, for a choice of one: at most [`MOST`].
pub(super) async fn offered<R: Reads>(visit: &Visit<R>) -> Result<Vec<(String, String)>> {
    let users = people::newest(visit.app(), &visit.member, visit.project()?.id, MOST).await?;
    Ok(users.into_iter().map(named).collect())
}

/// A user as a choice: id, and name with the customer's name.
pub(super) fn named(user: ListedUser) -> (String, String) {
    let of = user.customer.map(|customer| format!(" · {customer}")).unwrap_or_default();
    (user.id.to_string(), format!("{}{of}", user.name))
}
