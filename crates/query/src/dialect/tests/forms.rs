//! SQL that is tried on every database.

/// Parts of a query that some databases may run and others may not.
#[rustfmt::skip]
pub(super) const SQL: &[&str] = &[
    // Statements and clauses.
    "select 1", "select 1;", "select 1; select 2", "delete from orders", "values (1)", "select 1 for update", "select 1 into x",
    "with a as (select 1) select * from a", "with recursive a as (select 1) select * from a",
    "select * from orders limit 5", "select * from orders limit 5, 5", "select * from orders limit 5 by id",
    "select * from orders offset 5 rows fetch first 5 rows only", "select top 5 * from orders", "from orders select id",
    "select * from orders prewhere id = 1", "select * from orders qualify id = 1", "select * from orders settings x = 1",
    "select * from orders format CSV", "select * exclude (id) from orders", "select * replace (1 as id) from orders",
    "select distinct on (id) id from orders", "select id from orders group by all", "select id from orders order by all",
    "select id from orders group by id with rollup", "select sql_no_cache id from orders", "select straight_join id from orders",
    // Tables and joins.
    "select * from orders final", "select * from orders sample", "select * from orders as final", "select * from orders `final`",
    "select * from orders array", "select * from orders any", "select * from orders asof", "select * from orders paste",
    "select * from orders settings", "select * from orders format", "select * from orders o(a, b)",
    "select * from orders, lateral (select 1) x", "select * from orders cross join lateral (select 1) x",
    "select * from orders left join rates using (id)", "select * from orders natural join rates",
    "select * from orders global join rates using (id)", "select * from orders asof join rates using (id)",
    "select * from generate_series(1, 2)", "select * from numbers(5)", "select * from read_csv('x')",
    "select * from orders tablesample bernoulli (5)", "select * from orders use index (a)", "select * from 'orders'",
    "select * from \"orders\"", "select * from `orders`", "select * from [orders]", "select * from a.b.c", "table orders",
    "select * from unnest(array[1])", "select * from orders cross apply rates", "select * from orders semi join rates using (id)",
    // Literals.
    "select 'a\\b'", "select 'a\\'b'", "select \"a\"", "select \"a b\"", "select `a`", "select [a]", "select x'00'", "select n'a'",
    "select e'a'", "select $$a$$", "select b'1'", "select u&'a'", "select _utf8 'a'", "select @a", "select @@a", "select ?",
    "select $1", "select :a", "select {a: 1}", "select [1, 2]", "select array[1, 2]", "select {'a': 1}", "select 0x10", "select 1e5",
    // Comments.
    "select 1 -- a", "select 1 --a", "select 1 /* a */", "select 1 /*! + 1 */", "select 1 /* /* a */ */", "select 1 # a",
    // Expressions.
    "select a in (1, 2)", "select a in (b, 2)", "select a in ((b), 2)", "select a in ((b, c), (1, 2))", "select a in (1 + b)",
    "select a in (select 1)", "select a like 'b'", "select a ilike 'b'", "select a like any ('b')", "select a ilike any ('b')",
    "select a similar to 'b'", "select a rlike 'b'", "select a regexp 'b'", "select a glob 'b'", "select a match 'b'",
    "select a is unknown", "select a is not unknown", "select a is true", "select a is distinct from b", "select a is normalized",
    "select a is b", "select a is not b", "select a is 1", "select a is not 'b'", "select a is lower(b) and b is not a + 1",
    "select a is (select 1)", "select a = 1 is b", "select a is b = 1", "select a is not null is b", "select a is not \"null\"",
    "select extract(year from a)", "select extract(epoch from a)", "select position('a' in b)", "select interval '1 day'",
    "select interval '1' day", "select interval 1 day", "select a + interval 1 day", "select a at time zone 'UTC'",
    "select overlay(a placing b from 1)", "select substring(a from 1 for 2)", "select substring(a, 1, 2)", "select trim(both 'a' from b)",
    "select trim(a, 'b')", "select grouping(a), count(*) from orders group by grouping sets ((a), ())",
    "select count(*) from orders group by cube (a)", "select count(*) from orders group by rollup (a)",
    "select a = any (select 1)", "select a = all (select 1)", "select a = any (array[1])", "select a = some (select 1)",
    "select convert(a using utf8mb4)", "select convert(a using latin1)", "select convert(a, char)", "select a::text",
    "select cast(a as text)", "select try_cast(a as varchar)", "select safe_cast(a as text)", "select cast(a as text format 'x')",
    "select date '2001-01-31'", "select timestamp '2001-01-31 00:00:00'", "select time '12:00:00'", "select {d '2001-01-31'}",
    "select ceil(a)", "select ceil(a to day)", "select floor(a, 2)", "select case a when 1 then 2 end", "select exists (select 1)",
    "select (1, 2)", "select a[1]", "select a[1:2]", "select a.b.c", "select a.b.c.d", "select a -> 'b'", "select a ->> 'b'",
    "select a #> 'b'", "select a @> b", "select a ? 'b'", "select x -> x + 1", "select f(x -> x)", "select columns('a')",
    "select user", "select current_user", "select \"user\"", "select `current_user`", "select session_user", "select current_role",
    "select current_schema", "select current_catalog", "select system_user", "select current_date", "select current_timestamp",
    // Operators.
    "select a + b", "select a % b", "select a || b", "select a && b", "select a & b", "select a | b", "select a ^ b", "select a # b",
    "select a << 1", "select ~a", "select a <=> b", "select a div b", "select a xor b", "select a mod b", "select a ~ b",
    "select a ~* b", "select a !~ b", "select a !~* b", "select a ~~ b", "select (a, b) overlaps (c, d)", "select a // b",
    "select a == b", "select a <> b", "select a != b", "select !a", "select a ** b", "select a operator(pg_catalog.+) b", "select @a",
    "select |/a", "select a ^@ b", "select not a", "select -a", "select +a",
    // Collations.
    "select a collate nocase", "select a collate binary", "select a collate rtrim", "select a collate \"C\"", "select a collate c",
    "select a collate \"de_DE\"", "select a collate \"POSIX\"", "select a collate utf8mb4_bin", "select a collate utf8mb4_unicode_ci",
    "select a collate latin1_bin", "select a collate `utf8mb4_bin`", "select a collate utf8mb4", "select a collate NFC",
    "select a collate pg_catalog.\"C\"",
    // Functions.
    "select count(*)", "select sum(*)", "select COUNT(*)", "select \"count\"(*)", "select `count`(*)", "select count(distinct a)",
    "select sum(a) filter (where b > 1)", "select sum(a) over (partition by b order by c)", "select toStartOfMonth(a)",
    "select tostartofmonth(a)", "select quantile(0.9)(a)", "select quantile(b)(a)", "select sum(0.9)(a)", "select group_concat(a)",
    "select group_concat(a separator ',')", "select group_concat(a separator \",\")", "select group_concat(a order by b)",
    "select string_agg(a, ',')", "select string_agg(a, ',' order by a)", "select listagg(a, ',') within group (order by a)",
    "select listagg(a, ',' on overflow error)", "select percentile_cont(0.5) within group (order by a)",
    "select lag(a) ignore nulls over (order by b)", "select first_value(a ignore nulls) over (order by b)", "select printf('%d', a)",
    "select printf('%99d', a)", "select printf('%999d', a)", "select printf('%*d', a, b)", "select printf(a)", "select format('%s', a)",
    "select format('%999s', a)", "select format(a, 2)", "select timestampdiff(month, a, b)", "select timestampadd(day, 1, a)",
    "select date_add(day, 1, a)", "select date_add('day', 1, a)", "select date_diff('day', a, b)", "select date_diff(day, a, b)",
    "select date_add(a, interval 1 day)", "select dateadd(day, 1, a)", "select date_trunc('month', a)", "select strftime('%Y', a)",
    "select date_format(a, '%Y')", "select to_char(a, 'YYYY')", "select ifnull(a, b)", "select iif(a, b, c)", "select if(a, b, c)",
    "select nvl(a, b)", "select median(a)", "select mode() within group (order by a)", "select repeat('a', 9)", "select lpad('a', 9)",
    "select sleep(1)", "select pg_sleep(1)", "select load_extension('x')", "select load_file('x')", "select readfile('x')",
    "select file('x')", "select url('x')", "select pg_read_file('x')", "select current_setting('x')", "select getvariable('x')",
    "select dictGet('a', 'b', 1)", "select has(a, 1)", "select arrayMap(x -> x, a)", "select transform(a, b)", "select list(a)",
    "select array_agg(a)", "select json_extract(a, '$.b')", "select json_value(a, '$.b')", "select main.count(a)", "select {fn now()}",
    "select count(a => 1)", "select count(select 1)", "select min(a order by b)", "select current_date()", "select now()",
    "select unix_timestamp()", "select unixepoch()", "select version()", "select database()", "select any_value(a)", "select uniq(a)",
];

