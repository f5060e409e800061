//! What a card shows line by line, so that a page can end between two lines: a table's rows, a text's lines.

use std::ops::Range;

/// The lines of a card, as heights in CSS pixels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    /// The height around the lines: the title, a table's head, the padding.
    pub around: f32,
    /// The lines.
    pub lines: Vec<f32>,
    /// The height of what follows the last line: a table's total.
    pub tail: f32,
    /// The height of the tail when lines are left out: it says so.
    pub cut_tail: f32,
}

/// The lines of a card that one page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The lines.
    pub lines: Range<usize>,
    /// Whether no later page continues the card.
    pub last: bool,
}

impl Part {
    /// Every line.
    pub const ALL: Self = Self { lines: 0..usize::MAX, last: true };

    /// Whether an earlier page begins the card.
    pub const fn continues(&self) -> bool {
        self.lines.start > 0
    }
}

impl Run {
    /// The height with the lines from this one on.
    pub fn rest(&self, from: usize) -> f32 {
        self.height(from..self.lines.len()) + self.tail
    }

    /// The height with these lines, without the tail.
    pub fn height(&self, lines: Range<usize>) -> f32 {
        self.around + self.lines.get(lines).unwrap_or_default().iter().sum::<f32>()
    }

    /// The height of the first and only part.
    pub fn ends(&self, part: &Part) -> f32 {
        if part.lines.end < self.lines.len() { self.height(part.lines.clone()) + self.cut_tail } else { self.rest(0) }
    }

    /// The part that fits this height when no page continues the card.
    pub fn cut(&self, height: f32) -> Part {
        let all = self.lines.len();
        let shown = if self.rest(0) <= height + 0.5 { all } else { self.fitting(0, height - self.cut_tail) };
        Part { lines: 0..shown, last: true }
    }

    /// The part from this line on that fits this height when the next page continues the card. The next page has a line, too.
    pub fn begun(&self, from: usize, height: f32) -> Part {
        let last = self.lines.len().saturating_sub(1);
        let end = (from + self.fitting(from, height)).min(last).max(from + 1);
        Part { lines: from..end, last: false }
    }

    fn fitting(&self, from: usize, height: f32) -> usize {
        let mut room = height - self.around;
        let fits = |line: &&f32| {
            room -= **line;
            room > -0.5
        };
        self.lines.iter().skip(from).take_while(fits).count()
    }
}
