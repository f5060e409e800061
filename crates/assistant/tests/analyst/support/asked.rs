//! Asks the built-in analyst the last message of a conversation.

use super::anywhere::Anywhere;
use chrono::NaiveDate;
use inlay_assistant::{Assistant, Data, Limits, Message, Outcome, Request, Scope, Surveys};
use std::sync::{Arc, LazyLock};
use tokio::sync::mpsc;

/// As in the service: questions about the same rows share what was found out about them.
static SURVEYS: LazyLock<Surveys> = LazyLock::new(|| Surveys::new(256 << 20));

pub async fn asked(conversation: Vec<Message>, scope: Scope, today: NaiveDate, data: Arc<dyn Data>) -> Outcome {
    let request = Request {
        conversation,
        scope,
        model: None,
        today,
        locale: "en".to_owned(),
        timezone: "UTC".to_owned(),
        charts: Vec::new(),
        draws: false,
    };
    let (events, mut heard) = mpsc::channel(16);
    let assistant = Assistant::new(Limits::default(), Arc::new(Anywhere)).remembering(SURVEYS.clone());
    let answer = assistant.answer(request, data, events);
    tokio::join!(answer, async { while heard.recv().await.is_some() {} }).0
}
