-- Questions of a workspace with the query that a member has verified. asked is the question without what does not change its meaning.
-- problem says why the query cannot be used now. verified_by is what users read.
CREATE TABLE verified_answers (
    id UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    question TEXT NOT NULL,
    asked TEXT NOT NULL,
    query JSONB NOT NULL,
    verified_by TEXT NOT NULL,
    member_id UUID,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    checked_at BIGINT NOT NULL,
    problem TEXT,
    UNIQUE (workspace_id, asked)
);
CREATE INDEX verified_answers_by_check ON verified_answers (checked_at);

-- Answers of a workspace that were declined or rated as bad, with their questions, until a member has dealt with them.
CREATE TABLE open_questions (
    message_id UUID NOT NULL PRIMARY KEY REFERENCES chat_messages (id) ON DELETE CASCADE,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    question TEXT NOT NULL,
    asked TEXT NOT NULL,
    declined BOOLEAN NOT NULL,
    rated BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX open_questions_of_workspace ON open_questions (workspace_id, created_at);
