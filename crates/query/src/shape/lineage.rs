//! The origin of a query's columns: through `WITH` and subqueries to a table, as long as nothing changes them.

use crate::{
    catalog::Catalog,
    name::{fold, fold_ident, requoted},
    source::SourceKind,
};
use inlay_contract::chart::question::Grain;
use sqlparser::ast::{
    Cte, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Query, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, TableAlias, TableFactor, Value, With,
};

/// More deeply nested queries are not analysed.
const DEEPEST: u8 = 16;

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineage {
    /// The table, as named in the catalogue.
    pub table: String,
    /// The column.
    pub column: String,
    /// The period that its dates are truncated to.
    pub grain: Option<Grain>,
}

/// A relation's column behind an expression.
pub(super) struct ColumnOrigin {
    /// The relation's name in the query.
    pub relation: String,
    /// The relation's column.
    pub column: String,
    /// The period that the expression truncates its dates to.
    pub grain: Option<Grain>,
    /// The table's column behind it.
    pub lineage: Option<Lineage>,
}

/// The relations in a query's `FROM`.
pub(super) struct Relations<'a> {
    kind: SourceKind,
    catalog: &'a Catalog,
    relations: Vec<Relation<'a>>,
    depth: u8,
}

/// A relation: its name in the query, folded and as spelled, and its source.
struct Relation<'a> {
    alias: String,
    spelled: String,
    rows: Rows<'a>,
}

/// The source of a relation's rows.
enum Rows<'a> {
    /// A table, as named in the catalogue.
    Table(String),
    /// A query, and the parts of `WITH` in its scope.
    Query(&'a Query, Vec<Part<'a>>),
    /// A relation that renames its columns.
    Renamed,
}

/// A part of `WITH`. Earlier parts are in its scope.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    part: &'a Cte,
    recursive: bool,
}

impl<'a> Part<'a> {
    fn renames(self) -> bool {
        !self.part.alias.columns.is_empty()
    }

    fn name(self, kind: SourceKind) -> String {
        fold_ident(kind, &self.part.alias.name)
    }
}

fn parts<'a>(with: Option<&'a With>) -> impl Iterator<Item = Part<'a>> {
    let of = |with: &'a With| with.cte_tables.iter().map(|part| Part { part, recursive: with.recursive });
    with.into_iter().flat_map(of)
}

