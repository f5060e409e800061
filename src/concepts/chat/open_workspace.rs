//! A workspace in production, as one viewer may ask it.

use super::data_scope::{DataScope, DataScopeParts, ViewerLocale};
use crate::{
    concepts::{
        access::{Viewer, caller::Reach},
        projects,
        workspaces::{self, Version, Workspace},
    },
    ground::{
        error::{Error, Result},
        state::App,
    },
};
use inlay_contract::ids::WorkspaceId;
use std::sync::Arc;

/// A workspace in production, as one viewer may ask it.
pub struct OpenWorkspace {
    /// The workspace.
    pub workspace: Workspace,
    /// Its version in production.
    pub version: Version,
    /// The tables in scope, and the viewer's own rows of them.
    pub data_scope: Arc<DataScope>,
}

impl OpenWorkspace {
    /// Opens a workspace for a viewer.
    ///
    /// # Errors
    /// 404 for a workspace out of reach, 409 when it is not in production, 401 when the viewer is deleted.
    pub async fn open(app: &App, viewer: &Viewer, id: WorkspaceId, viewer_locale: &ViewerLocale) -> Result<Self> {
        let reach = Reach::Project(viewer.project);
        let (workspace, version) = workspaces::in_production(&mut app.db.read().await?.conn(), reach, id).await?;
        Self::of_version(app, viewer, workspace, version, viewer_locale).await
    }

    /// Opens a version of a workspace for a viewer, in production or not, so that it can be tested before it is promoted.
    ///
    /// # Errors
    /// 404 when the project is deleted, 401 when the viewer is.
    pub async fn of_version(
        app: &App,
        viewer: &Viewer,
        workspace: Workspace,
        version: Version,
        viewer_locale: &ViewerLocale,
    ) -> Result<Self> {
        let project = projects::by_id(app, viewer.project).await?.ok_or_else(|| Error::not_found("Project"))?;
        let parts = DataScopeParts {
            name: workspace.name.clone(),
            project: &project,
            connection: version.connection,
            settings: version.settings.clone(),
            context: viewer.security_context(app).await?,
            viewer_locale,
        };
        let data_scope = DataScope::open(app, parts).await?.of_workspace(workspace.id);
        Ok(Self { data_scope: Arc::new(data_scope), workspace, version })
    }
}
