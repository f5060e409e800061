//! Shared by every conversation with a model, on a workspace's page and in the assistant of dashboards: the input for
//! questions, the requests, and the drawing of answers while they arrive.

pub mod answer;
pub mod auto_scroll;
pub mod composer;
pub mod conversation;
pub mod figure;
pub mod icons;
pub mod stream;
pub mod turn;
pub mod wire;
