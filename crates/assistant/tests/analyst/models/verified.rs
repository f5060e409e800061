//! Verified answers beside a language model.

use super::*;
use inlay_assistant::{Verified, WrittenQuery};

#[tokio::test]
async fn the_model_is_not_asked_for_a_verified_question_and_reads_similar_ones() {
    let sql = "select city, amount from sales order by 2 desc";
    let data = Arc::new(Rows::three());
    let server = scripted([Act::Say("I cannot say.".into())]).await;
    let verified = |question: &str, sql: &str| Verified {
        question: question.to_owned(),
        query: WrittenQuery::Sql(sql.to_owned()),
        by: "Acme Finance".to_owned(),
    };
    let scope = Scope {
        verified: vec![verified("Revenue by city", sql), verified("Staff on leave", "select staff from sales")],
        ..modelled()
    };
    let asked = |question: &str| Request { scope: scope.clone(), ..request(&server, Provider::OpenAi, question) };
    let (outcome, _) = ask_of(asked("revenue by city"), Arc::clone(&data), limits()).await;
    assert!(outcome.text.starts_with("Verified by") && outcome.tokens.total() == 0, "{}", outcome.text);
    assert!(server.bodies().is_empty());

    let (outcome, _) = ask_of(asked("revenue by city and month"), data, limits()).await;
    assert!(outcome.declined, "a model that draws nothing has no answer");
    let sent = server.bodies()[0].to_string();
    assert!(sent.contains(sql) && !sent.contains("select staff"), "{sent}");
}
