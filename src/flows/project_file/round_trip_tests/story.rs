//! Changes of a project's charts between two exports.

use super::state;
use crate::{
    concepts::{
        charts::{self, Chart},
        dashboards::{Dashboard, Owner, PlacedChart},
        organizations::members::{Member, Worker},
    },
    flows::{
        management::{
            applications, chart_copies,
            charts::{self as library, ChartSettings},
        },
        shared_dashboards,
    },
    testing::World,
};
use inlay_contract::{
    chart::definition::{ChartDefinition, ChartType},
    grid::GridPosition,
    ids::ChartId,
};
use serde_json::json;
use std::collections::BTreeSet;

/// A change of charts or copies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act {
    /// In the library.
    Library(InLibrary),
    /// On a dashboard.
    Dashboard(OnDashboard),
}

/// A change of the library's charts.
#[derive(Clone, Copy, Debug)]
pub(super) enum InLibrary {
    Rename,
    Change,
    SwapNames,
    Update,
    Delete,
    MakeNamesake,
    SaveFromChat,
}

/// A change of a dashboard's charts.
#[derive(Clone, Copy, Debug)]
pub(super) enum OnDashboard {
    ChangeCopy,
    RenameCopy,
    AddHere,
    AddByApi,
    TakeOffByApi,
    BuildByHand,
    SwapPlaces,
    Stack,
    Duplicate,
}

pub(super) const ACTS: [Act; 16] = [
    Act::Library(InLibrary::Rename),
    Act::Library(InLibrary::Change),
    Act::Library(InLibrary::SwapNames),
    Act::Library(InLibrary::Update),
    Act::Library(InLibrary::Delete),
    Act::Library(InLibrary::MakeNamesake),
    Act::Library(InLibrary::SaveFromChat),
    Act::Dashboard(OnDashboard::ChangeCopy),
    Act::Dashboard(OnDashboard::RenameCopy),
    Act::Dashboard(OnDashboard::AddHere),
    Act::Dashboard(OnDashboard::AddByApi),
    Act::Dashboard(OnDashboard::TakeOffByApi),
    Act::Dashboard(OnDashboard::BuildByHand),
    Act::Dashboard(OnDashboard::SwapPlaces),
    Act::Dashboard(OnDashboard::Stack),
    Act::Dashboard(OnDashboard::Duplicate),
];

/// A world with changes, each of an object that a number selects.
pub(super) struct Story<'w> {
    pub(super) world: &'w World,
    pub(super) by: Member<Worker>,
    pub(super) step: usize,
}

