CREATE TABLE slots (
  slot_id text PRIMARY KEY,
  appointment_date text,
  appointment_time text,
  is_available integer
);
CREATE TABLE patients (
  patient_id text PRIMARY KEY,
  name text,
  sex text,
  dob text
);
CREATE TABLE appointments (
  appointment_id text PRIMARY KEY,
  slot_id text REFERENCES slots (slot_id),
  scheduling_date text,
  appointment_date text,
  appointment_time text,
  scheduling_interval integer,
  status text,
  check_in_time text,
  appointment_duration real,
  start_time text,
  end_time text,
  waiting_time real,
  patient_id text REFERENCES patients (patient_id),
  sex text,
  age integer,
  age_group text
);
