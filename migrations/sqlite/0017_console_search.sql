-- What the console looks for: who did what, and who still writes by v1.

-- In small letters, so that every alphabet is found whatever the case; null in lines of before.
ALTER TABLE audit_events ADD COLUMN folded_name TEXT;
CREATE INDEX audit_events_by_actor ON audit_events (organization_id, actor_id, at);
CREATE INDEX audit_events_by_resource ON audit_events (organization_id, resource_id, at);
CREATE INDEX project_users_by_external_id ON project_users (project_id, external_id);

-- The last write of each kind through v1: by API key and by member; tenants' and project users' under the nil UUID, all together.
CREATE TABLE v1_writes (
    organization_id BLOB NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    actor_kind TEXT NOT NULL,
    actor_id BLOB NOT NULL,
    call TEXT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (organization_id, actor_kind, actor_id, call)
);
