//! Shared dashboards of an application.

use super::{
    answer::Page,
    applications::{GONE as GONE_APPLICATION, found},
    defaults, seen,
    submission::{Submission, Typed, with_status},
    unchanged,
    visit::Visit,
};
use crate::{
    concepts::{
        applications::Application,
        connections,
        dashboards::{Dashboard, PlacedChart},
        organizations::members::{Reads, Worker},
    },
    flows::{
        management::people,
        shared_dashboards::{self, DashboardSettings},
    },
    ground::{
        error::{Error, Result},
        problems::Problems,
    },
};
use axum::response::Response;
use inlay_console::{
    Draft, Section,
    pages::dashboards::{self as views, DashboardPage, Editing, TileOrigin, TileRow},
};
use inlay_contract::{
    filter::{Control, FilterDefinition},
    grid::GridPosition,
    ids::DashboardId,
};
use serde_json::Value;

/// Empty filter rows below the existing ones.
const MORE_FILTERS: usize = 2;
/// The maximum number of filters in a form.
const MOST_FILTERS: usize = 50;
/// The message for a dashboard that is already deleted.
const GONE: &str = "This dashboard has already been deleted.";

async fn opened<R: Reads>(visit: &Visit<R>) -> Result<(Application, Dashboard, Vec<PlacedChart>)> {
    let application = found(visit).await?;
    let id: DashboardId = visit.person.id("dashboard")?;
    let (dashboard, charts) = shared_dashboards::dashboard(visit.app(), &visit.member, &application, id).await?;
    Ok((application, dashboard, charts))
}

/// `GET …/dashboards/{dashboard}`
pub async fn show(visit: Visit) -> Page {
    let (application, dashboard, charts) = opened(&visit).await?;
    let draft = draft_of(&dashboard, &charts);
    draw(&visit, &application, &dashboard, &charts, Forms::of(draft)).await
}

fn draft_of(dashboard: &Dashboard, charts: &[PlacedChart]) -> Draft {
    let refresh = dashboard.refresh.map(|seconds| seconds.to_string()).unwrap_or_default();
    let mut draft =
        Draft::of([("name", dashboard.name.clone()), ("refresh", refresh)]).with("seen", version_of(dashboard, charts));
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
        draft = draft.with(&format!("filter.{number}.default"), defaults::shown(filter.default.as_ref()));
    }
    draft
}

/// A fingerprint of a dashboard, to detect changes since a form was rendered.
fn version_of(dashboard: &Dashboard, charts: &[PlacedChart]) -> String {
    let tiles: Vec<_> = charts.iter().map(|placed| (placed.chart.id, placed.chart.version, placed.place)).collect();
    seen(&(&dashboard.name, &dashboard.filters, dashboard.refresh, tiles))
}

/// The drafts of a dashboard's forms.
struct Forms {
    draft: Draft,
    chart: Draft,
    copy: Option<Draft>,
}

impl Forms {
    fn of(draft: Draft) -> Self {
        Self { draft, chart: Draft::default(), copy: None }
    }
}

async fn draw<R: Reads>(
    visit: &Visit<R>,
    application: &Application,
    dashboard: &Dashboard,
    charts: &[PlacedChart],
    forms: Forms,
) -> Page {
    let Forms { draft, chart, copy } = forms;
    let app = visit.app();
    let library = crate::flows::management::charts::list(app, &visit.member, application.project).await?;
    let origin = |placed: &PlacedChart| {
        let copies = library.iter().flat_map(|one| one.copies.iter().map(move |copy| (&one.chart, copy)));
        copies.into_iter().find(|(_, copy)| copy.chart == placed.chart.id).map(|(original, copy)| TileOrigin {
            chart: original.id.to_string(),
            version: copy.version,
            newest: original.version,
            changed: copy.changed,
        })
    };
    let tile = |placed: &PlacedChart| TileRow {
        id: placed.chart.id.to_string(),
        name: placed.chart.name.clone(),
        kind: placed.chart.definition.kind.label().to_owned(),
        origin: origin(placed),
    };
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
        copy,
        may_change: visit.is::<Worker>(),
    };
    visit.page(&page.name, Section::Applications, || views::show(&page, &draft, &chart)).await
}

