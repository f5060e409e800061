//! Account settings → Developer: allowed origins, limits of keys, reports.

use super::{Browser, browser::target, mail::KINDS};
use crate::{
    concepts::{
        organizations::MemberRole,
        reports::{self, Rules, consent},
    },
    ground::audit::Actor,
    testing::{World, on_both_stores},
};

fn developer(world: &World) -> String {
    format!("/console/organizations/{}/developer", world.organization)
}

/// The fingerprint in the form with this address.
fn seen(page: &str, action: &str) -> String {
    let (_, form) = page.split_once(&format!("action=\"{action}\"")).expect("a form");
    let (_, rest) = form.split_once("name=\"seen\" value=\"").expect("a field");
    rest.split('"').next().expect("a value").to_owned()
}

async fn rules(world: &World) -> Option<Rules> {
    reports::rules(&mut world.app.db.read().await.expect("a connection").conn(), world.organization).await.expect("read")
}

on_both_stores! {
    async fn allowed_origins_are_changed_where_they_are_listed(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let (page, project) = (developer(&world), world.applied.project_id);
        let path = format!("/console/projects/{project}/origins");
        let field = format!("origins-{project}");
        let before = browser.get(&page).await.text;
        assert!(before.contains("https://host.example") && before.contains(&path), "{before}");
        let first = seen(&before, &path);
        let wrong = browser.submit(&path, &[(&field, "https://host.example/path"), ("seen", &first)]).await;
        assert!(wrong.status == 400 && wrong.text.contains(">https://host.example/path</textarea>"), "{}", wrong.text);
        assert!(wrong.text.contains("aria-invalid=\"true\"") && wrong.text.contains("<details open"), "{}", wrong.text);
        let both = "https://host.example\nhttps://other.example:8443";
        let twice = format!("{both}\nhttps://host.example");
        assert_eq!(target(&browser.submit(&path, &[(&field, &twice), ("seen", &first)]).await), page);
        assert!(browser.get(&page).await.text.contains("https://other.example:8443"));
        let settings = browser.get(&format!("/console/projects/{project}")).await.text;
        assert!(settings.contains(&format!("{both}</textarea>")) && settings.contains("value=\"Shop\""), "its other settings stay: {settings}");
        let overtaken = browser.submit(&path, &[(&field, "https://third.example"), ("seen", &first)]).await;
        assert!(overtaken.status == 409 && overtaken.text.contains(">https://third.example</textarea>"), "{}", overtaken.text);
        let again = seen(&overtaken.text, &path);
        assert_eq!(browser.submit(&path, &[(&field, ""), ("seen", &again)]).await.status, 303);
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let shown = viewer.get(&page).await.text;
        assert!(shown.contains("Any page") && !shown.contains(&path), "{shown}");
    }

    async fn a_key_is_limited_in_its_row(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let page = developer(&world);
        browser.submit(&format!("{page}/keys"), &[("label", "Production"), ("kind", "organization")]).await;
        let listed = browser.get(&page).await.text;
        let id = listed.split_once("/limit\"").and_then(|(rest, _)| rest.rsplit("/keys/").next()).expect("a form").to_owned();
        let path = format!("{page}/keys/{id}/limit");
        for wrong in ["0", "-1", "1001", "1.5", "many", "99999999999"] {
            let refused = browser.submit(&path, &[("perSecond", wrong), ("seen", "")]).await;
            assert!(refused.status == 400 && refused.text.contains(&format!("value=\"{wrong}\"")), "{wrong}: {}", refused.text);
            assert!(refused.text.contains("The limit ") && refused.text.contains("aria-invalid=\"true\""), "{}", refused.text);
        }
        assert_eq!(browser.submit(&path, &[("perSecond", "20"), ("seen", "")]).await.status, 303);
        assert_eq!(seen(&browser.get(&page).await.text, &path), "20");
        let overtaken = browser.submit(&path, &[("perSecond", "30"), ("seen", "")]).await;
        assert!(overtaken.status == 409 && overtaken.text.contains("The limit of this key was changed to 20"), "{}", overtaken.text);
        assert!(overtaken.text.contains("value=\"30\"") && seen(&overtaken.text, &path) == "20");
        assert_eq!(browser.submit(&path, &[("perSecond", "30"), ("seen", "20")]).await.status, 303);
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let shown = viewer.get(&page).await.text;
        assert!(shown.contains(">30<") && !shown.contains("/limit\""), "{shown}");
        let mut other = Browser::signed_in(&world, MemberRole::Member).await;
        assert_eq!(other.submit(&path, &[("perSecond", "40"), ("seen", "30")]).await.status, 403, "another member's key");
        let mut admin = Browser::signed_in(&world, MemberRole::Admin).await;
        assert_eq!(admin.submit(&path, &[("perSecond", ""), ("seen", "30")]).await.status, 303);
    }

    async fn whoever_runs_the_service_turns_reports_on_and_an_owner_off(world) {
        let mut owner = Browser::signed_in(&world, MemberRole::Owner).await;
        let (page, path) = (developer(&world), format!("{}/reports", developer(&world)));
        let shown = owner.get(&page).await.text;
        assert!(shown.contains("inlay reports enable --organization") && !shown.contains(&path), "{shown}");
        let now = crate::faces::console::seen(&None::<Rules>);
        assert_eq!(owner.submit(&path, &[("enabled", "on"), ("seen", &now)]).await.status, 403);
        assert_eq!(rules(&world).await, None);
        let mut tx = world.app.db.write().await.expect("a transaction");
        let on = Rules { recipient_domains: vec!["example.com".to_owned()] };
        let by = Actor::operator(world.organization);
        consent::put(&mut tx.conn(), &by, world.organization, Some(&on)).await.expect("written");
        tx.commit().await.expect("committed");
        let shown = owner.get(&page).await.text;
        assert!(shown.contains("At example.com"), "{shown}");
        let now = seen(&shown, &path);
        assert_eq!(owner.submit(&path, &[("enabled", "on"), ("recipientDomains", ""), ("seen", &now)]).await.status, 403);
        assert_eq!(rules(&world).await, Some(on), "and no wider either");
        assert_eq!(owner.submit(&path, &[("seen", &now)]).await.status, 303);
        assert_eq!(rules(&world).await, None);
        let log = owner.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        assert!(log.contains("reports.enabled") && log.contains("reports.disabled"), "{log}");
    }
}

