//! Questions whose answers were declined or rated as bad, for the members of the organization. Each goes with its chat.

use super::Shelf;
use crate::{
    concepts::chat::{OpenQuestion, message::Feedback},
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, inserts, row, sql},
        },
        tidy::{self, Batch, HOUR, Rule},
        time::Timestamp,
    },
    on,
};
use inlay_assistant::verified::normalised;
use inlay_contract::ids::{MessageId, WorkspaceId};

/// How many of a workspace are kept.
const KEPT: u64 = 2_000;
/// The maximum length of a question, in characters. Longer ones are cut.
const LONGEST: usize = 400;

row! {
    /// The question of an answer that was declined or rated as bad.
    pub(crate) struct OpenQuestionRow in "open_questions" {
        message_id: MessageId,
        workspace_id: WorkspaceId,
        question: String,
        asked: String,
        declined: bool,
        rated: bool,
        created_at: Timestamp,
    }
}

/// Why a question is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It got no answer.
    Declined,
    /// Its answer was rated as bad.
    Rated,
}

/// Adds a question, with the answer that it got. A message that asks nothing is left out.
pub async fn add(conn: &mut Conn<'_>, workspace: WorkspaceId, answer: MessageId, question: &str, why: Why) -> Result<()> {
    const SQL: &str = sql!(
        inserts!(OpenQuestionRow),
        " ON CONFLICT (message_id) DO UPDATE SET declined = open_questions.declined OR excluded.declined, \
        rated = open_questions.rated OR excluded.rated"
    );
    let question: String = question.trim().chars().take(LONGEST).collect();
    let asked = normalised(&question);
    if asked.is_empty() {
        return Ok(());
    }
    let row = OpenQuestionRow {
        message_id: answer,
        workspace_id: workspace,
        question,
        asked,
        declined: why == Why::Declined,
        rated: why == Why::Rated,
        created_at: Timestamp::now(),
    };
    on!(conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    Ok(())
}

/// Opens the question of an answer that its user rates as bad, and takes it back for any other rating.
pub async fn rate(conn: &mut Conn<'_>, shelf: Shelf, answer: MessageId, feedback: Option<Feedback>) -> Result<()> {
    const QUESTION: &str = "SELECT q.text FROM chat_messages a JOIN chat_messages q ON q.thread_id = a.thread_id \
        AND q.position = a.position - 1 WHERE a.id = $1 AND q.role = 'user'";
    const UNRATED: &str = "UPDATE open_questions SET rated = FALSE WHERE message_id = $1";
    const CLOSED: &str = "DELETE FROM open_questions WHERE message_id = $1 AND declined = FALSE AND rated = FALSE";
    if feedback == Some(Feedback::Bad) {
        let question: Option<String> = on!(conn, |c| sqlx::query_scalar(QUESTION).bind(answer).fetch_optional(c).await)?;
        return match question {
            Some(question) => add(conn, shelf.workspace, answer, &question, Why::Rated).await,
            None => Ok(()),
        };
    }
    for sql in [UNRATED, CLOSED] {
        on!(conn, |c| sqlx::query(sql).bind(answer).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// The open questions of a workspace, grouped by what they ask: those asked most often first, then the latest.
pub async fn open_questions(conn: &mut Conn<'_>, workspace: WorkspaceId, most: i64) -> Result<Vec<OpenQuestion>> {
    const SQL: &str = "SELECT asked, MAX(question) AS question, COUNT(*) AS times, \
        COUNT(CASE WHEN declined THEN 1 END) AS declined, COUNT(CASE WHEN rated THEN 1 END) AS rated, \
        MAX(created_at) AS last_at FROM open_questions WHERE workspace_id = $1 GROUP BY asked \
        ORDER BY COUNT(*) DESC, MAX(created_at) DESC, asked LIMIT $2";
    Ok(on!(conn, |c| sqlx::query_as::<_, OpenQuestion>(SQL).bind(workspace).bind(most).fetch_all(c).await)?)
}

/// Closes the open questions of a workspace that ask the same. Returns how many there were.
pub async fn close(conn: &mut Conn<'_>, workspace: WorkspaceId, asked: &str) -> Result<u64> {
    const SQL: &str = "DELETE FROM open_questions WHERE workspace_id = $1 AND asked = $2";
    Ok(on!(conn, |c| sqlx::query(SQL).bind(workspace).bind(asked).execute(c).await.map(|done| done.rows_affected()))?)
}

/// Deletes open questions beyond the newest of a workspace.
pub const TIDY_QUESTIONS: Rule = Rule {
    name: "open_questions",
    tables: &["open_questions"],
    every: HOUR,
    batch: 1_000,
    run: |batch, conn| Box::pin(forget(batch, conn)),
};

async fn forget(batch: Batch<'_>, conn: &mut Conn<'_>) -> Result<u64> {
    const SQL: &str = "DELETE FROM open_questions WHERE message_id IN (SELECT p.message_id FROM \
        (SELECT message_id, ROW_NUMBER() OVER (PARTITION BY workspace_id ORDER BY created_at DESC, message_id DESC) AS number \
        FROM open_questions) p WHERE p.number > $1 LIMIT $2)";
    tidy::delete_beyond(conn, SQL, KEPT, batch.most).await
}
