CREATE TABLE clubs (
  id integer PRIMARY KEY,
  club_nm text,
  city text,
  sqm integer,
  opened text
);
CREATE TABLE plans (
  id integer PRIMARY KEY,
  plan_nm text,
  mthly_fee real,
  min_mths integer
);
CREATE TABLE members (
  id integer PRIMARY KEY,
  fname text,
  lname text,
  gender text,
  yob integer,
  home_club_id integer REFERENCES clubs (id),
  plan_id integer REFERENCES plans (id),
  src text,
  join_dt text,
  cancel_dt text
);
CREATE TABLE checkins (
  id integer PRIMARY KEY,
  member_id integer REFERENCES members (id),
  club_id integer REFERENCES clubs (id),
  ts text
);
CREATE TABLE classes (
  id integer PRIMARY KEY,
  cls_nm text,
  kind text,
  trainer text,
  cap integer,
  club_id integer REFERENCES clubs (id),
  wday text,
  start_tm text
);
CREATE TABLE bookings (
  id integer PRIMARY KEY,
  member_id integer REFERENCES members (id),
  class_id integer REFERENCES classes (id),
  cls_dt text,
  booked_at text,
  attended integer
);
CREATE TABLE payments (
  id integer PRIMARY KEY,
  member_id integer REFERENCES members (id),
  pay_dt text,
  amt real,
  meth text,
  status text
);
