//! Collects a page's data: the application, its navigation, the open dashboard.

use super::{
    address::{Address, Target},
    filter_values,
    frame::{
        FramePage,
        address::{Asked, MOST_REFUSED, named},
        elsewhere,
    },
    offered::{self, Circumstances},
};
use crate::{
    concepts::{
        access::{HostOrViewer, Viewer, caller::Reach},
        applications::{self, Application},
        dashboards::{
            self, Dashboard, Owner,
            data::{self, View},
            lists,
            writer::Writer,
        },
        projects::{self, Project},
        reports,
        usage::Usage,
    },
    flows::viewing::{
        Opened,
        pictures::Look,
        tiles::{self, Drawing, InHtml},
        views,
    },
    ground::{
        error::{Error, Result},
        paging::Part,
        state::App,
    },
};
use chrono::Utc;
use chrono_tz::Tz;
use inlay_app::{calls::embed::TokenCheck, frame::ssr::Document, ssr};
use inlay_contract::{
    filter::{CONTROLLED, FilterDefinition},
    ids::{ApplicationId, DashboardId, ProjectUserId},
    page::{
        ApplicationView, DashboardEntry, DashboardView, EmbedPage, FilterView, Filters, PageContent, PageMessage, SavedView,
    },
    permissions::{Flag, Permissions},
};
use std::sync::Arc;

/// How many dashboards the navigation names. A viewer who sees more searches for the others.
const NAVIGATED: usize = 200;

/// A page with only a message.
pub fn message(address: &Address, message: PageMessage) -> EmbedPage {
    page(address, None, PageContent::Message { message })
}

/// A page with this content.
pub fn page(address: &Address, project: Option<&Project>, content: PageContent) -> EmbedPage {
    let of_project =
        |read: fn(&Project) -> &String, default: &str| project.map_or_else(|| default.to_owned(), |p| read(p).clone());
    EmbedPage {
        content,
        parameters: address.parameters.clone(),
        locale: address.asked.locale.clone().unwrap_or_else(|| of_project(|project| &project.locale, "en")),
        timezone: address.asked.timezone.clone().unwrap_or_else(|| of_project(|project| &project.timezone, "UTC")),
    }
}

/// The page that a viewer sees at an address. An application or dashboard out of reach gives the message 'Dashboard not
/// found.'. `place` is the dashboard that this viewer had open on the page, if any.
///
/// # Errors
/// 401 when the viewer is deleted.
pub async fn open(app: &App, viewer: Viewer, address: &Address, place: Option<DashboardId>) -> Result<EmbedPage> {
    let viewer = viewer.with_database_auth(address.asked.database_auth.clone());
    let project = projects::by_id(app, viewer.project).await?.ok_or_else(|| Error::not_found("Project"))?;
    let opening = Opening { app, viewer: &viewer, project: &project, address, place };
    match opening.find().await? {
        None => Ok(message(address, PageMessage::DashboardNotFound)),
        Some(found) => {
            let given = &address.parameters.filters;
            let views = match &found.dashboard {
                Some(dashboard) => views::of_viewer(app, &viewer, dashboard).await?,
                None => Vec::new(),
            };
            let mut filters = initial_filters(found.dashboard.as_ref(), given, &views);
            if place.is_some() {
                // The viewer may have cleared a default.
                filters.retain(|key, _| given.contains_key(key));
            }
            if let Some(dashboard) = &found.dashboard {
                // The charts have the rest of the time: they wait for their rows after this.
                let wait = app.settings.limits.page_wait() / 4;
                for key in dashboards::filters::without_column(app, dashboard, &filters, wait).await? {
                    filters.remove(&key);
                }
            }
            let unknown: Vec<String> = given.keys().filter(|key| !filters.contains_key(*key)).map(|key| named(key)).collect();
            let mut view = opening.view(found, &filters).await?;
            if let Some(open) = &mut view.dashboard {
                open.views = views;
            }
            let mut page = page(address, Some(&project), PageContent::Application(Box::new(view)));
            page.parameters.filters = filters;
            page.parameters.refused.extend(unknown);
            page.parameters.refused.truncate(MOST_REFUSED);
            Ok(page)
        }
    }
}

