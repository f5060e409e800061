//! Inlay's API for a host's server: the calls that a host makes, with their types.
//!
//! ```no_run
//! # async fn page() -> Result<(), inlay_client::Error> {
//! use inlay_client::{Customer, Inlay, SignIn, User};
//!
//! let inlay = Inlay::new("https://inlay.example.com", "inlay_…")?;
//! // Customer and user come from the host's own session, never from the request.
//! let customer = Customer::new("ATL").property("airport", "ATL");
//! let signed_in = inlay.embed_token("0190…".parse().unwrap(), &SignIn::new(customer, User::new("maya"))).await?;
//! // The browser gets `signed_in.token` and `signed_in.expires_at`, nothing else.
//! # Ok(()) }
//! ```

mod client;
mod error;
mod list;
mod types;

pub use client::Inlay;
pub use error::{Error, Refusal};
pub use list::List;
pub use types::{Application, ChartData, Column, Customer, Dashboard, Lifetime, Role, RoleOfUser, SignIn, SignedIn, User};

/// The snippets of the documentation compile.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/clients.md")]
struct Documentation;
