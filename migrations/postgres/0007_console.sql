-- The management console: who is signed in, links that open it once, attempts to sign in.

-- id is the SHA-256 of what the browser's cookie holds.
CREATE TABLE console_sessions (
    id BYTEA NOT NULL PRIMARY KEY,
    account_id UUID NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    address TEXT,
    agent TEXT,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);
CREATE INDEX console_sessions_of_account ON console_sessions (account_id);

-- Invitations (with a role) and new passwords (without). id is the SHA-256 of what the link holds.
CREATE TABLE console_links (
    id BYTEA NOT NULL PRIMARY KEY,
    organization_id UUID NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    role TEXT,
    made_by UUID,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX console_links_of_organization ON console_links (organization_id);

-- subject is a SHA-256: of an email address with a network address, or of a network address alone.
CREATE TABLE console_attempts (
    subject BYTEA NOT NULL PRIMARY KEY,
    failures BIGINT NOT NULL,
    last_at BIGINT NOT NULL
);

ALTER TABLE api_keys ADD COLUMN label TEXT;
ALTER TABLE api_keys ADD COLUMN last_used_at BIGINT;
