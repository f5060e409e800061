//! The harness of the integration tests: the real router with a real store and a real source, in this process.
//! `on_both_stores!` runs each test on SQLite and on PostgreSQL.

mod described;
pub(crate) mod endpoints;
pub(crate) mod growth;
mod mail_server;
mod overlap;
mod parses;
mod refusals;
pub(crate) mod rows;
mod source;
mod statements;
mod store;
pub(crate) mod subscriber;
mod world;

use inlay_render::Renderer;
use std::sync::LazyLock;

pub(crate) use mail_server::{MailServer, Taken};
pub(crate) use overlap::overlapped;
pub(crate) use parses::Parses;
pub(crate) use refusals::{bad_fields, refusals};
pub(crate) use source::{ACME, GLOBEX, ids_of};
pub(crate) use statements::{Asked, Statements};
pub(crate) use store::{StoreKind, address as new_store};
pub(crate) use world::{Reply, World};

/// One renderer for all tests. Each engine loads the chart runtime, which took a third of the tests' time.
pub(crate) fn renderer() -> Renderer {
    static RENDERER: LazyLock<Renderer> = LazyLock::new(Renderer::start);
    RENDERER.clone()
}

/// Declares tests that run once on each store, each with a new [`World`].
macro_rules! on_both_stores {
    ($($(#[$doc:meta])* async fn $name:ident($world:ident) $body:block)+) => {
        $(async fn $name($world: $crate::testing::World) $body)+

        mod on_sqlite {
            $($(#[$doc])* #[tokio::test] async fn $name() {
                super::$name($crate::testing::World::new($crate::testing::StoreKind::Sqlite).await).await;
            })+
        }

        mod on_postgres {
            $($(#[$doc])* #[tokio::test] async fn $name() {
                super::$name($crate::testing::World::new($crate::testing::StoreKind::Postgres).await).await;
            })+
        }
    };
}
pub(crate) use on_both_stores;
