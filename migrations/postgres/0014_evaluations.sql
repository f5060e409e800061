-- Evaluations of workspaces go on in the background. state: 'waiting' | 'running' | 'done' | 'failed' | 'interrupted' | 'cancelled'.
-- asked says how many of the questions have been answered; right_answers and misses are of those. member_id is who wants it and
-- user_id as whom it asks: what both may is asked anew while it runs.
ALTER TABLE workspace_evaluations ADD COLUMN state TEXT NOT NULL DEFAULT 'done';
ALTER TABLE workspace_evaluations ADD COLUMN asked BIGINT NOT NULL DEFAULT 0;
ALTER TABLE workspace_evaluations ADD COLUMN problem TEXT;
ALTER TABLE workspace_evaluations ADD COLUMN member_id UUID;
ALTER TABLE workspace_evaluations ADD COLUMN user_id UUID REFERENCES project_users (id) ON DELETE SET NULL;
ALTER TABLE workspace_evaluations ADD COLUMN started_at BIGINT;
ALTER TABLE workspace_evaluations ADD COLUMN ended_at BIGINT;
UPDATE workspace_evaluations SET asked = questions, ended_at = created_at;

-- A version is evaluated once at a time.
CREATE UNIQUE INDEX workspace_evaluations_under_way ON workspace_evaluations (workspace_id, version)
    WHERE state IN ('waiting', 'running');
CREATE INDEX workspace_evaluations_of_user ON workspace_evaluations (user_id);

-- What evaluations took on a day (UTC) by project, in the place of evaluation_usage, which is read on for the days before. The
-- organization's day counts what a deleted project took, too.
CREATE TABLE project_evaluation_usage (
    project_id UUID NOT NULL,
    day TEXT NOT NULL,
    organization_id UUID NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    questions BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    PRIMARY KEY (project_id, day)
);
CREATE INDEX project_evaluation_usage_of_organization ON project_evaluation_usage (organization_id, day);
