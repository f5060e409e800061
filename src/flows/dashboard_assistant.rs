//! Questions at a dashboard: about the charts on the viewer's screen under their filters, or for a new chart. The page holds
//! the conversation; the server stores none of it.

use crate::{
    concepts::{
        access::{Viewer, caller::Reach},
        applications::Application,
        chat::{
            answering::{self, Work},
            ask::{WAITING_EVENTS, message},
            data_scope::{DataScope, DataScopeParts, ViewerLocale},
            guard::Guard,
            message::MessageState,
            slots::AnswerSlot,
        },
        connections,
        dashboards::{
            self, Dashboard, PlacedChart,
            data::View,
            filters,
            writer::{Writer, lacks},
        },
        projects,
        usage::{Audience, Counted},
        workspaces::{self, WorkspaceSettings},
    },
    ground::{
        error::{Error, Kind, Result},
        state::App,
        store::holding::watched,
    },
};
use futures::{FutureExt, future::join_all};
use inlay_app::filters::period;
use inlay_assistant::{ChartOnScreen, Event, Message, Role};
use inlay_contract::{
    chart::definition::ChartType,
    filter::{FilterValue, Scalar},
    ids::ConnectionId,
    page::Filters,
    permissions::Flag,
};
use serde_json::{Map, Value};
use std::{collections::HashMap, sync::Arc};
use tokio::sync::mpsc::{self, Receiver};

/// The maximum number of charts that an answer reads.
const MOST_CHARTS: usize = 40;
/// The maximum number of rows of each chart.
const MOST_ROWS: usize = 1_000;

/// The purpose of a question at a dashboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssistantTask {
    /// A question about its charts.
    Insight,
    /// A new chart for it.
    Chart,
}

/// A question at a dashboard.
#[derive(Clone, Debug)]
pub struct DashboardQuestion {
    /// Its purpose.
    pub task: AssistantTask,
    /// The application.
    pub application: Application,
    /// The dashboard, which the viewer may see.
    pub dashboard: Dashboard,
    /// Its active filters.
    pub filters: Filters,
    /// The conversation so far, as the page sent it.
    pub earlier: Vec<Message>,
    /// The question's text.
    pub message: String,
    /// The viewer's time zone and language.
    pub viewer_locale: ViewerLocale,
}

/// An answer in progress. Dropping `events` stops it.
pub struct DashboardAnswer {
    /// What it is about: the connection that its charts run on, and the viewer's own rows.
    pub data_scope: Arc<DataScope>,
    /// The events of the answer.
    pub events: Receiver<Event>,
}

/// Asks a question at a dashboard.
///
/// # Errors
/// 403 as the role says, `VIEWING_AS`; 404 when there is no connection to ask; 429 when the user has too many answers in progress.
pub async fn ask(app: &App, viewer: &Viewer, question: DashboardQuestion) -> Result<DashboardAnswer> {
    viewer.acting().may_change()?;
    admit(app, viewer, question.task).await?;
    let placed = dashboards::charts_on(&mut app.db.read().await?.conn(), question.dashboard.id).await?;
    let data_scope = Arc::new(data_scope(app, viewer, &question, &placed).await?);
    let slot = {
        let mut tx = app.db.write().await?;
        let slot = AnswerSlot::take(&mut tx.conn(), viewer.user, app.settings.limits.chat_answers_at_once).await?;
        tx.commit().await?;
        slot
    };
    let DashboardQuestion { task, dashboard, filters, earlier, message: asked, .. } = question;
    let mut conversation = earlier;
    conversation.push(Message::user(asked));
    let charts = match task {
        AssistantTask::Insight => {
            let view = View {
                app: app.clone(),
                own: dashboard.filters,
                context: data_scope.context.clone(),
                filters,
                today: data_scope.today,
                refresh: false,
                stale: false,
                counted: Counted::query(Audience::of(viewer)),
            };
            async move { charts(&view, placed).await }.boxed()
        }
        AssistantTask::Chart => futures::future::ready(Vec::new()).boxed(),
    };
    let (sender, events) = mpsc::channel(WAITING_EVENTS);
    let guard = Guard { app: app.clone(), viewer: viewer.clone(), data_scope: Arc::clone(&data_scope) };
    let answer = message(0, Role::Assistant, MessageState::Answering);
    let draws = task == AssistantTask::Chart;
    tokio::spawn(answering::run(Work { guard, conversation, charts, draws, answer, workspace: None, events: sender, slot }));
    Ok(DashboardAnswer { data_scope, events })
}

/// Refuses what the viewer may not ask for. A chart is a change, so the role's current permissions count; questions go by the token.
async fn admit(app: &App, viewer: &Viewer, task: AssistantTask) -> Result<()> {
    match task {
        AssistantTask::Insight if viewer.permissions.allows(Flag::AiInsight) => Ok(()),
        AssistantTask::Insight => Err(lacks(Flag::AiInsight)),
        AssistantTask::Chart => Writer::page(viewer).require(&mut app.db.read().await?.conn(), Flag::AiCharts).await,
    }
}

