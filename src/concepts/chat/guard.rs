//! Watches over an answer while it is made: whoever may not see what they saw when they asked gets no more of it.

use super::ground::Ground;
use crate::{
    concepts::access::Viewer,
    ground::{
        error::{Code, Error, Result},
        state::App,
    },
};
use std::sync::Arc;

/// What an answer under way stands on.
#[derive(Clone)]
pub struct Guard {
    /// The service.
    pub app: App,
    /// Who asked.
    pub viewer: Viewer,
    /// What they may ask about.
    pub ground: Arc<Ground>,
}

impl Guard {
    /// Looks again at whoever asked.
    ///
    /// # Errors
    /// 401 `TOKEN_REVOKED` when their token was cut off, 401 `INVALID_TOKEN` when they are gone, 409 `ACCESS_CHANGED` when
    /// they may see other rows now, and what the store says when it is away.
    pub(super) async fn check(&self) -> Result<()> {
        let Self { app, viewer, ground } = self;
        viewer.still_admitted(app).await?;
        let context = viewer.security_context(app).await?;
        if ground.is_as_before(app, &context).await? {
            return Ok(());
        }
        Err(Error::new(Code::AccessChanged, "What you may see has changed meanwhile, so this answer ends here. Ask again."))
    }
}
