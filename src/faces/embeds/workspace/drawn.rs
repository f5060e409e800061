//! Threads, answers and charts for the page.

use super::page::Visit;
use crate::{
    concepts::chat::{
        DataScope, Message, MessageState, Step,
        pins::{self, Pin, PinCollection, Source},
        prose, threads,
    },
    flows::viewing::export,
    ground::{
        drawing,
        error::{Error, Result},
        state::App,
        store::holding::watched,
        time::Timestamp,
    },
};
use chrono::NaiveDate;
use chrono_tz::Tz;
use futures::future::join_all;
use inlay_app::{
    calls::Style,
    chat::wire::{
        AnswerChart, AnswerState, AnswerView, ChartSource, ChipView, DrawnChart, NextView, ProofView, Shown, StepState,
        StepView, TurnView,
    },
    drawing::Drawing,
    workspace::wire::{ChartRef, PinView, ThreadView, Turns},
};
use inlay_assistant::{
    Chip, Choice, Role, StepStatus, ToolResult,
    conversation::{Defined, GENERATE_CHART, Proof},
};
use inlay_contract::{
    chart::{definition::ChartDefinition, picture::Picture},
    data::ChartData,
    ids::{MessageId, OrganizationId, ThreadId},
    page::TileContent,
};
use inlay_query::Answered;
use serde::Deserialize;

/// How many messages of a thread the page shows at once: questions and answers.
const SHOWN: usize = 60;

/// One of the viewer's threads, with its last turns.
///
/// # Errors
/// 404 for a thread out of reach.
pub(super) async fn thread(app: &App, visit: &Visit, id: ThreadId) -> Result<ThreadView> {
    Ok(ThreadView { id, shown: turns(app, visit, id, None).await? })
}

/// The last turns of one of the viewer's threads, or the last ones before a question.
///
/// # Errors
/// 404 for a thread out of reach, and for a question that is none of the thread's.
pub(super) async fn turns(app: &App, visit: &Visit, id: ThreadId, before: Option<MessageId>) -> Result<Turns> {
    let workspace = visit.open_workspace.workspace.id;
    let shown = threads::Shown::Last { before, most: SHOWN };
    let (_, messages) = threads::open(app, &visit.viewer, workspace, id, shown).await?;
    let has_earlier = messages.next.is_some();
    let mut turns: Vec<(Message, Option<Message>)> = Vec::new();
    for message in messages.entries {
        match (message.role, turns.last_mut()) {
            (Role::Assistant, Some((_, answer @ None))) => *answer = Some(message),
            (Role::Assistant, _) => {}
            (Role::User, _) => turns.push((message, None)),
        }
    }
    let drawn = turns.into_iter().filter_map(|(question, answer)| Some((question, answer?)));
    let drawn = drawn.map(|(question, reply)| {
        watched(async move { TurnView { question: question.id, text: question.text, answer: answer(app, visit, reply).await } })
    });
    Ok(Turns { turns: join_all(drawn).await, has_earlier })
}

async fn answer(app: &App, visit: &Visit, message: Message) -> AnswerView {
    let results = message.results.iter().enumerate();
    let at = message.created_at;
    let charts =
        results.map(|(result, found)| watched(chart(app, visit, ChartSource { message: message.id, result }, found, at)));
    let charts = join_all(charts).await.into_iter().flatten().collect();
    AnswerView {
        id: message.id,
        steps: message.steps.iter().map(step).collect(),
        blocks: prose::blocks(&message.text),
        charts,
        state: state(&message),
        next: message.results.iter().rev().find_map(next).unwrap_or_default(),
        helpful: message.feedback.map(|feedback| feedback == crate::concepts::chat::Feedback::Good),
    }
}

/// What can be asked next, as a result says.
pub(in crate::faces::embeds) fn next(result: &ToolResult) -> Option<NextView> {
    let questions = result.as_suggestions()?;
    let chip = |Chip { part, value, choices }| ChipView {
        part,
        value,
        choices: choices.into_iter().map(|Choice { label, question }| (label, question)).collect(),
    };
    Some(NextView { questions, reading: result.as_reading().unwrap_or_default().into_iter().map(chip).collect() })
}

fn state(message: &Message) -> AnswerState {
    match message.state {
        MessageState::Answering => AnswerState::Answering,
        MessageState::Done => AnswerState::Done,
        MessageState::Stopped => AnswerState::Stopped,
        MessageState::Interrupted => AnswerState::Interrupted,
        MessageState::Failed => {
            let told = message.problem.as_ref().map(|problem| problem.message.clone());
            AnswerState::Failed(told.unwrap_or_else(|| "This question could not be answered.".to_owned()))
        }
    }
}

