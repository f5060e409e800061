//! The chat's endpoints through the router, on both stores.

use super::{
    OpenWorkspace, Question, ViewerLocale,
    ask::WITHHELD,
    message::{Message, MessageState},
    pins::PinCollection,
    slots::AnswerSlot,
    store::{self, Shelf},
    threads::{self, Shown},
};
use crate::{
    concepts::{access::Viewer, organizations::MemberRole},
    ground::{error::Kind, time::Timestamp},
    testing::{ACME, GLOBEX, World, on_both_stores, overlapped},
};
use axum::http::Method;
use inlay_assistant::{Role, ToolResult};
use inlay_contract::ids::{MessageId, PinId, ThreadId};
use serde_json::{Value, json};
use uuid::Uuid;

/// The path of something below the published workspace.
fn path(world: &World, rest: &str) -> String {
    format!("/v2/api/workspaces/{}/{rest}", world.applied.workspaces["Ask"])
}

/// Asks a question. Returns the events of the answer.
async fn ask(world: &World, token: &str, body: &Value) -> Vec<Value> {
    let reply = world.post(&path(world, "chat"), token, body).await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
    reply.events()
}

fn thread_of(events: &[Value]) -> &str {
    events[0]["threadId"].as_str().expect("a thread")
}

async fn opened(world: &World, token: &str, thread: &str) -> Value {
    world.get(&path(world, &format!("threads/{thread}")), token).await.data()
}

async fn token_of(world: &World, company: &str, user: &str) -> (String, Shelf) {
    let data = world.sign_in_as(company, user, None).await;
    let user = data["projectUserId"].as_str().expect("an id").parse().expect("an id");
    let shelf = Shelf { workspace: world.applied.workspaces["Ask"], user };
    (data["token"].as_str().expect("a token").to_owned(), shelf)
}

/// The key of the rows that a token's user sees now.
async fn data_key(world: &World, token: &str) -> String {
    let viewer = Viewer::by_token(&world.app, token).await.expect("a viewer");
    let open_workspace =
        OpenWorkspace::open(&world.app, &viewer, world.applied.workspaces["Ask"], &ViewerLocale::default()).await;
    open_workspace.expect("a workspace").data_scope.data_key()
}

/// Stores an answer with a chart, as it would be in a thread.
async fn plant(
    world: &World,
    shelf: Shelf,
    state: MessageState,
    written: Timestamp,
    data_key: Option<&str>,
) -> (ThreadId, MessageId) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let conn = &mut tx.conn();
    let thread = store::insert(conn, shelf, "Planted").await.expect("a thread");
    let config = json!({"title": "Orders", "type": "bar", "sqlOverride": "select region, count(*) as n from orders group by 1",
        "encoding": {"x": "region", "y": ["n"]}});
    let data = json!({"columns": [{"name": "region", "type": "text"}, {"name": "n", "type": "number"}],
        "rows": [["north", 41]], "truncated": false, "cached": false, "durationMs": 1});
    let said = |position, role, text: &str, results, state| Message {
        id: MessageId::generate(),
        position,
        role,
        text: text.to_owned(),
        steps: Vec::new(),
        results,
        state,
        problem: None,
        data_key: data_key.map(str::to_owned),
        feedback: None,
        created_at: written,
        updated_at: written,
    };
    let question = said(0, Role::User, "Orders by Region?", Vec::new(), MessageState::Done);
    let drawn = ToolResult { tool_name: "generateChart".into(), result: json!({"chartConfig": config, "data": data}) };
    let answer = said(1, Role::Assistant, "Here **they** are", vec![drawn], state);
    store::insert_message(conn, thread, &question).await.expect("kept");
    store::insert_message(conn, thread, &answer).await.expect("kept");
    tx.commit().await.expect("committed");
    (thread, answer.id)
}

