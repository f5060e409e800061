//! Verified answers and open questions on both stores: use, limits, the check, and who reads and changes them.

use super::{LONGEST_QUESTION, Listed, SHOWN, Verifying, Wanted, ask_again, checking::plan, dismiss, list, remove, verify};
use crate::{
    concepts::{
        access::Viewer,
        chat::{Feedback, OpenQuestion, threads},
        organizations::members::{Member, Worker as Working},
        verified_answers::VerifiedAnswer,
    },
    ground::{
        error::{Code, Error},
        jobs::Worker,
        tidy::DAY,
        time::Timestamp,
        web::origin::Origin,
    },
    on,
    testing::{ACME, GLOBEX, World, on_both_stores},
};
use inlay_contract::ids::{MessageId, WorkspaceId};
use serde_json::{Value, json};
use std::sync::Arc;

const QUESTION: &str = "Which places are the best ones?";
const SQL: &str = "select region, sum(amount) as total from orders group by region";
const BY_PLACE: &str = r#"{"measures": ["revenue"], "dimensions": [{"name": "orders.place"}]}"#;

async fn member(world: &World) -> Member<Working> {
    Member::new(&world.membership(&world.key).await, Origin::default()).expect("a member who works")
}

fn workspace(world: &World) -> WorkspaceId {
    world.applied.workspaces["Ask"]
}

async fn verified(world: &World, question: &str, query: &str) -> Result<(), Error> {
    let wanted = Wanted { question, query, by: "Acme Finance" };
    verify(&world.app, &member(world).await, world.applied.project_id, workspace(world), wanted).await
}

async fn listed(world: &World) -> Listed {
    list(&world.app, &member(world).await, world.applied.project_id, workspace(world)).await.expect("listed")
}

async fn answers(world: &World) -> Vec<VerifiedAnswer> {
    listed(world).await.answers
}

async fn open(world: &World) -> Vec<OpenQuestion> {
    listed(world).await.open
}

/// Asks in the chat. Returns the text of the answer, its charts and its id.
async fn ask(world: &World, token: &str, question: &str) -> (String, Vec<Value>, MessageId) {
    let path = format!("/v2/api/workspaces/{}/chat", workspace(world));
    let events = world.post(&path, token, &json!({"message": question})).await.events();
    let text = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    let charts = events
        .iter()
        .filter(|event| event["toolResult"]["toolName"] == "generateChart")
        .map(|event| event["toolResult"]["result"].clone());
    (text, charts.collect(), events[0]["answerId"].as_str().expect("an id").parse().expect("an id"))
}

async fn work_off(world: &World) -> usize {
    Worker::new(world.app.clone(), vec![Arc::new(Verifying)]).work_off().await.expect("worked off")
}

fn problem_of(told: &Result<(), Error>, field: &str) -> String {
    let problem = told.as_ref().expect_err("refused");
    assert_eq!(problem.code, Code::ValidationFailed, "{problem:?}");
    problem.details.as_ref().and_then(|details| details[field].as_str()).unwrap_or_else(|| panic!("{problem:?}")).to_owned()
}

