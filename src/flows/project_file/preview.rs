//! Previews applying a project file: applies it in a transaction, compares, and rolls back. So the preview lists exactly what
//! applying would do, and fails where applying would fail.

use super::{
    apply::{ApplyProblem, Incoming, Target, write},
    changes::{Change, between},
    losses::Loss,
    project_state::ProjectState,
    sources::SourceWarning,
};
use crate::ground::audit::Actor;
use serde::Serialize;

/// The preview of applying a file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// The objects that would change, or stay although the file does not list them.
    pub changes: Vec<Change>,
    /// Warnings for the operator about the connections.
    pub warnings: Vec<SourceWarning>,
    /// The objects that would be removed while in use.
    pub losses: Vec<Loss>,
    /// The fingerprint of the project now, as returned by [`ProjectState::fingerprint`].
    #[serde(skip)]
    pub seen: String,
}

/// Previews applying a file. Changes nothing.
///
/// # Errors
/// Every error that applying the file would return.
pub async fn preview(target: &Target<'_>, actor: &Actor, incoming: &Incoming<'_>) -> Result<Preview, ApplyProblem> {
    let mut written = write(target, actor, incoming).await?;
    let name = &written.file.project.name.value;
    let after = ProjectState::read(&mut written.tx.conn(), target.sealer, target.organization, name).await?;
    written.tx.roll_back().await?;
    Ok(Preview {
        changes: between(&written.before, &after, &ProjectState::of(&written.file)?),
        warnings: written.applied.warnings,
        losses: written.applied.losses,
        seen: written.before.fingerprint(),
    })
}
