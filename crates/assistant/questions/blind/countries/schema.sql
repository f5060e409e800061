create table countries (
  Country text primary key,
  "Group" text not null,
  ID text,
  capital text,
  area real,
  landlocked integer
);
create table indicators (
  country text not null references countries (Country),
  year integer not null,
  fertility real,
  life_expectancy real,
  population integer,
  primary key (country, year)
);
create table emissions (
  country text not null references countries (Country),
  year integer not null,
  emissions real,
  primary key (country, year)
);
