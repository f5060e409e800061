//! Answers with a language model: it looks at the catalogue, runs SQL as the viewer, draws charts and writes what it found. Its
//! usage is limited, and every call ends in an answer or in one clear message.

mod history;
mod prompt;
mod query_schema;
mod tools;

use crate::{
    assistant::Request,
    data::Data,
    event::StepStatus,
    markdown::Strainer,
    model::{Call, CallResult, Delta, Model, ModelProblem, Prompt, Turn},
    settings::{Limits, Usage},
    transcript::Transcript,
};
use futures::StreamExt;
use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::AtomicUsize},
};

/// Why an answer failed, for the viewer and the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The model is not available and no text has been sent, so the built-in analyst may answer.
    Absent(ModelProblem),
    /// The model's response broke off or is not valid.
    Broken(ModelProblem),
    /// A limit was reached.
    Limit(&'static str),
}

/// Answers the last message of a conversation with a model.
pub(crate) struct Agent<'a> {
    pub model: &'a dyn Model,
    pub request: &'a Request,
    pub data: &'a dyn Data,
    pub limits: Limits,
    /// The tokens used. Counted even if the answer is cancelled.
    pub usage: &'a mut Usage,
    /// The bytes that the model may still send.
    bytes: Arc<AtomicUsize>,
    failed_queries: usize,
}

/// The result of one model call.
#[derive(Default)]
struct Said {
    text: String,
    calls: BTreeMap<u64, Call>,
    usage: Option<Usage>,
    bytes: usize,
}

impl<'a> Agent<'a> {
    pub(crate) fn new(
        model: &'a dyn Model,
        request: &'a Request,
        data: &'a dyn Data,
        limits: Limits,
        usage: &'a mut Usage,
    ) -> Self {
        Self { model, request, data, limits, usage, bytes: Arc::new(AtomicUsize::new(limits.bytes)), failed_queries: 0 }
    }

    /// Calls the model until it asks for no more tools.
    ///
    /// # Errors
    /// See [`Failure`].
    pub(crate) async fn answer(&mut self, transcript: &mut Transcript) -> Result<(), Failure> {
        let system = prompt::system(self.request);
        let tools = tools::tools(self.request);
        let mut turns = history::turns(self.request, self.limits);
        for _ in 0..self.limits.steps {
            let prompt = Prompt { system: &system, turns: &turns, tools: &tools, bytes: &self.bytes.clone() };
            let started = transcript.has_content();
            let said = self.listen(&prompt, transcript).await.map_err(|problem| match problem {
                problem if problem.is_absence() && !started => Failure::Absent(problem),
                ModelProblem::TooMuch => Failure::Limit("The language model's answer is too long. Ask a narrower question."),
                problem => Failure::Broken(problem),
            })?;
            if said.calls.is_empty() {
                return if transcript.has_content() {
                    Ok(())
                } else {
                    Err(Failure::Broken(ModelProblem::Broken("it is empty")))
                };
            }
            if self.usage.total() > self.limits.tokens {
                return Err(Failure::Limit("This answer reached its token limit. Ask a narrower question."));
            }
            let calls: Vec<Call> = said.calls.into_values().collect();
            let results = self.work(&calls, transcript).await;
            turns.push(Turn::Assistant { text: said.text, calls });
            turns.push(Turn::Results(results));
        }
        Err(Failure::Limit("The language model did not finish its answer. Ask a narrower question."))
    }

    /// Reads one response and passes its text on as it arrives.
    async fn listen(&mut self, prompt: &Prompt<'_>, transcript: &mut Transcript) -> Result<Said, ModelProblem> {
        transcript.step("Thinking", StepStatus::Running).await;
        let heard = self.hear(prompt, transcript).await;
        transcript.step("Thinking", if heard.is_ok() { StepStatus::Done } else { StepStatus::Failed }).await;
        heard
    }

    async fn hear(&mut self, prompt: &Prompt<'_>, transcript: &mut Transcript) -> Result<Said, ModelProblem> {
        let read = prompt.system.len() + prompt.turns.iter().map(history::size).sum::<usize>();
        let before = *self.usage;
        let mut deltas = self.model.call(prompt).await?;
        let mut said = Said::default();
        self.charge(before, read, &said);
        let mut strainer = Strainer::default();
        let mut separate = transcript.has_text();
        while let Some(delta) = deltas.next().await {
            match delta? {
                Delta::Text(text) => {
                    said.bytes += text.len();
                    said.text.push_str(&text);
                    if transcript.text.len() + text.len() > self.limits.text {
                        return Err(ModelProblem::TooMuch);
                    }
                    let mut piece = strainer.push(&text);
                    // Text after a tool call starts a new paragraph.
                    if separate && !piece.trim().is_empty() {
                        piece = format!("\n\n{}", piece.trim_start());
                        separate = false;
                    }
                    if !piece.is_empty() && !separate {
                        transcript.say(&piece).await;
                    }
                }
                Delta::CallStart { index, id, name } => {
                    let id = if id.is_empty() { format!("call-{index}") } else { id };
                    said.calls.insert(index, Call { id, name, arguments: String::new() });
                }
                Delta::CallPart { index, json } => {
                    said.bytes += json.len();
                    let call = said.calls.get_mut(&index).ok_or(ModelProblem::Broken("a tool call is incomplete"))?;
                    call.arguments.push_str(&json);
                }
                Delta::Cost(usage) => said.usage = Some(usage),
                Delta::End => {
                    let rest = strainer.flush();
                    if !rest.is_empty() {
                        let rest = if separate { format!("\n\n{rest}") } else { rest };
                        transcript.say(&rest).await;
                    }
                    return Ok(said);
                }
            }
            self.charge(before, read, &said);
        }
        Err(ModelProblem::Broken("it is incomplete"))
    }

    /// Counts what a call has used so far, since it may be cancelled at any moment. If the model reports no usage, four bytes
    /// count as one token.
    fn charge(&mut self, before: Usage, read: usize, said: &Said) {
        *self.usage = before;
        *self.usage += said.usage.unwrap_or(Usage { input_tokens: (read / 4) as u64, output_tokens: (said.bytes / 4) as u64 });
    }

    /// Runs the tools that the model called.
    async fn work(&mut self, calls: &[Call], transcript: &mut Transcript) -> Vec<CallResult> {
        let mut results = Vec::new();
        for call in calls {
            let name = tools::step(&call.name);
            transcript.step(name, StepStatus::Running).await;
            let done = self.run(call, transcript).await;
            transcript.step(name, if done.is_ok() { StepStatus::Done } else { StepStatus::Failed }).await;
            let failed = done.is_err();
            let text = match done {
                Ok(text) | Err(text) => text,
            };
            results.push(CallResult { id: call.id.clone(), text, failed });
        }
        results
    }
}
