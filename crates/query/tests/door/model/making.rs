//! Made-up models and queries, each with a meaning.

use super::{
    day,
    made::{self, How, Made, Of, Where},
    metrics::{asked, metric, name_of, narrowed_ratio, own_measures},
    reference::Case,
    world::{Dice, FACTS, World},
};
use inlay_contract::{
    chart::question::{Comparison, Cycle, Grain},
    filter::{FilterValue, Period, Scalar},
    model::{Aggregate, Compare, Edge, ModelFilter, ModelGroup, ModelHaving, ModelOrder, ModelQuery, Top},
};

/// A made-up model with measures of one or more tables, and a query that has a meaning in it.
pub(super) fn made_up<'a>(dice: &mut Dice, world: &'a World) -> Case<'a> {
    let facts = match dice.below(5) {
        0 => vec![0],
        1 => vec![1],
        2 => vec![2],
        3 => vec![0, 1],
        _ => vec![0, 1, 2],
    };
    let count = facts.len().max(1 + dice.below(4));
    let mut measures: Vec<Made> = (0..count).map(|at| measure(dice, facts[at % facts.len()])).collect();
    for at in 0..measures.len() {
        if measures[at].take.is_none() && dice.once_in(5) {
            let only = Some((at, made::only(dice, measures[at].table)));
            measures.push(Made { only, ..measures[at].clone() });
        }
    }
    let narrowed = if dice.once_in(6) { narrowed_ratio(dice, &mut measures) } else { None };
    let mut query = ModelQuery::default();
    let lists = dice.once_in(25);
    dimensions(dice, &facts, lists, &mut query);
    let mut asked = if lists { Vec::new() } else { asked(dice, &measures, &query) };
    asked.extend(narrowed.filter(|_| !lists));
    query.measures = asked.iter().enumerate().map(|(at, how)| name_of(at, how)).collect();
    filters(dice, &facts, lists, &mut query);
    own_measures(&mut measures, &mut query);
    let has_own = measures.iter().any(|made| made.own.is_some() || made.only.is_some());
    for (at, how) in asked.iter().enumerate() {
        // The project knows no measures of a query, and a column that a total is within is a query's.
        if has_own || matches!(how, How::Total(..) | How::Share(..) | How::TotalRatio(..)) {
            query.metrics.extend(metric(at, how, &measures, &query));
        }
    }
    query.totals = !lists && dice.once_in(3);
    while !lists && dice.once_in(4) {
        query.having.push(having(dice, &asked, &measures, &query));
    }
    order(dice, &asked, &measures, &mut query);
    let grain = query.dimensions.iter().filter(|group| group.name == "time").find_map(|group| group.grain);
    let year = if dice.once_in(4) { 1 + u32::try_from(dice.below(11)).expect("few") } else { 0 };
    Case { world, measures, asked, query, grain, today: day(), year }
}

/// A condition of the answer's rows, also on an earlier number. Only whole numbers are equal to something.
fn having(dice: &mut Dice, asked: &[How], measures: &[Made], query: &ModelQuery) -> ModelHaving {
    let counted: Vec<usize> = (0..asked.len()).filter(|at| counts(&asked[*at], measures)).collect();
    let end = if query.compare.is_some() && dice.once_in(2) { ModelQuery::PREVIOUS } else { "" };
    if !counted.is_empty() && dice.once_in(3) {
        let comparison = if dice.once_in(3) { Comparison::Equal } else { Comparison::NotEqual };
        let measure = format!("{}{end}", query.measures[counted[dice.below(counted.len())]]);
        return ModelHaving { measure, comparison, than: dice.below(4) as f64 };
    }
    let comparison = [Comparison::Above, Comparison::AtMost, Comparison::Below, Comparison::AtLeast][dice.below(4)];
    let measure = format!("{}{end}", query.measures[dice.below(query.measures.len())]);
    ModelHaving { measure, comparison, than: dice.below(60) as f64 + 0.25 }
}

fn counts(how: &How, measures: &[Made]) -> bool {
    matches!(how, How::Base(at) if matches!(measures[*at].aggregate, Aggregate::Count | Aggregate::CountDistinct))
}

