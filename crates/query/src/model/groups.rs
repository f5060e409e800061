//! Dimensions: where they are, by which way, and what each is.

use super::{
    Made, NoMeaning,
    definition::{Model, listed},
    expression,
    fiscal::YearStart,
    plan::Fact,
    tree::{self, Tree},
};
use inlay_contract::{
    chart::question::{Cycle, Grain},
    model::{ModelGroup, ModelQuery},
};
use sqlparser::ast::{Expr, Join};
use std::collections::BTreeSet;

/// The name of each table's default time dimension.
pub(super) const TIME: &str = "time";
/// The name of a fact's table in its query.
pub(super) const FACT: &str = "t";

/// A group of a query.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Its column in the answer.
    pub column: String,
    pub label: String,
    /// Whether the model declares the label. Otherwise it is the dimension's name.
    pub is_labelled: bool,
    pub grain: Option<Grain>,
    pub cycle: Option<Cycle>,
    /// When its years begin.
    pub year: YearStart,
    /// The declared order of its values. Empty for that of the database.
    pub order: Vec<String>,
}

/// The groups of a query. Each fact can be gathered by each of them.
pub(super) fn of(model: &Model, query: &ModelQuery, facts: &[Fact<'_>]) -> Made<Vec<Group>> {
    let mut groups = Vec::new();
    for (place, asked) in query.dimensions.iter().enumerate() {
        let at = format!("dimensions[{place}]");
        if asked.grain.is_some() && asked.cycle.is_some() {
            return Err(NoMeaning::new(at, "takes a `grain` or a `cycle`, not both; name the dimension twice for both"));
        }
        let (mut labels, mut is_labelled, mut tables, mut order) = (BTreeSet::new(), false, Vec::new(), Vec::new());
        for fact in facts {
            let place = Place::of(model, &at, fact.table, &asked.name, asked.via.as_deref())?;
            let label = place.label(model);
            is_labelled |= label != place.dimension;
            labels.insert(label);
            tables.push(place.table);
            if asked.grain.is_none() && asked.cycle.is_none() {
                order = place.order(model);
            }
        }
        let is_fiscal = matches!(asked.grain, Some(Grain::Quarter | Grain::Year));
        let year = if is_fiscal {
            YearStart::shared(&at, model, &tables)?
        } else {
            YearStart::of_table(model, tables.first().unwrap_or(&""))
        };
        // The times of several tables have several names.
        let mut label = if labels.len() == 1 { labels.pop_first().unwrap_or_default() } else { "Time".to_owned() };
        let is_other_way = |other: &ModelGroup| other.name == asked.name && other.via != asked.via;
        if let Some(via) = asked.via.as_ref().filter(|_| query.dimensions.iter().any(is_other_way)) {
            // The city of the origin beside that of the destination.
            label += &format!(" ({})", way_label(model, facts, via));
        }
        if let Some(grain) = asked.grain {
            label += &format!(" ({})", grain.name());
        }
        if let Some(cycle) = asked.cycle {
            label += &format!(" ({})", cycle.name());
        }
        groups.push(Group { column: asked.column(), label, is_labelled, grain: asked.grain, cycle: asked.cycle, year, order });
    }
    Ok(groups)
}

/// What people read of a way: the display name of the column that it follows first, where all facts give it the same.
fn way_label<'a>(model: &'a Model, facts: &[Fact<'_>], via: &'a str) -> &'a str {
    let first = via.split('.').next().unwrap_or(via);
    let label = |fact: &Fact<'_>| model.tables.get(fact.table)?.columns.get(first)?.as_deref();
    let labels: BTreeSet<&str> = facts.iter().filter_map(label).collect();
    if via == first && labels.len() == 1 { labels.first().copied().unwrap_or(via) } else { via }
}

