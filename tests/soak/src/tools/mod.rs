//! What the scenarios are made of.

pub mod balancer;
pub mod cluster;
pub mod load;
pub mod node;
pub mod proxy;
pub mod site;
pub mod wire;
