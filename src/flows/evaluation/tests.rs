//! Evaluations in the background, on both stores.

use super::{Evaluating, Evaluation, Example, State, cancel, list, start};
use crate::{
    concepts::{
        chat::testing::{Act, Script},
        language_models::{self, Budgets, Whose},
        organizations::{
            self, MemberRole,
            members::{self, Member},
        },
    },
    ground::{error::Code, jobs, web::origin::Origin},
    on,
    testing::{ACME, World, on_both_stores},
};
use inlay_assistant::WrittenQuery;
use inlay_contract::ids::{ProjectId, ProjectUserId, WorkspaceId};
use serde_json::json;
use std::{sync::Arc, time::Duration};

const IDLE: Act = Act::Say("I do not know.");

/// The objects that evaluations of the world's workspace need.
struct Bench {
    by: Member<members::Worker>,
    project: ProjectId,
    workspace: WorkspaceId,
    user: ProjectUserId,
}

impl Bench {
    /// A member, a user and a scripted model. The newest version has an example for each of these queries.
    async fn of(world: &World, queries: &[&str], acts: Vec<Act>, budgets: Budgets) -> (Self, Script) {
        let data = world.sign_in_as(ACME, "ada", None).await;
        let script = Script::play(world, acts, budgets).await;
        world.apply(&file(queries)).await.expect("applied");
        let bench = Self {
            by: member(world).await,
            project: world.applied.project_id,
            workspace: world.applied.workspaces["Ask"],
            user: data["projectUserId"].as_str().expect("an id").parse().expect("an id"),
        };
        (bench, script)
    }

