use super::*;
use crate::{
    concepts::connections,
    on,
    testing::{ACME, GLOBEX, World, on_both_stores},
};
use serde_json::json;
use std::sync::Arc;

const KEY: Fingerprint = [9; 32];
const MINUTE: Duration = Duration::from_secs(60);

fn answer(asked_at: i64, text: &str) -> KeptAnswer {
    KeptAnswer { asked_at, json: text.as_bytes().to_vec() }
}

fn shared(world: &World) -> SharedAnswers {
    SharedAnswers::new(world.app.db.clone(), world.app.sealer.clone())
}

async fn rows(world: &World) -> Vec<Vec<u8>> {
    let mut lease = world.app.db.read().await.expect("the store");
    on!(&mut lease.conn(), |c| sqlx::query_scalar("SELECT sealed FROM answers").fetch_all(c).await).expect("rows")
}

on_both_stores! {
    async fn another_node_reads_what_one_has_kept(world) {
        let (one, other) = (shared(&world), shared(&world));
        assert_eq!(other.get(&KEY).await, None);
        let kept = answer(now(), r#"{"rows":[["secret-company"]]}"#);
        one.put(&KEY, kept.clone(), MINUTE).await;
        assert_eq!(other.get(&KEY).await, Some(kept));
        assert_eq!(other.get(&[8; 32]).await, None);
        for sealed in rows(&world).await {
            assert!(!sealed.windows(6).any(|part| part == b"secret"), "customers' data is sealed");
        }
        let stranger = SharedAnswers::new(world.app.db.clone(), Sealer::new("another key of thirty-two letters"));
        assert_eq!(stranger.get(&KEY).await, None);
    }

    async fn an_older_answer_does_not_replace_a_newer_one(world) {
        let answers = shared(&world);
        let at = now();
        answers.put(&KEY, answer(at, "newer"), MINUTE).await;
        answers.put(&KEY, answer(at - 1_000, "older"), MINUTE).await;
        assert_eq!(answers.get(&KEY).await, Some(answer(at, "newer")));
        answers.put(&KEY, answer(at + 1, "newest"), MINUTE).await;
        assert_eq!(answers.get(&KEY).await, Some(answer(at + 1, "newest")));
    }

    async fn what_is_too_old_is_not_served_and_swept_away(world) {
        let answers = shared(&world);
        let kept = |number: u32| {
            let mut key = KEY;
            key[..4].copy_from_slice(&number.to_be_bytes());
            key
        };
        answers.put(&kept(0), answer(now() - 120_000, "old"), MINUTE).await;
        assert_eq!(answers.get(&kept(0)).await, None);
        for number in 1..=BETWEEN_SWEEPS {
            answers.put(&kept(number), answer(now(), "fresh"), MINUTE).await;
        }
        assert_eq!(rows(&world).await.len(), BETWEEN_SWEEPS as usize);
    }

    /// Two engines stand for two nodes: the second does not query the source for what the first has queried.
    async fn nodes_share_answers_but_only_among_viewers_of_the_same_rights(world) {
        let nodes: Vec<_> = (0..2).map(|_| {
            let answers = Arc::new(shared(&world));
            inlay_query::Engine::open(inlay_query::EngineOptions { shared_answers: Some(answers), ..Default::default() })
        }).collect();
        let id = world.applied.connections["warehouse"];
        let connection = connections::open(&world.app, id).await.expect("the connection");
        let ask = async |node: usize, company: &str| {
            let viewer = inlay_query::SecurityContext {
                organization: json!({ "company": company }).as_object().cloned(),
                user: Some(serde_json::Map::new()),
                database_auth_token: None,
            };
            let query = inlay_query::Query::new("select id from orders order by id", chrono::NaiveDate::default());
            let answer = nodes[node].run(&connection.source, &connection.catalog, &viewer, &query).await.expect("an answer");
            (json!(answer.rows), answer.cached)
        };
        assert_eq!(ask(0, ACME).await, (json!([[1], [2], [3]]), false));
        while rows(&world).await.is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(ask(1, ACME).await, (json!([[1], [2], [3]]), true));
        assert_eq!(ask(1, GLOBEX).await, (json!([[11], [12]]), false));
    }
}
