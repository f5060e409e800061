//! `inlay serve`

use super::Failure;
use crate::{faces::server, ground::config::Settings};

pub async fn run(settings: Settings) -> Result<(), Failure> {
    let app = server::prepare(settings).await?;
    let listener = server::listen(app.settings.listen).await?;
    server::serve(app, listener, server::stopped()).await
}
