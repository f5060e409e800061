-- The values of a dashboard's filters that a user saved under a name. dashboard_id is never a copy that the user owns: a copy has the
-- views of the shared dashboard that it replaces.
CREATE TABLE saved_views (
    id BLOB NOT NULL PRIMARY KEY,
    user_id BLOB NOT NULL REFERENCES project_users (id) ON DELETE CASCADE,
    dashboard_id BLOB NOT NULL REFERENCES dashboards (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    filters TEXT NOT NULL,
    is_default BOOLEAN NOT NULL,
    UNIQUE (user_id, dashboard_id, name)
);
CREATE UNIQUE INDEX saved_views_default ON saved_views (user_id, dashboard_id) WHERE is_default = TRUE;
CREATE INDEX saved_views_by_dashboard ON saved_views (dashboard_id);
