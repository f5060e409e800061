//! Warnings about a connection: rights of its role that it does not need, or that bypass the database's own row security.

use super::Engine;
use crate::{
    catalog::Catalog,
    dialect::{Roles, dialect},
    error::QueryError,
    name::TableKey,
    source::Source,
    sources::{Role, TableRights},
};
use futures::FutureExt as _;

/// A warning about a connection.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Warning {
    /// The table. `None` means the whole connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// A sentence for the operator.
    pub message: String,
}

impl Warning {
    fn of_connection(message: &str) -> Self {
        Self { table: None, message: message.to_owned() }
    }
}

impl Engine {
    /// The warnings about a connection with this catalogue. Empty for databases without roles.
    ///
    /// # Errors
    /// [`QueryError::SourceUnavailable`], or the source does not report rights.
    pub async fn audit(&self, source: &Source, catalog: &Catalog) -> Result<Vec<Warning>, QueryError> {
        async move {
            if dialect(source.kind).roles() == Roles::Unknown {
                return Ok(Vec::new());
            }
            let limits = self.0.limits_of(source);
            let held = self.0.connections.of(source, &limits).await?;
            let key = |name: &str| TableKey::spelled(source.kind, name).map(|key| (name.to_owned(), key));
            let tables = catalog.tables().iter().filter_map(|table| key(&table.name)).collect();
            let (role, tables) = held.pool.rights(tables, &limits).await?;
            Ok(warnings(role, tables, source.database_auth.is_some()))
        }
        .boxed()
        .await
    }
}

/// The warnings about a role's rights. `relies`: the connection passes `dbAuthToken` to the database's own row security.
fn warnings(role: Role, tables: Vec<(String, TableRights)>, relies: bool) -> Vec<Warning> {
    let mut found = Vec::new();
    if role.is_superuser {
        found.push(Warning::of_connection(
            "its role is a superuser: the database's own row security does not apply to it. Use a role that can only read the listed tables",
        ));
    } else if role.bypasses_row_security {
        found.push(Warning::of_connection(
            "its role has BYPASSRLS: the database's own row security does not apply to it. Use a role without it",
        ));
    }
    for (name, rights) in tables {
        let mut of_table = |message: &str| found.push(Warning { table: Some(name.clone()), message: message.to_owned() });
        // A superuser has all of the following rights, and that warning is already there.
        if !role.is_superuser {
            if rights.owns && relies && !rights.forces_row_security {
                of_table("its role owns the table, so the table's row security does not apply to it. Use another role");
            } else if rights.owns {
                of_table("its role owns the table and can change it. Use a read-only role");
            }
            if rights.may_write && !rights.owns {
                of_table("its role can change the table's rows. Grant it SELECT only");
            }
        }
        if relies && rights.is_view && !rights.asks_as_caller {
            of_table("the view reads with its owner's rights, so the owner's row security applies. Set security_invoker on it");
        } else if relies && !rights.is_view && !rights.has_row_security {
            of_table("the connection uses databaseAuth, but the table has no row security: every user gets all its rows");
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const READER: Role = Role { is_superuser: false, bypasses_row_security: false };
    const GUARDED: TableRights = TableRights {
        owns: false,
        may_write: false,
        is_view: false,
        asks_as_caller: false,
        has_row_security: true,
        forces_row_security: false,
    };

    fn told(role: Role, rights: TableRights, relies: bool) -> Vec<String> {
        let told = warnings(role, vec![("orders".to_owned(), rights)], relies);
        told.into_iter().map(|warning| warning.message).collect()
    }

    #[test]
    fn a_reader_of_guarded_tables_is_as_it_should_be() {
        assert_eq!(told(READER, GUARDED, true), [""; 0]);
        assert_eq!(told(READER, TableRights { has_row_security: false, ..GUARDED }, false), [""; 0]);
        assert_eq!(told(READER, TableRights { is_view: true, asks_as_caller: true, ..GUARDED }, true), [""; 0]);
    }

    #[test]
    fn each_right_too_many_is_told_once() {
        for (role, rights, relies, word) in [
            (Role { is_superuser: true, bypasses_row_security: true }, GUARDED, true, "superuser"),
            (Role { bypasses_row_security: true, ..READER }, GUARDED, false, "BYPASSRLS"),
            (READER, TableRights { owns: true, may_write: true, ..GUARDED }, true, "does not apply"),
            (READER, TableRights { owns: true, may_write: true, ..GUARDED }, false, "owns"),
            (READER, TableRights { owns: true, forces_row_security: true, ..GUARDED }, true, "owns"),
            (READER, TableRights { may_write: true, ..GUARDED }, true, "SELECT only"),
            (READER, TableRights { has_row_security: false, ..GUARDED }, true, "no row security"),
            (READER, TableRights { is_view: true, has_row_security: false, ..GUARDED }, true, "security_invoker"),
        ] {
            let told = told(role, rights, relies);
            assert!(told.len() == 1 && told[0].contains(word), "{word}: {told:?}");
        }
    }
}
