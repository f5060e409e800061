//! The events of an answer (docs/spec/contract.md, section 7; the server adds `thread`).

use crate::conversation::ToolResult;
use inlay_contract::code::Code;
use serde::{Deserialize, Serialize};

/// The status of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepStatus {
    /// It is running.
    Running,
    /// It is done.
    Done,
    /// It failed. The answer may still succeed.
    Failed,
}

/// One event of an answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Event {
    /// A step, for people: "Reading the data".
    Step {
        /// Its name, in two or three words.
        name: String,
        /// Its status.
        status: StepStatus,
    },
    /// The next piece of the answer's Markdown.
    Text {
        /// The text to append.
        delta: String,
    },
    /// The result of a tool that people see: a chart.
    ToolResult {
        /// The tool and its result.
        tool_result: ToolResult,
    },
    /// The answer is complete.
    Done,
    /// The answer failed.
    Error {
        /// For programs.
        code: Code,
        /// For people.
        message: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn events_are_written_as_the_contract_says() {
        let step = Event::Step { name: "Reading the data".into(), status: StepStatus::Running };
        assert_eq!(
            serde_json::to_value(step).unwrap(),
            json!({"type": "step", "name": "Reading the data", "status": "running"})
        );
        let drawn = ToolResult { tool_name: "generateChart".into(), result: json!({}) };
        assert_eq!(
            serde_json::to_value(Event::ToolResult { tool_result: drawn }).unwrap(),
            json!({"type": "tool-result", "toolResult": {"toolName": "generateChart", "result": {}}})
        );
        assert_eq!(serde_json::to_value(Event::Done).unwrap(), json!({"type": "done"}));
    }
}
