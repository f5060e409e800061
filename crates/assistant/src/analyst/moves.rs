//! Answers what moved between two periods: each group's number in both, those that changed most first.

use super::{
    insight, sentences,
    sentences::{cell, small},
    why,
    why_words::{self, WhyWords, bare},
};
use crate::{
    assistant::Request,
    causes::{Moved, Toward},
    conversation::{Chart, ToolResult},
    data::{Data, DataError},
    event::StepStatus,
    markdown::escaped,
    proof,
    reading::{Condition, Meaning, Num, asking},
    transcript::Transcript,
    world::{World, number},
};
use inlay_contract::{
    chart::definition::{ChartDefinition, ChartType, Encoding, Names},
    format::locale::Locale,
    model::{Metric, ModelHaving, ModelOrder},
};
use serde_json::{Value, json};

/// The column of the change.
const CHANGE: &str = "change_of_number";
/// The most groups that are shown, where no number is said.
const SHOWN: u32 = 10;
/// The most groups that are named.
const NAMED: usize = 3;
/// The least rows of a group in each period, where a mean is compared: single rows tell nothing.
const LEAST: f64 = 10.0;
/// Tables with fewer rows have only small groups.
const LARGE: f64 = 2_000.0;

/// Compares and writes the answer.
///
/// # Errors
/// The number could not be read.
pub(super) async fn tell(
    moved: &Moved,
    world: &World,
    request: &Request,
    data: &dyn Data,
    transcript: &mut Transcript,
) -> Result<(), DataError> {
    transcript.say(&understood(moved, world)).await;
    if let Some(filters) = insight::filters(&request.charts) {
        transcript.say(&format!("\n\nThis answer uses the page's filters: {filters}.")).await;
    }
    let question = question(moved, world).ok_or_else(DataError::unaskable)?;
    transcript.step("Comparing the periods", StepStatus::Running).await;
    let answer = data.query_model(&question.query, &world.assumed).await;
    transcript.step("Comparing the periods", if answer.is_ok() { StepStatus::Done } else { StepStatus::Failed }).await;
    let answer = answer?;
    let words = WhyWords { change: &moved.change, world, locale: Locale::of(&request.locale) };
    let found = finding(moved, &words, &answer.rows.rows, question.groups);
    if !answer.rows.rows.is_empty() {
        let definition = ChartDefinition {
            title: question.title,
            kind: ChartType::Bar,
            sql_override: None,
            encoding: question.encoding,
            options: question.options,
            cache_seconds: None,
        };
        let chart_config = match answer.sql {
            Some(sql) => ChartDefinition { sql_override: Some(sql), ..definition },
            None => definition.asking_model(Some(&question.query)),
        };
        let proof = proof::of_query(&question.query, &answer.sentence, &request.scope);
        transcript.draw(ToolResult::chart(&Chart { chart_config, data: answer.rows, proof: Some(proof) })).await;
    }
    transcript.say(&format!("\n\n{found}")).await;
    transcript.suggest(&others(moved, request)).await;
    Ok(())
}

/// What is asked.
struct Asked {
    query: inlay_contract::model::ModelQuery,
    /// How many columns say which group it is.
    groups: usize,
    title: String,
    encoding: Encoding,
    options: serde_json::Map<String, Value>,
}

