//! Signing customers, users and tenants up ahead of their first sign-in.

pub mod customers;
pub mod tenants;
pub mod users;