fn step(step: &Step) -> StepView {
    step_view(step.name.clone(), step.status)
}

/// A step as the page shows it.
pub(in crate::faces::embeds) fn step_view(name: String, status: StepStatus) -> StepView {
    let status = match status {
        StepStatus::Running => StepState::Running,
        StepStatus::Done => StepState::Done,
        StepStatus::Failed => StepState::Failed,
    };
    StepView { name, status }
}

/// A result that is a chart. Withheld rows are read again, with the viewer's current row rules.
async fn chart(app: &App, visit: &Visit, source: ChartSource, result: &ToolResult, at: Timestamp) -> Option<AnswerChart> {
    let definition = definition(result)?;
    let data_scope = &visit.open_workspace.data_scope;
    let rows = match result.result.get("data").map(ChartData::deserialize) {
        Some(Ok(data)) => Ok(data),
        _ => data_scope.chart_rows(app, &definition).await.map(Answered::into_data),
    };
    let proof = result.result.get("proof").and_then(|proof| Proof::deserialize(proof).ok());
    let proof = proof.zip(rows.as_ref().ok()).map(|(proof, rows)| proof_view(proof, rows, at, data_scope));
    let chart = DrawnChart { proof, ..drawn(&visit.style, data_scope.described(definition), rows) };
    Some(AnswerChart { source, chart, offer: None })
}

/// The proof of a chart as its page shows it.
fn proof_view(proof: Proof, rows: &ChartData, at: Timestamp, data_scope: &DataScope) -> ProofView {
    let zone = data_scope.timezone.parse::<Tz>().unwrap_or(Tz::UTC);
    let at = at.to_utc().with_timezone(&zone).format("%-d %b %Y, %H:%M");
    let count = match rows.rows.len() {
        1 => "1 row".to_owned(),
        many if rows.truncated => format!("The first {many} rows"),
        many => format!("{many} rows"),
    };
    ProofView {
        sentence: proof.sentence,
        measures: proof.measures.into_iter().map(|Defined { label, definition }| (label, definition)).collect(),
        verified_by: proof.verified_by,
        read: format!("{count} of the data that you may see, {at}."),
    }
}

/// The definition of a result's chart.
pub(in crate::faces::embeds) fn definition(result: &ToolResult) -> Option<ChartDefinition> {
    let config = (result.tool_name == GENERATE_CHART).then(|| result.result.get("chartConfig")).flatten()?;
    ChartDefinition::deserialize(config).ok()
}

/// A chart of a new answer. If the answer `is_unstored`, the page gets what the server needs to draw a picture of it.
pub(in crate::faces::embeds) fn made(
    style: &Style,
    data_scope: &DataScope,
    source: ChartSource,
    found: &ToolResult,
    is_unstored: bool,
) -> Option<AnswerChart> {
    let chart = found.as_chart()?;
    let definition = data_scope.described(chart.chart_config);
    let kept = is_unstored.then(|| html_definition(&definition)).flatten();
    let proof = chart.proof.map(|proof| proof_view(proof, &chart.data, Timestamp::now(), data_scope));
    let chart = DrawnChart { proof, definition: kept, ..drawn(style, definition, Ok(chart.data)) };
    Some(AnswerChart { source, chart, offer: None })
}

/// The definition of a chart that is HTML on the page, as JSON without its query.
fn html_definition(definition: &ChartDefinition) -> Option<String> {
    let shown = definition.kind.is_html().then(|| definition.clone().asking(None).asking_model(None).without_sql());
    serde_json::to_string(&shown?).ok()
}

/// A chart with its drawing, without its SQL.
pub(super) fn drawn(style: &Style, definition: ChartDefinition, rows: Result<ChartData, Error>) -> DrawnChart {
    let shown = match rows {
        Ok(data) if data.rows.is_empty() => Shown::Empty,
        Ok(data) => {
            let content = TileContent::Ready { data };
            let drawing = style.drawing(&definition, &content);
            match content {
                TileContent::Ready { data } => Shown::Rows { drawing, data },
                TileContent::Loading | TileContent::Failed { .. } => Shown::Empty,
            }
        }
        Err(problem) => {
            tracing::info!(code = problem.code.as_str(), context = problem.context, "a chart's query failed");
            Shown::Failed(problem.message)
        }
    };
    DrawnChart { title: definition.title, kind: definition.kind, shown, proof: None, definition: None, svg: None }
}

