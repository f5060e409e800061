-- Who deletes what is too old, and when next.
CREATE TABLE tidy_rules (
    name TEXT NOT NULL PRIMARY KEY,
    due_at BIGINT NOT NULL,
    lease_id BLOB,
    lease_until BIGINT
);

-- When a chart was last taken off a dashboard.
ALTER TABLE charts ADD COLUMN unplaced_at BIGINT;
CREATE INDEX charts_unplaced ON charts (unplaced_at) WHERE unplaced_at IS NOT NULL;
CREATE INDEX charts_of_tenants ON charts (space_id) WHERE created_by IS NULL AND space_id IS NOT NULL;
CREATE INDEX charts_of_many_versions ON charts (version) WHERE version > 100;

CREATE INDEX chat_threads_by_time ON chat_threads (updated_at);
CREATE INDEX chat_usage_by_day ON chat_usage (day);
CREATE INDEX chat_answer_slots_by_end ON chat_answer_slots (ends_at);
CREATE INDEX report_runs_pages ON report_runs (report_id, due_at) WHERE expires_at IS NOT NULL;
CREATE INDEX report_runs_without_page ON report_runs (ended_at) WHERE expires_at IS NULL;

-- Whether a provider's users cannot choose their names. Providers of before go on as they were.
ALTER TABLE identity_providers ADD COLUMN trusts_addresses BOOLEAN NOT NULL DEFAULT TRUE;