on_both_stores! {
    async fn a_question_asked_again_is_answered_with_the_rows_of_its_user(world) {
        let (by, project) = (member(&world).await, world.applied.project_id);
        let user = |signed: Value| signed["projectUserId"].as_str().and_then(|id| id.parse().ok()).expect("an id");
        let (acme, globex) = (user(world.sign_in_as(ACME, "ada", None).await), user(world.sign_in_as(GLOBEX, "bob", None).await));
        verified(&world, QUESTION, SQL).await.expect("verified");
        for user in [acme, globex] {
            let again = ask_again(&world.app, &by, project, workspace(&world), QUESTION, user).await.expect("asked");
            assert!(!again.declined && again.charts == 1 && again.text.contains("Acme Finance"), "{again:?}");
        }
        let declined = ask_again(&world.app, &by, project, workspace(&world), "Which unicorns are the best ones?", acme).await;
        assert!(declined.expect("asked").declined);
        assert!(open(&world).await.is_empty(), "nothing of it is stored");
        let (neighbour, _) = world.neighbour().await;
        let foreign = ask_again(&world.app, &by, neighbour.project_id, workspace(&world), QUESTION, acme).await;
        assert_eq!(foreign.expect_err("foreign").code, Code::ProjectNotFound);
    }

    async fn a_verified_answer_shows_each_viewer_their_own_rows(world) {
        let (acme, globex) = (world.token(ACME).await, world.token(GLOBEX).await);
        let (text, ..) = ask(&world, &acme, QUESTION).await;
        assert!(!text.contains("Verified"), "{text}");
        verified(&world, QUESTION, SQL).await.expect("verified");
        let (text, ..) = ask(&world, &acme, "please tell me which places are the worst ones").await;
        assert!(!text.contains("Verified"), "a similar question is another one: {text}");
        let mut seen = Vec::new();
        for token in [&acme, &globex] {
            let (text, charts, _) = ask(&world, token, "which places are the best ones").await;
            assert!(text.starts_with("Verified by Acme Finance."), "{text}");
            assert_eq!(charts[0]["chartConfig"]["sqlOverride"], SQL);
            seen.push(charts[0]["data"]["rows"].clone());
        }
        assert_ne!(seen[0], seen[1], "each sees the rows of their own company");

        verified(&world, "Which places are the best ones", BY_PLACE).await.expect("verified anew");
        let all = answers(&world).await;
        assert_eq!((all.len(), all[0].query.text().contains("orders.place")), (1, true), "{all:?}");
        let (text, charts, _) = ask(&world, &acme, QUESTION).await;
        assert!(text.starts_with("Verified by Acme Finance.") && charts[0]["chartConfig"]["sqlOverride"].is_null(), "{text}");
        remove(&world.app, &member(&world).await, world.applied.project_id, workspace(&world), all[0].id).await.expect("removed");
        let (text, ..) = ask(&world, &acme, QUESTION).await;
        assert!(!text.contains("Verified"), "{text}");
    }

    async fn what_cannot_be_verified_is_told_at_its_field(world) {
        for (question, query, field, told) in [
            (QUESTION, "select nothing from orders", "query", "is refused"),
            (QUESTION, "select note from secrets", "query", "is refused"),
            (QUESTION, r#"{"measures": ["profit"]}"#, "query", "profit"),
            (QUESTION, r#"{"measures": "#, "query", "semantic model"),
            (QUESTION, " ", "query", "must have 1 to"),
            (" ", SQL, "question", "must have 1 to"),
            ("Orders?", SQL, "question", "whole question"),
        ] {
            let found = problem_of(&verified(&world, question, query).await, field);
            assert!(found.contains(told), "{question} {query}: {found}");
        }
        let long = "how many ".repeat(LONGEST_QUESTION);
        assert!(problem_of(&verified(&world, &long, SQL).await, "question").contains("must have 1 to"));
        assert!(answers(&world).await.is_empty());
    }

    async fn a_workspace_has_a_limit_of_verified_answers(world) {
        let mut tx = world.app.db.write().await.expect("a transaction");
        let (conn, by) = (&mut tx.conn(), member(&world).await.id);
        for number in 0..super::MOST {
            let question = format!("question number {number}");
            let one = inlay_assistant::Verified { question: question.clone(), query: inlay_assistant::WrittenQuery::read(SQL).expect("SQL"), by: "Acme".to_owned() };
            crate::concepts::verified_answers::put(conn, workspace(&world), &question, &one, by).await.expect("kept");
        }
        tx.commit().await.expect("committed");
        assert!(problem_of(&verified(&world, QUESTION, SQL).await, "question").contains("at most 500"));
        verified(&world, "Question number 7?", BY_PLACE).await.expect("an equal question has its place");
    }

    async fn an_answer_whose_query_no_longer_runs_is_not_used_until_it_does(world) {
        let token = world.token(ACME).await;
        verified(&world, QUESTION, BY_PLACE).await.expect("verified");
        verified(&world, "How many orders of each region?", SQL).await.expect("verified");
        assert_eq!(work_off(&world).await, 0, "nothing changed");
        let broken = World::project_file().replace("dimensions: { place:", "dimensions: { spot:");
        world.apply(&broken).await.expect("applied");
        world.app.refresh().await.expect("refreshed");
        assert_eq!(work_off(&world).await, 1, "the model changed");
        let all = answers(&world).await;
        let problems: Vec<bool> = all.iter().map(|one| one.problem.is_some()).collect();
        assert_eq!(problems, [true, false], "those with a problem come first: {all:?}");
        assert!(all[0].problem.as_ref().expect("a problem").contains("place"), "{all:?}");
        let (text, ..) = ask(&world, &token, QUESTION).await;
        assert!(!text.contains("Verified"), "{text}");

        world.apply(World::project_file()).await.expect("applied");
        world.app.refresh().await.expect("refreshed");
        assert_eq!(work_off(&world).await, 1);
        assert!(answers(&world).await.iter().all(|one| one.problem.is_none()));
        let (text, ..) = ask(&world, &token, QUESTION).await;
        assert!(text.starts_with("Verified by"), "{text}");
    }

    async fn each_night_all_are_checked_once(world) {
        plan(&world.app, Timestamp::now()).await.expect("planned");
        assert_eq!(work_off(&world).await, 0, "nothing to check");
        verified(&world, QUESTION, SQL).await.expect("verified");
        world.change_source("alter table orders rename column amount to price").await;
        plan(&world.app, Timestamp::now().minus(DAY)).await.expect("planned");
        assert_eq!(work_off(&world).await, 0, "checked since");
        let tonight = Timestamp::now().plus(std::time::Duration::from_millis(5));
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        for _ in 0..2 {
            plan(&world.app, tonight).await.expect("planned");
        }
        assert_eq!(work_off(&world).await, 1);
        let all = answers(&world).await;
        assert!(all[0].problem.is_some() && all[0].checked_at >= tonight, "{all:?}");
        plan(&world.app, tonight).await.expect("planned");
        assert_eq!(work_off(&world).await, 0, "once a night");
    }

    async fn questions_without_an_answer_are_grouped_until_they_are_dealt_with(world) {
        let (acme, globex) = (world.token(ACME).await, world.token(GLOBEX).await);
        for (token, question) in [
            (&acme, "Hello!"),
            (&acme, "Who painted the office?"),
            (&globex, "who painted the office, please"),
            (&acme, "Which unicorns sold best?"),
            (&acme, "How many orders?"),
        ] {
            ask(&world, token, question).await;
        }
        let found = open(&world).await;
        let counts = |found: &[OpenQuestion]| found.iter().map(|one| (one.asked.clone(), one.times, one.declined, one.rated)).collect::<Vec<_>>();
        let painted = ("who painted office".to_owned(), 2, 2, 0);
        assert_eq!(counts(&found), [painted.clone(), ("which unicorns sold best".to_owned(), 1, 1, 0)], "most asked first");

        let viewer = Viewer::by_token(&world.app, &acme).await.expect("a viewer");
        let (.., answer) = ask(&world, &acme, "How many orders?").await;
        let rate = async |feedback| threads::rate(&world.app, &viewer, workspace(&world), answer, feedback).await.expect("rated");
        rate(Some(Feedback::Bad)).await;
        rate(Some(Feedback::Bad)).await;
        let rated = open(&world).await;
        assert_eq!(counts(&rated)[1], ("how many orders".to_owned(), 1, 0, 1));
        assert_eq!(rated[1].question, "How many orders?");
        rate(Some(Feedback::Good)).await;
        assert_eq!(open(&world).await, found, "a better rating takes it back");

        verified(&world, "Which unicorns sold best", SQL).await.expect("verified");
        assert_eq!(counts(&open(&world).await), std::slice::from_ref(&painted), "a verified answer deals with its questions");
        let by = member(&world).await;
        let dismissed = dismiss(&world.app, &by, world.applied.project_id, workspace(&world), &painted.0).await;
        assert_eq!(dismissed.expect("dismissed"), 2);
        assert!(open(&world).await.is_empty());
        ask(&world, &acme, "Who painted the office?").await;
        assert_eq!(open(&world).await.len(), 1, "asked again, it is open again");
        let mut tx = world.app.db.write().await.expect("a transaction");
        on!(&mut tx.conn(), |c| sqlx::query("DELETE FROM chat_threads").execute(c).await.map(drop)).expect("deleted");
        tx.commit().await.expect("committed");
        assert!(open(&world).await.is_empty(), "a question goes with its chat");
    }

    async fn the_list_holds_the_questions_asked_most_often(world) {
        let token = world.token(ACME).await;
        let (.., answer) = ask(&world, &token, "Who painted the office?").await;
        let mut tx = world.app.db.write().await.expect("a transaction");
        let conn = &mut tx.conn();
        const MESSAGE: &str = "INSERT INTO chat_messages (id, thread_id, position, role, text, folded_text, steps, results, state, created_at, updated_at) \
            SELECT $1, thread_id, $2, role, text, folded_text, steps, results, state, created_at, updated_at FROM chat_messages WHERE id = $3";
        const QUESTION: &str = "INSERT INTO open_questions (message_id, workspace_id, question, asked, declined, rated, created_at) \
            VALUES ($1, $2, $3, $3, TRUE, FALSE, $4)";
        for number in 0..SHOWN {
            let id = MessageId::generate();
            on!(conn, |c| sqlx::query(MESSAGE).bind(id).bind(number + 10).bind(answer).execute(c).await.map(drop)).expect("a message");
            // Several at the same time.
            let (text, at) = (format!("question {number:02}"), number / 7);
            on!(conn, |c| sqlx::query(QUESTION).bind(id).bind(workspace(&world)).bind(&text).bind(at).execute(c).await.map(drop)).expect("a question");
        }
        tx.commit().await.expect("committed");
        let found = open(&world).await;
        assert_eq!(found.len(), usize::try_from(SHOWN).expect("few"));
        assert!(found.iter().any(|one| one.asked == "who painted office"), "the latest is there");
        assert!(!found.iter().any(|one| one.asked == "question 06"), "the oldest, last by its name, has no room: {found:?}");
    }

    async fn other_organizations_read_and_change_nothing(world) {
        let (_, key) = world.neighbour().await;
        let stranger: Member<Working> = Member::new(&world.membership(&key).await, Origin::default()).expect("a member");
        verified(&world, QUESTION, SQL).await.expect("verified");
        let (app, project, id) = (&world.app, world.applied.project_id, workspace(&world));
        let answer = answers(&world).await[0].id;
        let wanted = Wanted { question: QUESTION, query: SQL, by: "Globex" };
        let codes = [
            list(app, &stranger, project, id).await.map(drop).expect_err("refused").code,
            verify(app, &stranger, project, id, wanted).await.expect_err("refused").code,
            remove(app, &stranger, project, id, answer).await.expect_err("refused").code,
            dismiss(app, &stranger, project, id, "x").await.map(drop).expect_err("refused").code,
        ];
        assert_eq!(codes, [Code::ProjectNotFound; 4]);
        let (neighbour, _) = world.neighbour().await;
        let elsewhere = neighbour.workspaces["Ask"];
        let by = member(&world).await;
        assert_eq!(remove(app, &by, project, elsewhere, answer).await.expect_err("refused").code, Code::NotFound);
        assert_eq!(answers(&world).await.len(), 1);
    }
}
