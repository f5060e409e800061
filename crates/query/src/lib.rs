//! The only access to customers' data.
//!
//! A chart's SQL, whoever wrote it, is parsed, checked against an allow-list of statements, relations, functions and types, and
//! rewritten: every base table becomes a subquery of its visible columns and of the rows that the viewer's rule and the page's
//! filters allow, with properties and values as bound parameters. The printed SQL is parsed again and checked by code that does
//! not trust the rewriting. Then it runs read-only, with limits on time, rows and bytes. Everything else is an error without
//! rows.

mod address;
mod bind;
mod cache;
mod catalog;
mod column_names;
mod compare;
mod dialect;
mod drill_down;
mod engine;
mod error;
mod filters;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod lanes;
mod limits;
mod memory;
mod model;
mod name;
mod parsing;
mod property;
mod question;
mod rewrite;
mod rule;
mod schema;
mod shape;
mod source;
mod sources;
mod sql;

pub use address::{Addresses, InvalidPrivateSources, OwnStore, PrivateSources, RefusedAddress};
pub use cache::{AnswerCache, Answered, Fingerprint, KeptAnswer};
pub use catalog::{Catalog, RowAccess, Table};
pub use column_names::ColumnNames;
pub use dialect::parts::{AddressParts, PartProblem};
pub use drill_down::MarkCondition;
pub use engine::{
    DeclaredKey, DeclaredKeys, DeclaredReference, Engine, EngineOptions, Probed, RuleTrial, Sees, SourceTable, StrangersTable,
    Warning, questions_about,
};
pub use error::{Detail, QueryError};
pub use filters::Filter;
pub use lanes::{Lanes, NoPlace, Place, Share, Sizes};
pub use limits::Limits;
pub use memory::{Budget, Full, Meter, Room};
pub use model::{
    ComparedPeriod, Compiled, CompiledColumn, DimensionFilter, Draft, DraftInput, DraftNote, Model, ModelProblem, ModelTable,
    Narrowing, NoMeaning, Reach, Reference, TableDraft, TimeReach, check_model, compile, compile_narrowed, draft,
    name_of_number,
};
pub use parsing::Parsers;
pub use property::{Holder, InvalidPath, PropertyPath, SecurityContext};
pub use question::{WEEKDAYS, containment_sql, question_sql};
pub use rewrite::{Freshness, Query, Reading, Today, reading, tables_read};
pub use rule::{InvalidRule, Wanted, properties_read, unseen_value, validate_rule};
pub use shape::{Group, Lineage, Listing, Shape, shape};
pub use source::{DatabaseAuth, Source, SourceKind, SourceKindExt, SourceLimits, UnknownKind};
