-- The short name under which an organization's people find its single sign-on; an owner chooses whether there is one.
ALTER TABLE organizations ADD COLUMN short_name TEXT;
CREATE UNIQUE INDEX organizations_by_short_name ON organizations (short_name);

-- How often a key may ask, in requests a second, where that is less than the service allows.
ALTER TABLE api_keys ADD COLUMN requests_per_second BIGINT;
