//! Where charts go when one is moved, resized, added or removed. Pure.

use inlay_contract::grid::{COLUMNS, GridPosition, TALLEST};
use std::ops::RangeInclusive;

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

/// How near a pointer comes to the upper or the lower edge of the window before the page scrolls, in CSS pixels. The page's head
/// takes some of it.
const EDGE: f64 = 88.0;
/// How far the page scrolls in each frame at most, in CSS pixels.
const FASTEST: f64 = 16.0;

/// How far the page scrolls in a frame while a chart is dragged with the pointer at `y` in a window of this height: upwards where
/// negative, faster near the edge.
#[must_use]
pub fn pace(y: f64, height: f64) -> f64 {
    let reach = EDGE.min(height / 4.0);
    let (above, below) = (reach - y, y - (height - reach));
    let share = |into: f64| (into / reach).clamp(0.0, 1.0) * FASTEST;
    share(below) - share(above)
}

/// A change of a chart by its menu. On a narrow page charts are in one column in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Before all others.
    Top,
    /// Below all others.
    Bottom,
    /// Before the previous chart.
    Up,
    /// After the next chart.
    Down,
    /// As wide as the grid.
    FullWidth,
    /// Half as wide as the grid.
    HalfWidth,
}

/// The places after a step. `None` if it changes nothing. The reading order stays, except for the charts that change places.
#[must_use]
pub fn stepped<K: Copy + PartialEq>(tiles: &[(K, GridPosition)], key: K, step: Step) -> Option<Vec<(K, GridPosition)>> {
    let mut order = tiles.to_vec();
    order.sort_by_key(|(_, place)| (place.y, place.x));
    let at = order.iter().position(|(other, _)| *other == key)?;
    // The first chart that gets another place, and how many of them may go anywhere.
    let (first, free) = match step {
        Step::Top | Step::Bottom => return to_end(tiles, key, step == Step::Top),
        Step::Up | Step::Down => {
            let first = if step == Step::Up { at.checked_sub(1)? } else { at };
            if first + 1 >= order.len() {
                return None;
            }
            order.swap(first, first + 1);
            (first, 2)
        }
        Step::FullWidth | Step::HalfWidth => {
            let place = &mut order[at].1;
            let width = if step == Step::FullWidth { COLUMNS } else { COLUMNS / 2 };
            if place.w == width {
                return None;
            }
            place.w = width;
            (at, 1)
        }
    };
    let mut laid: Vec<(K, GridPosition)> = order[..first].to_vec();
    for (at, (key, place)) in order.into_iter().enumerate().skip(first) {
        let columns = if at < first + free { 0..=COLUMNS - place.w } else { place.x..=place.x };
        laid.push((key, after(&laid, place, columns)));
    }
    laid.sort_by_key(|(key, _)| tiles.iter().position(|(other, _)| other == key));
    Some(laid)
}

/// The places with one chart at the top or at the bottom. `None` if it is there already.
fn to_end<K: Copy + PartialEq>(tiles: &[(K, GridPosition)], key: K, top: bool) -> Option<Vec<(K, GridPosition)>> {
    let (_, place) = *tiles.iter().find(|(other, _)| *other == key)?;
    let laid = if top {
        moved(tiles, key, GridPosition { x: 0, y: 0, ..place })
    } else {
        let mut laid = without(tiles, key);
        let y = laid.iter().map(|(_, other)| other.y + other.h).max().unwrap_or_default();
        laid.push((key, GridPosition { y, ..place }));
        laid.sort_by_key(|(key, _)| tiles.iter().position(|(other, _)| other == key));
        laid
    };
    (laid != tiles).then_some(laid)
}

