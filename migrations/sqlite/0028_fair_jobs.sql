-- Whom a job belongs to, and its queue there: a webhook, the owner of a report, a workspace. Nodes of the version before add jobs without both.
ALTER TABLE jobs ADD COLUMN organization_id BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE jobs ADD COLUMN queue_id BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';

UPDATE jobs SET
    queue_id = COALESCE((SELECT d.webhook_id FROM webhook_deliveries d WHERE d.id = jobs.subject_id), queue_id),
    organization_id = COALESCE((
        SELECT p.organization_id FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id JOIN projects p ON p.id = w.project_id
        WHERE d.id = jobs.subject_id
    ), organization_id)
WHERE kind = 'webhook';
UPDATE jobs SET
    queue_id = COALESCE((SELECT r.owner_id FROM report_runs n JOIN reports r ON r.id = n.report_id WHERE n.id = jobs.subject_id), queue_id),
    organization_id = COALESCE((
        SELECT p.organization_id FROM report_runs n JOIN reports r ON r.id = n.report_id JOIN projects p ON p.id = r.project_id
        WHERE n.id = jobs.subject_id
    ), organization_id)
WHERE kind = 'report';
UPDATE jobs SET
    queue_id = COALESCE((SELECT e.workspace_id FROM workspace_evaluations e WHERE e.id = jobs.subject_id), queue_id),
    organization_id = COALESCE((
        SELECT p.organization_id FROM workspace_evaluations e JOIN workspaces w ON w.id = e.workspace_id JOIN projects p ON p.id = w.project_id
        WHERE e.id = jobs.subject_id
    ), organization_id)
WHERE kind = 'evaluation';

-- The queues of a kind one after another, and the first due job of each.
CREATE INDEX jobs_of_queue ON jobs (kind, queue_id, due_at, id);
-- The few jobs that run.
CREATE INDEX jobs_leased ON jobs (kind, lease_until) WHERE lease_until IS NOT NULL;

-- Queues whose jobs fail one after another. None of their jobs runs before rests_until.
CREATE TABLE job_queues (
    kind TEXT NOT NULL,
    queue_id BLOB NOT NULL,
    failures BIGINT NOT NULL,
    rests_until BIGINT NOT NULL,
    PRIMARY KEY (kind, queue_id)
);

-- How many messages were dropped since one was delivered, because too many waited.
ALTER TABLE webhooks ADD COLUMN dropped BIGINT NOT NULL DEFAULT 0;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, created_at) WHERE state = 'waiting';
