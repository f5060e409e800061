//! Every error code of the API, with its status and what to do about it.

/// An error code.
#[derive(Debug)]
pub struct Code {
    /// Its text on the wire.
    pub name: &'static str,
    /// The status that it always comes with.
    pub status: u16,
    /// When it is answered.
    pub meaning: &'static str,
}

const fn code(status: u16, name: &'static str, meaning: &'static str) -> Code {
    Code { name, status, meaning }
}

/// Every code that an endpoint answers, by status.
pub const CODES: [Code; 36] = [
    code(
        400,
        "VALIDATION_FAILED",
        "A field, parameter or the body itself is missing or malformed; `details` tells each bad field.",
    ),
    code(400, "ORGANIZATION_ID_REQUIRED", "A user-scoped key or an identity provider's JWT needs `organizationId`."),
    code(401, "MISSING_CREDENTIALS", "No credential was sent."),
    code(401, "INVALID_API_KEY", "The API key is missing, mistyped or revoked."),
    code(401, "INVALID_TOKEN", "The token is not valid here, or who it was made for is gone."),
    code(401, "TOKEN_EXPIRED", "The token's lifetime is over."),
    code(401, "TOKEN_REVOKED", "The token was cut off before its end."),
    code(401, "TENANT_NOT_MIGRATED", "The migration has not mapped this tenant; request a new token from register-tenant."),
    code(403, "KEY_OWNER_NOT_PERMITTED", "The key's owner is no owner, admin or member of the organization."),
    code(403, "NOT_A_MEMBER", "The token's subject is no owner, admin or member of the organization."),
    code(
        403,
        "PROJECT_USER_WITHOUT_ORGANIZATION",
        "The user belongs to no project organization, so has no space for dashboards.",
    ),
    code(403, "VIEW_ONLY", "The user's role grants no editing."),
    code(403, "PERMISSION_DENIED", "The user's role grants editing, but not this; `details.permission` names the flag."),
    code(403, "NOT_DASHBOARD_OWNER", "The dashboard is a colleague's, who alone changes it."),
    code(403, "VIEWING_AS", "The token is of somebody who only looks at what the user sees (the console's View as)."),
    code(404, "NOT_FOUND", "What the request names does not exist, or not for this credential."),
    code(404, "PROJECT_NOT_FOUND", "The project does not exist or does not belong to the organization."),
    code(404, "USER_ROLE_NOT_FOUND", "The role was deleted or is another project's."),
    code(405, "METHOD_NOT_ALLOWED", "The path does not take this method."),
    code(409, "EXTERNAL_ID_TAKEN", "Another customer or user has this `externalId` or id."),
    code(409, "ROLE_NAME_TAKEN", "Another role of the project has this name."),
    code(409, "SHARED_DASHBOARD_READ_ONLY", "A user changes a shared dashboard; clone it and change the copy."),
    code(409, "WORKSPACE_NOT_PUBLISHED", "No version of the workspace is in production."),
    code(409, "ANSWER_IN_PROGRESS", "The thread's last question is still being answered."),
    code(409, "WEBHOOK_LIMIT", "The project has as many webhooks as it may have; delete one first."),
    code(410, "MIGRATED_TO_V2", "The migration is finalized; `details.endpoint` holds the v2 call, its ids filled in."),
    code(413, "BODY_TOO_LARGE", "The body is over the size limit, 1 MiB unless the operator set another."),
    code(415, "UNSUPPORTED_MEDIA_TYPE", "The body is not sent as `application/json`."),
    code(422, "QUERY_FAILED", "The source or the checks refused the query."),
    code(422, "ROW_RULE_UNRESOLVED", "A table has no row rule, or the rule reads a property that is missing or unusable."),
    code(429, "RATE_LIMITED", "Too many requests with this credential; wait as long as `Retry-After` says."),
    code(500, "INTERNAL", "A fault of the service; report the `x-request-id`."),
    code(503, "STORE_UNAVAILABLE", "The service cannot reach its store at the moment."),
    code(503, "IDENTITY_PROVIDER_UNAVAILABLE", "The identity provider's keys cannot be had at the moment."),
    code(503, "SOURCE_UNAVAILABLE", "The customer's database cannot be reached at the moment."),
    code(504, "QUERY_TIMEOUT", "The query took longer than its limit."),
];

/// A code by its text.
pub fn named(name: &str) -> Option<&'static Code> {
    CODES.iter().find(|code| code.name == name)
}
