//! What each database's answers come to, as tables: a changed answer shows as a changed line.

use super::dialect;
use crate::{
    bind::{Bind, Binds},
    catalog::{Catalog, RowAccess, Table},
    drill_down::{Compared, MarkCondition, MarkPlace},
    filters::Filter,
    name::{TableKey, fold, fold_ident, quote},
    property::SecurityContext,
    question::question_sql,
    rewrite::{Columns, Query, rewrite},
    schema::{Class, SourceColumn},
    shape::shape,
    source::{DatabaseAuth, Source, SourceKind, SourceKindExt},
    sql::{
        check::{Author, check},
        parse,
    },
};
use chrono::NaiveDate;
use inlay_contract::{
    chart::question::{Dimension, Grain, Question},
    data::ColumnType,
    filter::{FilterValue, Scalar},
    ids::ConnectionId,
};
use serde_json::{Value, json};
use sqlparser::ast::Ident;
use std::{collections::BTreeSet, fmt::Write};

mod closed;
mod forms;
mod grammars;

fn catalog() -> Catalog {
    let table = |name: &str, rows| Table { name: name.to_owned(), rows, hidden: BTreeSet::from(["Secret".to_owned()]) };
    let rule = RowAccess::Rule("company = {{organization.company}}".to_owned());
    Catalog::new(vec![table("orders", rule), table("rates", RowAccess::All)])
}

fn columns() -> Columns {
    let column = |(name, class): (&str, Class)| SourceColumn { name: name.to_owned(), class, plain: true };
    let all = [
        ("id", Class::Integer),
        ("company", Class::Text),
        ("amount", Class::Decimal),
        ("day", Class::Date),
        ("at", Class::Moment),
        ("Note", Class::ByText),
        ("any", Class::Other),
        ("Secret", Class::Text),
    ];
    let all: std::sync::Arc<[SourceColumn]> = all.into_iter().map(column).collect();
    Columns::from([("orders".to_owned(), all.clone()), ("rates".to_owned(), all)])
}

fn viewer() -> SecurityContext {
    SecurityContext {
        organization: json!({"company": "acme", "odd": "é\\", "n": 7, "day": "2001-01-31", "all": ["a", "b"]})
            .as_object()
            .cloned(),
        user: Some(serde_json::Map::new()),
        database_auth_token: None,
        share: 0,
    }
}

fn rewritten(kind: SourceKind, query: &Query) -> String {
    made(kind, &catalog(), query)
}

fn made(kind: SourceKind, catalog: &Catalog, query: &Query) -> String {
    match rewrite(kind, catalog, &columns(), &viewer(), query) {
        Ok(made) => format!("{} {}", made.sql, bound(&made.binds)),
        Err(problem) => format!("! {}", problem.detail()),
    }
}

fn bound(binds: &[Bind]) -> String {
    if binds.is_empty() { String::new() } else { format!("{binds:?}") }
}

fn day() -> NaiveDate {
    NaiveDate::from_ymd_opt(2024, 2, 28).expect("a day")
}

/// A line for each line of input, with a letter for each kind: `+` it may run, `.` it is refused, `?` it cannot be read.
fn verdicts<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let verdict = |kind, sql: &str| match parse(kind, sql) {
        Err(_) => '?',
        Ok(statement) if check(kind, Author::Chart, &statement).is_ok() => '+',
        Ok(_) => '.',
    };
    let head = format!("{}\n", SourceKind::ALL.map(SourceKind::name).join(" "));
    lines.into_iter().fold(head, |mut text, sql| {
        let letters: String = SourceKind::ALL.map(|kind| verdict(kind, sql)).into_iter().collect();
        writeln!(text, "{letters} {sql}").expect("a line");
        text
    })
}

/// A part for each input, with a line for each kind.
fn by_kind<T>(inputs: impl IntoIterator<Item = (String, T)>, answer: impl Fn(SourceKind, &T) -> String) -> String {
    inputs.into_iter().fold(String::new(), |mut text, (name, input)| {
        writeln!(text, "{name}").expect("a line");
        for kind in SourceKind::ALL {
            writeln!(text, "  {kind}: {}", answer(kind, &input).trim_end()).expect("a line");
        }
        text
    })
}

fn named<T: Copy + std::fmt::Debug>(inputs: &[T]) -> Vec<(String, T)> {
    inputs.iter().map(|input| (format!("{input:?}"), *input)).collect()
}

#[test]
fn what_a_query_may_hold() {
    insta::assert_snapshot!("forms", verdicts(forms::SQL.iter().copied()));
}