/// The table whose rows show the different values of dimensions: the first of theirs from which all others are reached. Where a
/// way is given, it begins at another table, and only one may fit.
pub(super) fn common_table<'a>(model: &'a Model, query: &ModelQuery) -> Made<&'a str> {
    let mut first = None;
    let own = query.dimensions.iter().filter_map(|asked| asked.name.rsplit_once('.').map(|(table, _)| table));
    let others = query.dimensions.iter().any(|asked| asked.via.is_some());
    let starts: Vec<&str> = if others { model.tables.keys().map(String::as_str).collect() } else { own.collect() };
    let mut fitting = Vec::new();
    for start in starts {
        let reached = query.dimensions.iter().enumerate().try_for_each(|(place, asked)| {
            Place::of(model, &format!("dimensions[{place}]"), start, &asked.name, asked.via.as_deref()).map(drop)
        });
        match (reached, model.tables.get_key_value(start)) {
            (Ok(()), Some((name, _))) if others => fitting.push(name.as_str()),
            (Ok(()), Some((name, _))) => return Ok(name),
            (Err(why), _) => first = first.or(Some(why)),
            (Ok(()), None) => {}
        }
    }
    match &fitting[..] {
        [] => {}
        [one] => return Ok(one),
        several => {
            let known = listed(several.iter().copied());
            let why = format!("`via` could begin at several tables: {known}; add a measure of the one whose rows you mean");
            return Err(NoMeaning::new("dimensions", why));
        }
    }
    Err(first.unwrap_or_else(|| {
        let why = "`time` is the time of a measure's table; add a measure, or name the table's column";
        NoMeaning::new("dimensions[0]", why)
    }))
}

/// Where a dimension is, seen from a fact's table.
pub(super) struct Place<'a> {
    table: &'a str,
    dimension: &'a str,
    /// The columns that lead to its table.
    pub way: Vec<String>,
    /// Whether it is the default time dimension of the fact's own table.
    pub is_time: bool,
}

impl<'a> Place<'a> {
    pub(super) fn of(model: &'a Model, at: &str, fact: &str, name: &str, via: Option<&str>) -> Made<Self> {
        let own = model.table(at, fact)?;
        if name == TIME && via.is_some() {
            return Err(NoMeaning::new(at, "`time` is in each measure's own table and takes no `via`"));
        }
        if name == TIME {
            let Some(time) = &own.model.time else {
                let why = format!("{fact} has no default time dimension; write `time:` at the table, or name a column");
                return Err(NoMeaning::new(at, why));
            };
            let (table, _) = model.tables.get_key_value(fact).ok_or_else(|| NoMeaning::new(at, "no such table"))?;
            return Self::within(model, at, table, time, Vec::new(), true);
        }
        let Some((table, dimension)) = name.rsplit_once('.') else {
            let why = format!("`{name}` is not table.dimension, nor `{TIME}`");
            return Err(NoMeaning::new(at, why));
        };
        model.table(at, table)?;
        let way = model.way(at, fact, table, via)?;
        let is_time = way.is_empty() && own.model.time.as_deref() == Some(dimension);
        let (table, _) = model.tables.get_key_value(table).ok_or_else(|| NoMeaning::new(at, "no such table"))?;
        Self::within(model, at, table, dimension, way, is_time)
    }

    fn within(model: &'a Model, at: &str, table: &'a str, dimension: &str, way: Vec<String>, is_time: bool) -> Made<Self> {
        let found = &model.tables[table];
        let known = found.model.dimensions.get_key_value(dimension).map(|(name, _)| name);
        match known.or_else(|| found.columns.get_key_value(dimension).map(|(name, _)| name)) {
            Some(dimension) => Ok(Self { table, dimension, way, is_time }),
            None => {
                let known = listed(found.dimensions());
                Err(NoMeaning::new(at, format!("{table} has no dimension `{dimension}`; it has {known}")))
            }
        }
    }

    /// A dimension of the table at the end of a way.
    pub(super) fn along(model: &'a Model, at: &str, table: &str, dimension: &str, way: Vec<String>) -> Made<Self> {
        let (table, _) = model.tables.get_key_value(table).ok_or_else(|| NoMeaning::new(at, "no such table"))?;
        Self::within(model, at, table, dimension, way, false)
    }

    /// The table that it is of.
    pub(super) const fn table(&self) -> &str {
        self.table
    }

    fn order(&self, model: &Model) -> Vec<String> {
        let declared = model.tables[self.table].model.dimensions.get(self.dimension);
        declared.map(|declared| declared.order.clone()).unwrap_or_default()
    }

    pub(super) fn label(&self, model: &Model) -> String {
        let table = &model.tables[self.table];
        let declared = table.model.dimensions.get(self.dimension).map(|one| &one.label);
        let label = declared.or_else(|| table.columns.get(self.dimension)).and_then(Option::as_ref);
        label.cloned().unwrap_or_else(|| self.dimension.to_owned())
    }
}

