//! Shared by all HTTP endpoints: the response envelope, reading bodies and paths, middleware.

pub mod body;
pub mod middleware;
pub mod origin;
pub mod outbound;
pub mod packed;
pub mod paging;
pub mod path;
pub mod respond;
pub mod routing;
pub mod rows;

#[cfg(test)]
mod limits_tests;

pub use body::Body;
pub use path::Path;
pub use respond::Answer;
