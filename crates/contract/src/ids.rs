//! Ids as separate types, so that a dashboard's id cannot be passed as a chart's. On the wire they are UUIDs in lower case; any
//! version and case is accepted (docs/spec/contract.md, section 1).

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        #[cfg_attr(feature = "sqlx", derive(sqlx::Type), sqlx(transparent))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub struct $name(pub uuid::Uuid);

        impl $name {
            /// A new id (UUIDv7, which sorts by creation time).
            #[must_use]
            pub fn generate() -> Self {
                Self(uuid::Uuid::now_v7())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.as_hyphenated().fmt(f)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )+};
}

id! {
    /// An organization of the operator: owns API keys and projects.
    OrganizationId,
    /// A membership of an organization.
    MemberId,
    /// A person who can be a member of several organizations.
    AccountId,
    /// An API key.
    ApiKeyId,
    /// An external identity provider that an organization trusts.
    IdentityProviderId,
    /// A project: the scope of customers, roles, connections, applications.
    ProjectId,
    /// A customer of the host product (the specification's project organization).
    CustomerId,
    /// An end user of the host product.
    ProjectUserId,
    /// A project user role.
    RoleId,
    /// A connection to a customer's database.
    ConnectionId,
    /// A table that project users can query.
    TableId,
    /// A chart, in the library or on a dashboard.
    ChartId,
    /// An application: dashboards with navigation.
    ApplicationId,
    /// A dashboard.
    DashboardId,
    /// A user's saved view of a dashboard.
    SavedViewId,
    /// A workspace: the AI chat over a connection.
    WorkspaceId,
    /// A v1 agent, which a workspace replaces.
    AgentId,
    /// A v1 tenant.
    TenantId,
    /// A conversation in a workspace.
    ThreadId,
    /// A question or an answer in a conversation.
    MessageId,
    /// A chart of an answer that the user pinned.
    PinId,
    /// A language model that answers for an organization.
    ModelId,
    /// A scheduled report, or an alert.
    ReportId,
    /// A run of a report.
    RunId,
    /// A webhook.
    WebhookId,
}
