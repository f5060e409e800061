//! The migration of an organization from v1 to v2.

use super::{
    answer::Page,
    submission::{Submission, with_status},
    visit::Visit,
};
use crate::{
    error::{Kind, Result},
    migration::{self, store},
    organizations::{
        members::{Admin, Reads},
        store as organizations,
    },
    web::respond::status,
};
use inlay_console::{
    Section,
    pages::migration::{MigrationPage, show as view},
};

/// `GET /console/organizations/{organization}/migration`
pub async fn show(visit: Visit) -> Page {
    draw(&visit, None).await
}

async fn draw<R: Reads>(visit: &Visit<R>, refused: Option<String>) -> Page {
    let page = page(visit, refused).await?;
    visit.page("Migration", Section::Migration, || view(&page)).await
}

async fn page<R: Reads>(visit: &Visit<R>, refused: Option<String>) -> Result<MigrationPage> {
    let organization = visit.member.organization;
    let mut lease = visit.app().db.read().await?;
    let conn = &mut lease.conn();
    let counts = store::counts(conn, organization).await?;
    let finalized = organizations::find(conn, organization).await?.migration_finalized;
    Ok(MigrationPage {
        organization: organization.to_string(),
        counts: vec![
            ("Tenants", counts.tenants),
            ("Without a project user", counts.unmapped_tenants),
            ("Customers", counts.customers),
            ("Project users", counts.project_users),
            ("Dashboards", counts.dashboards),
            ("Of tenants alone", counts.tenant_dashboards),
            ("In users' spaces", counts.user_dashboards),
            ("Charts", counts.charts),
        ],
        tenants: counts.tenants,
        unmapped: counts.unmapped_tenants,
        finalized,
        refused,
        administers: visit.is::<Admin>(),
    })
}

/// `POST …/migration/users`
pub async fn map_users(Submission { visit, .. }: Submission<Visit<Admin>>) -> Page {
    let step = migration::map_tenants(&visit.app().db, &visit.member.actor()).await?;
    let told = format!("{} tenants became users, {} dashboards moved to them.", step.mapped_tenants, step.moved_dashboards);
    Ok(visit.done(&visit.at("migration"), &told))
}

/// `POST …/migration/finalize`
pub async fn finalize(Submission { visit, .. }: Submission<Visit<Admin>>) -> Page {
    match migration::finalize(&visit.app().db, &visit.member.actor()).await {
        Ok(_) => {
            visit.app().refresh().await?;
            Ok(visit.done(&visit.at("migration"), "The migration is finalized."))
        }
        Err(problem) if problem.kind == Kind::Conflict => {
            let code = status(problem.kind);
            Ok(with_status(draw(&visit, Some(problem.message)).await?, code))
        }
        Err(problem) => Err(problem.into()),
    }
}
