//! Marks of charts that group by expressions, as the demo's do: on every database, the rows behind a mark are the viewer's own,
//! and as many as the mark counted.

use crate::databases::{Database, query, rule, table, viewer};
use chrono::{Months, NaiveDate};
use chrono_tz::Tz;
use inlay_contract::{
    chart::question::Grain,
    data::ChartData,
    filter::{FilterValue, Scalar},
};
use inlay_query::{Catalog, Group, Limits, MarkCondition, Query, RowAccess, Shape, SourceKind, shape};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Alternating flights of two companies: each foreign one has a similar neighbour, except for a value that makes expressions
/// fail.
pub(crate) fn script() -> String {
    let mut script =
        "create table flights (id integer primary key, company_id text, destination text, flown timestamp, delay integer);
        create table airports (iata text, city text);
        insert into airports values ('ORD', 'Chicago'), ('MDW', 'Chicago'), ('BOS', 'Boston'), ('LAX', 'Los Angeles');"
            .to_owned();
    for id in 0..160 {
        let company = if id % 2 == 0 { "acme" } else { "globex" };
        let destination = ["ORD", "MDW", "BOS", "LAX"][id / 2 % 4];
        let (day, hour) = (1 + id * 7 % 28, id * 5 % 24);
        let delay = if company == "globex" {
            "999".to_owned()
        } else if id % 22 == 0 {
            "null".to_owned()
        } else {
            (id % 80).to_string()
        };
        write!(
            script,
            "insert into flights values ({id}, '{company}', '{destination}', '2001-0{}-{day:02} {hour:02}:30:00', {delay});",
            1 + id % 3
        )
        .expect("written");
    }
    script
}

fn catalog() -> Catalog {
    let own = rule("company_id = {{organization.company}}");
    Catalog::new(vec![table("flights", own, &[]), table("airports", RowAccess::All, &[])])
}

/// How a database writes the hour, the number of the weekday, the day and the month of a time, and the time a day later.
const fn words(kind: SourceKind) -> [(&'static str, &'static str); 5] {
    let [hour, weekday, day, month, later] = match kind {
        SourceKind::Sqlite => [
            "strftime('%H', flown)",
            "strftime('%w', flown)",
            "date(flown)",
            "strftime('%Y-%m-01', flown)",
            "datetime(flown, '+1 day')",
        ],
        SourceKind::Mysql => [
            "date_format(flown, '%H')",
            "dayofweek(flown)",
            "date(flown)",
            "date_format(flown, '%Y-%m-01')",
            "date_add(flown, interval 1 day)",
        ],
        SourceKind::Duckdb => [
            "strftime(flown, '%H')",
            "dayofweek(flown)",
            "cast(flown as date)",
            "date_trunc('month', flown)",
            "flown + interval 1 day",
        ],
        _ => [
            "to_char(flown, 'HH24')",
            "date_part('dow', flown)",
            "date(flown)",
            "date_trunc('month', flown)",
            "flown + interval '1' day",
        ],
    };
    [("HOUR", hour), ("WEEKDAY", weekday), ("DAY", day), ("MONTH", month), ("LATER", later)]
}

