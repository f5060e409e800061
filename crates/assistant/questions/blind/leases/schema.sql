CREATE TABLE property_manager (
  id integer PRIMARY KEY,
  full_name text,
  hired_on text
);
CREATE TABLE building (
  id integer PRIMARY KEY,
  name text,
  city text,
  state text,
  built_year integer,
  manager_id integer REFERENCES property_manager (id)
);
CREATE TABLE unit (
  id integer PRIMARY KEY,
  building_id integer REFERENCES building (id),
  unit_no text,
  bedrooms integer,
  sq_ft integer,
  floor integer,
  market_rent_cents integer
);
CREATE TABLE lease_status (
  code integer PRIMARY KEY,
  description text
);
CREATE TABLE tenant (
  id integer PRIMARY KEY,
  full_name text,
  credit_score integer,
  has_pet integer
);
CREATE TABLE lease (
  id integer PRIMARY KEY,
  unit_id integer REFERENCES unit (id),
  tenant_id integer REFERENCES tenant (id),
  start_date text,
  end_date text,
  moved_out_on text,
  monthly_rent_cents integer,
  deposit_cents integer,
  status_code integer REFERENCES lease_status (code)
);
CREATE TABLE rent_payment (
  id integer PRIMARY KEY,
  lease_id integer REFERENCES lease (id),
  due_date text,
  paid_date text,
  amount_cents integer,
  method text
);
CREATE TABLE vendor (
  id integer PRIMARY KEY,
  company text,
  trade text
);
CREATE TABLE work_order (
  id integer PRIMARY KEY,
  unit_id integer REFERENCES unit (id),
  vendor_id integer REFERENCES vendor (id),
  category text,
  priority integer,
  opened_at integer,
  closed_at integer,
  cost_cents integer
);
