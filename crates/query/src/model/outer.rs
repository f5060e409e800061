//! The facts put side by side, and what metrics, conditions and orders make of them.

use super::{
    CompiledColumn, Made,
    fact::{self, Era, group_column, measure_column, moving_column},
    groups::Group,
    number::Number,
    plan::{Fact, PREVIOUS, Plan},
    tree::{self, Rows, binary, call, function, null, number, over},
};
use crate::question;
use inlay_contract::{
    chart::question::{Comparison, Cycle},
    filter::Scalar,
    model::{Aggregate, Top},
};
use sqlparser::ast::{BinaryOperator, Expr, OrderByExpr, Query};
use std::collections::BTreeMap;

/// The relation of the facts' numbers.
const FACTS: &str = "q";
/// The relation of the answer's rows.
const ROWS: &str = "r";

/// The SQL of a query.
pub(super) fn statement(plan: &Plan<'_>) -> Made<String> {
    let columns = plan.columns();
    let mut rows = answer(plan, numbers(plan)?, &columns)?;
    for having in &plan.query.having {
        let sign = match having.comparison {
            Comparison::Below => BinaryOperator::Lt,
            Comparison::AtMost => BinaryOperator::LtEq,
            Comparison::Equal => BinaryOperator::Eq,
            Comparison::NotEqual => BinaryOperator::NotEq,
            Comparison::AtLeast => BinaryOperator::GtEq,
            Comparison::Above => BinaryOperator::Gt,
        };
        let than = plan.tree.written(&having.than.to_string())?;
        rows.conditions.push(binary(plan.tree.column(ROWS, &having.measure), sign, than));
    }
    if let Some(top) = &plan.query.top {
        rows = first_of_each(plan, rows, &columns, top)?;
    }
    Ok(tree::cut(rows.query(), order(plan)?, plan.limit()).to_string())
}

/// The columns of the answer from a query of them.
fn answer(plan: &Plan<'_>, from: Query, columns: &[CompiledColumn]) -> Made<Rows> {
    let tree = plan.tree;
    let mut rows = Rows::of(tree.derived(from, ROWS));
    for column in columns {
        rows.items.push((tree.column(ROWS, &column.name), tree.name("measures", &column.name)?));
    }
    Ok(rows)
}

/// The order of the answer. Rows that are alike come in the order of the groups.
fn order(plan: &Plan<'_>) -> Made<Vec<OrderByExpr>> {
    let groups = plan.groups.iter().map(|group| (group.column.as_str(), false));
    let asked = plan.query.sort.iter().map(|order| (order.by.as_str(), order.descending));
    let mut seen = Vec::new();
    let mut order = Vec::new();
    for (name, descending) in asked.chain(groups) {
        if !seen.contains(&name) {
            seen.push(name);
            if let Some(place) = declared_place(plan, name)? {
                order.extend(tree::in_order(place, descending));
            }
            order.extend(tree::in_order(sorted_by(plan, name)?, descending));
        }
    }
    Ok(order)
}

/// The first rows of each group of rows, in the order of the answer.
fn first_of_each(plan: &Plan<'_>, mut rows: Rows, columns: &[CompiledColumn], top: &Top) -> Made<Rows> {
    let tree = plan.tree;
    let mut place = "place".to_owned();
    while columns.iter().any(|column| column.name.eq_ignore_ascii_case(&place)) {
        place.push('_');
    }
    let parts = top.per.iter().map(|name| tree.column(ROWS, name)).collect();
    let placed = tree::over_ordered(call("row_number", Vec::new(), false), parts, order(plan)?, None);
    rows.items.push((placed, tree.own(&place)));
    let mut first = answer(plan, rows.query(), columns)?;
    first.conditions.push(binary(tree.column(ROWS, &place), BinaryOperator::LtEq, number(top.rows.to_string())));
    Ok(first)
}

/// The place of a group's value in the order that its dimension declares. Other values come after those.
fn declared_place(plan: &Plan<'_>, name: &str) -> Made<Option<Expr>> {
    let declared = plan.groups.iter().find(|group| group.column == name).filter(|group| !group.order.is_empty());
    let Some(Group { order, .. }) = declared else { return Ok(None) };
    let column = plan.tree.column(ROWS, name);
    let mut places = Vec::with_capacity(order.len() + 1);
    for (place, value) in order.iter().enumerate() {
        let value = plan.tree.literal("dimensions", &Scalar::Text(value.clone()))?;
        places.push((binary(column.clone(), BinaryOperator::Eq, value), number(place.to_string())));
    }
    places.push((Expr::IsNotNull(Box::new(column)), number(order.len().to_string())));
    Ok(Some(tree::cases(places)))
}

