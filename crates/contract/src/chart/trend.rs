//! The trend of a number: a line without axes below a big number.

use super::frame::Frame;
use std::fmt::Write;

/// More points than this are thinned: the line is only a few hundred pixels wide.
const MOST_POINTS: usize = 240;
/// Space for the dot at the line's end, in pixels.
const ROOM: f64 = 3.0;

/// The rows of a number chart in order, and their line.
pub(super) struct Course {
    /// The positions of the rows, newest last.
    pub(super) order: Vec<usize>,
    /// The line. `None` for fewer than two values.
    pub(super) trend: Option<Trend>,
}

/// A line between 0 and 1 in both directions, with `y` upwards. It breaks at missing values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trend {
    lines: Vec<Vec<(f64, f64)>>,
    /// Whether the last segment leads to an unfinished period.
    unfinished: bool,
}

/// Reads the trend from `x` and `y` (or else `value`) of a number chart. `None` without them, or if they do not fit: the number
/// is shown without a trend then.
pub(super) fn read(frame: &Frame<'_>) -> Option<Course> {
    let encoding = &frame.definition.encoding;
    let along = frame.column("x", encoding.x.as_deref()).ok()?;
    let measure = encoding.y.as_ref().and_then(|names| names.as_slice().first()).map(String::as_str);
    let values = frame.numbers(frame.column("y", measure.or(encoding.value.as_deref())).ok()?).ok()?;
    let moments = frame.moments(along);
    let mut order: Vec<usize> = (0..values.len()).collect();
    let mut places: Vec<f64> = (0_u32..).take(values.len()).map(f64::from).collect();
    if let Some(moments) = moments {
        order.retain(|row| moments[*row].is_some());
        order.sort_by_key(|row| moments[*row]);
        for (place, moment) in places.iter_mut().zip(moments) {
            *place = moment.unwrap_or_default() as f64;
        }
    }
    let points = order.iter().map(|row| (places[*row], values[*row])).collect();
    Some(Course { trend: Trend::of(points, frame.options.partial_last), order })
}

impl Trend {
    fn of(points: Vec<(f64, Option<f64>)>, unfinished: bool) -> Option<Self> {
        let known = || points.iter().filter_map(|(x, y)| y.map(|y| (*x, y)));
        known().nth(1)?;
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)))
        };
        let (x, y) = (ends(&mut known().map(|point| point.0)), ends(&mut known().map(|point| point.1)));
        // A constant line is drawn in the middle.
        let part = |value: f64, (least, most): (f64, f64)| if most > least { (value - least) / (most - least) } else { 0.5 };
        let mut lines: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
        for (at, value) in thinned(points) {
            match (value, lines.last_mut()) {
                (Some(value), Some(line)) => line.push((part(at, x), part(value, y))),
                (None, Some(line)) if !line.is_empty() => lines.push(Vec::new()),
                _ => {}
            }
        }
        lines.retain(|line| !line.is_empty());
        Some(Self { lines, unfinished })
    }

    /// The line as an SVG picture in the colour of the surrounding text, stretched to its box. `width` and `height` are the
    /// intended size in pixels.
    #[must_use]
    pub fn svg(&self, width: f64, height: f64) -> String {
        let at = |(x, y): &(f64, f64)| (x * (width - ROOM), (1.0 - y).mul_add(height - 2.0 * ROOM, ROOM));
        let (mut area, mut line, mut rest) = (String::new(), String::new(), String::new());
        let mut end = (0.0, 0.0);
        for (number, points) in self.lines.iter().enumerate() {
            let places: Vec<(f64, f64)> = points.iter().map(at).collect();
            let is_last = number + 1 == self.lines.len();
            let open = usize::from(self.unfinished && is_last && places.len() > 1);
            let (over, begun) = (&places[..places.len() - open], &places[places.len() - 1 - open..]);
            trace(&mut line, over);
            if open > 0 {
                trace(&mut rest, begun);
            }
            trace(&mut area, &places);
            let _ = write!(area, "V{height}H{:.1}Z", places.first().map_or(0.0, |place| place.0));
            end = places.last().copied().unwrap_or(end);
        }
        let stroke = |path: &str, more: &str| {
            format!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"currentColor\" stroke-linecap=\"round\" stroke-linejoin=\"round\" \
                 vector-effect=\"non-scaling-stroke\" {more}/>"
            )
        };
        // A stroke without length keeps its round shape when the box is stretched: it is the dot.
        let dot = format!("M{:.1} {:.1}h.01", end.0, end.1);
        let dashes = if rest.is_empty() { rest } else { stroke(&rest, "stroke-width=\"2\" stroke-dasharray=\"1 4\"") };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\" height=\"100%\" viewBox=\"0 0 {width} {height}\" \
             preserveAspectRatio=\"none\" aria-hidden=\"true\" focusable=\"false\">\
             <path d=\"{area}\" fill=\"currentColor\" fill-opacity=\"0.12\"/>{}{dashes}{}</svg>",
            stroke(&line, "stroke-width=\"2\""),
            stroke(&dot, "stroke-width=\"6\"")
        )
    }
}

