//! Permission to act for a project user later, without a request of theirs: for a scheduled report. The work runs with the
//! user's permissions at that time, and only while nothing has revoked the user's access since they asked for it.

use super::{Viewer, viewer::require_key};
use crate::{
    concepts::{
        customers::users,
        projects,
        tokens::revocation::{Granted, SubjectKind},
    },
    ground::{
        error::{Error, Kind, Result},
        state::App,
        time::Timestamp,
    },
};
use inlay_contract::ids::{ApiKeyId, ProjectId, ProjectUserId};

/// The user who asked, when, and the API key that signed them in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The project.
    pub project: ProjectId,
    /// The user.
    pub user: ProjectUserId,
    /// The API key that signed the user in: revoking it also ends what the user scheduled.
    pub key: Option<ApiKeyId>,
    /// When the user asked, by the store's clock.
    pub at: Timestamp,
}

impl Viewer {
    /// A grant to act for this viewer later.
    pub fn grant(&self, app: &App) -> Grant {
        let key = self.claims.as_ref().and_then(|claims| claims.azp);
        Grant { project: self.project, user: self.user, key, at: app.now() }
    }

    /// The viewer of a grant, with the permissions that their role has now.
    ///
    /// # Errors
    ///
    /// 401 `TOKEN_REVOKED` when user, customer, project or key were revoked since, or the key's owner may not act any more; 404
    /// when the user or the project is deleted.
    pub async fn of_grant(app: &App, grant: &Grant) -> Result<Self> {
        let project = projects::by_id(app, grant.project).await?.ok_or_else(|| Error::not_found("Project"))?;
        let user = users::of_project(app, grant.project, grant.user).await?;
        let subjects = [
            grant.key.map(|key| (SubjectKind::Key, key.0)),
            Some((SubjectKind::User, user.id.0)),
            user.project_organization_id.map(|customer| (SubjectKind::Customer, customer.0)),
            Some((SubjectKind::Project, project.id.0)),
        ];
        crate::concepts::tokens::known(app)
            .revocations
            .check_since(Granted { at: grant.at, version: None }, subjects.into_iter().flatten())?;
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

/// Whether an error means that the user's access is revoked or the user is deleted, rather than a temporary fault.
pub fn is_over(refused: &Error) -> bool {
    matches!(refused.kind(), Kind::Unauthenticated | Kind::NotFound | Kind::Forbidden)
}
