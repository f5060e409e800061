use super::*;
use crate::{
    concepts::connections,
    ground::{tidy::Batch, time::Timestamp},
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
    SharedAnswers::new(world.app.db.clone(), world.app.sealer.clone(), 1 << 30)
}

async fn rows(world: &World) -> Vec<Vec<u8>> {
    let mut lease = world.app.db.read().await.expect("the store");
    on!(&mut lease.conn(), |c| sqlx::query_scalar("SELECT sealed FROM answers").fetch_all(c).await).expect("rows")
}

fn kept(number: u32) -> Fingerprint {
    let mut key = KEY;
    key[..4].copy_from_slice(&number.to_be_bytes());
    key
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
        let stranger = SharedAnswers::new(world.app.db.clone(), Sealer::new("another key of thirty-two letters"), 1 << 30);
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

    async fn what_is_too_old_is_not_served_and_tidied_away(world) {
        let answers = shared(&world);
        answers.put(&kept(0), answer(now() - 120_000, "old"), MINUTE).await;
        assert_eq!(answers.get(&kept(0)).await, None);
        answers.put(&kept(1), answer(now(), "fresh"), MINUTE).await;
        let (mut tx, [expired, _]) = (world.app.db.write().await.expect("a transaction"), TIDY);
        let batch = Batch { settings: &world.app.settings, now: Timestamp::now(), most: 10 };
        assert_eq!((expired.run)(batch, &mut tx.conn()).await.expect("tidied"), 1);
        tx.commit().await.expect("committed");
        assert_eq!(rows(&world).await.len(), 1);
    }

    /// However long a chart lets its rows live, the table does not take the disk that all share.
    async fn the_table_stays_within_its_bytes(world) {
        let most = 64 * 1024_u64;
        let answers = SharedAnswers::new(world.app.db.clone(), world.app.sealer.clone(), most);
        let large = "x".repeat(8 * 1024);
        for number in 0..40 {
            answers.put(&kept(number), answer(now(), &large), MINUTE * (1 + number)).await;
        }
        let stored: usize = rows(&world).await.iter().map(Vec::len).sum();
        assert!(u64::try_from(stored).expect("a size") <= most + most / 4, "{stored}");
        assert!(answers.get(&kept(39)).await.is_some(), "what lives longest stays");
        assert_eq!(answers.get(&kept(0)).await, None);
    }

    async fn a_full_queue_drops_instead_of_waiting(world) {
        let answers = Arc::new(shared(&world));
        let turn = answers.writing.acquire().await.expect("the turn");
        let large = "x".repeat(1 << 20);
        let waiting: Vec<_> = (0..40).map(|number| {
            let (answers, answer) = (Arc::clone(&answers), answer(now(), &large));
            tokio::spawn(async move { answers.put(&kept(number), answer, MINUTE).await })
        }).collect();
        let ended = async || waiting.iter().filter(|put| put.is_finished()).count();
        while ended().await < 8 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        drop(turn);
        for put in waiting {
            put.await.expect("ended");
        }
        assert_eq!(rows(&world).await.len(), 32, "32 MiB waited, and no more");
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
                share: 0,
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
