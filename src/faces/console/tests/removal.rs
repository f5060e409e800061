//! Deleting a project in the console.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    testing::{ACME, World, on_both_stores},
};

fn addresses(world: &World) -> (String, String, String) {
    let (organization, project) = (world.organization, world.applied.project_id);
    let list = format!("/console/organizations/{organization}/projects");
    (format!("/console/projects/{project}"), format!("{list}/{project}/delete"), list)
}

/// The fingerprint in a page.
fn seen(page: &str) -> String {
    let (_, rest) = page.split_once("name=\"seen\" value=\"").expect("a form");
    rest.split('"').next().expect("a value").to_owned()
}

on_both_stores! {
    async fn an_admin_sees_what_goes_and_deletes_it_by_its_name(world) {
        world.sign_in_as(ACME, "ada", Some("Analyst")).await;
        let (own, remove, list) = addresses(&world);
        let page = format!("{own}/delete");
        let mut admin = Browser::signed_in(&world, MemberRole::Admin).await;
        assert!(admin.get(&own).await.text.contains(&page));
        let shown = admin.get(&page).await.text;
        for told in ["<dt>Connections</dt><dd>1</dd>", "<dt>Customers</dt><dd>1</dd>", "It is in use.", "1 customer came"] {
            assert!(shown.contains(told), "{told}: {shown}");
        }
        assert!(!shown.contains("Webhooks"), "what there is none of goes unsaid");
        let wrong = admin.submit(&remove, &[("seen", &seen(&shown)), ("confirm", "shop")]).await;
        assert_eq!(wrong.status, 400);
        assert!(wrong.text.contains("does not match the project") && wrong.text.contains("value=\"shop\""), "{}", wrong.text);
        let gone = admin.submit(&remove, &[("seen", &seen(&shown)), ("confirm", "Shop")]).await;
        assert_eq!(target(&gone), list);
        assert!(admin.get(&list).await.text.contains("Shop deleted."));
        assert_eq!(admin.get(&own).await.status, 404);
        let again = admin.submit(&remove, &[("seen", &seen(&shown)), ("confirm", "Shop")]).await;
        assert_eq!(target(&again), list);
        assert!(admin.get(&list).await.text.contains("Shop has already been deleted."));
        let log = admin.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        assert!(log.contains("project.deleted"), "{log}");
        // Its events can still be found.
        let project = world.applied.project_id;
        let log = admin.get(&format!("/console/organizations/{}/audit?project={project}&action=applied", world.organization)).await.text;
        assert!(log.contains(">Shop (deleted)</option>") && log.contains("project.applied"), "{log}");
        let never = format!("{list}/{}/delete", uuid::Uuid::now_v7());
        assert_eq!(admin.submit(&never, &[("confirm", "Shop")]).await.status, 404);
    }

    async fn whoever_is_overtaken_sees_what_goes_now(world) {
        let (own, remove, _) = addresses(&world);
        let mut admin = Browser::signed_in(&world, MemberRole::Admin).await;
        let shown = admin.get(&format!("{own}/delete")).await.text;
        let mut member = Browser::signed_in(&world, MemberRole::Member).await;
        target(&member.submit(&format!("{own}/roles"), &[("name", "New")]).await);
        let refused = admin.submit(&remove, &[("seen", &seen(&shown)), ("confirm", "Shop")]).await;
        assert_eq!(refused.status, 409, "{}", refused.text);
        assert!(refused.text.contains("was changed since you opened"), "{}", refused.text);
        let gone = admin.submit(&remove, &[("seen", &seen(&refused.text)), ("confirm", "Shop")]).await;
        target(&gone);
    }

    async fn members_and_strangers_delete_nothing(world) {
        let (own, remove, _) = addresses(&world);
        let page = format!("{own}/delete");
        for role in [MemberRole::Viewer, MemberRole::Member] {
            let mut browser = Browser::signed_in(&world, role).await;
            assert!(!browser.get(&own).await.text.contains(&page), "{role:?}");
            assert_eq!(browser.get(&page).await.status, 403, "{role:?}");
            assert_eq!(browser.submit(&remove, &[("confirm", "Shop")]).await.status, 403, "{role:?}");
        }
        let mut stranger = Browser::stranger(&world).await;
        assert_eq!((stranger.get(&page).await.status, stranger.submit(&remove, &[("confirm", "Shop")]).await.status), (404.try_into().expect("a status"), 404.try_into().expect("a status")));
    }
}
