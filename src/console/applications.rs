//! Applications of a project, and their shared dashboards.

use super::{
    answer::Page,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    access::caller::Reach,
    applications::{
        self, Application,
        manage::{self, DashboardSettings},
    },
    charts, connections,
    dashboards::{Dashboard, Place, PlacedChart},
    error::{Error, Result},
    organizations::members::{Reads, Worker},
    projects::Problems,
};
use axum::response::{Html, IntoResponse, Response};
use inlay_console::{
    Draft, Section,
    pages::applications::{self as views, ApplicationPage, ApplicationRow, DashboardPage, DashboardRow, Look, TileRow},
};
use inlay_contract::{
    filter::{Control, FilterDefinition},
    ids::{ApplicationId, DashboardId},
    theme::{Density, Theme, oklch::Oklch},
};
use serde_json::Value;

/// Empty lines for filters, below those that are there.
const MORE_FILTERS: usize = 2;
/// The most filters of a form.
const MOST_FILTERS: usize = 50;

/// `GET /console/projects/{project}/applications`
pub async fn list(visit: Visit) -> Page {
    draw_list(&visit, Draft::default()).await
}

async fn draw_list<R: Reads>(visit: &Visit<R>, draft: Draft) -> Page {
    let (app, project) = (visit.app(), visit.project()?.id);
    let mut rows = Vec::new();
    for one in applications::list(app, Reach::Project(project)).await? {
        let (shared, _) = manage::list_dashboards(app, &visit.member, &one).await?;
        rows.push(ApplicationRow { id: one.id.to_string(), name: one.name, dashboards: shared.len() });
    }
    let may = visit.is::<Worker>();
    visit.page("Applications", Section::Applications, || views::list(&project.to_string(), &rows, may, &draft)).await
}

/// `POST …/applications`
pub async fn create(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    match manage::create(visit.app(), &visit.member, visit.project()?.id, typed.get("name")).await {
        Ok(id) => Ok(visit.done(&visit.at(&format!("applications/{id}")), "Application made.")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw_list(&visit, draft).await?, status))
        }
    }
}

async fn found<R: Reads>(visit: &Visit<R>) -> Result<Application> {
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
    Draft::of([("name", application.name.clone()), ("primary", text(&theme.primary)), ("background", text(&theme.background))])
        .with("text", text(&theme.text))
        .with("font", text(&theme.font))
        .with("radius", theme.radius.map(|radius| radius.to_string()).unwrap_or_default())
        .with("density", if theme.density == Some(Density::Compact) { "compact" } else { "" })
        .with("palette", theme.palette.join("\n"))
}

async fn draw<R: Reads>(visit: &Visit<R>, application: &Application, theme: &Theme, draft: Draft, dashboard: Draft) -> Page {
    let app = visit.app();
    let (shared, own) = manage::list_dashboards(app, &visit.member, application).await?;
    let mut dashboards = Vec::new();
    for one in shared {
        let (_, charts) = manage::dashboard(app, &visit.member, application, one.id).await?;
        let default = application.default_dashboard == Some(one.id);
        dashboards.push(DashboardRow { id: one.id.to_string(), name: one.name, charts: charts.len(), default });
    }
    let page = ApplicationPage {
        project: application.project.to_string(),
        id: application.id.to_string(),
        name: application.name.clone(),
        dashboards,
        own,
        look: look(theme),
        may_change: visit.is::<Worker>(),
    };
    visit.page(&page.name, Section::Applications, || views::show(&page, &draft, &dashboard)).await
}

fn look(theme: &Theme) -> Look {
    Look { variables: theme.css_variables(), problems: theme.problems() }
}

/// The theme of a form, and what is wrong with it.
fn theme(typed: &Typed) -> (Theme, Problems) {
    let mut problems = Problems::default();
    let is_colour = |text: &str| {
        if Oklch::from_hex(text).is_some() { Ok(()) } else { Err("is no colour; write one like #0b5fff".to_owned()) }
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
    problems.note("radius", radius.as_ref().map(drop).map_err(|_| "is a whole number of pixels, at most 255".to_owned()));
    let plain = |font: &str| font.chars().all(|letter| letter.is_alphanumeric() || " -_".contains(letter)) && font.len() <= 100;
    let font = typed.given("font").map(str::to_owned);
    let good = font.as_deref().is_none_or(plain);
    problems.note("font", if good { Ok(()) } else { Err("is no name of a font family".to_owned()) });
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
    let saved = async {
        problems.finish()?;
        manage::change(visit.app(), &visit.member, application.project, application.id, typed.get("name"), &theme).await
    };
    match saved.await {
        Ok(()) => Ok(visit
            .done(&visit.at(&format!("applications/{}", application.id)), "Saved. Pages take it when they are opened next.")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw(&visit, &application, &theme, draft, Draft::default()).await?, status))
        }
    }
}

