//! The migration of an organization from v1 to v2.

use super::{
    answer::Page,
    submission::{Submission, with_status},
    visit::Visit,
};
use crate::{
    concepts::organizations::members::{Admin, Reads},
    flows::v1_migration::{
        self, Step,
        calls::LastCall,
        tenants::{self as listed, Left, ListedTenant},
    },
    ground::{
        error::{Kind, Result},
        time::Timestamp,
        web::respond::status,
    },
};
use inlay_console::{
    Section,
    pages::migration::{self as views, CallRow, Listing, MigrationPage, RoleState, TenantRow, WithoutRow},
    ui::parts::counted,
};
use serde_json::Value;
use std::time::Duration;

/// Tenants per page.
const SHOWN: i64 = 50;
/// The last page that is shown. Further tenants need a narrower search.
const LAST_PAGE: i64 = 10_000;
/// The maximum number of v1 callers that are shown.
const MOST_CALLERS: i64 = 50;
/// How long a v1 call counts as recent.
const RECENT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// `GET /console/organizations/{organization}/migration`
pub async fn show(visit: Visit) -> Page {
    draw(&visit, None).await
}

async fn draw<R: Reads>(visit: &Visit<R>, refused: Option<String>) -> Page {
    let page = page(visit, refused).await?;
    visit.page("Migration", Section::Migration, || views::show(&page)).await
}

async fn page<R: Reads>(visit: &Visit<R>, refused: Option<String>) -> Result<MigrationPage> {
    let organization = visit.member.organization;
    let (counts, finalized) = {
        let mut lease = visit.app().db.read().await?;
        let conn = &mut lease.conn();
        (
            v1_migration::counts(conn, organization).await?,
            crate::concepts::organizations::find(conn, organization).await?.migration_finalized,
        )
    };
    let without = listed::without_role(visit.app(), &visit.member).await?;
    let calls = listed::last_calls(visit.app(), &visit.member, MOST_CALLERS).await?;
    Ok(MigrationPage {
        organization: organization.to_string(),
        counts: vec![
            ("Tenants", counts.tenants),
            ("Without a project user", counts.unmapped_tenants),
            ("Customers", counts.customers),
            ("Project users", counts.project_users),
            ("Dashboards", counts.dashboards),
            ("Of tenants without a user", counts.tenant_dashboards),
            ("In users' spaces", counts.user_dashboards),
            ("Charts", counts.charts),
        ],
        tenants: counts.tenants,
        unmapped: counts.unmapped_tenants,
        without: without
            .into_iter()
            .map(|one| WithoutRow { lost: one.lost.iter().map(|flag| flag.name().to_owned()).collect(), tenants: one.tenants })
            .collect(),
        calls: calls.into_iter().map(call).collect(),
        listing: listing(visit).await?,
        finalized,
        refused,
        administers: visit.is::<Admin>(),
    })
}

fn call(last: LastCall) -> CallRow {
    let recent = Timestamp::now().0.saturating_sub(last.at.0) < i64::try_from(RECENT.as_millis()).unwrap_or(i64::MAX);
    let writes = last.writes();
    let who = match (last.kind.as_str(), last.name) {
        ("tenant", _) => "Tenants' pages".to_owned(),
        ("projectUser", _) => "Users' pages".to_owned(),
        ("apiKey", Some(name)) => format!("API key {name}"),
        ("apiKey", None) => "An API key without a name".to_owned(),
        (_, Some(name)) => name,
        (kind, None) => kind.to_owned(),
    };
    CallRow { who, call: last.call, at: last.at.to_string(), recent, writes }
}

async fn listing<R: Reads>(visit: &Visit<R>) -> Result<Listing> {
    let search = visit.person.query("q").trim().to_owned();
    let left = match visit.person.query("left") {
        "user" => Left::User,
        "role" => Left::Role,
        _ => Left::Any,
    };
    let page = visit.person.query("page").parse::<i64>().unwrap_or(1).clamp(1, LAST_PAGE);
    let part = ((page - 1) * SHOWN, SHOWN + 1);
    let mut rows: Vec<_> =
        listed::list(visit.app(), &visit.member, &search, left, part).await?.into_iter().map(tenant).collect();
    let shown = usize::try_from(SHOWN).unwrap_or_default();
    let more = rows.len() > shown && page < LAST_PAGE;
    rows.truncate(shown);
    Ok(Listing { rows, search, left: visit.person.query("left").to_owned(), page, more })
}

fn tenant(one: ListedTenant) -> TenantRow {
    let at = |part: &str, id: &dyn std::fmt::Display| format!("/console/projects/{}/{part}/{id}", one.project);
    let value = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let lost = listed::lost_without_role(&one.permissions);
    TenantRow {
        prefilters: one.prefilters.iter().map(|(key, filter)| (key.clone(), value(filter))).collect(),
        customer: one.customer.as_ref().map(|(id, name)| (at("customers", id), name.clone())),
        user: one.user.as_ref().map(|(id, name)| (at("users", id), name.clone())),
        role: match &one.role {
            Some((id, name)) => RoleState::Given(at("roles", id), name.clone()),
            None if lost.is_empty() => RoleState::NotNeeded,
            None => RoleState::Missing(lost.iter().map(|flag| flag.name().to_owned()).collect()),
        },
        dashboards: one.dashboards,
        name: one.name,
        key: one.key,
    }
}

/// `POST …/migration/users`
pub async fn map_users(Submission { visit, .. }: Submission<Visit<Admin>>) -> Page {
    let step = v1_migration::map_tenants(&visit.app().db, &visit.member.actor()).await?;
    Ok(visit.done(&visit.at("migration"), &told(&step)))
}

/// The result of creating project users, in words.
fn told(step: &Step) -> String {
    let tenants = i64::try_from(step.mapped_tenants).unwrap_or(i64::MAX);
    let dashboards = i64::try_from(step.moved_dashboards).unwrap_or(i64::MAX);
    if tenants == 0 && dashboards == 0 {
        return "Every tenant already had a project user.".to_owned();
    }
    let became = if tenants == 1 { "1 tenant became a user".to_owned() } else { format!("{tenants} tenants became users") };
    let whose = if tenants == 1 { "theirs" } else { "their users'" };
    format!("{became}, and {} became {whose}.", counted(dashboards, "dashboard"))
}

/// `POST …/migration/finalize`
pub async fn finalize(Submission { visit, .. }: Submission<Visit<Admin>>) -> Page {
    match v1_migration::finalize(&visit.app().db, &visit.member.actor()).await {
        Ok(_) => {
            visit.app().refresh().await?;
            Ok(visit.done(&visit.at("migration"), "The migration is finalized."))
        }
        Err(problem) if problem.kind() == Kind::Conflict => {
            let code = status(problem.code);
            Ok(with_status(draw(&visit, Some(problem.message)).await?, code))
        }
        Err(problem) => Err(problem.into()),
    }
}
