//! The playground: its users and parameters, and the reasons for failing charts.

use super::super::{
    answer::{self, Page, Refused},
    people::named,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::{
        access::Viewer,
        connections,
        customers::properties::Properties,
        organizations::members::{Reads, Worker},
    },
    faces::embeds::reasons::{self, Reasons},
    flows::{
        management::people::{self, ListedCustomer, ListedUser},
        sign_in::{self, IdentityInput, SignIn},
    },
    ground::{
        error::{Error, Result},
        web::Answer,
    },
};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use inlay_console::pages::embed::{
    failures::{self, Failing},
    playground::{Board, BoardFilter, FilterKind, Playground},
};
use inlay_contract::{
    field::Field,
    filter::Control,
    ids::{ApplicationId, ProjectUserId},
    lifetime::Lifetime,
};
use serde_json::{Value, json};
use std::time::Duration;

/// The maximum number of customers and of users that are suggested at once. A search finds the others.
const OFFERED: i64 = 50;
/// The maximum number of columns that are suggested for filters.
const COLUMNS_OFFERED: usize = 500;

/// How long the page waits for the sources to list their columns.
const SOURCES_TAKE: Duration = Duration::from_secs(1);

/// The choices of the playground for one page.
pub(super) async fn playground<R: Reads>(visit: &Visit<R>, chosen: &str) -> Result<Playground> {
    let (app, project) = (visit.app(), visit.project()?.id);
    let customers = people::search(app, &visit.member, project, "", OFFERED).await?;
    let users = people::newest(app, &visit.member, project, OFFERED).await?;
    let dashboards = match application_of(chosen) {
        Some(application) => boards(visit, application).await?,
        None => Vec::new(),
    };
    Ok(Playground {
        customers: customers.into_iter().map(|one| (one.id.to_string(), one.name)).collect(),
        users: users.into_iter().map(named).collect(),
        user: visit.person.query("user").to_owned(),
        dashboards,
        columns: columns(visit).await?,
    })
}

/// The application of a page's path.
fn application_of(path: &str) -> Option<ApplicationId> {
    path.strip_prefix("/share/application/")?.parse().ok()
}

/// An application's shared dashboards, the default first.
async fn boards<R: Reads>(visit: &Visit<R>, id: ApplicationId) -> Result<Vec<Board>> {
    let application = crate::flows::management::applications::find(visit.app(), &visit.member, visit.project()?.id, id).await?;
    let mut shared = crate::flows::shared_dashboards::list_dashboards(visit.app(), &visit.member, &application).await?;
    shared.sort_by_key(|dashboard| !dashboard.is_default_of(&application));
    let kind = |control| match control {
        Control::Select | Control::Text => FilterKind::Values,
        Control::DateRange => FilterKind::Days,
        Control::NumberRange => FilterKind::Numbers,
    };
    let board = |dashboard: crate::concepts::dashboards::Dashboard| Board {
        id: dashboard.id.to_string(),
        name: dashboard.name,
        filters: dashboard
            .filters
            .into_iter()
            .map(|filter| BoardFilter { kind: kind(filter.control), key: filter.key, label: filter.label })
            .collect(),
    };
    Ok(shared.into_iter().map(board).collect())
}

/// The columns that filters can name, from the sources that respond in time.
async fn columns<R: Reads>(visit: &Visit<R>) -> Result<Vec<String>> {
    tokio::time::timeout(SOURCES_TAKE, every_column(visit)).await.unwrap_or_else(|_| Ok(Vec::new()))
}

async fn every_column<R: Reads>(visit: &Visit<R>) -> Result<Vec<String>> {
    let (app, project) = (visit.app(), visit.project()?.id);
    let mut all = Vec::new();
    for source in crate::flows::management::connections::list(app, &visit.member, project).await? {
        let open = connections::open(app, source.id).await?;
        for table in &open.tables {
            let hidden = |name: &str| table.columns.get(name).is_some_and(|column| column.hidden);
            let found =
                crate::flows::management::catalog::columns(app, &open, &table.name).await.ok().flatten().unwrap_or_default();
            let seen = found.into_iter().filter(|column| !hidden(&column.name));
            all.extend(seen.map(|column| format!("{}.{}.{}", open.source.name, table.name, column.name)));
        }
        if all.len() > COLUMNS_OFFERED {
            break;
        }
    }
    all.truncate(COLUMNS_OFFERED);
    Ok(all)
}

