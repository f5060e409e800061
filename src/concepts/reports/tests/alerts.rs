//! Alerts: a mail when the number crosses the threshold, and one when it is back.

use super::{Studio, edit_with, in_both_studios};
use crate::{
    concepts::charts::{self, Chart},
    faces::background,
    testing::{ACME, GLOBEX},
};
use serde_json::{Value, json};

/// An alert on the number of orders; Acme has three, Globex two.
fn more_than_two(studio: &Studio) -> Value {
    let chart = studio.applied.dashboards["Orders/Overview"].charts["Count"];
    edit_with(&json!({ "subject": "Orders", "condition": { "chart": chart, "side": "above", "threshold": 2 } }))
}

async fn report(studio: &Studio, token: &str) -> Value {
    studio.ask(token, json!("list")).await.json()["reports"]["reports"][0].clone()
}

/// The same to two recipients, one of whom is unreachable for now.
async fn half_told(studio: &Studio) -> (String, Value) {
    let token = studio.ada().await;
    let mut edit = more_than_two(studio);
    edit["recipients"] = json!(["a@example.test", "b@example.test"]);
    let saved = studio.save(&token, &edit).await;
    studio.mail.refuse("b@example.test", 452);
    studio.run_due().await;
    assert_eq!(studio.mail.taken().len(), 1, "to one of two");
    (token, saved)
}

/// The webhook messages about alerts: whether it is raised, and how many mails were sent and failed.
async fn told(studio: &Studio) -> Vec<Value> {
    let told = studio.told().await.into_iter();
    told.map(|(event, data)| json!([event, data["raised"], data["sent"], data["failed"]])).collect()
}

/// Gives the watched chart another definition.
async fn define(studio: &Studio, definition: &Value) {
    let id = studio.applied.dashboards["Orders/Overview"].charts["Count"];
    let mut tx = studio.app.db.write().await.expect("a transaction");
    let conn = &mut tx.conn();
    let chart = charts::find(conn, studio.applied.project_id, id, None).await.expect("the chart");
    let definition = serde_json::from_value(definition.clone()).expect("a definition");
    charts::update(conn, &Chart { version: 2, definition, ..chart }).await.expect("changed");
    tx.commit().await.expect("committed");
}

