//! Signing in and out.

use super::{
    Browser,
    browser::{PASSWORD, member, target},
};
use crate::{
    concepts::organizations::{MemberRole, sessions},
    testing::{World, on_both_stores},
};

async fn projects(browser: &mut Browser<'_>) -> u16 {
    let path = format!("/console/organizations/{}/projects", browser.world.organization);
    browser.get(&path).await.status.as_u16()
}

async fn demote_owners(world: &World) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    crate::on!(&mut tx.conn(), |c| sqlx::query("UPDATE members SET role = 'admin'").execute(c).await.map(drop))
        .expect("written");
    tx.commit().await.expect("committed");
}

on_both_stores! {
    async fn the_address_alone_leads_to_the_console(world) {
        assert_eq!(target(&Browser::new(&world).get("/").await), "/console");
    }

    async fn a_password_opens_a_session_and_signing_out_ends_it(world) {
        let mut browser = Browser::new(&world);
        let away = browser.get(&format!("/console/organizations/{}/projects", world.organization)).await;
        assert!(target(&away).starts_with("/console/sign-in?next="));
        member(&world, "ada@example.test", MemberRole::Member).await;
        let reply = browser.post("/console/sign-in", &[("email", " Ada@Example.test"), ("password", PASSWORD), ("next", "//evil.example")]).await;
        assert_eq!(target(&reply), "/console");
        let cookie = reply.headers["set-cookie"].to_str().expect("text").to_owned();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Path=/"), "{cookie}");
        let device = reply.headers.get_all("set-cookie").iter().filter_map(|one| one.to_str().ok()).find(|one| one.starts_with("inlay_device="));
        let device = device.expect("a mark of the browser");
        assert!(device.contains("HttpOnly") && device.contains("SameSite=Lax") && device.contains("Max-Age=15552000"), "{device}");
        let stolen = browser.session().expect("a session").clone();
        assert_eq!(projects(&mut browser).await, 200);
        assert_eq!(target(&browser.submit("/console/sign-out", &[]).await), "/console/sign-in");
        assert_eq!(projects(&mut browser).await, 303);
        assert!(sessions::find(&world.app, &stolen).await.expect("read").is_none(), "the secret is worth nothing any more");
    }

    async fn who_is_unknown_and_who_mistypes_are_answered_alike(world) {
        member(&world, "ada@example.test", MemberRole::Member).await;
        let mut browser = Browser::new(&world);
        let known = browser.post("/console/sign-in", &[("email", "ada@example.test"), ("password", "wrong password")]).await;
        let unknown = browser.post("/console/sign-in", &[("email", "eve@example.test"), ("password", "wrong password")]).await;
        assert_eq!((known.status.as_u16(), unknown.status.as_u16()), (401, 401));
        let plain = |text: &str, email: &str| text.replace(email, "E").split("<body>").nth(1).unwrap_or_default().to_owned();
        assert_eq!(plain(&known.text, "ada@example.test"), plain(&unknown.text, "eve@example.test"));
        assert!(!known.text.contains("wrong password"), "a password is never sent back");
    }

    async fn who_guesses_waits(world) {
        member(&world, "ada@example.test", MemberRole::Member).await;
        let mut browser = Browser::new(&world);
        for _ in 0..5 {
            let reply = browser.post("/console/sign-in", &[("email", "ada@example.test"), ("password", "wrong password")]).await;
            assert_eq!(reply.status, 401);
        }
        let right = browser.post("/console/sign-in", &[("email", "ada@example.test"), ("password", PASSWORD)]).await;
        assert_eq!(right.status, 429, "{}", right.text);
        assert!(right.text.contains("Too many attempts"));
        member(&world, "bob@example.test", MemberRole::Member).await;
        let other = browser.post("/console/sign-in", &[("email", "bob@example.test"), ("password", PASSWORD)]).await;
        assert_eq!(other.status, 303, "another account is not locked");
    }

    async fn forms_of_other_sites_and_sessions_are_refused(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Owner).await;
        assert_eq!(browser.post("/console/sign-out", &[("csrf", "0")]).await.status, 403);
        let token = browser.token().await;
        for origin in ["https://evil.example", "null", ""] {
            let mut foreign = Browser::new(&world);
            foreign.origin = origin.to_owned();
            assert_eq!(foreign.post("/console/sign-in", &[("email", "a@b"), ("password", "x")]).await.status, 403, "{origin}");
        }
        browser.origin = "https://evil.example".to_owned();
        assert_eq!(browser.post("/console/sign-out", &[("csrf", &token)]).await.status, 403);
        let mut another = Browser::signed_in(&world, MemberRole::Owner).await;
        assert_eq!(another.post("/console/sign-out", &[("csrf", &token)]).await.status, 403);
    }

    async fn only_who_holds_the_code_becomes_the_first_owner(world) {
        let mut browser = Browser::new(&world);
        assert_eq!(target(&browser.get("/console").await), "/console/sign-in");
        demote_owners(&world).await;
        assert_eq!(target(&browser.get("/console").await), "/console/setup");
        let code = crate::concepts::organizations::setup::offer(&world.app).await.expect("read").expect("a code");
        let fields = |code: &'static str| [("code", code), ("organization", "Acme"), ("email", "own@example.test"), ("password", PASSWORD)];
        assert_eq!(browser.post("/console/setup", &fields("")).await.status, 400);
        let wrong = browser.post("/console/setup", &fields("000000000000000000000000")).await;
        assert!(wrong.status == 400 && wrong.text.contains("value=\"Acme\""), "what was typed is kept: {}", wrong.text);
        let short = browser.post("/console/setup", &[("code", &code), ("organization", "Acme"), ("email", "own@example.test"), ("password", "short")]).await;
        assert!(short.status == 400 && short.text.contains("at least 12"));
        let all = [("code", code.as_str()), ("organization", "Acme"), ("email", "own@example.test"), ("password", PASSWORD)];
        assert_eq!(target(&browser.post("/console/setup", &all).await), "/console");
        assert!(target(&browser.get("/console").await).ends_with("/projects"));
        let mut second = Browser::new(&world);
        assert_eq!(second.post("/console/setup", &all).await.status, 409, "the code works once");
    }

    async fn an_idle_session_ends(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        assert_eq!(browser.get("/console/account").await.status, 200);
        let mut tx = world.app.db.write().await.expect("a transaction");
        let long_ago = crate::ground::time::Timestamp::now().0 - 13 * 3_600_000;
        crate::on!(&mut tx.conn(), |c| sqlx::query("UPDATE console_sessions SET seen_at = $1").bind(long_ago).execute(c).await.map(drop)).expect("written");
        tx.commit().await.expect("committed");
        assert_eq!(browser.get("/console/account").await.status, 303);
    }
}
