-- Names that say what a column or table holds. An application's workspace is what its assistant answers by, in v1 and v2 alike.

ALTER TABLE applications RENAME COLUMN legacy_workspace_id TO workspace_id;

-- The name of a chart in the library; null for copies on dashboards.
ALTER TABLE charts RENAME COLUMN file_name TO library_name;
DROP INDEX charts_of_project_file;
CREATE UNIQUE INDEX charts_in_library ON charts (project_id, library_name) WHERE library_name IS NOT NULL;

-- The name of a shared dashboard among those of its application; null for users' own.
ALTER TABLE dashboards RENAME COLUMN file_name TO shared_name;
DROP INDEX dashboards_of_project_file;
CREATE UNIQUE INDEX dashboards_shared ON dashboards (application_id, shared_name) WHERE shared_name IS NOT NULL;

-- The name under which a project file finds a chart of a shared dashboard.
ALTER TABLE dashboard_charts RENAME COLUMN file_name TO tile_name;

ALTER TABLE models RENAME TO language_models;
DROP INDEX models_of_organization;
DROP INDEX models_of_project;
CREATE UNIQUE INDEX language_models_of_organization ON language_models (organization_id) WHERE project_id IS NULL;
CREATE UNIQUE INDEX language_models_of_project ON language_models (project_id) WHERE project_id IS NOT NULL;

ALTER TABLE chat_seats RENAME TO chat_answer_slots;
DROP INDEX chat_seats_of_user;
CREATE INDEX chat_answer_slots_of_user ON chat_answer_slots (user_id);
