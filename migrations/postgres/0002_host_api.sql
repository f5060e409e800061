-- Identity providers whose tokens name members. Either an address of keys or the keys themselves.

CREATE TABLE identity_providers (
    id UUID NOT NULL PRIMARY KEY,
    organization_id UUID NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    issuer TEXT NOT NULL,
    audience TEXT NOT NULL,
    keys_url TEXT,
    keys JSONB,
    created_at BIGINT NOT NULL,
    UNIQUE (organization_id, issuer, audience)
);

-- Who did what to which resource, when, from where. Outlives what it names.

CREATE TABLE audit_events (
    id UUID NOT NULL PRIMARY KEY,
    organization_id UUID NOT NULL,
    at BIGINT NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_id UUID,
    action TEXT NOT NULL,
    project_id UUID,
    resource_id UUID NOT NULL,
    resource_name TEXT,
    details JSONB NOT NULL,
    address TEXT,
    request_id TEXT
);
CREATE INDEX audit_events_of_organization ON audit_events (organization_id, at);

-- The migration looks tenants up by the user that it made for them.
CREATE INDEX tenants_by_project_user ON tenants (project_user_id);
CREATE INDEX tenants_by_role ON tenants (role_id);