const CHARTS: [&str; 17] = [
    "select case when delay < 15 then 'Early' when delay < 60 then '15–59 min' else '60+ min' end as arrival, count(*) as n
        from flights group by 1 order by min(delay)",
    "select HOUR as hour, case WEEKDAY when 1 then 'one' when 2 then 'two' else 'many' end as weekday, count(*) as n
        from flights where HOUR between '03' and '22' group by 1, 2, case WEEKDAY when 1 then 'one' when 2 then 'two' else 'many' end",
    "select a.city || ' ' || f.destination as destination, count(*) as n
        from flights f join airports a on a.iata = f.destination group by f.destination, a.city order by 2 desc",
    "select a.city, f.destination, count(*) as n from flights f join airports a on a.iata = f.destination group by f.destination, a.city",
    "with days as (select DAY as day, count(*) as n from flights group by 1)
        select day, n, round(avg(n) over (order by day rows between 6 preceding and current row), 1) as mean from days order by day",
    "with newest as (select max(flown) as at from flights), days as (select DAY as day, count(*) as n, avg(delay) as mean from flights group by 1),
        earlier as (select sum(d.n) as total from days d cross join newest p where d.day < p.at)
        select d.day, d.n, sum(d.n) over () as departures, d.mean / d.n as share, e.total
        from days d cross join newest p cross join earlier e where d.day <= p.at order by d.day",
    "select MONTH as month, count(*) as n from flights group by 1",
    "select LATER as later, count(*) as n from flights group by 1",
    "with l as (select LATER as later from flights) select later, count(*) as n from l group by 1",
    "with m as (select MONTH as month, destination from flights where delay > 3) select month, destination, count(*) as n from m group by 1, 2",
    "select nullif(destination, 'BOS') as elsewhere, count(*) as n from flights group by nullif(destination, 'BOS')",
    "select delay * 1.5 as longer, count(*) as n from flights group by 1",
    "select delay / 7.0 as part, count(*) as n from flights group by 1",
    "select delay - 3 as shorter, count(*) as n from flights group by 1 having count(*) > 1",
    "select delay > 20 as late, count(*) as n from flights group by 1",
    "select x.far, count(*) as n from (select coalesce(destination, 'none') || '!' as far from flights where delay > 3) x group by x.far",
    // It fails on foreign rows, whose delay is 999.
    "select 10 / (999 - delay) as part, count(*) as n from flights group by 1",
];

/// The condition that the page creates from a mark's value.
fn condition(group: &Group, answer: &ChartData, row: &[Value]) -> MarkCondition {
    let (value, kind) = (row[group.at].clone(), answer.columns[group.at].kind);
    let first = || value.as_str()?.get(..10)?.parse::<NaiveDate>().ok();
    let next = |first: NaiveDate| match group.grain {
        Some(Grain::Month) => first.checked_add_months(Months::new(1)),
        _ => first.succ_opt(),
    };
    let text = |day: NaiveDate| Some(Scalar::Text(day.to_string()));
    let kept = match (group.grain.filter(|_| group.is_column()), first()) {
        _ if value.is_null() => None,
        (Some(_), Some(day)) => Some(FilterValue::Range { from: text(day), to: next(day).and_then(text) }),
        _ => Some(FilterValue::from_json(value).expect("a value")),
    };
    group.condition(kept, kind)
}

/// The rows behind a row of a chart's result, or why there are none.
async fn behind(database: &Database, shape: &Shape, answer: &ChartData, row: &[Value]) -> Result<ChartData, String> {
    let shape = shape.behind(|_| true).ok_or("too little is told")?;
    let conditions: Vec<MarkCondition> = shape.groups.iter().map(|group| condition(group, answer, row)).collect();
    let ask = async |sql: String| {
        let question = Query { behind: conditions.clone(), ..query(&sql) };
        let answer = database.engine.run(&database.source, &catalog(), &viewer("acme"), &question).await;
        answer.map_err(|problem| format!("{}: {sql}", problem.detail()))
    };
    if let Some(groups) = shape.kept_groups(|_| true, 2)
        && ask(groups).await?.rows.len() != 1
    {
        return Err("other groups are kept beside it".to_owned());
    }
    ask(if shape.table().is_some() { shape.rows(&["id".to_owned()], 500) } else { shape.all(500) }).await
}

async fn asked(database: &Database, sql: &str) -> (Shape, ChartData) {
    let answer = database.engine.run(&database.source, &catalog(), &viewer("acme"), &query(sql)).await;
    let answer = answer.unwrap_or_else(|problem| panic!("{:?} {sql}\n{}", database.source.kind, problem.detail()));
    let shape = shape(database.source.kind, sql, &catalog()).expect("it runs").unwrap_or_else(|| panic!("no shape: {sql}"));
    (shape, answer)
}

