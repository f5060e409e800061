//! Answers why a number changed: what is compared, where the change happened, and a chart of the dimension that tells most.

use super::{
    Surveyed,
    follow::{Understood, understand_with},
    insight, picture, sentences, surveyed, why_words,
};
use crate::{
    assistant::Request,
    causes::{self, Change, Compared, Kind, Split},
    conversation::{Chart, ToolResult},
    data::{Beyond, Data, DataError},
    event::StepStatus,
    language::grain::Grain,
    proof,
    reading::{Condition, Context, Group, Meaning, Num, asking},
    scope::Scope,
    transcript::Transcript,
    world::{Surveys, World},
};
use inlay_contract::{
    chart::definition::{ChartDefinition, ChartType, Encoding, Names},
    format::locale::Locale,
    model::{Metric, ModelOrder, ModelQuery},
};
use serde_json::{Map, Value, json};

/// A change, and the screen's period beyond which it is looked for.
struct Asked<'a> {
    change: &'a Change,
    /// Whether the later period is the screen's. `None` if the screen shows every period.
    beyond: Option<bool>,
}

/// Compares and writes the answer. The screen's period on the time of the change hides what is compared, so the question is read over
/// the rows of every period then.
///
/// # Errors
/// The number could not be read.
pub(super) async fn answer(
    change: &Change,
    world: &World,
    request: &Request,
    data: &dyn Data,
    surveys: &Surveys,
    transcript: &mut Transcript,
) -> Result<(), DataError> {
    let time = &world.fields[change.time.field];
    let beyond = data.beyond_period(&world.tables[time.table].name, &time.name);
    let Some(Beyond { from, to, data: all }) = beyond else {
        return tell(&Asked { change, beyond: None }, world, request, data, transcript).await;
    };
    let Surveyed { world: wide, spoken } = surveyed(request, &*all, surveys).await?;
    let texts: Vec<&str> = spoken.iter().map(|question| question.text.as_str()).collect();
    let context = Context { world: &wide, today: request.today };
    let (Understood::Change(mut change), _) = understand_with(&texts, context) else {
        // More rows have more names, with which it may be read in another way.
        return tell(&Asked { change, beyond: None }, world, request, data, transcript).await;
    };
    // A question that names no period compares the screen's with the one before.
    let shown = causes::shown(&change.time, (from, to), context).filter(|_| change.is_assumed);
    if let Some(spans) = shown {
        (change.spans, change.is_assumed) = (spans, false);
    }
    let asked = Asked { change: &change, beyond: Some(shown.is_some()) };
    tell(&asked, &wide, request, &*all, transcript).await
}

/// Compares and writes the answer.
///
/// # Errors
/// The number could not be read.
async fn tell(
    asked: &Asked<'_>,
    world: &World,
    request: &Request,
    data: &dyn Data,
    transcript: &mut Transcript,
) -> Result<(), DataError> {
    let Asked { change, beyond } = asked;
    transcript.say(&why_words::understood(change, world)).await;
    if let Some(filters) = insight::filters(&request.charts) {
        let also = match beyond {
            Some(true) => " To compare, it also reads the period before.",
            Some(false) => " Its own periods replace the page's.",
            None => "",
        };
        transcript.say(&format!("\n\nThis answer uses the page's filters: {filters}.{also}")).await;
    }
    transcript.step("Comparing the periods", StepStatus::Running).await;
    let compared = causes::compare(change, world, data).await;
    let status = if compared.is_ok() { StepStatus::Done } else { StepStatus::Failed };
    transcript.step("Comparing the periods", status).await;
    let compared = compared?;
    let words = why_words::WhyWords { change, world, locale: Locale::of(&request.locale) };
    if let Compared::Split(split) = &compared
        && let Some(group) = split.explained.dimensions.first().and_then(|dimension| split.groups.get(*dimension))
        && let Some(chart) = chart(change, split, group, world, &request.scope, data).await
    {
        transcript.draw(ToolResult::chart(&chart)).await;
    }
    transcript.say(&format!("\n\n{}", words.answer(&compared))).await;
    Ok(())
}

/// The chart of a dimension: what each value adds to the change, where the number adds up; the number in both periods otherwise.
/// None if the rows cannot be read: the answer stands without it.
async fn chart(change: &Change, split: &Split, group: &Group, world: &World, scope: &Scope, data: &dyn Data) -> Option<Chart> {
    let drawn = difference(change, split, group, world).or_else(|| side_by_side(change, split, group, world))?;
    let answer = data.query_model(&drawn.query, &world.assumed).await.ok().filter(|answer| !answer.rows.rows.is_empty())?;
    let definition = ChartDefinition {
        title: drawn.title,
        kind: ChartType::Bar,
        sql_override: None,
        encoding: drawn.encoding,
        options: drawn.options,
        cache_seconds: None,
    };
    let chart_config = match answer.sql {
        Some(sql) => ChartDefinition { sql_override: Some(sql), ..definition },
        None => definition.asking_model(Some(&drawn.query)),
    };
    let proof = proof::of_query(&drawn.query, &answer.sentence, scope);
    Some(Chart { chart_config, data: answer.rows, proof: Some(proof) })
}

