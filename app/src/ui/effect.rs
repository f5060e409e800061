//! Effects, compiled once. `Effect::new` is compiled again for each closure, with all that runs it; here only the closures are.

use leptos::prelude::Effect;

/// Runs a function once the page answers to input, and again whenever what it read has changed.
pub fn effect(run: impl FnMut() + 'static) {
    start(Box::new(run));
}

fn start(run: Box<dyn FnMut()>) {
    Effect::new(run);
}
