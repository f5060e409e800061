-- Whether the host itself set the role of a tenant's user. Registrations no longer change it then.

ALTER TABLE tenants ADD COLUMN role_kept BOOLEAN NOT NULL DEFAULT FALSE;
