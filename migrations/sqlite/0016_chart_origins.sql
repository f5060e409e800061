-- The library chart that a copy was made of, and in which version. No reference: a copy outlives its original.

ALTER TABLE charts ADD COLUMN origin_id BLOB;
ALTER TABLE charts ADD COLUMN origin_version BIGINT;
CREATE INDEX charts_by_origin ON charts (origin_id);

-- Copies made so far are told by their names, their versions by what they hold.

UPDATE charts SET origin_id = (SELECT l.id FROM charts l WHERE l.project_id = charts.project_id AND l.file_name = charts.name)
WHERE file_name IS NULL AND EXISTS (SELECT 1 FROM dashboard_charts p WHERE p.chart_id = charts.id);
UPDATE charts SET origin_version = (SELECT MAX(v.version) FROM chart_versions v
    WHERE v.chart_id = charts.origin_id AND v.connection_id = charts.connection_id AND v.definition = charts.definition)
WHERE origin_id IS NOT NULL;
