//! The assistant over real rows: the demo's flights, databases and questions by others, and scripted language models.

mod blind;
mod causes;
mod doubt;
mod flights;
mod models;
mod moves;
mod next;
mod support;
mod surveys;
mod verified;
mod why;