fn question(moved: &Moved, world: &World) -> Option<Asked> {
    let change = &moved.change;
    let number = change.meaning.numbers.first()?;
    let of = |number: &Num, period: usize| {
        let span = Condition::Spans { place: change.time.clone(), spans: vec![change.spans[period]] };
        Num::Matching(Box::new(number.clone()), vec![span])
    };
    let mut numbers = vec![of(number, 0), of(number, 1)];
    let counts = has_least(moved, world);
    if counts {
        numbers.extend([of(&Num::Count, 0), of(&Num::Count, 1)]);
    }
    let meaning = Meaning { numbers, groups: change.groups.clone(), ..change.meaning.clone() };
    let asked = asking::asked(&meaning, world)?;
    let (before, now) = (asked.numbers.first()?.clone(), asked.numbers.get(1)?.clone());
    let mut query = asked.query;
    let formula =
        if moved.adds_up(world) { format!("coalesce({now}, 0) - coalesce({before}, 0)") } else { format!("{now} - {before}") };
    query.metrics.insert(CHANGE.to_owned(), Metric { formula: Some(formula), ..Metric::default() });
    query.measures =
        [CHANGE.to_owned(), before.clone(), now.clone()].into_iter().chain(asked.numbers.into_iter().skip(2)).collect();
    let least = query.measures.iter().skip(3).map(|rows| ModelHaving {
        measure: rows.clone(),
        comparison: crate::scope::Comparison::AtLeast,
        than: LEAST,
    });
    let least: Vec<ModelHaving> = least.collect();
    query.having.push(ModelHaving { measure: CHANGE.to_owned(), comparison: moved.comparison(), than: 0.0 });
    query.having.extend(least);
    query.sort = vec![ModelOrder { by: CHANGE.to_owned(), descending: moved.rises }];
    query.limit = Some(moved.count.unwrap_or(SHOWN));
    let group = change.groups.last()?;
    let column = asked.groups.last()?.clone();
    let label = format!("Change of {}", small(&sentences::number_label(number, &change.meaning, world)));
    let mut options = why::options(change, group, &column, world);
    options.insert("horizontal".into(), json!(true));
    if let Some(labels) = options.get_mut("labels").and_then(Value::as_object_mut) {
        let [earlier, later] = change.spans.map(|span| bare(&span));
        labels.insert(CHANGE.into(), json!(label));
        labels.insert(before, json!(earlier));
        labels.insert(now, json!(later));
    }
    let title = format!("{label} by {}", small(&sentences::group_label(group, world)));
    let encoding = Encoding { x: Some(column), y: Some(Names::One(CHANGE.to_owned())), ..Encoding::default() };
    Some(Asked { query, groups: asked.groups.len(), title: why_words::with_periods(&title, change), encoding, options })
}

/// Whether groups of few rows are left out.
fn has_least(moved: &Moved, world: &World) -> bool {
    !moved.adds_up(world) && world.tables[moved.change.meaning.fact].rows.is_some_and(|rows| rows >= LARGE)
}

fn understood(moved: &Moved, world: &World) -> String {
    let change = &moved.change;
    let group = change.groups.last().map(|group| small(&sentences::group_label(group, world))).unwrap_or_default();
    let what = sentences::understood(&change.meaning, world);
    let what = what.strip_prefix(sentences::READ_AS).unwrap_or(&what).trim_end_matches('.').to_owned();
    let [before, now] = change.spans.map(|span| bare(&span));
    let way = if moved.rises { "rise" } else { "fall" };
    let mut text = format!(
        "{}the change of {what} by {group}, the greatest {way} first: {now}, compared with {before}.",
        sentences::READ_AS
    );
    if matches!(moved.toward, Toward::Worse | Toward::Better) {
        let (higher, better) =
            (if moved.rises { "higher" } else { "lower" }, if moved.toward == Toward::Better { "better" } else { "worse" });
        let named = if moved.is_assumed { "The question names no number, so I take this one: " } else { "Of this number, " };
        text += &format!(" {named}{higher} is {better}.");
    }
    if change.is_assumed {
        let unit = change.spans[1].grain.map_or("period", crate::language::grain::Grain::words);
        text += &format!(" The question names no period, so I take the newest whole {unit}.");
    }
    if has_least(moved, world) {
        let rows = small(&world.tables[change.meaning.fact].label);
        text += &format!(" Groups with fewer than {LEAST} {rows} in either period are left out.");
    }
    text
}

fn finding(moved: &Moved, words: &WhyWords<'_>, rows: &[Vec<Value>], groups: usize) -> String {
    let told = rows.iter().take(NAMED).map(|row| {
        let name = row.iter().take(groups).map(cell).collect::<Vec<_>>().join(", ");
        let value = |at: usize| row.get(groups + at).and_then(number).unwrap_or_default();
        let (before, now) = (words.written(value(1)), words.written(value(2)));
        format!("\n- **{}**: from {before} to {now} ({})", escaped(&name), words.difference(value(0)))
    });
    let lines: String = told.collect();
    if lines.is_empty() {
        return format!("None of them {}.", if moved.rises { "rose" } else { "fell" });
    }
    let verb = if moved.rises { "rose" } else { "fell" };
    format!("These {verb} most:\n{lines}")
}

/// The same question about other numbers, where none was named.
fn others(moved: &Moved, request: &Request) -> Vec<String> {
    let asked = request.conversation.iter().rev().find(|message| message.role == crate::conversation::Role::User);
    let asked = asked.map(|message| message.text.trim().trim_end_matches(['?', '.', '!']).to_owned()).unwrap_or_default();
    moved.others.iter().take(NAMED).map(|number| format!("{asked} by {}", small(number))).collect()
}
