-- Projects whose isolation may be checked, when a check was last planned, and how the last one ended.
CREATE TABLE isolation_projects (
    project_id BLOB NOT NULL PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    allowed BOOLEAN NOT NULL,
    allowed_at BIGINT NOT NULL,
    planned_for BIGINT NOT NULL,
    outcome TEXT,
    ended_at BIGINT,
    passed_at BIGINT
);
CREATE INDEX isolation_due ON isolation_projects (planned_for) WHERE allowed = TRUE;

-- The results of checks.
CREATE TABLE isolation_runs (
    id BLOB NOT NULL PRIMARY KEY,
    project_id BLOB NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    began_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    findings TEXT NOT NULL
);
CREATE INDEX isolation_runs_of_project ON isolation_runs (project_id, ended_at, id);
CREATE INDEX isolation_runs_by_time ON isolation_runs (ended_at);

-- All charts of a project in an order, so that a check reads them in parts.
CREATE INDEX charts_of_project_in_order ON charts (project_id, id);
