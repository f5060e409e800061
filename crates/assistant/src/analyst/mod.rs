//! The built-in analyst answers without a language model. The same question always gets the same answer.
//!
//! It surveys the data ([`crate::world`]), reads the question ([`crate::reading`]), asks the semantic model, and says what it understood
//! and what came of it. Only the survey, which is remembered for a minute, and the answer's own query read data.

mod chips;
mod doubt;
mod finding;
mod follow;
mod insight;
mod instead;
mod merge;
mod moves;
mod next;
mod picture;
mod sentences;
mod talk;
#[cfg(test)]
mod tests;
mod why;
mod why_words;

use crate::{
    assistant::Request,
    causes,
    confidence::Confidence,
    conversation::{Chart, Chip, Message, Proof, Role, ToolResult},
    data::{Data, DataError},
    event::StepStatus,
    language::{
        foreign::{InEnglish, in_english},
        grain::Grain,
    },
    proof,
    reading::{Context, Draft, Meaning, asking, atoms, evidence},
    scope::Scope,
    transcript::Transcript,
    world::{self, Surveys, World},
};
use follow::{Refusal, Understood};
use inlay_contract::{chart::definition::ChartDefinition, data::ChartData};

/// A follow-up can refer to at most this many earlier messages.
const REMEMBERED: usize = 12;

/// Answers the last message of a conversation.
///
/// # Errors
/// The data could not be read.
pub(crate) async fn answer(
    request: &Request,
    data: &dyn Data,
    surveys: &Surveys,
    transcript: &mut Transcript,
) -> Result<(), DataError> {
    transcript.step("Looking at the data", StepStatus::Running).await;
    let surveyed = surveyed(request, data, surveys).await;
    let status = if surveyed.is_ok() { StepStatus::Done } else { StepStatus::Failed };
    transcript.step("Looking at the data", status).await;
    let Surveyed { world, spoken } = surveyed?;
    let questions = questions(&request.conversation);
    let asked: Vec<&str> = spoken.iter().map(|question| question.text.as_str()).collect();
    let Some(last) = spoken.last() else {
        transcript.say(&talk::help(&world)).await;
        transcript.suggest(&talk::suggestions(&request.scope, &world)).await;
        return Ok(());
    };
    let context = Context { world: &world, today: request.today };
    let (understood, draft) = follow::understand_with(&asked, context);
    match understood {
        Understood::Meaning(meaning) => {
            let confirmed = is_confirmed(&questions, &asked, &meaning, draft.as_ref(), &request.conversation, context);
            let question = Question { meaning: &meaning, draft: draft.as_ref(), confirmed };
            let shown = tell(&question, &world, request, data, transcript).await?;
            let (questions, reading) = what_follows(&shown, &question, &asked, request, context);
            transcript.offer(&questions, &reading).await;
            Ok(())
        }
        Understood::Change(change) => why::answer(&change, &world, request, data, surveys, transcript).await,
        Understood::Moved(moved) => moves::tell(&moved, &world, request, data, transcript).await,
        // On a dashboard, a message without names from the data is about the page. So is one that says so: a city may be called Page.
        Understood::Refused(refusal)
            if !request.charts.is_empty() && (is_without_names(&refusal) || insight::is_asked(&last.text)) =>
        {
            transcript.say(&insight::insight(&request.charts, &request.locale)).await;
            Ok(())
        }
        Understood::Refused(refusal) => {
            let rest = match &refusal {
                Refusal::Unknown(words, _) => instead::without(words, &asked, context).into_iter().collect(),
                Refusal::Apart => instead::fewer(&asked, context),
                _ => Vec::new(),
            };
            transcript.declined = refusal.is_of_question();
            let (told, questions) = talk::refusal(&refusal, last, rest, &request.scope, &world);
            transcript.say(&told).await;
            transcript.suggest(&questions).await;
            Ok(())
        }
    }
}

/// What is known of the data, and the viewer's messages in English.
struct Surveyed {
    world: World,
    spoken: Vec<InEnglish>,
}

/// Surveys the data, and looks up what the viewer's messages name.
async fn surveyed(request: &Request, data: &dyn Data, surveys: &Surveys) -> Result<Surveyed, DataError> {
    let mut world = World::clone(&*surveys.survey(&request.scope, data).await?);
    let spoken: Vec<InEnglish> =
        questions(&request.conversation).iter().map(|question| in_english(question.text, &world)).collect();
    for InEnglish { text: message, .. } in &spoken {
        world.looked_up = false;
        let why = causes::asks(message, &world).map(|why| why.rest);
        let text = why.or_else(|| causes::moves(message, &world).map(|moves| moves.rest)).unwrap_or_else(|| message.clone());
        let unknown = atoms::unknown(&text, &world);
        world::look_up(&mut world, &text, &unknown, data).await;
    }
    Ok(Surveyed { world, spoken })
}