/// `POST …/applications/{application}/preview`: how a look comes out, while it is set.
pub async fn preview(Submission { visit, typed }: Submission<Visit<Worker>>) -> Result<Response, super::answer::Refused> {
    found(&visit).await?;
    let (theme, _) = theme(&typed);
    Ok(Html(inlay_console::shell::fragment(|| views::look(&look(&theme)))).into_response())
}

/// `POST …/applications/{application}/remove`
pub async fn remove(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let application = found(&visit).await?;
    manage::remove(visit.app(), &visit.member, application.project, application.id).await?;
    Ok(visit.done(&visit.at("applications"), "Application deleted."))
}

/// `POST …/applications/{application}/dashboards`
pub async fn add_dashboard(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let application = found(&visit).await?;
    match manage::add_dashboard(visit.app(), &visit.member, &application, typed.get("dashboard")).await {
        Ok(id) => Ok(visit
            .done(&visit.at(&format!("applications/{}/dashboards/{id}", application.id)), "Dashboard made. Add charts to it.")),
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

async fn opened<R: Reads>(visit: &Visit<R>) -> Result<(Application, Dashboard, Vec<PlacedChart>)> {
    let application = found(visit).await?;
    let id: DashboardId = visit.person.id("dashboard")?;
    let (dashboard, charts) = manage::dashboard(visit.app(), &visit.member, &application, id).await?;
    Ok((application, dashboard, charts))
}

/// `GET …/dashboards/{dashboard}`
pub async fn show_dashboard(visit: Visit) -> Page {
    let (application, dashboard, charts) = opened(&visit).await?;
    let draft = dashboard_draft(&dashboard, &charts);
    draw_dashboard(&visit, &application, &dashboard, &charts, draft, Draft::default()).await
}

fn dashboard_draft(dashboard: &Dashboard, charts: &[PlacedChart]) -> Draft {
    let mut draft = Draft::of([("name", dashboard.name.clone())]);
    for placed in charts {
        let edges = [("x", placed.place.x), ("y", placed.place.y), ("w", placed.place.w), ("h", placed.place.h)];
        for (edge, value) in edges {
            draft = draft.with(&format!("place.{}.{edge}", placed.chart.id), value.to_string());
        }
    }
    for (number, filter) in dashboard.filters.iter().enumerate() {
        let control = serde_json::to_value(filter.control).ok().and_then(|control| control.as_str().map(str::to_owned));
        let parts = [("key", &filter.key), ("label", &filter.label), ("column", &filter.column)];
        for (part, value) in parts {
            draft = draft.with(&format!("filter.{number}.{part}"), value);
        }
        draft = draft.with(&format!("filter.{number}.control"), control.unwrap_or_default());
    }
    draft
}

async fn draw_dashboard<R: Reads>(
    visit: &Visit<R>,
    application: &Application,
    dashboard: &Dashboard,
    charts: &[PlacedChart],
    draft: Draft,
    chart: Draft,
) -> Page {
    let app = visit.app();
    let library = charts::manage::list(app, &visit.member, application.project).await?;
    let kind = |placed: &PlacedChart| {
        serde_json::to_value(placed.chart.definition.kind)
            .ok()
            .and_then(|kind| kind.as_str().map(str::to_owned))
            .unwrap_or_default()
    };
    let tile =
        |placed: &PlacedChart| TileRow { id: placed.chart.id.to_string(), name: placed.chart.name.clone(), kind: kind(placed) };
    let page = DashboardPage {
        project: application.project.to_string(),
        application: application.id.to_string(),
        application_name: application.name.clone(),
        id: dashboard.id.to_string(),
        name: dashboard.name.clone(),
        tiles: charts.iter().map(tile).collect(),
        filters: (dashboard.filters.len() + MORE_FILTERS).max(lines(&draft)),
        columns: columns(visit, application).await?,
        library: library.into_iter().map(|one| (one.chart.id.to_string(), one.chart.name)).collect(),
        default: application.default_dashboard == Some(dashboard.id),
        may_change: visit.is::<Worker>(),
    };
    visit.page(&page.name, Section::Applications, || views::dashboard(&page, &draft, &chart)).await
}

/// How many lines of filters a draft holds.
fn lines(draft: &Draft) -> usize {
    (0..MOST_FILTERS).rev().find(|number| draft.ticked(&format!("filter.{number}.key"))).map_or(0, |last| last + 1)
}

/// The columns that a filter may name: those of listed tables that are not hidden.
async fn columns<R: Reads>(visit: &Visit<R>, application: &Application) -> Result<Vec<String>> {
    let app = visit.app();
    let mut all = Vec::new();
    for source in connections::manage::list(app, &visit.member, application.project).await? {
        let open = connections::open(app, source.id).await?;
        for table in &open.tables {
            let known = crate::catalog::manage::columns(app, &open, &table.name).await.ok().flatten().unwrap_or_default();
            let shown = known.iter().filter(|column| table.columns.get(&column.name).is_none_or(|settings| !settings.hidden));
            all.extend(shown.map(|column| format!("{}.{}.{}", source.name, table.name, column.name)));
        }
    }
    Ok(all)
}

fn dashboard_settings(typed: &Typed, old: &Dashboard, charts: &[PlacedChart]) -> Result<DashboardSettings> {
    let mut problems = Problems::default();
    let mut places = Vec::new();
    for placed in charts {
        let id = placed.chart.id;
        let edge = |edge: &str| typed.get(&format!("place.{id}.{edge}")).parse::<u16>();
        match (edge("x"), edge("y"), edge("w"), edge("h")) {
            (Ok(x), Ok(y), Ok(w), Ok(h)) => places.push((id, Place { x, y, w, h })),
            _ => problems.note(&format!("place.{id}"), Err("needs four whole numbers".to_owned())),
        }
    }
    let mut filters = Vec::new();
    for number in 0..MOST_FILTERS {
        let part = |part: &str| typed.get(&format!("filter.{number}.{part}")).to_owned();
        let key = part("key");
        if key.is_empty() {
            continue;
        }
        let control = serde_json::from_value::<Control>(Value::String(part("control")));
        let control = control.map_err(|_| Error::invalid(&format!("filter.{number}.control"), "is no control"))?;
        let default = old.filters.iter().find(|known| known.key == key).and_then(|known| known.default.clone());
        let label = Some(part("label")).filter(|label| !label.is_empty()).unwrap_or_else(|| key.clone());
        filters.push(FilterDefinition { label, column: part("column"), control, default, key });
    }
    problems.finish()?;
    Ok(DashboardSettings { name: typed.get("name").to_owned(), filters, places, default: typed.ticked("default") })
}

/// `POST …/dashboards/{dashboard}`
pub async fn change_dashboard(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (application, dashboard, charts) = opened(&visit).await?;
    let saved = async {
        let settings = dashboard_settings(&typed, &dashboard, &charts)?;
        manage::change_dashboard(visit.app(), &visit.member, &application, dashboard.id, settings).await
    };
    match saved.await {
        Ok(()) => Ok(visit.done(&dashboard_address(&visit, &application, dashboard.id), "Saved.")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            let page = draw_dashboard(&visit, &application, &dashboard, &charts, draft, Draft::default()).await?;
            Ok(with_status(page, status))
        }
    }
}

fn dashboard_address<R: Reads>(visit: &Visit<R>, application: &Application, id: DashboardId) -> String {
    visit.at(&format!("applications/{}/dashboards/{id}", application.id))
}

/// `POST …/dashboards/{dashboard}/charts`
pub async fn add_chart(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (application, dashboard, _) = opened(&visit).await?;
    let chart = typed.get("chart").parse().map_err(|_| Error::not_found("Chart"))?;
    manage::add_chart(visit.app(), &visit.member, &application, dashboard.id, chart).await?;
    Ok(visit.done(&dashboard_address(&visit, &application, dashboard.id), "Chart added."))
}

/// `POST …/dashboards/{dashboard}/charts/remove`
pub async fn remove_chart(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (application, dashboard, _) = opened(&visit).await?;
    let chart = typed.get("removeChart").parse().map_err(|_| Error::not_found("Chart"))?;
    manage::remove_chart(visit.app(), &visit.member, &application, dashboard.id, chart).await?;
    Ok(visit.done(&dashboard_address(&visit, &application, dashboard.id), "Chart taken off the dashboard."))
}

/// `POST …/dashboards/{dashboard}/remove`
pub async fn remove_dashboard(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let application = found(&visit).await?;
    manage::remove_dashboard(visit.app(), &visit.member, &application, visit.person.id("dashboard")?).await?;
    Ok(visit.done(&visit.at(&format!("applications/{}", application.id)), "Dashboard deleted."))
}
