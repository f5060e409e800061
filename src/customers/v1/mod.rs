//! The v1 endpoints of customers and project users.

mod embed_token;
mod users;

pub use embed_token::embed_token;
pub use users::change_user;