fn measure(dice: &mut Dice, fact: usize) -> Made {
    let (table, time) = FACTS[fact];
    let aggregate = match dice.below(10) {
        0 | 1 => Aggregate::Count,
        2 => Aggregate::CountDistinct,
        3 => Aggregate::Average,
        4 => Aggregate::Min,
        5 => Aggregate::Max,
        6 => Aggregate::Median,
        7 => Aggregate::Percentile,
        _ => Aggregate::Sum,
    };
    let of = match dice.below(6) {
        0 if aggregate == Aggregate::Count => Of::Rows,
        0 => Of::Difference,
        1 => Of::Some,
        2 => Of::Column("pieces"),
        3 if matches!(aggregate, Aggregate::Count | Aggregate::CountDistinct) => Of::Column("status"),
        _ => Of::Column("amount"),
    };
    let condition = match dice.below(6) {
        0 => Some(Where::Paid),
        1 => Some(Where::Many),
        2 => Some(Where::NoStatus),
        _ => None,
    };
    let ranked = matches!(aggregate, Aggregate::Median | Aggregate::Percentile);
    let take = (!ranked && dice.once_in(4)).then(|| {
        let edge = if dice.once_in(2) { Edge::First } else { Edge::Last };
        (edge, if dice.once_in(2) { vec!["status"] } else { Vec::new() })
    });
    let fraction = (1 + dice.below(19)) as f64 / 20.0;
    if dice.once_in(3) {
        let own = Some(made::own(dice, table, aggregate, fraction));
        return Made { table, time, aggregate, of: Of::Rows, condition: None, fraction, take: None, own, only: None };
    }
    Made { table, time, aggregate, of, condition, fraction, take, own: None, only: None }
}

fn dimensions(dice: &mut Dice, facts: &[usize], lists: bool, query: &mut ModelQuery) {
    let customers = if dice.once_in(2) { "customers.tier" } else { "customers.segment" };
    let mut groups = vec![ModelGroup::of(customers), ModelGroup::of("regions.name")];
    if facts.iter().all(|fact| *fact < 2) {
        groups.push(ModelGroup::of("products.category"));
    }
    if let [one] = facts {
        let (table, _) = FACTS[*one];
        groups.push(ModelGroup::of(format!("{table}.status")));
        groups.push(ModelGroup::of(format!("{table}.size")));
        groups.push(ModelGroup::of(format!("{table}.pieces")));
    }
    if facts.contains(&2) {
        // Two keys of the balances lead to the customers. Both exist in no other table.
        groups.retain(|group| !group.name.starts_with("customers") && !group.name.starts_with("regions"));
        if facts == [2] {
            let via = |name: &str, via: &str| ModelGroup { via: Some(via.to_owned()), ..ModelGroup::of(name) };
            groups.push(via(customers, "manager_id"));
            groups.push(via("regions.name", "customer_id.region_id"));
        } else {
            let via = |name: &str, via: &str| ModelGroup { via: Some(via.to_owned()), ..ModelGroup::of(name) };
            groups.push(via(customers, "customer_id"));
            groups.push(via("regions.name", "customer_id.region_id"));
        }
    }
    if lists {
        let table = FACTS[facts[0]].0;
        query.dimensions = vec![ModelGroup::of(format!("{table}.status"))];
        if dice.once_in(2) {
            query.dimensions.push(ModelGroup::of(format!("{table}.size")));
        }
        return;
    }
    for group in groups {
        if dice.once_in(3) {
            query.dimensions.push(group);
        }
    }
    if dice.below(5) < 2 {
        let grain = Some(Grain::ALL[dice.below(5)]);
        query.dimensions.push(ModelGroup { grain, ..ModelGroup::of("time") });
    }
    if dice.once_in(6) {
        let cycle = Some(if dice.once_in(2) { Cycle::Weekday } else { Cycle::PartOfWeek });
        query.dimensions.push(ModelGroup { cycle, ..ModelGroup::of("time") });
    }
}

