//! Rows of a database, as text.

use super::{html::Html, numbers::Style, parts};

/// Some rows of a database.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The columns: name, and whether they are numeric.
    pub columns: Vec<(String, bool)>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Sheet {
    /// The names of the columns.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Draws it.
    #[must_use]
    pub fn draw(&self, caption: &str) -> Html {
        let style = |(at, (name, numeric)): (usize, &(String, bool))| {
            numeric.then(|| Style::of(name, self.rows.iter().filter_map(|row| row.get(at).map(String::as_str))))
        };
        let styles: Vec<_> = self.columns.iter().enumerate().map(style).collect();
        let cell = |(text, style): (&String, &Option<Style>)| {
            parts::text(style.map_or_else(|| text.clone(), |style| style.write(text)))
        };
        let row = |row: &Vec<String>| row.iter().zip(&styles).map(cell).collect();
        parts::data(caption, self.columns.clone(), self.rows.iter().map(row).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leptos::prelude::*;

    #[test]
    fn numbers_stand_on_the_right_with_their_heading() {
        let column = |name: &str, numeric| (name.to_owned(), numeric);
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let sheet = Sheet {
            columns: vec![column("region", false), column("amount", true), column("code", false)],
            rows: vec![row(["north", "10464", "10464"])],
        };
        let owner = Owner::new();
        let html = owner.with(|| sheet.draw("Rows").to_html());
        owner.cleanup();
        assert!(html.contains("10,464") && html.contains(">10464"), "text stays as it is: {html}");
        assert_eq!(html.matches("class=\"num\"").count(), 2, "{html}");
    }
}
