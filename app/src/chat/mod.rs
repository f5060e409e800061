//! What every conversation with a model shares, the workspace's page and the assistant of dashboards alike: where questions
//! are written, how they are asked, and how answers are drawn as they are made.

pub mod answer;
pub mod asks;
pub mod composer;
pub mod figure;
pub mod follow;
pub mod icons;
pub mod stream;
pub mod turn;
pub mod wire;