/// What a column of the answer is ordered by: itself, or the place of the day in its week.
fn sorted_by(plan: &Plan<'_>, name: &str) -> Made<Expr> {
    let column = plan.tree.column(ROWS, name);
    let is_weekday = |group: &Group| group.column == name && group.cycle == Some(Cycle::Weekday);
    if plan.groups.iter().any(is_weekday) { plan.tree.around(question::place_of_weekday, &column) } else { Ok(column) }
}

/// The answer's groups, and those of its numbers that one SELECT can say, over the rows of one table.
pub(super) fn behind(plan: &Plan<'_>) -> Made<Option<String>> {
    let Some(gathered) = fact::gathered_at_once(plan)? else { return Ok(None) };
    let mut rows = gathered.rows;
    for (group, (_, name)) in plan.groups.iter().zip(&mut rows.items) {
        *name = plan.tree.name("dimensions", &group.column)?;
    }
    for asked in &plan.numbers {
        if let Some(value) = at_once(&asked.number, &gathered.measures) {
            rows.items.push((value, plan.tree.name("measures", &asked.name)?));
        }
    }
    Ok(Some(rows.query().to_string()))
}

/// A number made of aggregates where they stand.
fn at_once(asked: &Number, measures: &BTreeMap<usize, Expr>) -> Option<Expr> {
    match asked {
        Number::Base(base) => measures.get(base).cloned(),
        Number::Constant(digits) => Some(number(digits.clone())),
        Number::Operation(op, left, right) => Some(operation(op, at_once(left, measures)?, at_once(right, measures)?)),
        Number::Running(_) | Number::ToDate(..) | Number::Moving(..) | Number::Whole(..) | Number::Either(_) => None,
    }
}

/// Two numbers together. A division by 0 is null.
fn operation(op: &BinaryOperator, left: Expr, right: Expr) -> Expr {
    if *op == BinaryOperator::Divide {
        let left = binary(left, BinaryOperator::Multiply, number("1e0"));
        binary(left, BinaryOperator::Divide, function("nullif", vec![right, number("0")]))
    } else {
        binary(left, op.clone(), right)
    }
}

/// Groups, numbers and earlier numbers under their names.
fn numbers(plan: &Plan<'_>) -> Made<Query> {
    let tree = plan.tree;
    let mut rows = Rows::of(tree.derived(put_together(plan)?, FACTS));
    for (place, group) in plan.groups.iter().enumerate() {
        rows.items.push((tree.column(FACTS, &group_column(place)), tree.name("dimensions", &group.column)?));
    }
    for earlier in [false, true] {
        if earlier && !plan.compares() {
            continue;
        }
        for asked in &plan.numbers {
            let name = if earlier { format!("{}{PREVIOUS}", asked.name) } else { asked.name.clone() };
            rows.items.push((expression(plan, &asked.number, earlier)?, tree.name("measures", &name)?));
        }
    }
    Ok(rows.query())
}

/// Facts that are gathered on their own, one row for each group that any of them has. Two at a time, so that databases which
/// type the columns of a union from its first parts see a number in one of them.
fn put_together(plan: &Plan<'_>) -> Made<Query> {
    let mut parts = Vec::new();
    for fact in &plan.facts {
        parts.push((fact::rows(plan, fact, Era::Now)?, columns_of(plan, fact, false)));
    }
    for fact in &plan.facts {
        if let Some(shift) = fact.shift {
            parts.push((fact::rows(plan, fact, Era::Before(shift))?, columns_of(plan, fact, true)));
        }
    }
    // Halves of halves, so that many parts do not lie deep in one another.
    while parts.len() > 1 {
        let mut pairs = parts.into_iter();
        parts = Vec::new();
        while let Some((first, ours)) = pairs.next() {
            parts.push(match pairs.next() {
                None => (first, ours),
                Some((second, theirs)) => {
                    let both = pair(plan, (first, &ours), (second, &theirs));
                    (both, [ours, theirs].concat())
                }
            });
        }
    }
    let only = parts.pop().map(|(query, _)| query);
    only.ok_or_else(|| super::NoMeaning::new("measures", "there is no table"))
}

