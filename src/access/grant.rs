//! What a project user asked for while they were signed in, to be done later without them: a scheduled report. It is done with what
//! the user may see then, and only while nothing has cut them off since they asked.

use super::{Viewer, viewer::require_key};
use crate::{
    customers::users,
    error::{Error, Kind, Result},
    projects,
    state::App,
    time::Timestamp,
    tokens::revocation::SubjectKind,
};
use inlay_contract::ids::{ApiKeyId, ProjectId, ProjectUserId};

/// Who asked, when, and by whose leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The project.
    pub project: ProjectId,
    /// The user.
    pub user: ProjectUserId,
    /// The API key that had signed the user in: who revokes it does not know what was done with it.
    pub key: Option<ApiKeyId>,
    /// When they asked.
    pub at: Timestamp,
}

impl Viewer {
    /// What this viewer asks for now, to be done later.
    pub fn grant(&self) -> Grant {
        let key = self.claims.as_ref().and_then(|claims| claims.azp);
        Grant { project: self.project, user: self.user, key, at: Timestamp::now() }
    }

    /// The viewer of a grant, with what their role allows now.
    ///
    /// # Errors
    ///
    /// 401 `TOKEN_REVOKED` when user, customer, project or key were cut off since, or the key's owner may not act any more; 404 when the user or the
    /// project is gone.
    pub async fn of_grant(app: &App, grant: &Grant) -> Result<Self> {
        let project = projects::by_id(app, grant.project).await?.ok_or_else(|| Error::not_found("Project"))?;
        let user = users::of_project(app, grant.project, grant.user).await?;
        let subjects = [
            grant.key.map(|key| (SubjectKind::Key, key.0)),
            Some((SubjectKind::User, user.id.0)),
            user.project_organization_id.map(|customer| (SubjectKind::Customer, customer.0)),
            Some((SubjectKind::Project, project.id.0)),
        ];
        app.known().revocations.check_since(grant.at, subjects.into_iter().flatten())?;
        require_key(app, grant.key, project.organization).await?;
        let permissions = users::permissions(app, grant.project, user.id).await?;
        Ok(Self {
            user: user.id,
            customer: user.project_organization_id,
            project: project.id,
            organization: project.organization,
            permissions,
            database_auth_token: None,
            member: None,
            edits: None,
            claims: None,
        })
    }
}

/// Whether a refusal says that the user is cut off or gone, and not that something is out of order for a moment.
pub fn is_over(refused: &Error) -> bool {
    matches!(refused.kind(), Kind::Unauthenticated | Kind::NotFound | Kind::Forbidden)
}
