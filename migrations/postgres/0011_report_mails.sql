-- How many mails of reports went out for a user on a day (UTC), whatever became of the reports: a limit that nobody gets round by
-- deleting and making them again.

CREATE TABLE report_mails (
    user_id UUID NOT NULL REFERENCES project_users (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    mails BIGINT NOT NULL,
    PRIMARY KEY (user_id, day)
);