on_both_stores! {
    async fn an_answer_is_streamed_and_kept(world) {
        let token = world.token(ACME).await;
        let reply = world.post(&path(&world, "chat"), &token, &json!({"message": "How many orders?"})).await;
        assert_eq!(reply.headers["content-type"], "text/event-stream");
        assert_eq!(reply.headers["x-accel-buffering"], "no");
        assert!(!reply.headers.contains_key("content-encoding"));
        let events = reply.events();
        assert_eq!(events[0]["type"], "thread");
        assert_eq!(events.last().expect("events")["type"], "done", "{}", reply.text);
        assert!(reply.text.contains('3') && !reply.text.contains("notes"), "{}", reply.text);
        let thread = opened(&world, &token, thread_of(&events)).await;
        assert_eq!(thread["title"], "How many orders?");
        let said = thread["messages"].as_array().expect("messages");
        assert_eq!((said.len(), &said[0]["text"], &said[0]["role"]), (2, &json!("How many orders?"), &json!("user")));
        assert_eq!((&said[1]["role"], &said[1]["state"]), (&json!("assistant"), &json!("done")));
        let text: String = events.iter().filter_map(|event| event["delta"].as_str()).collect();
        assert_eq!(said[1]["text"], json!(text));
        let results: Vec<&Value> = events.iter().filter(|event| event["type"] == "tool-result").map(|event| &event["toolResult"]).collect();
        assert_eq!(said[1]["results"], json!(results));
        assert_eq!((&events[0]["questionId"], &events[0]["answerId"]), (&said[0]["messageId"], &said[1]["messageId"]));
    }

    async fn a_chart_is_saved_as_it_came(world) {
        let token = world.token(ACME).await;
        let events = ask(&world, &token, &json!({"message": "orders by region"})).await;
        let drawn = events.iter().find(|event| event["type"] == "tool-result").expect("a chart");
        let config = drawn["toolResult"]["result"]["chartConfig"].clone();
        assert!(config["sqlOverride"].is_string());
        let body = json!({"chartConfig": config, "workspaceId": world.applied.workspaces["Ask"]});
        let saved = world.post("/v1/api/chart/save-from-chat", &token, &body).await.data();
        assert_eq!(saved["name"], config["title"]);
    }

    async fn threads_are_their_user_s_own(world) {
        let (token, shelf) = token_of(&world, ACME, "one").await;
        let (thread, answer) = plant(&world, shelf, MessageState::Done, Timestamp::now(), None).await;
        let one = path(&world, &format!("threads/{thread}"));
        for (company, user) in [(ACME, "colleague"), (GLOBEX, "one")] {
            let (other, _) = token_of(&world, company, user).await;
            world.get(&one, &other).await.refused(404, "NOT_FOUND");
            world.call(Method::DELETE, &one, &other, None).await.refused(404, "NOT_FOUND");
            world.call(Method::PATCH, &one, &other, Some(&json!({"title": "Mine"}))).await.refused(404, "NOT_FOUND");
            let body = json!({"message": "more", "threadId": thread});
            world.post(&path(&world, "chat"), &other, &body).await.refused(404, "NOT_FOUND");
            let body = json!({"messageId": answer});
            world.post(&path(&world, "favorites"), &other, &body).await.refused(404, "NOT_FOUND");
            assert_eq!(world.get(&path(&world, "threads"), &other).await.data()["threads"], json!([]));
            assert_eq!(world.get(&path(&world, "threads?q=planted"), &other).await.data()["threads"], json!([]));
        }
        assert_eq!(opened(&world, &token, &thread.to_string()).await["title"], "Planted");
        world.get(&one, "").await.refused(401, "MISSING_CREDENTIALS");
        world.get(&one, &world.key).await.refused(401, "INVALID_TOKEN");
    }

    async fn threads_are_searched_renamed_and_deleted(world) {
        let (token, shelf) = token_of(&world, ACME, "one").await;
        let key = data_key(&world, &token).await;
        let (thread, _) = plant(&world, shelf, MessageState::Done, Timestamp::now(), Some(&key)).await;
        let one = path(&world, &format!("threads/{thread}"));
        let found = async |search: &str| {
            let data = world.get(&path(&world, &format!("threads?q={search}")), &token).await.data();
            data["threads"].as_array().map(Vec::len)
        };
        for (search, count) in [("", 1), ("PLANT", 1), ("by%20region", 1), ("here%20they", 1), ("%25", 0), ("p_anted", 0), ("sales", 0)] {
            assert_eq!(found(search).await, Some(count), "{search}");
        }
        let renamed = world.call(Method::PATCH, &one, &token, Some(&json!({"title": " Ümsatz "}))).await.data();
        assert_eq!(renamed["title"], "Ümsatz");
        assert_eq!((found("ümsatz").await, found("planted").await), (Some(1), Some(0)));
        for bad in [json!({}), json!({"title": " "}), json!({"title": 5}), json!({"title": "x".repeat(201)})] {
            world.call(Method::PATCH, &one, &token, Some(&bad)).await.refused(400, "VALIDATION_FAILED");
        }
        assert_eq!(world.call(Method::DELETE, &one, &token, None).await.data()["threadId"], json!(thread));
        world.get(&one, &token).await.refused(404, "NOT_FOUND");
        world.call(Method::DELETE, &one, &token, None).await.refused(404, "NOT_FOUND");
        assert_eq!(found("").await, Some(0));
    }

    async fn a_question_is_asked_again_in_its_place(world) {
        let token = world.token(ACME).await;
        let first = ask(&world, &token, &json!({"message": "How many orders?"})).await;
        let thread = thread_of(&first);
        let second = ask(&world, &token, &json!({"message": "by region", "threadId": thread})).await;
        assert_eq!(thread_of(&second), thread);
        assert_eq!(opened(&world, &token, thread).await["messages"].as_array().map(Vec::len), Some(4));
        let body = json!({"message": "What can I ask?", "threadId": thread, "replaces": first[0]["questionId"]});
        ask(&world, &token, &body).await;
        let messages = opened(&world, &token, thread).await["messages"].clone();
        assert_eq!((messages.as_array().map(Vec::len), &messages[0]["text"]), (Some(2), &json!("What can I ask?")));
        for replaces in [json!(Uuid::now_v7()), messages[1]["messageId"].clone()] {
            let body = json!({"message": "x", "threadId": thread, "replaces": replaces});
            world.post(&path(&world, "chat"), &token, &body).await.refused(404, "NOT_FOUND");
        }
    }

    async fn bad_questions_are_told(world) {
        let token = world.token(ACME).await;
        for (body, field) in [
            (json!({}), "message"),
            (json!({"message": 5}), "message"),
            (json!({"message": " \n"}), "message"),
            (json!({"message": "x".repeat(8_001)}), "message"),
            (json!({"message": "x", "threadId": "y"}), "threadId"),
            (json!({"message": "x", "replaces": Uuid::now_v7()}), "threadId"),
        ] {
            let error = world.post(&path(&world, "chat"), &token, &body).await.refused(400, "VALIDATION_FAILED");
            assert!(error["details"][field].is_string(), "{error}");
        }
        let body = json!({"message": "x", "threadId": Uuid::now_v7()});
        world.post(&path(&world, "chat"), &token, &body).await.refused(404, "NOT_FOUND");
        world.post(&path(&world, "chat"), "", &json!({"message": "x"})).await.refused(401, "MISSING_CREDENTIALS");
        world.post(&path(&world, "chat"), &world.key, &json!({"message": "x"})).await.refused(401, "INVALID_TOKEN");
        let viewer_key = world.member_key(MemberRole::Viewer, false).await;
        world.post(&path(&world, "chat"), &viewer_key, &json!({"message": "x"})).await.refused(401, "INVALID_TOKEN");
    }

    async fn only_production_is_asked(world) {
        let token = world.token(ACME).await;
        let message = json!({"message": "How many orders?"});
        let (neighbour, _) = world.neighbour().await;
        for foreign in [neighbour.workspaces["Ask"].to_string(), Uuid::now_v7().to_string()] {
            let base = format!("/v2/api/workspaces/{foreign}");
            world.post(&format!("{base}/chat"), &token, &message).await.refused(404, "NOT_FOUND");
            world.get(&format!("{base}/threads"), &token).await.refused(404, "NOT_FOUND");
            world.get(&format!("{base}/favorites"), &token).await.refused(404, "NOT_FOUND");
        }
        let draft = World::project_file().replace("publish: true", "publish: false");
        world.apply(&draft).await.expect("applied");
        world.post(&path(&world, "chat"), &token, &message).await.refused(409, "WORKSPACE_NOT_PUBLISHED");
        assert_eq!(world.get(&path(&world, "threads"), &token).await.data()["threads"], json!([]), "history stays readable");
    }

    async fn what_a_viewer_may_not_see_any_more_is_withheld(world) {
        let token = world.token(ACME).await;
        let events = ask(&world, &token, &json!({"message": "orders by region"})).await;
        let thread = thread_of(&events).to_owned();
        let result = |thread: &Value| thread["messages"][1]["results"][0]["result"].clone();
        let before = opened(&world, &token, &thread).await;
        assert!(result(&before)["data"]["rows"].is_array());
        let said = before["messages"][1]["text"].as_str().expect("a text").to_owned();
        let words: String = said.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
        let words: String = url::form_urlencoded::byte_serialize(words.as_bytes()).collect();
        let search = async |token: &str, text: &str| {
            let data = world.get(&path(&world, &format!("threads?q={text}")), token).await.data();
            data["threads"].as_array().map(Vec::len)
        };
        assert_eq!((search(&token, &words).await, search(&token, "orders%20by").await), (Some(1), Some(1)), "{said}");
        // The same user of the same customer, whose property has another value now.
        let mut body = world.sign_in_body(ACME, "viewer");
        body["organization"]["properties"]["company"] = json!(GLOBEX);
        let data = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        let moved = data["token"].as_str().expect("a token");
        let after = opened(&world, moved, &thread).await;
        let seen = result(&after);
        assert!(seen["chartConfig"].is_object() && seen.get("data").is_none(), "{seen}");
        let answer = &after["messages"][1];
        assert_eq!((&answer["text"], &answer["steps"]), (&json!(WITHHELD), &json!([])), "{said}");
        assert_eq!(after["messages"][0], before["messages"][0], "the question is their own");
        assert_eq!((search(moved, &words).await, search(moved, "orders%20by").await), (Some(0), Some(1)), "{said}");
    }

    async fn an_answer_that_a_restart_cut_is_told_and_the_thread_goes_on(world) {
        let (token, shelf) = token_of(&world, ACME, "viewer").await;
        let (thread, _) = plant(&world, shelf, MessageState::Answering, Timestamp::now(), None).await;
        let body = json!({"message": "How many orders?", "threadId": thread});
        world.post(&path(&world, "chat"), &token, &body).await.refused(409, "ANSWER_IN_PROGRESS");
        let long_ago = Timestamp(Timestamp::now().0 - 60_000);
        let (thread, _) = plant(&world, shelf, MessageState::Answering, long_ago, None).await;
        let messages = opened(&world, &token, &thread.to_string()).await["messages"].clone();
        assert_eq!((&messages[0]["text"], &messages[1]["state"]), (&json!("Orders by Region?"), &json!("interrupted")));
        let events = ask(&world, &token, &json!({"message": "How many orders?", "threadId": thread})).await;
        assert_eq!(events.last().expect("events")["type"], "done");
    }

    async fn charts_of_one_answer_are_changed_at_once(world) {
        let path = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
        let role = json!({"name": "Changer", "permissions": {"canEditChartFromSession": true}});
        let role = world.post(&path, &world.key, &role).await.data()["userRole"]["id"].clone();
        let mut body = world.sign_in_body(ACME, "one");
        body["user"]["userRoleId"] = role;
        let token = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data()["token"].clone();
        let viewer = Viewer::by_token(&world.app, token.as_str().expect("a token")).await.expect("a viewer");
        let shelf = Shelf { workspace: world.applied.workspaces["Ask"], user: viewer.user };
        let (_, answer) = plant(&world, shelf, MessageState::Done, Timestamp::now(), None).await;
        let mut first = world.app.db.write().await.expect("a transaction");
        let mut message = store::find_message(&mut first.conn(), shelf, answer).await.expect("read").expect("an answer");
        message.results.push(ToolResult { tool_name: "another".into(), result: json!({}) });
        store::save_answer(&mut first.conn(), &message).await.expect("stored");
        let definition = json!({"title": "Renamed", "type": "line"});
        let definition = serde_json::from_value(definition).expect("a definition");
        let source = super::pins::Source { message: answer, result: 0 };
        let change = super::threads::change_chart(&world.app, &viewer, shelf.workspace, source, &definition);
        overlapped(&world, first, change).await.expect("changed");
        let mut lease = world.app.db.read().await.expect("a connection");
        let stored = store::find_message(&mut lease.conn(), shelf, answer).await.expect("read").expect("an answer");
        assert_eq!((stored.results.len(), &stored.results[0].result["chartConfig"]["title"]), (2, &json!("Renamed")));
    }

    async fn the_last_place_of_a_canvas_is_given_once(world) {
        let (token, shelf) = token_of(&world, ACME, "one").await;
        let viewer = Viewer::by_token(&world.app, &token).await.expect("a viewer");
        let opened = OpenWorkspace::open(&world.app, &viewer, shelf.workspace, &ViewerLocale::default()).await.expect("a workspace");
        let pin = async |message: MessageId| {
            let source = super::pins::Source { message, result: 0 };
            super::pins::add(&world.app, &viewer, &opened, PinCollection::Canvas, source).await
        };
        let (_, answer) = plant(&world, shelf, MessageState::Done, Timestamp::now(), None).await;
        let first = pin(answer).await.expect("kept");
        let mut tx = world.app.db.write().await.expect("a transaction");
        for _ in 0..98 {
            let other = super::pins::Pin { id: PinId::generate(), message: MessageId::generate(), ..first.clone() };
            super::pins::store::put(&mut tx.conn(), shelf, PinCollection::Canvas, other).await.expect("kept");
        }
        tx.commit().await.expect("committed");
        let mut answers = Vec::new();
        for _ in 0..4 {
            answers.push(plant(&world, shelf, MessageState::Done, Timestamp::now(), None).await.1);
        }
        let kept = futures::future::join_all(answers.into_iter().map(pin)).await;
        let mut codes: Vec<&str> = kept.iter().filter_map(|kept| kept.as_ref().err()).map(|refused| refused.code.as_str()).collect();
        codes.dedup();
        assert_eq!((kept.iter().filter(|kept| kept.is_ok()).count(), codes), (1, vec!["VALIDATION_FAILED"]));
        let all = super::pins::list(&world.app, &viewer, shelf.workspace, PinCollection::Canvas).await.expect("read");
        assert_eq!(all.len(), 100);
    }

    async fn favourites_are_kept_once_and_outlive_their_thread(world) {
        let (token, shelf) = token_of(&world, ACME, "one").await;
        let (thread, answer) = plant(&world, shelf, MessageState::Done, Timestamp::now(), None).await;
        let favorites = path(&world, "favorites");
        let kept = world.post(&favorites, &token, &json!({"messageId": answer})).await.data();
        assert_eq!(world.post(&favorites, &token, &json!({"messageId": answer, "result": 0})).await.data(), kept);
        assert_eq!(kept["chartConfig"]["title"], "Orders");
        for bad in [json!({"messageId": answer, "result": 1}), json!({"messageId": Uuid::now_v7()})] {
            world.post(&favorites, &token, &bad).await.refused(404, "NOT_FOUND");
        }
        for bad in [json!({}), json!({"messageId": "x"}), json!({"messageId": answer, "result": -1})] {
            world.post(&favorites, &token, &bad).await.refused(400, "VALIDATION_FAILED");
        }
        world.call(Method::DELETE, &path(&world, &format!("threads/{thread}")), &token, None).await.data();
        let listed = world.get(&favorites, &token).await.data();
        assert_eq!(listed["favorites"], json!([kept]));
        let one = path(&world, &format!("favorites/{}", kept["favoriteId"].as_str().expect("an id")));
        let (colleague, _) = token_of(&world, ACME, "colleague").await;
        assert_eq!(world.get(&favorites, &colleague).await.data()["favorites"], json!([]));
        world.call(Method::DELETE, &one, &colleague, None).await.refused(404, "NOT_FOUND");
        world.call(Method::DELETE, &one, &token, None).await.data();
        world.call(Method::DELETE, &one, &token, None).await.refused(404, "NOT_FOUND");
    }

    async fn a_user_has_so_many_answers_at_once(world) {
        let (token, shelf) = token_of(&world, ACME, "one").await;
        let mut slots = Vec::new();
        let mut tx = world.app.db.write().await.expect("a transaction");
        for _ in 0..3 {
            slots.push(AnswerSlot::take(&mut tx.conn(), shelf.user, 3).await.expect("a slot"));
        }
        tx.commit().await.expect("committed");
        let message = json!({"message": "How many orders?"});
        let refused = world.post(&path(&world, "chat"), &token, &message).await;
        refused.refused(429, "RATE_LIMITED");
        assert_eq!(refused.headers["retry-after"], "5");
        assert_eq!(world.get(&path(&world, "threads"), &token).await.data()["threads"], json!([]), "nothing was begun");
        let (other, _) = token_of(&world, ACME, "other").await;
        ask(&world, &other, &message).await;
        let mut tx = world.app.db.write().await.expect("a transaction");
        slots[0].give_back(&mut tx.conn()).await.expect("given back");
        tx.commit().await.expect("committed");
        // Each answer frees its slot, so one is enough for several answers in sequence.
        for _ in 0..2 {
            ask(&world, &token, &message).await;
        }
    }

    async fn the_last_turns_are_read_and_then_those_before_a_question(world) {
        let (token, shelf) = token_of(&world, ACME, "one").await;
        let viewer = Viewer::by_token(&world.app, &token).await.expect("a viewer");
        let key = data_key(&world, &token).await;
        let (thread, _) = plant(&world, shelf, MessageState::Done, Timestamp::now(), Some(&key)).await;
        let planted = store::messages(&mut world.app.db.read().await.expect("a lease").conn(), thread, -1, 10).await.expect("messages");
        let mut tx = world.app.db.write().await.expect("a transaction");
        for position in 2..10 {
            let of = planted[usize::from(position % 2 == 1)].clone();
            let next = Message { id: MessageId::generate(), position, results: Vec::new(), ..of };
            store::insert_message(&mut tx.conn(), thread, &next).await.expect("kept");
        }
        tx.commit().await.expect("committed");
        let read = async |before, most| {
            let shown = Shown::Last { before, most };
            let part = threads::open(&world.app, &viewer, shelf.workspace, thread, shown).await.map(|(_, part)| part);
            part.map(|part| (part.entries.iter().map(|one| (one.id, one.position)).collect::<Vec<_>>(), part.next.is_some()))
        };
        let positions = |(entries, has_earlier): &(Vec<(MessageId, i64)>, bool)| {
            (entries.iter().map(|(_, position)| *position).collect::<Vec<_>>(), *has_earlier)
        };
        let last = read(None, 4).await.expect("messages");
        assert_eq!(positions(&last), (vec![6, 7, 8, 9], true));
        let before = read(Some(last.0[0].0), 4).await.expect("messages");
        assert_eq!(positions(&before), (vec![2, 3, 4, 5], true));
        let first = read(Some(before.0[0].0), 4).await.expect("messages");
        assert_eq!(positions(&first), (vec![0, 1], false));
        assert_eq!(positions(&read(Some(first.0[0].0), 4).await.expect("messages")), (Vec::new(), false));
        // An answer, a question of another thread and what never was are no place in this one.
        let (_, elsewhere) = plant(&world, shelf, MessageState::Done, Timestamp::now(), Some(&key)).await;
        for no_place in [last.0[1].0, elsewhere, MessageId::generate()] {
            assert_eq!(read(Some(no_place), 4).await.expect_err("no place").kind(), Kind::NotFound);
        }
    }

    async fn whoever_leaves_stops_the_answer_and_finds_the_question(world) {
        let (token, shelf) = token_of(&world, ACME, "one").await;
        let viewer = Viewer::by_token(&world.app, &token).await.expect("a viewer");
        let question =
            Question { thread: None, message: "How many orders?".into(), replaces: None, viewer_locale: ViewerLocale::default() };
        let answering = super::ask(&world.app, &viewer, shelf.workspace, question).await.expect("asked");
        let thread = answering.thread.to_string();
        drop(answering);
        let state = async || opened(&world, &token, &thread).await["messages"][1]["state"].clone();
        for _ in 0..200 {
            if state().await != json!("answering") {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        assert_eq!(state().await, json!("stopped"));
        assert_eq!(opened(&world, &token, &thread).await["messages"][0]["text"], "How many orders?");
        // The slot is free again, and the thread continues.
        let events = ask(&world, &token, &json!({"message": "How many orders?", "threadId": thread})).await;
        assert_eq!(events.last().expect("events")["type"], "done");
    }
}
