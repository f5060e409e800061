//! The rows of one table, gathered into the query's groups.

use super::{
    Made, NoMeaning,
    compare::Shift,
    condition,
    groups::{self, Joined},
    narrowing, newest,
    number::Base,
    own,
    plan::{Fact, Form, Plan},
    tree::{self, Rows, Tree, binary, call, function, nested, number, over, when},
};
use crate::question;
use inlay_contract::model::{Aggregate, Edge, Measure, ModelFilter, Take};
use sqlparser::ast::{BinaryOperator, Expr, Query};
use std::collections::BTreeMap;

/// The period whose rows are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    Now,
    /// So far back. The groups are those of now.
    Before(Shift),
}

impl Era {
    /// How far it lies back.
    const fn shift(self) -> Option<Shift> {
        match self {
            Self::Now => None,
            Self::Before(shift) => Some(shift),
        }
    }
}

/// The name of a group's column.
pub(super) fn group_column(place: usize) -> String {
    format!("d{place}")
}

/// The name of a measure's column.
pub(super) fn measure_column(base: usize, earlier: bool) -> String {
    format!("{}{base}", if earlier { 'b' } else { 'm' })
}

/// The name of a moving mean's column.
pub(super) fn moving_column(base: usize, periods: u16, earlier: bool) -> String {
    format!("{}w{periods}", measure_column(base, earlier))
}

/// A fact's rows, gathered: the groups, then its measures.
pub(super) fn rows(plan: &Plan<'_>, fact: &Fact<'_>, era: Era) -> Made<Query> {
    let source = Source::of(plan, fact, era)?;
    let earlier = era != Era::Now;
    let names: Vec<String> = fact.bases.iter().map(|base| measure_column(*base, earlier)).collect();
    let rows = match &fact.form {
        Form::Plain => plain(plan, fact, source, &names),
        Form::Ranked => ranked(plan, fact, source, &names[0]),
        Form::Edge(take, condition) => edge(plan, fact, source, take, condition.as_deref(), &names),
    }?;
    Ok(with_moving_means(plan, fact, rows, &names, earlier))
}

/// The rows with the moving means of their measures. They go over this table's periods alone: what else is asked for changes
/// nothing.
fn with_moving_means(plan: &Plan<'_>, fact: &Fact<'_>, rows: Query, names: &[String], earlier: bool) -> Query {
    let own: Vec<(usize, u16)> = plan.moving.iter().copied().filter(|(base, _)| fact.bases.contains(base)).collect();
    let Some(time) = plan.time().filter(|_| !own.is_empty()) else { return rows };
    let mut also: Vec<(Expr, String)> = names.iter().map(|name| (plan.tree.column("g", name), name.clone())).collect();
    for (base, periods) in own {
        let value = plan.tree.column("g", &measure_column(base, earlier));
        let mean = call("avg", vec![binary(value, BinaryOperator::Multiply, number("1e0"))], false);
        let mut parts = groups_of(plan, "g");
        let time = parts.remove(time);
        also.push((over(mean, parts, Some(time), Some(tree::frame(Some(periods)))), moving_column(base, periods, earlier)));
    }
    again(plan, rows, "g", also, Vec::new()).query()
}

/// A fact's table with what is joined to it: its groups, and the conditions of the filters.
struct Source<'a> {
    tree: Tree,
    joined: Joined<'a>,
    table: &'a str,
    groups: Vec<Expr>,
    conditions: Vec<Expr>,
}

impl<'a> Source<'a> {
    fn of(plan: &'a Plan<'_>, fact: &Fact<'a>, era: Era) -> Made<Self> {
        let tree = plan.tree;
        let mut this = Self {
            tree,
            joined: Joined::of(tree, plan.model, fact.table),
            table: fact.table,
            groups: Vec::new(),
            conditions: Vec::new(),
        };
        for place in 0..plan.groups.len() {
            this.group(plan, place, era)?;
        }
        if let Era::Before(shift) = era
            && shift.only_counterparts
        {
            let (time, _) = this.joined.dimension("compare", groups::TIME, None)?;
            this.conditions.extend(shift.has_counterpart(tree, &time)?);
        }
        this.filters(plan, era, false)?;
        this.filters(plan, era, true)?;
        Ok(this)
    }

    /// The rows among which the newest is looked for.
    fn others(plan: &'a Plan<'_>, fact: &'a str) -> Made<Self> {
        let (tree, joined) = (plan.tree, Joined::of(plan.tree, plan.model, fact));
        let mut this = Self { tree, joined, table: fact, groups: Vec::new(), conditions: Vec::new() };
        this.filters(plan, Era::Now, false)?;
        Ok(this)
    }

