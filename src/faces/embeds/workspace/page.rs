//! Collects the data of a workspace's page.

use super::{address::Address, drawn};
use crate::{
    concepts::{
        access::Viewer,
        applications,
        chat::{OpenWorkspace, ViewerLocale, threads},
        customers::users,
        projects::{self, Project},
        workspaces::MOST_STARTERS,
    },
    faces::embeds::frame::{FramePage, address::Asked, elsewhere},
    ground::{
        error::{Error, Result},
        state::App,
    },
};
use futures::FutureExt;
use inlay_app::{
    calls::{PageAddress, Style},
    frame::ssr::Document,
    workspace::{
        ssr,
        wire::{WorkspaceContent, WorkspacePage, WorkspaceView},
    },
};
use inlay_contract::{
    ids::{ProjectUserId, WorkspaceId},
    page::PageMessage,
    permissions::{Flag, Permissions},
    theme::Theme,
};
use std::sync::Arc;

/// The background colour of a dark page.
const DARK: &str = "#111317";

/// A page and its theme.
pub struct Shown {
    /// The page.
    pub page: WorkspacePage,
    /// Its theme.
    pub theme: Theme,
}

impl FramePage for Address {
    type Shown = Shown;

    const MISSING: PageMessage = PageMessage::WorkspaceNotFound;

    fn read(app: &App, path: &str, search: &str) -> Option<Self> {
        Self::read(path, search, app.settings.limits.chat_message_characters)
    }

    fn asked(&self) -> &Asked {
        &self.asked
    }

    async fn project(&self, app: &App) -> Result<Option<Arc<Project>>> {
        match self.target {
            Some((project, _)) => projects::by_id(app, project).await,
            None => Ok(None),
        }
    }

    async fn open(&self, app: &App, token: &str) -> Result<Shown> {
        let admitted = admit(app, token, self).await?;
        let organization = admitted.viewer.organization;
        let mut shown = opened(app, admitted, self).await?;
        if let WorkspaceContent::Workspace(view) = &mut shown.page.content
            && let Some(thread) = &mut view.thread
        {
            drawn::draw(app, organization, thread).await;
        }
        Ok(shown)
    }

    fn bare(&self, project: Option<&Project>, message: Option<PageMessage>) -> Shown {
        let of_project =
            |read: fn(&Project) -> &String, default: &str| project.map_or_else(|| default.to_owned(), |p| read(p).clone());
        let page = WorkspacePage {
            content: message.map_or(WorkspaceContent::AwaitingToken, WorkspaceContent::Message),
            parameters: self.parameters.clone(),
            locale: self.asked.locale.clone().unwrap_or_else(|| of_project(|project| &project.locale, "en")),
            timezone: self.asked.timezone.clone().unwrap_or_else(|| of_project(|project| &project.timezone, "UTC")),
        };
        let background = (self.dark == Some(true)).then(|| DARK.to_owned());
        Shown { page, theme: Theme { background, ..Theme::default() } }
    }

    fn message(shown: &Shown) -> Option<PageMessage> {
        match &shown.page.content {
            WorkspaceContent::Message(message) => Some(*message),
            WorkspaceContent::AwaitingToken | WorkspaceContent::Workspace(_) => None,
        }
    }

    fn viewer(shown: &Shown) -> Option<ProjectUserId> {
        match &shown.page.content {
            WorkspaceContent::Workspace(view) => Some(view.viewer),
            WorkspaceContent::Message(_) | WorkspaceContent::AwaitingToken => None,
        }
    }

    fn document(Shown { page, theme }: Shown) -> Document {
        ssr::document(page, &theme)
    }
}

/// The page for its viewer.
///
/// # Errors
/// 404 for a workspace out of reach, 409 when it is not in production.
pub(super) async fn opened(app: &App, admitted: Admitted, address: &Address) -> Result<Shown> {
    // Boxed: these futures are nested deeper than the compiler looks.
    let visit = visit(app, admitted, address).boxed().await?;
    let page = open(app, &visit, address).boxed().await?;
    Ok(Shown { page, theme: visit.style.theme })
}

/// A visit of the page: the viewer, the workspace, and the style.
pub(super) struct Visit {
    /// The viewer.
    pub viewer: Viewer,
    /// The workspace in production.
    pub open_workspace: OpenWorkspace,
    /// The style of charts and page.
    pub style: Style,
}

