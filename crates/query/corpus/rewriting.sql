-- Ways round the wrapper of a base table: crates that parse, and print, and lose something on the way.
--
-- One case a line; each must be refused before anything reaches a database. `[sqlite]`, `[postgres]`, `[mysql]` keep a case to
-- the kinds whose SQL it is; elsewhere the words are something harmless, or no SQL. `⏎` is a line break.

-- Clauses that would be lost when a table becomes a subquery.
select * from only orders o
select * from only (orders)
select * from orders tablesample system (10)
select * from orders tablesample bernoulli (10) repeatable (1)
select * from orders *
select * from orders with (nolock)
select * from orders indexed by i
select * from orders for system_time as of now()
select top 5 * from orders
select * from orders settings max_threads = 1
select * from orders format json
select * from orders limit 5 by id
select * from orders order by id with fill
select * from orders fetch first 5 percent rows only
select * from orders fetch first 5 rows with ties
select * exclude (id) from orders
from orders select *
from orders
select * from orders |> where true
select * from orders qualify row_number() over () = 1
select * from orders pivot (sum(id) for id in (1))
select distinct on (id) id from orders union by name select 1

-- Relations that are not listed, wherever a relation can stand.
select * from unlisted
select * from sqlite_master
select * from sqlite_schema
select * from main.sqlite_master
select * from temp.orders
select * from other.orders
select * from pragma_table_list
select * from pragma_table_info('orders')
select * from dbstat
select * from json_each('[1]')
select * from pg_catalog.pg_authid
select * from pg_class
select * from pg_stat_activity
select * from information_schema.tables
select * from db.public.orders
select * from generate_series(1, 10)
select * from unnest(array[1])
select * from orders, lateral generate_series(1, id)
select * from pg_read_file('/etc/passwd')
select * from dblink('x', 'select 1') as t(a int)
select * from rows from (generate_series(1, 2))
select * from xmltable('/a' passing '<a/>' columns b int)
select * from json_table('{}', '$' columns (a int path '$.a'))
select * from rates where id in (select id from unlisted)
select * from rates where exists (select 1 from unlisted)
select (select note from unlisted limit 1)
with x as (select * from unlisted) select * from x
select 1 union select id from unlisted
select * from rates order by (select id from unlisted)
select * from rates limit (select id from unlisted)
select * from rates r join unlisted u on u.id = r.id
select * from (rates r join unlisted u on u.id = r.id)
select sum(id) over (order by (select id from unlisted)) from rates
select sum(id) filter (where id in (select id from unlisted)) from rates
select case when (select true from unlisted) then 1 end from rates
select * from rates r join rates s on (select true from unlisted)
select count(*) from rates group by (select id from unlisted)
select count(*) from rates having (select true from unlisted)
select sum(id) over w from rates window w as (order by (select id from unlisted))
values ((select id from unlisted))

-- Names that look like a listed table's, and are another's.
[postgres] select * from "Orders"
[postgres] select * from "PUBLIC".orders
[postgres] select * from public."ORDERS"
[sqlite] select * from public.orders
[sqlite] select * from temp."orders"
select * from "orders "
select * from "orders;"
select * from "main.orders"
[postgres] select * from U&"orders"
[postgres] select * from U&"\006frders"
[mysql] select * from mysql.user
[mysql] select * from `orders`.`orders`
[mysql] select * from performance_schema.threads
select * from orders@remote
select * from inlay_cte_1
select * from "inlay_cte_1"
select * from inlay_row

-- Parts of WITH that pretend to be tables, or tables that pretend to be parts of WITH.
with a as (select * from b), b as (select 1) select * from a
with a as (select 1), a as (select 2) select * from a
with a as (select * from a) select * from a
select * from (with c as (select 1 as id) select * from c) x, c
with recursive unlisted as (select * from public.unlisted) select * from unlisted
with x as (select 1) select * from main.x, public.x
with notes as (select * from other.notes) select * from notes

-- Columns that lead to another relation.
select public.unlisted.note from rates
select other.orders.id from orders
select a.b.c.d from rates
[postgres] select (select unlisted).note from rates
select count(public.orders.*) from orders