    /// The conditions of the filters whose periods count from the newest row, or those of all others.
    fn filters(&mut self, plan: &Plan<'_>, era: Era, newest: bool) -> Made<()> {
        for (place, filter) in plan.query.filters.iter().enumerate().filter(|(_, filter)| filter.newest == newest) {
            self.filter(plan, &format!("filters[{place}]"), filter, era)?;
        }
        if !newest {
            self.conditions.extend(narrowing::conditions(plan, self.table, &mut self.joined)?);
        }
        Ok(())
    }

    /// The condition of a period that counts from the newest of the other filters' rows.
    fn newest(&mut self, plan: &Plan<'_>, at: &str, filter: &ModelFilter, value: &Expr, era: Era) -> Made<()> {
        let bounds = newest::Bounds::of(plan, at, self.table, filter, era.shift())?;
        let end = |write: &dyn Fn(Expr) -> Made<Expr>| {
            let mut others = Source::others(plan, self.table)?;
            let (moment, _) = others.joined.dimension(at, &filter.dimension, filter.via.as_deref())?;
            others.conditions.extend(bounds.until(plan, at, &moment)?);
            let end = write(function("max", vec![moment]))?;
            let mut rows = others.rows()?;
            rows.items = vec![(end, self.tree.own("newest"))];
            Ok(Expr::Subquery(Box::new(rows.query())))
        };
        let from = end(&|newest| bounds.first(self.tree, newest))?;
        let to = end(&|newest| bounds.end(self.tree, newest))?;
        self.conditions.push(binary(value.clone(), BinaryOperator::GtEq, from));
        self.conditions.push(binary(value.clone(), BinaryOperator::Lt, to));
        self.conditions.extend(bounds.since(plan, at, value)?);
        Ok(())
    }

    fn group(&mut self, plan: &Plan<'_>, place: usize, era: Era) -> Made<()> {
        let (asked, at) = groups::asked(&plan.query, place);
        let (mut value, is_time) = self.joined.dimension(&at, &asked.name, asked.via.as_deref())?;
        // The days of the week and the hours of the earlier period are its own.
        if let (Era::Before(shift), true, None) = (era, is_time, asked.cycle) {
            value = shift.forth(self.tree, &value)?;
        }
        let dialect = self.tree.dialect();
        let value = match (asked.grain, asked.cycle) {
            (Some(grain), _) => plan.groups[place].year.period(self.tree, grain, &value)?,
            (None, Some(cycle)) => self.tree.around(|text| question::cycle_name(dialect, cycle, text), &value)?,
            (None, None) => value,
        };
        self.groups.push(value);
        Ok(())
    }

    fn filter(&mut self, plan: &Plan<'_>, at: &str, filter: &ModelFilter, era: Era) -> Made<()> {
        if filter.newest {
            let (value, _) = self.joined.dimension(&format!("{at}.dimension"), &filter.dimension, filter.via.as_deref())?;
            return self.newest(plan, &format!("{at}.value"), filter, &value, era);
        }
        let kept = condition::of_filter(plan, &mut self.joined, at, filter, era.shift())?;
        self.conditions.push(kept);
        Ok(())
    }

    /// The rows, of which nothing is read yet.
    fn rows(self) -> Made<Rows> {
        let mut rows = Rows::of(self.tree.table("measures", self.table, groups::FACT)?);
        rows.joins = self.joined.joins;
        rows.conditions = self.conditions;
        Ok(rows)
    }

    /// The rows with their groups, and whatever else is wanted of each.
    fn items(self, also: Vec<(Expr, String)>, only: Option<Expr>) -> Made<Rows> {
        let tree = self.tree;
        let groups = self.groups.clone();
        let mut rows = self.rows()?;
        rows.conditions.extend(only);
        let groups = groups.into_iter().enumerate().map(|(place, group)| (group, tree.own(&group_column(place))));
        rows.items = groups.chain(also.into_iter().map(|(value, name)| (value, tree.own(&name)))).collect();
        Ok(rows)
    }
}

/// What a measure gathers of each row: null for rows that do not count. `None` where rows themselves are counted.
fn gathered(plan: &Plan<'_>, source: &mut Source<'_>, base: &Base<'_>) -> Made<Option<Expr>> {
    let value = match base.own {
        Some(asked) => own::gathered(plan, &mut source.joined, base.name, asked)?,
        None => declared(source, base)?,
    };
    Ok(match own::counted(plan, &mut source.joined, base.name, base.only)? {
        None => value,
        Some(condition) => Some(when(condition, value.unwrap_or_else(|| number("1")))),
    })
}

