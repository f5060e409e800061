//! The rules for a report's settings.

use super::{Studio, edit, edit_with, in_both_studios};
use crate::{
    concepts::reports::store::{self, Rules},
    ground::audit::store::{Wanted, newest},
    testing::{ACME, GLOBEX, Reply, StoreKind, overlapped},
};
use serde_json::{Value, json};

async fn save(studio: &Studio, token: &str, other: &Value) -> Reply {
    studio.ask(token, json!({ "save": { "id": null, "edit": edit_with(other) } })).await
}

in_both_studios! {
    async fn an_owner_has_as_many_reports_as_they_may(studio) {
        let (token, none) = (studio.ada().await, json!({}));
        let most = studio.app.settings.reports.reports_of_user;
        for _ in 2..most {
            studio.save(&token, &edit()).await;
        }
        let replies = futures::future::join_all((0..4).map(|_| save(&studio, &token, &none))).await;
        let codes: Vec<Value> = replies.iter().filter(|reply| reply.status != 200).map(|reply| reply.json()["code"].clone()).collect();
        assert_eq!(codes, ["REPORT_LIMIT", "REPORT_LIMIT"]);
    }

    async fn a_report_that_is_stopped_meanwhile_stays_stopped(studio) {
        let token = studio.ada().await;
        let saved = studio.save(&token, &edit()).await;
        let mut first = studio.app.db.write().await.expect("a transaction");
        let id = saved["id"].as_str().expect("an id").parse().expect("an id");
        store::stop(&mut first.conn(), id, "The role is gone.").await.expect("stopped");
        let ran = overlapped(&studio, first, studio.ask(&token, json!({ "runNow": { "id": saved["id"] } }))).await;
        assert_eq!(ran.status.as_u16(), 200, "{}", ran.text);
        let listed = studio.ask(&token, json!("list")).await.json();
        assert_eq!(listed["reports"]["reports"][0]["state"], "stopped", "{listed}");
    }

    async fn what_could_slip_into_a_mail_s_headers_is_refused(studio) {
        let token = studio.ada().await;
        for other in [
            json!({ "subject": "Hi\r\nBcc: eve@example.test" }),
            json!({ "subject": "Hi\nX: y" }),
            json!({ "subject": "" }),
            json!({ "subject": "x".repeat(201) }),
            json!({ "name": "a\r\nb" }),
            json!({ "name": " " }),
            json!({ "name": "x".repeat(121) }),
            json!({ "message": "a\u{0}b" }),
            json!({ "message": "x".repeat(5001) }),
            json!({ "recipients": ["eve@example.test\r\nBcc: mallory@example.test"] }),
            json!({ "recipients": ["Eve <eve@example.test>"] }),
            json!({ "recipients": ["eve@example.test,mallory@example.test"] }),
            json!({ "recipients": ["eve"] }),
            json!({ "recipients": [] }),
            json!({ "recipients": ["  "] }),
            json!({ "recipients": (0..21).map(|at| format!("a{at}@example.test")).collect::<Vec<_>>() }),
            json!({ "cron": "* * * * *" }),
            json!({ "cron": "never" }),
            json!({ "timezone": "Mars/Olympus" }),
            json!({ "locale": "en\"><script>" }),
            json!({ "condition": { "chart": studio.applied.dashboards["Orders/Overview"].charts["Orders"], "side": "above", "threshold": 1 } }),
            json!({ "condition": { "chart": studio.applied.charts["Count"], "side": "above", "threshold": 1 } }),
        ] {
            let refused = save(&studio, &token, &other).await;
            assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (400, &json!("VALIDATION_FAILED")), "{other}: {}", refused.text);
        }
        let listed = studio.ask(&token, json!("list")).await.json();
        assert_eq!(listed["reports"]["reports"], json!([]));
    }

    async fn recipients_count_once_and_keep_to_the_organization_s_domains(studio) {
        let token = studio.ada().await;
        let recipients = json!(["a@example.test", " A@EXAMPLE.test ", "", "b@example.test"]);
        let saved = studio.save(&token, &edit_with(&json!({ "recipients": recipients }))).await;
        assert_eq!(saved["edit"]["recipients"], json!(["a@example.test", "b@example.test"]));
        studio.allow(Some(Rules { recipient_domains: vec!["example.test".to_owned()] })).await;
        let refused = save(&studio, &token, &json!({ "recipients": ["a@example.test", "b@sub.example.test"] })).await;
        assert_eq!(refused.status.as_u16(), 400, "{}", refused.text);
        assert!(refused.json()["message"].as_str().is_some_and(|told| told.contains("example.test")));
    }

    async fn nobody_else_s_report_exists(studio) {
        let token = studio.ada().await;
        let saved = studio.save(&token, &edit()).await;
        let colleague = studio.sign_in(ACME, "grace").await["token"].as_str().expect("a token").to_owned();
        let stranger = studio.sign_in(GLOBEX, "ada").await["token"].as_str().expect("a token").to_owned();
        for other in [colleague, stranger] {
            let listed = studio.ask(&other, json!("list")).await.json();
            assert_eq!(listed["reports"]["reports"], json!([]));
            for ask in [
                json!({ "save": { "id": saved["id"], "edit": edit() } }),
                json!({ "pause": { "id": saved["id"], "rests": true } }),
                json!({ "runNow": { "id": saved["id"] } }),
                json!({ "history": { "id": saved["id"] } }),
                json!({ "remove": { "id": saved["id"] } }),
            ] {
                let refused = studio.ask(&other, ask.clone()).await;
                assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (404, &json!("NOT_FOUND")), "{ask}");
            }
        }
        assert_eq!(studio.ask(&token, json!("list")).await.json()["reports"]["reports"].as_array().map(Vec::len), Some(1));
    }

    async fn without_token_or_flag_nothing_is_answered(studio) {
        let viewer = studio.token(ACME).await;
        let editor = studio.sign_in_as(ACME, "editor", Some("Analyst")).await["token"].as_str().expect("a token").to_owned();
        for ask in [json!("list"), json!({ "save": { "id": null, "edit": edit() } }), json!({ "coming": { "cron": "0 8 * * *", "timezone": "UTC" } })] {
            assert_eq!(studio.ask("", ask.clone()).await.status.as_u16(), 401);
            for token in [&viewer, &editor] {
                let refused = studio.ask(token, ask.clone()).await;
                assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (403, &json!("PERMISSION_DENIED")), "{ask}");
            }
        }
    }

    async fn a_report_rests_and_runs_by_hand(studio) {
        let token = studio.ada().await;
        let saved = studio.save(&token, &edit()).await;
        let rests = studio.ask(&token, json!({ "pause": { "id": saved["id"], "rests": true } })).await.json();
        assert_eq!((&rests["report"]["state"], &rests["report"]["next"]), (&json!("paused"), &Value::Null));
        studio.run_due().await;
        assert!(studio.mail.taken().is_empty(), "it rests");
        let ran = studio.ask(&token, json!({ "runNow": { "id": saved["id"] } })).await;
        assert_eq!(ran.status.as_u16(), 200, "{}", ran.text);
        let again = studio.ask(&token, json!({ "runNow": { "id": saved["id"] } })).await;
        assert_eq!(again.json()["code"], json!("REPORT_RUNNING"));
        studio.work().await;
        assert_eq!(studio.mail.taken().len(), 1);
        let again = studio.ask(&token, json!({ "runNow": { "id": saved["id"] } })).await;
        assert_eq!((again.status.as_u16(), &again.json()["code"]), (429, &json!("RATE_LIMITED")));
        let wait = again.json()["retryAfter"].as_u64().expect("when to try again");
        assert_eq!(again.headers["retry-after"], *wait.to_string());
        let run = studio.history(&token, &saved).await[0].clone();
        assert_eq!((&run["byHand"], &run["state"]), (&json!(true), &json!("done")));
        let runs = studio.ask(&token, json!({ "pause": { "id": saved["id"], "rests": false } })).await.json();
        assert!(runs["report"]["next"].is_string() && runs["report"]["state"] == json!("active"), "{runs}");
    }

    async fn coming_runs_are_told_before_anything_is_saved(studio) {
        let token = studio.ada().await;
        let told = studio.ask(&token, json!({ "coming": { "cron": "0 8 * * *", "timezone": "Asia/Kolkata" } })).await.json();
        let coming = told["coming"].as_array().expect("a list").clone();
        assert!(coming.len() == 5 && coming.iter().all(|at| at.as_str().is_some_and(|at| at.ends_with("08:00 IST"))), "{told}");
        let refused = studio.ask(&token, json!({ "coming": { "cron": "*/5 * * * *", "timezone": "UTC" } })).await;
        assert!(refused.json()["message"].as_str().is_some_and(|told| told.contains("15 minutes")), "{}", refused.text);
    }

    async fn changes_stand_in_the_audit_log_and_recipients_do_not(studio) {
        let token = studio.ada().await;
        let saved = studio.save(&token, &edit()).await;
        studio.ask(&token, json!({ "remove": { "id": saved["id"] } })).await;
        let wanted = Wanted { action: Some("report".into()), ..Wanted::of(studio.organization, 9) };
        let events = newest(&mut studio.app.db.read().await.expect("a connection").conn(), &wanted).await.expect("read");
        let actions: Vec<&str> = events.iter().map(|event| event.action.as_str()).collect();
        assert_eq!(actions, ["report.deleted", "report.created"]);
        assert!(events.iter().all(|event| !format!("{event:?}").contains("grace@example.test")));
    }
}

