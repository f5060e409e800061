//! The v1 endpoints of customers and project users.

pub mod embed_token;
pub mod register;
pub mod user_token;
pub mod users;