/// The prefix that makes a query with these parts of `WITH` self-contained: `WITH …` and a space, or nothing. `None` if the
/// parts would have another meaning there.
pub(super) fn standing_alone(kind: SourceKind, query: &Query, seen: &[Part<'_>]) -> Option<String> {
    if seen.is_empty() {
        return Some(query.with.as_ref().map(|with| format!("{with} ")).unwrap_or_default());
    }
    let parts: Vec<Part<'_>> = seen.iter().copied().chain(parts(query.with.as_ref())).collect();
    let is_first = |at: usize| !parts[..at].iter().any(|before| before.name(kind) == parts[at].name(kind));
    let means_the_same = parts.iter().enumerate().all(|(at, part)| !part.recursive && is_first(at));
    let texts: Vec<String> = parts.iter().map(|part| part.part.to_string()).collect();
    means_the_same.then(|| format!("WITH {} ", texts.join(", ")))
}

impl<'a> Relations<'a> {
    /// The relations of a query that is a single `SELECT`, with the parts of `WITH` in its scope and its nesting depth.
    pub(super) fn of(kind: SourceKind, catalog: &'a Catalog, query: &'a Query, seen: &[Part<'a>], depth: u8) -> Option<Self> {
        let SetExpr::Select(select) = query.body.as_ref() else { return None };
        let seen: Vec<Part<'a>> = seen.iter().copied().chain(parts(query.with.as_ref())).collect();
        let factors = select
            .from
            .iter()
            .flat_map(|item| std::iter::once(&item.relation).chain(item.joins.iter().map(|join| &join.relation)));
        let relations: Vec<Relation<'a>> =
            factors.map(|factor| relation(kind, catalog, factor, &seen)).collect::<Option<_>>()?;
        (!relations.is_empty() && depth < DEEPEST).then_some(Self { kind, catalog, relations, depth })
    }

    /// The first relation: its table, if it is one, and its name in the query.
    pub(super) fn first(&self) -> (Option<String>, String) {
        let table = |relation: &Relation<'_>| match &relation.rows {
            Rows::Table(name) => Some(name.clone()),
            Rows::Query(..) | Rows::Renamed => None,
        };
        self.relations.first().map(|first| (table(first), first.spelled.clone())).unwrap_or_default()
    }

    /// The first relation's query, if it is one, and the parts of `WITH` in its scope.
    pub(super) fn first_query(&self) -> Option<(&'a Query, &[Part<'a>])> {
        match &self.relations.first()?.rows {
            Rows::Query(query, seen) => Some((query, seen)),
            Rows::Table(_) | Rows::Renamed => None,
        }
    }

    /// Whether an expression is this (folded) column of the first relation.
    pub(super) fn is_of_first(&self, expression: &Expr, column: &str) -> bool {
        let place = self.place_of(expression).filter(|place| place.grain.is_none());
        place.is_some_and(|place| place.relation == self.first().1 && fold(self.kind, &place.column) == column)
    }

    /// The column behind an expression that is a column or a period of one.
    pub(super) fn place_of(&self, expression: &Expr) -> Option<ColumnOrigin> {
        match expression {
            Expr::Identifier(column) => match self.relations.as_slice() {
                [only] => self.place(only, column),
                _ => None,
            },
            Expr::CompoundIdentifier(names) => {
                let [relation, column] = names.as_slice() else { return None };
                let alias = fold_ident(self.kind, relation);
                self.place(self.relations.iter().find(|relation| relation.alias == alias)?, column)
            }
            Expr::Nested(inner) => self.place_of(inner),
            Expr::Cast { expr, .. } => self.place_of(expr).filter(|place| place.grain.is_some()),
            Expr::Function(function) => {
                let (column, grain) = period(function)?;
                let place = self.place_of(column).filter(|place| place.grain.is_none())?;
                Some(ColumnOrigin { grain: Some(grain), ..place })
            }
            _ => None,
        }
    }

    fn place(&self, relation: &Relation<'a>, column: &Ident) -> Option<ColumnOrigin> {
        let name = requoted(self.kind, column);
        let lineage = self.lineage(relation, &name);
        // A table's columns are known. Those of a renamed relation cannot be named safely.
        let known = !matches!(relation.rows, Rows::Renamed);
        known.then(|| ColumnOrigin { relation: relation.spelled.clone(), column: name, grain: None, lineage })
    }

    /// The table's column behind a relation's column.
    fn lineage(&self, relation: &Relation<'a>, column: &str) -> Option<Lineage> {
        match &relation.rows {
            Rows::Table(table) => Some(Lineage { table: table.clone(), column: column.to_owned(), grain: None }),
            Rows::Query(query, seen) => {
                let query: &'a Query = query;
                let inner = Relations::of(self.kind, self.catalog, query, seen, self.depth + 1)?;
                inner.output_lineage(query, column)
            }
            Rows::Renamed => None,
        }
    }

    /// The table's column behind a result column of this query.
    fn output_lineage(&self, query: &'a Query, column: &str) -> Option<Lineage> {
        let SetExpr::Select(select) = query.body.as_ref() else { return None };
        let wanted = fold(self.kind, column);
        let named_so = |item: &&SelectItem| output(item).is_some_and(|name| fold_ident(self.kind, name) == wanted);
        if let Some((_, expression)) = select.projection.iter().find(named_so).and_then(named) {
            let place = self.place_of(expression)?;
            let lineage = place.lineage?;
            return match (place.grain, lineage.grain) {
                (Some(_), Some(_)) => None,
                (grain, inner) => Some(Lineage { grain: grain.or(inner), ..lineage }),
            };
        }
        let all = |relation: &Relation<'a>| self.lineage(relation, column);
        match select.projection.as_slice() {
            [SelectItem::Wildcard(_)] if self.relations.len() == 1 => self.relations.first().and_then(all),
            [SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _)] => {
                let alias = fold_ident(self.kind, name.0.last()?.as_ident()?);
                self.relations.iter().find(|relation| relation.alias == alias).and_then(all)
            }
            _ => None,
        }
    }
}