impl Story<'_> {
    fn of<'t, T>(&self, things: &'t [T]) -> &'t T {
        &things[self.step * 7 % things.len()]
    }

    pub(super) async fn library(&self) -> Vec<Chart> {
        let mut lease = self.world.app.db.read().await.expect("a lease");
        charts::list_of_file(&mut lease.conn(), self.world.applied.project_id).await.expect("read")
    }

    /// The project file's dashboards that have charts, with these charts.
    async fn shared(&self) -> Vec<(Dashboard, Vec<PlacedChart>)> {
        let all = state(self.world).await.dashboards;
        all.into_iter().filter(|(dashboard, charts)| dashboard.owner == Owner::Shared && !charts.is_empty()).collect()
    }

    async fn save(&self, id: Option<ChartId>, chart: Chart) {
        let ChartDefinition { kind, sql_override, encoding, options, cache_seconds, .. } = chart.definition;
        let sql = sql_override.unwrap_or_default();
        let settings =
            ChartSettings { name: chart.name, connection: chart.connection, kind, sql, encoding, options, cache_seconds };
        let project = self.world.applied.project_id;
        library::save(&self.world.app, &self.by, project, id, settings).await.expect("saved");
    }

    pub(super) async fn save_named(&self, chart: &Chart, name: &str) {
        self.save(Some(chart.id), Chart { name: name.to_owned(), ..chart.clone() }).await;
    }

    /// Changes a chart on a dashboard, as its editor does.
    async fn change_copy(&self, change: impl FnOnce(&mut Chart)) {
        let shared = self.shared().await;
        let (dashboard, charts) = self.of(&shared);
        let mut chart = self.of(charts).chart.clone();
        change(&mut chart);
        chart.version += 1;
        let mut tx = self.world.app.db.write().await.expect("a transaction");
        charts::update(&mut tx.conn(), &chart).await.expect("changed");
        crate::concepts::dashboards::touch(&mut tx.conn(), dashboard.id).await.expect("noted");
        tx.commit().await.expect("committed");
    }

    async fn place(&self, moves: impl FnOnce(&[PlacedChart]) -> Vec<(ChartId, GridPosition)>) {
        let shared = self.shared().await;
        let (dashboard, charts) = self.of(&shared);
        let mut tx = self.world.app.db.write().await.expect("a transaction");
        for (chart, place) in moves(charts) {
            crate::concepts::dashboards::place(&mut tx.conn(), dashboard.id, chart, place, None).await.expect("moved");
        }
        tx.commit().await.expect("committed");
    }

    async fn add_by_api(&self, chart: &str) {
        let (dashboard, _) = self.of(&self.shared().await).clone();
        let path = format!("/v2/api/applications/{}/dashboards/{}/charts", dashboard.application, dashboard.id);
        let charts = json!({"charts": [{"chartId": chart}]});
        self.world.post(&path, &self.world.key, &charts).await.data();
    }

    pub(super) async fn act(&self, act: Act) {
        match act {
            Act::Library(act) => self.act_in_library(act).await,
            Act::Dashboard(act) => self.act_on_dashboard(act).await,
        }
    }

    async fn act_in_library(&self, act: InLibrary) {
        let (world, step, project) = (self.world, self.step, self.world.applied.project_id);
        let app = &world.app;
        match act {
            InLibrary::Rename => self.save_named(self.of(&self.library().await), &format!("Renamed {step}")).await,
            InLibrary::Change => {
                let mut chart = self.of(&self.library().await).clone();
                chart.definition.options.insert("step".to_owned(), json!(step));
                self.save(Some(chart.id), chart).await;
            }
            InLibrary::SwapNames => {
                let all = self.library().await;
                if let [one, .., other] = all.as_slice() {
                    self.save_named(one, "Between").await;
                    self.save_named(other, &one.name).await;
                    self.save_named(one, &other.name).await;
                }
            }
            InLibrary::Update => {
                let chart = self.of(&self.library().await).clone();
                let found = library::find(app, &self.by, project, chart.id).await.expect("there");
                let some: BTreeSet<_> = found.copies.iter().take(1).map(|copy| copy.dashboard).collect();
                chart_copies::update(app, &self.by, project, chart.id, chart.version, &some).await.expect("updated");
            }
            InLibrary::Delete => {
                if let [_, _, .., last] = self.library().await.as_slice() {
                    library::remove(app, &self.by, project, last.id).await.expect("deleted");
                }
            }
            InLibrary::MakeNamesake => {
                let library = self.library().await;
                let placed = self.shared().await.into_iter().flat_map(|(_, charts)| charts);
                let mut lost = placed.filter(|placed| library.iter().all(|one| one.name != placed.chart.name));
                let mut namesake = library[0].clone();
                namesake.name = lost.next().map_or_else(|| format!("Another {step}"), |placed| placed.chart.name);
                self.save(None, namesake).await;
            }
            InLibrary::SaveFromChat => {
                let config = json!({"title": "Heading", "type": "bar", "sqlOverride": "select name, rate from rates",
                    "encoding": {"x": "name", "y": ["rate"]}});
                let body =
                    json!({"workspaceId": world.applied.workspaces["Ask"], "chartConfig": config, "name": "From the chat"});
                let saved = world.post("/v1/api/chart/save-from-chat", &world.key, &body).await.data();
                self.add_by_api(saved["chartId"].as_str().expect("an id")).await;
            }
        }
    }

    async fn act_on_dashboard(&self, act: OnDashboard) {
        let (step, project, app) = (self.step, self.world.applied.project_id, &self.world.app);
        match act {
            OnDashboard::ChangeCopy => {
                self.change_copy(|chart| {
                    chart
                        .definition
                        .options
                        .insert("here".to_owned(), json!({ "step": step, "is": [true, null, 1.5, "null"] }));
                })
                .await;
            }
            OnDashboard::RenameCopy => {
                self.change_copy(|chart| {
                    chart.name = format!("Here: {step} # 'x' \"y\"");
                    chart.definition.title = chart.name.clone();
                    chart.definition.sql_override = Some(" select 1 as n\n  -- yes\n".to_owned());
                })
                .await;
            }
            OnDashboard::AddHere => {
                let (dashboard, _) = self.of(&self.shared().await).clone();
                let chart = self.of(&self.library().await).id;
                let application = applications::find(app, &self.by, project, dashboard.application).await.expect("there");
                shared_dashboards::add_chart(app, &self.by, &application, dashboard.id, chart).await.expect("added");
            }
            OnDashboard::AddByApi => self.add_by_api(&self.of(&self.library().await).id.to_string()).await,
            OnDashboard::TakeOffByApi => {
                let shared = self.shared().await;
                let (dashboard, charts) = self.of(&shared);
                let application = applications::find(app, &self.by, project, dashboard.application).await.expect("there");
                let chart = self.of(charts).chart.id;
                shared_dashboards::remove_chart(app, &self.by, &application, dashboard.id, chart).await.expect("taken off");
            }
            OnDashboard::BuildByHand => {
                let question = json!({ "table": "orders", "measures": [{ "aggregate": "count" }] });
                self.change_copy(|chart| {
                    chart.definition.kind = ChartType::Number;
                    chart.definition.sql_override = None;
                    chart.definition.options.insert("question".to_owned(), question);
                })
                .await;
            }
            OnDashboard::SwapPlaces => {
                self.place(|charts| match charts {
                    [one, .., other] => vec![(one.chart.id, other.place), (other.chart.id, one.place)],
                    _ => Vec::new(),
                })
                .await;
            }
            OnDashboard::Stack => self.place(|charts| charts.iter().map(|one| (one.chart.id, charts[0].place)).collect()).await,
            OnDashboard::Duplicate => {
                let (dashboard, _) = self.of(&self.shared().await).clone();
                let application = applications::find(app, &self.by, project, dashboard.application).await.expect("there");
                let name = format!("Copy {step}");
                shared_dashboards::clone_dashboard(app, &self.by, &application, dashboard.id, &name).await.expect("made");
            }
        }
    }
}
