//! Sends a question as every call is sent, and reads events from the response as they arrive. Closing the stream stops the
//! answer on the server.

use super::wire::{AnswerState, PageEvent};
use crate::{
    calls::{Refusal, client},
    json,
};
use serde::Serialize;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader, Response, TextDecodeOptions, TextDecoder};

/// Asks a question at a path. Calls back with each event as it arrives.
///
/// # Errors
/// The server refused the question and stored nothing.
pub async fn ask(
    path: &str,
    question: &impl Serialize,
    controller: &AbortController,
    heard: impl Fn(PageEvent),
) -> Result<(), Refusal> {
    let question = serde_json::to_string(question).unwrap_or_default();
    let response = client::send(path, &question, Some(&controller.signal())).await?;
    let ended = read(&response, &heard).await;
    if ended != Some(true) {
        // The page aborted the stream, or the connection was lost.
        let stopped = controller.signal().aborted();
        let lost = "The connection was lost before the answer was complete. Ask again.".to_owned();
        heard(PageEvent::Over(if stopped { AnswerState::Stopped } else { AnswerState::Failed(lost) }));
    }
    Ok(())
}

/// Reads events until the stream ends. Returns whether the answer ended, or `None` if the connection was lost.
async fn read(response: &Response, heard: &impl Fn(PageEvent)) -> Option<bool> {
    let reader: ReadableStreamDefaultReader = response.body()?.get_reader().unchecked_into();
    let decoder = TextDecoder::new().ok()?;
    let going_on = TextDecodeOptions::new();
    going_on.set_stream(true);
    let (mut lines, mut over) = (Lines::default(), false);
    loop {
        let part = JsFuture::from(reader.read()).await.ok()?;
        if js_sys::Reflect::get(&part, &"done".into()).ok()?.is_truthy() {
            return Some(over);
        }
        let bytes: js_sys::Object = js_sys::Reflect::get(&part, &"value".into()).ok()?.unchecked_into();
        let text = decoder.decode_with_buffer_source_and_options(&bytes, &going_on).ok()?;
        for event in lines.take(&text) {
            over |= matches!(event, PageEvent::Over(_));
            heard(event);
        }
    }
}

/// The end of a stream that is not a complete line yet.
#[derive(Default)]
struct Lines(String);

impl Lines {
    /// The events that this piece of the stream completes.
    fn take(&mut self, text: &str) -> Vec<PageEvent> {
        self.0.push_str(text);
        let Some(end) = self.0.rfind('\n') else { return Vec::new() };
        let rest = self.0.split_off(end + 1);
        let whole = std::mem::replace(&mut self.0, rest);
        let data = whole.lines().filter_map(|line| line.strip_prefix("data:"));
        data.filter_map(|event| json::read(event.trim().as_bytes())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_wherever_the_stream_is_cut() {
        let mut lines = Lines::default();
        assert_eq!(lines.take(": alive\n\ndata: {\"over\":\"do"), []);
        assert_eq!(lines.take("ne\"}"), []);
        assert_eq!(
            lines.take("\n\ndata: {\"over\":{\"failed\":\"x\"}}\n\ndata: nonsense\n"),
            [PageEvent::Over(AnswerState::Done), PageEvent::Over(AnswerState::Failed("x".into())),]
        );
        assert_eq!(lines.0, "");
    }
}
