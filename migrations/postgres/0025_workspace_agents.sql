-- The v1 agent that a workspace replaces, which hosts still name in save-from-chat.
ALTER TABLE workspaces ADD COLUMN agent_id UUID;
CREATE UNIQUE INDEX workspaces_of_agents ON workspaces (project_id, agent_id) WHERE agent_id IS NOT NULL;