/// The dashboards that a viewer reaches by an address, the default first; only one if the address names it. None for an
/// application or dashboard out of reach.
pub(super) async fn reached(app: &App, viewer: &Viewer, address: &Address) -> Result<Vec<Dashboard>> {
    let project = projects::by_id(app, viewer.project).await?.ok_or_else(|| Error::not_found("Project"))?;
    let Some(found) = (Opening { app, viewer, project: &project, address, place: None }).find().await? else {
        return Ok(Vec::new());
    };
    let mut all: Vec<Dashboard> = found.dashboard.into_iter().collect();
    if !address.parameters.single_dashboard {
        let others: Vec<_> = found.listed.into_iter().filter(|one| all.iter().all(|open| open.id != one.id)).collect();
        all.extend(others);
    }
    Ok(all)
}

/// The application that an address names, and the dashboard. `None` for unknown ids.
async fn named_by(app: &App, address: &Address) -> Result<Option<(ApplicationId, Option<DashboardId>)>> {
    Ok(match address.target {
        Target::Nothing => None,
        Target::Application { id, dashboard } => Some((id, dashboard)),
        Target::Dashboard(id) => {
            let found = dashboards::find(&mut app.db.read().await?.conn(), id).await?;
            found.map(|found| (found.application, Some(id)))
        }
    })
}

/// Whether a token is for the page at an address (docs/spec/contract.md, section 10).
///
/// # Errors
/// 404 when the address names no application of the viewer's project, or only a dashboard that they do not see.
pub(super) async fn admit(app: &App, viewer: &Viewer, address: &Address) -> Result<()> {
    let (application, dashboard) = named_by(app, address).await?.ok_or_else(elsewhere)?;
    let application = found(applications::within(app, Reach::Project(viewer.project), application).await)?;
    let application = application.ok_or_else(elsewhere)?;
    if let (Target::Dashboard(_), Some(dashboard)) = (address.target, dashboard) {
        let caller = HostOrViewer::Viewer(Box::new(viewer.clone()));
        found(dashboards::open(app, &application, &caller, dashboard).await)?.ok_or_else(elsewhere)?;
    }
    Ok(())
}

/// What the page at an address would offer a viewer.
///
/// # Errors
/// 404 for a token that is not for this page.
pub(super) async fn check(app: &App, viewer: &Viewer, address: &Address) -> Result<TokenCheck> {
    admit(app, viewer, address).await?;
    Ok(TokenCheck { viewer: viewer.user, permissions: offered(app, viewer).await? })
}

impl FramePage for Address {
    type Shown = EmbedPage;

    const MISSING: PageMessage = PageMessage::DashboardNotFound;

    fn read(_: &App, path: &str, search: &str) -> Option<Self> {
        Self::read(path, search)
    }

    fn asked(&self) -> &Asked {
        &self.asked
    }

    async fn project(&self, app: &App) -> Result<Option<Arc<Project>>> {
        let Some((application, _)) = named_by(app, self).await? else { return Ok(None) };
        let application = applications::find(&mut app.db.read().await?.conn(), application).await?;
        match application {
            Some(application) => projects::by_id(app, application.project).await,
            None => Ok(None),
        }
    }

    async fn open(&self, app: &App, token: &str) -> Result<EmbedPage> {
        open(app, Viewer::by_token(app, token).await?, self, None).await
    }

    fn bare(&self, project: Option<&Project>, message: Option<PageMessage>) -> EmbedPage {
        page(self, project, message.map_or(PageContent::AwaitingToken, |message| PageContent::Message { message }))
    }

    fn message(shown: &EmbedPage) -> Option<PageMessage> {
        match &shown.content {
            PageContent::Message { message } => Some(*message),
            PageContent::AwaitingToken | PageContent::Application(_) => None,
        }
    }

    fn viewer(shown: &EmbedPage) -> Option<ProjectUserId> {
        match &shown.content {
            PageContent::Application(application) => Some(application.viewer),
            PageContent::Message { .. } | PageContent::AwaitingToken => None,
        }
    }

