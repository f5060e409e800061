//! Error pages appear inside the console, at the reader's place.

use super::Browser;
use crate::{
    concepts::organizations::MemberRole,
    ground::remembered::Remembered,
    on,
    testing::{Reply, World, on_both_stores},
};
use axum::{
    body::Body,
    http::{Method, Request},
};

const NAVIGATION: &str = "aria-label=\"Console\"";

fn project(world: &World) -> String {
    format!("/console/projects/{}", world.applied.project_id)
}

/// Checks an error page inside the console: status, title, navigation and a link to go on.
#[track_caller]
fn inside(reply: &Reply, status: u16, title: &str, place: &str, way: &str) {
    assert_eq!(reply.status, status, "{}", reply.text);
    for wanted in [NAVIGATION, &format!("<title>{title} · Inlay"), &format!(">{title}</h1>"), "role=\"alert\"", place, way] {
        assert!(reply.text.contains(wanted), "{wanted}: {}", reply.text);
    }
    assert!(!reply.text.contains("class=\"alone\""), "one brand and no second frame");
    let main = reply.text.split("<main").nth(1).expect("a main part");
    assert!(!main.contains("<form"), "a script puts pages with forms in a form's place");
}

on_both_stores! {
    async fn what_is_not_there_is_said_inside_the_console(world) {
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let (project, links) = (project(&world), format!("{}/connections\"", project(&world)));
        let missing = format!("{project}/charts/{}", uuid::Uuid::now_v7());
        inside(&viewer.get(&missing).await, 404, "Not found", &links, "Go to the project</a>");
        let from = format!("{}{project}/charts?q=1", world.app.base_url);
        let back = format!("href=\"{project}/charts?q=1\"");
        inside(&viewer.get_from(&missing, &from).await, 404, "Not found", &back, "Back</a>");
        for elsewhere in ["https://evil.example/console", &format!("{}{missing}", world.app.base_url), "no address"] {
            inside(&viewer.get_from(&missing, elsewhere).await, 404, "Not found", &links, "Go to the project</a>");
        }
        let unknown = viewer.get("/console/no/such/page").await;
        inside(&unknown, 404, "Not found", "/console/account", "Go to the projects</a>");
        let organization = format!("/console/organizations/{}/members\"", world.organization);
        inside(&viewer.get(&format!("/console/projects/{}", uuid::Uuid::now_v7())).await, 404, "Not found", &organization, "navigation");
    }

    async fn what_is_not_permitted_or_not_sent_well_is_said_inside_the_console(world) {
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let (project, links) = (project(&world), format!("{}/connections\"", project(&world)));
        let refused = viewer.submit(&project, &[("name", "Mine")]).await;
        inside(&refused, 403, "Not permitted", &links, "Ask an admin or owner");
        let mut member = Browser::signed_in(&world, MemberRole::Member).await;
        let shown = member.get(&format!("{project}/origins")).await;
        inside(&shown, 405, "Nothing to show here", &links, "Open the page with the form");
        let large = "x".repeat(world.app.settings.limits.max_body_bytes + 1);
        inside(&member.submit(&project, &[("name", &large)]).await, 413, "Too large", &links, "Nothing was saved.");
        let stale = member.post(&project, &[("csrf", "of another session")]).await;
        inside(&stale, 403, "Not permitted", &links, "reload the page");
    }

    async fn what_goes_wrong_is_said_inside_the_console(world) {
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let (project, links) = (project(&world), format!("{}/connections\"", project(&world)));
        let mut tx = world.app.db.write().await.expect("a transaction");
        on!(&mut tx.conn(), |c| sqlx::query("ALTER TABLE v1_writes RENAME TO lost").execute(c).await.map(drop)).expect("renamed");
        tx.commit().await.expect("committed");
        let migration = format!("/console/organizations/{}/migration", world.organization);
        let failed = viewer.get(&migration).await;
        inside(&failed, 500, "Something went wrong", &format!("{migration}\" aria-current=\"page\""), "Try again</a>");
        let id = failed.headers["x-request-id"].to_str().expect("text").to_owned();
        assert!(failed.text.contains(&id) && !failed.text.contains("v1_writes"), "{}", failed.text);
        world.app.db.close().await;
        let away = viewer.get(&project).await;
        inside(&away, 503, "Temporarily unavailable", &links, "Try again</a>");
        let name = world.app.part::<Remembered<inlay_contract::ids::ProjectId, crate::concepts::projects::Project>>().get(&world.app, world.applied.project_id, async || Ok(None)).await;
        assert!(name.expect("read").is_none_or(|project| !away.text.contains(&project.name)), "nobody knows who asks");
    }

    async fn strangers_and_the_signed_out_see_no_navigation_of_a_project(world) {
        let path = format!("{}/charts/{}", project(&world), uuid::Uuid::now_v7());
        let mut stranger = Browser::stranger(&world).await;
        let reply = stranger.get(&path).await;
        let home = "Go to the projects</a>";
        inside(&reply, 404, "Not found", "Elsewhere", home);
        assert!(!reply.text.contains(&world.applied.project_id.to_string()), "{}", reply.text);
        let mut nobody = Browser::new(&world);
        for path in ["/console/no/such/page", "/console/invitation/none"] {
            let reply = nobody.get(path).await;
            assert!(reply.status.is_client_error() && reply.text.contains("class=\"alone\""), "{}", reply.text);
            assert!(!reply.text.contains(NAVIGATION) && reply.text.contains("Go to the console</a>"), "{}", reply.text);
        }
    }

    async fn a_script_reads_what_went_wrong_as_json(world) {
        let request = Request::builder().method(Method::POST).uri("/console/no/such/page").header("accept", "application/json");
        let reply = world.send(request.body(Body::empty()).expect("a request")).await;
        reply.refused(405, "METHOD_NOT_ALLOWED");
    }
}