/// The tables that a fact's query joins, each once.
pub(super) struct Joined<'a> {
    tree: Tree,
    model: &'a Model,
    pub fact: &'a str,
    ways: Vec<Vec<String>>,
    pub joins: Vec<Join>,
}

impl<'a> Joined<'a> {
    pub(super) const fn of(tree: Tree, model: &'a Model, fact: &'a str) -> Self {
        Self { tree, model, fact, ways: Vec::new(), joins: Vec::new() }
    }

    /// A dimension's expression, and whether it is the fact's default time.
    pub(super) fn dimension(&mut self, at: &str, name: &str, via: Option<&str>) -> Made<(Expr, bool)> {
        let place = Place::of(self.model, at, self.fact, name, via)?;
        Ok((self.expression(at, &place)?, place.is_time))
    }

    /// The expression of a dimension whose place is known: null for a row without a row at the end of the way.
    pub(super) fn expression(&mut self, at: &str, place: &Place<'_>) -> Made<Expr> {
        let relation = self.relation(at, &place.way)?;
        let table = &self.model.tables[place.table];
        let Some(declared) = table.model.dimensions.get(place.dimension) else {
            return Ok(Expr::CompoundIdentifier(vec![self.tree.own(&relation), self.tree.name(at, place.dimension)?]));
        };
        let value = expression::of_row(self.tree.kind, &declared.sql, &relation).map_err(|why| {
            NoMeaning::new(at, format!("the dimension {}.{} is not valid: {why}", place.table, place.dimension))
        })?;
        if place.way.is_empty() || expression::is_column(&value) {
            return Ok(value);
        }
        // An expression such as `coalesce(region, 'none')` makes a value even of a row that is not there.
        Ok(tree::when(Expr::IsNotNull(Box::new(self.key_of(at, &place.way)?)), value))
    }

    /// The key of the table at the end of a way: null where a row has none there.
    pub(super) fn key_of(&mut self, at: &str, way: &[String]) -> Made<Expr> {
        let relation = self.relation(at, way)?;
        let reference = self.model.reference(self.fact, way).ok_or_else(|| NoMeaning::new(at, "a key leads nowhere"))?;
        Ok(Expr::CompoundIdentifier(vec![self.tree.own(&relation), self.tree.name(at, &reference.column)?]))
    }

    /// A column or declared dimension of the fact's own table.
    pub(super) fn own_dimension(&self, at: &str, name: &str) -> Made<Expr> {
        match self.model.tables.get(self.fact).and_then(|table| table.model.dimensions.get(name)) {
            Some(declared) => self.own(at, &declared.sql),
            None => Ok(Expr::CompoundIdentifier(vec![self.tree.own(FACT), self.tree.name(at, name)?])),
        }
    }

    /// A column of the fact's own table by its exact name, or an expression over its columns.
    pub(super) fn own(&self, at: &str, text: &str) -> Made<Expr> {
        if self.model.tables.get(self.fact).is_some_and(|table| table.columns.contains_key(text)) {
            return Ok(Expr::CompoundIdentifier(vec![self.tree.own(FACT), self.tree.name(at, text)?]));
        }
        expression::of_row(self.tree.kind, text, FACT).map_err(|why| NoMeaning::new(at, why))
    }

    /// The name of the table at the end of a way, joined.
    fn relation(&mut self, at: &str, way: &[String]) -> Made<String> {
        let Some((column, before)) = way.split_last() else { return Ok(FACT.to_owned()) };
        if let Some(known) = self.ways.iter().position(|known| known == way) {
            return Ok(format!("j{known}"));
        }
        let from = self.relation(at, before)?;
        let reference = self.model.reference(self.fact, way).ok_or_else(|| NoMeaning::new(at, "a key leads nowhere"))?;
        let alias = format!("j{}", self.ways.len());
        let relation = self.tree.table(at, &reference.table, &alias)?;
        let key = Expr::CompoundIdentifier(vec![self.tree.own(&alias), self.tree.name(at, &reference.column)?]);
        let held = Expr::CompoundIdentifier(vec![self.tree.own(&from), self.tree.name(at, column)?]);
        self.ways.push(way.to_vec());
        self.joins.push(tree::left_join(relation, key, held));
        Ok(alias)
    }
}

/// A query's dimension by its place.
pub(super) fn asked(query: &ModelQuery, place: usize) -> (&ModelGroup, String) {
    (&query.dimensions[place], format!("dimensions[{place}]"))
}
