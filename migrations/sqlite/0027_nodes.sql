-- Several nodes. What an organization or an account changed last, so that a change of one empties nobody else's memory.
CREATE TABLE configuration_changes (
    subject_id BLOB NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL
);
CREATE INDEX configuration_changes_by_number ON configuration_changes (number);
-- How many of the numbers were told with their subject. Nodes of the version before tell none: then everything counts as changed.
ALTER TABLE configuration_version ADD COLUMN told BIGINT NOT NULL DEFAULT 0;

-- The number of a revocation: tokens that were issued under a smaller one are refused. It belongs to `numbered_cutoff`: a node of the
-- version before changes only the cut-off, and then the number does not count.
ALTER TABLE revocations ADD COLUMN number BIGINT;
ALTER TABLE revocations ADD COLUMN numbered_cutoff BIGINT;
CREATE INDEX revocations_by_number ON revocations (number);
CREATE INDEX revocations_by_cutoff ON revocations (cutoff);
-- Tenants are another kind of subject than project users, whose ids hosts may choose. Nodes of the version before read the old rows.
INSERT INTO revocations (subject_kind, subject_id, cutoff)
    SELECT 'tenant', r.subject_id, r.cutoff FROM revocations r JOIN tenants t ON t.id = r.subject_id WHERE r.subject_kind = 'user';

-- A new signing key is published before it signs.
ALTER TABLE signing_keys ADD COLUMN signs_from BIGINT;

-- What each node has let pass in its last second, for the rate limits of the others.
CREATE TABLE rate_counts (
    node_id BLOB NOT NULL PRIMARY KEY,
    written_at BIGINT NOT NULL,
    counts TEXT NOT NULL
);