/// Whether a message that was refused names nothing from the data.
const fn is_without_names(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::Empty | Refusal::Greeting | Refusal::Beyond | Refusal::Why | Refusal::Unknown(_, false))
}

/// Whether the viewer has seen the reading of the last message before: they confirmed it, chose it, or go on from one that was shown or confirmed.
/// They are not asked about it again.
fn is_confirmed(
    questions: &[Asked<'_>],
    asked: &[&str],
    meaning: &Meaning,
    draft: Option<&Draft>,
    conversation: &[Message],
    context: Context<'_>,
) -> bool {
    let follows = |at: usize, is_confirmed: bool| {
        draft.is_some_and(|draft| follow::follows_surely(draft, meaning, &asked[..=at], is_confirmed, context))
    };
    let confirmed = questions.iter().rposition(|question| question.confirmed);
    if confirmed.is_some_and(|at| at + 1 == asked.len() || follows(at, true)) {
        return true;
    }
    let Some((last, before)) = asked.split_last() else { return false };
    if doubt::asks_back(conversation) {
        return doubt::is_offered(last, meaning, context.world);
    }
    !before.is_empty() && follows(before.len() - 1, false)
}

/// The questions that are offered after an answer, or in its place, and the parts of its reading.
fn what_follows(
    shown: &Shown,
    question: &Question<'_>,
    asked: &[&str],
    request: &Request,
    context: Context<'_>,
) -> (Vec<String>, Vec<Chip>) {
    match (shown, question.draft) {
        // A sidebar and a described chart have their own ways on.
        (Shown::Rows, Some(draft)) if request.charts.is_empty() && !request.draws => {
            let before = follow::confidence(draft, question.meaning, context).probability;
            let chips = chips::chips(question.meaning, draft, before, context);
            (next::questions(question.meaning, draft, before, context), chips)
        }
        (Shown::Doubt, Some(draft)) => {
            let others = doubt::others(asked, draft, question.meaning, context);
            (std::iter::once(doubt::YES.to_owned()).chain(others).collect(), Vec::new())
        }
        _ => Default::default(),
    }
}

/// A message of the viewer.
struct Asked<'a> {
    text: &'a str,
    /// The viewer said that its reading is right.
    confirmed: bool,
}

/// The viewer's latest messages, newest last. Those that confirm a reading belong to the one before.
fn questions(conversation: &[Message]) -> Vec<Asked<'_>> {
    let mut found: Vec<Asked<'_>> = Vec::new();
    for text in conversation.iter().filter(|message| message.role == Role::User).map(|message| message.text.as_str()) {
        if !doubt::is_yes(text) {
            found.push(Asked { text, confirmed: false });
        } else if let Some(last) = found.last_mut() {
            last.confirmed = true;
        }
    }
    found.drain(..found.len().saturating_sub(REMEMBERED));
    found
}

/// What was asked and what came of it.
struct Told {
    rows: ChartData,
    groups: Vec<String>,
    numbers: Vec<String>,
    /// The chart's question: SQL, or a query of the semantic model.
    definition: ChartDefinition,
    /// What the model's compiler says of a query. `None` for questions that the model cannot say.
    proof: Option<Proof>,
}

/// A question that was read.
struct Question<'a> {
    meaning: &'a Meaning,
    draft: Option<&'a Draft>,
    /// The viewer said that the reading is right.
    confirmed: bool,
}

/// What came of a question.
enum Shown {
    Rows,
    Nothing,
    /// The viewer was asked whether the reading is right.
    Doubt,
}