#[tokio::test]
async fn owners_decide_on_reports_where_that_is_left_to_them() {
    for kind in KINDS {
        let world = World::with(kind, &["--reports-by-owners"]).await;
        let mut owner = Browser::signed_in(&world, MemberRole::Owner).await;
        let (page, path) = (developer(&world), format!("{}/reports", developer(&world)));
        let first = seen(&owner.get(&page).await.text, &path);
        let on = |domains: &'static str, seen: &str| {
            vec![("enabled", "on".to_owned()), ("recipientDomains", domains.to_owned()), ("seen", seen.to_owned())]
        };
        let send = async |owner: &mut Browser<'_>, fields: Vec<(&str, String)>| {
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            owner.submit(&path, &fields).await
        };
        let wrong = send(&mut owner, on("example.com\nno domain", &first)).await;
        assert!(wrong.status == 400 && wrong.text.contains("no domain</textarea>"), "{}", wrong.text);
        assert!(wrong.text.contains("`no domain` is not a valid domain, such as example.com") && rules(&world).await.is_none());
        assert_eq!(send(&mut owner, on("Example.com\n\n@example.org", &first)).await.status, 303);
        let allowed = rules(&world).await.expect("they are on").recipient_domains;
        assert_eq!(allowed, ["example.com", "example.org"]);
        let overtaken = send(&mut owner, on("third.example", &first)).await;
        assert!(overtaken.status == 409 && overtaken.text.contains("third.example</textarea>"), "{}", overtaken.text);
        let mut admin = Browser::signed_in(&world, MemberRole::Admin).await;
        let shown = admin.get(&page).await.text;
        assert!(shown.contains("Only an owner can turn them on or off.") && !shown.contains(&path), "{shown}");
        let last = seen(&owner.get(&page).await.text, &path);
        assert_eq!(owner.submit(&path, &[("seen", &last)]).await.status, 303);
        assert!(rules(&world).await.is_none());
    }
}
