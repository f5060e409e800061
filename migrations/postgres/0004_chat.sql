-- What people call tables; columns keep theirs in `columns`.

ALTER TABLE catalog_tables ADD COLUMN description TEXT;
ALTER TABLE catalog_tables ADD COLUMN synonyms JSONB;

-- The chat: what a user asked in a workspace, and what was answered. `folded_…` is the same in small letters, for searching.

CREATE TABLE chat_threads (
    id UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id UUID NOT NULL REFERENCES project_users (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    folded_title TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX chat_threads_of_user ON chat_threads (user_id, workspace_id, updated_at);

-- role: 'user' | 'assistant'; state: 'answering' | 'done' | 'stopped' | 'failed' | 'interrupted'. data_key names what the
-- viewer could see when the rows of `results` were read.
CREATE TABLE chat_messages (
    id UUID NOT NULL PRIMARY KEY,
    thread_id UUID NOT NULL REFERENCES chat_threads (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    folded_text TEXT NOT NULL,
    steps JSONB NOT NULL,
    results JSON NOT NULL,
    state TEXT NOT NULL,
    problem JSONB,
    data_key TEXT,
    feedback TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (thread_id, position)
);

-- Answers' charts that a user keeps at hand; place: 'favorites' | 'canvas'. A pin outlives the thread that it came from, and
-- holds no rows: they are read anew.
CREATE TABLE chat_pins (
    id UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id UUID NOT NULL REFERENCES project_users (id) ON DELETE CASCADE,
    place TEXT NOT NULL,
    message_id UUID NOT NULL,
    result BIGINT NOT NULL,
    connection_id UUID NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    definition JSONB NOT NULL,
    position BIGINT NOT NULL,
    wide BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (user_id, place, message_id, result)
);
CREATE INDEX chat_pins_of_workspace ON chat_pins (workspace_id);

-- Which model answers: of an organization (project_id is null) or of one of its projects. The key is sealed.

CREATE TABLE models (
    id UUID NOT NULL PRIMARY KEY,
    organization_id UUID NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    project_id UUID REFERENCES projects (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    address TEXT,
    model TEXT NOT NULL,
    sealed_key BYTEA NOT NULL,
    prices JSONB,
    budgets JSONB NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX models_of_organization ON models (organization_id) WHERE project_id IS NULL;
CREATE UNIQUE INDEX models_of_project ON models (project_id) WHERE project_id IS NOT NULL;

-- What a user's questions took on a day of UTC. cost is in millionths of the currency of the model's prices.
CREATE TABLE chat_usage (
    user_id UUID NOT NULL REFERENCES project_users (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    organization_id UUID NOT NULL,
    customer_id UUID,
    questions BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    PRIMARY KEY (user_id, day)
);
CREATE INDEX chat_usage_of_customer ON chat_usage (customer_id, day);
CREATE INDEX chat_usage_of_organization ON chat_usage (organization_id, day);

-- A version is a draft until it is published; one of the published versions is in production.

ALTER TABLE workspace_versions ADD COLUMN published_at BIGINT;
UPDATE workspace_versions SET published_at = created_at WHERE EXISTS (SELECT 1 FROM workspaces w
    WHERE w.id = workspace_versions.workspace_id AND w.production_version = workspace_versions.version);