    fn document(shown: EmbedPage) -> Document {
        let day = Utc::now().with_timezone(&shown.timezone.parse().unwrap_or(Tz::UTC)).date_naive().to_string();
        ssr::document(shown, &day)
    }
}

/// The filters that a dashboard opens with: those of the address, and for the others those of the viewer's default view or, if
/// there is none, the dashboard's defaults.
pub fn initial_filters(dashboard: Option<&Dashboard>, given: &Filters, views: &[SavedView]) -> Filters {
    let mut filters = match views.iter().find(|view| view.is_default) {
        Some(view) => view.filters.clone(),
        None => dashboard.map(defaults).unwrap_or_default(),
    };
    filters.extend(given.clone());
    // A key of no filter of this dashboard has no effect.
    filters.retain(|key, _| {
        dashboard.is_some_and(|dashboard| dashboards::filters::column_path(&dashboard.filters, key).is_some())
    });
    filters
}

/// The defaults of a dashboard's filters.
fn defaults(dashboard: &Dashboard) -> Filters {
    let default = |filter: &FilterDefinition| Some((format!("{CONTROLLED}{}", filter.key), filter.default.clone()?));
    dashboard.filters.iter().filter_map(default).collect()
}

/// The target of an address, looked up.
struct Found {
    application: Application,
    /// `None` when the application has no dashboard for this viewer.
    dashboard: Option<Dashboard>,
    /// The first dashboards that the viewer sees, in order.
    listed: Vec<Dashboard>,
    /// Whether the viewer sees more than these.
    more: bool,
    /// The dashboard that is marked as the viewer's default.
    default: Option<DashboardId>,
}

struct Opening<'a> {
    app: &'a App,
    viewer: &'a Viewer,
    project: &'a Arc<Project>,
    address: &'a Address,
    /// The dashboard that the viewer had open.
    place: Option<DashboardId>,
}

impl Opening<'_> {
    /// The application and dashboard that the address names.
    async fn find(&self) -> Result<Option<Found>> {
        let Some((application, asked)) = named_by(self.app, self.address).await? else { return Ok(None) };
        let reach = Reach::Project(self.viewer.project);
        let Some(application) = found(applications::within(self.app, reach, application).await)? else { return Ok(None) };
        let caller = HostOrViewer::Viewer(Box::new(self.viewer.clone()));
        let asked = match asked {
            None => None,
            Some(asked) => match found(dashboards::open(self.app, &application, &caller, asked).await)? {
                None => return Ok(None),
                open => open,
            },
        };
        let place = match self.place {
            None => None,
            Some(place) => found(dashboards::open(self.app, &application, &caller, place).await)?,
        };
        let writer = Writer::page(self.viewer);
        let Part { entries: mut listed, next } = lists::part(self.app, application.id, &writer, None, NAVIGATED).await?;
        let default = lists::default_of(&mut self.app.db.read().await?.conn(), &application, &writer, &listed).await?;
        let marked = default.as_ref().map(|default| default.id);
        let dashboard = place.or(asked).or(default).or_else(|| listed.first().cloned());
        // In a long list the open one may come later: it is named all the same.
        let unnamed = dashboard
            .as_ref()
            .filter(|open| next.is_some() && lists::is_listed(open, &writer) && listed.iter().all(|named| named.id != open.id));
        listed.extend(unnamed.cloned());
        Ok(Some(Found { application, dashboard, listed, more: next.is_some(), default: marked }))
    }

    async fn view(&self, found: Found, filters: &Filters) -> Result<ApplicationView> {
        let Found { application, dashboard, listed, more, default } = found;
        let entries = listed.into_iter().map(|dashboard| entry(dashboard, default)).collect();
        let today = data::today(self.address.asked.timezone.as_deref(), self.project);
        let open = match dashboard {
            None => None,
            Some(dashboard) => {
                let locale = self.address.asked.locale.as_ref().unwrap_or(&self.project.locale);
                let narrow = !self.address.parameters.single_dashboard;
                let html = Some(InHtml { organization: self.project.organization, narrow });
                let drawing = Drawing { look: Look::new(&application.theme, locale), html };
                Some(dashboard_view(self.app, self.viewer, &dashboard, filters, today, Some(drawing)).await?)
            }
        };
        Ok(ApplicationView {
            id: application.id,
            name: application.name,
            theme: application.theme,
            dashboards: entries,
            more,
            dashboard: open,
            permissions: offered(self.app, self.viewer).await?,
            viewer: self.viewer.user,
        })
    }
}

