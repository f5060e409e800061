-- Projects whose keys may be counted each night, when a check was last planned, and what the last one found.
CREATE TABLE key_checks (
    project_id UUID NOT NULL PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    allowed BOOLEAN NOT NULL,
    allowed_at BIGINT NOT NULL,
    planned_for BIGINT NOT NULL,
    outcome TEXT,
    ended_at BIGINT,
    complete_at BIGINT,
    findings JSONB
);
CREATE INDEX key_checks_due ON key_checks (planned_for) WHERE allowed = TRUE;
