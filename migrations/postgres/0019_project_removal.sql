-- A project goes with everything that names it, row by row: each of these finds the rows that follow.
CREATE INDEX charts_of_project ON charts (project_id);
CREATE INDEX charts_by_connection ON charts (connection_id);
CREATE INDEX charts_by_maker ON charts (created_by) WHERE created_by IS NOT NULL;
CREATE INDEX chart_versions_by_connection ON chart_versions (connection_id);
CREATE INDEX dashboards_by_replaced ON dashboards (replaces_id) WHERE replaces_id IS NOT NULL;
CREATE INDEX applications_by_workspace ON applications (legacy_workspace_id) WHERE legacy_workspace_id IS NOT NULL;
CREATE INDEX workspace_versions_by_connection ON workspace_versions (connection_id);
CREATE INDEX chat_threads_of_workspace ON chat_threads (workspace_id);
CREATE INDEX chat_pins_by_connection ON chat_pins (connection_id);
CREATE INDEX reports_of_project ON reports (project_id);
CREATE INDEX reports_by_application ON reports (application_id);
CREATE INDEX default_dashboards_by_application ON default_dashboards (application_id);
