//! Learns how sure the built-in analyst may be of a reading, from the databases that it was made with: writes the table of weights
//! (`src/confidence/weights.rs`). Prints how many answers stay right and wrong with each threshold, each database with weights that were learned
//! without it. Takes some minutes.

mod confidence;
mod regression;
#[path = "../../tests/analyst/support/mod.rs"]
#[expect(dead_code, reason = "tests need more")]
mod support;

use std::io::Write as _;
use support::blind;
use tokio::task::JoinSet;

/// Answers that are right with a lower probability are not shown before the viewer has confirmed the reading. It was chosen by what this program
/// prints.
const SURE: f64 = 0.75;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> std::io::Result<()> {
    let mut asked = JoinSet::new();
    for name in blind::TUNED {
        asked.spawn(confidence::answered(name));
    }
    asked.spawn(confidence::answered_of_flights());
    let mut answers = asked.join_all().await.concat();
    answers.sort_by(|a, b| a.database.cmp(&b.database));
    let learned = confidence::learned(&answers);
    write!(std::io::stdout(), "{}", learned.curve(&answers))?;
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/confidence/weights.rs"), learned.table(SURE))
}
