//! Verified answers: questions with the query that a person has checked. A question that equals one of them is answered by that query,
//! as the viewer and through the same checks as any other. A language model also reads the closest ones as examples.

use crate::{
    assistant::Request,
    conversation::{Chart, Proof, Role, ToolResult},
    data::{Assumed, Data, DataError},
    event::StepStatus,
    markdown::escaped,
    proof,
    scope::Scope,
    transcript::Transcript,
    written::WrittenQuery,
};
use inlay_contract::{
    chart::definition::{ChartDefinition, ChartType, Encoding, Names},
    code::Code,
    data::{ChartData, ColumnType},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// How many verified questions a language model gets as examples.
const CLOSEST: usize = 3;
/// A bar chart shows at most this many bars.
const BARS: usize = 20;
/// The maximum length of a chart's title, in characters.
const LONGEST_TITLE: usize = 120;

/// A question with its verified query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    /// As a person would ask.
    pub question: String,
    /// The query that answers it.
    pub query: WrittenQuery,
    /// Who verified it, as viewers read it.
    pub by: String,
}

/// Phrases at the beginning of a question that do not change its meaning. Longer ones first.
const OPENINGS: [&[&str]; 24] = [
    &["i", "would", "like", "to", "know"],
    &["i", "would", "like", "to", "see"],
    &["i", "want", "to", "know"],
    &["i", "want", "to", "see"],
    &["can", "you", "show", "me"],
    &["can", "you", "tell", "me"],
    &["could", "you", "show", "me"],
    &["could", "you", "tell", "me"],
    &["thank", "you"],
    &["can", "you"],
    &["could", "you"],
    &["would", "you"],
    &["will", "you"],
    &["show", "me"],
    &["tell", "me"],
    &["give", "me"],
    &["please"],
    &["kindly"],
    &["hello"],
    &["hi"],
    &["hey"],
    &["thanks"],
    &["show"],
    &["so"],
];

/// Phrases at the end of a question that do not change its meaning.
const CLOSINGS: [&[&str]; 4] = [&["please"], &["thanks"], &["thank", "you"], &["thx"]];

/// Words before "a" and "an" that tell that these are articles: "revenue of a customer", but "revenue of plan a".
const BEFORE_ARTICLES: [&str; 24] = [
    "is", "are", "was", "were", "of", "for", "per", "in", "on", "at", "by", "with", "from", "to", "as", "do", "does", "did",
    "has", "have", "had", "that", "than", "and",
];

/// A question without what does not change its meaning: case, punctuation, white space, articles and polite phrases. Equal questions
/// have equal normalised texts. Empty for a message that is only polite.
#[must_use]
pub fn normalised(question: &str) -> String {
    let text = lettered(question);
    let mut words: &[&str] = &text.split_whitespace().collect::<Vec<_>>();
    while let Some(rest) = OPENINGS.iter().find_map(|opening| words.strip_prefix(*opening)) {
        words = rest;
    }
    while let Some(rest) = CLOSINGS.iter().find_map(|closing| words.strip_suffix(*closing)) {
        words = rest;
    }
    let is_article = |at: usize, word: &str| match word {
        "the" => true,
        "a" | "an" => at + 1 < words.len() && at.checked_sub(1).is_none_or(|before| BEFORE_ARTICLES.contains(&words[before])),
        _ => false,
    };
    let kept = words.iter().enumerate().filter(|(at, word)| !is_article(*at, word)).map(|(_, word)| *word);
    kept.collect::<Vec<_>>().join(" ")
}

/// Lower case, with spaces instead of punctuation. What is part of a number or compares numbers stays.
fn lettered(question: &str) -> String {
    let letters: Vec<char> = question.chars().flat_map(char::to_lowercase).collect();
    let digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
    let spaced = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_none_or(|letter| letter.is_whitespace());
    let letter = |(at, letter): (usize, &char)| match letter {
        '\'' | '’' => None,
        '.' | ',' | ':' if digit(at.checked_sub(1)) && digit(Some(at + 1)) => Some(*letter),
        '-' if spaced(at.checked_sub(1)) && digit(Some(at + 1)) => Some(*letter),
        letter if letter.is_alphanumeric() || "%<>=≤≥+/$€£¥#&".contains(*letter) => Some(*letter),
        _ => Some(' '),
    };
    letters.iter().enumerate().filter_map(letter).collect()
}

