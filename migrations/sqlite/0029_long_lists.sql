-- Lists that stay short to read however long they get: each finds its rows, and their order, in an index.

-- The customer of a dashboard's owner, so that what a customer's users share is found without looking at every user. It follows the owner:
-- a node of the version before, which does not know the column, writes sound rows too.
ALTER TABLE dashboards ADD COLUMN customer_id BLOB;
UPDATE dashboards SET customer_id = (SELECT u.customer_id FROM project_users u WHERE u.id = dashboards.owner_id)
    WHERE owner_id IS NOT NULL;
CREATE TRIGGER dashboards_owned AFTER INSERT ON dashboards WHEN NEW.customer_id IS NULL AND NEW.owner_id IS NOT NULL BEGIN
    UPDATE dashboards SET customer_id = (SELECT u.customer_id FROM project_users u WHERE u.id = NEW.owner_id) WHERE id = NEW.id;
END;
CREATE TRIGGER dashboards_handed_over AFTER UPDATE OF owner_id ON dashboards WHEN NEW.owner_id IS NOT OLD.owner_id BEGIN
    UPDATE dashboards SET customer_id = (SELECT u.customer_id FROM project_users u WHERE u.id = NEW.owner_id) WHERE id = NEW.id;
END;
CREATE INDEX dashboards_shared_in_order ON dashboards (application_id, position, created_at, id)
    WHERE owner_id IS NULL AND tenant_id IS NULL;
CREATE INDEX dashboards_of_customer ON dashboards (application_id, customer_id, position, created_at, id)
    WHERE customer_id IS NOT NULL;
CREATE INDEX dashboards_of_tenants ON dashboards (application_id, position, created_at, id) WHERE tenant_id IS NOT NULL;

-- Whether a chart is on a dashboard. The others are the project's library and the charts that users have put by.
ALTER TABLE charts ADD COLUMN on_dashboard BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE charts SET on_dashboard = TRUE WHERE EXISTS (SELECT 1 FROM dashboard_charts p WHERE p.chart_id = charts.id);
CREATE TRIGGER charts_placed AFTER INSERT ON dashboard_charts BEGIN
    UPDATE charts SET on_dashboard = TRUE WHERE id = NEW.chart_id;
END;
CREATE TRIGGER charts_taken_off AFTER DELETE ON dashboard_charts BEGIN
    UPDATE charts SET on_dashboard = EXISTS (SELECT 1 FROM dashboard_charts p WHERE p.chart_id = OLD.chart_id) WHERE id = OLD.chart_id;
END;
CREATE INDEX charts_put_by ON charts (project_id, space_id, name, id) WHERE on_dashboard = FALSE;

-- Customers and users as the console lists them, and as it searches for them: by the beginning of a name or external id.
CREATE INDEX customers_by_name ON customers (project_id, name, id);
CREATE INDEX customers_by_folded_name ON customers (project_id, LOWER(name));
CREATE INDEX customers_by_folded_id ON customers (project_id, LOWER(external_id));
CREATE INDEX project_users_by_change ON project_users (project_id, updated_at, id);
CREATE INDEX project_users_of_customer_by_name ON project_users (customer_id, name, id) WHERE customer_id IS NOT NULL;
CREATE INDEX project_users_by_folded_name ON project_users (project_id, LOWER(name));
CREATE INDEX project_users_by_folded_id ON project_users (project_id, LOWER(external_id));

-- What the usage page tells of one chart.
CREATE INDEX usage_days_of_subject ON usage_days (project_id, subject_id, day);

-- Who is a member where, and whose keys they have.
CREATE INDEX members_of_account ON members (account_id);
CREATE INDEX api_keys_of_account ON api_keys (account_id);
CREATE INDEX api_keys_of_organization ON api_keys (organization_id) WHERE organization_id IS NOT NULL;
CREATE INDEX organizations_by_age ON organizations (created_at, id);

-- What is deleted when it is old, and what it is asked for by then.
CREATE INDEX console_links_by_end ON console_links (expires_at);
CREATE INDEX console_sessions_by_use ON console_sessions (seen_at);
CREATE INDEX console_sessions_by_begin ON console_sessions (created_at);
CREATE INDEX evaluation_usage_by_day ON evaluation_usage (day);
CREATE INDEX project_evaluation_usage_by_day ON project_evaluation_usage (day);
CREATE INDEX report_mails_by_day ON report_mails (day);
CREATE INDEX reports_by_key ON reports (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX report_runs_by_key ON report_runs (key_id) WHERE key_id IS NOT NULL;
