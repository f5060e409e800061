CREATE TABLE depots (
  depot_id integer PRIMARY KEY,
  name text NOT NULL,
  city text NOT NULL,
  region text NOT NULL,
  country text NOT NULL,
  opened_on date NOT NULL
);
CREATE TABLE customers (
  cust_id integer PRIMARY KEY,
  cust_name text NOT NULL,
  industry text NOT NULL,
  country text NOT NULL,
  city text NOT NULL,
  since_dt date NOT NULL,
  pay_days integer NOT NULL
);
CREATE TABLE drivers (
  drv_id integer PRIMARY KEY,
  first_nm text NOT NULL,
  last_nm text NOT NULL,
  lic_cls text NOT NULL,
  hire_dt date NOT NULL,
  left_dt date,
  home_depot integer NOT NULL REFERENCES depots(depot_id)
);
CREATE TABLE trucks (
  truck_id integer PRIMARY KEY,
  plate text NOT NULL,
  make text NOT NULL,
  model text NOT NULL,
  model_yr integer NOT NULL,
  cap_kg integer NOT NULL,
  fuel_typ text NOT NULL,
  depot_id integer NOT NULL REFERENCES depots(depot_id)
);
CREATE TABLE shipments (
  shp_no integer PRIMARY KEY,
  cust_id integer NOT NULL REFERENCES customers(cust_id),
  orig_depot integer NOT NULL REFERENCES depots(depot_id),
  dest_city text NOT NULL,
  dest_ctry text NOT NULL,
  truck_id integer REFERENCES trucks(truck_id),
  drv_id integer REFERENCES drivers(drv_id),
  load_typ text NOT NULL,
  booked_on date NOT NULL,
  pu_plan datetime NOT NULL,
  pu_act datetime,
  dlv_plan datetime NOT NULL,
  dlv_act datetime,
  wt_kg integer,
  dist_km integer NOT NULL,
  price_eur real NOT NULL,
  status text NOT NULL,
  dmg_flag integer NOT NULL
);
CREATE TABLE fuel_log (
  fill_id integer PRIMARY KEY,
  truck_id integer NOT NULL REFERENCES trucks(truck_id),
  drv_id integer NOT NULL REFERENCES drivers(drv_id),
  filled_at datetime NOT NULL,
  litres real NOT NULL,
  cost_eur real NOT NULL,
  odo_km integer
);
CREATE TABLE workshop_visits (
  visit_id integer PRIMARY KEY,
  truck_id integer NOT NULL REFERENCES trucks(truck_id),
  in_dt date NOT NULL,
  out_dt date,
  kind text NOT NULL,
  workshop text NOT NULL,
  cost_eur real
);