#[test]
fn what_a_cast_may_name() {
    let casts: Vec<String> = forms::TYPES.iter().map(|name| format!("select cast(a as {name})")).collect();
    insta::assert_snapshot!("types", verdicts(casts.iter().map(String::as_str)));
}

#[test]
fn how_queries_are_rewritten() {
    let queries = [
        "select ID, amount from orders",
        "select id from orders where amount > 5",
        "select id from orders where 1 / amount > 5 or note = 'a\\b'",
        "select company || 'x' as a, cast(id as varchar) from rates",
        "with a as (select id, \"Note\" from orders) select a.* from a where id in (select max(id) from rates)",
        "select timestampdiff(month, day, at) from rates",
        "select date_diff(day, day, at) from rates",
        "select cast(id as string), cast(id as int64), cast(id as nullable(string)) from rates",
        "select Ä.id from rates as Ä",
        "select secret from orders",
        "select * from main.orders",
        "select * from public.orders",
    ];
    insta::assert_snapshot!("queries", by_kind(named(&queries), |kind, sql| rewritten(kind, &Query::new(*sql, day()))));
}

#[test]
fn what_rules_become() {
    let rules = [
        "company = {{organization.company}}",
        "company = {{organization.odd}}",
        "company in ({{organization.all}}, 'c\\')",
        "lower(company) = lower({{organization.company}})",
        "company like 'a%' and \"Note\" = {{organization.company}}",
        "company = 'a\\' or 1=1 or ''' -- {{organization.company}}",
        "company = `company` and amount = {{organization.n}}",
        "company = [company] and amount = {{organization.n}}",
        "id = 1 # {{organization.n}}",
        "id = 1 -- {{organization.n}}",
        "company || 'x' = {{organization.company}}",
        "id = amount and company = day",
        "company = 5",
        "day >= {{organization.day}} and at < {{organization.day}}",
        "cast(company as date) = {{organization.day}} or cast(company as timestamp) = {{organization.day}}",
        "cast(company as datetime) = {{organization.day}}",
        "cast(company as char) = {{organization.company}} or cast(id as signed) = {{organization.n}}",
        "cast(any as text) = {{organization.company}}",
        "any = {{organization.company}}",
        "id",
        "id + company = 7",
        "date_trunc('month', day) = {{organization.day}}",
        "strftime('%Y', day) = {{organization.company}}",
    ];
    let of = |kind, rule: &&str| {
        let mut tables = catalog().into_tables();
        tables[0].rows = RowAccess::Rule((*rule).to_owned());
        let made = made(kind, &Catalog::new(tables), &Query::new("select id from orders", day()));
        made.split_once(" WHERE ").map_or(made.clone(), |(_, condition)| condition.to_owned())
    };
    insta::assert_snapshot!("rules", by_kind(named(&rules), of));
}

#[test]
fn what_values_become() {
    let classes = [
        Class::Integer,
        Class::Decimal,
        Class::Real,
        Class::Double,
        Class::Text,
        Class::ByText,
        Class::Uuid,
        Class::Boolean,
        Class::Date,
        Class::Timestamp,
        Class::Moment,
        Class::Other,
    ];
    let values = [
        json!(5),
        json!(2.5),
        json!("9223372036854775808"),
        json!("1e60"),
        json!("abc"),
        json!("00000000-0000-0000-0000-00000000000A"),
        json!(true),
        json!("2001-01-31"),
        json!("2001-01-31T12:30:00"),
        json!("2001-01-31T12:30:00.25+02:00"),
        json!("2101-01-31T12:30:00Z"),
        json!(null),
    ];
    let inputs =
        classes.iter().flat_map(|class| values.iter().map(move |value| (format!("{class:?} {value}"), (*class, value))));
    let of = |kind, (class, value): &(Class, &Value)| {
        let mut binds = Binds::default();
        match dialect(kind).operand(*class, value, &mut binds) {
            Ok(made) => format!("{made} {}", bound(&binds.into_values())),
            Err(_) => "!".to_owned(),
        }
    };
    let types = SourceKind::ALL.map(|kind| format!("{kind} {}", dialect(kind).text_type())).join("\n");
    insta::assert_snapshot!("values", by_kind(inputs, of) + &types);
}

