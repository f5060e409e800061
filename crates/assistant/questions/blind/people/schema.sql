create table dept (
  dept_id integer primary key,
  dept_nm text not null,
  div text,
  cost_ctr text,
  head_no integer references emp (emp_no),
  closed_on text
);
create table emp (
  emp_no integer primary key,
  fname text not null,
  lname text not null,
  dob text,
  sex text,
  site text,
  fte real,
  hired text not null,
  left_on text,
  left_rsn text
);
create table dept_hist (
  emp_no integer not null references emp (emp_no),
  dept_id integer not null references dept (dept_id),
  from_dt text not null,
  to_dt text,
  primary key (emp_no, from_dt)
);
create table job_hist (
  emp_no integer not null references emp (emp_no),
  job_title text not null,
  grade integer,
  from_dt text not null,
  to_dt text,
  primary key (emp_no, from_dt)
);
create table sal_hist (
  emp_no integer not null references emp (emp_no),
  from_dt text not null,
  to_dt text,
  sal integer not null,
  primary key (emp_no, from_dt)
);
create table absence (
  abs_id integer primary key,
  emp_no integer not null references emp (emp_no),
  kind text not null,
  first_day text not null,
  last_day text,
  days integer
);
create table training (
  trn_id integer primary key,
  emp_no integer not null references emp (emp_no),
  course text not null,
  src text,
  prov text,
  trn_dt text not null,
  hrs real,
  cost real,
  passed text
);
