//! Incidents are planted in the demo's flights, one at a time: a value loses rows, or its delays rise. Each must be among the first
//! that a change is explained by.

use flate2::read::GzDecoder;
use inlay_assistant::causes::{Cell, Cut, Explained, Kind, Pair, explain};
use serde_json::{Value, json};
use std::collections::HashMap;

const AIRPORTS: &[u8] = include_bytes!("../../../../demo/data/airports.csv");
const FLIGHTS: &[u8] = include_bytes!("../../../../demo/data/flights-250k.csv.gz");

/// The incidents of a run.
const INCIDENTS: usize = 200;
/// The comparisons of halves.
const HALVES: usize = 60;
/// The share of them of which anything may be told: one in twenty by the rule, more by the long tail of delays.
const MOST_TOLD: f64 = 0.25;
/// The required share.
const GOAL: f64 = 0.95;
/// The seed that the limits were chosen with, beside 3, 4, 20,011, 77,003, 910,001 and 31,337,001.
const MADE_WITH: u64 = 1;
/// The seed that was only scored.
const HELD_OUT: u64 = 45_450_450;
/// A value that an incident happens to has at least this share of a month's flights.
const LEAST_SHARE: f64 = 0.01;

/// The values of a flight: origin, its city and state, destination, its city and state, hour, weekday.
const DIMENSIONS: usize = 8;
const HOUR: usize = 6;
const WEEKDAY: usize = 7;
/// The dimensions that are cut together. Months have different numbers of weekdays, so counts are not cut by the last.
const FAMILIES: [&[usize]; 4] = [&[0, 1, 2], &[3, 4, 5], &[HOUR], &[WEEKDAY]];

struct Flight {
    delay: f64,
    values: [u16; DIMENSIONS],
    /// Its cell in each family.
    cells: [u16; FAMILIES.len()],
}

#[derive(Default)]
struct Flights {
    names: Vec<String>,
    /// By month.
    rows: [Vec<Flight>; 7],
    /// The values of each family's cells.
    cells: [Vec<Vec<u16>>; FAMILIES.len()],
    /// The counts, and the delays with their counts, by month, before anything is planted.
    plain: [[Plain; 7]; 2],
}

/// An amount and a weight of a whole month, and of each family's cells.
type Plain = ([f64; 2], [Vec<[f64; 2]>; FAMILIES.len()]);

impl Flights {
    fn read() -> Self {
        let mut flights = Self::default();
        let mut places: HashMap<String, [String; 2]> = HashMap::new();
        for record in csv::Reader::from_reader(AIRPORTS).records() {
            let record = record.expect("an airport");
            places.insert(record[0].to_owned(), [format!("{}, {}", &record[2], &record[3]), record[3].to_owned()]);
        }
        let (mut names, mut cells) = (HashMap::new(), [const { Vec::new() }; FAMILIES.len()].map(|_: Vec<()>| HashMap::new()));
        for record in csv::Reader::from_reader(GzDecoder::new(FLIGHTS)).records() {
            let record = record.expect("a flight");
            let day: chrono::NaiveDate = record[0][..10].parse().expect("a day");
            let mut values = [0; DIMENSIONS];
            let mut id = |name: &str| id(&mut names, &mut flights.names, &name.to_owned());
            for (at, airport) in [(0, &record[3]), (3, &record[4])] {
                let [city, state] = &places[airport];
                (values[at], values[at + 1], values[at + 2]) = (id(airport), id(city), id(state));
            }
            (values[HOUR], values[WEEKDAY]) = (id(&record[0][11..13]), id(&day.format("%a").to_string()));
            let mut own = [0; FAMILIES.len()];
            for (at, family) in FAMILIES.iter().enumerate() {
                let of_family: Vec<u16> = family.iter().map(|dimension| values[*dimension]).collect();
                own[at] = self::id(&mut cells[at], &mut flights.cells[at], &of_family);
            }
            let month = day.format("%m").to_string().parse::<usize>().expect("a month");
            flights.rows[month].push(Flight { delay: record[1].parse().expect("a delay"), values, cells: own });
        }
        for (of_delay, plain) in flights.plain.iter_mut().enumerate() {
            for (month, (whole, families)) in plain.iter_mut().enumerate() {
                for (family, cells) in families.iter_mut().zip(&flights.cells) {
                    family.resize(cells.len(), [0.0; 2]);
                }
                for row in &flights.rows[month] {
                    let parts = if of_delay == 1 { [row.delay, 1.0] } else { [1.0, 0.0] };
                    let cells = row.cells.iter().zip(&mut *families).map(|(cell, family)| &mut family[usize::from(*cell)]);
                    for own in cells.chain([&mut *whole]) {
                        *own = [own[0] + parts[0], own[1] + parts[1]];
                    }
                }
            }
        }
        flights
    }

