//! The v1 face of dashboards. Ids in answers are v1 ids where there are some; requests take those of both generations.

pub mod lists;
pub mod migrated;
pub mod writes;
