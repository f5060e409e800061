//! What is deleted with a project and what stays, on both stores.

mod rows;

use super::{deleted, look, remove};
use crate::{
    concepts::{
        language_models,
        organizations::members::{Admin, Member},
        projects,
        tokens::revocation::SubjectKind,
        usage::Usage,
    },
    ground::{
        error::{Code, Result},
        jobs::{self, JobKind, NewJob},
        state::App,
        store::{Db, seal::Sealer},
        time::Timestamp,
        web::origin::Origin,
    },
    on,
    testing::{self, ACME, GLOBEX, World, on_both_stores},
};
use axum::http::Method;
use inlay_contract::ids::{OrganizationId, ProjectId};
use rows::{Rows, fill, shown};
use serde_json::json;
use std::collections::BTreeSet;
use uuid::Uuid;

async fn admin(world: &World) -> Member<Admin> {
    Member::new(&world.membership(&world.key).await, Origin::default()).expect("an admin")
}

/// Creates a second project of the world's organization, like the first one.
async fn second(world: &World) -> ProjectId {
    let applied = world.apply(&World::project_file().replace("name: Shop,", "name: Second,")).await;
    applied.expect("applied").project_id
}

/// Adds jobs and revocations of a project, which refer to their objects only by id.
async fn follow(world: &World, project: ProjectId) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let conn = &mut tx.conn();
    let all = Rows::read(conn).await;
    let ids = all.ids_of(project);
    let first = |table: &str| {
        let own = all.with(table, &ids).into_iter().next().expect("a row");
        let id = own.iter().find(|cell| ids.contains(*cell)).expect("an id").clone();
        Uuid::try_parse(&id[1..]).expect("an id")
    };
    for (kind, table, queues) in [
        (JobKind::Report, "report_runs", "project_users"),
        (JobKind::Webhook, "webhook_deliveries", "webhooks"),
        (JobKind::Evaluation, "workspace_evaluations", "workspaces"),
        (JobKind::Isolation, "projects", "projects"),
        (JobKind::Keys, "projects", "projects"),
        (JobKind::Verified, "workspaces", "workspaces"),
    ] {
        let (subject, queue) = (first(table), first(queues));
        let job = NewJob { kind, subject, organization: world.organization, queue, due_at: Timestamp::now() };
        jobs::store::add(conn, &job).await.expect("a job");
    }
    let subjects = [
        (SubjectKind::Project, "projects"),
        (SubjectKind::Customer, "customers"),
        (SubjectKind::User, "project_users"),
        (SubjectKind::User, "tenants"),
    ];
    for (kind, table) in subjects {
        crate::concepts::tokens::cut_off(conn, kind, first(table), &[]).await.expect("cut off");
    }
    tx.commit().await.expect("committed");
}

async fn filled(world: &World, organization: OrganizationId, project: ProjectId) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    fill(&mut tx.conn(), organization, project).await;
    tx.commit().await.expect("committed");
    follow(world, project).await;
}

async fn read(db: &Db) -> Rows {
    Rows::read(&mut db.read().await.expect("a connection").conn()).await
}

/// Another node on the same store.
async fn node(world: &World) -> App {
    let app = &world.app;
    let sealer = Sealer::new("0123456789abcdef0123456789abcdef");
    let engine = crate::concepts::connections::engine(&app.settings, &app.db, &sealer);
    App::new(app.db.clone(), sealer, app.settings.clone(), engine, testing::renderer(), crate::faces::background::configured())
        .await
        .expect("the state")
}

