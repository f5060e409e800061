//! The tables of a model with the joins between them. Each table stands to the right of all tables that refer to it.

use super::{Table, anchor};
use crate::ui::html::{Html, IntoHtml};
use leptos::prelude::*;

/// The size of a table, in px.
const WIDTH: usize = 208;
const HEIGHT: usize = 56;
/// The space between columns and rows of tables.
const ACROSS: usize = 96;
const DOWN: usize = 20;
/// Space for the outline and the focus ring.
const EDGE: usize = 6;
/// The most letters of a table's label and of its second line.
const LABEL: usize = 24;
const NOTE: usize = 30;

/// Where the tables stand: column and row.
#[derive(Debug, PartialEq, Eq)]
struct Layout {
    places: Vec<(usize, usize)>,
    /// From a table to one that it refers to, with the columns.
    joins: Vec<(usize, usize, String)>,
}

impl Layout {
    fn of(tables: &[Table]) -> Self {
        let place = |name: &str| tables.iter().position(|table| table.name == name);
        let mut joins: Vec<(usize, usize, String)> = Vec::new();
        for (from, table) in tables.iter().enumerate() {
            for (column, to) in &table.references {
                let Some(to) = place(to).filter(|to| *to != from) else { continue };
                match joins.iter_mut().find(|(known, target, _)| (*known, *target) == (from, to)) {
                    Some((.., columns)) => columns.extend([", ", column]),
                    None => joins.push((from, to, column.clone())),
                }
            }
        }
        let columns = columns(tables.len(), &joins);
        let mut rows = vec![0; tables.len()];
        let places = columns.iter().map(|column| {
            let row = rows[*column];
            rows[*column] += 1;
            (*column, row)
        });
        Self { places: places.collect(), joins }
    }

    fn size(&self) -> (usize, usize) {
        let columns = self.places.iter().map(|(column, _)| column + 1).max().unwrap_or_default();
        let rows = self.places.iter().map(|(_, row)| row + 1).max().unwrap_or_default();
        (columns * (WIDTH + ACROSS) - ACROSS + 2 * EDGE, rows * (HEIGHT + DOWN) - DOWN + 2 * EDGE)
    }
}

/// The column of each table: right of all tables that refer to it. Joins that close a circle do not count.
fn columns(tables: usize, joins: &[(usize, usize, String)]) -> Vec<usize> {
    let mut all = vec![Vec::new(); tables];
    joins.iter().for_each(|(from, to, _)| all[*from].push(*to));
    let mut search = Search { met: vec![None; tables], onward: vec![Vec::new(); tables], done: Vec::new() };
    (0..tables).for_each(|table| search.visit(&all, table));
    let mut columns = vec![0; tables];
    // A table is done after all that it refers to.
    for from in search.done.into_iter().rev() {
        for to in &search.onward[from] {
            columns[*to] = columns[*to].max(columns[from] + 1);
        }
    }
    columns
}

/// A walk along the joins.
struct Search {
    /// Whether a table is on the path to the present one, or done.
    met: Vec<Option<bool>>,
    /// The joins that close no circle.
    onward: Vec<Vec<usize>>,
    done: Vec<usize>,
}

impl Search {
    fn visit(&mut self, joins: &[Vec<usize>], from: usize) {
        if self.met[from].is_some() {
            return;
        }
        self.met[from] = Some(true);
        for to in &joins[from] {
            if self.met[*to] != Some(true) {
                self.onward[from].push(*to);
                self.visit(joins, *to);
            }
        }
        self.met[from] = Some(false);
        self.done.push(from);
    }
}

/// The upper left corner of a table.
const fn corner((column, row): (usize, usize)) -> (usize, usize) {
    (EDGE + column * (WIDTH + ACROSS), EDGE + row * (HEIGHT + DOWN))
}

