create table accounts (
  account_id text primary key,
  company_name text,
  industry text,
  region text,
  employee_band text,
  estimated_revenue_band text,
  process_maturity_band text,
  created_at text
);
create table contacts (
  contact_id text primary key,
  account_id text not null references accounts (account_id),
  job_title text,
  role_function text,
  seniority text,
  buyer_role text,
  email_domain_type text,
  created_at text
);
create table leads (
  lead_id text primary key,
  contact_id text not null references contacts (contact_id),
  account_id text not null references accounts (account_id),
  lead_created_at text,
  lead_source text,
  first_touch_channel text,
  current_stage text,
  owner_rep_id text,
  is_sql integer,
  converted_within_90_days integer,
  conversion_timestamp text
);
create table opportunities (
  opportunity_id text primary key,
  lead_id text not null references leads (lead_id),
  created_at text,
  stage text,
  estimated_acv integer,
  close_outcome text,
  closed_at text
);
create table customers (
  customer_id text primary key,
  opportunity_id text not null references opportunities (opportunity_id),
  account_id text not null references accounts (account_id),
  customer_start_at text
);
create table subscriptions (
  subscription_id text primary key,
  customer_id text not null references customers (customer_id),
  plan_name text,
  subscription_start_at text,
  subscription_status text
);
create table touches (
  touch_id text primary key,
  lead_id text not null references leads (lead_id),
  touch_timestamp text,
  touch_type text,
  touch_channel text,
  touch_direction text
);
create table sales_activities (
  activity_id text primary key,
  lead_id text not null references leads (lead_id),
  rep_id text,
  activity_timestamp text,
  activity_type text,
  activity_outcome text
);
