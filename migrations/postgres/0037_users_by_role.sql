-- The page of a role lists its users by name, in parts. The index serves what the one before it did, too.
CREATE INDEX project_users_of_role_by_name ON project_users (role_id, name, id);
DROP INDEX project_users_by_role;