/// What a measure of the model gathers of each row, whichever rows count for the number that it is part of.
fn declared(source: &mut Source<'_>, base: &Base<'_>) -> Made<Option<Expr>> {
    let at = |part: &str| format!("measures: `{part}` of {}", base.name);
    let value = base.measure.of.as_deref().map(|text| source.joined.own(&at("of"), text)).transpose()?;
    // A fact that takes an edge has the condition on its rows.
    let condition = base.measure.condition.as_deref().filter(|_| base.measure.take.is_none());
    let condition = condition.map(|text| source.joined.own(&at("where"), text)).transpose()?;
    Ok(match (value, condition) {
        (value, None) => value,
        (value, Some(condition)) => Some(when(condition, value.unwrap_or_else(|| number("1")))),
    })
}

/// The number of a group's values. Without groups there may be no row at all, of which some databases sum 0: then it is null.
fn aggregate(plan: &Plan<'_>, measure: &Measure, value: Option<Expr>) -> Expr {
    let Some(value) = value else { return function("count", Vec::new()) };
    let gathered = match measure.aggregate {
        Aggregate::Count => return function("count", vec![value]),
        Aggregate::CountDistinct => return Expr::Function(call("count", vec![value], true)),
        // Medians and percentiles are sums of weighed values.
        Aggregate::Sum | Aggregate::Median | Aggregate::Percentile => function("sum", vec![value.clone()]),
        // A float, since some databases cut the decimals of whole numbers' means.
        Aggregate::Average => function("avg", vec![binary(value.clone(), BinaryOperator::Multiply, number("1e0"))]),
        Aggregate::Min => function("min", vec![value.clone()]),
        Aggregate::Max => function("max", vec![value.clone()]),
    };
    if plan.groups.is_empty() {
        when(binary(function("count", vec![value]), BinaryOperator::Gt, number("0")), gathered)
    } else {
        gathered
    }
}

/// The rows of one table, gathered by one SELECT.
pub(super) struct Gathered {
    /// The groups.
    pub rows: Rows,
    /// The measures that the database's own aggregates make, by their places among the query's.
    pub measures: BTreeMap<usize, Expr>,
}

/// The rows of a query whose numbers all come of one table. Where all its measures count the same rows, these alone.
pub(super) fn gathered_at_once(plan: &Plan<'_>) -> Made<Option<Gathered>> {
    let [first, others @ ..] = &plan.facts[..] else { return Ok(None) };
    let is_apart = |fact: &Fact<'_>| fact.table != first.table || matches!(fact.form, Form::Edge(..));
    if is_apart(first) || others.iter().any(is_apart) {
        return Ok(None);
    }
    let mut source = Source::of(plan, first, Era::Now)?;
    source.conditions.extend(counted_by_all(plan, &mut source.joined)?.map(nested));
    let mut measures = BTreeMap::new();
    for base in plan.facts.iter().filter(|fact| fact.form == Form::Plain).flat_map(|fact| &fact.bases) {
        let measure = &plan.bases[*base];
        measures.insert(*base, aggregate(plan, measure.measure, gathered(plan, &mut source, measure)?));
    }
    let mut rows = source.items(Vec::new(), None)?;
    rows.groups = Some(plan.groups.len());
    Ok(Some(Gathered { rows, measures }))
}

/// The condition of the rows that count, where it is the same for all measures.
fn counted_by_all(plan: &Plan<'_>, joined: &mut Joined<'_>) -> Made<Option<Expr>> {
    let filters = |base: &Base<'_>| {
        let own = base.own.into_iter().flat_map(|own| &own.filters);
        own.chain(base.only).cloned().collect::<Vec<_>>()
    };
    let Some((first, others)) = plan.bases.split_first() else { return Ok(None) };
    let (condition, filtered) = (&first.measure.condition, filters(first));
    if others.iter().any(|other| other.measure.condition != *condition || filters(other) != filtered) {
        return Ok(None);
    }
    let counted = own::counted(plan, joined, first.name, &filtered)?;
    let condition = condition.as_ref().map(|text| joined.own("measures: `where`", text)).transpose()?;
    Ok(match (condition, counted) {
        (Some(one), Some(other)) => Some(binary(nested(one), BinaryOperator::And, other)),
        (one, other) => one.or(other),
    })
}

fn plain(plan: &Plan<'_>, fact: &Fact<'_>, mut source: Source<'_>, names: &[String]) -> Made<Query> {
    let mut also = Vec::new();
    for (base, name) in fact.bases.iter().zip(names) {
        let base = &plan.bases[*base];
        also.push((aggregate(plan, base.measure, gathered(plan, &mut source, base)?), name.clone()));
    }
    let mut rows = source.items(also, None)?;
    rows.groups = Some(plan.groups.len());
    Ok(rows.query())
}

/// The groups of a relation.
fn groups_of(plan: &Plan<'_>, relation: &str) -> Vec<Expr> {
    (0..plan.groups.len()).map(|place| plan.tree.column(relation, &group_column(place))).collect()
}

