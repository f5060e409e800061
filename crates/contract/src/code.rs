//! The error codes of the service. One table defines their names, HTTP statuses and descriptions in the API documentation.

use serde::{Deserialize, Serialize, Serializer};
use std::{borrow::Cow, fmt};

/// The kind of a code: one for each HTTP status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 400: the request is malformed.
    Invalid,
    /// 401: the credential is missing or not valid.
    Unauthenticated,
    /// 403: the credential does not allow it.
    Forbidden,
    /// 404: it does not exist, or not for this caller.
    NotFound,
    /// 405: the path does not take the method.
    MethodNotAllowed,
    /// 409: it conflicts with what is stored.
    Conflict,
    /// 410: it is no longer served.
    Gone,
    /// 413: the body is too large.
    TooLarge,
    /// 415: the body is of another media type.
    UnsupportedMedia,
    /// 422: the request is well-formed and cannot be carried out.
    Unprocessable,
    /// 429: too many requests.
    RateLimited,
    /// 500: the service failed.
    Internal,
    /// 503: something that the service needs is not reachable.
    Unavailable,
    /// 504: a time limit was reached.
    Timeout,
}

/// The audience of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Callers of the public API. The API documentation lists these.
    Api,
    /// Embedded pages and their hosts.
    Page,
    /// Readers of an answer in the chat.
    Chat,
    /// Members in the console, and operators at the command line.
    Console,
}

/// The kind of a status. An unknown status does not compile.
macro_rules! kind {
    (400) => {
        Kind::Invalid
    };
    (401) => {
        Kind::Unauthenticated
    };
    (403) => {
        Kind::Forbidden
    };
    (404) => {
        Kind::NotFound
    };
    (405) => {
        Kind::MethodNotAllowed
    };
    (409) => {
        Kind::Conflict
    };
    (410) => {
        Kind::Gone
    };
    (413) => {
        Kind::TooLarge
    };
    (415) => {
        Kind::UnsupportedMedia
    };
    (422) => {
        Kind::Unprocessable
    };
    (429) => {
        Kind::RateLimited
    };
    (500) => {
        Kind::Internal
    };
    (503) => {
        Kind::Unavailable
    };
    (504) => {
        Kind::Timeout
    };
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $status:tt $face:ident),+ $(,)?) => {
        /// A stable error code for programs. Serialized by name. Deserialize a [`WireCode`] instead, which also accepts codes
        /// of newer servers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[doc = $doc])+ $variant),+
        }

        impl Code {
            /// All codes, ordered by status within each face.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its name on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// Its HTTP status. Codes that are only sent in messages or streams have the status that would fit.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status),+ }
            }

            /// Its kind.
            #[must_use]
            pub const fn kind(self) -> Kind {
                match self { $(Self::$variant => kind!($status)),+ }
            }

            /// When it occurs and what to do, as in the API documentation.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+).trim_ascii_start()),+ }
            }

            /// Its audience.
            #[must_use]
            pub const fn face(self) -> Face {
                match self { $(Self::$variant => Face::$face),+ }
            }

            /// The code with exactly this name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

