//! Tests of the pure core, on parts made by hand.

use super::{Cell, Cut, Explained, Finding, Kind, Pair, explain};
use serde_json::{Value, json};

/// A dimension of counts or sums: each value before and now.
fn sums(values: &[(&str, f64, f64)]) -> Cut {
    let cell = |(value, before, now): &(&str, f64, f64)| Cell { values: vec![json!(value)], pair: Pair::sum(*before, *now) };
    Cut { dimensions: vec![0], is_derived: false, cells: values.iter().map(cell).collect() }
}

/// A dimension of means: each value's mean and weight, before and now.
fn means(values: &[(&str, [f64; 2], [f64; 2])]) -> Cut {
    let cell = |(value, mean, weight): &(&str, [f64; 2], [f64; 2])| {
        let amount = [mean[0] * weight[0], mean[1] * weight[1]];
        Cell { values: vec![json!(value)], pair: Pair { amount, weight: *weight } }
    };
    Cut { dimensions: vec![0], is_derived: false, cells: values.iter().map(cell).collect() }
}

fn explained(kind: Kind, cuts: &[Cut]) -> Explained {
    let mut whole = Pair::default();
    cuts[0].cells.iter().for_each(|cell| whole.add(&cell.pair));
    explain(kind, &whole, cuts)
}

fn told(explained: &Explained) -> Vec<&Value> {
    explained.findings.iter().map(|finding| &finding.value).collect()
}

const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

#[test]
fn a_part_that_fell_alone_explains_a_fall() {
    let mut values: Vec<(&str, f64, f64)> = NAMES.iter().map(|name| (*name, 1000.0, 1010.0)).collect();
    values[3].2 = 400.0;
    let explained = explained(Kind::Count, &[sums(&values)]);
    assert_eq!(told(&explained), [&json!("d")]);
    let finding = &explained.findings[0];
    assert_eq!((finding.change, finding.mix, explained.values), (-600.0, 0.0, [12_000.0, 11_510.0]));
}

#[test]
fn changes_that_offset_each_other_are_both_told() {
    let mut values: Vec<(&str, f64, f64)> = NAMES.iter().map(|name| (*name, 1000.0, 1000.0)).collect();
    (values[0].2, values[1].2) = (400.0, 1590.0);
    let explained = explained(Kind::Count, &[sums(&values)]);
    assert_eq!(told(&explained), [&json!("a"), &json!("b")]);
    assert!(explained.findings[0].change < 0.0 && explained.findings[1].change > 0.0);
}

#[test]
fn nothing_stands_out_where_all_parts_went_the_same_way() {
    let values: Vec<(&str, f64, f64)> =
        NAMES.iter().enumerate().map(|(at, name)| (*name, 1000.0 + at as f64, 800.0 + (at % 3) as f64 * 9.0)).collect();
    let even = explained(Kind::Count, &[sums(&values)]);
    assert_eq!((told(&even).len(), even.dimensions.as_slice()), (0, [0].as_slice()));
    let means_of = |shift: f64| {
        let values = NAMES.iter().enumerate().map(|(at, name)| {
            let noise = (at % 4) as f64 * 0.05;
            (*name, [5.0, 5.0 + shift + noise], [500.0, 510.0])
        });
        means(&values.collect::<Vec<_>>())
    };
    assert!(explained(Kind::Mean, &[means_of(3.0)]).findings.is_empty());
}

#[test]
fn a_mean_moves_by_the_values_within() {
    let mut values: Vec<_> =
        NAMES.iter().enumerate().map(|(at, name)| (*name, [5.0, 5.0 + (at % 4) as f64 * 0.05], [500.0, 500.0])).collect();
    values[2].1[1] = 29.0;
    let explained = explained(Kind::Mean, &[means(&values)]);
    assert_eq!(told(&explained), [&json!("c")]);
    let Finding { change, rate, mix, .. } = explained.findings[0];
    assert!((rate - 2.0).abs() < 1e-9 && mix.abs() < 1e-9 && (change - rate - mix).abs() < 1e-9, "{rate} {mix}");
}

