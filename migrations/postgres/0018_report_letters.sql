-- The mail that a run has begun to send, sealed: who gets it at a later attempt gets what the others got. It goes when the run ends.
ALTER TABLE report_runs ADD COLUMN letter BYTEA;