/// A query's rows as a relation: its groups, and whatever else is wanted.
fn again(plan: &Plan<'_>, query: Query, relation: &str, also: Vec<(Expr, String)>, conditions: Vec<Expr>) -> Rows {
    let tree = plan.tree;
    let mut rows = Rows::of(tree.derived(query, relation));
    let groups = groups_of(plan, relation).into_iter().enumerate().map(|(place, group)| (group, group_column(place)));
    rows.items = groups.chain(also).map(|(value, name)| (value, tree.own(&name))).collect();
    rows.conditions = conditions;
    rows
}

/// A median or percentile, worked out alike everywhere: each value has a place in its group's order, and the result lies at
/// a place between two of them. Each of the two counts the more the nearer it is.
fn ranked(plan: &Plan<'_>, fact: &Fact<'_>, mut source: Source<'_>, name: &str) -> Made<Query> {
    let tree = plan.tree;
    let base = &plan.bases[fact.bases[0]];
    let fraction = if base.measure.aggregate == Aggregate::Median { 0.5 } else { base.measure.fraction.unwrap_or_default() };
    let value = gathered(plan, &mut source, base)?.unwrap_or_else(|| number("1"));
    let values = source.items(vec![(value, "v".to_owned())], None)?.query();

    let value = || tree.column("v", "v");
    let less_one = |expression: Expr| binary(expression, BinaryOperator::Minus, number("1"));
    let place = less_one(over(call("row_number", Vec::new(), false), groups_of(plan, "v"), Some(value()), None));
    let last = less_one(over(call("count", Vec::new(), false), groups_of(plan, "v"), None, None));
    let middle = binary(last, BinaryOperator::Multiply, number(format!("{fraction:e}")));
    let also = vec![(value(), "v".to_owned()), (place, "place".to_owned()), (middle, "middle".to_owned())];
    let has_value = Expr::IsNotNull(Box::new(value()));
    let placed = again(plan, values, "v", also, vec![has_value]).query();

    let apart = function("abs", vec![binary(tree.column("p", "place"), BinaryOperator::Minus, tree.column("p", "middle"))]);
    let weight = binary(number("1e0"), BinaryOperator::Minus, apart.clone());
    let weighed = binary(tree.column("p", "v"), BinaryOperator::Multiply, weight);
    let near = binary(apart, BinaryOperator::Lt, number("1"));
    let sum = aggregate(plan, base.measure, Some(weighed));
    let mut rows = again(plan, placed, "p", vec![(sum, name.to_owned())], vec![near]);
    rows.groups = Some(plan.groups.len());
    Ok(rows.query())
}

/// Numbers of the rows at the first or last moment of each group.
fn edge(
    plan: &Plan<'_>,
    fact: &Fact<'_>,
    mut source: Source<'_>,
    take: &Take,
    condition: Option<&str>,
    names: &[String],
) -> Made<Query> {
    let tree = plan.tree;
    let at = "measures: `take`";
    let table = plan.model.table(at, fact.table)?;
    let Some(over_column) = take.over.as_ref().or(table.model.time.as_ref()) else {
        return Err(NoMeaning::new(at, format!("{} has no default time dimension; say `over` which column", fact.table)));
    };
    let mut also = vec![(source.joined.own_dimension(at, over_column)?, "moment".to_owned())];
    for (place, column) in take.per.iter().enumerate() {
        also.push((source.joined.own_dimension(at, column)?, format!("p{place}")));
    }
    for (base, name) in fact.bases.iter().zip(names) {
        also.push((gathered(plan, &mut source, &plan.bases[*base])?.unwrap_or_else(|| number("1")), name.clone()));
    }
    let condition = condition.map(|text| source.joined.own("measures: `where`", text)).transpose()?;
    let taken: Vec<String> = also.iter().skip(1 + take.per.len()).map(|(_, name)| name.clone()).collect();
    let moments = source.items(also, condition)?.query();

    let mut parts = groups_of(plan, "v");
    parts.extend((0..take.per.len()).map(|place| tree.column("v", &format!("p{place}"))));
    let furthest = call(if take.edge == Edge::Last { "max" } else { "min" }, vec![tree.column("v", "moment")], false);
    let mut also =
        vec![(tree.column("v", "moment"), "moment".to_owned()), (over(furthest, parts, None, None), "edge".to_owned())];
    also.extend(taken.iter().map(|name| (tree.column("v", name), name.clone())));
    let marked = again(plan, moments, "v", also, Vec::new()).query();

    let at_edge = binary(tree.column("p", "moment"), BinaryOperator::Eq, tree.column("p", "edge"));
    let sums = fact
        .bases
        .iter()
        .zip(names)
        .map(|(base, name)| (aggregate(plan, plan.bases[*base].measure, Some(tree.column("p", name))), name.clone()));
    let mut rows = again(plan, marked, "p", sums.collect(), vec![at_edge]);
    rows.groups = Some(plan.groups.len());
    Ok(rows.query())
}
