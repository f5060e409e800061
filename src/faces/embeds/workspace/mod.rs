//! The page of a workspace, `/share/workspace/{project}/{workspace}`: parsing its address, collecting its data, answering its
//! questions and server functions.

mod address;
mod backend;
pub(super) mod drawn;
mod page;
pub mod stream;

pub use address::Address;

#[cfg(test)]
mod model_tests;
#[cfg(test)]
mod tests;
