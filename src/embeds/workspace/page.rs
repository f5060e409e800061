//! Gathering what a workspace's page shows.

use super::{address::Address, drawn};
use crate::{
    access::Viewer,
    applications,
    chat::{Subject, Surroundings, threads},
    error::{Error, Kind, Result},
    projects,
    state::App,
    workspaces::MOST_STARTERS,
};
use inlay_app::{
    calls::Style,
    workspace::wire::{WorkspaceContent, WorkspacePage, WorkspaceView},
};
use inlay_contract::{ids::WorkspaceId, page::PageMessage, permissions::Flag, theme::Theme};

/// The ground of a dark page.
pub(super) const DARK: &str = "#111317";

/// A page around its content, before anything is known of its project.
pub(super) fn bare(address: &Address, content: WorkspaceContent) -> WorkspacePage {
    WorkspacePage {
        content,
        parameters: address.parameters.clone(),
        locale: address.locale.clone().unwrap_or_else(|| "en".to_owned()),
        timezone: address.timezone.clone().unwrap_or_else(|| "UTC".to_owned()),
    }
}

/// Somebody at an address: who they are, what they ask about, how it is drawn.
pub(super) struct Visit {
    /// The viewer.
    pub viewer: Viewer,
    /// The workspace in production.
    pub subject: Subject,
    /// How charts and page look.
    pub style: Style,
}

/// Lets the bearer of a token in.
///
/// # Errors
/// 401 when the token is refused, 404 for a workspace out of reach or under another project's name, 409 when it is not in production.
pub(super) async fn enter(app: &App, token: &str, address: &Address) -> Result<Visit> {
    let viewer = Viewer::by_token(app, token).await?.with_database_auth(address.database_auth.clone());
    let missing = || Error::not_found("Workspace");
    let (project, workspace) = address.target.ok_or_else(missing)?;
    if project != viewer.project {
        return Err(missing());
    }
    let around = Surroundings { timezone: address.timezone.clone(), locale: address.locale.clone() };
    let subject = Subject::open(app, &viewer, workspace, &around).await?;
    let theme = theme(app, workspace, address.dark).await?;
    let style = Style { theme, locale: subject.ground.locale.clone() };
    Ok(Visit { viewer, subject, style })
}

/// The page's look: that of the application that stands for the workspace, on the ground that the address asks for.
pub(super) async fn theme(app: &App, workspace: WorkspaceId, dark: Option<bool>) -> Result<Theme> {
    let application = applications::store::of_workspace(&mut app.db.read().await?.conn(), workspace).await?;
    let own = application.map(|application| application.theme).unwrap_or_default();
    Ok(match dark {
        None => own,
        Some(dark) if own.chart().dark == dark => own,
        Some(dark) => Theme { background: dark.then(|| DARK.to_owned()), text: None, ..own },
    })
}

/// What a viewer sees at an address: the latest thread, or a new one when the address asks something.
///
/// # Errors
/// The store is away.
pub(super) async fn open(app: &App, visit: &Visit, address: &Address) -> Result<WorkspacePage> {
    let Visit { viewer, subject, .. } = visit;
    let workspace = subject.workspace.id;
    let latest = match &address.parameters.prompt {
        Some(_) => None,
        None => threads::list(app, viewer, workspace, "").await?.into_iter().next(),
    };
    let thread = match latest {
        Some(latest) => Some(drawn::thread(app, visit, latest.id).await?),
        None => None,
    };
    let project = projects::by_id(app, viewer.project).await?.ok_or_else(|| Error::not_found("Project"))?;
    let settings = &subject.version.settings;
    let own = || settings.example_questions.iter().take(MOST_STARTERS).cloned().collect();
    let view = WorkspaceView {
        id: workspace,
        name: subject.workspace.name.clone(),
        words: address.words.clone().or(settings.placeholders.clone()),
        starters: address.starters.clone().unwrap_or_else(own),
        thread,
        edits_charts: viewer.permissions.allows(Flag::CanEditChartFromSession),
        adds_dashboards: viewer.permissions.allows(Flag::AddDashboard) && viewer.customer.is_some(),
        viewer: viewer.user,
    };
    Ok(WorkspacePage {
        content: WorkspaceContent::Workspace(Box::new(view)),
        parameters: address.parameters.clone(),
        locale: subject.ground.locale.clone(),
        timezone: address.timezone.clone().unwrap_or_else(|| project.timezone.clone()),
    })
}

/// The message that takes the page's place when a viewer is not let in.
pub(super) fn message_of(refused: &Error) -> PageMessage {
    match refused.kind() {
        Kind::NotFound => PageMessage::WorkspaceNotFound,
        Kind::Conflict => PageMessage::WorkspaceNotPublished,
        _ => crate::embeds::backend::message_of(refused),
    }
}
