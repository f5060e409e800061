//! Known ways to bypass row rules, from this and other products. Each is refused, or ends up in a wrapper.

use super::*;

/// The cases of a corpus file for a kind of database. The corpus documents its format.
fn cases(file: &str, kind: SourceKind) -> Vec<String> {
    let lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with("--"));
    let meant = |line: &str| match line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((kinds, case)) if kinds.split(' ').all(|word| word.parse::<SourceKind>().is_ok()) => {
            kinds.split(' ').any(|word| word == kind.name()).then(|| case.to_owned())
        }
        _ => Some(line.to_owned()),
    };
    lines.filter_map(meant).map(|case| case.replace('⏎', "\n")).collect()
}

#[test]
fn every_case_of_the_corpus_is_refused_before_anything_reaches_a_database() {
    let statements = [include_str!("../../../corpus/rewriting.sql"), include_str!("../../../corpus/f-read-only.sql")];
    let mut passed = Vec::new();
    for kind in ALL {
        let mut tried: Vec<_> = statements.iter().flat_map(|file| cases(file, kind)).collect();
        tried.extend(["", ";", " ; ; ", "-- select 1", "/* select 1 */"].map(str::to_owned));
        for call in cases(include_str!("../../../corpus/f-functions.sql"), kind) {
            tried.push(format!("select {call} from rates"));
            tried.push(format!("select id from rates where {call} is not null"));
        }
        passed.extend(tried.into_iter().filter(|sql| !matches!(rewritten(kind, sql), Err(QueryError::Failed(_)))));
    }
    assert!(passed.is_empty(), "{passed:#?}");
}

#[test]
fn two_entries_for_one_table_are_none() {
    // SQLite treats `twice` and `Twice` as the same name.
    refused(SQLITE, "select * from twice");
    assert!(rewritten(POSTGRES, "select * from twice").is_ok());
}

/// All kinds whose SQL is rewritten.
const ALL: [SourceKind; 3] = [SQLITE, POSTGRES, SourceKind::Mysql];

