-- Whose users may take a chart that stands on no dashboard: the customer (or the user, or the v1 tenant, without one) who
-- made it. Null for the project's library. No reference: what belonged to somebody who is gone is nobody's.

ALTER TABLE charts ADD COLUMN space_id UUID;
UPDATE charts SET space_id = (SELECT COALESCE(u.customer_id, u.id) FROM project_users u WHERE u.id = charts.created_by);
