//! Checks the reader's access while an answer is written: a reader whose access changes gets no more of it.

use super::data_scope::DataScope;
use crate::{
    concepts::access::Viewer,
    ground::{
        error::{Code, Error, Result},
        state::App,
    },
};
use std::sync::Arc;

/// The access that an answer in progress depends on.
#[derive(Clone)]
pub struct Guard {
    /// The service.
    pub app: App,
    /// Who asked.
    pub viewer: Viewer,
    /// What they may ask about.
    pub data_scope: Arc<DataScope>,
}

impl Guard {
    /// Checks the reader again.
    ///
    /// # Errors
    /// 401 `TOKEN_REVOKED` when their token was revoked, 401 `INVALID_TOKEN` when they are deleted, 409 `ACCESS_CHANGED` when
    /// they may see other rows now.
    pub(super) async fn check(&self) -> Result<()> {
        let Self { app, viewer, data_scope } = self;
        viewer.still_admitted(app).await?;
        let context = viewer.security_context(app).await?;
        if data_scope.is_as_before(app, &context).await? {
            return Ok(());
        }
        Err(Error::new(Code::AccessChanged, "Your access changed while this answer was being written. Ask again."))
    }
}
