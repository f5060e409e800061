//! The built-in analyst answers without a model. The same question always gets the same answer.
//!
//! Pure stages: tokens → phrases of the catalogue and of English → what the message says → what it means, with what was asked before →
//! the question to the data → chart and sentences. Only [`survey`] and the answer's own query read data.

mod asking;
mod finding;
mod follow;
mod insight;
mod intent;
mod knowledge;
mod phrases;
mod picture;
mod reading;
mod sentences;
mod survey;
mod talk;
#[cfg(test)]
mod tests;
mod values;

use crate::{
    assistant::Request,
    conversation::{Chart, Message, Role, ToolResult},
    data::{Answer, Data, DataError},
    event::StepStatus,
    scope::Scope,
    transcript::Transcript,
};
use asking::Asked;
use chrono::NaiveDate;
use follow::Refusal;
use intent::{Dimension, Intent};
use knowledge::Knowledge;
use reading::{Context, Draft};

/// A follow-up can refer to at most this many earlier messages.
const REMEMBERED: usize = 12;
/// The approximate number of steps of a distribution.
const STEPS: f64 = 24.0;

/// Answers the last message of a conversation.
///
/// # Errors
/// The data could not be read.
pub(crate) async fn answer(request: &Request, data: &dyn Data, transcript: &mut Transcript) -> Result<(), DataError> {
    transcript.step("Looking at the data", StepStatus::Running).await;
    let surveyed = survey::survey(&request.scope, data).await;
    let status = if surveyed.is_ok() { StepStatus::Done } else { StepStatus::Failed };
    transcript.step("Looking at the data", status).await;
    let mut knowledge = surveyed?;
    let asked = questions(&request.conversation);
    let Some(last) = asked.last() else {
        transcript.say(&talk::help(&request.scope, &knowledge)).await;
        return Ok(());
    };
    for message in &asked {
        survey::look_up(&mut knowledge, message, data).await;
    }
    match understand(&asked, &knowledge, request.today) {
        Understood::Intent(intent) => tell(intent, &knowledge, request, data, transcript).await,
        // On a dashboard, a message without names from the data is about the page.
        Understood::Talk(draft, _) if !request.charts.is_empty() && !draft.help && !draft.thanks => {
            transcript.say(&insight::insight(&request.charts, &request.locale)).await;
            Ok(())
        }
        Understood::Talk(draft, refusal) => {
            transcript.say(&small_talk(&draft, &refusal, last, &request.scope, &knowledge)).await;
            Ok(())
        }
    }
}

/// The viewer's latest messages, newest last.
fn questions(conversation: &[Message]) -> Vec<&str> {
    let said = conversation.iter().filter(|message| message.role == Role::User).map(|message| message.text.as_str());
    let said: Vec<&str> = said.collect();
    said[said.len().saturating_sub(REMEMBERED)..].to_vec()
}

/// The result of reading a conversation.
enum Understood {
    Intent(Box<Intent>),
    Talk(Box<Draft>, Refusal),
}

/// Reads a conversation from its first message on, since each may build on the one before.
fn understand(messages: &[&str], knowledge: &Knowledge, today: NaiveDate) -> Understood {
    let mut previous: Option<Intent> = None;
    let mut understood = None;
    for message in messages {
        let context = Context { knowledge, today, previous: previous.as_ref() };
        let draft = reading::read(&phrases::phrases(message, knowledge), context);
        match follow::intent(&draft, context) {
            Ok(intent) if !draft.help => {
                previous = Some(intent.clone());
                understood = Some(Understood::Intent(Box::new(intent)));
            }
            Ok(_) => understood = Some(Understood::Talk(Box::new(draft), Refusal::Empty)),
            Err(refusal) => understood = Some(Understood::Talk(Box::new(draft), refusal)),
        }
    }
    understood.unwrap_or_else(|| Understood::Talk(Box::default(), Refusal::Empty))
}

fn small_talk(draft: &Draft, refusal: &Refusal, message: &str, scope: &Scope, knowledge: &Knowledge) -> String {
    if draft.help || message.trim().is_empty() {
        talk::help(scope, knowledge)
    } else if *refusal == Refusal::Empty && draft.greeting {
        talk::greeting(scope, knowledge)
    } else if *refusal == Refusal::Empty && draft.thanks {
        talk::thanks()
    } else {
        talk::refusal(refusal, scope, knowledge)
    }
}

/// Runs a question and writes the answer.
async fn tell(
    mut intent: Box<Intent>,
    knowledge: &Knowledge,
    request: &Request,
    data: &dyn Data,
    transcript: &mut Transcript,
) -> Result<(), DataError> {
    let understood = sentences::understood(&intent, knowledge);
    transcript.say(&understood).await;
    if let Some(filters) = insight::filters(&request.charts) {
        transcript.say(&format!("\n\nThis answer uses the page's filters: {filters}.")).await;
    }
    transcript.step("Reading the rows", StepStatus::Running).await;
    let read = read(&mut intent, knowledge, data).await;
    transcript.step("Reading the rows", if read.is_ok() { StepStatus::Done } else { StepStatus::Failed }).await;
    let (asked, answer) = read?;
    let chart = Chart { chart_config: picture::picture(&intent, knowledge, &asked, &answer), data: answer.rows };
    let finding = finding::finding(&intent, knowledge, &chart.data, &request.locale);
    if !chart.data.rows.is_empty() {
        transcript.draw(ToolResult::chart(&chart)).await;
    }
    transcript.say(&format!("\n\n{finding}")).await;
    Ok(())
}

async fn read(intent: &mut Intent, knowledge: &Knowledge, data: &dyn Data) -> Result<(Asked, Answer), DataError> {
    for at in 0..intent.dimensions.len() {
        let Dimension { place, step: Some(0), .. } = intent.dimensions[at] else { continue };
        let range = asking::range(intent, place, knowledge).ok_or_else(DataError::unaskable)?;
        intent.dimensions[at].step = Some(step(&data.ask(&range).await?.rows));
    }
    let asked = asking::asked(intent, knowledge).ok_or_else(DataError::unaskable)?;
    let answer = data.ask(&asked.question).await?;
    Ok((asked, answer))
}

/// A round step, in thousandths, that divides a range into a suitable number of steps.
fn step(range: &inlay_contract::data::ChartData) -> u64 {
    let ends = range.rows.first().and_then(|row| Some((survey::number(row.first()?)?, survey::number(row.get(1)?)?)));
    let width = ends.map_or(1.0, |(least, most)| ((most - least) / STEPS).max(0.001));
    let power = 10f64.powf(width.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|round| *round >= width).unwrap_or(width);
    let thousandths = (round * 1000.0).round() as u64;
    thousandths.max(1)
}