/// A dashboard with its charts' rows and what is drawn of them.
///
/// # Errors
/// 401 when the viewer is deleted.
pub async fn dashboard_view(
    app: &App,
    viewer: &Viewer,
    dashboard: &Dashboard,
    filters: &Filters,
    today: inlay_query::Today,
    drawing: Option<Drawing>,
) -> Result<DashboardView> {
    let view = View::open(app, viewer, dashboard.filters.clone(), filters.clone(), today).await?;
    let view = View { stale: true, ..view };
    let tiles = tiles::gather(view, dashboard.id, drawing).await?;
    let mut named = filter_values::named(app, viewer, dashboard, filters, today).await?;
    app.part::<Usage>().viewed(viewer, dashboard.id);
    let filters = dashboard.filters.iter().map(|filter| {
        let names = named.remove(&format!("{CONTROLLED}{}", filter.key));
        let (is_named, names) = (names.is_some(), names.unwrap_or_default());
        let (key, label, default) = (filter.key.clone(), filter.label.clone(), filter.default.clone());
        FilterView { key, label, control: filter.control, default, is_named, names }
    });
    let version = match editable(viewer, dashboard) {
        true => dashboards::version(&mut app.db.read().await?.conn(), dashboard.id).await?,
        false => None,
    };
    let (id, name, refresh) = (dashboard.id, dashboard.name.clone(), dashboard.refresh);
    let is_copy = version.is_some() && dashboard.replaces.is_some();
    Ok(DashboardView { id, name, filters: filters.collect(), tiles, version, refresh, is_copy, views: Vec::new() })
}

/// The permissions that the page shows. A member who previews sees the viewer's tools, and is refused when using them. A member
/// who edits a shared dashboard gets the tools for that only.
async fn offered(app: &App, viewer: &Viewer) -> Result<Permissions> {
    let given = viewer.permissions;
    let reports = given.allows(Flag::EnableScheduleReport) && reports::enabled(app, viewer.organization).await?;
    let circumstances = Circumstances { edits: viewer.edits.is_some(), has_customer: viewer.customer.is_some(), reports };
    Ok(offered::offered(given, circumstances))
}

/// Whether the page lets its viewer edit a dashboard. Other users' dashboards are read-only.
fn editable(viewer: &Viewer, dashboard: &Dashboard) -> bool {
    if viewer.member.is_some() && viewer.edits.is_some() {
        return viewer.editor_of(dashboard.id).is_some();
    }
    let own = dashboard.owner == Owner::Shared || Writer::page(viewer).owns(dashboard);
    own && viewer.customer.is_some() && viewer.permissions.can_edit()
}

/// The dashboards of a viewer whose names contain a text, for the navigation.
pub(super) async fn find_dashboards(app: &App, opened: &Opened, search: &str) -> Result<Vec<DashboardEntry>> {
    let writer = Writer::page(&opened.viewer);
    let found = lists::search(app, opened.application.id, &writer, search, NAVIGATED).await?;
    let default = lists::default_of(&mut app.db.read().await?.conn(), &opened.application, &writer, &found).await?;
    let default = default.map(|default| default.id);
    Ok(found.into_iter().map(|dashboard| entry(dashboard, default)).collect())
}

/// A dashboard in the navigation.
fn entry(dashboard: Dashboard, default: Option<DashboardId>) -> DashboardEntry {
    DashboardEntry { is_default: Some(dashboard.id) == default, id: dashboard.id, name: dashboard.name }
}

/// Turns a 404 into `None`.
fn found<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(problem) if problem.kind() == crate::ground::error::Kind::NotFound => Ok(None),
        Err(problem) => Err(problem),
    }
}