/// Types that a cast may name on some databases.
#[rustfmt::skip]
pub(super) const TYPES: &[&str] = &[
    "text", "varchar", "varchar(5)", "char", "char(5)", "character varying(5)", "nchar(5)", "clob", "string", "string(5)", "numeric",
    "numeric(10, 2)", "decimal(10, 2)", "dec", "float", "float(5)", "float4", "float8", "float32", "float64", "real", "double",
    "double precision", "smallint", "int", "int(5)", "integer", "bigint", "tinyint", "tinyint(1)", "mediumint", "int2", "int4", "int8",
    "int16", "int32", "int64", "int128", "int256", "uint8", "uint16", "uint32", "uint64", "uint128", "hugeint", "ubigint", "utinyint",
    "int unsigned", "unsigned", "signed", "unsigned integer", "bool", "boolean", "date", "date32", "time", "time(3)",
    "time with time zone", "timetz", "timestamp", "timestamp(3)", "timestamp with time zone", "timestamptz", "timestamp_ns", "datetime",
    "datetime(6)", "datetime64(3)", "datetime64(3, 'UTC')", "interval", "uuid", "json", "jsonb", "xml", "bytea", "blob", "binary",
    "binary(5)", "varbinary", "varbinary(5)", "bit", "bit(5)", "nullable(int64)", "nullable(string)", "nullable(blob)",
    "lowcardinality(string)", "array(int64)", "int[]", "map(varchar, int)", "struct(a int)", "enum('a')", "set('a')", "regclass", "oid",
    "inet", "money", "name", "geometry", "tsvector", "year", "array<int>", "row(a int)",
];
