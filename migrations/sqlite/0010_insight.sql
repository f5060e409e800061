-- What the operator's people see of use, and single sign-on to the console.

-- A version of a workspace, judged by its own examples. `misses` is JSON: [{"question", "why"}].
CREATE TABLE workspace_evaluations (
    id BLOB NOT NULL PRIMARY KEY,
    workspace_id BLOB NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    answered_by TEXT NOT NULL,
    right_answers BIGINT NOT NULL,
    questions BIGINT NOT NULL,
    misses TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX workspace_evaluations_of_workspace ON workspace_evaluations (workspace_id, created_at);

-- Counters of a day (UTC, as 2026-01-31), added to in batches: under what was used (`subject_id`: a dashboard, a chart), and under who
-- used it (`customer_id`); the other of the two is 16 zero bytes. `kind` names what is counted.
CREATE TABLE usage_days (
    project_id BLOB NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject_id BLOB NOT NULL,
    customer_id BLOB NOT NULL,
    events BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    milliseconds BIGINT NOT NULL,
    longest BIGINT NOT NULL,
    last_code TEXT,
    last_failed_at BIGINT,
    PRIMARY KEY (project_id, day, kind, subject_id, customer_id)
);
CREATE INDEX usage_days_by_day ON usage_days (day);

ALTER TABLE project_users ADD COLUMN seen_at BIGINT;

-- OpenID Connect: members of the organization sign in through its provider.
CREATE TABLE sign_in_providers (
    id BLOB NOT NULL PRIMARY KEY,
    organization_id BLOB NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    sealed_secret BLOB NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX sign_in_providers_of_organization ON sign_in_providers (organization_id);

-- A session that an organization's provider vouches for opens that organization alone.
ALTER TABLE console_sessions ADD COLUMN organization_id BLOB REFERENCES organizations (id) ON DELETE CASCADE;