fn columns_of(plan: &Plan<'_>, fact: &Fact<'_>, earlier: bool) -> Vec<String> {
    let own = plan.moving.iter().filter(|(base, _)| plan.time().is_some() && fact.bases.contains(base));
    let moving = own.map(|(base, periods)| moving_column(*base, *periods, earlier));
    fact.bases.iter().map(|base| measure_column(*base, earlier)).chain(moving).collect()
}

fn pair(plan: &Plan<'_>, (first, ours): (Query, &[String]), (second, theirs): (Query, &[String])) -> Query {
    let tree = plan.tree;
    let groups: Vec<String> = (0..plan.groups.len()).map(group_column).collect();
    let part = |query: Query, own: &[String]| {
        let mut rows = Rows::of(tree.derived(query, "f"));
        for name in groups.iter().chain(ours).chain(theirs) {
            let value = if groups.contains(name) || own.contains(name) { tree.column("f", name) } else { null() };
            rows.items.push((value, tree.own(name)));
        }
        rows.query()
    };
    let both = tree::union_all(part(first, ours), part(second, theirs));
    let mut rows = Rows::of(tree.derived(both, "u"));
    rows.items = groups.iter().map(|name| (tree.column("u", name), tree.own(name))).collect();
    // Each group has one row of each part.
    let one = |name: &String| (function("max", vec![tree.column("u", name)]), tree.own(name));
    rows.items.extend(ours.iter().chain(theirs).map(one));
    rows.groups = Some(groups.len());
    rows.query()
}

fn expression(plan: &Plan<'_>, number: &Number, earlier: bool) -> Made<Expr> {
    Ok(match number {
        Number::Base(base) => measure(plan, *base, earlier),
        Number::Constant(digits) => tree::number(digits.clone()),
        Number::Operation(op, left, right) => {
            operation(op, expression(plan, left, earlier)?, expression(plan, right, earlier)?)
        }
        Number::Running(base) => along(plan, *base, earlier, None),
        Number::ToDate(base, grain) => {
            let Some(time) = plan.time() else { return Ok(null()) };
            let day = plan.tree.column(FACTS, &group_column(time));
            let longer = plan.groups[time].year.period(plan.tree, *grain, &day)?;
            along(plan, *base, earlier, Some(longer))
        }
        Number::Moving(base, periods) if plan.time().is_some() => {
            plan.tree.column(FACTS, &moving_column(*base, *periods, earlier))
        }
        // Over all rows together it means nothing.
        Number::Moving(..) => null(),
        Number::Whole(base, within) => whole(plan, *base, within, earlier),
        Number::Either(numbers) => {
            let values = numbers.iter().map(|number| expression(plan, number, earlier)).collect::<Made<_>>()?;
            function("coalesce", values)
        }
    })
}

/// A measure of a group. A group that another fact alone has counts 0 rows.
fn measure(plan: &Plan<'_>, base: usize, earlier: bool) -> Expr {
    let column = plan.tree.column(FACTS, &measure_column(base, earlier));
    let counts = matches!(plan.bases[base].measure.aggregate, Aggregate::Count | Aggregate::CountDistinct);
    if counts && plan.is_put_together() { function("coalesce", vec![column, number("0")]) } else { column }
}

/// The sum of all groups that are alike in some columns of the answer.
fn whole(plan: &Plan<'_>, base: usize, within: &[String], earlier: bool) -> Expr {
    let places = (0..plan.groups.len()).filter(|place| within.contains(&plan.groups[*place].column));
    let parts = places.map(|place| plan.tree.column(FACTS, &group_column(place))).collect();
    over(call("sum", vec![measure(plan, base, earlier)], false), parts, None, None)
}

/// The sum of the periods up to each, for each of the other groups. Over all rows together it means nothing.
fn along(plan: &Plan<'_>, base: usize, earlier: bool, anew: Option<Expr>) -> Expr {
    let Some(time) = plan.time() else { return null() };
    let column = |place: usize| plan.tree.column(FACTS, &group_column(place));
    let mut parts: Vec<Expr> = (0..plan.groups.len()).filter(|place| *place != time).map(column).collect();
    parts.extend(anew);
    let sum = call("sum", vec![measure(plan, base, earlier)], false);
    over(sum, parts, Some(column(time)), Some(tree::frame(None)))
}
