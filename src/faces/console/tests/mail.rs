//! Invitations and password links by mail: sent to their recipient and shown to nobody else.

use super::{
    Browser,
    browser::{PASSWORD, member, target},
};
use crate::{
    concepts::organizations::MemberRole,
    testing::{MailServer, StoreKind, Taken, World},
};
use std::time::Duration;

pub(super) const KINDS: [StoreKind; 2] = [StoreKind::Sqlite, StoreKind::Postgres];

/// A world with a mail server.
async fn with_mail(kind: StoreKind) -> (World, MailServer) {
    let mail = MailServer::start().await;
    let (url, from) = (mail.url(), "Inlay <inlay@example.test>");
    (World::with(kind, &["--smtp-url", &url, "--smtp-from", from]).await, mail)
}

/// The last mail to a recipient, after this many mails in total. Mails that strangers request are sent after the response.
pub(super) async fn mailed(mail: &MailServer, to: &str, after: usize) -> Taken {
    let came = async {
        loop {
            let mut taken = mail.taken().into_iter().skip(after).rev();
            if let Some(taken) = taken.find(|taken| taken.recipients.iter().any(|one| one == to)) {
                return taken;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), came).await.expect("a mail")
}

/// The path of the only link in the newest mail.
pub(super) async fn link(world: &World, mail: &MailServer, to: &str) -> String {
    let taken = mailed(mail, to, 0).await;
    let links = taken.links(&world.app.base_url);
    assert_eq!(links.len(), 1, "{}", taken.text());
    links[0].strip_prefix(&world.app.base_url).expect("an address of ours").to_owned()
}

#[tokio::test]
async fn an_invitation_goes_to_whom_it_is_for_and_to_nobody_else() {
    for kind in KINDS {
        let (world, mail) = with_mail(kind).await;
        let mut admin = Browser::signed_in(&world, MemberRole::Admin).await;
        let members = format!("/console/organizations/{}/members", world.organization);
        let form = [("email", "New@Example.test"), ("role", "member")];
        assert_eq!(target(&admin.submit(&format!("{members}/invite"), &form).await), members);
        let page = admin.get(&members).await.text;
        assert!(page.contains("A mail with the link has been sent to") && !page.contains("/console/invitation/"), "{page}");
        let path = link(&world, &mail, "new@example.test").await;
        let mut invited = Browser::new(&world);
        assert_eq!(invited.get(&path).await.status, 200);
        assert_eq!(invited.post(&path, &[("password", PASSWORD)]).await.status, 303);
        assert_eq!(invited.get(&members).await.status, 200);
    }
}

#[tokio::test]
async fn a_forgotten_password_is_helped_by_mail_and_tells_nobody_who_has_an_account() {
    for kind in KINDS {
        let (world, mail) = with_mail(kind).await;
        member(&world, "ada@example.test", MemberRole::Member).await;
        let mut browser = Browser::new(&world);
        assert!(browser.get("/console/sign-in").await.text.contains("/console/forgotten"));
        let [known, unknown] = ["ada@example.test", "eve@example.test"];
        let mut answers = Vec::new();
        for email in [unknown, known] {
            let answer = browser.post("/console/forgotten", &[("email", email)]).await;
            answers.push((target(&answer).to_owned(), browser.get("/console/sign-in").await.text.contains("has been sent")));
        }
        assert_eq!(answers[0], answers[1], "both are answered alike");
        let path = link(&world, &mail, known).await;
        assert!(mail.taken().iter().all(|taken| taken.recipients.iter().all(|one| one != unknown)));
        let mut stolen = Browser::new(&world);
        assert_eq!(stolen.post("/console/sign-in", &[("email", known), ("password", PASSWORD)]).await.status, 303);
        let fresh = "another long password";
        assert_eq!(browser.post(&path, &[("password", fresh)]).await.status, 303);
        assert_eq!(stolen.get("/console/account").await.status, 303, "every session of before has ended");
        assert_eq!(browser.post(&path, &[("password", fresh)]).await.status, 404, "the link works once");
    }
}

#[tokio::test]
async fn without_a_mail_server_links_are_handed_on_by_hand() {
    let world = World::new(StoreKind::Sqlite).await;
    let mut admin = Browser::signed_in(&world, MemberRole::Admin).await;
    let invite = format!("/console/organizations/{}/members/invite", world.organization);
    let made = admin.submit(&invite, &[("email", "new@example.test"), ("role", "member")]).await;
    assert!(made.status == 200 && made.text.contains("/console/invitation/"), "{}", made.text);
    assert!(!Browser::new(&world).get("/console/sign-in").await.text.contains("/console/forgotten"));
}
