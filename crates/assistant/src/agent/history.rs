//! The earlier messages of a conversation, as a model reads them.

use crate::{
    agent::tools,
    assistant::Request,
    conversation::{Message, Role, ToolResult},
    model::Turn,
    settings::Limits,
};
use serde_json::json;

/// At most this many messages are sent to a model.
const REMEMBERED: usize = 16;
/// The most characters of a message.
const LONGEST: usize = 8_000;
/// The most rows of an earlier chart.
const ROWS: usize = 10;

/// The turns of a conversation.
pub(super) fn turns(request: &Request, limits: Limits) -> Vec<Turn> {
    let conversation = &request.conversation;
    let lately = &conversation[conversation.len().saturating_sub(REMEMBERED)..];
    let mut turns: Vec<Turn> = lately.iter().map(|message| turn(message, limits)).collect();
    // A conversation must begin with the viewer's message.
    while matches!(turns.first(), Some(Turn::Assistant { .. })) {
        turns.remove(0);
    }
    turns
}

fn turn(message: &Message, limits: Limits) -> Turn {
    let mut text: String = message.text.chars().take(LONGEST).collect();
    match message.role {
        Role::User => Turn::User(text),
        Role::Assistant => {
            for drawn in message.results.iter().filter_map(ToolResult::as_chart) {
                let rows = tools::shown(&drawn.data, limits.rows.min(ROWS), limits.row_bytes / 4);
                let chart = json!({"drew": {"title": drawn.chart_config.title, "type": drawn.chart_config.kind,
                    "sql": drawn.chart_config.sql_override, "query": drawn.chart_config.model_query(), "data": rows}});
                text += &format!("\n{chart}");
            }
            Turn::Assistant { text: if text.trim().is_empty() { "(no answer)".to_owned() } else { text }, calls: Vec::new() }
        }
    }
}

/// The approximate size of a turn in bytes.
pub(super) fn size(turn: &Turn) -> usize {
    match turn {
        Turn::User(text) => text.len(),
        Turn::Assistant { text, calls } => text.len() + calls.iter().map(|call| call.arguments.len()).sum::<usize>(),
        Turn::Results(results) => results.iter().map(|result| result.text.len()).sum(),
    }
}
