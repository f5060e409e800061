//! A report never shows more than its owner may see when it runs.

use super::{edit, edit_with, in_both_studios};
use crate::{
    concepts::{
        organizations::{
            MemberRole,
            members::{self, Member, Owner},
        },
        reports::store::Rules,
        tokens::{self, revocation::SubjectKind},
    },
    ground::web::origin::Origin,
    testing::{ACME, GLOBEX},
};
use axum::http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

async fn revoke(studio: &super::Studio, kind: SubjectKind, id: &Value) {
    let id: Uuid = id.as_str().expect("an id").parse().expect("an id");
    let mut tx = studio.app.db.write().await.expect("a transaction");
    tokens::cut_off(&mut tx.conn(), kind, id, &[]).await.expect("revoked");
    tx.commit().await.expect("committed");
    studio.app.refresh().await.expect("refreshed");
}

/// Runs what is due. Checks that no mail was sent, and returns the report with its reason.
async fn stopped(studio: &super::Studio, mails: usize) -> Value {
    studio.run_due().await;
    assert_eq!(studio.mail.taken().len(), mails, "no mail went out");
    let token = studio.ada().await;
    let report = studio.ask(&token, json!("list")).await.json()["reports"]["reports"][0].clone();
    assert_eq!(report["last"]["state"], json!("failed"), "{report}");
    report
}