    fn name(&self, value: u16) -> Value {
        json!(self.names[usize::from(value)])
    }
}

/// The place of something in a list of different things.
fn id<T: Clone + Eq + std::hash::Hash>(known: &mut HashMap<T, u16>, list: &mut Vec<T>, one: &T) -> u16 {
    *known.entry(one.clone()).or_insert_with(|| {
        list.push(one.clone());
        u16::try_from(list.len() - 1).expect("few of them")
    })
}

/// Numbers by chance, the same for the same seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as f64 / u64::MAX as f64
    }

    fn below(&mut self, most: usize) -> usize {
        ((self.next() * most as f64) as usize).min(most - 1)
    }
}

struct Incident {
    dimension: usize,
    value: u16,
    /// The later month.
    month: usize,
    kind: Kind,
    /// Which share of the rows is lost, or by how many minutes delays rise.
    size: f64,
}

fn incident(flights: &Flights, chance: &mut Chance) -> Incident {
    let kind = if chance.next() < 0.5 { Kind::Count } else { Kind::Mean };
    let month = 2 + chance.below(5);
    let rows = &flights.rows[month];
    loop {
        let dimension = chance.below(if kind == Kind::Count { WEEKDAY } else { DIMENSIONS });
        let value = rows[chance.below(rows.len())].values[dimension];
        let hit = rows.iter().filter(|row| row.values[dimension] == value).count();
        if hit as f64 >= LEAST_SHARE * rows.len() as f64 {
            let size = if kind == Kind::Count { 0.3 + 0.6 * chance.next() } else { 10.0 + 35.0 * chance.next() };
            return Incident { dimension, value, month, kind, size };
        }
    }
}

/// The explanation of the month of an incident beside the month before.
fn explained(flights: &Flights, incident: &Incident, chance: &mut Chance) -> Explained {
    let (counts, families) = match incident.kind {
        Kind::Count => (true, &FAMILIES[..3]),
        _ => (false, &FAMILIES[..]),
    };
    let plain = &flights.plain[usize::from(!counts)];
    let (before, now) = (&plain[incident.month - 1], &plain[incident.month]);
    let mut whole = together(before.0, now.0);
    let both = |(before, now): (&Vec<[f64; 2]>, &Vec<[f64; 2]>)| {
        before.iter().zip(now).map(|(before, now)| together(*before, *now)).collect()
    };
    let mut pairs: Vec<Vec<Pair>> = before.1.iter().zip(&now.1).map(both).collect();
    for row in flights.rows[incident.month].iter().filter(|row| row.values[incident.dimension] == incident.value) {
        if counts && chance.next() >= incident.size {
            continue;
        }
        let more = if counts { -1.0 } else { incident.size };
        let cells = row.cells.iter().zip(&mut pairs).map(|(cell, pairs)| &mut pairs[usize::from(*cell)]);
        cells.chain([&mut whole]).for_each(|pair| pair.amount[1] += more);
    }
    explain(incident.kind, &whole, &cuts(flights, families, &pairs))
}

fn cuts(flights: &Flights, families: &[&[usize]], pairs: &[Vec<Pair>]) -> Vec<Cut> {
    let cut = |(at, family): (usize, &&[usize])| {
        let values = flights.cells[at].iter().map(|values| values.iter().map(|value| flights.name(*value)).collect());
        let cells = values.zip(&pairs[at]).map(|(values, pair)| Cell { values, pair: *pair });
        Cut { dimensions: family.to_vec(), is_derived: false, cells: cells.collect() }
    };
    families.iter().enumerate().map(cut).collect()
}

const fn together(before: [f64; 2], now: [f64; 2]) -> Pair {
    Pair { amount: [before[0], now[0]], weight: [before[1], now[1]] }
}