/// Asks the data and writes the answer, or asks back.
async fn tell(
    question: &Question<'_>,
    world: &World,
    request: &Request,
    data: &dyn Data,
    transcript: &mut Transcript,
) -> Result<Shown, DataError> {
    let mut meaning = question.meaning.clone();
    fit_grains(&mut meaning, world);
    let understood = sentences::understood(&meaning, world);
    transcript.say(&understood).await;
    if let Some(filters) = insight::filters(&request.charts) {
        transcript.say(&format!("\n\nThis answer uses the page's filters: {filters}.")).await;
    }
    transcript.step("Reading the rows", StepStatus::Running).await;
    let told = read(&meaning, world, &request.scope, data).await;
    transcript.step("Reading the rows", if told.is_ok() { StepStatus::Done } else { StepStatus::Failed }).await;
    let told = told?;
    let has_rows = !told.rows.rows.is_empty();
    let confidence = question.draft.map(|draft| {
        let mut evidence = evidence(draft, &meaning, world);
        evidence.of_rows(&meaning, &told.rows.rows, told.groups.len());
        Confidence::of(evidence)
    });
    transcript.confidence.clone_from(&confidence);
    // A chart that is described is looked at before it is used.
    let asks = has_rows && !question.confirmed && !request.draws;
    let finding = finding::finding(&meaning, world, &told.rows, told.groups.len(), &request.locale);
    if let Some((draft, confidence)) = question.draft.zip(confidence).filter(|(_, confidence)| asks && !confidence.is_sure()) {
        transcript.declined = true;
        transcript.say(&format!("\n\n{}", doubt::question(draft, &confidence, &finding, world))).await;
        return Ok(Shown::Doubt);
    }
    if has_rows {
        let definition = picture::picture(&meaning, world, &told);
        let proof = told.proof.unwrap_or_else(|| sentences::proof(&meaning, world));
        transcript.draw(ToolResult::chart(&Chart { chart_config: definition, data: told.rows, proof: Some(proof) })).await;
    }
    transcript.say(&format!("\n\n{finding}")).await;
    Ok(if has_rows { Shown::Rows } else { Shown::Nothing })
}

async fn read(meaning: &Meaning, world: &World, scope: &Scope, data: &dyn Data) -> Result<Told, DataError> {
    let definition = ChartDefinition {
        title: sentences::title(meaning, world),
        kind: inlay_contract::chart::definition::ChartType::Table,
        sql_override: None,
        encoding: inlay_contract::chart::definition::Encoding::default(),
        options: serde_json::Map::new(),
        cache_seconds: None,
    };
    if let Some(question) = asking::rows(meaning, world) {
        let answer = data.ask(&question).await?;
        let definition = ChartDefinition { sql_override: Some(answer.sql), ..definition };
        return Ok(Told { rows: answer.rows, groups: Vec::new(), numbers: Vec::new(), definition, proof: None });
    }
    if let Some(question) = asking::spread(meaning, world) {
        let answer = data.ask(&question).await?;
        let definition = ChartDefinition { sql_override: Some(answer.sql), ..definition };
        let (groups, numbers) = (vec!["step".to_owned()], vec!["rows_found".to_owned()]);
        return Ok(Told { rows: answer.rows, groups, numbers, definition, proof: None });
    }
    if let Some(question) = asking::per_period(meaning, world) {
        let answer = data.ask(&question).await?;
        let definition = ChartDefinition { sql_override: Some(answer.sql), ..definition };
        let numbers = vec!["each_value".to_owned()];
        return Ok(Told { rows: answer.rows, groups: Vec::new(), numbers, definition, proof: None });
    }
    let asked = asking::asked(meaning, world).ok_or_else(DataError::unaskable)?;
    let answer = data.query_model(&asked.query, &world.assumed).await?;
    // A metric of the analyst's own has no label: its words are those of the reading.
    let sentence = match asked.query.metrics.is_empty() {
        true => answer.sentence,
        false => sentences::proof(meaning, world).sentence,
    };
    let proof = Some(proof::of_query(&asked.query, &sentence, scope));
    let definition = match answer.sql {
        Some(sql) => ChartDefinition { sql_override: Some(sql), ..definition },
        None => definition.asking_model(Some(&asked.query)),
    };
    Ok(Told { rows: answer.rows, groups: asked.groups, numbers: asked.numbers, definition, proof })
}

/// As fine as the days that the rows cover are worth.
fn fit_grains(meaning: &mut Meaning, world: &World) {
    use crate::reading::Condition;
    let spans = meaning.conditions.iter().find_map(|condition| match condition {
        Condition::Spans { spans, .. } => {
            Some((spans.iter().filter_map(|span| span.from).min(), spans.iter().filter_map(|span| span.to).max()))
        }
        _ => None,
    });
    for group in &mut meaning.groups {
        if group.grain != Some(Grain::Fitting) {
            continue;
        }
        let days = world.fields[group.place.field].days;
        let (from, to) = spans.unwrap_or_default();
        let from = from.or_else(|| days.map(|(first, _)| first));
        let to = to.or_else(|| days.map(|(_, last)| last));
        let length = from.zip(to).map_or(365, |(from, to)| (to - from).num_days());
        group.grain = Some(match length {
            ..=45 => Grain::Day,
            46..=100 => Grain::Week,
            101..=1500 => Grain::Month,
            _ => Grain::Year,
        });
    }
}
