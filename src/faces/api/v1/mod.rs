//! `/v1/api`.

pub mod dashboards;
pub mod embed_token;
pub mod jwks;
pub mod migration;
pub mod register;
pub mod roles;
pub mod save_from_chat;
pub mod tenants;
pub mod user_token;
pub mod users;
pub mod workspaces;