/// Answers the last message by a verified query, if the scope has one for it. Returns whether it did. Questions about a dashboard are
/// left to others.
///
/// # Errors
/// The rows could not be read. A query that has no meaning for this viewer is left to others, too.
pub(crate) async fn answer(request: &Request, data: &dyn Data, transcript: &mut Transcript) -> Result<bool, DataError> {
    if request.draws || !request.charts.is_empty() {
        return Ok(false);
    }
    let asked = request.conversation.last().filter(|message| message.role == Role::User);
    let Some(found) = asked.and_then(|asked| equal(&request.scope, &asked.text)) else { return Ok(false) };
    transcript.step("Reading the rows", StepStatus::Running).await;
    let read = read(found, &request.scope, data).await;
    transcript.step("Reading the rows", if read.is_ok() { StepStatus::Done } else { StepStatus::Failed }).await;
    let Read { rows, proof, definition } = match read {
        Err(problem) if problem.code == Code::QueryFailed => return Ok(false),
        read => read?,
    };
    let by = escaped(&found.by);
    transcript.say(&format!("Verified by {by}.")).await;
    if matches!(found.query, WrittenQuery::Model(_)) {
        transcript.say(&format!("\n\n{}", escaped(&proof.sentence))).await;
    }
    if rows.rows.is_empty() {
        transcript.say("\n\nThere are no rows for this question.").await;
        return Ok(true);
    }
    if let Some(value) = only_value(&rows) {
        transcript.say(&format!("\n\nThe answer is **{}**.", escaped(&value))).await;
    }
    let definition = drawn(definition, &rows);
    let proof = Proof { verified_by: Some(found.by.clone()), ..proof };
    transcript.draw(ToolResult::chart(&Chart { chart_config: definition, data: rows, proof: Some(proof) })).await;
    Ok(true)
}

/// The verified question that equals this one.
fn equal<'a>(scope: &'a Scope, question: &str) -> Option<&'a Verified> {
    let asked = normalised(question);
    scope.verified.iter().find(|one| !asked.is_empty() && normalised(&one.question) == asked)
}

/// The verified questions that share most words with this one, closest first, as far as a language model may use their queries.
pub(crate) fn closest<'a>(scope: &'a Scope, question: &str) -> Vec<&'a Verified> {
    let words = |text: &str| normalised(text).split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
    let asked = words(question);
    let usable = scope.verified.iter().filter(|one| one.query.is_usable(scope));
    let share = |one: &Verified| {
        let theirs = words(&one.question);
        let common = asked.intersection(&theirs).count();
        common as f64 / (asked.len() + theirs.len() - common).max(1) as f64
    };
    let mut shares: Vec<(f64, &Verified)> = usable.map(|one| (share(one), one)).filter(|(share, _)| *share > 0.0).collect();
    shares.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    shares.into_iter().take(CLOSEST).map(|(_, one)| one).collect()
}

struct Read {
    rows: ChartData,
    proof: Proof,
    definition: ChartDefinition,
}

async fn read(verified: &Verified, scope: &Scope, data: &dyn Data) -> Result<Read, DataError> {
    let title = verified.question.trim().trim_end_matches(['?', '.', '!']).chars().take(LONGEST_TITLE).collect();
    let definition = ChartDefinition {
        title,
        kind: ChartType::Table,
        sql_override: None,
        encoding: Encoding::default(),
        options: Map::new(),
        cache_seconds: None,
    };
    match &verified.query {
        WrittenQuery::Sql(sql) => {
            let definition = ChartDefinition { sql_override: Some(sql.clone()), ..definition };
            Ok(Read { rows: data.query(sql).await?, proof: proof::of_verified_sql(), definition })
        }
        WrittenQuery::Model(query) => {
            let answer = data.query_model(query, &Assumed::default()).await?;
            let definition = definition.asking_model(Some(query));
            Ok(Read { rows: answer.rows, proof: proof::of_query(query, &answer.sentence, scope), definition })
        }
    }
}

