-- By whose leave the page of a run was made: a link opens while neither the API key nor the owner has been cut off since.
ALTER TABLE report_runs ADD COLUMN key_id UUID;
ALTER TABLE report_runs ADD COLUMN authorized_at BIGINT NOT NULL DEFAULT 0;
