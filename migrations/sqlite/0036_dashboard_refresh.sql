-- Seconds after which an open page asks for a dashboard's rows again. NULL: never.
ALTER TABLE dashboards ADD COLUMN refresh_seconds BIGINT;
