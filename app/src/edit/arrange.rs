//! Where charts go when one is moved, resized, added or removed. Pure.

use inlay_contract::grid::{COLUMNS, GridPosition, TALLEST};

/// The smallest size of a chart.
const LEAST: (u16, u16) = (2, 2);

/// The nearest place that fits on the grid.
#[must_use]
pub fn fitted(GridPosition { x, y, w, h }: GridPosition) -> GridPosition {
    let w = w.clamp(LEAST.0, COLUMNS);
    GridPosition { x: x.min(COLUMNS - w), y, w, h: h.clamp(LEAST.1, TALLEST) }
}

/// The places after one chart has moved: charts in its way move down, then all move up as far as they can.
#[must_use]
pub fn moved<K: Copy + PartialEq>(tiles: &[(K, GridPosition)], key: K, to: GridPosition) -> Vec<(K, GridPosition)> {
    let to = fitted(to);
    let mut others: Vec<(K, GridPosition)> = tiles.iter().filter(|(other, _)| *other != key).copied().collect();
    // A chart that is dropped from above displaces the one below it. Otherwise reading order decides.
    others.sort_by_key(|(_, place)| (place.y, place.x));
    let position = others.iter().position(|(_, place)| (place.y, place.x) >= (to.y, to.x)).unwrap_or(others.len());
    others.insert(position, (key, to));
    settled(&others, tiles)
}

/// The places without one chart.
#[must_use]
pub fn without<K: Copy + PartialEq>(tiles: &[(K, GridPosition)], key: K) -> Vec<(K, GridPosition)> {
    let mut others: Vec<(K, GridPosition)> = tiles.iter().filter(|(other, _)| *other != key).copied().collect();
    let order = others.clone();
    others.sort_by_key(|(_, place)| (place.y, place.x));
    settled(&others, &order)
}

/// A place for a new chart: beside the last ones if there is room, otherwise at the bottom.
#[must_use]
pub fn free(tiles: &[GridPosition], (w, h): (u16, u16)) -> GridPosition {
    let bottom = tiles.iter().map(|place| place.y + place.h).max().unwrap_or_default();
    let candidates = (bottom.saturating_sub(h)..=bottom)
        .flat_map(|y| (0..=COLUMNS - w.min(COLUMNS)).map(move |x| GridPosition { x, y, w, h }));
    let is_free = |place: &GridPosition| tiles.iter().all(|other| !place.overlaps(*other));
    candidates.into_iter().find(is_free).unwrap_or(GridPosition { x: 0, y: bottom, w, h })
}

/// Moves charts up in the given order. Returns the places in the order of `like`.
fn settled<K: Copy + PartialEq>(order: &[(K, GridPosition)], like: &[(K, GridPosition)]) -> Vec<(K, GridPosition)> {
    let mut stand: Vec<(K, GridPosition)> = Vec::with_capacity(order.len());
    for (key, place) in order {
        let mut place = *place;
        // Move down until nothing overlaps, then up as far as possible.
        while let Some((_, other)) = stand.iter().find(|(_, other)| place.overlaps(*other)) {
            place.y = other.y + other.h;
        }
        while place.y > 0 && stand.iter().all(|(_, other)| !GridPosition { y: place.y - 1, ..place }.overlaps(*other)) {
            place.y -= 1;
        }
        stand.push((*key, place));
    }
    let at = |key: K| like.iter().position(|(other, _)| *other == key);
    stand.sort_by_key(|(key, _)| at(*key));
    stand
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn place(x: u16, y: u16, w: u16, h: u16) -> GridPosition {
        GridPosition { x, y, w, h }
    }

    fn board() -> Vec<(char, GridPosition)> {
        vec![('a', place(0, 0, 6, 4)), ('b', place(6, 0, 6, 4)), ('c', place(0, 4, 12, 4))]
    }

    fn none_overlap(tiles: &[(char, GridPosition)]) {
        for (at, (_, one)) in tiles.iter().enumerate() {
            assert!(one.x + one.w <= COLUMNS);
            assert!(tiles[at + 1..].iter().all(|(_, other)| !one.overlaps(*other)), "{tiles:?}");
        }
    }

    #[test]
    fn what_is_in_the_way_moves_down() {
        let tiles = moved(&board(), 'c', place(0, 0, 12, 4));
        none_overlap(&tiles);
        assert_eq!(tiles, [('a', place(0, 4, 6, 4)), ('b', place(6, 4, 6, 4)), ('c', place(0, 0, 12, 4))]);
    }

    #[test]
    fn charts_change_sides_and_leave_no_hole() {
        let tiles = moved(&board(), 'a', place(6, 0, 6, 4));
        none_overlap(&tiles);
        assert_eq!(tiles[0], ('a', place(6, 0, 6, 4)));
        let tiles = without(&board(), 'a');
        assert_eq!(tiles, [('b', place(6, 0, 6, 4)), ('c', place(0, 4, 12, 4))]);
        let tiles = without(&[('a', place(0, 0, 12, 4)), ('b', place(0, 4, 12, 2))], 'a');
        assert_eq!(tiles, [('b', place(0, 0, 12, 2))]);
    }

    #[test]
    fn nothing_leaves_the_grid_or_gets_too_small() {
        assert_eq!(fitted(place(11, 3, 6, 0)), place(6, 3, 6, 2));
        assert_eq!(fitted(place(0, 0, 40, 99)), place(0, 0, 12, 60));
        let mut tiles = board();
        for (step, (x, y, w, h)) in [(9, 0, 6, 9), (0, 30, 3, 2), (4, 2, 12, 1), (0, 0, 1, 1)].into_iter().enumerate() {
            tiles = moved(&tiles, ['a', 'b', 'c', 'a'][step], place(x, y, w, h));
            none_overlap(&tiles);
        }
    }

    #[test]
    fn a_new_chart_stands_beside_the_last_where_it_fits_else_below() {
        let places: Vec<GridPosition> = board().into_iter().map(|(_, place)| place).collect();
        assert_eq!(free(&places, (6, 4)), place(0, 8, 6, 4));
        assert_eq!(free(&[place(0, 0, 6, 4)], (6, 4)), place(6, 0, 6, 4));
        assert_eq!(free(&[], (6, 4)), place(0, 0, 6, 4));
    }
}
