//! What each scenario promises and what was seen, as a table.

use std::{fmt::Write, fs, io, path::Path, time::Duration};

/// One promise, held or not.
#[derive(Clone, Debug)]
pub struct Row {
    pub scenario: String,
    pub promise: String,
    pub seen: String,
    pub held: bool,
    /// Whether it is about time, so that a busy machine may spoil it: the quick suite tries once more.
    pub timed: bool,
}

impl Row {
    /// A promise about what happens.
    pub fn fact(scenario: impl Into<String>, promise: impl Into<String>, seen: impl Into<String>, held: bool) -> Self {
        // Where no faults were seen, their list is empty.
        let seen = seen.into().replace(" ,", ",").replace(" ;", ";").trim_end().to_owned();
        Self { scenario: scenario.into(), promise: promise.into(), seen, held, timed: false }
    }

    /// A promise about how long something takes.
    pub fn timed(scenario: impl Into<String>, promise: impl Into<String>, seen: impl Into<String>, held: bool) -> Self {
        Self { timed: true, ..Self::fact(scenario, promise, seen, held) }
    }

    /// What is printed when its scenario has ended. `scripts/test` repeats the lines that begin with `Failed: ` at its own end,
    /// so each of them says all that is known.
    pub fn line(&self, test: &str) -> String {
        let Self { scenario, promise, seen, held, .. } = self;
        let state = if *held { "  held" } else { "Failed" };
        format!("{state}: {test} ({scenario}): {promise}: {}", seen.replace('\n', " "))
    }

    fn state(&self) -> &'static str {
        if self.held { "held" } else { "**not held**" }
    }
}

/// A time as people read it.
pub fn show(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1000.0;
    match milliseconds {
        ..10.0 => format!("{milliseconds:.1} ms"),
        ..10_000.0 => format!("{milliseconds:.0} ms"),
        _ => format!("{:.1} s", milliseconds / 1000.0),
    }
}

/// The rows of one scenario, with the name that runs it alone.
pub type Part = (&'static str, Vec<Row>);

/// The table as Markdown.
pub fn table(parts: &[Part]) -> String {
    let mut text = "| scenario | promised | seen | | test |\n|---|---|---|---|---|\n".to_owned();
    for (test, rows) in parts {
        for row in rows {
            let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
            let (scenario, promise, seen) = (cell(&row.scenario), cell(&row.promise), cell(&row.seen));
            let _ = writeln!(text, "| {scenario} | {promise} | {seen} | {} | `{test}` |", row.state());
        }
    }
    text
}

/// Held, not held.
pub fn counts(parts: &[Part]) -> (usize, usize) {
    let rows = parts.iter().flat_map(|(_, rows)| rows);
    let held = rows.clone().filter(|row| row.held).count();
    (held, rows.count() - held)
}

/// Writes the guide that shows the table.
pub fn write(path: &Path, machine: &str, parts: &[Part]) -> io::Result<()> {
    let (held, failed) = counts(parts);
    let text = format!(
        "# Faults and load\n\n\
         What Inlay promises when something around it fails, and what was seen.\n\
         `make soak` made this table; each line is measured over the real program, on this machine's loopback.\n\
         `scripts/soak NAME` runs the scenarios of one name in the last column. The quick half runs in `make test`, with generous limits of time.\n\n\
         {machine}\n\
         Times depend on the machine: ratios, refusals and memory count. {held} promises held, {failed} did not.\n\n{}",
        table(parts)
    );
    fs::write(path, text)
}