/// How many filter rows a draft holds.
fn lines(draft: &Draft) -> usize {
    (0..MOST_FILTERS).rev().find(|number| draft.ticked(&format!("filter.{number}.key"))).map_or(0, |last| last + 1)
}

/// What a filter can be on: visible columns of listed tables, and the dimensions that these declare.
async fn columns<R: Reads>(visit: &Visit<R>, application: &Application) -> Result<Vec<String>> {
    let app = visit.app();
    let mut all = Vec::new();
    for source in crate::flows::management::connections::list(app, &visit.member, application.project).await? {
        let open = connections::open(app, source.id).await?;
        for table in &open.tables {
            let known =
                crate::flows::management::catalog::columns(app, &open, &table.name).await.ok().flatten().unwrap_or_default();
            let shown = known.iter().filter(|column| table.columns.get(&column.name).is_none_or(|settings| !settings.hidden));
            let declared = open.model.tables.get(&table.name).into_iter().flat_map(|table| table.model.dimensions.keys());
            let names = shown.map(|column| &column.name).chain(declared);
            all.extend(names.map(|name| format!("{}.{}.{name}", source.name, table.name)));
        }
    }
    Ok(all)
}

fn settings(typed: &Typed, charts: &[PlacedChart]) -> Result<DashboardSettings> {
    let mut problems = Problems::default();
    let mut places = Vec::new();
    for placed in charts {
        let id = placed.chart.id;
        let mut edges = [0; 4];
        for (edge, name) in edges.iter_mut().zip(["x", "y", "w", "h"]) {
            let field = format!("place.{id}.{name}");
            match typed.get(&field).parse::<u16>() {
                Ok(number) => *edge = number,
                Err(_) => problems.note(&field, Err("is not a whole number".to_owned())),
            }
        }
        let [x, y, w, h] = edges;
        places.push((id, GridPosition { x, y, w, h }));
    }
    let mut filters = Vec::new();
    for number in 0..MOST_FILTERS {
        let part = |part: &str| typed.get(&format!("filter.{number}.{part}")).to_owned();
        let key = part("key");
        if key.is_empty() {
            continue;
        }
        let control = serde_json::from_value::<Control>(Value::String(part("control")));
        let control = control.map_err(|_| Error::invalid(&format!("filter.{number}.control"), "is not a control"))?;
        let default = defaults::typed(&part("default"), control).unwrap_or_else(|problem| {
            problems.note(&format!("filter.{number}.default"), Err(problem));
            None
        });
        let label = Some(part("label")).filter(|label| !label.is_empty()).unwrap_or_else(|| key.clone());
        filters.push(FilterDefinition { label, column: part("column"), control, default, key });
    }
    let refresh = typed.given("refresh").map(str::parse).transpose().unwrap_or_else(|_| {
        problems.note("refresh", Err("is not a whole number".to_owned()));
        None
    });
    problems.finish()?;
    Ok(DashboardSettings { name: typed.get("name").to_owned(), filters, places, refresh, default: typed.ticked("default") })
}

/// `POST …/dashboards/{dashboard}`
pub async fn change(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (application, dashboard, charts) = opened(&visit).await?;
    let now = version_of(&dashboard, &charts);
    let saved = async {
        unchanged(typed.get("seen"), &now)?;
        let settings = settings(&typed, &charts)?;
        shared_dashboards::change_dashboard(visit.app(), &visit.member, &application, dashboard.id, settings).await
    };
    match saved.await {
        Ok(()) => Ok(visit.done(&address(&visit, &application, dashboard.id), "Saved.")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            let draft = draft.with("seen", now);
            Ok(with_status(draw(&visit, &application, &dashboard, &charts, Forms::of(draft)).await?, status))
        }
    }
}

fn address<R: Reads>(visit: &Visit<R>, application: &Application, id: DashboardId) -> String {
    visit.at(&format!("applications/{}/dashboards/{id}", application.id))
}

