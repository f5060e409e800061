//! Applications of a project.

use super::{
    answer::Page,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::{
        access::caller::Reach,
        applications::{self, Application},
        dashboards::Dashboard,
        organizations::members::{Reads, Worker},
    },
    flows::{
        management::applications::{self as manage, ApplicationSettings},
        shared_dashboards,
    },
    ground::{
        error::{Error, Result},
        problems::Problems,
    },
};
use axum::response::{Html, IntoResponse, Response};
use inlay_console::{
    Draft, Section,
    pages::applications::{self as views, ApplicationPage, ApplicationRow, DashboardRow, Look},
};
use inlay_contract::{
    ids::ApplicationId,
    theme::{Density, Theme, oklch::Oklch},
};

/// `GET /console/projects/{project}/applications`
pub async fn list(visit: Visit) -> Page {
    draw_list(&visit, Draft::default()).await
}

async fn draw_list<R: Reads>(visit: &Visit<R>, draft: Draft) -> Page {
    let (app, project) = (visit.app(), visit.project()?.id);
    let mut rows = Vec::new();
    for one in applications::all(app, Reach::Project(project)).await? {
        let shared = shared_dashboards::list_dashboards(app, &visit.member, &one).await?;
        rows.push(ApplicationRow { id: one.id.to_string(), name: one.name, dashboards: shared.len() });
    }
    let may = visit.is::<Worker>();
    visit.page("Applications", Section::Applications, || views::list(&project.to_string(), &rows, may, &draft)).await
}

/// `POST …/applications`
pub async fn create(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    match manage::create(visit.app(), &visit.member, visit.project()?.id, typed.get("name")).await {
        Ok(id) => Ok(visit.done(&visit.at(&format!("applications/{id}")), "Application created.")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw_list(&visit, draft).await?, status))
        }
    }
}

/// The application in the path.
///
/// # Errors
/// 404 when the project has none of its id.
pub async fn found<R: Reads>(visit: &Visit<R>) -> Result<Application> {
    let id: ApplicationId = visit.person.id("application")?;
    manage::find(visit.app(), &visit.member, visit.project()?.id, id).await
}

/// `GET …/applications/{application}`
pub async fn show(visit: Visit) -> Page {
    let application = found(&visit).await?;
    let draft = draft_of(&application);
    let theme = application.theme.clone();
    draw(&visit, &application, &theme, draft, Draft::default()).await
}

fn draft_of(application: &Application) -> Draft {
    let theme = &application.theme;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let workspace = application.workspace.map(|id| id.to_string()).unwrap_or_default();
    Draft::of([
        ("name", application.name.clone()),
        ("workspace", workspace),
        ("primary", text(&theme.primary)),
        ("background", text(&theme.background)),
    ])
    .with("text", text(&theme.text))
    .with("font", text(&theme.font))
    .with("radius", theme.radius.map(|radius| radius.to_string()).unwrap_or_default())
    .with("density", if theme.density == Some(Density::Compact) { "compact" } else { "" })
    .with("palette", theme.palette.join("\n"))
    .with("seen", version_of(application))
}

/// A fingerprint of an application, to detect changes since a form was rendered.
fn version_of(application: &Application) -> String {
    super::seen(&(&application.name, &application.theme, application.workspace))
}

async fn draw<R: Reads>(visit: &Visit<R>, application: &Application, theme: &Theme, draft: Draft, dashboard: Draft) -> Page {
    let app = visit.app();
    let shared = shared_dashboards::list_dashboards(app, &visit.member, application).await?;
    let counts = shared_dashboards::count(app, &visit.member, application).await?;
    let row = |one: Dashboard| DashboardRow {
        charts: counts.charts.get(&one.id).copied().unwrap_or_default(),
        default: application.default_dashboard == Some(one.id),
        id: one.id.to_string(),
        name: one.name,
    };
    let dashboards = shared.into_iter().map(row).collect();
    let workspaces = crate::flows::management::workspaces::list(app, &visit.member, application.project).await?;
    let page = ApplicationPage {
        project: application.project.to_string(),
        id: application.id.to_string(),
        name: application.name.clone(),
        dashboards,
        own: counts.own,
        look: look(theme),
        workspaces: workspaces.into_iter().map(|one| (one.id.to_string(), one.name)).collect(),
        may_change: visit.is::<Worker>(),
    };
    visit.page(&page.name, Section::Applications, || views::show(&page, &draft, &dashboard)).await
}