fn filters(dice: &mut Dice, facts: &[usize], lists: bool, query: &mut ModelQuery) {
    let text = |text: &str| Scalar::Text(text.to_owned());
    let filter = |dimension: &str, value: FilterValue, not: bool| ModelFilter { not, ..ModelFilter::of(dimension, value) };
    if lists {
        return;
    }
    if facts.iter().all(|fact| *fact < 2) && dice.once_in(4) {
        let value = FilterValue::AnyOf(vec![text("retail"), text("o'clock"), text("none")]);
        let dimension = if dice.once_in(2) { "customers.tier" } else { "customers.segment" };
        query.filters.push(filter(dimension, value, dice.once_in(2)));
    }
    if let [one] = facts
        && dice.once_in(4)
    {
        let (table, _) = FACTS[*one];
        let (from, to) = (Some(Scalar::Number(2.into())), Some(Scalar::Number(6.into())));
        let value = if dice.once_in(3) { FilterValue::AnyOf(Vec::new()) } else { FilterValue::Range { from, to } };
        query.filters.push(filter(&format!("{table}.pieces"), value, dice.once_in(2)));
    }
    let grain = query.dimensions.iter().find_map(|group| group.grain);
    let of_days = |from: &str, to: &str| FilterValue::Range { from: Some(text(from)), to: Some(text(to)) };
    let period = match (dice.below(7), grain) {
        (_, Some(Grain::Week)) => of_days("2024-09-02", "2024-10-14"),
        (_, Some(Grain::Quarter)) => of_days("2024-07-01", "2025-01-01"),
        (_, Some(Grain::Year)) => of_days("2024-01-01", "2025-01-01"),
        (0, _) => of_days("2024-02-01", "2024-04-01"),
        (5, None | Some(Grain::Day)) => of_days("2024-02-10", "2024-02-29"),
        (6, None | Some(Grain::Day)) => of_days("2024-02-29", "2024-06-11"),
        (1, _) => FilterValue::Relative("previous_month".parse::<Period>().expect("a period")),
        (2, None | Some(Grain::Day)) => of_days("2024-06-10", "2024-08-25"),
        (3, None | Some(Grain::Day)) => FilterValue::Relative("last_90_days".parse::<Period>().expect("a period")),
        _ => of_days("2024-03-01", "2024-12-01"),
    };
    if dice.once_in(8) {
        let value = FilterValue::AnyOf(["Mon", "Sat", "Sun"].map(text).into());
        let cycle = Some(Cycle::Weekday);
        query.filters.push(ModelFilter { cycle, ..filter("time", value, dice.once_in(2)) });
    }
    if facts.len() == 1 && dice.once_in(6) {
        let (period, has_year) = match (grain, dice.once_in(2)) {
            (None | Some(Grain::Day), true) => ("last_90_days", false),
            (None | Some(Grain::Day), false) => ("previous_month", true),
            (Some(Grain::Week), _) => ("last_8_weeks", false),
            (Some(Grain::Month), true) => ("this_quarter", true),
            (Some(Grain::Month), false) => ("previous_year", true),
            (Some(Grain::Quarter | Grain::Year), _) => ("this_year", true),
        };
        let value = FilterValue::Relative(period.parse::<Period>().expect("a period"));
        query.filters.push(ModelFilter { newest: true, ..filter("time", value, false) });
        let by_year = has_year && dice.once_in(2);
        query.compare = dice.once_in(2).then_some(if by_year { Compare::Year } else { Compare::Previous });
    } else if dice.once_in(3) {
        query.filters.push(filter("time", period, false));
        if dice.below(3) > 0 {
            query.compare = Some(if dice.once_in(2) { Compare::Year } else { Compare::Previous });
        }
    }
    if dice.once_in(3) {
        further_filters(dice, facts, query);
    }
}

/// Conditions on the tables that each fact leads to, on its own columns, and on parts of the week.
fn further_filters(dice: &mut Dice, facts: &[usize], query: &mut ModelQuery) {
    let made = match facts {
        [one] => {
            let table = FACTS[*one].0;
            let key = made::key_to_customers(dice, table);
            made::own_filter(dice, table, |of| made::way(key, of))
        }
        // Both keys of the balances lead to the customers; the one exists in all tables.
        several if several.contains(&2) => made::own_filter(dice, "balances", |of| made::way(Some("customer_id"), of)),
        _ => made::own_filter(dice, "orders", |_| None),
    };
    let is_period = made.dimension == "time" && made.cycle.is_none();
    let is_shared = !FACTS.iter().any(|(table, _)| made.dimension.starts_with(table));
    if (facts.len() == 1 || is_shared) && !(is_period && query.compare.is_some()) {
        query.filters.push(made);
    }
}

fn order(dice: &mut Dice, asked: &[How], measures: &[Made], query: &mut ModelQuery) {
    let whole = |how: &How| match how {
        How::Base(at) => {
            matches!(measures[*at].aggregate, Aggregate::Count | Aggregate::CountDistinct | Aggregate::Max | Aggregate::Min)
        }
        _ => false,
    };
    let sortable = asked.iter().position(whole).filter(|_| dice.once_in(2));
    if let Some(at) = sortable {
        query.sort.push(ModelOrder { by: query.measures[at].clone(), descending: dice.once_in(2) });
    }
    if let Some(at) = sortable.filter(|_| query.compare.is_some() && dice.once_in(2)) {
        let by = format!("{}{}", query.measures[at], ModelQuery::PREVIOUS);
        query.sort.insert(0, ModelOrder { by, descending: dice.once_in(2) });
    }
    let columns: Vec<String> = query.dimensions.iter().map(ModelGroup::column).collect();
    if !columns.is_empty() && dice.once_in(3) {
        if query.sort.is_empty() {
            query.sort.push(ModelOrder { by: columns[dice.below(columns.len())].clone(), descending: dice.once_in(2) });
        }
        let per = columns.into_iter().enumerate().filter(|(at, _)| *at == 0 || dice.once_in(2)).map(|(_, name)| name).collect();
        query.top = Some(Top { rows: 1 + u32::try_from(dice.below(3)).expect("few"), per });
    }
    if dice.once_in(4) {
        query.limit = Some(1 + u32::try_from(dice.below(6)).expect("few"));
    }
}