/// Draws the picture. Each table leads to its part of the page, which says the same in text.
pub(super) fn draw(connection: usize, name: &str, tables: &[Table]) -> Html {
    let layout = Layout::of(tables);
    let (width, height) = layout.size();
    let arrow = format!("arrow-{connection}");
    let joins = layout.joins.iter().map(|(from, to, columns)| {
        let path = curve(layout.places[*from], layout.places[*to]);
        let title = format!("{}.{columns} → {}", tables[*from].name, tables[*to].name);
        view! { <path class="join" d=path marker-end=format!("url(#{arrow})")><title>{title}</title></path> }.html()
    });
    let boxes = tables.iter().zip(&layout.places).enumerate().map(|(at, (table, place))| {
        let (x, y) = corner(*place);
        let note = match table.measures.len() {
            0 => table.name.clone(),
            1 => "1 measure".to_owned(),
            several => format!("{several} measures"),
        };
        view! {
            <a href=format!("#{}", anchor(connection, at))>
                <rect x=x y=y width=WIDTH height=HEIGHT rx="6" />
                <text class="name" x=x + 14 y=y + 24>{short(table.shown(), LABEL)}</text>
                <text class="note" x=x + 14 y=y + 42>{short(&note, NOTE)}</text>
            </a>
        }
        .html()
    });
    view! {
        <div class="scroll model-picture" tabindex="0" role="region" aria-label=format!("Tables and joins of {name}")>
            <svg width=width height=height viewBox=format!("0 0 {width} {height}")>
                <defs>
                    <marker id=arrow.clone() viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
                        <path d="M0 0.500 7 4 0 7.500z" />
                    </marker>
                </defs>
                {joins.collect_view()}
                {boxes.collect_view()}
            </svg>
        </div>
    }
    .html()
}

/// A line from the right side of a table to the left side of another.
fn curve(from: (usize, usize), to: (usize, usize)) -> String {
    let ((x, y), (to_x, to_y)) = (corner(from), corner(to));
    let (x, y, to_y) = (x + WIDTH, y + HEIGHT / 2, to_y + HEIGHT / 2);
    let half = ACROSS / 2;
    format!("M{x} {y}C{} {y} {} {to_y} {to_x} {to_y}", x + half, to_x.saturating_sub(half))
}

fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most - 1).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(all: &[(&str, &[(&str, &str)])]) -> Vec<Table> {
        let references =
            |all: &[(&str, &str)]| all.iter().map(|(column, to)| ((*column).to_owned(), (*to).to_owned())).collect();
        let table = |(name, refers): &(&str, &[(&str, &str)])| Table {
            name: (*name).to_owned(),
            references: references(refers),
            ..Table::default()
        };
        all.iter().map(table).collect()
    }

    #[test]
    fn a_table_stands_behind_all_that_refer_to_it() {
        let star = tables(&[
            ("countries", &[]),
            ("airports", &[("country_id", "countries")]),
            ("flights", &[("origin", "airports"), ("destination", "airports"), ("country", "countries")]),
            ("notes", &[("other_id", "elsewhere")]),
        ]);
        let layout = Layout::of(&star);
        assert_eq!(layout.places, [(2, 0), (1, 0), (0, 0), (0, 1)]);
        let both = (2, 1, "origin, destination".to_owned());
        assert_eq!(layout.joins, [(1, 0, "country_id".to_owned()), both, (2, 0, "country".to_owned())]);
    }

    #[test]
    fn tables_in_a_circle_have_places_too() {
        let circle = tables(&[
            ("a", &[("b_id", "b")]),
            ("b", &[("a_id", "a"), ("self_id", "b"), ("c_id", "c")]),
            ("c", &[]),
            ("d", &[]),
            ("e", &[]),
            ("f", &[]),
        ]);
        let layout = Layout::of(&circle);
        assert_eq!(layout.places, [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (0, 3)], "{layout:?}");
        assert_eq!(Layout::of(&[]).places, []);
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(short("Überweisungen", 5), "Über…");
        assert_eq!(short("short", 5), "short");
    }
}
