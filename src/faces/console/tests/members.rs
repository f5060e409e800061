//! Two admins who change one member.

use super::{Browser, browser::member};
use crate::{
    concepts::organizations::{MemberRole, members},
    testing::{World, on_both_stores},
};

const ADA: &str = "ada@example.test";

/// Ada's current state: the address of her row's forms, and her role.
async fn ada(world: &World) -> Option<(String, MemberRole)> {
    let mut lease = world.app.db.read().await.expect("a connection");
    let all = members::of_organization(&mut lease.conn(), world.organization).await.expect("read");
    let found = all.into_iter().find(|member| member.email == ADA)?;
    Some((format!("/console/organizations/{}/members/{}", world.organization, found.id), found.role))
}

/// The fingerprint in a member's row.
fn seen(page: &str, address: &str) -> String {
    let (_, row) = page.split_once(&format!("action=\"{address}/role\"")).expect("a row");
    let (_, rest) = row.split_once("name=\"seen\" value=\"").expect("a field");
    rest.split('"').next().expect("a value").to_owned()
}

/// The selected role in a member's row.
fn chosen(page: &str, address: &str) -> String {
    let (_, row) = page.split_once(&format!("action=\"{address}/role\"")).expect("a row");
    let (choice, _) = row.split_once("</select>").expect("a choice");
    let option = choice.split("<option").find(|option| option.contains("selected")).expect("one is chosen");
    option.split_once("value=\"").and_then(|(_, rest)| rest.split('"').next()).expect("a value").to_owned()
}

on_both_stores! {
    async fn who_is_overtaken_sees_it_and_may_send_their_role_again(world) {
        member(&world, ADA, MemberRole::Member).await;
        let (address, _) = ada(&world).await.expect("a member");
        let list = format!("/console/organizations/{}/members", world.organization);
        let mut first = Browser::signed_in(&world, MemberRole::Admin).await;
        let mut second = Browser::signed_in(&world, MemberRole::Admin).await;
        let before = seen(&second.get(&list).await.text, &address);
        let role = format!("{address}/role");
        assert_eq!(first.submit(&role, &[("role", "viewer"), ("seen", &before)]).await.status, 303);
        let overtaken = second.submit(&role, &[("role", "admin"), ("seen", &before)]).await;
        assert_eq!(overtaken.status, 409, "{}", overtaken.text);
        assert!(overtaken.text.contains(&format!("{ADA} is now viewer")) && overtaken.text.contains("Now Viewer"), "{}", overtaken.text);
        assert_eq!(chosen(&overtaken.text, &address), "admin", "what was chosen is kept");
        assert_eq!(ada(&world).await.expect("a member").1, MemberRole::Viewer, "nothing was done");
        let again = seen(&overtaken.text, &address);
        assert_eq!(second.submit(&role, &[("role", "admin"), ("seen", &again)]).await.status, 303);
        assert_eq!(ada(&world).await.expect("a member").1, MemberRole::Admin);
        assert_eq!(first.submit(&role, &[("role", "admin"), ("seen", "viewer")]).await.status, 303, "both meant the same");
    }

    async fn nobody_is_removed_for_what_they_were(world) {
        member(&world, ADA, MemberRole::Viewer).await;
        let (address, _) = ada(&world).await.expect("a member");
        let mut first = Browser::signed_in(&world, MemberRole::Admin).await;
        let mut second = Browser::signed_in(&world, MemberRole::Admin).await;
        assert_eq!(first.submit(&format!("{address}/role"), &[("role", "admin"), ("seen", "viewer")]).await.status, 303);
        let remove = format!("{address}/remove");
        let overtaken = second.submit(&remove, &[("seen", "viewer")]).await;
        assert_eq!(overtaken.status, 409, "{}", overtaken.text);
        assert!(overtaken.text.contains(&format!("{ADA} is now admin")), "{}", overtaken.text);
        assert_eq!(chosen(&overtaken.text, &address), "admin");
        assert_eq!(second.submit(&remove, &[]).await.status, 400, "a form says what it was drawn from");
        assert_eq!(ada(&world).await.expect("a member").1, MemberRole::Admin);
        assert_eq!(second.submit(&remove, &[("seen", &seen(&overtaken.text, &address))]).await.status, 303);
        assert!(ada(&world).await.is_none());
        let gone = first.submit(&format!("{address}/role"), &[("role", "viewer"), ("seen", "admin")]).await;
        assert!(gone.status == 409 && gone.text.contains("This member was removed"), "{}", gone.text);
    }
}