codes! {
    /// A field, parameter or the body itself is missing or malformed; `details` lists each bad field.
    ValidationFailed "VALIDATION_FAILED" 400 Api,
    /// A user-scoped key or an identity provider's JWT needs `organizationId`.
    OrganizationIdRequired "ORGANIZATION_ID_REQUIRED" 400 Api,
    /// No credential was sent.
    MissingCredentials "MISSING_CREDENTIALS" 401 Api,
    /// The API key is missing, mistyped or revoked.
    InvalidApiKey "INVALID_API_KEY" 401 Api,
    /// The token is not valid here, or its user was deleted.
    InvalidToken "INVALID_TOKEN" 401 Api,
    /// The token has expired; request a new one.
    TokenExpired "TOKEN_EXPIRED" 401 Api,
    /// The token was revoked; request a new one.
    TokenRevoked "TOKEN_REVOKED" 401 Api,
    /// The migration has not mapped this tenant; request a new token from register-tenant.
    TenantNotMigrated "TENANT_NOT_MIGRATED" 401 Api,
    /// The key's owner is not an owner, admin or member of the organization.
    KeyOwnerNotPermitted "KEY_OWNER_NOT_PERMITTED" 403 Api,
    /// The token's subject is not an owner, admin or member of the organization.
    NotAMember "NOT_A_MEMBER" 403 Api,
    /// The user has no project organization, so they cannot have dashboards.
    ProjectUserWithoutOrganization "PROJECT_USER_WITHOUT_ORGANIZATION" 403 Api,
    /// The user's role does not allow editing.
    ViewOnly "VIEW_ONLY" 403 Api,
    /// The user's role allows editing, but not this; `details.permission` names the flag.
    PermissionDenied "PERMISSION_DENIED" 403 Api,
    /// The dashboard belongs to another user; only they can change it.
    NotDashboardOwner "NOT_DASHBOARD_OWNER" 403 Api,
    /// The token belongs to a member who views as the user in the console; it is read-only.
    ViewingAs "VIEWING_AS" 403 Api,
    /// The object does not exist, or this credential cannot access it.
    NotFound "NOT_FOUND" 404 Api,
    /// The project does not exist or does not belong to the organization.
    ProjectNotFound "PROJECT_NOT_FOUND" 404 Api,
    /// The role was deleted or is another project's.
    UserRoleNotFound "USER_ROLE_NOT_FOUND" 404 Api,
    /// The path does not take this method.
    MethodNotAllowed "METHOD_NOT_ALLOWED" 405 Api,
    /// Another customer or user has this `externalId` or id.
    ExternalIdTaken "EXTERNAL_ID_TAKEN" 409 Api,
    /// Another role of the project has this name.
    RoleNameTaken "ROLE_NAME_TAKEN" 409 Api,
    /// Users cannot change a shared dashboard; clone it and change the copy.
    SharedDashboardReadOnly "SHARED_DASHBOARD_READ_ONLY" 409 Api,
    /// No version of the workspace is in production.
    WorkspaceNotPublished "WORKSPACE_NOT_PUBLISHED" 409 Api,
    /// The thread's last question is still being answered.
    AnswerInProgress "ANSWER_IN_PROGRESS" 409 Api,
    /// The project has the maximum number of webhooks; delete one first.
    WebhookLimit "WEBHOOK_LIMIT" 409 Api,
    /// The migration is finalized; `details.endpoint` holds the v2 call, its ids filled in.
    MigratedToV2 "MIGRATED_TO_V2" 410 Api,
    /// The body is over the size limit, 1 MiB unless the operator set another.
    BodyTooLarge "BODY_TOO_LARGE" 413 Api,
    /// The body is not sent as `application/json`.
    UnsupportedMediaType "UNSUPPORTED_MEDIA_TYPE" 415 Api,
    /// The source or Inlay's checks refused the query.
    QueryFailed "QUERY_FAILED" 422 Api,
    /// A table has no row rule, or the rule reads a property that is missing or unusable.
    RowRuleUnresolved "ROW_RULE_UNRESOLVED" 422 Api,
    /// Too many requests with this credential; wait as long as `Retry-After` says.
    RateLimited "RATE_LIMITED" 429 Api,
    /// The service failed; report the `x-request-id`.
    Internal "INTERNAL" 500 Api,
    /// The service cannot reach its store at the moment.
    StoreUnavailable "STORE_UNAVAILABLE" 503 Api,
    /// The service is busy, or a page cannot be opened at the moment; try again after `Retry-After`.
    Unavailable "UNAVAILABLE" 503 Api,
    /// The identity provider's keys cannot be fetched at the moment.
    IdentityProviderUnavailable "IDENTITY_PROVIDER_UNAVAILABLE" 503 Api,
    /// The customer's database cannot be reached at the moment.
    SourceUnavailable "SOURCE_UNAVAILABLE" 503 Api,
    /// The query took longer than its limit.
    QueryTimeout "QUERY_TIMEOUT" 504 Api,

    /// A parameter of the address, or a filter that the host set, is unknown or not valid. The page ignores it.
    InvalidParameter "INVALID_PARAMETER" 400 Page,
    /// The page refused a token that the host sent, and keeps its current one.
    TokenRefused "TOKEN_REFUSED" 401 Page,
    /// Scheduled reports are turned off for the organization.
    ReportsDisabled "REPORTS_DISABLED" 403 Page,
    /// The dashboard was saved elsewhere after it was opened.
    DashboardChanged "DASHBOARD_CHANGED" 409 Page,
    /// Another dashboard of the application has this name.
    DashboardNameTaken "DASHBOARD_NAME_TAKEN" 409 Page,
    /// The user has the maximum number of reports; delete one first.
    ReportLimit "REPORT_LIMIT" 409 Page,
    /// The report is running already.
    ReportRunning "REPORT_RUNNING" 409 Page,
    /// The page shows a chart without data; the message says why.
    ChartFailed "CHART_FAILED" 422 Page,
    /// The rows of a chart cannot be drawn as this type of chart.
    ChartUnfit "CHART_UNFIT" 422 Page,
    /// The rows behind a mark of a chart cannot be listed.
    DrillUnavailable "DRILL_UNAVAILABLE" 422 Page,
    /// The values of a filter cannot be listed.
    FilterUnavailable "FILTER_UNAVAILABLE" 422 Page,
    /// No response reached the page.
    Unreachable "UNREACHABLE" 503 Page,

    /// The user's row access changed during the answer; ask again.
    AccessChanged "ACCESS_CHANGED" 409 Chat,
    /// The answer reached its limit of steps, tokens or time.
    LimitReached "LIMIT_REACHED" 422 Chat,
    /// The language model failed or broke off; ask again.
    ModelFailed "MODEL_FAILED" 503 Chat,

    /// The member's session has ended; sign in again.
    SignedOut "SIGNED_OUT" 401 Console,
    /// The sign-in through the organization's identity provider failed.
    SignInFailed "SIGN_IN_FAILED" 401 Console,
    /// The email address or the password is wrong.
    WrongCredentials "WRONG_CREDENTIALS" 401 Console,
    /// The form was not sent from the console.
    ForeignForm "FOREIGN_FORM" 403 Console,
    /// The form is older than the member's session; open it again.
    FormOutOfDate "FORM_OUT_OF_DATE" 403 Console,
    /// The member's role does not allow this.
    MemberNotPermitted "MEMBER_NOT_PERMITTED" 403 Console,
    /// Only the operator of the service can do this.
    OperatorRequired "OPERATOR_REQUIRED" 403 Console,
    /// Only an owner of the organization can do this.
    OwnerRequired "OWNER_REQUIRED" 403 Console,
    /// The member signed in through the organization's identity provider; this needs their password.
    SingleSignOn "SINGLE_SIGN_ON" 403 Console,
    /// The link was used, was withdrawn or has expired; ask for a new one.
    LinkSpent "LINK_SPENT" 404 Console,
    /// Another application of the project has this name.
    ApplicationNameTaken "APPLICATION_NAME_TAKEN" 409 Console,
    /// Another member changed this after the page was opened.
    ChangedMeanwhile "CHANGED_MEANWHILE" 409 Console,
    /// Another chart of the project's library has this name.
    ChartNameTaken "CHART_NAME_TAKEN" 409 Console,
    /// Charts or tables still use the connection.
    ConnectionInUse "CONNECTION_IN_USE" 409 Console,
    /// Another connection of the project has this name.
    ConnectionNameTaken "CONNECTION_NAME_TAKEN" 409 Console,
    /// The evaluation has ended already.
    EvaluationOver "EVALUATION_OVER" 409 Console,
    /// The project does not allow isolation checks.
    IsolationNotAllowed "ISOLATION_NOT_ALLOWED" 409 Console,
    /// The project does not allow key checks.
    KeyCheckNotAllowed "KEY_CHECK_NOT_ALLOWED" 409 Console,
    /// The version of the workspace answers worse than the one in production.
    AnswersFell "ANSWERS_FELL" 409 Console,
    /// The version of the workspace is being evaluated already.
    EvaluationUnderWay "EVALUATION_UNDER_WAY" 409 Console,
    /// The person has no password yet and is a member of another organization, where they choose one first.
    FirstPasswordElsewhere "FIRST_PASSWORD_ELSEWHERE" 409 Console,
    /// The organization would be left without an owner.
    LastOwner "LAST_OWNER" 409 Console,
    /// The person is a member already.
    MemberAlready "MEMBER_ALREADY" 409 Console,
    /// The person is also a member of other organizations, so this organization cannot change their password.
    MemberElsewhere "MEMBER_ELSEWHERE" 409 Console,
    /// The member was removed after the page was opened.
    MemberGone "MEMBER_GONE" 409 Console,
    /// Tenants of the first generation are not mapped to customers yet, so the migration cannot be finalized.
    MigrationIncomplete "MIGRATION_INCOMPLETE" 409 Console,
    /// No published version comes before the one in production.
    NoEarlierVersion "NO_EARLIER_VERSION" 409 Console,
    /// The row rule reads a property that no customer or user has. Sent again with `details.unknown` confirmed, it is saved.
    PropertyUnknown "PROPERTY_UNKNOWN" 409 Console,
    /// Another project of the organization has this name.
    ProjectNameTaken "PROJECT_NAME_TAKEN" 409 Console,
    /// The service has its first owner already.
    SetUpAlready "SET_UP_ALREADY" 409 Console,
    /// Another organization has this short name.
    ShortNameTaken "SHORT_NAME_TAKEN" 409 Console,
    /// Something still uses what was to be deleted or hidden; `details.uses` lists it.
    StillUsed "STILL_USED" 409 Console,
    /// The table is listed already.
    TableListed "TABLE_LISTED" 409 Console,
    /// The organization runs the maximum number of evaluations.
    TooManyEvaluations "TOO_MANY_EVALUATIONS" 409 Console,
    /// The version of the workspace is a draft; publish it first.
    VersionNotPublished "VERSION_NOT_PUBLISHED" 409 Console,
    /// The workspace is in production.
    WorkspaceInProduction "WORKSPACE_IN_PRODUCTION" 409 Console,
    /// Another workspace of the project has this name.
    WorkspaceNameTaken "WORKSPACE_NAME_TAKEN" 409 Console,
    /// The customer's database refused the connection.
    ConnectionRefused "CONNECTION_REFUSED" 422 Console,
    /// The language model does not answer with these settings.
    ModelRefused "MODEL_REFUSED" 422 Console,
    /// Too many failed sign-ins; wait as long as `Retry-After` says.
    TooManyAttempts "TOO_MANY_ATTEMPTS" 429 Console,
    /// The evaluation reached its time limit.
    EvaluationTimeout "EVALUATION_TIMEOUT" 504 Console,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A received code. It may be one of a newer server that this build does not know.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WireCode(Cow<'static, str>);

impl WireCode {
    /// Its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The code, if this build knows it.
    #[must_use]
    pub fn known(&self) -> Option<Code> {
        Code::named(&self.0)
    }

    /// Its HTTP status. 500 for an unknown code.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.known().unwrap_or(Code::Internal).status()
    }
}

impl From<Code> for WireCode {
    fn from(code: Code) -> Self {
        Self(Cow::Borrowed(code.as_str()))
    }
}

// Compared as text, so that a page that checks a few codes does not contain the whole table.
impl PartialEq<Code> for WireCode {
    fn eq(&self, code: &Code) -> bool {
        self.0 == code.as_str()
    }
}

impl fmt::Display for WireCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_value, json, to_value};
    use std::collections::BTreeSet;

    #[test]
    fn each_code_has_its_own_upper_case_name() {
        let names: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for code in Code::ALL {
            let spelled: String = format!("{code:?}")
                .chars()
                .enumerate()
                .flat_map(|(at, letter)| {
                    (at > 0 && letter.is_uppercase()).then_some('_').into_iter().chain(letter.to_uppercase())
                })
                .collect();
            assert_eq!(code.as_str(), spelled);
            assert!(code.meaning().ends_with('.') && !code.meaning().contains("  "), "{code}: {}", code.meaning());
        }
    }

    #[test]
    fn a_code_is_found_by_its_name_and_by_nothing_else() {
        for code in Code::ALL {
            assert_eq!(Code::named(code.as_str()), Some(*code));
        }
        for other in ["", "not_found", "NOT_FOUND ", "NotFound", "OF_A_NEWER_SERVER"] {
            assert_eq!(Code::named(other), None, "{other}");
        }
    }

    #[test]
    fn a_code_travels_as_its_name() {
        for code in Code::ALL {
            assert_eq!(to_value(code).expect("text"), json!(code.as_str()));
            let read: WireCode = from_value(json!(code.as_str())).expect("a code");
            assert_eq!((read.known(), read.status(), &read), (Some(*code), code.status(), &WireCode::from(*code)));
            assert_eq!(read, *code);
        }
    }

    #[test]
    fn a_code_of_a_newer_server_is_kept_and_is_none_of_ours() {
        let read: WireCode = from_value(json!("OF_A_NEWER_SERVER")).expect("a code");
        assert_eq!((read.as_str(), read.known(), read.status()), ("OF_A_NEWER_SERVER", None, 500));
        assert!(Code::ALL.iter().all(|code| read != *code));
        assert_eq!(to_value(&read).expect("text"), json!("OF_A_NEWER_SERVER"));
        assert!(from_value::<WireCode>(json!(404)).is_err());
    }

    #[test]
    fn kinds_are_statuses() {
        for code in Code::ALL {
            for other in Code::ALL {
                assert_eq!(code.kind() == other.kind(), code.status() == other.status(), "{code} and {other}");
            }
        }
    }
}
