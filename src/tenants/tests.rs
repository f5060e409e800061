//! Through the router, on both stores.
