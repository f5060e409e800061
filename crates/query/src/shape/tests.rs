//! Queries with and without a shape.

use super::*;
use crate::catalog::{RowAccess, Table};
use inlay_contract::model::ModelOrder;

fn catalog() -> Catalog {
    let table = |name: &str| Table { name: name.into(), rows: RowAccess::All, hidden: Default::default() };
    Catalog::new(vec![table("orders"), table("depots")])
}

fn of(sql: &str) -> Option<Shape> {
    shape(SourceKind::Sqlite, sql, &catalog()).expect("a query that runs")
}

/// Each group: its name, its position, and the table's column that it comes from.
fn groups(sql: &str) -> Option<Vec<(String, String, Option<String>)>> {
    let column = |group: &Group| {
        let Lineage { table, column, grain } = group.column()?;
        Some(format!("{table}.{column}{}", grain.map(|grain| format!(" by {}", grain.name())).unwrap_or_default()))
    };
    let place = |group: &Group| {
        let place = group.place.as_ref().map(|(relation, column)| format!("{relation}.{column}"));
        place.unwrap_or_else(|| "worked out".to_owned())
    };
    let told = |group: Group| (group.name.clone(), place(&group), column(&group));
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
         FROM orders o JOIN depots d ON d.id = o.depot WHERE d.open = 1 GROUP BY \"o\".\"category\" \
         ORDER BY (round(avg(o.amount), 2)) IS NULL, (round(avg(o.amount), 2)) DESC, (\"o\".\"category\") IS NULL, (\"o\".\"category\") \
         LIMIT 20"
    );
    let part = of("with big as (select * from orders) select region, count(*) as n from big group by 1").expect("a shape");
    assert_eq!(part.table(), None);
    assert_eq!(part.all(9), "WITH big AS (SELECT * FROM orders) SELECT \"big\".* FROM big LIMIT 9");
}

#[test]
fn lists_are_ordered_by_what_they_show_and_counted_without_their_limit() {
    let shape = of("select region, sum(amount) as total from orders group by region").expect("a shape");
    let by = |by: &str, descending| ModelOrder { by: by.to_owned(), descending };
    let shown = ["id".to_owned(), "amount".to_owned()];
    let rows = |order: &ModelOrder| shape.list(Listing::Rows(&shown), Some(order), &["id".to_owned()], 5);
    assert!(
        rows(&by("amount", true))
            .ends_with("FROM orders ORDER BY (\"orders\".\"amount\") IS NULL, (\"orders\".\"amount\") DESC, (\"orders\".\"id\") IS NULL, (\"orders\".\"id\") LIMIT 5")
    );
    assert!(
        rows(&by("id", true)).ends_with("FROM orders ORDER BY (\"orders\".\"id\") IS NULL, (\"orders\".\"id\") DESC LIMIT 5"),
        "not twice"
    );
    for other in ["secret", "amount\" desc --", "total"] {
        assert!(rows(&by(other, false)).ends_with("FROM orders LIMIT 5"), "{other} is not listed");
    }
    let values = |order: &ModelOrder| shape.list(Listing::By("day"), Some(order), &[], 5);
    assert!(values(&by("total", false)).ends_with(
        "ORDER BY (sum(amount)) IS NULL, (sum(amount)), (\"orders\".\"day\") IS NULL, (\"orders\".\"day\") LIMIT 5"
    ));
    assert!(values(&by("day", true)).ends_with("ORDER BY (\"orders\".\"day\") IS NULL, (\"orders\".\"day\") DESC LIMIT 5"));
    assert!(
        values(&by("region", true))
            .ends_with("GROUP BY \"orders\".\"day\" ORDER BY (sum(amount)) IS NULL, (sum(amount)) DESC, (\"orders\".\"day\") IS NULL, (\"orders\".\"day\") LIMIT 5")
    );
    assert_eq!(shape.count(Listing::All), "SELECT count(*) AS \"counted\" FROM orders LIMIT 1");
    assert_eq!(
        shape.count(Listing::By("day")),
        "SELECT count(DISTINCT \"orders\".\"day\") + max(CASE WHEN \"orders\".\"day\" IS NULL THEN 1 ELSE 0 END) AS \"counted\" \
         FROM orders LIMIT 1"
    );
}

#[test]
fn what_a_query_works_out_of_a_row_is_a_group() {
    for (sql, name) in [
        ("select region || '!' as loud, count(*) as n from orders group by 1", "loud"),
        ("select case when amount > 3 then 'big' else 'small' end as size, count(*) as n from orders group by size", "size"),
        ("select strftime('%H', day), sum(amount) from orders group by strftime('%H', day)", "strftime('%H', day)"),
        // An expression of a group.
        (
            "select d.city || ' ' || o.depot as depot, count(*) as n from orders o join depots d on d.id = o.depot group by o.depot, d.city",
            "depot",
        ),
        ("select distinct upper(region) as region from orders", "region"),
        ("with l(region) as (select region from orders) select region, count(*) as n from l group by 1", "region"),
        ("select city, count(*) as n from orders o join depots d on d.id = o.depot group by city", "city"),
    ] {
        assert_eq!(groups(sql), Some(one(name, "worked out", None)), "{sql}");
    }
    let both = groups("select upper(region) as loud, amount from orders").expect("a shape");
    assert_eq!(both, [one("loud", "worked out", None), one("amount", "orders.amount", Some("orders.amount"))].concat());
}