in_both_studios! {
    async fn rows_are_those_of_the_run(studio) {
        let token = studio.ada().await;
        studio.save(&token, &edit_with(&json!({ "format": "csv" }))).await;
        let mut body = studio.sign_in_body(ACME, "ada");
        body["organization"]["properties"]["company"] = json!(GLOBEX);
        studio.post("/v1/api/projects/embed-token", &studio.key, &body).await.data();
        studio.run_due().await;
        let orders = String::from_utf8_lossy(&studio.mail.taken()[0].files()[0].content).into_owned();
        let ids: Vec<&str> = orders.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
        assert_eq!(ids, ["11", "12"], "the rule reads what the customer is now: {orders}");
    }

    async fn a_missing_property_shows_nothing(studio) {
        let token = studio.ada().await;
        studio.save(&token, &edit_with(&json!({ "format": "csv" }))).await;
        let mut body = studio.sign_in_body(ACME, "ada");
        body["organization"]["properties"]["company"] = Value::Null;
        studio.post("/v1/api/projects/embed-token", &studio.key, &body).await.data();
        studio.run_due().await;
        let names: Vec<String> = studio.mail.taken()[0].files().into_iter().map(|file| file.name).collect();
        assert_eq!(names, ["Rates.csv"], "the open table alone");
    }

    async fn a_revoked_user_s_report_stops_and_its_links_with_it(studio) {
        let signed = studio.sign_in(ACME, "ada").await;
        let token = signed["token"].as_str().expect("a token");
        studio.save(token, &edit()).await;
        studio.run_due().await;
        let link = studio.mail.taken()[0].links("https://embed.test/share/report?")[0].replace("https://embed.test", "");
        assert_eq!(studio.get(&link, "").await.status.as_u16(), 200);
        revoke(&studio, SubjectKind::User, &signed["projectUserId"]).await;
        assert_eq!(studio.get(&link, "").await.status.as_u16(), 404);
        let report = stopped(&studio, 1).await;
        assert_eq!((&report["state"], &report["next"]), (&json!("stopped"), &Value::Null), "{report}");
        assert!(report["problem"].as_str().is_some_and(|problem| problem.contains("access was revoked")), "{report}");
        studio.run_due().await;
        assert_eq!(studio.mail.taken().len(), 1, "it stays stopped");
        // After a new sign-in, its owner resumes it by saving.
        let again = studio.ada().await;
        let saved = studio.ask(&again, json!({ "save": { "id": report["id"], "edit": report["edit"] } })).await.json();
        assert_eq!(saved["report"]["state"], json!("active"), "{saved}");
        studio.run_due().await;
        assert_eq!(studio.mail.taken().len(), 2);
        assert_eq!(studio.get(&link, "").await.status.as_u16(), 404, "what was cut off stays so");
        let newer = studio.mail.taken()[1].links("https://embed.test/share/report?")[0].replace("https://embed.test", "");
        assert_eq!(studio.get(&newer, "").await.status.as_u16(), 200);
    }

    async fn a_role_without_downloads_gets_no_paper(studio) {
        let token = studio.ada().await;
        studio.save(&token, &edit_with(&json!({ "format": "pdf" }))).await;
        let path = format!("/v1/api/projects/{}/user-roles/{}", studio.applied.project_id, studio.role.as_str().expect("an id"));
        let body = json!({ "permissions": { "enableScheduleReport": true, "hideDownloadButton": true } });
        studio.call(Method::PATCH, &path, &studio.key, Some(&body)).await.data();
        let report = stopped(&studio, 0).await;
        assert!(report["last"]["problem"].as_str().is_some_and(|problem| problem.contains("downloading")), "{report}");
    }

    async fn whatever_cuts_a_token_off_cuts_off_what_it_asked_for(studio) {
        let signed = studio.sign_in(ACME, "ada").await;
        for (kind, id) in [
            (SubjectKind::Customer, signed["projectOrganizationId"].clone()),
            (SubjectKind::Project, json!(studio.applied.project_id)),
        ] {
            let token = studio.ada().await;
            let saved = studio.save(&token, &edit()).await;
            revoke(&studio, kind, &id).await;
            let report = stopped(&studio, 0).await;
            assert_eq!(report["state"], json!("stopped"), "{kind:?}");
            studio.ask(&studio.ada().await, json!({ "remove": { "id": saved["id"] } })).await;
        }
    }

    async fn a_revoked_key_cuts_off_what_its_users_asked_for(studio) {
        let key = studio.member_key(MemberRole::Owner, false).await;
        let mut body = studio.sign_in_body(ACME, "ada");
        body["user"]["userRoleId"] = studio.role.clone();
        let signed = studio.post("/v1/api/projects/embed-token", &key, &body).await.data();
        studio.save(signed["token"].as_str().expect("a token"), &edit()).await;
        let id = key.split('_').nth(1).expect("an id").parse::<Uuid>().expect("an id");
        revoke(&studio, SubjectKind::Key, &json!(id)).await;
        assert_eq!(stopped(&studio, 0).await["state"], json!("stopped"));
    }

    async fn a_member_who_goes_takes_what_their_key_let_in_with_them(studio) {
        let key = studio.member_key(MemberRole::Admin, false).await;
        let mut body = studio.sign_in_body(ACME, "ada");
        body["user"]["userRoleId"] = studio.role.clone();
        let signed = studio.post("/v1/api/projects/embed-token", &key, &body).await.data();
        studio.save(signed["token"].as_str().expect("a token"), &edit()).await;
        studio.run_due().await;
        let link = studio.mail.taken()[0].links("https://embed.test/share/report?")[0].replace("https://embed.test", "");
        assert_eq!(studio.get(&link, "").await.status.as_u16(), 200);
        let owner = studio.membership(&studio.member_key(MemberRole::Owner, false).await).await;
        let owner = Member::<Owner>::new(&owner, Origin::default()).expect("an owner");
        let member = studio.membership(&key).await;
        members::set_role(&studio.app, &owner, member.id, member.role, MemberRole::Viewer).await.expect("changed");
        studio.app.refresh().await.expect("refreshed");
        assert_eq!(studio.get(&link, "").await.status.as_u16(), 200, "who signs nobody in any more has let these in");
        members::remove(&studio.app, &owner, member.id, MemberRole::Viewer).await.expect("removed");
        studio.app.refresh().await.expect("refreshed");
        assert_eq!(studio.get(&link, "").await.status.as_u16(), 404);
        assert_eq!(stopped(&studio, 1).await["state"], json!("stopped"));
    }

    async fn a_role_that_no_longer_allows_it_stops_it(studio) {
        let token = studio.ada().await;
        let saved = studio.save(&token, &edit()).await;
        let path = format!("/v1/api/projects/{}/user-roles/{}", studio.applied.project_id, studio.role.as_str().expect("an id"));
        let change = async |on: bool| {
            let body = json!({ "permissions": { "enableScheduleReport": on } });
            studio.call(Method::PATCH, &path, &studio.key, Some(&body)).await.data();
        };
        change(false).await;
        let refused = studio.ask(&token, json!("list")).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (403, &json!("PERMISSION_DENIED")), "at once, whatever the token says");
        studio.run_due().await;
        assert!(studio.mail.taken().is_empty());
        change(true).await;
        let report = stopped(&studio, 0).await;
        assert_eq!((&report["state"], &report["id"]), (&json!("stopped"), &saved["id"]), "{report}");
    }

    async fn turned_off_for_the_organization_nothing_goes_out(studio) {
        let token = studio.ada().await;
        studio.save(&token, &edit()).await;
        studio.allow(None).await;
        let refused = studio.ask(&token, json!("list")).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (403, &json!("REPORTS_DISABLED")));
        studio.run_due().await;
        assert!(studio.mail.taken().is_empty());
        studio.allow(Some(Rules::default())).await;
        studio.run_due().await;
        assert_eq!(studio.mail.taken().len(), 1, "turned on again it goes on");
    }

    async fn domains_that_were_closed_since_get_nothing(studio) {
        let token = studio.ada().await;
        let recipients = json!(["a@example.test", "b@other.test"]);
        studio.save(&token, &edit_with(&json!({ "recipients": recipients }))).await;
        studio.allow(Some(Rules { recipient_domains: vec!["example.test".to_owned()] })).await;
        studio.run_due().await;
        let to: Vec<String> = studio.mail.taken().into_iter().flat_map(|taken| taken.recipients).collect();
        assert_eq!(to, ["a@example.test"]);
    }

    async fn the_dashboard_s_page_offers_it_where_organization_and_role_allow_it(studio) {
        let token = studio.ada().await;
        let open = async |token: &str| {
            let application = studio.applied.applications["Orders"].id;
            studio.get(&format!("/share/application/{application}?jwt={token}"), "").await.text
        };
        assert!(open(&token).await.contains("Schedule report"));
        assert!(!open(&studio.token(ACME).await).await.contains("Schedule report"), "without the flag");
        studio.allow(None).await;
        assert!(!open(&token).await.contains("Schedule report"), "turned off");
    }
}
