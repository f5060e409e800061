//! Results as responses. All who get the same result share its text, which is written once and sent piece by piece, so that a
//! long one keeps neither a thread nor much memory.

use crate::ground::memory;
use axum::{
    body::{Body, Bytes, HttpBody},
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use http_body::{Frame, SizeHint};
use inlay_query::Answered;
use std::{
    any::Any,
    collections::VecDeque,
    pin::Pin,
    task::{Context, Poll, ready},
};

/// From this size on a text is written apart from the threads that answer requests.
pub const LONG: usize = 256 << 10;

/// The bytes that are sent at once.
const PIECE: usize = 64 << 10;

/// What stands before the data of a success, and after them.
const ENVELOPE: (&str, &str) = ("{\"status\":\"success\",\"data\":", "}");

/// A success: the envelope around a result.
pub async fn answer(rows: Answered) -> crate::ground::error::Result<Response> {
    let (begin, end) = if rows.text_size() > LONG {
        let rows = rows.clone();
        memory::apart(move || rows.json()).await?
    } else {
        rows.json()
    };
    let end = format!("{end}{}", ENVELOPE.1);
    let body = if begin.len() <= PIECE {
        Body::from([ENVELOPE.0.as_bytes(), &begin, end.as_bytes()].concat())
    } else {
        let parts = [Bytes::from_static(ENVELOPE.0.as_bytes()), Bytes::from_owner(begin), Bytes::from(end)];
        // The rows keep their room.
        Body::new(Pieces { parts: parts.into(), inner: Body::empty(), rests: false, _keeps: Box::new(rows) })
    };
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}

/// A response that is sent in pieces. What it keeps is dropped when the last piece was sent, or the caller has left.
pub fn in_pieces(response: Response, keeps: impl Any + Send) -> Response {
    response.map(|inner| Body::new(Pieces { parts: VecDeque::new(), inner, rests: false, _keeps: Box::new(keeps) }))
}

/// A body in pieces. Between two pieces others have their turn: each is compressed by the thread that sends it.
struct Pieces {
    parts: VecDeque<Bytes>,
    inner: Body,
    rests: bool,
    _keeps: Box<dyn Any + Send>,
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if std::mem::take(&mut self.rests) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        loop {
            if let Some(mut part) = self.parts.pop_front() {
                let piece = part.split_to(part.len().min(PIECE));
                if !part.is_empty() {
                    self.parts.push_front(part);
                    self.rests = true;
                }
                return Poll::Ready(Some(Ok(Frame::data(piece))));
            }
            match ready!(Pin::new(&mut self.inner).poll_frame(context)) {
                None => return Poll::Ready(None),
                Some(frame) => match frame?.into_data() {
                    Ok(data) => self.parts.push_back(data),
                    Err(other) => return Poll::Ready(Some(Ok(other))),
                },
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.parts.is_empty() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let here: u64 = self.parts.iter().map(|part| part.len() as u64).sum();
        let mut hint = self.inner.size_hint();
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + here);
        }
        hint.set_lower(hint.lower() + here);
        hint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use inlay_contract::{
        data::{ChartData, Column, ColumnType},
        envelope::Success,
    };
    use serde_json::json;
    use std::{future::poll_fn, sync::Arc};

    #[tokio::test]
    async fn what_is_sent_in_pieces_is_whole_and_keeps_its_room_until_then() {
        let kept = Arc::new(());
        let text = "0123456789".repeat(30_000);
        let response = in_pieces(text.clone().into_response(), Arc::clone(&kept));
        assert_eq!(response.body().size_hint().exact(), Some(text.len() as u64));
        let mut body = response.into_body();
        let first = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await.expect("a frame").expect("read");
        let first = first.into_data().expect("data");
        assert_eq!((first.len(), Arc::strong_count(&kept)), (PIECE, 2));
        let rest = to_bytes(body, usize::MAX).await.expect("a body");
        assert!([&first[..], &rest[..]].concat() == text.as_bytes());
        assert_eq!(Arc::strong_count(&kept), 1);
    }

    #[tokio::test]
    async fn a_long_result_is_sent_as_a_short_one_is() {
        for rows in [0, 1, 100, 40_000] {
            let columns = vec![Column { name: "n".to_owned(), kind: ColumnType::Number }];
            let rows = (0..rows).map(|row| vec![json!(row)]).collect();
            let data = ChartData { columns, rows, truncated: false, cached: false, duration_ms: 3, as_of: None };
            let response = answer(Answered::new(data.clone())).await.expect("a response");
            assert_eq!(response.headers()[CONTENT_TYPE], "application/json");
            let length = response.body().size_hint().exact().expect("a length");
            let sent = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
            assert_eq!(sent.len() as u64, length);
            assert!(sent == serde_json::to_vec(&Success::new(&data)).expect("JSON"), "{} bytes", sent.len());
        }
    }
}
