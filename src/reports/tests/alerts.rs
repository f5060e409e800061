//! Alerts: a mail when the number crosses the threshold, and one when it is back.

use super::{Studio, edit_with, in_both_studios};
use crate::testing::{ACME, GLOBEX};
use serde_json::{Value, json};

/// An alert on how many orders there are; Acme has three, Globex two.
fn more_than_two(studio: &Studio) -> Value {
    let chart = studio.applied.dashboards["Orders/Overview"].charts["Count"];
    edit_with(&json!({ "subject": "Orders", "condition": { "chart": chart, "side": "above", "threshold": 2 } }))
}

/// Lets Ada's customer be another one from now on.
async fn become_company(studio: &Studio, company: &str) {
    let mut body = studio.sign_in_body(ACME, "ada");
    body["organization"]["properties"]["company"] = json!(company);
    studio.post("/v1/api/projects/embed-token", &studio.key, &body).await.data();
}

async fn report(studio: &Studio, token: &str) -> Value {
    studio.ask(token, json!("list")).await.json()["reports"]["reports"][0].clone()
}

in_both_studios! {
    async fn mail_goes_out_once_a_change(studio) {
        let token = studio.ada().await;
        become_company(&studio, GLOBEX).await;
        studio.save(&token, &more_than_two(&studio)).await;
        studio.run_due().await;
        assert!(studio.mail.taken().is_empty(), "two is not above two");
        assert_eq!((&report(&studio, &token).await["raised"], &report(&studio, &token).await["last"]["state"]), (&json!(false), &json!("quiet")));
        become_company(&studio, ACME).await;
        studio.run_due().await;
        studio.run_due().await;
        let taken = studio.mail.taken();
        assert_eq!(taken.len(), 1, "once, while it stays raised");
        assert!(taken[0].text().contains("Count is 3, above 2."), "{}", taken[0].text());
        assert_eq!(report(&studio, &token).await["raised"], json!(true));
        become_company(&studio, GLOBEX).await;
        studio.run_due().await;
        studio.run_due().await;
        let taken = studio.mail.taken();
        assert_eq!(taken.len(), 2);
        assert!(taken[1].text().contains("Count is 2, no longer above 2."), "{}", taken[1].text());
    }

    async fn a_number_that_cannot_be_read_raises_nothing(studio) {
        let token = studio.ada().await;
        let saved = studio.save(&token, &more_than_two(&studio)).await;
        let mut body = studio.sign_in_body(ACME, "ada");
        body["organization"]["properties"]["company"] = Value::Null;
        studio.post("/v1/api/projects/embed-token", &studio.key, &body).await.data();
        studio.run_due().await;
        assert!(studio.mail.taken().is_empty());
        let run = studio.history(&token, &saved).await[0].clone();
        assert!(run["state"] == json!("failed") && run["problem"].as_str().is_some_and(|told| told.contains("could not be read")), "{run}");
        assert_eq!(report(&studio, &token).await["raised"], Value::Null);
    }

    async fn by_hand_it_always_tells(studio) {
        let token = studio.ada().await;
        become_company(&studio, GLOBEX).await;
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
}
