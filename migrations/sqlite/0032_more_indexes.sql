-- What nobody needs of the attempts to sign in is deleted without reading all of them; somebody who guesses may have made many.
CREATE INDEX console_attempts_by_time ON console_attempts (last_at);

-- In an installation of many organizations these are not few.
CREATE INDEX identity_providers_by_issuer ON identity_providers (issuer, created_at, id);
CREATE INDEX language_models_within_organization ON language_models (organization_id);
CREATE INDEX sign_in_subjects_of_member ON sign_in_subjects (member_id);
