//! The v1 endpoints of customers and project users.

mod embed_token;
mod register;
mod user_token;
mod users;

pub use embed_token::embed_token;
pub use register::{register_organization, register_user};
pub use user_token::user_token;
pub use users::change_user;
