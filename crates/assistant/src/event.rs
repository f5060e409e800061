//! What goes out while an answer is made (docs/spec/contract.md, section 7; the server adds `thread`).

use crate::conversation::ToolResult;
use inlay_contract::code::Code;
use serde::{Deserialize, Serialize};

/// Whether a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepStatus {
    /// It has begun.
    Running,
    /// It is over.
    Done,
    /// It did not work; the answer may still come.
    Failed,
}

/// One event of an answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Event {
    /// What is being done, for people: "Reading the data".
    Step {
        /// A few words.
        name: String,
        /// Whether it runs.
        status: StepStatus,
    },
    /// The next piece of the answer's Markdown.
    Text {
        /// To be appended.
        delta: String,
    },
    /// A tool's result that people see: a chart.
    ToolResult {
        /// The tool and its result.
        tool_result: ToolResult,
    },
    /// The answer is complete.
    Done,
    /// The answer ends here because something failed.
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
