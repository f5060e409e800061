//! The ways to customers' data. Each file that asks the query engine is listed with the ways that cover it (`ways_tests.rs`),
//! and a way that is added here does not compile until `rounds.rs` says how it is checked.

macro_rules! ways {
    ($($(#[$doc:meta])* $way:ident $name:literal $says:literal,)+) => {
        /// A way to customers' data.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Way {
            $($(#[$doc])* $way,)+
        }

        impl Way {
            /// All ways, in the order in which they are asked.
            pub const ALL: &'static [Self] = &[$(Self::$way),+];

            /// Its name in results.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$way => $name,)+
                }
            }
        }

        /// What people read for the name of a way. A way of another version is shown by its name.
        #[must_use]
        pub fn says(name: &str) -> &str {
            match name {
                $($name => $says,)+
                other => other,
            }
        }
    };
}

ways! {
    /// Each table of the catalogue by itself.
    Table "table" "Tables",
    /// `Test as…` and `inlay rule test`.
    RuleTest "ruleTest" "Tests of row rules",
    /// The rows of a chart: on a page, after a filter, through the API, for the assistant of a dashboard.
    Chart "chart" "Charts",
    /// The rows behind a mark, and their breakdown.
    DrillDown "drillDown" "Drill-down",
    /// The rows of a chart as an Excel workbook. Pages make CSV files of the rows that they show.
    Workbook "workbook" "Excel files",
    /// The preview of a chart with its own SQL.
    ChartPreview "chartPreview" "Previews of SQL",
    /// Measures and metrics of the semantic model, through the API.
    ModelQuery "modelQuery" "Queries of the model",
    /// The values that a filter offers.
    FilterValues "filterValues" "Filter values",
    /// The first and the last day with data, which a page offers where a period has none, and up to which it compares.
    Days "days" "Days with data",
    /// The first HTML of a dashboard.
    Page "page" "Pages",
    /// The dashboard of a report, read anew, and of a PDF.
    Report "report" "Reports and PDF files",
    /// The queries of the analyst and of language models.
    Analyst "analyst" "Questions in workspaces",
    /// The values that they match words with.
    AnalystValues "analystValues" "Values in workspaces",
}

#[cfg(test)]
#[path = "ways_tests.rs"]
mod tests;
