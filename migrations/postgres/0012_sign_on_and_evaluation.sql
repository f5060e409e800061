-- Whether every address that a provider names counts as proven, because its people cannot choose theirs.
ALTER TABLE sign_in_providers ADD COLUMN trusts_addresses BOOLEAN NOT NULL DEFAULT FALSE;

-- Which of a provider's people (sub) a member is: kept when they first come, demanded afterwards.
CREATE TABLE sign_in_subjects (
    provider_id UUID NOT NULL REFERENCES sign_in_providers (id) ON DELETE CASCADE,
    member_id UUID NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    subject TEXT NOT NULL,
    PRIMARY KEY (provider_id, member_id),
    UNIQUE (provider_id, subject)
);

-- What evaluations of workspaces took on a day (UTC): the organization's, and none of its users'.
CREATE TABLE evaluation_usage (
    organization_id UUID NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    PRIMARY KEY (organization_id, day)
);
