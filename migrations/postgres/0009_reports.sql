-- Work that is done once, by whichever node claims it. A claim is a lease: who dies loses it, and another node takes over.

-- key tells two jobs of the same work apart from one; lease_id is the claim that may finish the job.
CREATE TABLE jobs (
    id UUID NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    subject_id UUID NOT NULL,
    key TEXT NOT NULL UNIQUE,
    due_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    lease_id UUID,
    lease_until BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX jobs_by_time ON jobs (kind, due_at);

-- One row: who claims changes it first, so that nodes claim one after another.
CREATE TABLE job_turn (
    id BIGINT NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL
);
INSERT INTO job_turn (id, number) VALUES (1, 1);

-- Scheduled reports and alerts. An organization without `reports` has none: {"recipientDomains"}.

ALTER TABLE organizations ADD COLUMN reports JSONB;

-- state: 'active' | 'paused' | 'stopped'. An alert is a report with a condition; raised is what it said last.
-- key_id and authorized_at: with what, and when, its owner said what it says; revocations are held against both.
CREATE TABLE reports (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    application_id UUID NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    dashboard_id UUID NOT NULL REFERENCES dashboards (id) ON DELETE CASCADE,
    owner_id UUID NOT NULL REFERENCES project_users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    content JSONB NOT NULL,
    state TEXT NOT NULL,
    problem TEXT,
    raised BOOLEAN,
    key_id UUID,
    authorized_at BIGINT NOT NULL,
    next_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX reports_of_owner ON reports (owner_id, dashboard_id);
CREATE INDEX reports_by_dashboard ON reports (dashboard_id);
CREATE INDEX reports_by_time ON reports (next_at) WHERE next_at IS NOT NULL;

-- cause: 'schedule' | 'now'; state: 'waiting' | 'done' | 'quiet' | 'failed'. A schedule's moment has one run, whoever makes it.
-- snapshot is sealed: it holds the rows that the report's owner saw.
CREATE TABLE report_runs (
    id UUID NOT NULL PRIMARY KEY,
    report_id UUID NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    due_at BIGINT NOT NULL,
    cause TEXT NOT NULL,
    state TEXT NOT NULL,
    problem TEXT,
    snapshot BYTEA,
    expires_at BIGINT,
    raised BOOLEAN,
    ended_at BIGINT,
    UNIQUE (report_id, due_at)
);
CREATE INDEX report_runs_by_end ON report_runs (expires_at) WHERE expires_at IS NOT NULL;

-- state: 'waiting' | 'sent' | 'failed'. What the links in a mail hold is stored as SHA-256 alone.
CREATE TABLE report_deliveries (
    run_id UUID NOT NULL REFERENCES report_runs (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    state TEXT NOT NULL,
    problem TEXT,
    link_hash BYTEA NOT NULL UNIQUE,
    unsubscribe_hash BYTEA NOT NULL UNIQUE,
    PRIMARY KEY (run_id, address)
);

-- Who wants no more mail of a report.
CREATE TABLE report_unsubscribed (
    report_id UUID NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (report_id, address)
);

-- Webhooks: hosts' servers that are told what happens in a project. Address and secret are sealed.

CREATE TABLE webhooks (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    sealed_url BYTEA NOT NULL,
    sealed_secret BYTEA NOT NULL,
    events JSONB NOT NULL,
    active BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX webhooks_of_project ON webhooks (project_id);

-- state: 'waiting' | 'delivered' | 'failed'; status is that of the last answer. payload holds ids and names, never rows.
CREATE TABLE webhook_deliveries (
    id UUID NOT NULL PRIMARY KEY,
    webhook_id UUID NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    event TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    status BIGINT,
    problem TEXT,
    created_at BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (webhook_id, created_at);
CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (created_at);
