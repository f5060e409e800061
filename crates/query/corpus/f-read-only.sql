-- Class F: "read-only" SQL that is not (CVE-2026-23984, CVE-2024-55633, CVE-2023-40610, CVE-2025-52446 and their like).
--
-- One case a line; each must be refused before anything reaches a database. `[sqlite]`, `[postgres]`, `[mysql]` keep a case to
-- the kinds whose SQL it is; elsewhere the words are something harmless, or no SQL. `⏎` is a line break.

-- Anything but exactly one query.
select 1; select 2
select id from orders; delete from orders
delete from orders
update orders set amount = 0
insert into orders select * from orders
create table x as select * from orders
drop table orders
explain analyze select * from orders
explain query plan select * from orders
set role postgres
reset all
begin
pragma table_info(orders)
attach database 'x' as y
vacuum into 'x'
copy orders to stdout
call x()
execute p
prepare p as select 1
declare c cursor for select * from orders
show all
table orders
do $$ begin end $$
listen x
merge into orders using rates on true when matched then delete
replace into orders values (1)

-- Statements that hide behind a query, stacked or commented.
select 1;delete from orders
select 1; ; select 2
select id from orders;⏎drop table orders
select 1 /* */; /* */ vacuum
select 1 --⏎; delete from orders
select 1;--⏎select 2
(select 1); (select 2)
begin; select 1; commit
select 1 from rates; set role postgres
select 1 from rates;reset app.tenant_id
explain select 1
describe orders
analyze orders
with x as (select 1) delete from orders
with x as (select 1) update orders set id = 1
with x as (select 1) insert into orders select * from x
[postgres] select 1 \; delete from orders
[mysql] delimiter // select 1
handler orders open
lock table orders
load data infile 'x' into table orders
import foreign schema x from server y into z
create or replace function f() returns int language sql as 'select 1'
alter system set x = 1
grant all on orders to public
notify x
checkpoint
discard all
use other
kill 1
flush tables
shutdown
install plugin x soname 'y'

-- Queries that change, lock or write.
with d as (delete from orders returning *) select * from d
with d as (insert into orders values (1) returning *) select * from d
with d as (update orders set id = 1 returning *) select * from d
select * into x from orders
select * from orders for update
select * from orders for share
select * from orders for update skip locked
select * from orders into outfile 'x'
select * from orders into dumpfile 'x'
select id into @x from orders
[mysql] select * from orders lock in share mode
[mysql] select @x := id from orders
select * from orders for no key update
select * from orders for key share nowait
with d as (merge into orders using rates on true when matched then delete returning *) select * from d
with d as (delete from orders returning id), e as (select 1) select * from e

