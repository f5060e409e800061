//! `POST /share/assistant`: the assistant of dashboards, for charts by description (`aiCharts`) and insights (`aiInsight`).

use super::answer_stream::{self, AnswerStream, Offers, respond};
use crate::{
    concepts::{chat::ViewerLocale, dashboards::writer::Writer},
    flows::{
        dashboard_assistant::{self, DashboardAnswer, DashboardQuestion},
        viewing::Opened,
    },
    ground::{error::Result, state::App},
};
use axum::{
    extract::{Request, State},
    response::Response,
};
use inlay_app::dashboard_assistant::wire::{AssistantTask, Earlier, Question};
use inlay_assistant::Message;
use inlay_contract::{ids::MessageId, permissions::Flag};

/// How many questions of the page's conversation the model or analyst gets.
const REMEMBERED: usize = 8;
/// The maximum length of an earlier answer, in characters.
const LONGEST: usize = 8_000;

/// Answers a question at a dashboard. An error is `{"code","message"}` with its status.
pub async fn answer(State(app): State<App>, request: Request) -> Response {
    respond(begin(&app, request).await)
}

async fn begin(app: &App, request: Request) -> Result<AnswerStream> {
    let (token, asked) = answer_stream::read::<Question>(app, request).await?;
    answer_stream::check(app, &asked.message)?;
    let Question { scope, dashboard, filters, task, earlier, message } = asked;
    let opened = Opened::enter(app, &token, &scope).await?;
    let dashboard = opened.dashboard(app, dashboard).await?;
    let style = opened.style(&scope.locale);
    let viewer = opened.viewer;
    let question = DashboardQuestion {
        task: match task {
            AssistantTask::Insight => dashboard_assistant::AssistantTask::Insight,
            AssistantTask::Chart => dashboard_assistant::AssistantTask::Chart,
        },
        application: opened.application,
        dashboard,
        filters,
        earlier: told(earlier),
        message,
        viewer_locale: ViewerLocale { timezone: Some(scope.timezone), locale: Some(scope.locale) },
    };
    let DashboardAnswer { data_scope, events } = dashboard_assistant::ask(app, &viewer, question).await?;
    let may = Writer::page(&viewer).require(&mut app.db.read().await?.conn(), Flag::AiCharts).await.is_ok();
    let offers = may.then(|| Offers { app: app.clone(), user: viewer.user, connection: data_scope.connection.source.id });
    Ok(AnswerStream::new(MessageId::generate(), events, style, data_scope).unstored(offers))
}

/// The conversation as the page sends it. It cannot be trusted, and need not be: answers only hold rows that the viewer may see.
fn told(earlier: Vec<Earlier>) -> Vec<Message> {
    let skipped = earlier.len().saturating_sub(REMEMBERED);
    let cut = |text: String| text.chars().take(LONGEST).collect::<String>();
    let turn = |Earlier { asked, answered }| [Message::user(cut(asked)), Message::assistant(cut(answered), Vec::new())];
    earlier.into_iter().skip(skipped).flat_map(turn).collect()
}