    async fn start(&self, world: &World, number: i64) -> Result<uuid::Uuid, &'static str> {
        start(&world.app, &self.by, self.project, self.workspace, number, self.user)
            .await
            .map_err(|problem| problem.code.as_str())
    }

    async fn newest(&self, world: &World) -> Evaluation {
        list(&world.app, &self.by, self.project, self.workspace).await.expect("read").remove(0)
    }

    /// Waits until the newest evaluation meets a condition.
    async fn until(&self, world: &World, far: impl Fn(&Evaluation) -> bool) -> Evaluation {
        for _ in 0..600 {
            let newest = self.newest(world).await;
            if far(&newest) {
                return newest;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("it stays so: {:?}", self.newest(world).await);
    }

    /// Evaluates a version from start to end.
    async fn evaluated(&self, world: &World, number: i64) -> Evaluation {
        self.start(world, number).await.expect("begun");
        work_off(world).await;
        self.newest(world).await
    }
}

/// The project file with a workspace that has an example for each query.
fn file(queries: &[&str]) -> String {
    let old = r#"  - { name: Ask, connection: warehouse, publish: true, exampleQuestions: ["How many orders?"] }"#;
    let example = |(number, query): (usize, &&str)| {
        let question = format!("Question {number}?");
        serde_json::to_value(Example { question, query: WrittenQuery::read(query).expect("a query") }).expect("JSON")
    };
    let examples: Vec<_> = queries.iter().enumerate().map(example).collect();
    let new = format!("  - {{ name: Ask, connection: warehouse, publish: true, examples: {} }}", json!(examples));
    assert!(World::project_file().contains(old));
    World::project_file().replace(old, &new)
}

async fn member(world: &World) -> Member<members::Worker> {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let conn = &mut tx.conn();
    let email = "member@example.test";
    organizations::put_member(conn, world.organization, email, MemberRole::Member, None).await.expect("a member");
    let all = members::of_organization(conn, world.organization).await.expect("read");
    tx.commit().await.expect("committed");
    let membership = all.into_iter().find(|member| member.email == email).expect("there");
    Member::new(&membership, Origin::default()).expect("a member")
}

fn worker(world: &World) -> jobs::Worker {
    jobs::Worker::new(world.app.clone(), vec![Arc::new(Evaluating)])
}

async fn work_off(world: &World) {
    worker(world).work_off().await.expect("worked off");
}

async fn write(world: &World, sql: &'static str) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    on!(&mut tx.conn(), |c| sqlx::query(sql).execute(c).await.map(drop)).expect("written");
    tx.commit().await.expect("committed");
}

async fn taken(world: &World, whose: Whose) -> u64 {
    let day = chrono::Utc::now().date_naive().to_string();
    language_models::taken(&mut world.app.db.read().await.expect("a connection").conn(), whose, &day)
        .await
        .expect("read")
        .tokens
}

const COUNT: &str = "select count(*) from orders";
const SUM: &str = "select sum(amount) from orders";

on_both_stores! {
    async fn an_evaluation_takes_of_the_organization_and_of_no_user(world) {
        let budgets = Budgets { user_tokens: Some(0), ..Budgets::default() };
        let (bench, _) = Bench::of(&world, &[SUM, COUNT], vec![IDLE], budgets).await;
        let found = bench.evaluated(&world, 2).await;
        assert_eq!((found.state, found.answered_by.as_str(), found.of), (State::Done, "scripted", 2), "no user's budget is asked");
        assert_eq!((found.tally.asked, found.tally.right, found.tally.misses.len()), (2, 0, 2));
        let whole = taken(&world, Whose::Organization(world.organization)).await;
        assert!(whole > 0 && taken(&world, Whose::User(bench.user)).await == 0);
        world.apply(&file(&[SUM, "select note from notes"])).await.expect("applied");
        let found = bench.evaluated(&world, 3).await;
        assert_eq!((found.state, found.tally.asked), (State::Failed, 1));
        assert!(found.problem.expect("a reason").contains("Question 1?"));
        let more = taken(&world, Whose::Organization(world.organization)).await;
        assert!(more > whole && taken(&world, Whose::User(bench.user)).await == 0, "what was answered before counts");
    }

    async fn an_example_by_the_model_is_right_by_its_rows(world) {
        let by_place = r#"{"measures": ["revenue"], "dimensions": [{"name": "orders.place"}]}"#;
        let chart = |query: serde_json::Value| Act::Call("generateChart", json!({"title": "T", "type": "table", "query": query, "encoding": {}}));
        let right = chart(serde_json::from_str(by_place).expect("JSON"));
        let wrong = chart(json!({"measures": ["revenue"]}));
        let acts = vec![right, IDLE, wrong, IDLE];
        let (bench, _) = Bench::of(&world, &[by_place, by_place], acts, Budgets::default()).await;
        let found = bench.evaluated(&world, 2).await;
        assert_eq!((found.state, found.tally.asked, found.tally.right), (State::Done, 2, 1), "{found:?}");
    }

    async fn a_budget_that_ends_meanwhile_ends_the_evaluation(world) {
        let budgets = Budgets { tokens: Some(1), ..Budgets::default() };
        let (bench, script) = Bench::of(&world, &[SUM, COUNT], vec![IDLE], budgets).await;
        let found = bench.evaluated(&world, 2).await;
        assert_eq!((found.state, found.tally.asked, script.asked.lock().expect("a lock").len()), (State::Failed, 1, 1));
        assert!(found.problem.expect("a reason").contains("budget"));
        let again = bench.evaluated(&world, 2).await;
        assert_eq!((again.state, again.answered_by.as_str()), (State::Done, ""), "the analyst answers from the first question on");
    }

    async fn a_version_is_evaluated_once_at_a_time_and_an_organization_has_so_many(world) {
        let (bench, _) = Bench::of(&world, &[SUM], vec![IDLE], Budgets::default()).await;
        assert_eq!(bench.start(&world, 1).await, Err("VALIDATION_FAILED"), "a version without examples");
        assert_eq!(bench.start(&world, 9).await, Err("NOT_FOUND"));
        for number in 3..=5 {
            world.apply(&file(&[SUM; 2][..1 + number % 2])).await.expect("applied");
        }
        bench.start(&world, 2).await.expect("begun");
        assert_eq!(bench.newest(&world).await.state, State::Waiting);
        assert_eq!(bench.start(&world, 2).await, Err("EVALUATION_UNDER_WAY"));
        bench.start(&world, 3).await.expect("begun");
        bench.start(&world, 4).await.expect("begun");
        assert_eq!(bench.start(&world, 5).await, Err("TOO_MANY_EVALUATIONS"));
        work_off(&world).await;
        bench.start(&world, 5).await.expect("begun");
        let pressed = futures::future::join_all((0..8).map(|_| bench.start(&world, 2))).await;
        assert_eq!(pressed.iter().filter(|pressed| pressed.is_ok()).count(), 1, "{pressed:?}");
    }

    async fn whoever_cancels_ends_the_answer_that_is_being_made(world) {
        let (bench, _) = Bench::of(&world, &[SUM, COUNT], vec![IDLE, Act::Endless("word ")], Budgets::default()).await;
        let id = bench.start(&world, 2).await.expect("begun");
        let work = work_off(&world);
        let leave = async {
            bench.until(&world, |one| one.tally.asked == 1).await;
            let before = taken(&world, Whose::Organization(world.organization)).await;
            // The second answer is in progress: the model has received its request.
            tokio::time::sleep(Duration::from_millis(200)).await;
            cancel(&world.app, &bench.by, bench.project, bench.workspace, id).await.expect("cancelled");
            before
        };
        let ((), before) = tokio::join!(work, leave);
        let found = bench.newest(&world).await;
        assert_eq!((found.state, found.tally.asked, found.problem), (State::Cancelled, 1, None));
        assert!(taken(&world, Whose::Organization(world.organization)).await > before, "what it took until then counts");
        let again = cancel(&world.app, &bench.by, bench.project, bench.workspace, id).await.expect_err("over");
        assert_eq!(again.code, Code::EvaluationOver);
        let elsewhere = cancel(&world.app, &bench.by, bench.project, WorkspaceId::generate(), id).await.expect_err("elsewhere");
        assert_eq!(elsewhere.code, Code::NotFound);
        assert_eq!(worker(&world).work_off().await.expect("worked off"), 0, "nothing is left to do");
    }

    async fn a_node_that_takes_over_goes_on_where_the_dead_one_stopped(world) {
        let (bench, script) = Bench::of(&world, &[SUM, COUNT], vec![IDLE, Act::Endless("word ")], Budgets::default()).await;
        bench.start(&world, 2).await.expect("begun");
        let dead = tokio::spawn({
            let worker = worker(&world);
            async move { worker.work_off().await }
        });
        bench.until(&world, |one| one.tally.asked == 1).await;
        dead.abort();
        assert!(dead.await.expect_err("it is gone").is_cancelled());
        work_off(&world).await;
        assert_eq!(bench.newest(&world).await.state, State::Running, "the dead node's claim counts for a while");
        *script.acts.lock().expect("a lock") = vec![IDLE].into();
        script.asked.lock().expect("a lock").clear();
        write(&world, "UPDATE jobs SET lease_until = 0").await;
        work_off(&world).await;
        let found = bench.newest(&world).await;
        assert_eq!((found.state, found.tally.asked, found.tally.misses.len()), (State::Done, 2, 2));
        let sent = script.sent();
        assert!(sent.contains("Question 1?") && !sent.contains("\"content\":\"Question 0?\""), "the first is not asked again");
    }

    async fn who_is_interrupted_too_often_says_so(world) {
        let (bench, _) = Bench::of(&world, &[SUM], vec![IDLE], Budgets::default()).await;
        bench.start(&world, 2).await.expect("begun");
        write(&world, "UPDATE jobs SET attempts = 3").await;
        work_off(&world).await;
        let found = bench.newest(&world).await;
        assert_eq!((found.state, found.tally.asked), (State::Interrupted, 0));
        assert!(found.problem.expect("a reason").contains("interrupted"));
        bench.start(&world, 2).await.expect("and it can begin anew");
    }

    async fn rights_are_asked_again_when_it_runs_and_while_it_does(world) {
        let (bench, script) = Bench::of(&world, &[SUM, COUNT], vec![IDLE, Act::Endless("word ")], Budgets::default()).await;
        bench.start(&world, 2).await.expect("begun");
        let demoted = "UPDATE members SET role = 'viewer' WHERE account_id IN (SELECT id FROM accounts WHERE email = 'member@example.test')";
        let restored = "UPDATE members SET role = 'member' WHERE account_id IN (SELECT id FROM accounts WHERE email = 'member@example.test')";
        write(&world, demoted).await;
        work_off(&world).await;
        let found = bench.newest(&world).await;
        assert_eq!((found.state, script.asked.lock().expect("a lock").len()), (State::Failed, 0), "the model is not asked");
        assert!(found.problem.as_deref().expect("a reason").contains("may no longer work with projects"), "{found:?}");
        write(&world, restored).await;
        bench.start(&world, 2).await.expect("begun");
        let demote = async {
            bench.until(&world, |one| one.tally.asked == 1).await;
            write(&world, "DELETE FROM members WHERE account_id IN (SELECT id FROM accounts WHERE email = 'member@example.test')").await;
        };
        tokio::join!(work_off(&world), demote);
        let found = bench.newest(&world).await;
        assert_eq!((found.state, found.tally.asked, found.wanted_by), (State::Failed, 1, None));
        assert!(found.problem.as_deref().expect("a reason").contains("may no longer work with projects"));
    }

    async fn a_user_whose_access_changes_meanwhile_ends_it(world) {
        let (bench, _) = Bench::of(&world, &[SUM, COUNT], vec![IDLE, Act::Endless("word ")], Budgets::default()).await;
        bench.start(&world, 2).await.expect("begun");
        let revoke = async {
            bench.until(&world, |one| one.tally.asked == 1).await;
            crate::flows::management::people::revoke_user(&world.app, &bench.by, bench.project, bench.user).await.expect("revoked");
        };
        tokio::join!(work_off(&world), revoke);
        let found = bench.newest(&world).await;
        assert_eq!((found.state, found.tally.asked), (State::Failed, 1));
        assert!(found.problem.expect("a reason").contains("revoked"));
    }
}

#[test]
fn every_state_has_a_name_of_its_own() {
    for state in State::ALL {
        assert_eq!(state.name().parse(), Ok(state));
    }
    assert!("paused".parse::<State>().is_err());
}
