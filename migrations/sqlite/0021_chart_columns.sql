-- The columns that a chart's query gave when a version of it was saved, as a JSON array of names; null when it was not tried then.

ALTER TABLE chart_versions ADD COLUMN query_columns TEXT;
