//! What is said of queries, and what is not.

use super::*;
use crate::catalog::{RowAccess, Table};

fn catalog() -> Catalog {
    let table = |name: &str| Table { name: name.into(), rows: RowAccess::All, hidden: Default::default() };
    Catalog { tables: vec![table("orders"), table("depots")] }
}

fn of(sql: &str) -> Option<Shape> {
    shape(SourceKind::Sqlite, sql, &catalog()).expect("a query that runs")
}

/// Each group: its name, its place, and the column of a table that it is made of.
fn groups(sql: &str) -> Option<Vec<(String, String, Option<String>)>> {
    let column = |group: &Group| {
        let Lineage { table, column, grain } = group.column()?;
        Some(format!("{table}.{column}{}", grain.map(|grain| format!(" by {}", grain.name())).unwrap_or_default()))
    };
    let told = |group: Group| (group.name.clone(), format!("{}.{}", group.place.0, group.place.1), column(&group));
    Some(of(sql)?.groups.into_iter().map(told).collect())
}

fn one(name: &str, place: &str, column: Option<&str>) -> Vec<(String, String, Option<String>)> {
    vec![(name.to_owned(), place.to_owned(), column.map(str::to_owned))]
}

#[test]
fn groups_are_columns_or_periods_of_columns() {
    let found = groups(
        "select strftime('%Y-%m-01', o.day) as month, o.region, sum(o.amount) as total from orders o where o.amount > 3 group by 1, 2",
    );
    let month = one("month", "o.day", Some("orders.day by month"));
    let region = one("region", "o.region", Some("orders.region"));
    assert_eq!(found, Some([month, region].concat()));
    assert_eq!(groups("select id, amount from orders").map(|groups| groups.len()), Some(2));
}

#[test]
fn a_column_is_followed_through_with_and_sub_queries() {
    for (sql, place) in [
        ("with big as (select * from orders where amount > 3) select region, count(*) as n from big group by 1", "big.region"),
        ("select s.region, count(*) as n from (select o.* from orders o) s group by s.region", "s.region"),
        (
            "with a as (select region as r, amount from orders), b as (select r as region from a order by amount limit 5) \
             select region, count(*) as n from b group by region",
            "b.region",
        ),
        ("select x.region, count(*) as n from orders x join orders y on y.id = x.id + 1 group by x.region", "x.region"),
        ("select region, count(*) as n from orders group by region having count(*) > 2", "orders.region"),
        ("select distinct region from orders", "orders.region"),
    ] {
        assert_eq!(groups(sql), Some(one("region", place, Some("orders.region"))), "{sql}");
    }
}

#[test]
fn a_period_may_be_made_on_the_way() {
    let inside =
        "with m as (select strftime('%Y-%m-01', day) as month from orders) select month, count(*) as n from m group by 1";
    assert_eq!(groups(inside), Some(one("month", "m.month", Some("orders.day by month"))));
    assert!(!of(inside).expect("a shape").groups[0].is_column(), "its type is not the day's");
    let outside = "select date(d.day) as day, count(*) as n from (select day from orders) d group by 1";
    assert_eq!(groups(outside), Some(one("day", "d.day", Some("orders.day by day"))));
    let twice = "with m as (select date(day) as day from orders) \
        select strftime('%Y-%m-01', day) as month, count(*) as n from m group by 1";
    assert_eq!(groups(twice), Some(one("month", "m.day", None)));
}

#[test]
fn what_a_query_makes_itself_is_no_column_of_a_table() {
    for sql in [
        "with l as (select upper(region) as region from orders) select region, count(*) as n from l group by 1",
        "with l as (select region from orders union select name from depots) select region, count(*) as n from l group by 1",
        "with recursive l as (select 1 as region union select region + 1 from l) select region, count(*) as n from l group by 1",
        "with l as (select * from orders, depots) select region, count(*) as n from l group by 1",
    ] {
        assert_eq!(groups(sql), Some(one("region", "l.region", None)), "{sql}");
    }
}

#[test]
fn further_questions_keep_the_rows_of_the_chart() {
    let shape = of("select o.region, round(avg(o.amount), 2) as mean from orders o join depots d on d.id = o.depot \
        where d.open = 1 group by 1")
    .expect("a shape");
    assert_eq!((shape.table(), shape.gathers), (Some("orders"), true));
    assert_eq!(
        shape.rows(&["id".into(), "re\"gion".into()], 50),
        "SELECT \"o\".\"id\" AS \"id\", \"o\".\"re\"\"gion\" AS \"re\"\"gion\" \
         FROM orders o JOIN depots d ON d.id = o.depot WHERE d.open = 1 LIMIT 50"
    );
    assert_eq!(
        shape.by("category", 20),
        "SELECT \"o\".\"category\" AS \"category\", round(avg(o.amount), 2) AS \"mean\" \
         FROM orders o JOIN depots d ON d.id = o.depot WHERE d.open = 1 GROUP BY \"o\".\"category\" ORDER BY 2 DESC LIMIT 20"
    );
    let part = of("with big as (select * from orders) select region, count(*) as n from big group by 1").expect("a shape");
    assert_eq!(part.table(), None);
    assert_eq!(part.all(9), "WITH big AS (SELECT * FROM orders) SELECT \"big\".* FROM big LIMIT 9");
}

#[test]
fn of_other_queries_nothing_is_said() {
    for sql in [
        "select region || '!' as loud, count(*) as n from orders group by 1",
        "select region from orders union select name from depots",
        "select count(*) as n from orders group by region",
        "select region, count(*) as n from orders group by region, category",
        "select region, count(*) as n from orders",
        "select region, sum(amount) over () as n from orders",
        "select region, name from orders, depots",
        "select region, count(*) as n from (select * from orders) group by 1",
        "with l(region) as (select region from orders) select region, count(*) as n from l group by 1",
    ] {
        assert_eq!(of(sql), None, "{sql}");
    }
}
