-- The operator's side: organizations, the people in them, their API keys.

CREATE TABLE organizations (
    id BLOB NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    migration_finalized_at BIGINT,
    created_at BIGINT NOT NULL
);

CREATE TABLE accounts (
    id BLOB NOT NULL PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    created_at BIGINT NOT NULL
);

CREATE TABLE members (
    id BLOB NOT NULL PRIMARY KEY,
    organization_id BLOB NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    account_id BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (organization_id, account_id)
);

-- organization_id is null for a user-scoped key.
CREATE TABLE api_keys (
    id BLOB NOT NULL PRIMARY KEY,
    account_id BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    organization_id BLOB REFERENCES organizations (id) ON DELETE CASCADE,
    secret_hash BLOB NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);

-- Private parts are sealed with the service's secret key.
CREATE TABLE signing_keys (
    id BLOB NOT NULL PRIMARY KEY,
    public_key BLOB NOT NULL,
    sealed_private_key BLOB NOT NULL,
    created_at BIGINT NOT NULL,
    retired_at BIGINT
);

-- Tokens of the subject issued at or before the cut-off are refused.
CREATE TABLE revocations (
    subject_kind TEXT NOT NULL,
    subject_id BLOB NOT NULL,
    cutoff BIGINT NOT NULL,
    PRIMARY KEY (subject_kind, subject_id)
);

-- One row; its number grows with each change of something that nodes keep in memory, and each node watches it.
CREATE TABLE configuration_version (
    id BIGINT NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL
);
INSERT INTO configuration_version (id, number) VALUES (1, 1);

-- The host's side: projects, customers, users, roles.

CREATE TABLE projects (
    id BLOB NOT NULL PRIMARY KEY,
    organization_id BLOB NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    allowed_origins TEXT NOT NULL,
    timezone TEXT NOT NULL,
    locale TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (organization_id, name)
);

CREATE TABLE roles (
    id BLOB NOT NULL PRIMARY KEY,
    project_id BLOB NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    permissions TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (project_id, name)
);

CREATE TABLE customers (
    id BLOB NOT NULL PRIMARY KEY,
    project_id BLOB NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    external_id TEXT NOT NULL,
    name TEXT NOT NULL,
    properties TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (project_id, external_id)
);

CREATE TABLE project_users (
    id BLOB NOT NULL PRIMARY KEY,
    project_id BLOB NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    customer_id BLOB REFERENCES customers (id) ON DELETE CASCADE,
    external_id TEXT NOT NULL,
    name TEXT NOT NULL,
    properties TEXT NOT NULL,
    role_id BLOB REFERENCES roles (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX project_users_of_customer ON project_users (customer_id, external_id) WHERE customer_id IS NOT NULL;
CREATE UNIQUE INDEX project_users_without_customer ON project_users (project_id, external_id) WHERE customer_id IS NULL;
CREATE INDEX project_users_by_role ON project_users (role_id);

-- Data: connections, and the tables that project users' queries may name.

CREATE TABLE connections (
    id BLOB NOT NULL PRIMARY KEY,
    project_id BLOB NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    sealed_url BLOB NOT NULL,
    database_auth TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (project_id, name)
);

-- access: 'all' | 'rule' | 'nothing'; row_rule is set for 'rule' alone.
CREATE TABLE catalog_tables (
    id BLOB NOT NULL PRIMARY KEY,
    connection_id BLOB NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    label TEXT,
    access TEXT NOT NULL,
    row_rule TEXT,
    columns TEXT NOT NULL,
    UNIQUE (connection_id, name)
);

-- Workspaces: the chat over a connection. Embeds serve the production version.

CREATE TABLE workspaces (
    id BLOB NOT NULL PRIMARY KEY,
    project_id BLOB NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    production_version BIGINT,
    created_at BIGINT NOT NULL,
    UNIQUE (project_id, name)
);

CREATE TABLE workspace_versions (
    workspace_id BLOB NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    connection_id BLOB NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    settings TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, version)
);

-- Charts: the library (in_library) and the copies on dashboards. A row holds the newest version.

CREATE TABLE charts (
    id BLOB NOT NULL PRIMARY KEY,
    project_id BLOB NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    connection_id BLOB NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    version BIGINT NOT NULL,
    definition TEXT NOT NULL,
    file_name TEXT,
    thumbnail TEXT,
    created_by BLOB REFERENCES project_users (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
-- A chart of the project file is found again by its name there.
CREATE UNIQUE INDEX charts_of_project_file ON charts (project_id, file_name) WHERE file_name IS NOT NULL;

CREATE TABLE chart_versions (
    chart_id BLOB NOT NULL REFERENCES charts (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    connection_id BLOB NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    definition TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (chart_id, version)
);

-- Applications and dashboards.

CREATE TABLE applications (
    id BLOB NOT NULL PRIMARY KEY,
    project_id BLOB NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    theme TEXT NOT NULL,
    legacy_workspace_id BLOB REFERENCES workspaces (id) ON DELETE SET NULL,
    default_dashboard_id BLOB,
    created_at BIGINT NOT NULL,
    UNIQUE (project_id, name)
);

CREATE TABLE tenants (
    id BLOB NOT NULL PRIMARY KEY,
    project_id BLOB NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    tenant_key TEXT NOT NULL,
    display_name TEXT NOT NULL,
    prefilters TEXT NOT NULL,
    editing_permissions TEXT NOT NULL,
    custom_metadata TEXT NOT NULL,
    project_user_id BLOB REFERENCES project_users (id) ON DELETE SET NULL,
    role_id BLOB REFERENCES roles (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (project_id, tenant_key)
);

-- A dashboard with neither owner nor tenant is shared with every user of the application (kind `template`).
CREATE TABLE dashboards (
    id BLOB NOT NULL PRIMARY KEY,
    application_id BLOB NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    legacy_id BLOB UNIQUE,
    name TEXT NOT NULL,
    owner_id BLOB REFERENCES project_users (id) ON DELETE CASCADE,
    tenant_id BLOB REFERENCES tenants (id) ON DELETE CASCADE,
    replaces_id BLOB REFERENCES dashboards (id) ON DELETE SET NULL,
    filters TEXT NOT NULL,
    file_name TEXT,
    position BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX dashboards_of_application ON dashboards (application_id);
CREATE INDEX dashboards_of_owner ON dashboards (owner_id);
CREATE INDEX dashboards_of_tenant ON dashboards (tenant_id);
CREATE UNIQUE INDEX dashboards_of_project_file ON dashboards (application_id, file_name) WHERE file_name IS NOT NULL;
-- One copy of a shared dashboard replaces it in its owner's list.
CREATE UNIQUE INDEX dashboards_replacing ON dashboards (owner_id, replaces_id) WHERE replaces_id IS NOT NULL;

CREATE TABLE dashboard_charts (
    dashboard_id BLOB NOT NULL REFERENCES dashboards (id) ON DELETE CASCADE,
    chart_id BLOB NOT NULL REFERENCES charts (id) ON DELETE CASCADE,
    file_name TEXT,
    x BIGINT NOT NULL,
    y BIGINT NOT NULL,
    w BIGINT NOT NULL,
    h BIGINT NOT NULL,
    PRIMARY KEY (dashboard_id, chart_id)
);
CREATE INDEX dashboard_charts_by_chart ON dashboard_charts (chart_id);