/// The scope of a question: the application's workspace, if it covers the dashboard's data; otherwise all tables of the
/// connection that most of its charts read. The dashboard's filters narrow both.
async fn data_scope(app: &App, viewer: &Viewer, question: &DashboardQuestion, placed: &[PlacedChart]) -> Result<DataScope> {
    let project = projects::by_id(app, viewer.project).await?.ok_or_else(|| Error::not_found("Project"))?;
    let of_workspace = workspace(app, viewer, question, placed).await?;
    let (connection, settings) = match of_workspace {
        Some(found) => found,
        None => (connection(app, viewer, placed).await?, WorkspaceSettings::default()),
    };
    let DashboardQuestion { dashboard, filters: active, viewer_locale, .. } = question;
    let context = viewer.security_context(app).await?;
    let name = dashboard.name.clone();
    let data_scope =
        DataScope::open(app, DataScopeParts { name, project: &project, connection, settings, context, viewer_locale }).await?;
    let narrowing = filters::conditions(&app.engine, &dashboard.filters, &data_scope.connection, active).await?;
    Ok(data_scope.narrowed(narrowing))
}

async fn workspace(
    app: &App,
    viewer: &Viewer,
    question: &DashboardQuestion,
    placed: &[PlacedChart],
) -> Result<Option<(ConnectionId, WorkspaceSettings)>> {
    let Some(id) = question.application.workspace else { return Ok(None) };
    let found = workspaces::in_production(&mut app.db.read().await?.conn(), Reach::Project(viewer.project), id).await;
    match found {
        Ok((_, version)) => {
            let fits = placed.is_empty() || placed.iter().any(|placed| placed.chart.connection == version.connection);
            Ok(fits.then_some((version.connection, version.settings)))
        }
        Err(problem) if matches!(problem.kind(), Kind::Conflict | Kind::NotFound) => Ok(None),
        Err(problem) => Err(problem),
    }
}

async fn connection(app: &App, viewer: &Viewer, placed: &[PlacedChart]) -> Result<ConnectionId> {
    let mut charts: HashMap<ConnectionId, usize> = HashMap::new();
    for placed in placed {
        *charts.entry(placed.chart.connection).or_default() += 1;
    }
    // On a tie the older connection wins, so that the same question gets the same answer.
    let most = charts.into_iter().max_by_key(|(id, count)| (*count, std::cmp::Reverse(*id)));
    if let Some((id, _)) = most {
        return Ok(id);
    }
    let of_project = connections::list(&mut app.db.read().await?.conn(), &app.sealer, viewer.project).await?.into_iter().next();
    of_project.map(|source| source.id).ok_or_else(|| Error::not_found("Connection"))
}

/// The charts of a dashboard with the rows that the viewer sees. A chart whose rows cannot be read is left out.
async fn charts(view: &View, placed: Vec<PlacedChart>) -> Vec<ChartOnScreen> {
    let shown = placed.into_iter().filter(|placed| placed.chart.definition.kind != ChartType::Text).take(MOST_CHARTS);
    let told = told(view);
    let charts = shown.map(|PlacedChart { chart, .. }| {
        let filters = told.clone();
        watched(async move {
            let data = view.rows(&chart).await.ok()?.first(MOST_ROWS);
            let mut definition = chart.definition;
            definition.title = chart.name;
            Some(ChartOnScreen { id: chart.id.to_string(), definition, data, filters })
        })
    });
    join_all(charts).await.into_iter().flatten().collect()
}

/// The active filters for the assistant: label and value.
fn told(view: &View) -> Map<String, Value> {
    let named = filters::named(&view.own, &view.filters);
    named.map(|(_, label, value)| (label.to_owned(), Value::String(said(value)))).collect()
}

/// A filter's value as text. Unlike on the page, long lists are not shortened, because answers refer to them.
fn said(value: &FilterValue) -> String {
    let scalar = |scalar: &Scalar| match scalar.to_json() {
        Value::String(text) => text,
        other => other.to_string(),
    };
    match value {
        FilterValue::AnyOf(values) if values.is_empty() => "nothing".to_owned(),
        FilterValue::AnyOf(values) => values.iter().map(scalar).collect::<Vec<_>>().join(" or "),
        FilterValue::Range { from: Some(from), to: None } => format!("from {}", scalar(from)),
        FilterValue::Range { from: None, to: Some(to) } => format!("before {}", scalar(to)),
        FilterValue::Range { from: Some(from), to: Some(to) } => format!("from {} to before {}", scalar(from), scalar(to)),
        FilterValue::Range { from: None, to: None } => "anything".to_owned(),
        FilterValue::Relative(period) => period::words(*period).to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn filters_are_said_as_people_say_them() {
        let said = |json: Value| said(&FilterValue::from_json(json).expect("a filter"));
        assert_eq!(said(json!("ATL")), "ATL");
        assert_eq!(said(json!(["ATL", 5, true])), "ATL or 5 or true");
        assert_eq!(said(json!([])), "nothing");
        assert_eq!(said(json!({"from": "2024-01-01"})), "from 2024-01-01");
        assert_eq!(said(json!({"from": 1, "to": 5})), "from 1 to before 5");
        assert_eq!(said(json!({"relative": "last_7_days"})), "last 7 days");
    }
}