in_both_studios! {
    async fn mail_goes_out_once_a_change(studio) {
        let token = studio.ada().await;
        studio.become_company(Some(GLOBEX)).await;
        studio.save(&token, &more_than_two(&studio)).await;
        studio.run_due().await;
        assert!(studio.mail.taken().is_empty(), "two is not above two");
        assert_eq!((&report(&studio, &token).await["raised"], &report(&studio, &token).await["last"]["state"]), (&json!(false), &json!("quiet")));
        studio.become_company(Some(ACME)).await;
        studio.run_due().await;
        studio.run_due().await;
        let taken = studio.mail.taken();
        assert_eq!(taken.len(), 1, "once, while it stays raised");
        assert!(taken[0].text().contains("Count is 3, above 2."), "{}", taken[0].text());
        assert_eq!(report(&studio, &token).await["raised"], json!(true));
        studio.become_company(Some(GLOBEX)).await;
        studio.run_due().await;
        studio.run_due().await;
        let taken = studio.mail.taken();
        assert_eq!(taken.len(), 2);
        assert!(taken[1].text().contains("Count is 2, no longer above 2."), "{}", taken[1].text());
    }

    async fn a_number_that_cannot_be_read_raises_nothing(studio) {
        let token = studio.ada().await;
        let saved = studio.save(&token, &more_than_two(&studio)).await;
        studio.become_company(None).await;
        studio.run_due().await;
        assert!(studio.mail.taken().is_empty());
        let run = studio.history(&token, &saved).await[0].clone();
        assert!(run["state"] == json!("failed") && run["problem"].as_str().is_some_and(|told| told.contains("could not be read")), "{run}");
        assert_eq!(report(&studio, &token).await["raised"], Value::Null);
    }

    async fn by_hand_it_always_tells(studio) {
        let token = studio.ada().await;
        studio.become_company(Some(GLOBEX)).await;
        let saved = studio.save(&token, &more_than_two(&studio)).await;
        studio.ask(&token, json!({ "runNow": { "id": saved["id"] } })).await;
        studio.work().await;
        assert_eq!(studio.mail.taken().len(), 1);
        assert!(studio.mail.taken()[0].text().contains("no longer above 2"), "{}", studio.mail.taken()[0].text());
    }

    async fn another_threshold_starts_afresh(studio) {
        let token = studio.ada().await;
        let saved = studio.save(&token, &more_than_two(&studio)).await;
        studio.run_due().await;
        assert_eq!(studio.mail.taken().len(), 1);
        let mut edit = saved["edit"].clone();
        edit["condition"]["threshold"] = json!(1);
        let changed = studio.ask(&token, json!({ "save": { "id": saved["id"], "edit": edit } })).await.json();
        assert_eq!(changed["report"]["raised"], Value::Null, "{changed}");
        studio.run_due().await;
        assert_eq!(studio.mail.taken().len(), 2, "three is above one, which nobody was told");
    }

    async fn the_newest_row_counts_as_it_does_on_the_chart(studio) {
        let token = studio.ada().await;
        let written = json!({
            "title": "Count",
            "type": "number",
            "sqlOverride": "select id, day from orders order by day",
            "encoding": { "value": "id", "x": "day" },
            "options": { "format": { "unit": "pcs" } },
        });
        define(&studio, &written).await;
        studio.save(&token, &more_than_two(&studio)).await;
        studio.run_due().await;
        let taken = studio.mail.taken();
        assert_eq!(taken.len(), 1, "the first row is 1, the newest 3");
        let text = taken[0].text().replace('\u{a0}', " ");
        assert!(text.contains("Count is 3 pcs, above 2 pcs."), "{text}");
    }

    async fn a_measure_of_the_model_is_watched_in_its_format(studio) {
        let token = studio.ada().await;
        let query = json!({ "measures": ["revenue"] });
        let meant = json!({ "title": "Revenue", "type": "number", "encoding": { "value": "revenue" }, "options": { "query": query } });
        define(&studio, &meant).await;
        studio.save(&token, &more_than_two(&studio)).await;
        studio.run_due().await;
        let taken = studio.mail.taken();
        assert_eq!(taken.len(), 1);
        assert!(taken[0].text().contains("is €30.50, above €2."), "{}", taken[0].text());
        studio.become_company(Some(GLOBEX)).await;
        studio.run_due().await;
        assert_eq!(studio.mail.taken().len(), 1, "150 of the other company is above 2, too: it stays raised");
    }

    async fn what_was_said_to_one_is_said_to_the_next(studio) {
        let (token, saved) = half_told(&studio).await;
        studio.become_company(Some(GLOBEX)).await;
        studio.mail.refuse("b@example.test", 250);
        studio.try_again().await;
        let texts: Vec<String> = studio.mail.taken().iter().map(|taken| taken.text()).collect();
        assert_eq!(texts.len(), 2);
        assert!(texts.iter().all(|text| text.contains("Count is 3, above 2.")), "{texts:?}");
        assert_eq!(studio.history(&token, &saved).await[0]["state"], json!("done"));
        assert_eq!(report(&studio, &token).await["raised"], json!(true));
    }

    async fn a_number_that_is_gone_meanwhile_keeps_nobody_from_their_mail(studio) {
        let (token, saved) = half_told(&studio).await;
        studio.become_company(None).await;
        studio.mail.refuse("b@example.test", 250);
        studio.try_again().await;
        assert_eq!(studio.mail.taken().len(), 2);
        let run = studio.history(&token, &saved).await[0].clone();
        assert_eq!((&run["state"], &run["sent"]), (&json!("done"), &json!(2)), "{run}");
        assert_eq!(report(&studio, &token).await["raised"], json!(true));
    }

    async fn a_mailbox_that_stays_away_does_not_make_an_alert_forget_what_it_said(studio) {
        studio.listen().await;
        let (token, saved) = half_told(&studio).await;
        studio.try_for_the_last_time().await;
        let run = studio.history(&token, &saved).await[0].clone();
        assert_eq!((&run["state"], &run["sent"], &run["failed"][0][0]), (&json!("done"), &json!(1), &json!("b@example.test")), "{run}");
        assert_eq!(report(&studio, &token).await["raised"], json!(true));
        assert_eq!(told(&studio).await, [json!(["alert.changed", true, 1, 1])]);
        studio.run_due().await;
        assert_eq!(studio.mail.taken().len(), 1, "who has it is not told again");
    }

    async fn an_alert_that_reached_nobody_is_told_again(studio) {
        studio.listen().await;
        let token = studio.ada().await;
        studio.save(&token, &more_than_two(&studio)).await;
        studio.mail.refuse("grace@example.test", 550);
        studio.run_due().await;
        let failed = report(&studio, &token).await;
        assert_eq!((&failed["raised"], &failed["last"]["state"]), (&Value::Null, &json!("failed")), "{failed}");
        studio.mail.refuse("grace@example.test", 250);
        studio.run_due().await;
        studio.run_due().await;
        assert_eq!(studio.mail.taken().len(), 1);
        assert_eq!(told(&studio).await, [json!(["alert.changed", true, 0, 1]), json!(["alert.changed", true, 1, 0])]);
    }

    async fn two_runs_that_wait_tell_once(studio) {
        let token = studio.ada().await;
        let saved = studio.save(&token, &more_than_two(&studio)).await;
        studio.mail.refuse("grace@example.test", 452);
        studio.run_due().await;
        studio.run_due().await;
        studio.mail.refuse("grace@example.test", 250);
        studio.make_jobs_due().await;
        // One after the other: the first sends the alert, the second finds that it was sent.
        background::worker(studio.app.clone()).work_off().await.expect("worked off");
        assert_eq!(studio.mail.taken().len(), 1);
        let mut states: Vec<Value> = studio.history(&token, &saved).await.iter().map(|run| run["state"].clone()).collect();
        states.sort_by_key(Value::to_string);
        assert_eq!(states, ["done", "quiet"]);
    }

    async fn webhooks_hear_of_changes_and_not_of_looking(studio) {
        studio.listen().await;
        let token = studio.ada().await;
        studio.become_company(Some(GLOBEX)).await;
        let saved = studio.save(&token, &more_than_two(&studio)).await;
        studio.ask(&token, json!({ "runNow": { "id": saved["id"] } })).await;
        studio.work().await;
        assert_eq!((studio.mail.taken().len(), told(&studio).await), (1, Vec::new()), "it was not raised, and is not");
        studio.become_company(Some(ACME)).await;
        studio.run_due().await;
        studio.run_due().await;
        assert_eq!(told(&studio).await, [json!(["alert.changed", true, 1, 0])]);
    }
}