/// `GET …/embed/people`: customers and users whose name or id contains the typed text.
pub async fn people(visit: Visit<Worker>) -> Result<Response, Refused> {
    let (app, project) = (visit.app(), visit.project()?.id);
    let customer = Some(visit.person.query("customer")).filter(|id| !id.is_empty());
    let customer =
        customer.map(str::parse).transpose().map_err(|_| Error::not_found("Customer").into()).map_err(Refused::for_script)?;
    let customers = people::search(app, &visit.member, project, visit.person.query("customers"), OFFERED).await?;
    let users = people::search_users(app, &visit.member, project, customer, visit.person.query("users"), OFFERED).await?;
    let listed = |one: ListedCustomer| json!({ "id": one.id.to_string(), "name": one.name });
    let user = |one: ListedUser| {
        let (id, name) = named(one);
        json!({ "id": id, "name": name })
    };
    let customers: Vec<Value> = customers.into_iter().map(listed).collect();
    let users: Vec<Value> = users.into_iter().map(user).collect();
    let answer = Answer(json!({ "customers": customers, "users": users }));
    Ok(([(header::CACHE_CONTROL, "no-store")], answer).into_response())
}

/// `POST …/embed/test-user`: creates a user for the playground before any host has signed one in.
pub async fn make_test_user(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let made = async {
        let request = request(&visit, &typed)?;
        let id = sign_in::try_out(visit.app(), &visit.member, request).await?;
        people::user(visit.app(), &visit.member, visit.project()?.id, id).await
    };
    let scripted = typed.ticked("scripted");
    match made.await {
        Ok(user) if scripted => {
            let name = format!("{} · {}", user.name, typed.get("customer"));
            Ok(Answer(json!({ "id": user.id.to_string(), "name": name })).into_response())
        }
        Ok(user) => {
            let embed = url::form_urlencoded::Serializer::new(String::new())
                .append_pair("embed", typed.get("embed"))
                .append_pair("user", &user.id.to_string())
                .finish();
            Ok(visit.done(&visit.at(&format!("embed?{embed}")), "Test user created."))
        }
        Err(problem) if scripted => Err(Refused::from(problem).for_script()),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(super::draw(&visit, draft).await?, status))
        }
    }
}

/// The sign-in request of a form. Empty properties are sent as null, which removes them.
fn request(visit: &Visit<Worker>, typed: &Typed) -> Result<SignIn> {
    let mut problems = crate::ground::problems::Problems::default();
    for field in ["customer", "user"] {
        problems.note(field, crate::ground::checks::is_name(typed.get(field)));
    }
    problems.finish()?;
    let role = match typed.given("role") {
        None => Field::Null,
        Some(id) => Field::Value(id.parse().map_err(|_| Error::invalid("role", "is not a role of this project"))?),
    };
    let named = |field: &str, holder: &str| IdentityInput {
        external_id: typed.get(field).to_owned(),
        name: Some(typed.get(field).to_owned()),
        properties: sent(typed, holder),
    };
    Ok(SignIn {
        project: visit.project()?.id,
        customer: named("customer", "organization."),
        user: named("user", "user."),
        role,
        default_role: None,
        lifetime: Lifetime::FiveMinutes,
    })
}

/// The properties of a form. Lists are read as JSON. Everything else is text, which takes the type of the column that it is compared with.
fn sent(typed: &Typed, holder: &str) -> Properties {
    let value = |text: &str| match serde_json::from_str(text) {
        Ok(Value::Array(list)) => Value::Array(list),
        _ if text.is_empty() => Value::Null,
        _ => Value::String(text.to_owned()),
    };
    let keys = typed.names().filter_map(|name| Some((name.strip_prefix(holder)?, name)));
    keys.map(|(key, name)| (key.to_owned(), value(typed.get(name)))).collect()
}

/// `POST …/embed/reasons`: why charts fail for a user.
pub async fn reasons(Submission { visit, typed }: Submission<Visit<Worker>>) -> Result<Response, Refused> {
    let (app, project) = (visit.app(), visit.project()?.id);
    let user: ProjectUserId = typed.get("user").parse().map_err(|_| Error::not_found("Project user"))?;
    let role = typed.given("role").map(str::parse).transpose().map_err(|_| Error::not_found("Role"))?;
    let issued = people::view_with(app, &visit.member, project, user, role).await?;
    let viewer = Viewer::by_token(app, &issued.token).await?;
    let found = reasons::find(app, viewer, typed.get("path"), typed.exact("search")).await?;
    let Reasons { dashboards, charts, failing } = found;
    let failing: Vec<Failing> = failing
        .into_iter()
        .map(|one| Failing {
            address: visit.at(&format!("applications/{}/dashboards/{}", one.application, one.dashboard)),
            dashboard: one.dashboard_name,
            chart: one.chart,
            code: one.code,
            reason: one.reason,
        })
        .collect();
    Ok(answer::piece(&visit.person.csrf, || failures::reasons(dashboards, charts, &failing))?)
}