/// The value of a result with one row and one column.
fn only_value(rows: &ChartData) -> Option<String> {
    let [row] = rows.rows.as_slice() else { return None };
    let [value] = row.as_slice() else { return None };
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// The chart that suits the columns: a number, numbers by one thing, or a table.
fn drawn(definition: ChartDefinition, rows: &ChartData) -> ChartDefinition {
    let names = || rows.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    let is_number = |kind: ColumnType| kind == ColumnType::Number;
    let (kind, encoding) = match rows.columns.as_slice() {
        [only] if is_number(only.kind) && rows.rows.len() == 1 => {
            (ChartType::Number, Encoding { value: Some(only.name.clone()), ..Encoding::default() })
        }
        [first, numbers @ ..]
            if rows.rows.len() > 1
                && !numbers.is_empty()
                && !is_number(first.kind)
                && numbers.iter().all(|one| is_number(one.kind)) =>
        {
            let is_time = matches!(first.kind, ColumnType::Date | ColumnType::Timestamp);
            let y = Names::Many(numbers.iter().map(|one| one.name.clone()).collect());
            let encoding = Encoding { x: Some(first.name.clone()), y: Some(y), ..Encoding::default() };
            match rows.rows.len() {
                3.. if is_time => (ChartType::Line, encoding),
                ..=BARS => (ChartType::Bar, encoding),
                _ => (ChartType::Table, Encoding { columns: Some(Names::Many(names())), ..Encoding::default() }),
            }
        }
        _ => (ChartType::Table, Encoding { columns: Some(Names::Many(names())), ..Encoding::default() }),
    };
    ChartDefinition { kind, encoding, ..definition }
}

/// Verified questions for a prompt, as JSON.
pub(crate) fn as_examples(verified: &[&Verified]) -> Value {
    verified.iter().map(|one| one.query.as_example(&one.question)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::testing::scope;
    use serde_json::json;

    #[test]
    fn what_does_not_change_the_meaning_is_left_out() {
        for same in [
            "How many orders?",
            "  how many\torders ",
            "How many orders, please?",
            "Please tell me: how many orders!",
            "Can you show me how many orders, thank you",
            "hello, could you tell me how many of orders".replace(" of", "").as_str(),
        ] {
            assert_eq!(normalised(same), "how many orders", "{same}");
        }
        assert_eq!(normalised("What is the revenue of a customer?"), "what is revenue of customer");
        assert_eq!(normalised("what's revenue"), normalised("What’s the revenue?"));
        for polite in ["Thanks!", "hello", "please", " ", "Hi, thank you"] {
            assert_eq!(normalised(polite), "", "{polite}");
        }
    }

    #[test]
    fn what_changes_the_meaning_stays() {
        for (one, other) in [
            ("orders above 1.5", "orders above 15"),
            ("orders above -5", "orders above 5"),
            ("orders > 5", "orders < 5"),
            ("revenue of plan a in 2024", "revenue of plan in 2024"),
            ("revenue of team A", "revenue of team"),
            ("orders with 5%", "orders with 5"),
            ("orders without returns", "orders with returns"),
            ("orders at 10:30", "orders at 1030"),
            ("Umsatz in Köln", "Umsatz in Kln"),
        ] {
            assert_ne!(normalised(one), normalised(other), "{one}, {other}");
        }
    }

    fn verified(question: &str, query: WrittenQuery) -> Verified {
        Verified { question: question.to_owned(), query, by: "Acme".to_owned() }
    }

    #[test]
    fn a_model_reads_the_closest_three_that_it_may_use() {
        let sql = |text: &str| WrittenQuery::Sql(text.to_owned());
        let mut scope = scope();
        scope.verified = vec![
            verified("Revenue by country", sql("1")),
            verified("Revenue by region", sql("2")),
            verified("Customers who left", sql("3")),
            verified("Revenue by month", sql("4")),
            verified("Revenue by region and month", sql("5")),
            verified("Orders", WrittenQuery::Model(Box::default())),
        ];
        let questions =
            |scope: &Scope, asked: &str| closest(scope, asked).into_iter().map(|one| one.question.clone()).collect::<Vec<_>>();
        let found = questions(&scope, "revenue by region?");
        assert_eq!(found, ["Revenue by region", "Revenue by region and month", "Revenue by country"]);
        assert_eq!(questions(&scope, "weather"), [""; 0]);
        assert_eq!(questions(&scope, "orders"), [""; 0], "without a semantic model, its queries are of no use");
        scope.model_only = true;
        assert_eq!(questions(&scope, "revenue by region?"), [""; 0], "without SQL, SQL is of no use");
    }

    #[test]
    fn the_chart_follows_from_the_columns() {
        let column = |name: &str, kind| inlay_contract::data::Column { name: name.to_owned(), kind };
        let chart = |columns: Vec<inlay_contract::data::Column>, count: usize| {
            let rows = vec![vec![json!(1); columns.len()]; count];
            let data = ChartData { columns, rows, truncated: false, cached: false, duration_ms: 0, as_of: None };
            let definition: ChartDefinition = serde_json::from_value(json!({"title": "T", "type": "table"})).expect("a chart");
            drawn(definition, &data).kind
        };
        let (text, number, day) = (ColumnType::Text, ColumnType::Number, ColumnType::Date);
        assert_eq!(chart(vec![column("n", number)], 1), ChartType::Number);
        assert_eq!(chart(vec![column("region", text), column("n", number)], 4), ChartType::Bar);
        assert_eq!(chart(vec![column("day", day), column("n", number), column("m", number)], 400), ChartType::Line);
        assert_eq!(chart(vec![column("region", text), column("n", number)], 400), ChartType::Table);
        assert_eq!(chart(vec![column("region", text), column("city", text)], 4), ChartType::Table);
    }
}
