//! The v1 endpoints of customers and project users.