/// The address that a page sends.
///
/// # Errors
/// 404 for a path of another page.
pub(super) fn address(app: &App, sent: &PageAddress) -> Result<Address> {
    FramePage::read(app, &sent.path, &sent.search).ok_or_else(|| Error::not_found("Workspace"))
}

/// The viewer of a token for a page's project, and the workspace that the address names there.
pub(super) struct Admitted {
    /// The viewer.
    pub viewer: Viewer,
    workspace: WorkspaceId,
}

/// Checks whether a token is for the project of an address (docs/spec/contract.md, section 10).
///
/// # Errors
/// 401 for an invalid token, 404 for one of another project.
pub(super) async fn admit(app: &App, token: &str, address: &Address) -> Result<Admitted> {
    let viewer = Viewer::by_token(app, token).await?.with_database_auth(address.asked.database_auth.clone());
    let (_, workspace) = address.target.filter(|(project, _)| *project == viewer.project).ok_or_else(elsewhere)?;
    Ok(Admitted { viewer, workspace })
}

/// Opens the page for a token.
///
/// # Errors
/// 401 for an invalid token, 404 for a workspace out of reach or of another project, 409 when it is not in production.
pub(super) async fn enter(app: &App, token: &str, address: &Address) -> Result<Visit> {
    visit(app, admit(app, token, address).await?, address).await
}

async fn visit(app: &App, Admitted { viewer, workspace }: Admitted, address: &Address) -> Result<Visit> {
    let viewer_locale = ViewerLocale { timezone: address.asked.timezone.clone(), locale: address.asked.locale.clone() };
    let open_workspace = OpenWorkspace::open(app, &viewer, workspace, &viewer_locale).await?;
    let theme = theme(app, workspace, address.dark).await?;
    let style = Style { theme, locale: open_workspace.data_scope.locale.clone() };
    Ok(Visit { viewer, open_workspace, style })
}

/// The page's theme: that of the workspace's application, on the background that the address requests.
pub(super) async fn theme(app: &App, workspace: WorkspaceId, dark: Option<bool>) -> Result<Theme> {
    let application = applications::find_by_workspace(&mut app.db.read().await?.conn(), workspace).await?;
    let own = application.map(|application| application.theme).unwrap_or_default();
    Ok(match dark {
        None => own,
        Some(dark) if own.chart().dark == dark => own,
        Some(dark) => Theme { background: dark.then(|| DARK.to_owned()), text: None, ..own },
    })
}

/// The permissions that the page shows. Saving a dashboard requires a customer.
pub(super) fn offered(viewer: &Viewer) -> Permissions {
    let given = viewer.permissions;
    if viewer.customer.is_some() { given } else { given.without(Flag::AddDashboard) }
}

/// The page's data at an address: the latest thread, or a new one when the address has a prompt.
pub async fn open(app: &App, visit: &Visit, address: &Address) -> Result<WorkspacePage> {
    let Visit { viewer, open_workspace, .. } = visit;
    let workspace = open_workspace.workspace.id;
    let latest = match &address.parameters.prompt {
        Some(_) => None,
        None => threads::list(app, viewer, workspace, "", None, 1).await?.entries.into_iter().next(),
    };
    let thread = match latest {
        Some(latest) => Some(drawn::thread(app, visit, latest.id).await?),
        None => None,
    };
    let project = projects::by_id(app, viewer.project).await?.ok_or_else(|| Error::not_found("Project"))?;
    let settings = &open_workspace.version.settings;
    let own = || settings.example_questions.iter().take(MOST_STARTERS).cloned().collect();
    let view = WorkspaceView {
        id: workspace,
        name: open_workspace.workspace.name.clone(),
        words: address.words.clone().or(settings.placeholders.clone()),
        starters: address.starters.clone().unwrap_or_else(own),
        thread,
        permissions: offered(viewer),
        viewer: viewer.user,
        viewer_name: users::of_project(app, viewer.project, viewer.user).await?.name,
    };
    Ok(WorkspacePage {
        content: WorkspaceContent::Workspace(Box::new(view)),
        parameters: address.parameters.clone(),
        locale: open_workspace.data_scope.locale.clone(),
        timezone: address.asked.timezone.clone().unwrap_or_else(|| project.timezone.clone()),
    })
}