#[tokio::test]
async fn without_a_mail_server_a_run_waits_and_says_why() {
    let studio = Studio::without_mail().await;
    let token = studio.ada().await;
    let saved = studio.save(&token, &edit()).await;
    studio.run_due().await;
    let run = studio.history(&token, &saved).await[0].clone();
    assert!(
        run["state"] == json!("waiting") && run["problem"].as_str().is_some_and(|told| told.contains("INLAY_SMTP_URL")),
        "{run}"
    );
    assert_eq!(studio.ask(&token, json!("list")).await.json()["reports"]["mail"], json!(false));
}

#[tokio::test]
async fn nobody_floods_mailboxes_by_making_reports_again_and_again() {
    for kind in [StoreKind::Sqlite, StoreKind::Postgres] {
        let studio = Studio::with(kind, &["--report-mails-a-day", "3"]).await;
        let token = studio.ada().await;
        for state in ["done", "failed"] {
            let recipients = json!(["a@example.test", "b@example.test"]);
            let saved = studio.save(&token, &edit_with(&json!({ "recipients": recipients }))).await;
            studio.ask(&token, json!({ "runNow": { "id": saved["id"] } })).await;
            studio.work().await;
            let run = studio.history(&token, &saved).await[0].clone();
            assert_eq!(
                (&run["state"], studio.mail.taken().len()),
                (&json!(state), 2),
                "two went out, four would be too many: {run}"
            );
            studio.ask(&token, json!({ "remove": { "id": saved["id"] } })).await;
        }
    }
}
