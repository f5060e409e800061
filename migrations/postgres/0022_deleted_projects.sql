-- The audit log's page names deleted projects: they are found among its lines without reading all of them.
CREATE INDEX audit_events_of_deleted_projects ON audit_events (organization_id, at) WHERE action = 'project.deleted';