on_both_stores! {
    async fn nothing_of_a_project_is_left_and_nothing_else_is_touched(world) {
        let project = world.applied.project_id;
        let kept = second(&world).await;
        let (elsewhere, _) = world.neighbour().await;
        let foreign = projects::by_id(&world.app, elsewhere.project_id).await.expect("read").expect("there").organization;
        for company in [ACME, GLOBEX] {
            world.sign_in_as(company, "ada", Some("Analyst")).await;
        }
        for (organization, project) in [(world.organization, project), (world.organization, kept), (foreign, elsewhere.project_id)] {
            filled(&world, organization, project).await;
        }
        let before = read(&world.app.db).await;
        let ids = before.ids_of(project);
        for table in before.of_projects() {
            assert!(!before.with(&table, &ids).is_empty(), "{table} has no row to go");
        }
        assert!(!before.with("jobs", &ids).is_empty() && !before.with("revocations", &ids).is_empty());
        assert!(before.ids_of(kept).is_disjoint(&ids) && before.ids_of(elsewhere.project_id).is_disjoint(&ids));

        remove(&world.app, &admin(&world).await, project, "Shop").await.expect("deleted");

        let after = read(&world.app.db).await;
        for table in after.tables.keys() {
            let left = after.with(table, &ids);
            match table.as_str() {
                "audit_events" => assert!(left.len() > before.with(table, &ids).len(), "the deletion is in the log"),
                _ => assert_eq!(left, Vec::<rows::Row>::new(), "{table} keeps rows of the project"),
            }
            match table.as_str() {
                "configuration_version" | "configuration_changes" | "evaluation_usage" => {}
                _ => assert_eq!(after.without(table, &ids), before.without(table, &ids), "{table} lost rows of others"),
            }
        }
        let organization = BTreeSet::from([shown(world.organization.0)]);
        assert!(!after.with("evaluation_usage", &organization).is_empty(), "what was taken counts to the organization's days");
    }

    async fn its_tokens_are_refused_at_once_and_it_is_found_nowhere(world) {
        let (project, other) = (world.applied.project_id, node(&world).await);
        let token = world.token(ACME).await;
        let path = world.chart_path("Orders");
        world.post(&path, &token, &json!({})).await.data();
        let known = projects::by_id(&other, project).await.expect("read");
        assert!(known.is_some(), "the other node remembers it");

        remove(&world.app, &admin(&world).await, project, "Shop").await.expect("deleted");

        world.post(&path, &token, &json!({})).await.refused(401, "TOKEN_REVOKED");
        world.post(&path, &world.key, &json!({})).await.refused(404, "NOT_FOUND");
        let body = world.sign_in_body(ACME, "viewer");
        world.post("/v1/api/projects/embed-token", &world.key, &body).await.refused(404, "PROJECT_NOT_FOUND");
        let webhooks = format!("/v2/api/projects/{project}/webhooks");
        assert_eq!(world.get(&webhooks, &world.key).await.status, 404);
        let page = format!("/share/application/{}?jwt={token}", world.applied.applications["Orders"].id);
        let opened = world.get(&page, "").await;
        assert!(opened.status == 401 && opened.text.contains("Invalid or missing token."), "{}", opened.text);

        // A node that has not noticed the deletion yet.
        let router = crate::faces::router::router(other.clone());
        let stale = |path: &str, credential: &str, body: &serde_json::Value| {
            let request = axum::http::Request::builder().method(Method::POST).uri(path);
            let request = request.header("authorization", format!("Bearer {credential}")).header("content-type", "application/json");
            tower::ServiceExt::oneshot(router.clone(), request.body(axum::body::Body::from(body.to_string())).expect("a request"))
        };
        let signed = stale("/v1/api/projects/embed-token", &world.key, &body).await.expect("answered");
        assert_eq!(signed.status(), 404, "no customer is made in nothing");
        other.refresh().await.expect("refreshed");
        let seen = stale(&path, &token, &json!({})).await.expect("answered");
        assert_eq!(seen.status(), 401);
    }

    async fn it_is_named_and_goes_once(world) {
        let (project, by) = (world.applied.project_id, admin(&world).await);
        let held = look(&world.app, &by, project).await.expect("looked").held;
        assert_eq!((held.connections, held.applications > 0, held.dashboards > 0, held.workspaces > 0), (1, true, true, true));
        for wrong in ["shop", "", "Second"] {
            let refused = remove(&world.app, &by, project, wrong).await.expect_err("refused");
            assert!(refused.details.is_some_and(|details| details.contains_key("confirm")), "{wrong}");
        }
        let (_, key) = world.neighbour().await;
        let stranger: Member<Admin> = Member::new(&world.membership(&key).await, Origin::default()).expect("an admin");
        let told = remove(&world.app, &stranger, project, "Shop").await.expect_err("refused");
        assert_eq!(told.code, Code::ProjectNotFound);
        assert_eq!(deleted(&world.app, &by, project).await.expect("read"), None);
        remove(&world.app, &by, project, "Shop").await.expect("deleted");
        let told = remove(&world.app, &by, project, "Shop").await.expect_err("refused");
        assert_eq!(told.code, Code::ProjectNotFound);
        assert_eq!(deleted(&world.app, &by, project).await.expect("read").as_deref(), Some("Shop"));
        assert_eq!(deleted(&world.app, &stranger, project).await.expect("read"), None);
    }

    async fn what_was_counted_meanwhile_is_lost_to_nobody_else(world) {
        let (project, kept) = (world.applied.project_id, second(&world).await);
        let by = admin(&world).await;
        world.token(ACME).await;
        let mut body = world.sign_in_body(ACME, "viewer");
        body["projectId"] = json!(kept);
        world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        // Another node deletes it, while this one still holds counts of it.
        remove(&node(&world).await, &by, project, "Shop").await.expect("deleted");
        world.app.part::<Usage>().write_down(&world.app).await.expect("written");
        let all = read(&world.app.db).await;
        assert!(!all.with("usage_days", &BTreeSet::from([shown(kept.0)])).is_empty(), "the others' counters are kept");
        assert!(all.with("usage_days", &BTreeSet::from([shown(project.0)])).is_empty());
    }

    async fn whoever_signs_in_meanwhile_leaves_nothing_behind(world) {
        let (project, by) = (world.applied.project_id, admin(&world).await);
        let bodies: Vec<_> = (0..12).map(|number| world.sign_in_body(ACME, &format!("user-{}", number % 4))).collect();
        let sign_in = |body| world.post("/v1/api/projects/embed-token", &world.key, body);
        let (replies, gone): (Vec<_>, Result<()>) =
            tokio::join!(futures::future::join_all(bodies.iter().map(sign_in)), remove(&world.app, &by, project, "Shop"));
        gone.expect("deleted");
        for reply in replies {
            assert!([200, 404, 503].contains(&reply.status.as_u16()), "{}", reply.text);
            if reply.status == 200 {
                let token = reply.data()["token"].as_str().expect("a token").to_owned();
                world.post(&world.chart_path("Orders"), &token, &json!({})).await.refused(401, "TOKEN_REVOKED");
            }
        }
        let all = read(&world.app.db).await;
        for table in all.of_projects() {
            assert_eq!(all.with(&table, &BTreeSet::from([shown(project.0)])), Vec::<rows::Row>::new(), "{table}");
        }
        assert!(all.rows["customers"].is_empty() && all.rows["project_users"].is_empty());
    }

    async fn what_it_took_stays_in_the_organizations_day(world) {
        let (project, by) = (world.applied.project_id, admin(&world).await);
        let user = world.sign_in_as(ACME, "ada", None).await["projectUserId"].as_str().expect("an id").parse::<Uuid>().expect("an id");
        let mut tx = world.app.db.write().await.expect("a transaction");
        let sql = "INSERT INTO chat_usage (user_id, day, organization_id, questions, input_tokens, output_tokens, cost) VALUES ($1, $2, $3, 1, 70, 7, 0)";
        let today = chrono::Utc::now().date_naive().to_string();
        on!(&mut tx.conn(), |c| sqlx::query(sql).bind(user).bind(&today).bind(world.organization).execute(c).await.map(drop)).expect("counted");
        tx.commit().await.expect("committed");
        let taken = async || language_models::manage::taken_today(&world.app, &by).await.expect("read").tokens;
        assert_eq!(taken().await, 77);
        remove(&world.app, &by, project, "Shop").await.expect("deleted");
        assert_eq!(taken().await, 77);
    }
}
