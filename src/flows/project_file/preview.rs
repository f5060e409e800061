//! What applying a project file would do: it is applied, looked at, and taken back. So nothing can be said here that applying
//! would not do, and whatever applying would refuse is refused.

use super::{
    apply::{ApplyProblem, Incoming, Target, write},
    changes::{Change, between},
    losses::Loss,
    sources::SourceWarning,
    standing::Standing,
};
use crate::ground::audit::Actor;
use serde::Serialize;

/// What applying a file would do.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// What would become of each thing that does not stay as the file says it.
    pub changes: Vec<Change>,
    /// What the operator should know about the connections.
    pub warnings: Vec<SourceWarning>,
    /// What would be taken away from what uses it.
    pub losses: Vec<Loss>,
    /// What the project is now, as [`Standing::fingerprint`] tells it.
    #[serde(skip)]
    pub seen: String,
}

/// Says what applying a file would do. Nothing changes.
///
/// # Errors
/// Whatever applying the file would be refused for.
pub async fn preview(target: &Target<'_>, actor: &Actor, incoming: &Incoming<'_>) -> Result<Preview, ApplyProblem> {
    let mut written = write(target, actor, incoming).await?;
    let name = &written.file.project.name.value;
    let after = Standing::read(&mut written.tx.conn(), target.sealer, target.organization, name).await?;
    written.tx.roll_back().await?;
    Ok(Preview {
        changes: between(&written.before, &after, &Standing::of(&written.file)?),
        warnings: written.applied.warnings,
        losses: written.applied.losses,
        seen: written.before.fingerprint(),
    })
}
