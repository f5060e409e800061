//! Answers in progress whose reader loses access, on both stores.

use super::{
    Question, ViewerLocale, ask,
    data::Guarded,
    guard::Guard,
    open_workspace::OpenWorkspace,
    testing::{Act, Script},
};
use crate::{
    concepts::{
        access::Viewer,
        language_models::Budgets,
        tokens::{self, revocation::SubjectKind},
    },
    ground::error::Code,
    testing::{ACME, GLOBEX, World, on_both_stores},
};
use inlay_assistant::{Data, Event};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::time::timeout;

async fn cut_off(world: &World, user: &Value) {
    let id = serde_json::from_value(user.clone()).expect("an id");
    let mut tx = world.app.db.write().await.expect("a transaction");
    tokens::cut_off(&mut tx.conn(), SubjectKind::User, id, &[]).await.expect("revoked");
    tx.commit().await.expect("committed");
    world.app.refresh().await.expect("refreshed");
}

/// Changes which company's rows the user's customer sees.
async fn move_to(world: &World, company: &str, user: &str) {
    let mut body = world.sign_in_body(ACME, user);
    body["organization"]["properties"]["company"] = json!(company);
    world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
}

fn question() -> Question {
    Question { thread: None, message: "Tell me all.".into(), replaces: None, viewer_locale: ViewerLocale::default() }
}

/// Asks a model that does not stop, and runs `during` once it writes. Returns the code of the last event, and the thread's last
/// message as a new token of the user reads it.
async fn interrupted(world: &World, during: impl AsyncFn(&Value)) -> (String, Value) {
    let data = world.sign_in_as(ACME, "one", None).await;
    let viewer = Viewer::by_token(&world.app, data["token"].as_str().expect("a token")).await.expect("a viewer");
    Script::play(world, vec![Act::Endless("word ")], Budgets::default()).await;
    let workspace = world.applied.workspaces["Ask"];
    let mut answering = ask(&world.app, &viewer, workspace, question()).await.expect("asked");
    let mut last = String::new();
    let mut talked = false;
    let whole = async {
        while let Some(event) = answering.events.recv().await {
            if matches!(event, Event::Text { .. }) && !talked {
                talked = true;
                during(&data["projectUserId"]).await;
            }
            if let Event::Error { code, .. } = event {
                last = code.to_string();
            }
        }
    };
    timeout(Duration::from_secs(20), whole).await.expect("it ends");
    assert!(talked);
    let token = world.sign_in_as(ACME, "one", None).await["token"].clone();
    let path = format!("/v2/api/workspaces/{workspace}/threads/{}", answering.thread);
    let thread = world.get(&path, token.as_str().expect("a token")).await.data();
    (last, thread["messages"][1].clone())
}

on_both_stores! {
    async fn a_token_that_is_cut_off_ends_its_answer(world) {
        let (code, message) = interrupted(&world, async |user| cut_off(&world, user).await).await;
        assert_eq!(code, "TOKEN_REVOKED");
        assert_eq!((&message["state"], &message["error"]["code"]), (&json!("failed"), &json!("TOKEN_REVOKED")));
        assert!(message["text"].as_str().is_some_and(|text| text.contains("word")), "what was said stays: {message}");
    }

    async fn who_may_see_other_rows_now_gets_no_more_of_the_old(world) {
        let (code, message) = interrupted(&world, async |_| move_to(&world, GLOBEX, "one").await).await;
        assert_eq!((code.as_str(), &message["state"]), ("ACCESS_CHANGED", &json!("failed")));
    }

    async fn no_query_runs_for_who_was_cut_off_or_moved(world) {
        let data = world.sign_in_as(ACME, "one", None).await;
        let viewer = Viewer::by_token(&world.app, data["token"].as_str().expect("a token")).await.expect("a viewer");
        let workspace = world.applied.workspaces["Ask"];
        let data_scope = OpenWorkspace::open(&world.app, &viewer, workspace, &ViewerLocale::default()).await.expect("open").data_scope;
        let rows = Guarded::new(Guard { app: world.app.clone(), viewer, data_scope: Arc::clone(&data_scope) });
        let sql = "select count(*) as n from orders";
        assert_eq!(rows.query(sql).await.expect("rows").rows, [[json!(3)]]);
        move_to(&world, GLOBEX, "one").await;
        assert_eq!(rows.query(sql).await.expect_err("refused").code, Code::AccessChanged);
        move_to(&world, ACME, "one").await;
        assert!(rows.query(sql).await.is_ok());
        let ruled = World::project_file().replace("company = {{organization.company}}", "region = {{organization.company}}");
        world.apply(&ruled).await.expect("applied");
        assert_eq!(rows.query(sql).await.expect_err("another rule counts now").code, Code::AccessChanged);
        world.apply(World::project_file()).await.expect("applied");
        cut_off(&world, &data["projectUserId"]).await;
        assert_eq!(rows.query(sql).await.expect_err("refused").code, Code::TokenRevoked);
    }
}
