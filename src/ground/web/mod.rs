//! What every HTTP face shares: the envelope, the reading of bodies and paths, the middleware.

pub mod body;
pub mod middleware;
pub mod origin;
pub mod outbound;
pub mod path;
pub mod respond;

#[cfg(test)]
mod limits_tests;

pub use body::Body;
pub use path::Path;
pub use respond::Answer;
