//! The mails that recipients get, and their links.

use super::{edit, edit_with, in_both_studios};
use crate::{
    concepts::reports::store::Rules,
    on,
    testing::{GLOBEX, Taken},
};
use axum::http::Method;
use flate2::read::DeflateDecoder;
use inlay_contract::ids::RunId;
use serde_json::json;
use std::io::Read;

/// The path of a link, for the router.
fn path(taken: &Taken, beginning: &str) -> String {
    let links = taken.links(beginning);
    let link = links.first().unwrap_or_else(|| panic!("a link {beginning} in {}", taken.text()));
    link.strip_prefix("https://embed.test").expect("the embed host").to_owned()
}

fn page(taken: &Taken) -> String {
    path(taken, "https://embed.test/share/report?")
}

fn way_out(taken: &Taken) -> String {
    path(taken, "https://embed.test/share/report/unsubscribe?")
}

in_both_studios! {
    async fn a_report_goes_out_once_and_its_link_opens_what_the_owner_saw(studio) {
        let token = studio.ada().await;
        let saved = studio.save(&token, &edit_with(&json!({ "recipients": ["grace@example.test", "Alan@Example.test"] }))).await;
        assert_eq!((saved["state"].as_str(), saved["edit"]["recipients"][1].as_str()), (Some("active"), Some("alan@example.test")));
        assert!(saved["next"].as_str().is_some_and(|next| next.starts_with("Mon ") && next.contains("08:00 CE")), "{saved}");
        studio.work().await;
        assert!(studio.mail.taken().is_empty(), "it is not due");
        studio.run_due().await;
        studio.work().await;
        let mut taken = studio.mail.taken();
        taken.sort_by_key(|taken| taken.recipients.clone());
        let to: Vec<&str> = taken.iter().flat_map(|taken| taken.recipients.iter().map(String::as_str)).collect();
        assert_eq!(to, ["alan@example.test", "grace@example.test"], "one mail each, by three nodes at once");
        assert_eq!((taken[0].subject().as_str(), taken[0].files().len()), ("Orders of the week", 0));
        assert!(taken[0].text().contains("Have a look.") && taken[0].text().contains("ada scheduled this in Orders."));
        assert_ne!(page(&taken[0]), page(&taken[1]), "each recipient has a link of their own");

        let shown = studio.get(&page(&taken[0]), "").await;
        assert_eq!(shown.status.as_u16(), 200, "{}", shown.text);
        assert!(shown.text.contains("<svg") && shown.text.contains("Overview") && shown.text.contains("As of "), "drawn");
        assert!(!shown.text.contains("<script") && !shown.text.contains("application/json"), "nothing runs there");
        let header = |name: &str| shown.headers[name].to_str().expect("text").to_owned();
        assert_eq!((header("cache-control").as_str(), header("referrer-policy").as_str()), ("no-store", "no-referrer"));
        let policy = header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'") && !policy.contains("script"), "{policy}");

        let runs = studio.history(&token, &saved).await;
        assert_eq!((runs.len(), &runs[0]["state"], &runs[0]["sent"]), (1, &json!("done"), &json!(2)));
        let listed = studio.ask(&token, json!("list")).await.json()["reports"]["reports"][0].clone();
        assert!(listed["next"].as_str().is_some_and(|next| next.starts_with("Mon ")), "it is due again: {listed}");
    }

    async fn what_was_missed_for_long_comes_once(studio) {
        let token = studio.ada().await;
        let saved = studio.save(&token, &edit_with(&json!({ "cron": "*/15 * * * *" }))).await;
        studio.run_due().await;
        studio.work().await;
        assert_eq!((studio.mail.taken().len(), studio.history(&token, &saved).await.len()), (1, 1));
    }

    async fn files_hold_the_owner_s_rows_and_no_others(studio) {
        let token = studio.ada().await;
        for format in ["csv", "xlsx", "pdf"] {
            studio.save(&token, &edit_with(&json!({ "format": format, "recipients": [format!("{format}@example.test")] }))).await;
        }
        studio.run_due().await;
        studio.work().await;
        let taken = studio.mail.taken();
        let of = |format: &str| {
            let to = format!("{format}@example.test");
            taken.iter().find(|taken| taken.recipients[0] == to).unwrap_or_else(|| panic!("a mail for {format}")).clone()
        };
        let files = of("csv").files();
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        // The chart of a table without a rule shows nothing, and the mail says so.
        assert_eq!(names, ["Orders.csv", "Count.csv", "Rates.csv"]);
        let orders = String::from_utf8_lossy(&files[0].content).into_owned();
        let ids: Vec<&str> = orders.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
        assert_eq!(ids, ["1", "2", "3"], "{orders}");
        assert!(of("csv").text().contains("1 of 4 charts could not be loaded"), "{}", of("csv").text());
        let book = of("xlsx").files();
        assert_eq!((book.len(), book[0].name.as_str(), &book[0].content[..4]), (1, "Overview.xlsx", &b"PK\x03\x04"[..]));
        let paper = of("pdf").files();
        assert_eq!((paper[0].media_type.as_str(), &paper[0].content[..5]), ("application/pdf", &b"%PDF-"[..]));
        assert!(taken.iter().all(|taken| taken.links("https://embed.test/share/report?").is_empty()));
    }

    async fn the_report_s_filters_stand_whatever_the_page_shows_later(studio) {
        let token = studio.ada().await;
        let filters = json!({ "filter_region": ["north"], "filter_unknown": ["x"], "f_warehouse.orders.id": [1, 2] });
        let saved = studio.save(&token, &edit_with(&json!({ "format": "csv", "filters": filters }))).await;
        assert_eq!(saved["edit"]["filters"], json!({ "f_warehouse.orders.id": [1, 2], "filter_region": "north" }));
        studio.run_due().await;
        let orders = String::from_utf8_lossy(&studio.mail.taken()[0].files()[0].content).into_owned();
        assert_eq!(orders.lines().count(), 2, "{orders}");
        let text = studio.mail.taken()[0].text();
        assert!(text.contains("Region: north") && text.contains("id: 1, 2"), "whatever narrows the rows is named: {text}");
    }

    async fn the_second_try_brings_what_the_first_did(studio) {
        let token = studio.ada().await;
        let recipients = json!(["a@example.test", "b@example.test"]);
        let saved = studio.save(&token, &edit_with(&json!({ "format": "csv", "recipients": recipients }))).await;
        studio.mail.refuse("b@example.test", 452);
        studio.run_due().await;
        studio.become_company(Some(GLOBEX)).await;
        let mut edit = saved["edit"].clone();
        edit["subject"] = json!("Another subject");
        studio.ask(&token, json!({ "save": { "id": saved["id"], "edit": edit } })).await;
        studio.mail.refuse("b@example.test", 250);
        studio.try_again().await;
        let taken = studio.mail.taken();
        assert_eq!((taken.len(), taken[0].files().len()), (2, 3));
        let told = |taken: &Taken| {
            let files: Vec<Vec<u8>> = taken.files().into_iter().map(|file| file.content).collect();
            (taken.subject(), files)
        };
        assert_eq!(told(&taken[0]), told(&taken[1]));
        let mut lease = studio.app.db.read().await.expect("a connection");
        let kept: Vec<Option<Vec<u8>>> =
            on!(&mut lease.conn(), |c| sqlx::query_scalar("SELECT letter FROM report_runs").fetch_all(c).await).expect("read");
        assert_eq!(kept, [None], "what is sent is kept no longer");
    }

    async fn what_waits_to_be_sent_rests_sealed(studio) {
        let token = studio.ada().await;
        studio.save(&token, &edit_with(&json!({ "format": "csv" }))).await;
        studio.mail.refuse("grace@example.test", 452);
        studio.run_due().await;
        let mut lease = studio.app.db.read().await.expect("a connection");
        let kept: Vec<Vec<u8>> =
            on!(&mut lease.conn(), |c| sqlx::query_scalar("SELECT letter FROM report_runs").fetch_all(c).await).expect("read");
        let (run,): (RunId,) =
            on!(&mut lease.conn(), |c| sqlx::query_as("SELECT id FROM report_runs").fetch_one(c).await).expect("read");
        let opened = studio.app.sealer.open(run.0, &kept[0]).expect("sealed for its run");
        let mut letter = String::new();
        DeflateDecoder::new(&opened[..]).read_to_string(&mut letter).expect("packed");
        assert!(letter.contains("Orders.csv"), "{letter}");
    }

    async fn a_role_that_loses_downloads_gets_no_further_mail_with_a_pdf(studio) {
        let token = studio.ada().await;
        let recipients = json!(["a@example.test", "b@example.test"]);
        let saved = studio.save(&token, &edit_with(&json!({ "format": "pdf", "recipients": recipients }))).await;
        studio.mail.refuse("b@example.test", 452);
        studio.run_due().await;
        studio.set_flag("hideDownloadButton", true).await;
        studio.mail.refuse("b@example.test", 250);
        studio.try_again().await;
        assert_eq!(studio.mail.taken().len(), 1);
        let run = studio.history(&token, &saved).await[0].clone();
        assert_eq!((&run["state"], &run["sent"], &run["failed"][0][0]), (&json!("done"), &json!(1), &json!("b@example.test")), "{run}");
        assert!(run["failed"][0][1].as_str().is_some_and(|problem| problem.contains("downloading")), "{run}");
    }

    async fn a_domain_that_is_closed_meanwhile_gets_nothing(studio) {
        let token = studio.ada().await;
        let recipients = json!(["a@example.test", "b@other.test"]);
        let saved = studio.save(&token, &edit_with(&json!({ "recipients": recipients }))).await;
        studio.mail.refuse("b@other.test", 452);
        studio.run_due().await;
        studio.allow(Some(Rules { recipient_domains: vec!["example.test".to_owned()] })).await;
        studio.mail.refuse("b@other.test", 250);
        studio.try_again().await;
        assert_eq!(studio.mail.taken().len(), 1);
        let run = studio.history(&token, &saved).await[0].clone();
        assert_eq!((&run["sent"], &run["failed"][0][0]), (&json!(1), &json!("b@other.test")), "{run}");
    }

    async fn webhooks_hear_of_reports_that_went_out(studio) {
        studio.listen().await;
        let token = studio.ada().await;
        studio.save(&token, &edit()).await;
        studio.mail.refuse("grace@example.test", 550);
        studio.run_due().await;
        assert!(studio.told().await.is_empty(), "nothing went out");
        studio.mail.refuse("grace@example.test", 250);
        studio.run_due().await;
        let [(event, data)] = &studio.told().await[..] else { panic!("one message") };
        assert_eq!((event.as_str(), &data["sent"], &data["failed"]), ("report.sent", &json!(1), &json!(0)));
    }

    async fn a_mail_that_failed_for_now_is_sent_again_and_no_other(studio) {
        let token = studio.ada().await;
        let recipients = json!(["a@example.test", "b@example.test", "gone@example.test"]);
        let saved = studio.save(&token, &edit_with(&json!({ "recipients": recipients }))).await;
        studio.mail.refuse("b@example.test", 452);
        studio.mail.refuse("gone@example.test", 550);
        studio.run_due().await;
        let run = studio.history(&token, &saved).await[0].clone();
        assert_eq!((&run["state"], &run["sent"]), (&json!("waiting"), &json!(1)), "{run}");
        assert!(run["problem"].as_str().is_some_and(|problem| problem.contains("452")), "{run}");
        studio.mail.refuse("b@example.test", 250);
        studio.make_due().await;
        studio.work().await;
        let mut to: Vec<String> = studio.mail.taken().into_iter().flat_map(|taken| taken.recipients).collect();
        to.sort();
        // The schedule's next time is due as well: every reachable recipient gets that mail too.
        assert_eq!(to, ["a@example.test", "a@example.test", "b@example.test", "b@example.test"]);
        let runs = studio.history(&token, &saved).await;
        assert!(runs.iter().all(|run| run["state"] == json!("done") && run["sent"] == json!(2)), "{runs:?}");
        assert_eq!(runs[0]["failed"][0][0], json!("gone@example.test"));
        assert!(runs[0]["failed"][0][1].as_str().is_some_and(|problem| problem.contains("550")));
    }

    async fn after_a_crash_the_same_mail_goes_out_with_the_same_links(studio) {
        let token = studio.ada().await;
        studio.save(&token, &edit()).await;
        studio.mail.die_after_data(true);
        studio.run_due().await;
        studio.mail.die_after_data(false);
        studio.try_again().await;
        let taken = studio.mail.taken();
        assert!(taken.len() >= 2, "the first was never confirmed");
        let (first, last) = (&taken[0], &taken[taken.len() - 1]);
        assert_eq!(first.header("message-id"), last.header("message-id"), "programs show it once");
        assert_eq!(page(first), page(last));
        assert_eq!(studio.get(&page(first), "").await.status.as_u16(), 200);
    }

    async fn who_unsubscribes_gets_no_more(studio) {
        let token = studio.ada().await;
        let recipients = json!(["a@example.test", "b@example.test"]);
        let saved = studio.save(&token, &edit_with(&json!({ "recipients": recipients }))).await;
        studio.run_due().await;
        let first = studio.mail.taken().into_iter().find(|taken| taken.recipients == ["a@example.test"]).expect("a mail");
        assert_eq!(first.header("list-unsubscribe").map(|value| value.replace("https://embed.test", "")), Some(format!("<{}>", way_out(&first))));
        let asked = studio.get(&way_out(&first), "").await;
        assert!(asked.status.as_u16() == 200 && asked.text.contains("<form method=\"post\">"), "{}", asked.text);
        studio.run_due().await;
        assert_eq!(studio.mail.taken().len(), 4, "looking at the page changes nothing");
        for _ in 0..2 {
            let done = studio.call(Method::POST, &way_out(&first), "", None).await;
            assert!(done.status.as_u16() == 200 && done.text.contains("a@example.test no longer receives"), "{}", done.text);
        }
        studio.run_due().await;
        let to = studio.mail.taken().last().expect("a mail").recipients.clone();
        assert_eq!((studio.mail.taken().len(), to), (5, vec!["b@example.test".to_owned()]));
        let listed = studio.ask(&token, json!("list")).await.json()["reports"]["reports"][0].clone();
        assert_eq!((&listed["unsubscribed"], &listed["id"]), (&json!(["a@example.test"]), &saved["id"]));
        for odd in ["", "?key=", "?key=0", &format!("?key={}", "0".repeat(64))] {
            assert_eq!(studio.get(&format!("/share/report/unsubscribe{odd}"), "").await.status.as_u16(), 404, "{odd}");
            assert_eq!(studio.get(&format!("/share/report{odd}"), "").await.status.as_u16(), 404, "{odd}");
        }
        assert_eq!(studio.get(&page(&first).replace("/share/report?", "/share/report/unsubscribe?"), "").await.status.as_u16(), 404, "one key does not do for the other");
    }

    async fn a_link_ends_with_its_time_and_with_its_report(studio) {
        let token = studio.ada().await;
        let saved = studio.save(&token, &edit()).await;
        studio.run_due().await;
        let link = page(&studio.mail.taken()[0]);
        let set = async |expires: i64| {
            let mut tx = studio.app.db.write().await.expect("a transaction");
            let sql = "UPDATE report_runs SET expires_at = $1";
            on!(&mut tx.conn(), |c| sqlx::query(sql).bind(expires).execute(c).await.map(drop)).expect("set");
            tx.commit().await.expect("committed");
        };
        set(1).await;
        assert_eq!(studio.get(&link, "").await.status.as_u16(), 404);
        set(i64::MAX).await;
        assert_eq!(studio.get(&link, "").await.status.as_u16(), 200);
        studio.ask(&token, json!({ "remove": { "id": saved["id"] } })).await;
        assert_eq!(studio.get(&link, "").await.status.as_u16(), 404);
    }

    async fn a_store_that_is_away_for_a_moment_is_no_end_of_a_link(studio) {
        let token = studio.ada().await;
        studio.save(&token, &edit()).await;
        studio.run_due().await;
        let link = page(&studio.mail.taken()[0]);
        let rename = async |sql: &'static str| {
            let mut tx = studio.app.db.write().await.expect("a transaction");
            on!(&mut tx.conn(), |c| sqlx::query(sql).execute(c).await.map(drop)).expect("renamed");
            tx.commit().await.expect("committed");
        };
        rename("ALTER TABLE applications RENAME TO applications_away").await;
        assert_eq!(studio.get(&link, "").await.status.as_u16(), 500);
        rename("ALTER TABLE applications_away RENAME TO applications").await;
        assert_eq!(studio.get(&link, "").await.status.as_u16(), 200);
    }

    async fn what_is_stored_of_a_page_is_sealed(studio) {
        let token = studio.ada().await;
        studio.save(&token, &edit()).await;
        studio.run_due().await;
        let mut lease = studio.app.db.read().await.expect("a connection");
        let sql = "SELECT snapshot FROM report_runs";
        let kept: Vec<Vec<u8>> = on!(&mut lease.conn(), |c| sqlx::query_scalar(sql).fetch_all(c).await).expect("read");
        assert!(kept[0].len() > 500 && !String::from_utf8_lossy(&kept[0]).contains("svg"));
        let key = page(&studio.mail.taken()[0]).split_once("key=").expect("a key").1.to_owned();
        let sql = "SELECT link_hash FROM report_deliveries";
        let hashes: Vec<Vec<u8>> = on!(&mut lease.conn(), |c| sqlx::query_scalar(sql).fetch_all(c).await).expect("read");
        assert_eq!(hashes, [crate::concepts::organizations::secret::hash(&key)]);
    }
}