/// `POST …/dashboards/{dashboard}/charts`
pub async fn add_chart(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (application, dashboard, _) = opened(&visit).await?;
    let chart = typed.get("chart").parse().map_err(|_| Error::not_found("Chart"))?;
    shared_dashboards::add_chart(visit.app(), &visit.member, &application, dashboard.id, chart).await?;
    Ok(visit.done(&address(&visit, &application, dashboard.id), "Chart added."))
}

/// `POST …/dashboards/{dashboard}/charts/remove`
pub async fn remove_chart(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let application = match found(&visit).await {
        Ok(application) => application,
        Err(problem) => return visit.removed("applications", Err(problem), "", GONE_APPLICATION),
    };
    let place = format!("applications/{}", application.id);
    let id: DashboardId = match opened(&visit).await {
        Ok((_, dashboard, _)) => dashboard.id,
        Err(problem) => return visit.removed(&place, Err(problem), "", GONE),
    };
    let removal = async {
        let chart = typed.get("removeChart").parse().map_err(|_| Error::not_found("Chart"))?;
        shared_dashboards::remove_chart(visit.app(), &visit.member, &application, id, chart).await
    };
    let before = "This chart has already been removed from the dashboard. The page below is up to date.";
    visit.removed(&format!("{place}/dashboards/{id}"), removal.await, "Chart removed from the dashboard.", before)
}

/// `POST …/dashboards/{dashboard}/remove`
pub async fn remove(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let application = match found(&visit).await {
        Ok(application) => application,
        Err(problem) => return visit.removed("applications", Err(problem), "", GONE_APPLICATION),
    };
    let removal = async {
        let id = visit.person.id("dashboard")?;
        shared_dashboards::remove_dashboard(visit.app(), &visit.member, &application, id).await
    };
    visit.removed(&format!("applications/{}", application.id), removal.await, "Dashboard deleted.", GONE)
}

/// `POST …/dashboards/{dashboard}/move`
pub async fn reorder(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let application = found(&visit).await?;
    let up = typed.get("way") == "up";
    shared_dashboards::move_dashboard(visit.app(), &visit.member, &application, visit.person.id("dashboard")?, up).await?;
    Ok(visit.done(&visit.at(&format!("applications/{}", application.id)), "Moved. Pages use it when they are next opened."))
}

/// `POST …/dashboards/{dashboard}/clone`
pub async fn clone(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (application, dashboard, charts) = opened(&visit).await?;
    match shared_dashboards::clone_dashboard(visit.app(), &visit.member, &application, dashboard.id, typed.get("name")).await {
        Ok(id) => Ok(visit.done(&address(&visit, &application, id), "Dashboard created.")),
        Err(problem) => {
            let (status, copy) = typed.refused(problem)?;
            let draft = draft_of(&dashboard, &charts);
            let forms = Forms { draft, chart: Draft::default(), copy: Some(copy) };
            Ok(with_status(draw(&visit, &application, &dashboard, &charts, forms).await?, status))
        }
    }
}

/// `GET …/dashboards/{dashboard}/edit`: the page's own editor, with the rows of a chosen user. [`token`] issues its token.
pub async fn edit(visit: Visit<Worker>) -> Page {
    let (application, dashboard, _) = opened(&visit).await?;
    let app = visit.app();
    let users = super::people::offered(&visit).await?;
    let page = Editing {
        project: application.project.to_string(),
        application: application.id.to_string(),
        id: dashboard.id.to_string(),
        address: format!("{}/share/application/{}?dashboardId={}", app.embed_url, application.id, dashboard.id),
        users,
        origin: super::origin_of(&app.base_url),
        name: dashboard.name,
    };
    let frames = super::origin_of(&app.embed_url);
    visit.framing(&page.name, Section::Applications, &frames, || views::editing(&page)).await
}

/// `POST …/dashboards/{dashboard}/token`: issues a marked token, valid for five minutes, that may change this dashboard.
pub async fn token(Submission { visit, typed }: Submission<Visit<Worker>>) -> Result<Response, super::answer::Refused> {
    let (application, dashboard, _) = opened(&visit).await?;
    let user = typed.get("user").parse().map_err(|_| Error::not_found("Project user"))?;
    let issued = people::edit_shared(visit.app(), &visit.member, application.project, user, &dashboard).await?;
    Ok(super::people::token_answer(&issued))
}
