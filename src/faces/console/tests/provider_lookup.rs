//! Finding one's sign-in provider, and who learns about it.

use super::{
    Browser,
    browser::{PASSWORD, member, target},
    mail::{KINDS, link, mailed},
    single_sign_on::{Provider, come_by, joined, register},
};
use crate::{
    concepts::organizations::{self, MemberRole, links, members, sign_in},
    ground::error::Code,
    testing::{MailServer, World, on_both_stores},
};
use inlay_contract::ids::OrganizationId;
use serde_json::json;

async fn invite(world: &World, email: &str, role: &str) -> String {
    let mut admin = Browser::signed_in(world, MemberRole::Admin).await;
    let form = [("email", email), ("role", role)];
    let made = admin.submit(&format!("/console/organizations/{}/members/invite", world.organization), &form).await;
    assert!(made.status == 200 || made.status == 303, "{}", made.text);
    made.text
}

async fn role_of(world: &World, email: &str) -> Option<MemberRole> {
    let mut lease = world.app.db.read().await.expect("a connection");
    let all = members::of_organization(&mut lease.conn(), world.organization).await.expect("read");
    all.into_iter().find(|member| member.email == email).map(|member| member.role)
}

/// Adds a person to another organization.
async fn put_elsewhere(world: &World, name: &str, email: &str) -> OrganizationId {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let elsewhere = organizations::create(&mut tx.conn(), name).await.expect("an organization");
    organizations::put_member(&mut tx.conn(), elsewhere, email, MemberRole::Owner, None).await.expect("a member");
    tx.commit().await.expect("committed");
    elsewhere
}

async fn name_of(world: &World) -> String {
    let mut lease = world.app.db.read().await.expect("a connection");
    organizations::name(&mut lease.conn(), world.organization).await.expect("read").expect("a name")
}

#[tokio::test]
async fn whoever_is_invited_joins_by_the_provider_alone() {
    for kind in KINDS {
        let (world, provider, begin) = joined(kind).await;
        let come = async |email: &str, subject: &str| {
            let mut browser = Browser::new(&world);
            let came = come_by(&mut browser, &provider, &begin, json!({"email": email, "sub": subject})).await;
            (came.status.as_u16(), browser.session().is_some(), came.text)
        };
        let page = invite(&world, "ada@example.test", "member").await;
        let (_, rest) = page.split_once("/console/invitation/").expect("a link");
        let token = rest.split('<').next().expect("a token");
        let invitation = Browser::new(&world).get(&format!("/console/invitation/{token}")).await.text;
        assert!(invitation.contains(&format!("href=\"{begin}\"")), "{invitation}");
        assert_eq!(come("eve@example.test", "1").await.0, 403);
        let (status, inside, text) = come("Ada@Example.test", "1").await;
        assert!(status == 303 && inside, "{text}");
        assert_eq!(role_of(&world, "ada@example.test").await, Some(MemberRole::Member));
        assert_eq!(links::open(&world.app, token).await.expect_err("spent").code, Code::LinkSpent);
        let mut lease = world.app.db.read().await.expect("a connection");
        let account = sign_in::account(&mut lease.conn(), "ada@example.test").await.expect("read");
        assert!(account.expect("an account").password_hash.is_none(), "nobody chose a password");
        drop(lease);

        invite(&world, "ben@example.test", "viewer").await;
        assert_eq!(come("ben@example.test", "1").await.0, 403, "whoever the provider knows as Ada is not Ben");
        assert_eq!(role_of(&world, "ben@example.test").await, None, "and Ben has not joined by it");
        let mut admin = Browser::signed_in(&world, MemberRole::Admin).await;
        let withdraw = format!("/console/organizations/{}/members/withdraw", world.organization);
        assert_eq!(admin.submit(&withdraw, &[("email", "ben@example.test")]).await.status, 303);
        assert_eq!(come("ben@example.test", "2").await.0, 403, "the invitation was withdrawn");
    }
}

