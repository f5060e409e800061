CREATE TABLE dpt (
  dpt_id integer PRIMARY KEY,
  dpt_nm text,
  city text,
  ctry_cd text
);
CREATE TABLE cst (
  cst_id integer PRIMARY KEY,
  cst_nm text,
  seg text,
  ctry_cd text,
  since_dt text
);
CREATE TABLE sts (
  sts_cd text PRIMARY KEY,
  sts_txt text
);
CREATE TABLE svc (
  svc_cd text PRIMARY KEY,
  svc_nm text,
  max_days integer
);
CREATE TABLE drv (
  drv_id integer PRIMARY KEY,
  drv_nm text,
  dpt_id integer REFERENCES dpt (dpt_id),
  hire_dt text,
  veh_typ text
);
CREATE TABLE shp (
  shp_id integer PRIMARY KEY,
  cst_id integer REFERENCES cst (cst_id),
  orig_dpt_id integer REFERENCES dpt (dpt_id),
  dest_dpt_id integer REFERENCES dpt (dpt_id),
  svc_cd text REFERENCES svc (svc_cd),
  sts_cd text REFERENCES sts (sts_cd),
  drv_id integer REFERENCES drv (drv_id),
  crt_ts text,
  prom_dt text,
  dlv_ts text,
  wgt_kg real,
  chg_amt real,
  ins_flg integer
);
CREATE TABLE clm (
  clm_id integer PRIMARY KEY,
  shp_id integer REFERENCES shp (shp_id),
  clm_dt text,
  rsn text,
  clm_amt real,
  appr_flg integer
);
