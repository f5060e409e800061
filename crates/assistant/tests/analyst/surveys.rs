//! What is found out about a viewer's data is remembered for those who see the same rows, and for nobody else.

use crate::support::{
    anywhere::Anywhere,
    rows::{Rows, modelled},
};
use async_trait::async_trait;
use inlay_assistant::{
    Assistant, Assumed, Data, DataError, Ended, Limits, Message, ModelRows, Outcome, Request, Scope, Sight, Surveys,
};
use inlay_contract::{chart::question::Question, code::Code, data::ChartData, model::ModelQuery};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::sync::mpsc;

/// Rows with one name of a city, whose reading is counted.
struct Seen {
    rows: Rows,
    sight: Option<u8>,
    city: &'static str,
    values_read: AtomicUsize,
    values_fail: bool,
    revoked: bool,
}

impl Seen {
    fn new(sight: Option<u8>, city: &'static str) -> Self {
        Self { rows: Rows::three(), sight, city, values_read: AtomicUsize::new(0), values_fail: false, revoked: false }
    }
}

#[async_trait]
impl Data for Seen {
    async fn query(&self, sql: &str) -> Result<ChartData, DataError> {
        self.rows.query(sql).await
    }

    async fn query_model(&self, query: &ModelQuery, assumed: &Assumed) -> Result<ModelRows, DataError> {
        self.rows.query_model(query, assumed).await
    }

    async fn values(&self, _: &str, _: &str) -> Result<Vec<Value>, DataError> {
        self.values_read.fetch_add(1, Relaxed);
        // Others ask meanwhile.
        tokio::time::sleep(Duration::from_millis(20)).await;
        if self.values_fail { Err(DataError::new(Code::SourceUnavailable, "Away.")) } else { Ok(vec![json!(self.city)]) }
    }

    async fn sight(&self) -> Result<Option<Sight>, DataError> {
        if self.revoked {
            return Err(DataError::new(Code::AccessChanged, "Your access changed."));
        }
        Ok(self.sight.map(|number| Sight([number; 32])))
    }

    fn sql_of(&self, question: &Question) -> Result<String, DataError> {
        self.rows.sql_of(question)
    }

    fn containment(&self, column: (&str, &str), key: (&str, &str)) -> Result<String, DataError> {
        self.rows.containment(column, key)
    }
}

struct Asking {
    assistant: Assistant,
    scope: Scope,
}

impl Asking {
    fn new() -> Self {
        let assistant = Assistant::new(Limits::default(), Arc::new(Anywhere)).remembering(Surveys::new(8 << 20));
        Self { assistant, scope: modelled() }
    }

    async fn ask(&self, question: &str, data: &Arc<Seen>) -> Outcome {
        let request = Request {
            conversation: vec![Message::user(question)],
            scope: self.scope.clone(),
            model: None,
            today: "2001-06-30".parse().expect("a day"),
            locale: "en".to_owned(),
            timezone: "UTC".to_owned(),
            charts: Vec::new(),
            draws: false,
        };
        let (events, mut heard) = mpsc::channel(16);
        let answer = self.assistant.answer(request, Arc::<Seen>::clone(data), events);
        tokio::join!(answer, async { while heard.recv().await.is_some() {} }).0
    }
}

const KNOWS_MILAN: &str = "city Milan";

#[tokio::test]
async fn who_sees_the_same_rows_shares_what_was_found() {
    let asking = Asking::new();
    let (first, second) = (Arc::new(Seen::new(Some(1), "Milan")), Arc::new(Seen::new(Some(1), "Milan")));
    let alone = asking.ask("sales in milan", &first).await;
    assert!(alone.text.contains(KNOWS_MILAN), "{}", alone.text);
    assert!(first.values_read.load(Relaxed) > 0);
    let shared = asking.ask("sales in milan", &second).await;
    assert_eq!((shared.text, second.values_read.load(Relaxed)), (alone.text, 0));
    let (entries, bytes) = asking.assistant.surveys().held();
    assert!(entries <= 1 && bytes < 1 << 20, "{entries} take {bytes}");
}

#[tokio::test]
async fn who_sees_other_rows_is_told_nothing_of_them() {
    let mut asking = Asking::new();
    asking.ask("sales in milan", &Arc::new(Seen::new(Some(1), "Milan"))).await;
    for sight in [Some(2), None] {
        let other = Arc::new(Seen::new(sight, "Turin"));
        let answer = asking.ask("sales in milan", &other).await;
        assert!(!answer.text.contains(KNOWS_MILAN), "{}", answer.text);
        assert!(other.values_read.load(Relaxed) > 0);
    }
    // Equal rights on other columns are another view.
    asking.scope.tables[0].columns[0].label = Some("Town".to_owned());
    let relabelled = Arc::new(Seen::new(Some(1), "Turin"));
    asking.ask("sales in milan", &relabelled).await;
    assert!(relabelled.values_read.load(Relaxed) > 0);
}

#[tokio::test]
async fn what_failed_in_part_is_read_again() {
    let asking = Asking::new();
    asking.ask("sales in milan", &Arc::new(Seen { values_fail: true, ..Seen::new(Some(1), "Milan") })).await;
    let well = Arc::new(Seen::new(Some(1), "Milan"));
    let answer = asking.ask("sales in milan", &well).await;
    assert!(answer.text.contains(KNOWS_MILAN) && well.values_read.load(Relaxed) > 0, "{}", answer.text);
}

#[tokio::test]
async fn who_asks_beside_somebody_who_lost_access_is_answered() {
    let asking = Asking::new();
    let gone = Arc::new(Seen { values_fail: true, ..Seen::new(Some(1), "Milan") });
    let well = Arc::new(Seen::new(Some(1), "Milan"));
    let (_, answer) = tokio::join!(asking.ask("sales in milan", &gone), asking.ask("sales in milan", &well));
    assert!(answer.text.contains(KNOWS_MILAN), "{}", answer.text);
}

#[tokio::test]
async fn who_lost_access_gets_nothing_that_is_remembered() {
    let asking = Asking::new();
    asking.ask("sales in milan", &Arc::new(Seen::new(Some(1), "Milan"))).await;
    let revoked = asking.ask("sales in milan", &Arc::new(Seen { revoked: true, ..Seen::new(Some(1), "Milan") })).await;
    assert_eq!(revoked.ended, Ended::Failed(Code::AccessChanged));
    assert!(!revoked.text.contains("Milan"), "{}", revoked.text);
}