/// An existing account's password, and the other organizations that it opens, are not this organization's to change.
#[tokio::test]
async fn whoever_has_an_account_joins_by_its_password() {
    for kind in KINDS {
        let (world, provider, begin) = joined(kind).await;
        put_elsewhere(&world, "Elsewhere", "bea@example.test").await;
        member(&world, "cyd@example.test", MemberRole::Viewer).await;
        let mut owner = Browser::signed_in(&world, MemberRole::Owner).await;
        let all = owner.get(&format!("/console/organizations/{}/members", world.organization)).await.text;
        let (rest, _) = all.split_once("Remove cyd@example.test?").expect("a row");
        let id = rest.rsplit("ask-").next().and_then(|rest| rest.split('"').next()).expect("an id").to_owned();
        let remove = format!("/console/organizations/{}/members/{id}/remove", world.organization);
        assert_eq!(owner.submit(&remove, &[("seen", "viewer")]).await.status, 303);
        for email in ["bea@example.test", "cyd@example.test"] {
            invite(&world, email, "viewer").await;
            invite(&world, email, "admin").await;
            let mut browser = Browser::new(&world);
            let came = come_by(&mut browser, &provider, &begin, json!({"email": email, "sub": email})).await;
            assert!(came.status == 403 && came.text.contains("open the invitation"), "{email}: {}", came.text);
            assert_eq!((browser.session(), role_of(&world, email).await), (None, None), "{email}");
        }
    }
}

#[tokio::test]
async fn ways_in_go_by_mail_and_whoever_asks_learns_nothing() {
    for kind in KINDS {
        let mail = MailServer::start().await;
        let (url, from) = (mail.url(), "Inlay <inlay@example.test>");
        let flags = ["--allow-loopback-identity-providers", "--smtp-url", &url, "--smtp-from", from];
        let world = World::with(kind, &flags).await;
        let provider = Provider::start().await;
        let begin = register(&world, &provider).await;
        member(&world, "ada@example.test", MemberRole::Member).await;
        invite(&world, "ben@example.test", "member").await;
        put_elsewhere(&world, "Elsewhere", "bea@example.test").await;
        link(&world, &mail, "ben@example.test").await;
        let before = mail.taken().len();
        let mut answers = Vec::new();
        for email in ["eve@example.test", "bea@example.test", "no address", "ada@example.test", "Ben@example.test"] {
            let mut browser = Browser::new(&world);
            let answer = browser.post("/console/sso", &[("email", email)]).await;
            answers.push((target(&answer).to_owned(), browser.get("/console/sso").await.text.contains("has been sent")));
        }
        assert!(answers.iter().all(|answer| *answer == ("/console/sso".to_owned(), true)), "{answers:?}");
        assert_eq!(link(&world, &mail, "ada@example.test").await, begin);
        let ben = mailed(&mail, "ben@example.test", before).await;
        assert_eq!(ben.links(&world.app.base_url), [format!("{}{begin}", world.app.base_url)]);
        assert!(ben.subject() == "Sign in to the console" && ben.text().contains(&name_of(&world).await), "{}", ben.text());
        assert_eq!(mail.taken().len() - before, 2, "who is no member and who has no provider get nothing");
        for _ in 0..5 {
            Browser::new(&world).post("/console/sso", &[("email", "eve@example.test")]).await;
        }
        let much = Browser::new(&world).post("/console/sso", &[("email", "eve@example.test")]).await;
        assert!(
            much.status == 429 && much.text.contains("value=\"eve@example.test\""),
            "nobody fills a mailbox: {}",
            much.text
        );
    }
}

#[tokio::test]
async fn without_a_mail_server_nothing_is_mailed() {
    let (world, _, _) = joined(KINDS[0]).await;
    let mut browser = Browser::new(&world);
    assert!(!browser.get("/console/sso").await.text.contains("name=\"email\""));
    assert_eq!(browser.post("/console/sso", &[("email", "ada@example.test")]).await.status, 404);
}