fn trace(path: &mut String, places: &[(f64, f64)]) {
    for (at, (x, y)) in places.iter().enumerate() {
        let _ = write!(path, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
    }
}

/// Thins a long line: keeps the minimum and maximum of each section, in order.
fn thinned(points: Vec<(f64, Option<f64>)>) -> Vec<(f64, Option<f64>)> {
    if points.len() <= MOST_POINTS {
        return points;
    }
    let stretch = points.len().div_ceil(MOST_POINTS / 2);
    let ends = |stretch: &[(f64, Option<f64>)]| {
        let known = || stretch.iter().enumerate().filter_map(|(at, (_, value))| value.map(|value| (at, value)));
        let least = known().min_by(|one, two| one.1.total_cmp(&two.1));
        let most = known().max_by(|one, two| one.1.total_cmp(&two.1));
        match (least, most) {
            (Some((least, _)), Some((most, _))) if least != most => vec![stretch[least.min(most)], stretch[least.max(most)]],
            (Some((least, _)), _) => vec![stretch[least]],
            (None, _) => vec![stretch[0]],
        }
    };
    let last = points.last().copied();
    // The last point is the number itself, so it stays.
    points.chunks(stretch).flat_map(ends).chain(last.filter(|last| last.1.is_some())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[Option<f64>], unfinished: bool) -> Option<Trend> {
        Trend::of((0_u32..).map(f64::from).zip(values.iter().copied()).collect(), unfinished)
    }

    #[test]
    fn a_line_runs_from_edge_to_edge_and_breaks_where_a_value_is_missing() {
        let trend = of(&[Some(10.0), Some(20.0), None, Some(15.0), Some(10.0)], false).expect("a line");
        assert_eq!(trend.lines, [vec![(0.0, 0.0), (0.25, 1.0)], vec![(0.75, 0.5), (1.0, 0.0)]]);
        let svg = trend.svg(103.0, 26.0);
        assert!(svg.contains("d=\"M0.0 23.0L25.0 3.0M75.0 13.0L100.0 23.0\""), "{svg}");
        assert!(svg.contains("M100.0 23.0h.01") && !svg.contains("dasharray"), "{svg}");
    }

    #[test]
    fn a_period_that_is_not_over_is_dashed() {
        let svg = of(&[Some(1.0), Some(2.0), Some(0.0)], true).expect("a line").svg(103.0, 26.0);
        assert!(svg.contains("d=\"M0.0 13.0L50.0 3.0\"") && svg.contains("d=\"M50.0 3.0L100.0 23.0\""), "{svg}");
        assert!(svg.contains("dasharray"));
    }

    #[test]
    fn one_value_makes_no_line_and_equal_ones_a_level_one() {
        assert_eq!(of(&[Some(4.0), None], false), None);
        let level = of(&[Some(4.0), Some(4.0)], true).expect("a line");
        assert_eq!(level.lines, [[(0.0, 0.5), (1.0, 0.5)]]);
    }

    #[test]
    fn a_long_line_keeps_its_peaks_and_its_end() {
        let mut values: Vec<Option<f64>> = (0..10_000).map(|at| Some(f64::from(at % 7))).collect();
        values[5_003] = Some(900.0);
        let trend = of(&values, false).expect("a line");
        let line = &trend.lines[0];
        assert!(line.len() <= MOST_POINTS + 1, "{}", line.len());
        assert!(line.iter().any(|(_, y)| (*y - 1.0).abs() < 1e-9));
        assert_eq!(line.last().map(|point| point.0), Some(1.0));
    }
}