fn relation<'a>(kind: SourceKind, catalog: &Catalog, factor: &'a TableFactor, seen: &[Part<'a>]) -> Option<Relation<'a>> {
    let called = |alias: &Ident, rows| Relation { alias: fold_ident(kind, alias), spelled: requoted(kind, alias), rows };
    let renames = |alias: &Option<TableAlias>| alias.as_ref().is_some_and(|alias| !alias.columns.is_empty());
    match factor {
        TableFactor::Table { name, alias, args: None, .. } => {
            let own = name.0.last()?.as_ident()?;
            let part = match name.0.as_slice() {
                [_] => seen.iter().rposition(|part| part.name(kind) == fold_ident(kind, own)),
                _ => None,
            };
            let rows = match part {
                _ if renames(alias) => Rows::Renamed,
                Some(at) if seen[at].renames() => Rows::Renamed,
                // A recursive part is in its own scope.
                Some(at) => Rows::Query(&seen[at].part.query, seen[..at + usize::from(seen[at].recursive)].to_vec()),
                None => Rows::Table(catalog.resolve(kind, name)?.name.clone()),
            };
            Some(called(alias.as_ref().map_or(own, |alias| &alias.name), rows))
        }
        TableFactor::Derived { lateral: false, subquery, alias, .. } => {
            let rows = if renames(alias) { Rows::Renamed } else { Rows::Query(subquery, seen.to_vec()) };
            Some(called(&alias.as_ref()?.name, rows))
        }
        _ => None,
    }
}

/// The implicit name of a select item.
pub(super) fn output(item: &SelectItem) -> Option<&Ident> {
    match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(alias),
        SelectItem::UnnamedExpr(Expr::Identifier(name)) => Some(name),
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(names)) => names.last(),
        _ => None,
    }
}

/// A select item's name and expression.
pub(super) fn named(item: &SelectItem) -> Option<(String, &Expr)> {
    match item {
        SelectItem::ExprWithAlias { expr, alias } => Some((alias.value.clone(), expr)),
        SelectItem::UnnamedExpr(expression) => {
            Some((output(item).map_or_else(|| expression.to_string(), |name| name.value.clone()), expression))
        }
        _ => None,
    }
}

/// The column and the period of a function that truncates a date.
fn period(function: &Function) -> Option<(&Expr, Grain)> {
    let name = function.name.to_string().to_lowercase();
    let FunctionArguments::List(list) = &function.args else { return None };
    let arguments: Vec<&Expr> = list
        .args
        .iter()
        .map(|argument| match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expression)) => Some(expression),
            _ => None,
        })
        .collect::<Option<_>>()?;
    match (name.as_str(), arguments.as_slice()) {
        ("date" | "to_date" | "todate", [column]) => Some((column, Grain::Day)),
        ("date", [column, sunday, back]) if text(sunday)? == "weekday 0" && text(back)? == "-6 days" => {
            Some((column, Grain::Week))
        }
        ("strftime", [format, column]) | ("date_format", [column, format]) => match text(format)? {
            "%Y-%m-%d" => Some((column, Grain::Day)),
            "%Y-%m-01" => Some((column, Grain::Month)),
            "%Y-01-01" => Some((column, Grain::Year)),
            _ => None,
        },
        ("date_trunc", [unit, column]) => {
            let unit = text(unit)?.to_lowercase();
            Grain::ALL.into_iter().find(|grain| grain.name() == unit).map(|grain| (*column, grain))
        }
        _ => None,
    }
}

fn text(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}
