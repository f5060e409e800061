//! The v1 endpoints of dashboards. Responses hold v1 ids where they exist; requests accept v1 and v2 ids.

pub mod lists;
pub mod migrated;
pub mod writes;