/// The first free place in these columns that follows the charts so far in reading order.
fn after<K>(laid: &[(K, GridPosition)], place: GridPosition, columns: RangeInclusive<u16>) -> GridPosition {
    let last = laid.last().map(|(_, last)| (last.y, last.x));
    let bottom = laid.iter().map(|(_, other)| other.y + other.h).max().unwrap_or_default();
    let candidates = (0..=bottom).flat_map(|y| columns.clone().map(move |x| GridPosition { x, y, ..place }));
    let fits = |place: &GridPosition| {
        last.is_none_or(|last| (place.y, place.x) > last) && laid.iter().all(|(_, other)| !place.overlaps(*other))
    };
    candidates.into_iter().find(fits).unwrap_or(GridPosition { x: *columns.start(), y: bottom, ..place })
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
    fn others_make_room_for_a_chart_from_elsewhere() {
        let with_n = |x, y| {
            let tiles = moved(&board(), 'n', place(x, y, 6, 4));
            none_overlap(&tiles);
            ['n', 'a', 'b', 'c'].map(|key| tiles.iter().find(|(other, _)| *other == key).expect("each is there").1)
        };
        let under = |n, a, b| [n, a, b, place(0, 8, 12, 4)];
        assert_eq!(with_n(0, 0), under(place(0, 0, 6, 4), place(0, 4, 6, 4), place(6, 0, 6, 4)));
        assert_eq!(with_n(6, 0), under(place(6, 0, 6, 4), place(0, 0, 6, 4), place(6, 4, 6, 4)));
        // Between two, it comes after the first of them.
        assert_eq!(with_n(3, 0), under(place(3, 4, 6, 4), place(0, 0, 6, 4), place(6, 0, 6, 4)));
        let last = moved(&board(), 'n', place(0, 90, 6, 4));
        assert!(last.contains(&('n', place(0, 8, 6, 4))), "it moves up as far as it can: {last:?}");
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

    /// The keys in reading order.
    fn read(tiles: &[(char, GridPosition)]) -> String {
        let mut order = tiles.to_vec();
        order.sort_by_key(|(_, place)| (place.y, place.x));
        order.into_iter().map(|(key, _)| key).collect()
    }

    fn step(tiles: &[(char, GridPosition)], key: char, step: Step) -> Vec<(char, GridPosition)> {
        let stepped = stepped(tiles, key, step).expect("a change");
        none_overlap(&stepped);
        stepped
    }

    #[test]
    fn a_step_swaps_two_charts_in_reading_order_and_the_next_one_brings_them_back() {
        let sidebar =
            vec![('a', place(0, 0, 4, 8)), ('b', place(4, 0, 8, 4)), ('c', place(4, 4, 8, 4)), ('d', place(0, 8, 12, 4))];
        for tiles in [board(), sidebar] {
            let order = read(&tiles);
            for at in 1..order.len() {
                let (before, key) = (order.as_bytes()[at - 1] as char, order.as_bytes()[at] as char);
                let up = step(&tiles, key, Step::Up);
                let mut wanted: Vec<char> = order.chars().collect();
                wanted.swap(at - 1, at);
                assert_eq!(read(&up), wanted.into_iter().collect::<String>(), "{key} up");
                assert_eq!(read(&step(&tiles, before, Step::Down)), read(&up), "{before} down");
                assert_eq!(read(&step(&up, key, Step::Down)), order);
                let size =
                    |tiles: &[(char, GridPosition)]| tiles.iter().map(|(key, at)| (*key, at.w, at.h)).collect::<Vec<_>>();
                assert_eq!(size(&up), size(&tiles), "no chart changes its size");
            }
        }
        let up = step(&board(), 'c', Step::Up);
        assert_eq!(up, [('a', place(0, 0, 6, 4)), ('b', place(0, 8, 6, 4)), ('c', place(0, 4, 12, 4))]);
        assert_eq!(step(&up, 'c', Step::Down), board(), "the places are the same again, too");
        let alike = step(&board(), 'b', Step::Up);
        assert_eq!(alike, [('a', place(6, 0, 6, 4)), ('b', place(0, 0, 6, 4)), ('c', place(0, 4, 12, 4))]);
    }

    #[test]
    fn a_chart_takes_the_full_or_the_half_width_and_the_order_stays() {
        let wide = step(&board(), 'b', Step::FullWidth);
        assert_eq!(wide, [('a', place(0, 0, 6, 4)), ('b', place(0, 4, 12, 4)), ('c', place(0, 8, 12, 4))]);
        assert_eq!(step(&wide, 'b', Step::HalfWidth), board(), "charts below move up again");
        let half = step(&board(), 'c', Step::HalfWidth);
        assert_eq!(half[2], ('c', place(0, 4, 6, 4)));
    }

    #[test]
    fn the_page_scrolls_while_the_pointer_is_near_an_edge_of_the_window() {
        assert_eq!([88.0, 400.0, 712.0].map(|y| pace(y, 800.0)), [0.0; 3]);
        assert_eq!([0.0, 44.0, 756.0, 800.0].map(|y| pace(y, 800.0)), [-16.0, -8.0, 8.0, 16.0]);
        assert_eq!([-50.0, 900.0].map(|y| pace(y, 800.0)), [-16.0, 16.0], "outside of the window");
        assert_eq!(pace(100.0, 200.0), 0.0, "in a low window the middle is quiet");
    }

    #[test]
    fn a_chart_moves_to_the_top_and_to_the_bottom() {
        let top = step(&board(), 'c', Step::Top);
        assert_eq!(top, [('a', place(0, 4, 6, 4)), ('b', place(6, 4, 6, 4)), ('c', place(0, 0, 12, 4))]);
        assert_eq!(read(&step(&board(), 'b', Step::Top)), "bac");
        let bottom = step(&board(), 'a', Step::Bottom);
        assert_eq!(bottom, [('a', place(0, 8, 6, 4)), ('b', place(6, 0, 6, 4)), ('c', place(0, 4, 12, 4))]);
        let beside = [('a', place(0, 0, 6, 4)), ('b', place(6, 0, 6, 8))];
        assert_eq!(step(&beside, 'a', Step::Bottom)[0], ('a', place(0, 8, 6, 4)), "below the longest");
    }

    #[test]
    fn a_step_without_effect_is_none() {
        assert_eq!((stepped(&board(), 'a', Step::Top), stepped(&board(), 'c', Step::Bottom)), (None, None));
        assert_eq!(stepped(&board(), 'a', Step::Up), None);
        assert_eq!(stepped(&board(), 'c', Step::Down), None);
        assert_eq!(stepped(&board(), 'c', Step::FullWidth), None);
        assert_eq!(stepped(&board(), 'a', Step::HalfWidth), None);
        assert_eq!(stepped(&board(), 'x', Step::Up), None);
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
