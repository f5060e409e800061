use super::*;
use inlay_contract::data::ChartData;
use serde_json::json;
use std::{collections::HashMap, sync::Mutex};

const KEY: Fingerprint = [1; 32];
const MINUTE: Duration = Duration::from_secs(60);

/// A shared cache for the tests.
#[derive(Default)]
struct Table(Mutex<HashMap<Fingerprint, KeptAnswer>>);

#[async_trait]
impl AnswerCache for Table {
    async fn get(&self, key: &Fingerprint) -> Option<KeptAnswer> {
        self.0.lock().expect("a lock").get(key).cloned()
    }

    async fn put(&self, key: &Fingerprint, answer: KeptAnswer, _: Duration) {
        self.0.lock().expect("a lock").insert(*key, answer);
    }
}

fn answer(value: i64) -> Answered {
    let rows = vec![vec![json!(value)]];
    Answered::new(ChartData { columns: Vec::new(), rows, truncated: false, cached: false, duration_ms: 3, as_of: None })
        .remembered()
}

fn ago(seconds: u64) -> SystemTime {
    SystemTime::now() - Duration::from_secs(seconds)
}

#[tokio::test]
async fn an_answer_is_as_old_as_its_question() {
    let answers = Answers::new(1 << 20, None);
    answers.put(KEY, &answer(1), ago(20), MINUTE).await;
    assert_eq!(answers.here(&KEY, MINUTE).await, Some(answer(1)));
    assert_eq!(answers.here(&KEY, Duration::from_secs(10)).await, None, "a stricter chart asks again");
    assert_eq!(answers.here(&[2; 32], MINUTE).await, None);
}

#[tokio::test]
async fn an_older_answer_never_replaces_a_newer_one() {
    let answers = Answers::new(1 << 20, None);
    answers.put(KEY, &answer(2), ago(1), MINUTE).await;
    answers.put(KEY, &answer(1), ago(5), MINUTE).await;
    assert_eq!(answers.here(&KEY, MINUTE).await, Some(answer(2)));
    answers.put(KEY, &answer(3), ago(0), MINUTE).await;
    assert_eq!(answers.here(&KEY, MINUTE).await, Some(answer(3)));
}

#[tokio::test]
async fn nothing_is_kept_for_no_time() {
    let answers = Answers::new(1 << 20, None);
    answers.put(KEY, &answer(1), ago(0), Duration::ZERO).await;
    assert_eq!(answers.here(&KEY, MINUTE).await, None);
}

#[tokio::test]
async fn nodes_share_what_is_not_too_large() {
    let table = Arc::new(Table::default());
    let [one, other] = [(); 2].map(|()| Answers::new(1 << 20, Some(Arc::clone(&table) as Arc<dyn AnswerCache>)));
    assert_eq!(other.shared(&KEY, MINUTE).await, None);
    one.put(KEY, &answer(1), ago(20), MINUTE).await;
    while table.0.lock().expect("a lock").is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(other.shared(&KEY, Duration::from_secs(10)).await, None, "too old for this chart");
    assert_eq!(other.shared(&KEY, MINUTE).await, Some(answer(1)));
    assert_eq!(other.here(&KEY, MINUTE).await, Some(answer(1)), "and remembered from now on");
    let large = ChartData { rows: vec![vec![json!("x".repeat(MOST_SHARED))]], ..answer(1).into_data() };
    one.put([2; 32], &Answered::new(large), ago(0), MINUTE).await;
    tokio::task::yield_now().await;
    assert_eq!(other.shared(&[2; 32], MINUTE).await, None);
}

#[tokio::test]
async fn the_last_answer_tells_when_it_was_asked_on_every_node() {
    let table = Arc::new(Table::default());
    let [one, other] = [(); 2].map(|()| Answers::new(1 << 20, Some(Arc::clone(&table) as Arc<dyn AnswerCache>)));
    let asked_at = ago(20);
    one.put(KEY, &answer(1), asked_at, MINUTE).await;
    while table.0.lock().expect("a lock").is_empty() {
        tokio::task::yield_now().await;
    }
    for node in [&one, &other] {
        assert_eq!(node.last(&KEY, Duration::from_secs(10)).await, None, "too old");
        let last = node.last(&KEY, MINUTE).await.expect("an answer");
        let told: chrono::DateTime<chrono::Utc> = last.as_of().expect("a time").parse().expect("RFC 3339");
        assert!((told - chrono::DateTime::<chrono::Utc>::from(asked_at)).abs() < chrono::TimeDelta::milliseconds(2));
        assert_eq!(last.table().rows, answer(1).table().rows);
    }
    assert_eq!(one.here(&KEY, MINUTE).await.expect("an answer").as_of(), None, "a remembered answer is not an old one");
}

#[tokio::test]
async fn what_nodes_share_is_read_or_ignored() {
    let table = Arc::new(Table::default());
    let answers = Answers::new(1 << 20, Some(Arc::clone(&table) as Arc<dyn AnswerCache>));
    for (asked_at, json) in [(i64::MAX, "{}"), (-1, "{}"), (i64::MAX, "not json")] {
        table.0.lock().expect("a lock").insert(KEY, KeptAnswer { asked_at, json: json.as_bytes().to_vec() });
        assert_eq!(answers.shared(&KEY, MINUTE).await, None, "{asked_at} {json}");
    }
}