fn look(theme: &Theme) -> Look {
    Look { variables: theme.css_variables(), problems: theme.problems() }
}

/// The theme in a form, and its problems.
fn theme(typed: &Typed) -> (Theme, Problems) {
    let mut problems = Problems::default();
    let is_colour = |text: &str| {
        if Oklch::from_hex(text).is_some() { Ok(()) } else { Err("is not a colour; write one like #0b5fff".to_owned()) }
    };
    let mut colour = |name: &str| {
        let text = typed.given(name)?;
        problems.note(name, is_colour(text));
        Some(text.to_owned()).filter(|text| Oklch::from_hex(text).is_some())
    };
    let (primary, background, text) = (colour("primary"), colour("background"), colour("text"));
    let palette = typed.lines("palette");
    problems.note("palette", palette.iter().try_for_each(|text| is_colour(text)));
    let radius = typed.given("radius").map(str::parse::<u8>).transpose();
    problems.note("radius", radius.as_ref().map(drop).map_err(|_| "must be a whole number of pixels, at most 255".to_owned()));
    let plain = |font: &str| font.chars().all(|letter| letter.is_alphanumeric() || " -_".contains(letter)) && font.len() <= 100;
    let font = typed.given("font").map(str::to_owned);
    let good = font.as_deref().is_none_or(plain);
    problems.note("font", if good { Ok(()) } else { Err("is not the name of a font family".to_owned()) });
    let theme = Theme {
        primary,
        background,
        text,
        font: font.filter(|_| good),
        radius: radius.unwrap_or_default(),
        density: (typed.get("density") == "compact").then_some(Density::Compact),
        palette: palette.into_iter().filter(|text| is_colour(text).is_ok()).collect(),
    };
    (theme, problems)
}

/// `POST …/applications/{application}`
pub async fn change(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let application = found(&visit).await?;
    let (theme, problems) = theme(&typed);
    let now = version_of(&application);
    let saved = async {
        super::unchanged(typed.get("seen"), &now)?;
        problems.finish()?;
        let workspace = typed.given("workspace").map(str::parse).transpose();
        let workspace = workspace.map_err(|_| Error::invalid("workspace", "does not exist in this project"))?;
        let settings = ApplicationSettings { name: typed.get("name").to_owned(), theme: theme.clone(), workspace };
        manage::change(visit.app(), &visit.member, application.project, application.id, &settings).await
    };
    match saved.await {
        Ok(()) => Ok(visit
            .done(&visit.at(&format!("applications/{}", application.id)), "Saved. Pages use it when they are next opened.")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            let draft = draft.with("seen", now);
            Ok(with_status(draw(&visit, &application, &theme, draft, Draft::default()).await?, status))
        }
    }
}

/// `POST …/applications/{application}/preview`: shows a theme while it is edited.
pub async fn preview(Submission { visit, typed }: Submission<Visit<Worker>>) -> Result<Response, super::answer::Refused> {
    found(&visit).await?;
    let (theme, _) = theme(&typed);
    Ok(Html(inlay_console::shell::fragment("", || views::look(&look(&theme)))).into_response())
}

/// The message for an application that is already deleted.
pub const GONE: &str = "This application has already been deleted, with its dashboards.";

/// `POST …/applications/{application}/remove`
pub async fn remove(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let removal = async {
        let application = found(&visit).await?;
        manage::remove(visit.app(), &visit.member, application.project, application.id).await
    };
    visit.removed("applications", removal.await, "Application deleted.", GONE)
}

/// `POST …/applications/{application}/dashboards`
pub async fn add_dashboard(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let application = found(&visit).await?;
    match shared_dashboards::add_dashboard(visit.app(), &visit.member, &application, typed.get("dashboard")).await {
        Ok(id) => Ok(visit.done(
            &visit.at(&format!("applications/{}/dashboards/{id}", application.id)),
            "Dashboard created. Add charts to it.",
        )),
        Err(problem) => {
            let (status, mut refused) = typed.refused(problem)?;
            if let Some(told) = refused.problem("name").map(str::to_owned) {
                refused.refuse("dashboard", told);
            }
            let page = draw(&visit, &application, &application.theme, draft_of(&application), refused).await?;
            Ok(with_status(page, status))
        }
    }
}
