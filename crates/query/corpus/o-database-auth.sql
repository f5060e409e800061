-- Class O: the database's own row security, whose setting a viewer would like to choose (CVE-2016-2193, CVE-2024-10976,
-- CVE-2024-10978, settings left on pooled connections).
--
-- One case a line, asked by a viewer whose `dbAuthToken` is in order; each must be refused.

-- Setting it.
select set_config('app.tenant_id', 'globex', true), id from ledger
select set_config('app.tenant_id', 'globex', false)
select id from ledger where set_config('app.tenant_id', 'globex', true) = 'globex'
select id from (select set_config('app.tenant_id', 'globex', true)) s, ledger
with s as materialized (select set_config('app.tenant_id', 'globex', true)) select id from s, ledger
select id from ledger order by set_config('app.tenant_id', 'globex', true)
select count(*) filter (where set_config('app.tenant_id', 'globex', true) is not null) from ledger
select pg_catalog.set_config('app.tenant_id', 'globex', true)
select "set_config"('app.tenant_id', 'globex', true)
set app.tenant_id = 'globex'
set local app.tenant_id = 'globex'
set session app.tenant_id to 'globex'
select 1; set app.tenant_id = 'globex'
reset app.tenant_id
reset all
discard all

-- Becoming somebody for whom it does not hold.
set role postgres
set session authorization postgres
set local role none
set row_security = off
select set_config('row_security', 'off', true)
select set_config('role', 'postgres', true)
select set_config('session_replication_role', 'replica', true)
alter table ledger disable row level security
select * from ledger; reset role

-- Reading it, or who the connection is.
select current_setting('app.tenant_id')
select current_setting('app.tenant_id', true) from ledger
show app.tenant_id
select current_user from ledger
select session_user
select setting from pg_settings
select * from pg_policies
select polqual from pg_policy
select rolname from pg_roles
select most_common_vals from pg_stats
select stavalues1 from pg_statistic
select query from pg_stat_activity

-- Ending the transaction that holds it.
commit; select * from ledger
rollback; select * from ledger
begin; select * from ledger
select 1; commit
abort
prepare transaction 'x'
savepoint s