#[test]
fn a_mean_moves_by_the_weights_alone() {
    let mut values: Vec<_> = NAMES.iter().map(|name| (*name, [5.0, 5.0], [500.0, 500.0])).collect();
    (values[7].1, values[7].2) = ([40.0, 40.0], [500.0, 1500.0]);
    let explained = explained(Kind::Mean, &[means(&values)]);
    assert_eq!(told(&explained), [&json!("h")]);
    let finding = &explained.findings[0];
    assert!(finding.mix > 1.0 && finding.rate.abs() < 1e-9, "{finding:?}");
}

#[test]
fn rate_and_mix_of_all_parts_add_up_to_the_change() {
    let cut = means(&[("a", [3.0, 9.0], [10.0, 40.0]), ("b", [20.0, 15.0], [90.0, 30.0]), ("c", [0.0, 50.0], [0.0, 5.0])]);
    let mut whole = Pair::default();
    cut.cells.iter().for_each(|cell| whole.add(&cell.pair));
    let [before, now] = whole.values(Kind::Mean);
    let scale = super::scale::Scale::of(Kind::Mean, &whole, &[]);
    let parts = super::parts::parts(&[cut]);
    let sum: f64 = parts.iter().map(|part| scale.finding(part)).map(|finding| finding.rate + finding.mix).sum();
    assert!((sum - (now - before)).abs() < 1e-9, "{sum} {}", now - before);
}

#[test]
fn a_number_that_was_zero_is_compared() {
    let explained = explained(Kind::Count, &[sums(&[("a", 0.0, 90.0), ("b", 0.0, 3.0)])]);
    assert_eq!(explained.values, [0.0, 93.0]);
    assert!(explained.findings.iter().all(|finding| finding.score.is_finite() && finding.change.is_finite()));
    assert_eq!(told(&explained).first(), Some(&&json!("a")));
    assert!(super::explain(Kind::Sum, &Pair::sum(0.0, 0.0), &[]).findings.is_empty());
}

#[test]
fn a_state_is_told_if_all_its_airports_went_with_it_and_an_airport_if_it_went_alone() {
    let cut = |fallen: &dyn Fn(usize) -> bool| {
        let cells = (0..20).map(|at| {
            let now = if fallen(at) { 500.0 } else { 1000.0 + (at % 5) as f64 * 8.0 };
            Cell {
                values: vec![json!(format!("airport {at}")), json!(format!("state {}", at / 2))],
                pair: Pair::sum(1000.0, now),
            }
        });
        Cut { dimensions: vec![0, 1], is_derived: false, cells: cells.collect() }
    };
    assert_eq!(told(&explained(Kind::Count, &[cut(&|at| at / 2 == 3)])), [&json!("state 3")]);
    assert_eq!(told(&explained(Kind::Count, &[cut(&|at| at == 6)])), [&json!("airport 6")]);
}

#[test]
fn a_dimension_that_repeats_the_number_is_left_out() {
    let bands = Cut {
        dimensions: vec![1],
        is_derived: true,
        ..means(&[("early", [-9.0, -9.0], [900.0, 700.0]), ("late", [60.0, 60.0], [100.0, 300.0])])
    };
    let values: Vec<_> = NAMES
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let noise = (at % 5) as f64;
            let (before, now) = (
                bands.cells[0].pair.amount[0] + bands.cells[1].pair.amount[0],
                bands.cells[0].pair.amount[1] + bands.cells[1].pair.amount[1],
            );
            (*name, [before / 1000.0 + noise, now / 1000.0 - noise], [1000.0 / 12.0, 1000.0 / 12.0])
        })
        .collect();
    let explained = explained(Kind::Mean, &[means(&values), bands]);
    assert_eq!(explained.dimensions, [0]);
}