#[test]
fn names_are_folded_as_each_database_folds_them() {
    let wrapped = |kind, sql: &str| {
        let made = rewritten(kind, sql).unwrap_or_else(|problem| panic!("{sql}: {}", problem.detail()));
        assert_eq!(made.matches(r#"."company_id" = "#).count(), 1, "{made}");
    };
    for sql in ["select id from ORDERS", "select id from \"orders\"", "select id from Orders as \"x y\""] {
        wrapped(POSTGRES, sql);
        wrapped(SQLITE, sql);
    }
    wrapped(POSTGRES, "select id from PUBLIC.orders");
    wrapped(POSTGRES, "select id from \"public\".\"orders\"");
    refused(POSTGRES, "select id from \"Orders\"");
    refused(POSTGRES, "select id from \"PUBLIC\".orders");
    for sql in [
        "select id from main.orders",
        "select id from [Orders]",
        "select id from `ORDERS`",
        "select id from \"ORDERS\"",
        "select id from 'orders'",
    ] {
        wrapped(SQLITE, sql);
    }
    refused(SQLITE, "select id from public.orders");
    assert!(rewritten(POSTGRES, "select * from audit.log").expect("made").contains(r#"FROM "audit"."log""#));
    refused(POSTGRES, "select * from log");
}

#[test]
fn a_part_of_with_hides_the_bare_name_only_where_it_is_in_scope() {
    let bases = |sql: &str| rewritten(POSTGRES, sql).expect(sql).matches(r#"FROM "public"."orders""#).count();
    assert_eq!(bases("with orders as (select 1 as id) select * from orders"), 0);
    assert_eq!(bases("with orders as (select 1 as id) select * from public.orders"), 1);
    assert_eq!(bases("with orders as (select 1 as id) select * from public.orders, orders"), 1);
    assert_eq!(bases("with orders as (select * from orders) select * from orders"), 1);
    assert_eq!(bases("with a as (select * from orders), orders as (select 1 as id) select * from a"), 1);
    assert_eq!(bases("select * from orders where id in (with orders as (select 1 as id) select id from orders)"), 1);
    assert_eq!(bases("select (with orders as (select 1 as id) select id from orders), id from orders"), 1);
    assert_eq!(bases("with a as (with orders as (select 1 as id) select * from orders) select * from a, orders"), 1);
    assert_eq!(
        bases(
            "with recursive orders as (select 1 as id union all select id + 1 from orders where id < 3) select * from orders"
        ),
        0
    );
    refused(POSTGRES, "with a as (select 1), a as (select 2) select * from a");
    refused(POSTGRES, "with a as (select * from b), b as (select 1) select * from a");
    // A query cannot use the names that Inlay generates.
    refused(POSTGRES, "with inlay_cte_1 as (select 1 as id) select * from orders, inlay_cte_1");
    refused(POSTGRES, "select * from inlay_cte_1");
    refused(POSTGRES, r#"select * from "inlay_cte_1""#);
}

#[test]
fn nothing_tells_who_the_connection_is() {
    // On SQLite these are column names, and no such column exists.
    for name in REVEALING {
        refused(POSTGRES, &format!("select {name} from rates"));
        refused(POSTGRES, &format!("select id from rates where lower({}) = 'x'", name.to_uppercase()));
    }
}

const REVEALING: [&str; 7] =
    ["current_user", "session_user", "user", "current_catalog", "current_schema", "current_role", "system_user"];

#[test]
fn charts_bring_no_placeholders_and_no_odd_literals() {
    for literal in ["$1", "?", "?1", ":x", "@x", "$x", "$$x$$", "$a$x$a$", "X'00'"] {
        for kind in BOTH {
            refused(kind, &format!("select {literal} from rates"));
        }
    }
    // On SQLite: a column with an alias.
    for literal in ["E'x'", "U&'x'", "B'1'", "N'x'", "array[1]"] {
        refused(POSTGRES, &format!("select {literal} from rates"));
    }
}

#[test]
fn comments_and_quotes_hide_nothing() {
    for sql in [
        "select id from orders -- where",
        "select id from orders /* union select * from unlisted */",
        "select/**/id/**/from/**/orders",
        "select id from orders where amount = 1 or 'x' = 'x'' --'",
        "select id from orders where '\\' = '\\' or 1 = 1",
        "select id from ((orders))",
        "select \"o--\".id from orders as \"o--\"",
    ] {
        for kind in BOTH {
            if let Ok(made) = rewritten(kind, sql) {
                assert_eq!(made.matches(r#""."company_id" = "#).count(), 1, "{made}");
                assert!(!made.contains("--") || made.contains("\"o--\"") || made.contains("--'"), "{made}");
            }
        }
    }
}

#[test]
fn hidden_columns_are_in_no_wrapper() {
    for kind in BOTH {
        let made = rewritten(kind, "select * from orders").expect("made");
        assert!(!made.contains("margin"), "{made}");
    }
}

#[test]
fn ordinary_charts_pass() {
    for sql in [
        "select date(day) as day, count(*) as n from orders group by 1 order by 1",
        "select count(distinct company_id), sum(amount) filter (where amount > 0), avg(amount), min(day), max(day) from orders",
        "select coalesce(company_id, 'none'), round(avg(amount), 1) from orders group by company_id having count(*) > 1",
        "select case when amount > 10 then 'high' when amount is null then 'none' else 'low' end as size, count(*) from orders group by 1",
        "select id, lag(amount) over (order by day), sum(amount) over (order by day rows between 6 preceding and current row) from orders",
        "select * from orders where company_id like 'a%' and amount between 1 and 2 and id in (1, 2) and not amount is null",
        "select substr(company_id, 1, 2) || '-' || upper(trim(company_id)), abs(-amount), amount * 1.5 / 2 % 3 from orders",
        "select ntile(4) over (order by amount), rank() over w, percent_rank() over w from orders window w as (order by amount desc)",
        "select cast(amount as integer), nullif(amount, 0), replace(company_id, 'a', 'b') from orders",
        "select id from orders except select id from rates intersect select id from rates",
        "select * from (values (1, 'a'), (2, 'b')) v",
        "select o.id from orders o left outer join rates r on o.id = r.id and r.name <> 'x' cross join rates s",
    ] {
        for kind in BOTH {
            rewritten(kind, sql).unwrap_or_else(|problem| panic!("{kind}: {sql}\n{}", problem.detail()));
        }
    }
    for sql in [
        "select strftime('%Y-%m', day), julianday(day), date('now', '-7 days'), printf('%.1f%%', amount) from orders",
        "select group_concat(company_id, ', '), total(amount), ifnull(amount, 0), iif(amount > 1, 'a', 'b') from orders",
        "select company_id from orders where company_id glob 'a*' collate nocase order by 1 collate nocase limit 5, 10",
        "select json_extract(company_id, '$.a'), company_id ->> '$.a' from orders",
    ] {
        rewritten(SQLITE, sql).unwrap_or_else(|problem| panic!("{sql}\n{}", problem.detail()));
    }
    for sql in [
        "select date_trunc('month', day)::date as month, to_char(day, 'YYYY-MM'), extract(dow from day) from orders",
        "select percentile_cont(0.5) within group (order by amount), string_agg(company_id, ',' order by id) from orders",
        "select day + interval '1 day', now() - interval '7 days', date '2001-01-01', current_date from orders",
        "select distinct on (company_id) * from orders order by company_id, day desc nulls last",
        "select company_id, grouping(company_id), sum(amount) from orders group by rollup (company_id)",
        "select amount::numeric(10, 2), (amount > 1)::int, day at time zone 'UTC', company_id ilike 'A%' from orders",
        "select * from rates r, lateral (select max(amount) from orders o where o.id = r.id) x",
        "select * from orders where id = any (select id from rates) fetch first 5 rows only",
        "select position('a' in company_id), substring(company_id from 1 for 2), trim(both 'x' from company_id), ceil(amount) from orders",
        "with m as materialized (select * from orders) select mode() within group (order by amount) from m",
        "select greatest(amount, 1), least(amount, 2), split_part(company_id, '-', 1), stddev(amount), corr(amount, id) from orders",
        "select company_id ~ '^a' from orders group by grouping sets ((company_id), ())",
    ] {
        rewritten(POSTGRES, sql).unwrap_or_else(|problem| panic!("{sql}\n{}", problem.detail()));
    }
}
