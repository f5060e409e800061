create table staff (
  staff_id text primary key,
  name text not null,
  role text,
  department text,
  specialty text,
  qualification_year integer,
  sex text
);
create table patients (
  patient_id text primary key,
  family_name text,
  given_name text,
  date_of_birth text,
  age integer,
  sex text,
  blood_type text,
  marital_status text,
  occupation text,
  city text,
  state text,
  insurance_type text,
  smoking_status text,
  alcohol_use text,
  height_cm real,
  weight_kg real,
  bmi real
);
create table encounters (
  encounter_id text primary key,
  patient_id text not null references patients (patient_id),
  encounter_type text,
  status text,
  department_id text,
  attending_physician_id text references staff (staff_id),
  admission_datetime text,
  discharge_datetime text,
  chief_complaint text,
  ward_id text,
  bed_number text,
  is_readmission integer,
  discharge_disposition text
);
create table diagnoses (
  encounter_id text primary key references encounters (encounter_id),
  patient_id text not null references patients (patient_id),
  discharge_diagnosis_code text,
  discharge_diagnosis_name text,
  condition_type text,
  complications text,
  deceased integer
);
create table procedures (
  procedure_no integer primary key,
  encounter_id text not null references encounters (encounter_id),
  patient_id text not null references patients (patient_id),
  procedure_name text,
  procedure_code text,
  start_datetime text,
  end_datetime text,
  duration_minutes integer,
  anesthesia_type text,
  asa_class integer,
  primary_surgeon_id text references staff (staff_id)
);
create table prescriptions (
  item_no integer primary key,
  encounter_id text not null references encounters (encounter_id),
  patient_id text not null references patients (patient_id),
  prescriber_id text references staff (staff_id),
  drug_name text,
  dose text,
  route text,
  duration_days integer
);
