//! A form with a file. What cannot be taken of it is told beside the field, not on a page of its own.

use super::{
    answer::Refused,
    submission::{SignedIn, Typed, fields, no_text, own_origin, same_session},
};
use crate::ground::{
    error::{Code, Error, Result},
    state::App,
    web::body::too_large,
};
use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, FromRequestParts, Request},
};
use futures::StreamExt;

/// So many times the most that a form may hold are read before the connection is cut: a browser that still sends reads no answer.
const READ_ON: usize = 32;

/// A form with a file that a signed-in person sent.
pub struct Upload<V> {
    /// Who sent it.
    pub visit: V,
    /// What was typed, without what could not be read.
    pub typed: Typed,
    /// Why something could not be read: 400 with the fields, or 413 without any. Nothing may be changed then.
    pub problem: Option<Error>,
}

impl<V> FromRequest<App> for Upload<V>
where
    V: SignedIn + FromRequestParts<App, Rejection = Refused> + Send,
{
    type Rejection = Refused;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refused> {
        let (mut head, body) = request.into_parts();
        own_origin(app, &head.headers)?;
        let visit = V::from_request_parts(&mut head, app).await?;
        let limits = &app.settings.limits;
        let Some(bytes) = whole(body, limits.max_body_bytes).await? else {
            return Ok(Self { visit, typed: Typed::default(), problem: Some(too_large(limits)) });
        };
        let (typed, unread) = fields(&head.headers, bytes).await?;
        same_session(visit.person(), &typed)?;
        Ok(Self { visit, typed, problem: (!unread.is_empty()).then(|| no_text(unread)) })
    }
}

/// A body's bytes; none when there are more than that.
async fn whole(body: Body, most: usize) -> Result<Option<Bytes>> {
    let (mut kept, mut read) = (Vec::new(), 0_usize);
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| Error::new(Code::ValidationFailed, "The form arrived incomplete."))?;
        read = read.saturating_add(chunk.len());
        if read <= most {
            kept.extend_from_slice(&chunk);
        } else if read > most.saturating_mul(READ_ON) {
            break;
        }
    }
    Ok((read <= most).then(|| kept.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_body_is_read_whole_or_not_at_all() {
        assert_eq!(whole(Body::from("12345"), 5).await.expect("read"), Some(Bytes::from("12345")));
        assert_eq!(whole(Body::from("123456"), 5).await.expect("read"), None);
        assert_eq!(whole(Body::from(vec![0; 500]), 5).await.expect("read"), None);
    }
}
