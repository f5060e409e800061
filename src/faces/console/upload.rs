//! A form with a file. Problems with the file are shown beside its field, not on an error page.

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
use futures::{FutureExt as _, StreamExt};

/// How many times the maximum size is read before the connection is closed: a browser that is still sending does not read the response.
const READ_ON: usize = 32;

/// A form with a file that a signed-in person sent.
pub struct Upload<V> {
    /// The sender.
    pub visit: V,
    /// The form's fields, without those that could not be read.
    pub typed: Typed,
    /// Why something could not be read: 400 with the fields, or 413 without fields. The handler must not change anything then.
    pub problem: Option<Error>,
}

impl<V> FromRequest<App> for Upload<V>
where
    V: SignedIn + FromRequestParts<App, Rejection = Refused> + Send,
{
    type Rejection = Refused;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refused> {
        async move {
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
        .boxed()
        .await
    }
}

/// A body's bytes. `None` when it is too large.
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