/// For one database: the marks of every chart add up.
pub(crate) async fn add_up(database: &Database) {
    let kind = database.source.kind;
    for chart in CHARTS {
        let sql = words(kind).iter().fold(chart.to_owned(), |sql, (word, its)| sql.replace(word, its));
        let (shape, answer) = asked(database, &sql).await;
        assert!(!answer.rows.is_empty(), "{kind}: {sql}");
        let n = answer.position("n").expect("a count");
        let mut ids = Vec::new();
        for row in &answer.rows {
            let rows = behind(database, &shape, &answer, row)
                .await
                .unwrap_or_else(|problem| panic!("{kind} {sql} {row:?}\n{problem}"));
            assert_eq!(Some(rows.rows.len() as u64), row[n].as_u64(), "{kind} {sql} {row:?}");
            if let Some(id) = rows.position("id") {
                ids.extend(rows.rows.iter().filter_map(|row| row[id].as_u64()));
            }
        }
        let count = ids.len();
        assert!(ids.iter().all(|id| id % 2 == 0), "{kind}: a foreign row: {sql}");
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "{kind}: a row behind two marks: {sql}");
    }
}

/// For one database: rows are not listed if the columns do not identify their group.
pub(crate) async fn do_not_mix(database: &Database) {
    let sql = "select upper(a.city) as city, count(*) as n from flights f join airports a on a.iata = f.destination group by f.destination, a.city";
    let (shape, answer) = asked(database, sql).await;
    for row in &answer.rows {
        let listed = behind(database, &shape, &answer, row).await.map(|rows| rows.rows.len() as u64);
        // Two airports of Chicago.
        let wanted = if row[0] == "CHICAGO" {
            Err("other groups are kept beside it".to_owned())
        } else {
            Ok(row[1].as_u64().expect("a count"))
        };
        assert_eq!(listed, wanted, "{row:?}");
    }
}

#[tokio::test]
async fn rows_behind_a_mark_add_up_to_it() {
    Database::each(&script(), Limits::default(), async |database| {
        add_up(database).await;
        do_not_mix(database).await;
    })
    .await;
}

#[tokio::test]
async fn a_moment_is_found_in_the_viewer_s_zone() {
    let database = Database::postgres(&script(), Limits::default()).await;
    let sql = "select cast(flown as timestamp with time zone) as at, count(*) as n from flights group by 1";
    let shape = shape(SourceKind::Postgres, sql, &catalog()).expect("it runs").expect("a shape");
    let ask = async |question: Query| {
        let question = Query { zone: Tz::Europe__Berlin, ..question };
        database.engine.run(&database.source, &catalog(), &viewer("acme"), &question).await.expect("an answer")
    };
    let answer = ask(query(sql)).await;
    let at = answer.rows[0][0].as_str().expect("a moment").to_owned();
    assert!(at.ends_with("+01:00"), "{at}");
    let condition = condition(&shape.groups[0], &answer, &answer.rows[0]);
    let rows = ask(Query { behind: vec![condition], ..query(&shape.rows(&["id".to_owned()], 50)) }).await;
    assert_eq!(json!(rows.rows.len()), answer.rows[0][1]);
    database.remove().await;
}

#[tokio::test]
async fn the_value_is_bound_and_wrappers_with_a_rule_are_fenced() {
    let database = Database::postgres(&script(), Limits::default()).await;
    let sql = "select upper(destination) as loud, count(*) as n from flights group by 1";
    let shape = shape(SourceKind::Postgres, sql, &catalog()).expect("it runs").expect("a shape");
    let value = FilterValue::from_json(json!("' OR '1'='1")).expect("a value");
    let condition = shape.groups[0].condition(Some(value), inlay_contract::data::ColumnType::Text);
    let question = Query { behind: vec![condition], ..query(&shape.rows(&["id".to_owned()], 50)) };
    let explained = database.engine.explain(&database.source, &catalog(), &viewer("acme"), &question).await.expect("SQL");
    assert!(
        explained.contains("OFFSET 0) AS flights WHERE (CAST((upper(destination)) AS TEXT) IN (CAST($1 AS TEXT)))"),
        "{explained}"
    );
    let rows = database.engine.run(&database.source, &catalog(), &viewer("acme"), &question).await.expect("no rows");
    assert_eq!(rows.rows, Vec::<Vec<Value>>::new());
    database.remove().await;
}