/// Whether two values of dimensions have the same flights.
fn same_rows(flights: &Flights, one: (usize, &Value), other: (usize, &Value)) -> bool {
    let family = |dimension: usize| FAMILIES.iter().position(|family| family.contains(&dimension));
    let (Some(at), Some(its)) = (family(one.0), family(other.0)) else { return false };
    let has = |cell: &[u16], (dimension, value): (usize, &Value)| {
        let place = FAMILIES[at].iter().position(|known| *known == dimension).expect("the family's dimension");
        flights.name(cell[place]) == *value
    };
    at == its && flights.cells[at].iter().all(|cell| has(cell, one) == has(cell, other))
}

/// The share of incidents that are found, with those that are not.
fn score(flights: &Flights, seed: u64) -> (f64, String) {
    let mut chance = Chance(seed);
    let mut missed = Vec::new();
    let (mut first, mut found, mut second) = (0, 0, 0);
    for _ in 0..INCIDENTS {
        let incident = incident(flights, &mut chance);
        let explained = explained(flights, &incident, &mut chance);
        let planted = flights.name(incident.value);
        let is = |dimension, value| same_rows(flights, (incident.dimension, &planted), (dimension, value));
        // One with nearly the same rows is told on the line of the one before.
        let mut line = 0;
        let mut lines = explained.findings.iter().map(|finding| {
            line += usize::from(!finding.same);
            (line, finding.same, is(finding.dimension, &finding.value))
        });
        match lines.find(|(.., is)| *is).filter(|(line, ..)| *line <= 3) {
            Some((line, same, _)) => {
                found += 1;
                first += usize::from(line == 1);
                second += usize::from(same);
            }
            None => {
                let told: Vec<String> = explained
                    .findings
                    .iter()
                    .map(|finding| {
                        format!("{}={} {:.2} ({:.0})", finding.dimension, finding.value, finding.change, finding.score)
                    })
                    .collect();
                missed.push(format!(
                    "month {} {:?} {}={planted} {:.2}: {:?} {told:?}",
                    incident.month, incident.kind, incident.dimension, incident.size, explained.values
                ));
            }
        }
    }
    let share = f64::from(found) / INCIDENTS as f64;
    let counts =
        format!("{found} of {INCIDENTS} among the first three, {first} the first, {second} as the second name of a line");
    (share, format!("seed {seed}: {counts}\n{}\n", missed.join("\n")))
}

/// Two halves of a month by chance: nothing happened between them.
#[test]
fn nothing_is_told_where_nothing_happened() {
    let flights = Flights::read();
    let mut chance = Chance(HELD_OUT);
    let mut told = 0;
    for run in 0..HALVES {
        let counts = run % 2 == 0;
        let mut whole = Pair::default();
        let mut pairs: Vec<Vec<Pair>> = flights.cells.iter().map(|cells| vec![Pair::default(); cells.len()]).collect();
        for row in &flights.rows[1 + run % 6] {
            let period = chance.below(2);
            let (amount, weight) = if counts { (1.0, 0.0) } else { (row.delay, 1.0) };
            let cells = row.cells.iter().zip(&mut pairs).map(|(cell, pairs)| &mut pairs[usize::from(*cell)]);
            for pair in cells.chain([&mut whole]) {
                pair.amount[period] += amount;
                pair.weight[period] += weight;
            }
        }
        let kind = if counts { Kind::Count } else { Kind::Mean };
        told += usize::from(!explain(kind, &whole, &cuts(&flights, &FAMILIES, &pairs)).findings.is_empty());
    }
    std::io::Write::write_all(&mut std::io::stderr(), format!("told {told} of {HALVES}\n").as_bytes()).expect("the report");
    assert!(told as f64 <= MOST_TOLD * HALVES as f64, "{told} of {HALVES}");
}

#[test]
fn planted_incidents_are_among_the_first_three() {
    let flights = Flights::read();
    for seed in [MADE_WITH, HELD_OUT] {
        let (share, report) = score(&flights, seed);
        assert!(share >= GOAL, "{report}");
        let first = report.lines().next().unwrap_or_default().to_owned() + "\n";
        std::io::Write::write_all(&mut std::io::stderr(), first.as_bytes()).expect("the report");
    }
}
