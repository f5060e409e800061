//! What a chart's query is made of, for asking further: which of its columns are taken for each of what, which are numbers, and
//! where its rows come from. Only a `SELECT` has a shape, whatever its rows come from: tables, `WITH`, sub-queries. Of any other
//! query nothing is said, so that nobody is shown rows which are not those behind a mark.

mod lineage;

use crate::{
    behind::MarkCondition,
    catalog::Catalog,
    error::QueryError,
    name::{fold_ident, quote},
    source::SourceKind,
    sql::{
        check::{Author, check},
        on_deep_stack, parse,
    },
};
use inlay_contract::{chart::question::Grain, filter::FilterValue};
pub use lineage::Lineage;
use lineage::{Place, Relations, named, output};
use sqlparser::ast::{
    Distinct, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, Select, SelectItem, SetExpr, Statement, Value,
};

/// Functions that make one number of many rows.
const AGGREGATES: [&str; 7] = ["count", "sum", "avg", "min", "max", "total", "median"];

/// The parts of a chart's query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What rows are gathered by; every column of a query that gathers none.
    pub groups: Vec<Group>,
    /// Whether a row of the answer stands for several rows.
    pub gathers: bool,
    /// The numbers: the name in the answer, and the SQL.
    measures: Vec<(String, String)>,
    /// `WITH` and the blank behind it, or nothing.
    with: String,
    /// `FROM` and `WHERE`.
    origin: String,
    /// The first relation: the table of the catalogue, if it is one, and what the query calls it.
    first: (Option<String>, String),
    kind: SourceKind,
}

/// A column of the answer that rows are gathered by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name in the answer.
    pub name: String,
    /// The period that it gathers the days of its place into.
    pub grain: Option<Grain>,
    /// The relation, as the query calls it, and its column.
    place: (String, String),
    /// The column of a table that stands at the place.
    lineage: Option<Lineage>,
}

impl Group {
    /// The column of a table that the group is made of, with the period that its days are gathered into.
    #[must_use]
    pub fn column(&self) -> Option<Lineage> {
        let lineage = self.lineage.clone()?;
        match (self.grain, lineage.grain) {
            // A period of a period: its days are not known.
            (Some(_), Some(_)) => None,
            (grain, inner) => Some(Lineage { grain: grain.or(inner), ..lineage }),
        }
    }

    /// Whether the place holds a column as its table has it, so that its type is known.
    #[must_use]
    pub fn is_column(&self) -> bool {
        self.lineage.as_ref().is_some_and(|lineage| lineage.grain.is_none())
    }

    /// The condition that keeps the rows whose place has a value; none: those without one.
    #[must_use]
    pub fn condition(&self, value: Option<FilterValue>) -> MarkCondition {
        let unchanged = self.lineage.as_ref().filter(|lineage| lineage.grain.is_none());
        let column = unchanged.map(|lineage| (lineage.table.clone(), lineage.column.clone()));
        MarkCondition { place: self.place.clone(), column, value }
    }
}

impl Shape {
    /// The table whose rows are listed, as the catalogue names it; none where they are those of `WITH` or a sub-query.
    #[must_use]
    pub fn table(&self) -> Option<&str> {
        self.first.0.as_deref()
    }

    /// The rows behind the chart, with some columns of its first relation.
    #[must_use]
    pub fn rows(&self, columns: &[String], limit: u32) -> String {
        let columns: Vec<String> = columns.iter().map(|column| self.named(column)).collect();
        self.select(&columns.join(", "), &format!("LIMIT {limit}"))
    }

    /// The rows behind the chart, with all columns of its first relation.
    #[must_use]
    pub fn all(&self, limit: u32) -> String {
        self.select(&format!("{}.*", quote(self.kind, &self.first.1)), &format!("LIMIT {limit}"))
    }

    /// The chart's numbers for each value of another column of its first relation.
    #[must_use]
    pub fn by(&self, column: &str, limit: u32) -> String {
        let count = ("count".to_owned(), "count(*)".to_owned());
        let measures = if self.measures.is_empty() { vec![count] } else { self.measures.clone() };
        let measures = measures.iter().map(|(name, sql)| format!("{sql} AS {}", quote(self.kind, name)));
        let columns: Vec<String> = std::iter::once(self.named(column)).chain(measures).collect();
        let (table, column) = (quote(self.kind, &self.first.1), quote(self.kind, column));
        self.select(&columns.join(", "), &format!("GROUP BY {table}.{column} ORDER BY 2 DESC LIMIT {limit}"))
    }

