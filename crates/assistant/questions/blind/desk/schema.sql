CREATE TABLE sla_target (
    prio TEXT PRIMARY KEY,
    prio_name TEXT NOT NULL,
    resp_mins INTEGER NOT NULL,
    resol_hrs INTEGER NOT NULL
);
CREATE TABLE team (
    team_id INTEGER PRIMARY KEY,
    team_name TEXT NOT NULL,
    tier INTEGER NOT NULL
);
CREATE TABLE agent (
    agent_id INTEGER PRIMARY KEY,
    agent_name TEXT NOT NULL,
    team_id INTEGER NOT NULL REFERENCES team(team_id),
    hire_date DATE NOT NULL,
    left_date DATE,
    site TEXT NOT NULL
);
CREATE TABLE requester (
    emp_id INTEGER PRIMARY KEY,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    dept TEXT NOT NULL,
    job_title TEXT NOT NULL,
    office TEXT NOT NULL,
    vip TEXT NOT NULL
);
CREATE TABLE asset (
    asset_tag TEXT PRIMARY KEY,
    asset_type TEXT NOT NULL,
    brand TEXT NOT NULL,
    model TEXT NOT NULL,
    purch_date DATE NOT NULL,
    purch_cost REAL NOT NULL,
    warranty_until DATE,
    emp_id INTEGER REFERENCES requester(emp_id),
    asset_status TEXT NOT NULL
);
CREATE TABLE ticket (
    ticket_no TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    opened_at DATETIME NOT NULL,
    first_resp_at DATETIME,
    resolved_at DATETIME,
    prio TEXT NOT NULL REFERENCES sla_target(prio),
    channel TEXT NOT NULL,
    status TEXT NOT NULL,
    category TEXT NOT NULL,
    subcat TEXT NOT NULL,
    requester_id INTEGER NOT NULL REFERENCES requester(emp_id),
    assigned_to INTEGER REFERENCES agent(agent_id),
    asset_tag TEXT REFERENCES asset(asset_tag),
    reopened INTEGER NOT NULL,
    csat INTEGER
);
CREATE TABLE work_log (
    log_id INTEGER PRIMARY KEY,
    ticket_no TEXT NOT NULL REFERENCES ticket(ticket_no),
    agent_id INTEGER NOT NULL REFERENCES agent(agent_id),
    logged_at DATETIME NOT NULL,
    act_type TEXT NOT NULL,
    mins INTEGER NOT NULL
);
