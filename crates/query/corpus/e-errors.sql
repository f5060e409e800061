-- Class E: questions that fail, in the hope that the error tells something (CVE-2025-55673, CVE-2024-27315, CVE-2014-8161,
-- CVE-2021-3393, CVE-2026-23980: errors as a way to read).
--
-- One case a line. What a viewer is told must hold no word of the query, the schema or the data; what the log is told no value
-- of a row. A case may also succeed: not every database minds.

select nothing from orders
select orders.nothing from orders
select * from unlisted
select * from public.unlisted
select note from notes
selec
select
select * from
select * from orders where
select * from orders where region = 'north
select cast(region as integer) from orders
select cast(region as integer) / 0 from orders
select cast(company_id as date) from orders
select 1 / (id - id) from orders
select 1 / (case when region = 'north' then 0 else 1 end) from orders
select cast(case when region = 'north' then company_id else '1' end as integer) from orders
select cast(region || company_id as numeric) from orders
select sum(region) from orders group by nothing
select id, count(*) from orders group by 7
select region from orders group by id
select * from orders order by 99
select * from orders limit -1
select * from orders limit 'x'
select (select id from orders) from orders
select * from orders where id = (select id from orders)
select id from orders union select id, region from orders
select id from orders union select region from orders
select lower(id, id, id) from orders
select abs(region) from orders
select substr(region, -9223372036854775807, 9223372036854775807) from orders
select power(10, 400), exp(1000) from orders
select cast('99999999999999999999' as integer) from orders
select cast(amount * 1000000000000000000 as integer) from orders
select date(region) from orders
select id from orders where region like 'a%' escape 'xy'
select o.id from orders o join rates r
select pg_sleep(1)
select id from orders where id in ()
select count(*) over (rows between 5 following and 1 preceding) from orders
select ntile(0) over (order by id) from orders
select nth_value(id, 0) over (order by id) from orders
with recursive x as (select * from x) select * from x
with x as (select 1) select * from x where nothing = 1
