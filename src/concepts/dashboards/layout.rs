//! Positions of added charts: below the existing ones, in rows from left to right.

use inlay_contract::{
    chart::definition::ChartType,
    grid::{COLUMNS, GridPosition},
};

/// Positions for charts of these types, below the existing charts.
pub fn add_below(there: &[GridPosition], kinds: &[ChartType]) -> Vec<GridPosition> {
    let (mut x, mut y, mut tallest) = (0, bottom(there), 0);
    let mut places = Vec::with_capacity(kinds.len());
    for kind in kinds {
        let (w, h) = kind.size();
        if x + w > COLUMNS {
            (x, y, tallest) = (0, y.saturating_add(tallest), 0);
        }
        places.push(GridPosition { x, y, w, h });
        x += w;
        tallest = tallest.max(h);
    }
    places
}

/// The positions of another dashboard's charts, shifted below the existing charts.
pub fn append_below(there: &[GridPosition], appended: &[GridPosition]) -> Vec<GridPosition> {
    let bottom = bottom(there);
    let top = appended.iter().map(|place| place.y).min().unwrap_or_default();
    appended.iter().map(|place| GridPosition { y: bottom.saturating_add(place.y - top), ..*place }).collect()
}

fn bottom(there: &[GridPosition]) -> u16 {
    there.iter().map(|place| place.y.saturating_add(place.h)).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const THERE: [GridPosition; 2] = [GridPosition { x: 0, y: 0, w: 6, h: 4 }, GridPosition { x: 6, y: 2, w: 6, h: 5 }];

    #[test]
    fn added_charts_fill_rows_below_what_is_there() {
        let kinds = [ChartType::Number, ChartType::Gauge, ChartType::Bar, ChartType::Line, ChartType::Table, ChartType::Text];
        let places = add_below(&THERE, &kinds);
        assert_eq!(
            places.iter().map(|place| (place.x, place.y)).collect::<Vec<_>>(),
            [(0, 7), (3, 7), (6, 7), (0, 14), (0, 21), (0, 30)]
        );
        for (number, place) in places.iter().enumerate() {
            assert!(place.x + place.w <= COLUMNS);
            assert!(THERE.iter().chain(&places[..number]).all(|other| !place.overlaps(*other)), "{place:?}");
        }
    }

    #[test]
    fn appended_charts_keep_their_layout() {
        let source = [GridPosition { x: 3, y: 5, w: 2, h: 2 }, GridPosition { x: 5, y: 6, w: 7, h: 1 }];
        let places = append_below(&THERE, &source);
        assert_eq!(places, [GridPosition { x: 3, y: 7, w: 2, h: 2 }, GridPosition { x: 5, y: 8, w: 7, h: 1 }]);
        assert_eq!(append_below(&[], &source)[0].y, 0);
        assert!(append_below(&THERE, &[]).is_empty());
    }
}