#[test]
fn what_depends_on_more_than_the_groups_is_none() {
    for (sql, names) in [
        ("select region, upper(category) as loud, count(*) as n from orders group by region", vec!["region"]),
        ("select region, rank() over (order by count(*)) as place, count(*) as n from orders group by region", vec!["region"]),
        ("select region, group_concat(name) as names from orders group by region", vec!["region"]),
        ("select region, random() as x, count(*) as n from orders group by region", vec!["region"]),
        ("select region, case when count(*) > 3 then 'many' end as many from orders group by region", vec!["region"]),
    ] {
        let found = of(sql).unwrap_or_else(|| panic!("no shape: {sql}"));
        assert_eq!(found.groups.iter().map(|group| &*group.name).collect::<Vec<_>>(), names, "{sql}");
    }
}

#[test]
fn groups_that_the_answer_does_not_show_are_asked_for() {
    let hidden =
        of("select upper(region) as loud, count(*) as n from orders where amount > 3 group by region").expect("a shape");
    assert_eq!(
        hidden.kept_groups(|_| true, 2).as_deref(),
        Some("SELECT DISTINCT region AS \"marked_0\" FROM orders WHERE amount > 3 LIMIT 2")
    );
    assert!(!hidden.narrows());
    let shown = of("select region, category, count(*) as n from orders group by 1, category").expect("a shape");
    assert_eq!(shown.kept_groups(|_| true, 2), None);
    assert!(shown.kept_groups(|at| at == 0, 2).is_some_and(|sql| sql.contains("DISTINCT region AS \"marked_0\", category AS")));
    // Here the grouping is by days, not by the periods with the same name.
    let named = of("select strftime('%Y-%m-01', day) as day, count(*) as n from orders group by day").expect("a shape");
    assert!(named.kept_groups(|_| true, 2).is_some_and(|sql| sql.starts_with("SELECT DISTINCT day AS")));
    assert_eq!(
        of("select region, amount from orders").expect("a shape").kept_groups(|_| false, 2),
        None,
        "nothing is gathered"
    );
}

#[test]
fn a_row_of_a_query_that_gathered_it_stands_for_what_was_gathered() {
    let sql = "with few as (select * from orders where amount > 3), \
        days as (select date(o.day) as d, count(*) as n, sum(amount) as total from few o where o.id > 1 group by 1), \
        last as (select max(d) as last from days) \
        select d.d as day, d.n, round(avg(d.n) over (order by d.d), 1) as mean from days d cross join last l where d.d <= l.last";
    let shape = of(sql).expect("a shape");
    let behind = shape.behind(|at| at == 0).expect("the rows of a day");
    let [day] = behind.groups.as_slice() else { panic!("{behind:?}") };
    assert_eq!((&*day.name, day.at, day.grain), ("day", 0, Some(inlay_contract::chart::question::Grain::Day)));
    assert_eq!(
        behind.all(9),
        "WITH few AS (SELECT * FROM orders WHERE amount > 3) SELECT \"o\".* FROM few o WHERE o.id > 1 LIMIT 9"
    );
    assert_eq!(shape.behind(|at| at == 1), None, "a mark that tells no day, of a query whose rows a window looks at");
    assert!(shape.narrows());
    let open = of("select s.n, s.region from (select region, count(*) as n from orders group by 1) s").expect("a shape");
    assert_eq!(
        open.behind(|at| at == 1).map(|shape| shape.rows(&["id".into()], 5)).as_deref(),
        Some("SELECT \"orders\".\"id\" AS \"id\" FROM orders LIMIT 5")
    );
    assert_eq!(open.behind(|at| at == 0), Some(&open), "the rows of the sub-query with this number");
}

#[test]
fn what_would_mean_something_else_by_itself_is_left_where_it_is() {
    for sql in [
        // The row of days may be missing.
        "with days as (select day, count(*) as n from orders group by 1) select d.day, x.id from days d right join depots x on x.id = d.n",
        // Two parts with the same name.
        "with a as (select * from orders), b as (with a as (select * from depots) select city, count(*) as n from a group by 1) select city, n from b",
        "with recursive b as (select region, count(*) as n from orders group by 1) select region, n from b",
        // A group that the result does not show.
        "with b as (select region, category, count(*) as n from orders group by 1, 2) select region, n from b",
    ] {
        let shape = of(sql).unwrap_or_else(|| panic!("no shape: {sql}"));
        assert_eq!(shape.behind(|_| true), Some(&shape), "{sql}");
    }
}

#[test]
fn a_text_that_is_printed_otherwise_than_it_was_written_leaves_nothing_to_say() {
    let of = |sql: &str| shape(SourceKind::Mysql, sql, &catalog()).expect("a query that runs");
    assert!(of("select region, count(*) as n from orders where name = 'a' group by 1").is_some());
    assert!(of("select region, count(*) as n from orders where name = 'a\\\\b' group by 1").is_none());
}

#[test]
fn of_other_queries_nothing_is_said() {
    for sql in [
        "select region from orders union select name from depots",
        "select count(*) as n from orders group by region",
        "select region, count(*) as n from orders",
        "select region, sum(amount) over () as n from orders",
        "select region, (select max(id) from depots) as most from orders",
        "select region, random() as x from orders",
        "select upper(region) as loud, count(*) as n from orders group by category",
        "select region, count(*) as n from (select * from orders) group by 1",
        "select region, count(*) as n from orders group by (select max(id) from depots), 1",
        "select upper(region) as loud, count(*) as n from orders group by (region, category)",
    ] {
        assert_eq!(of(sql), None, "{sql}");
    }
}