/// A chart before its rows are read.
struct Drawn {
    query: ModelQuery,
    title: String,
    encoding: Encoding,
    options: Map<String, Value>,
}

/// By how much the number of each value changed.
fn difference(change: &Change, split: &Split, group: &Group, world: &World) -> Option<Drawn> {
    let number = change.meaning.numbers.first()?;
    if split.kind == Kind::Mean || matches!(number, Num::Declared(_)) {
        return None;
    }
    let of = |period: usize| {
        let span = Condition::Spans { place: change.time.clone(), spans: vec![change.spans[period]] };
        Num::Matching(Box::new(number.clone()), vec![span])
    };
    let meaning = Meaning { numbers: vec![of(0), of(1)], groups: vec![group.clone()], ..change.meaning.clone() };
    let asked = asking::asked(&meaning, world)?;
    let [before, now] = asked.numbers.as_slice() else { return None };
    let mut query = asked.query;
    let formula = Some(format!("coalesce({now}, 0) - coalesce({before}, 0)"));
    query.metrics.insert("change_of_number".to_owned(), Metric { formula, ..Metric::default() });
    query.measures = vec!["change_of_number".to_owned()];
    let fell = split.explained.values[1] < split.explained.values[0];
    query.sort = vec![ModelOrder { by: "change_of_number".to_owned(), descending: !fell }];
    query.limit = Some(causes::SHOWN as u32);
    let column = asked.groups.first()?.clone();
    let label = format!("Change of {}", sentences::small(&sentences::number_label(number, &change.meaning, world)));
    let mut options = options(change, group, &column, world);
    options.insert("horizontal".into(), json!(true));
    if let Some(labels) = options.get_mut("labels").and_then(Value::as_object_mut) {
        labels.insert("change_of_number".into(), json!(label));
    }
    let y = Some(Names::One("change_of_number".to_owned()));
    let encoding = Encoding { x: Some(column), y, ..Encoding::default() };
    let title = format!("{label} by {}", sentences::small(&sentences::group_label(group, world)));
    Some(Drawn { query, title: why_words::with_periods(&title, change), encoding, options })
}

/// The number of each value in both periods, where these are whole periods of the calendar; else in the later one.
fn side_by_side(change: &Change, split: &Split, group: &Group, world: &World) -> Option<Drawn> {
    let [before, now] = change.spans;
    let grain = now.grain.filter(|grain| before.grain == Some(*grain) && grain.is_calendar() && *grain != Grain::Fitting);
    let spans = if grain.is_some() { vec![before, now] } else { vec![now] };
    let by_time = grain.map(|grain| {
        let is_time = world.fields[change.time.field].kind == crate::world::Kind::Time;
        Group { place: change.time.clone(), grain: is_time.then_some(grain) }
    });
    let mut conditions = change.meaning.conditions.clone();
    conditions.push(Condition::Spans { place: change.time.clone(), spans });
    let values: Vec<Value> = split.explained.values_shown.iter().filter(|value| !value.is_null()).cloned().collect();
    if group.grain.is_none() && !values.is_empty() {
        conditions.push(Condition::In { place: group.place.clone(), values, negated: false });
    }
    let meaning =
        Meaning { groups: std::iter::once(group.clone()).chain(by_time).collect(), conditions, ..change.meaning.clone() };
    let asked = asking::asked(&meaning, world)?;
    let (column, number) = (asked.groups.first()?.clone(), asked.numbers.first()?.clone());
    let options = options(change, group, &column, world);
    let y = Some(Names::One(number));
    let encoding = Encoding { x: Some(column), y, series: asked.groups.get(1).cloned(), ..Encoding::default() };
    let title = sentences::title(&Meaning { groups: vec![group.clone()], ..change.meaning.clone() }, world);
    Some(Drawn { query: asked.query, title: why_words::with_periods(&title, change), encoding, options })
}

pub(super) fn options(change: &Change, group: &Group, column: &str, world: &World) -> Map<String, Value> {
    let mut options = Map::new();
    if let Some(format) = change.meaning.numbers.first().and_then(|number| picture::format(number, world)) {
        options.insert("format".into(), format);
    }
    options.insert("labels".into(), json!({ column: sentences::group_label(group, world) }));
    options
}
