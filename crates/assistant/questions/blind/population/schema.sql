CREATE TABLE locations (
  LocID integer PRIMARY KEY,
  Location text,
  iso2c text,
  iso3c text,
  region_in_world text,
  continent text,
  surface_area integer
);
CREATE TABLE population (
  LocID integer NOT NULL REFERENCES locations (LocID),
  Year integer NOT NULL,
  Sex text NOT NULL,
  AgeGrp text NOT NULL,
  AgeGrpStart integer,
  Value integer,
  PRIMARY KEY (LocID, Year, Sex, AgeGrp)
);
CREATE TABLE wbd (
  LocID integer NOT NULL REFERENCES locations (LocID),
  year integer NOT NULL,
  rgdppc real,
  lifeexp real,
  hci real,
  PRIMARY KEY (LocID, year)
);
