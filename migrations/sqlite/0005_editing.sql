-- A dashboard's version: each change adds one, so that a save which another one overtook is noticed.

ALTER TABLE dashboards ADD COLUMN version BIGINT NOT NULL DEFAULT 1;

-- The dashboard that opens first for a user, where they chose one.

CREATE TABLE default_dashboards (
    user_id BLOB NOT NULL REFERENCES project_users (id) ON DELETE CASCADE,
    application_id BLOB NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    dashboard_id BLOB NOT NULL REFERENCES dashboards (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, application_id)
);
CREATE INDEX default_dashboards_by_dashboard ON default_dashboards (dashboard_id);