#[tokio::test]
async fn a_short_name_leads_to_an_organization_s_providers() {
    for kind in KINDS {
        let (world, provider, begin) = joined(kind).await;
        let mut owner = Browser::signed_in(&world, MemberRole::Owner).await;
        let developer = format!("/console/organizations/{}/developer", world.organization);
        let path = format!("{developer}/short-name");
        let seen = |page: &str| {
            let (_, form) = page.split_once("/developer/short-name\"").expect("a form");
            let (_, rest) = form.split_once("name=\"seen\" value=\"").expect("a field");
            rest.split('"').next().expect("a value").to_owned()
        };
        let first = seen(&owner.get(&developer).await.text);
        for wrong in ["a", "-acme", "acme-", "ac me", "acmé", "a/b", &"x".repeat(41)] {
            let refused = owner.submit(&path, &[("shortName", wrong), ("seen", &first)]).await;
            assert!(refused.status == 400 && refused.text.contains(&format!("value=\"{wrong}\"")), "{wrong}: {}", refused.text);
        }
        assert_eq!(owner.submit(&path, &[("shortName", "Acme-1"), ("seen", &first)]).await.status, 303);
        let overtaken = owner.submit(&path, &[("shortName", "other"), ("seen", &first)]).await;
        assert!(overtaken.status == 409 && overtaken.text.contains("value=\"other\""), "{}", overtaken.text);
        assert!(owner.get(&developer).await.text.contains("/console/sso?organization=acme-1"));

        let mut stranger = Browser::new(&world);
        let found = stranger.get("/console/sso?organization=ACME-1&next=/console/account").await;
        let leads = format!("href=\"{begin}?next=%2Fconsole%2Faccount\"");
        assert!(found.status == 200 && found.text.contains(&leads), "{}", found.text);
        assert!(found.text.contains(&format!("Continue with {}", name_of(&world).await)));
        let unknown = stranger.get("/console/sso?organization=nobody").await;
        assert!(unknown.status == 404 && unknown.text.contains("value=\"nobody\""), "{}", unknown.text);
        assert!(!unknown.text.contains("Continue with"));

        // A second provider with the same name is distinguished by its host.
        register(&world, &provider).await;
        let both = stranger.get("/console/sso?organization=acme-1").await.text;
        assert_eq!(both.matches("(127.0.0.1)").count(), 2, "{both}");

        let mut other = Browser::stranger(&world).await;
        let home = target(&other.get("/console").await).to_owned();
        let elsewhere = home.replace("/projects", "/developer/short-name");
        let taken = other.submit(&elsewhere, &[("shortName", "acme-1"), ("seen", &first)]).await;
        assert!(
            taken.status == 409 && taken.text.contains("Another organization already has this short name"),
            "{}",
            taken.text
        );
        let last = seen(&owner.get(&developer).await.text);
        assert_eq!(owner.submit(&path, &[("shortName", ""), ("seen", &last)]).await.status, 303);
        assert_eq!(stranger.get("/console/sso?organization=acme-1").await.status, 404);
    }
}

#[tokio::test]
async fn a_browser_remembers_how_somebody_came_in_until_it_is_told_to_forget() {
    let (world, provider, begin) = joined(KINDS[0]).await;
    member(&world, "ada@example.test", MemberRole::Member).await;
    let offer = format!("Continue with {}", name_of(&world).await);
    let mut browser = Browser::new(&world);
    let first = browser.get("/console/sign-in").await.text;
    assert!(!first.contains(&offer) && first.contains("action=\"/console/sso\""), "{first}");
    let came = come_by(&mut browser, &provider, &begin, json!({"email": "ada@example.test"})).await;
    let cookies = came.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().expect("text"));
    let kept = cookies.into_iter().find(|cookie| cookie.starts_with("inlay_providers=")).expect("a cookie");
    assert!(kept.contains("; HttpOnly") && kept.contains("; SameSite=Lax") && !kept.contains("ada@"), "{kept}");
    browser.submit("/console/sign-out", &[]).await;
    let page = browser.get("/console/sign-in?next=/console/account").await.text;
    assert!(page.contains(&offer) && page.contains(&format!("href=\"{begin}?next=%2Fconsole%2Faccount\"")), "{page}");
    let wrong = browser.post("/console/sign-in", &[("email", "ada@example.test"), ("password", "not hers at all")]).await;
    assert!(wrong.status == 401 && wrong.text.contains(&offer), "{}", wrong.text);
    assert!(!Browser::new(&world).get("/console/sign-in").await.text.contains(&offer), "another browser knows nothing");

    assert!(browser.get("/console/sso").await.text.contains("Forget this on this browser"));
    assert_eq!(target(&browser.post("/console/sso/forget", &[]).await), "/console/sign-in");
    assert!(!browser.get("/console/sign-in").await.text.contains(&offer));

    come_by(&mut browser, &provider, &begin, json!({"email": "ada@example.test"})).await;
    let mut owner = Browser::signed_in(&world, MemberRole::Owner).await;
    let id = begin.rsplit('/').next().expect("an id");
    let remove = format!("/console/organizations/{}/developer/sign-in-providers/{id}/remove", world.organization);
    assert_eq!(owner.submit(&remove, &[]).await.status, 303);
    let after = browser.get("/console/sign-in").await.text;
    assert!(!after.contains(&offer) && !after.contains("action=\"/console/sso\""), "{after}");
    let reply = browser.post("/console/sign-in", &[("email", "ada@example.test"), ("password", PASSWORD)]).await;
    assert_eq!(reply.status, 303, "and a password is one still");
}

on_both_stores! {
    async fn a_service_without_providers_offers_none(world) {
        let page = Browser::new(&world).get("/console/sign-in").await.text;
        assert!(!page.contains("/console/sso"), "{page}");
    }
}