/// The size of an answer's picture in the first HTML, in CSS pixels: the width of the column inside its card.
const PICTURE: (u32, u32) = (686, 300);
/// How many of the newest charts are drawn in the first HTML. The browser draws the others.
const MOST_PICTURES: usize = 4;

/// Draws the newest charts of a thread for the first HTML.
pub(super) async fn draw(app: &App, organization: OrganizationId, thread: &mut ThreadView) {
    let newest = thread.shown.turns.iter_mut().rev().flat_map(|turn| turn.answer.charts.iter_mut().rev());
    join_all(newest.take(MOST_PICTURES).map(async |chart| {
        let Shown::Rows { drawing: Some(Drawing::Option(option)), .. } = &chart.chart.shown else { return };
        chart.chart.svg = drawing::svg(app, organization, option, PICTURE).await.ok();
    }))
    .await;
}

/// The viewer's saved charts, with the rows that they see now.
pub(super) async fn kept(app: &App, visit: &Visit, found: Vec<Pin>) -> Vec<PinView> {
    let views = found.into_iter().map(|pin| {
        watched(async move {
            let rows = pins::rows(app, &visit.open_workspace, &pin).await;
            let Pin { id, message, result, definition, wide, .. } = pin;
            let source = ChartSource { message, result: usize::try_from(result).unwrap_or_default() };
            let definition = visit.open_workspace.data_scope.described(definition);
            PinView { id, source, wide, chart: drawn(&visit.style, definition, rows.map(Answered::into_data)) }
        })
    });
    join_all(views).await
}

/// A chart of the viewer with the rows that they see now, for its files.
///
/// # Errors
/// 404 for a chart out of reach; 422, 503 or 504 when its query fails.
pub(super) async fn current(app: &App, visit: &Visit, chart: ChartRef) -> Result<(ChartDefinition, Answered)> {
    let Visit { viewer, open_workspace, .. } = visit;
    match chart {
        ChartRef::Answer(ChartSource { message, result }) => {
            let definition = pins::chart(app, open_workspace, viewer, Source { message, result }).await?;
            let rows = open_workspace.data_scope.chart_rows(app, &definition).await?;
            Ok((open_workspace.data_scope.described(definition), rows))
        }
        ChartRef::Pin(id) => {
            for place in [PinCollection::Favorites, PinCollection::Canvas] {
                let found = pins::list(app, viewer, open_workspace.workspace.id, place).await?;
                if let Some(pin) = found.into_iter().find(|pin| pin.id == id) {
                    let rows = pins::rows(app, open_workspace, &pin).await?;
                    return Ok((open_workspace.data_scope.described(pin.definition), rows));
                }
            }
            Err(Error::not_found("Chart"))
        }
    }
}

/// A chart as SVG, for a download. `None` without rows, and for a definition that does not fit its rows.
pub(super) async fn picture(app: &App, visit: &Visit, definition: ChartDefinition, rows: Answered) -> Option<String> {
    let Visit { viewer, style, .. } = visit;
    if definition.kind.is_html() {
        return export::picture(style, definition.title.clone(), &definition, rows.into_data(), export::CARD);
    }
    let Picture::Option(option) = style.picture(&definition, &TileContent::Ready { data: rows.into_data() })? else {
        return None;
    };
    drawing::svg(app, viewer.organization, &option, PICTURE).await.ok()
}

/// A time's day as text for a list.
pub(super) fn day(moment: Timestamp, timezone: &str, today: NaiveDate) -> String {
    let zone = timezone.parse::<Tz>().unwrap_or(Tz::UTC);
    let day = moment.to_utc().with_timezone(&zone).date_naive();
    match (today - day).num_days() {
        0 => "Today".to_owned(),
        1 => "Yesterday".to_owned(),
        _ => day.format("%-d %b %Y").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_viewer_s_zone() {
        let today = NaiveDate::from_ymd_opt(2026, 1, 2).expect("a day");
        let late = Timestamp(1_767_310_200_000); // 2026-01-01T23:30Z
        assert_eq!(day(late, "Europe/Berlin", today), "Today");
        assert_eq!(day(late, "UTC", today), "Yesterday");
        assert_eq!(day(Timestamp(1_766_000_000_000), "UTC", today), "17 Dec 2025");
    }
}
