//! What a page draws of a chart's rows, as the server prepares it.

#[cfg(feature = "ssr")]
pub mod written;

#[cfg(feature = "ssr")]
use inlay_contract::chart::picture::Picture;
use inlay_contract::chart::table::TableView;
use serde::{Deserialize, Serialize};

/// What a page draws for a chart's rows. HTML is written by the server, without any markup of a chart's author.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Drawing {
    /// An option of the chart library, as JSON.
    Option(String),
    /// A big number: the HTML in its `div`.
    Number(String),
    /// A table, which the page sorts.
    Table(TableView),
    /// A pivot table: the HTML in the element that it scrolls in.
    Pivot(String),
    /// Nothing: the rows have no value that the chart draws.
    Empty,
    /// A text, which needs no rows: the HTML in its `div`.
    Text(String),
}

#[cfg(feature = "ssr")]
impl Drawing {
    /// The drawing of a picture. `title` is the chart's.
    #[must_use]
    pub fn of(picture: Picture, title: &str) -> Self {
        match picture {
            Picture::Option(option) => Self::Option(option),
            Picture::Number(view) => Self::Number(written::html(written::number(view))),
            Picture::Table(view) => Self::Table(view),
            Picture::Pivot(view) => Self::Pivot(written::html(written::pivot(title, view))),
            Picture::Empty => Self::Empty,
        }
    }
}
