//! Whole lives of hosts, over the real binary, on SQLite and on PostgreSQL: what a host's backend calls, what its users' pages
//! call, and what an operator runs beside them. `scripts/with-postgres cargo test -p inlay --test lives` runs them.

mod page;
mod service;
mod v1_calls;
mod v1_host;
mod v2_host;

use service::{Service, Store};

/// Runs each life on both stores.
macro_rules! lives {
    ($($(#[$doc:meta])* $name:ident: $life:path),+ $(,)?) => {
        mod on_sqlite {
            $($(#[$doc])* #[tokio::test(flavor = "multi_thread")] async fn $name() {
                $life(super::Service::start(super::Store::Sqlite).await).await;
            })+
        }

        mod on_postgres {
            $($(#[$doc])* #[tokio::test(flavor = "multi_thread")] async fn $name() {
                $life(super::Service::start(super::Store::Postgres).await).await;
            })+
        }
    };
}

lives! {
    /// From a component's host through the migration to a host that calls v2 alone.
    a_v1_host_becomes_a_v2_host: super::v1_host::life,
    /// From the first sign-in to the deletion of the project.
    a_v2_host_lives_from_first_sign_in_to_deletion: super::v2_host::life,
}
