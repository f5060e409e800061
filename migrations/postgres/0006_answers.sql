-- Answers that the nodes share, so that a question is put to a customer's database once for all of them. `key` is a hash of
-- the question with its viewer's rights; what is sealed is customers' data. Nothing here is missed when it is lost.

CREATE UNLOGGED TABLE answers (
    key BYTEA NOT NULL PRIMARY KEY,
    asked_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    sealed BYTEA NOT NULL
);
CREATE INDEX answers_by_end ON answers (expires_at);

-- What a connection may cost: {"cacheSeconds", "maxConnections"}; what is left out is the service's own limit.
ALTER TABLE connections ADD COLUMN limits JSONB;
