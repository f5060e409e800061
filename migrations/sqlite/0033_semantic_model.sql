-- What a table adds to the project's model: key, default time dimension, dimensions and measures. Null: nothing.
ALTER TABLE catalog_tables ADD COLUMN model TEXT;

-- Numbers made of measures, by name. Null: none.
ALTER TABLE projects ADD COLUMN metrics TEXT;
