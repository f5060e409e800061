//! The page of a workspace, `/share/workspace/{project}/{workspace}`: reading its address, gathering what it shows, answering its
//! questions and server functions.

mod address;
mod backend;
pub(super) mod drawn;
mod page;
pub mod stream;

pub use address::Address;

#[cfg(test)]
mod tests;