    fn select(&self, columns: &str, rest: &str) -> String {
        format!("{}SELECT {columns} {} {rest}", self.with, self.origin)
    }

    fn named(&self, column: &str) -> String {
        let (table, column) = (quote(self.kind, &self.first.1), quote(self.kind, column));
        format!("{table}.{column} AS {column}")
    }
}

/// The shape of a chart's query, if it has one.
///
/// # Errors
/// The query is not one that Inlay runs.
pub fn shape(kind: SourceKind, sql: &str, catalog: &Catalog) -> Result<Option<Shape>, QueryError> {
    on_deep_stack(|| {
        let statement = parse(kind, sql)?;
        check(kind, Author::Chart, &statement)?;
        Ok(of_statement(kind, &statement, catalog))
    })
}

/// The shape of a query that was checked.
pub(crate) fn of_statement(kind: SourceKind, statement: &Statement, catalog: &Catalog) -> Option<Shape> {
    let Statement::Query(query) = statement else { return None };
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    if matches!(select.distinct, Some(Distinct::On(_))) || select.qualify.is_some() {
        return None;
    }
    let relations = Relations::of(kind, catalog, query)?;
    let (mut groups, mut measures) = (Vec::new(), Vec::new());
    for item in &select.projection {
        let (name, expression) = named(item)?;
        match relations.place_of(expression) {
            Some(Place { relation, column, grain, lineage }) => {
                groups.push(Group { name, grain, place: (relation, column), lineage });
            }
            None if aggregates(expression) => measures.push((name, expression.to_string())),
            // What is neither a column nor a number cannot be asked for again.
            None => return None,
        }
    }
    let GroupByExpr::Expressions(by, modifiers) = &select.group_by else { return None };
    // Gathered by something that the answer does not show: its marks say too little of the rows behind them.
    if !modifiers.is_empty() || !by.iter().all(|by| is_shown(kind, by, &select.projection)) {
        return None;
    }
    // A column beside a number of all rows stands for none of them.
    if by.is_empty() && !groups.is_empty() && !measures.is_empty() {
        return None;
    }
    let gathers = !by.is_empty() || !measures.is_empty() || select.distinct.is_some();
    let with = query.with.as_ref().map(|with| format!("{with} ")).unwrap_or_default();
    Some(Shape { groups, gathers, measures, with, origin: origin(select), first: relations.first(), kind })
}

fn origin(select: &Select) -> String {
    let from: Vec<String> = select.from.iter().map(ToString::to_string).collect();
    let filter = select.selection.as_ref().map(|filter| format!(" WHERE {filter}")).unwrap_or_default();
    format!("FROM {}{filter}", from.join(", "))
}

/// Whether what a query gathers by stands in its answer: by its place there, its name or as it is.
fn is_shown(kind: SourceKind, by: &Expr, projection: &[SelectItem]) -> bool {
    if let Expr::Value(value) = by {
        let Value::Number(place, _) = &value.value else { return false };
        return place.parse::<usize>().is_ok_and(|place| (1..=projection.len()).contains(&place));
    }
    projection.iter().any(|item| {
        let is_named = || match by {
            Expr::Identifier(name) => output(item).is_some_and(|output| fold_ident(kind, output) == fold_ident(kind, name)),
            _ => false,
        };
        named(item).is_some_and(|(_, expression)| expression == by) || is_named()
    })
}

/// Whether an expression is a number made of many rows.
fn aggregates(expression: &Expr) -> bool {
    match expression {
        Expr::Function(function) => {
            let name = function.name.to_string().to_lowercase();
            function.over.is_none()
                && (AGGREGATES.contains(&name.as_str())
                    || matches!(&function.args, FunctionArguments::List(list) if list.args.iter().any(|argument| {
                        matches!(argument, FunctionArg::Unnamed(FunctionArgExpr::Expr(inner)) if aggregates(inner))
                    })))
        }
        Expr::BinaryOp { left, right, .. } => aggregates(left) || aggregates(right),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } | Expr::UnaryOp { expr: inner, .. } => aggregates(inner),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