#[test]
fn what_filters_and_marks_become() {
    let text = |text: &str| Scalar::Text(text.to_owned());
    let values = [
        FilterValue::AnyOf(vec![text("a"), Scalar::Number(5.into()), Scalar::Boolean(true)]),
        FilterValue::AnyOf(vec![Scalar::Number(serde_json::Number::from_f64(0.1).expect("a number"))]),
        FilterValue::AnyOf(vec![Scalar::Number(serde_json::Number::from_f64(0.123_456_789_012_345_67).expect("a number"))]),
        FilterValue::Range { from: Some(text("2001-01-31")), to: Some(text("2001-02-28T12:00:00Z")) },
        FilterValue::AnyOf(vec![text("2001-01-31T12:00:00Z")]),
        FilterValue::from_json(json!({"relative": "last_30_days"})).expect("a filter"),
    ];
    let filters = ["id", "company", "note", "Note", "any", "day", "at"].into_iter().flat_map(|column| {
        let filter = move |value: &FilterValue| Filter { table: "rates".into(), column: column.into(), value: value.clone() };
        values.iter().map(move |value| {
            let query = Query { filters: vec![filter(value)], ..Query::new("select id from rates", day()) };
            (format!("{column} {value:?}"), query)
        })
    });
    let answered =
        [ColumnType::Number, ColumnType::Text, ColumnType::Boolean, ColumnType::Date, ColumnType::Timestamp, ColumnType::Json];
    let marks = answered.iter().flat_map(|kind| {
        values.iter().map(move |value| {
            let place = MarkPlace::Expression("lower(company)".to_owned());
            let mark = MarkCondition { place, compared: Compared::Answered(*kind), value: Some(value.clone()) };
            (format!("{kind:?} {value:?}"), Query { behind: vec![mark], ..Query::new("select id from rates", day()) })
        })
    });
    let of = |kind, query: &Query| {
        let made = rewritten(kind, query);
        made.split_once(" WHERE ").map_or(made.clone(), |(_, condition)| condition.to_owned())
    };
    insta::assert_snapshot!("conditions", by_kind(filters.chain(marks), of));
}

#[test]
fn what_questions_and_shapes_become() {
    let grains = std::iter::once(None).chain(Grain::ALL.into_iter().map(Some));
    let questions = grains.map(|grain| (format!("{grain:?}"), grain));
    let asked = by_kind(questions, |kind, grain| {
        let dimensions = vec![Dimension { grain: *grain, ..Dimension::of("d`a\"y") }];
        let question = Question { table: "sales.o\"r`ders".to_owned(), dimensions, ..Question::default() };
        question_sql(kind, &question).map_or_else(|problem| format!("! {}", problem.detail()), |sql| sql.replace('\n', " "))
    });
    let queries = [
        "select Note as N, count(*) from orders O group by 1",
        "select note from orders where note = 'a\\b'",
        "select \"Note\" from orders",
    ];
    let shaped = by_kind(named(&queries), |kind, sql| match shape(kind, sql, &catalog()) {
        Ok(Some(shape)) => {
            let group =
                shape.groups.first().map(|group| format!("{:?} {:?}", group.condition(None, ColumnType::Text), group.column()));
            format!("{} {}", shape.all(5), group.unwrap_or_default())
        }
        other => format!("{other:?}"),
    });
    insta::assert_snapshot!("questions", asked + &shaped);
}

#[test]
fn how_names_are_read_and_written() {
    let names = ["Orders", "ÄÖ", "a\"b", "a`b", "a.b"];
    let of = |kind, name: &&str| {
        let bare = fold_ident(kind, &Ident::new(*name));
        let quoted = fold_ident(kind, &Ident::with_quote('"', *name));
        let key = TableKey::of_name(kind, name).map(|key| (key.quoted(kind), key.named(kind)));
        format!("{} {bare} {quoted} {} {key:?}", fold(kind, name), quote(kind, name))
    };
    insta::assert_snapshot!("names", by_kind(named(&names), of));
}

#[test]
fn where_sources_are_and_what_they_are_told() {
    let settings = ["app.tenant", "tenant", "SQL_tenant", "@tenant", "role", "a b", "", ".a", "SQL_"];
    let fits = by_kind(named(&settings), |kind, setting| {
        DatabaseAuth::VerifiedByDatabase { setting: (*setting).to_owned() }.fits(kind).to_string()
    });
    let addresses = [
        "sqlite:/a.db",
        "duckdb:/a.db",
        "postgres://u:p@db.example/x",
        "mysql://u:p@db.example/x",
        "mysql://u:p@db.example/x?socket=/s",
        "clickhouse://db.example/x",
        "trino://db.example/x/y",
        "https://db.example/x",
        "http://db.example",
        "nothing",
    ];
    let places = by_kind(named(&addresses), |kind, url| {
        format!("{:?}", crate::address::SourceLocation::of(&Source::new(ConnectionId::generate(), "w", kind, *url)))
    });
    let kinds = SourceKind::ALL.map(|kind| {
        format!("{kind} file {} schema {:?} {:?}", kind.is_file(), dialect(kind).default_schema(), kind.address_prefixes())
    });
    insta::assert_snapshot!("addresses", fits + &places + &kinds.join("\n"));
}
