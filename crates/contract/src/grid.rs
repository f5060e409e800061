//! The grid of a dashboard. Project files, the console, the editor and the service share its limits.

/// Columns of the grid.
pub const COLUMNS: u16 = 12;
/// The highest chart, in rows of 40 px.
pub const TALLEST: u16 = 60;
/// The last row that a chart can reach.
const LOWEST: u16 = 10_000;

/// A chart's place on the grid. Rows are 40 px high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridPosition {
    /// Left edge, 0–11.
    pub x: u16,
    /// Top edge, in rows.
    pub y: u16,
    /// Width, 1–12.
    pub w: u16,
    /// Height, in rows.
    pub h: u16,
}

impl GridPosition {
    /// Checks that a chart fits on the grid.
    ///
    /// # Errors
    /// What is required, as text to follow the place's name.
    pub fn fits(self) -> Result<(), String> {
        let is_inside = |from: u16, size: u16, end: u16| from.checked_add(size).is_some_and(|to| to <= end);
        let fits = self.w >= 1
            && (1..=TALLEST).contains(&self.h)
            && is_inside(self.x, self.w, COLUMNS)
            && is_inside(self.y, self.h, LOWEST);
        let told = || {
            format!(
                "does not fit the grid: left (x) and width (w) are at most {COLUMNS} together, the width is at least 1, the \
                 height (h) from 1 to {TALLEST}, and nothing stands below row {LOWEST}"
            )
        };
        if fits { Ok(()) } else { Err(told()) }
    }

    /// Whether two charts overlap.
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        self.x < other.x + other.w && other.x < self.x + self.w && self.y < other.y + other.h && other.y < self.y + self.h
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_stands_within_the_columns_and_rows() {
        let place = |x, y, w, h| GridPosition { x, y, w, h };
        for inside in [place(0, 0, 12, 1), place(11, 0, 1, 60), place(0, 9_999, 1, 1)] {
            assert_eq!(inside.fits(), Ok(()), "{inside:?}");
        }
        for outside in [
            place(0, 0, 0, 1),
            place(0, 0, 1, 0),
            place(1, 0, 12, 1),
            place(0, 0, 1, 61),
            place(0, 10_000, 1, 1),
            place(u16::MAX, 0, 2, 1),
            place(0, u16::MAX, 1, 1),
        ] {
            let told = outside.fits().expect_err("outside");
            assert!(told.contains("12") && told.contains("60"), "{told}");
        }
    }
}
