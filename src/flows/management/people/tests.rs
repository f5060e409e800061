//! Members' view of users, and their changes.

use super::{customer, has_beyond, of_customer, revoke_user, search, view_as, view_with};
use crate::{
    concepts::organizations::{
        self, MemberRole,
        members::{self, Member, Worker},
    },
    ground::{
        audit::store::{Thing, Wanted, newest},
        error::Code,
        time::Timestamp,
        web::origin::Origin,
    },
    testing::{ACME, GLOBEX, World, ids_of, on_both_stores},
};
use inlay_contract::ids::ProjectUserId;
use serde_json::json;

async fn worker(world: &World) -> Member<Worker> {
    let mut tx = world.app.db.write().await.expect("a transaction");
    organizations::put_member(&mut tx.conn(), world.organization, "w@example.test", MemberRole::Member, None)
        .await
        .expect("a member");
    let all = members::of_organization(&mut tx.conn(), world.organization).await.expect("read");
    tx.commit().await.expect("committed");
    let found = all.into_iter().find(|member| member.email == "w@example.test").expect("there");
    Member::new(&found, Origin::default()).expect("a member")
}

fn id(signed: &serde_json::Value) -> ProjectUserId {
    signed["projectUserId"].as_str().expect("an id").parse().expect("an id")
}

on_both_stores! {
    async fn customers_are_found_by_part_of_a_name(world) {
        let by = worker(&world).await;
        world.token(ACME).await;
        world.token(GLOBEX).await;
        let project = world.applied.project_id;
        let names = async |text: &str| -> Vec<String> {
            search(&world.app, &by, project, text, 10).await.expect("read").into_iter().map(|one| one.name).collect()
        };
        assert_eq!(names("").await, [ACME, GLOBEX]);
        assert_eq!(names("LOB").await, [GLOBEX]);
        assert_eq!(names("%").await, [ACME, GLOBEX], "a wildcard is no letter");
        let found = search(&world.app, &by, project, ACME, 1).await.expect("read");
        assert_eq!((found[0].users, of_customer(&world.app, &by, project, found[0].id, None, 10).await.expect("read").len()), (1, 1));
        let beyond = async |read: i64| has_beyond(&world.app, &by, project, read).await.expect("read");
        assert_eq!((beyond(1).await, beyond(2).await), (true, false), "two customers with a user each");
        let (neighbour, _) = world.neighbour().await;
        assert_eq!(customer(&world.app, &by, neighbour.project_id, found[0].id).await.expect_err("foreign").code, Code::ProjectNotFound);
    }

    async fn who_views_as_somebody_gets_their_rows_and_is_told_of(world) {
        let by = worker(&world).await;
        let user = id(&world.sign_in_as(ACME, "ada", Some("Analyst")).await);
        let token = view_as(&world.app, &by, world.applied.project_id, user).await.expect("a token");
        assert!(token.expires_at < Timestamp::now().plus(std::time::Duration::from_secs(301)));
        let data = world.post(&world.chart_path("Orders"), &token.token, &json!({})).await.data();
        let ids: Vec<i64> = data["rows"].as_array().expect("rows").iter().map(|row| row[0].as_i64().expect("an id")).collect();
        assert_eq!(ids, ids_of(ACME));
        let wanted = Wanted { action: Some("projectUser.viewedAs".to_owned()), resource: Some(Thing::Id(user.0)), ..Wanted::of(world.organization, 10) };
        let lines = newest(&mut world.app.db.read().await.expect("a connection").conn(), &wanted).await.expect("read");
        assert_eq!((lines.len(), lines[0].actor_id), (1, Some(by.id.0)));
    }

    async fn a_user_is_looked_at_in_another_role_of_the_project(world) {
        let by = worker(&world).await;
        let (project, user) = (world.applied.project_id, id(&world.sign_in_as(ACME, "ada", None).await));
        let edits = |token: &str| {
            let claims = crate::concepts::tokens::verify(&crate::concepts::tokens::known(&world.app).keyring, &world.app.base_url, token, world.app.now()).expect("a token");
            (claims.permissions.can_edit(), claims.edits)
        };
        let own = view_as(&world.app, &by, project, user).await.expect("a token").token;
        let analyst = world.applied.roles["Analyst"];
        let other = view_with(&world.app, &by, project, user, Some(analyst)).await.expect("a token").token;
        assert_eq!((edits(&own), edits(&other)), ((false, None), (true, None)));
        let (neighbour, _) = world.neighbour().await;
        let foreign = view_with(&world.app, &by, project, user, Some(neighbour.roles["Analyst"])).await;
        assert_eq!(foreign.expect_err("another project's").kind(), crate::ground::error::Kind::NotFound);
    }

    async fn nothing_is_changed_in_the_name_of_who_is_looked_over_the_shoulder(world) {
        let by = worker(&world).await;
        let user = id(&world.sign_in_as(ACME, "ada", Some("Analyst")).await);
        let token = view_as(&world.app, &by, world.applied.project_id, user).await.expect("a token").token;
        let path = format!("/v2/api/applications/{}/dashboards", world.applied.applications["Orders"].id);
        world.post(&path, &token, &json!({"name": "Mine"})).await.refused(403, "VIEWING_AS");
        // A preview must not change what leaves no audit event either.
        let thread = format!("/v2/api/workspaces/{}/threads/{}", world.applied.workspaces["Ask"], uuid::Uuid::now_v7());
        world.call(axum::http::Method::DELETE, &thread, &token, None).await.refused(403, "VIEWING_AS");
    }

    async fn a_revoked_user_is_signed_out(world) {
        let by = worker(&world).await;
        let signed = world.sign_in_as(ACME, "ada", None).await;
        revoke_user(&world.app, &by, world.applied.project_id, id(&signed)).await.expect("revoked");
        world.get("/v2/api/applications", signed["token"].as_str().expect("a token")).await.refused(401, "TOKEN_REVOKED");
    }
}
